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
      throw AssemblyError(fmt::format(
          "the cell is {:.6g} m wide along {}, less than two diameters of the largest body{} ({:.6g} m): use "
          "a larger cell",
          widths[a], "xyz"[a], skin > 0 ? " and the skin" : "", 4 * largest + skin));
}

void OwnImages::check(const State& state) {
  std::size_t widest = 0;
  widest_ = 0;
  checked_ = state.cell.vectors;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    if (state.bodies.freedom[b] == 0 || state.shape_of(b).is_wall()) continue;
    const double diameter = 2 * state.shape_of(b).bounding_radius();
    if (diameter > widest_) widest = b, widest_ = diameter;
  }
  if (const double width = geometry::ReducedCell(state.cell, state.dimension == 2).narrowest; widest_ > width)
    throw geometry::GeometryError(
        fmt::format("the periodic cell is {:.6g} m wide, but body {} could touch its own image: its bounding circle "
                    "needs a width of at least {:.6g} m",
                    width, widest, widest_));
}

bool OwnImages::stay_apart(const State& state) const {
  return state.cell.vectors == checked_ || widest_ <= geometry::ReducedCell(state.cell, state.dimension == 2).narrowest;
}

}  // namespace dem
