#include "validation/pena2008/particle-number/contact_forces.hpp"

#include <algorithm>

#include "libdem/assembly/assembly.hpp"

namespace dem::validation::pena2008::packed {

ContactForces::ContactForces(const Case& given) : state_(build_assembly(given)), contacts_(given, state_) {
  moving_ = state_.bodies.size();
  while (moving_ > 0 && state_.shape_of(moving_ - 1).is_half_plane()) --moving_;
  for (std::size_t b = 0; b < moving_; ++b) bounding_radii_.push_back(state_.shape_of(b).bounding_radius());
}

void ContactForces::evaluate() {
  list_pairs();
  contacts_.evaluate(state_, {});
}

std::vector<ContactRecord> ContactForces::contacts() const {
  std::vector<ContactRecord> records;
  contacts_.records(state_, records);
  return records;
}

void ContactForces::list_pairs() {
  const std::span<const Vec3> positions(state_.bodies.position[0].stored().data(), moving_);
  if (!candidates_.empty() && !neighbours_.expired(positions)) return;
  neighbours_.build({positions, bounding_radii_, &state_.cell, 0.1 * bounding_radii_.front(), true, {}});
  candidates_.clear();
  auto pair = neighbours_.pairs().begin();
  for (std::size_t i = 0; i < moving_;
       ++i) {  // in the order of the keys: each body meets the walls after its other partners
    for (; pair != neighbours_.pairs().end() && pair->i == i; ++pair) candidates_.push_back(*pair);
    for (std::size_t wall = moving_; wall < state_.bodies.size(); ++wall)
      candidates_.push_back({std::uint32_t(i), std::uint32_t(wall), {}});
  }
  contacts_.set_candidates(candidates_);
}

}  // namespace dem::validation::pena2008::packed
