// Whether a list of pairs still holds after the bodies and the cell have moved.
#include <algorithm>
#include <cmath>

#include "geometry/broad_phase.hpp"

namespace dem::geometry {

NeighbourList::Look NeighbourList::look(std::span<const Vec3> positions, const Cell* cell) const {
  Look look;
  const std::size_t n = positions.size();
  if (n != built_at_.size() || n == 0) return look;
  look.positions_ = positions;
  look.built_at_ = built_at_;
  look.planar_ = planar_;
  look.deformed_ = cell && cell->vectors != built_cell_.vectors;
  double skin = skin_;
  if (look.deformed_) {
    std::array<Vec3, 3>& rows = look.rows_;
    const std::array<Vec3, 3> inverse = built_cell_.reciprocal();
    const auto& now = cell->vectors;
    const auto row = [&](double Vec3::*part) {
      return now[0].*part * inverse[0] + now[1].*part * inverse[1] + now[2].*part * inverse[2];
    };
    rows = {row(&Vec3::x), row(&Vec3::y), row(&Vec3::z)};
    // The least stretch s of F: s² ≥ 1 − ‖FᵀF − 1‖. A rotation of the cell does not change this bound.
    const std::array<Vec3, 3> columns{Vec3{rows[0].x, rows[1].x, rows[2].x}, Vec3{rows[0].y, rows[1].y, rows[2].y},
                                      Vec3{rows[0].z, rows[1].z, rows[2].z}};
    double square = 0;
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t q = 0; q < 3; ++q) {
        const double entry = dot(columns[p], columns[q]) - (p == q ? 1 : 0);
        square += entry * entry;
      }
    const double stretch = std::sqrt(std::max(0.0, 1 - std::sqrt(square)));
    skin = stretch * skin_ - (1 - stretch) * longest_reach_;
  }
  // A few bodies show the approximate mean motion, and any value is right.
  const std::size_t step = std::max<std::size_t>(1, n / 32);
  double counted = 0;
  for (std::size_t k = 0; k < n; k += step, ++counted) look.drift_ += look.displacement(k);
  look.drift_ = (1 / counted) * look.drift_;
  look.room_ = 0.5 * skin * (1 - 1e-9);  // the margin covers round-off
  return look;
}

Vec3 NeighbourList::Look::displacement(std::size_t k) const {
  const Vec3 from = built_at_[k];
  return positions_[k] - (deformed_ ? Vec3{dot(rows_[0], from), dot(rows_[1], from), dot(rows_[2], from)} : from);
}

bool NeighbourList::Look::holds(std::size_t first, std::size_t last) const {
  if (!(room_ > 0)) return false;
  for (std::size_t k = first; k < last; ++k) {
    Vec3 u = displacement(k) - drift_;
    if (planar_) u.z = 0;
    if (!(dot(u, u) < room_ * room_)) return false;  // also when it is not a number
  }
  return true;
}

}  // namespace dem::geometry
