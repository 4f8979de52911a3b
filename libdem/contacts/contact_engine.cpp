#include "libdem/contacts/contact_engine.hpp"

#include "libdem/contacts/planar_contacts.hpp"
#include "libdem/contacts/sphere_contacts.hpp"

namespace dem {

void ContactEngine::visit(const State& state, const std::function<void(std::span<const ContactRecord>)>& look) const {
  std::vector<ContactRecord> all;
  records(state, all);
  look(all);
}

std::unique_ptr<ContactEngine> make_contact_engine(const Case& given, const State& state) {
  if (given.dimension == 3) return std::make_unique<SphereContacts>(given, state);
  return std::make_unique<PlanarContacts>(given, state);
}

}  // namespace dem
