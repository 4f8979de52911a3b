#include "libdem/run/memory_tidier.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "libdem/platform/huge_pages.hpp"

namespace dem {
namespace {
constexpr std::uint64_t interval = 1000;  // steps
constexpr std::size_t many_bodies = 10000;
}  // namespace

void MemoryTidier::tidy(const State& state, const ContactEngine& contacts) {
  builds_ = contacts.list_builds();
  next_ = state.step + interval;
  if (state.bodies.size() <= many_bodies) return;
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  use_huge_pages();
}

}  // namespace dem
