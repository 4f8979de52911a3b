#include "libdem/contacts/contact_engine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "libdem/contacts/planar/contacts.hpp"
#include "libdem/contacts/spheres/contacts.hpp"
#include "libdem/state/assembly_error.hpp"

namespace dem {

void ContactEngine::forces(const State& state, std::vector<ContactForce>& out) const {
  std::vector<ContactLoad> all;
  loads(state, all);
  out.clear();
  for (const ContactLoad& load : all) out.push_back({load.key, load.force});
}

void ContactEngine::visit(const State& state, const std::function<void(std::span<const ContactRecord>)>& look) const {
  std::vector<ContactRecord> all;
  records(state, all);
  look(all);
}

std::unique_ptr<ContactEngine> make_contact_engine(const Case& given, const State& state) {
  if (given.dimension == 3) return std::make_unique<SphereContacts>(given, state);
  return std::make_unique<PlanarContacts>(given, state);
}

void check_cell_width(const State& state, double skin) {
  double largest = 0;
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    if (!state.shape_of(b).is_wall()) largest = std::max(largest, state.shape_of(b).bounding_radius());
  const auto widths = geometry::reduced_widths(state.cell, state.dimension == 2);
  for (std::size_t a = 0; a < std::size_t(state.dimension); ++a)
    if (state.cell.periodic[a] && widths[a] < 4 * largest + skin)
      throw AssemblyError(
          fmt::format("the cell is {:.6g} m wide along {}, less than two diameters of the largest body and the skin "
                      "({:.6g} m): use a larger cell",
                      widths[a], "xyz"[a], 4 * largest + skin));
}

}  // namespace dem
