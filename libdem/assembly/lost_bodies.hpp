// Bodies that nothing can stop any more: outside a container, below a floor, fallen off an edge.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "libdem/state/fields.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// A body falls along its load: gravity and applied force per mass, in the directions that are free and not periodic.
/// Walls, plates and held bodies can stop it. Other bodies do not count, because they fall as well. A body is *astray*
/// if no such obstacle lies ahead within its radius of the line through its centre. An astray body is *lost* in two
/// cases. Either it has left the box around all obstacles by ten of the largest diameters. Or it was astray from the
/// start and falls as fast as after a free fall of one diameter.
///
/// Bodies that are meant to fly are not lost. Without load a body counts only where bounded walls enclose at least half
/// of the bodies at the start. Then bodies outside the box of these walls are astray, and ten diameters away from it
/// they are lost. Without any obstacle an applied force is no load. Gravity always is, because a floor is easily
/// forgotten.
class LostBodies {
 public:
  LostBodies() = default;
  explicit LostBodies(const State& start);

  const std::vector<std::uint64_t>& astray() const { return astray_; }  ///< at the start, ascending
  /// Bodies on an unbounded plane beside the box of the bounded walls, where at least half of the bodies are above or
  /// inside that box.
  const std::vector<std::uint64_t>& beside() const { return beside_; }
  /// True if there is anything that can stop a body.
  bool has_holder() const { return has_holder_; }
  std::vector<std::size_t> find(const State&) const;  ///< lost now, ascending

  void fields(FieldVisitor&);

 private:
  std::vector<std::uint64_t> astray_, beside_;
  bool has_holder_ = false, encloses_ = false;
  double diameter_ = 0;  // largest
  Vec3 low_, high_;      // of the bodies at the start (m)
};

/// Sentences on bodies that will be lost, or lie in an unlikely place, at the start. Empty: no such body.
std::vector<std::string> start_warnings(const LostBodies&, const State&);
/// Text like "body 3 (group free) at (1, 2, 3) m, body 7 (group free) at (…) m and 12 more".
std::string first_few(const State&, const std::vector<std::size_t>& bodies);

}  // namespace dem
