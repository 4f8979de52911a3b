// The same case turned, shifted, mirrored, or with its bodies in another order. Its motion must not change.
#pragma once
#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "libdem/case.hpp"

namespace dem {

/// x → M x + t, M a rotation or a rotation with a mirror. In the plane M keeps z.
struct FrameChange {
  std::array<Vec3, 3> rows{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};  ///< of M
  Vec3 shift;                                                             ///< t (m)

  static FrameChange turn(Vec3 axis, double angle);  ///< about the origin (rad)
  static FrameChange quarter_turn();                 ///< x → y → −x, about z; without round-off
  static FrameChange cycle();  ///< x → y → z → x, a third of a turn about the diagonal; without round-off
  static FrameChange signs(double x, double y, double z);  ///< each axis kept (1) or reversed (−1)
  /// Returns the same M with a shift that keeps the point in place.
  FrameChange about(Vec3 point) const;

  double determinant() const { return dot(rows[0], cross(rows[1], rows[2])) > 0 ? 1 : -1; }
  Vec3 vector(Vec3 v) const { return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)}; }
  Vec3 point(Vec3 p) const { return vector(p) + shift; }
  Vec3 axial(Vec3 v) const { return determinant() * vector(v); }  ///< rotation vectors, angular velocities, couples
};

/// The case with every body listed and no generator; the same bits. `step` is its time step (s). Removes start_from.
Case with_listed_bodies(const Case&, double step);

/// Reason why a case with listed bodies cannot be written in the other frame. Empty if it can.
std::string cannot_change_frame(const Case&, const FrameChange&);

/// The case in the other frame. Requires listed bodies and an empty cannot_change_frame. Meshes go to `folder`.
Case in_frame(const Case&, const FrameChange&, const std::filesystem::path& folder);

/// Body k of the result is body order[k] of the case, whose bodies are listed.
Case renumbered(const Case&, std::span<const std::size_t> order);

}  // namespace dem
