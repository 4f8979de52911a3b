// Bodies that nothing can stop any more: outside a container, below a floor, fallen off an edge.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "libdem/state/fields.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// A body falls along its load: gravity and applied force per mass, of the directions that are free and not periodic.
/// What can stop it are walls, plates and bodies that are held. It is *astray* where none of them lies ahead, within
/// its radius of the line through its centre; other bodies do not count, for they fall as well. It is *lost* when it is
/// astray and has left the box around all that can stop bodies by ten of the largest diameters; or when it was astray
/// from the start and falls as fast as after a free fall of one diameter.
///
/// Bodies that are meant to fly are no loss. Without load a body is looked at only where walls with ends enclose at
/// least half of the bodies at the start: those outside their box are astray, and lost ten diameters away from it.
/// Where nothing is there to stop anything, an applied force is no load either; gravity is, since a floor is easily
/// forgotten.
class LostBodies {
 public:
  LostBodies() = default;
  explicit LostBodies(const State& start);

  const std::vector<std::uint64_t>& astray() const { return astray_; }  ///< at the start, ascending
  /// Beside the box of the walls with ends, on a plane without end, where at least half of the bodies are above or
  /// inside it.
  const std::vector<std::uint64_t>& beside() const { return beside_; }
  /// Is there anything to stop a body at all?
  bool has_holder() const { return has_holder_; }
  std::vector<std::size_t> find(const State&) const;  ///< lost now, ascending

  void fields(FieldVisitor&);

 private:
  std::vector<std::uint64_t> astray_, beside_;
  bool has_holder_ = false, encloses_ = false;
  double diameter_ = 0;  // largest
  Vec3 low_, high_;      // of the bodies at the start (m)
};

/// Sentences on what will be lost, or lies where it is hardly meant to, at the start; empty: nothing.
std::vector<std::string> start_warnings(const LostBodies&, const State&);
/// "body 3 (group free) at (1, 2, 3) m, body 7 (group free) at (…) m and 12 more".
std::string first_few(const State&, const std::vector<std::size_t>& bodies);

}  // namespace dem
