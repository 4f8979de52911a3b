// Frees memory that only building an assembly or a list of candidates needs. The remaining memory gets huge pages.
#pragma once
#include <cstdint>

#include "libdem/contacts/contact_engine.hpp"
#include "libdem/state/state.hpp"

namespace dem {

class MemoryTidier {
 public:
  /// After a step: tidies now and then if a list was built or forces were dropped. Small assemblies fit in caches.
  void after_step(const State& state, const ContactEngine& contacts, bool had_forces) {
    const bool untidy = (had_forces && !contacts.has_forces()) || contacts.list_builds() != builds_;
    if (untidy && state.step >= next_) tidy(state, contacts);
  }

 private:
  void tidy(const State&, const ContactEngine&);

  std::uint64_t next_ = 0;    // step
  std::uint64_t builds_ = 0;  // list_builds() at the last time
};

}  // namespace dem
