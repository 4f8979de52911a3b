// Relaxation of overlaps of many circles or spheres, at a cost in proportion to their number.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/broad_phase.hpp"
#include "libdem/assembly/generators.hpp"

namespace dem {

/// Pushes overlapping balls apart, pair by pair. A ball is visited again only when it or a neighbour was pushed, so
/// that the last few overlaps of many balls cost little. The result is a function of the input alone.
class OverlapRelaxation {
 public:
  /// The balls lie in the cell from `origin` on. In directions that are not periodic they stay between its faces. Balls
  /// that are near in space should be near in the order, because the memory of neighbours is then near.
  OverlapRelaxation(std::vector<Ball> balls, const geometry::Cell&, Vec3 origin, int dimension);

  /// Pushes until no two balls overlap, with all radii multiplied by `factor` (at most 1). Returns false after more
  /// than `most_visits` visits per ball.
  bool relax(double factor, double most_visits);

  std::span<const Ball> balls() const { return balls_; }
  std::uint64_t visits() const { return visits_; }  ///< so far

 private:
  /// The cells of the balls of one class of sizes.
  struct Level {
    double largest = 0;  ///< radius (m)
    std::array<int, 3> count{1, 1, 1};
    std::size_t first = 0;  ///< index of its first cell
  };
  void make_levels();
  std::uint32_t cell_of(std::uint32_t b) const;
  void enter(std::uint32_t b);
  void leave(std::uint32_t b);
  void settle(std::uint32_t b, double factor);
  bool push_pair(std::uint32_t b, std::uint32_t other, Vec3 shift, double factor);
  void visit(std::uint32_t b, double factor);
  void mark(std::uint32_t b) { active_[b / 64] |= std::uint64_t{1} << b % 64; }

  std::vector<Ball> balls_;
  geometry::Cell cell_;
  Vec3 origin_;
  std::size_t axes_;
  std::array<Vec3, 3> row_;       // of the reciprocal cell (1/m)
  std::array<double, 3> length_;  // of the rows
  std::vector<Level> levels_;
  std::vector<std::uint8_t> level_;  // of each ball
  // Each cell has a list of balls: the first of each cell, the next and the previous of each ball.
  std::vector<std::uint32_t> first_, next_, previous_, in_cell_;
  std::vector<std::uint64_t> active_;  // one bit per ball: to be visited
  std::uint64_t visits_ = 0;
};

}  // namespace dem
