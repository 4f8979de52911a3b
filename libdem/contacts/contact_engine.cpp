#include "libdem/contacts/contact_engine.hpp"

#include "libdem/contacts/planar_contacts.hpp"

namespace dem {

std::unique_ptr<ContactEngine> make_contact_engine(const Case& given, const State& state) {
  return std::make_unique<PlanarContacts>(given, state);
}

}  // namespace dem
