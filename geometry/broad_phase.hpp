// Which pairs of bodies may touch: uniform cell grid, half list in compressed rows, Verlet skin.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "geometry/cell.hpp"

namespace dem::geometry {

/// The image is that of j: the body at position(j) + cell.shift(image) is the one near i.
struct CandidatePair {
  std::uint32_t i = 0, j = 0;  ///< i < j
  std::array<std::int16_t, 3> image{0, 0, 0};
  friend constexpr bool operator==(const CandidatePair&, const CandidatePair&) = default;
};

/// Input of the broad phase: bounding spheres (discs in 2D).
struct BroadPhaseInput {
  std::span<const Vec3> positions;  ///< m, not wrapped
  std::span<const double> radii;    ///< bounding radii (m)
  const Cell* cell = nullptr;       ///< none: no direction is periodic
  double skin = 0;                  ///< pairs nearer than r_i + r_j + skin are listed (m)
  bool planar = true;               ///< 2D: z, and the cell vector c, are ignored
  /// Bodies with freedom 0 (prescribed motion) may be wider than a periodic cell, for example a floor. Empty: all
  /// bodies are free.
  std::span<const std::uint8_t> freedom = {};
};

/// How threads share the loops of a search. Without `run` one thread does all.
struct WorkSharing {
  int shares = 1;
  /// Calls work(first, last, share) for contiguous shares of 0 … n − 1, at most `shares` in the order of their numbers.
  std::function<void(std::size_t n, const std::function<void(std::size_t, std::size_t, int)>& work)> run;
};

/// Half list of candidate pairs, sorted by (i, j, image). The list is a pure function of the input. A body may meet
/// several images of another body in a small cell; then each image is a pair. Pairs of a body with its own image are
/// not listed. build throws GeometryError when a free body could touch its own image, and names the smallest admissible
/// width. It also throws when a number is not finite. The cell may lean to any degree: the search uses the least
/// leaning vectors of the same lattice. The images refer to the given vectors. Memory is reused. Threads may share the
/// search; the list does not depend on it.
class NeighbourList {
 public:
  void build(const BroadPhaseInput&, const WorkSharing& = {});
  std::span<const CandidatePair> pairs() const { return pairs_; }
  /// Hands over the pairs; the list has none until the next build.
  std::vector<CandidatePair> take_pairs() { return std::move(pairs_); }
  /// Whether the list holds at given positions. Threads may share the look at the bodies.
  class Look {
   public:
    /// False if one of the bodies first … last − 1 has moved so far that a pair may be missing.
    bool holds(std::size_t first, std::size_t last) const;

   private:
    friend NeighbourList;
    Vec3 displacement(std::size_t k) const;
    std::span<const Vec3> positions_, built_at_;
    bool deformed_ = false, planar_ = false;
    std::array<Vec3, 3> rows_{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};  // of F: cell of the build to present cell
    Vec3 drift_;                                                             // about the mean displacement (m)
    double room_ = -1;  // no body may be farther from its place with the mean motion (m)
  };
  /// The list no longer holds when two bodies may have come nearer by the skin since the last build. Nor does it for
  /// another number of bodies. The test is conservative: twice the largest displacement beside the mean motion reaches
  /// the skin. `cell` is the present cell. Displacements are relative to the affine motion from the cell of the build
  /// to `cell`. The skin is reduced by the largest distance that this motion can take from a pair.
  Look look(std::span<const Vec3> positions, const Cell* cell = nullptr) const;
  /// True if the list does not hold, or if there is none.
  bool expired(std::span<const Vec3> positions, const Cell* cell = nullptr) const {
    return !look(positions, cell).holds(0, positions.size());
  }
  /// True when every pair of bodies is listed, which no movement can change. Then nothing is periodic and all bodies
  /// were near each other.
  bool complete() const { return complete_; }

 private:
  struct Grid;
  void select_large(const BroadPhaseInput&, const ReducedCell&);
  Grid fill_grid(const BroadPhaseInput&, const ReducedCell&);
  template <bool is_planar, bool is_periodic>
  void list_pairs(const BroadPhaseInput&, const ReducedCell&, const Grid&, const WorkSharing&);
  void number_images(const ReducedCell&);
  void sort_pairs(std::size_t bodies, const WorkSharing&);

  std::vector<CandidatePair> pairs_;
  std::vector<Vec3> built_at_;
  Cell built_cell_;
  double skin_ = 0, longest_reach_ = 0;  // the largest r_i + r_j of a pair
  bool planar_ = true, complete_ = false;
  // Scratch, kept between builds.
  struct Packed {
    Vec3 position;
    double radius;
  };
  std::vector<std::uint32_t> cell_start_, cell_bodies_, cell_of_;
  std::vector<Packed> cell_packed_;  // bodies in the order of the cells
  /// Pairs of one share.
  struct alignas(128) Found {
    std::vector<CandidatePair> pairs;
    std::vector<std::uint32_t> near;  // neighbours of the present body, as places in cell_bodies_
    std::exception_ptr failure;
  };
  std::vector<Found> found_;
  std::vector<std::uint32_t> row_start_;
  std::vector<std::uint32_t> large_;  // bodies tested against all others, ascending
  std::vector<std::uint8_t> is_large_;
  std::vector<double> sorted_radii_;
};

}  // namespace dem::geometry
