// Random pairs of polygons on random smooth paths, and what the definitions of the contact plane do on the way
// (polygon-dem reference, §6, "Continuity metric"). Shared by the continuity study and figure 8. The generator is
// written down in continuity/README.md.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/plane_continuity.hpp"

namespace dem::validation::pena2008 {

/// The definitions of the reference's table, in its order: the six of the catalogue and two that only studies need.
struct PlaneDefinition {
  std::string_view name;       ///< of libdem; "chord-first" and "edge-axial-unselected" are not in the catalogue
  std::string_view reference;  ///< of the reference
  geometry::PlaneAngle angle;
};
inline constexpr std::size_t plane_count = 8;
enum PlaneIndex : std::size_t {
  chord_first,
  chord_far,
  edge_mean,
  edge_mean_unsigned,
  edge_mean_branch,
  edge_axial,
  edge_axial_unselected,
  area_gradient
};
const std::array<PlaneDefinition, plane_count>& plane_definitions();

/// Overlaps below have no plane: α has no limit as A → 0 (m², at a mean radius of 0.5 m).
inline constexpr double least_area = 1e-9;

/// What pairs and paths are drawn from.
struct PathSet {
  bool convex = true;        ///< 4-8 vertices; else star-shaped with 6-12 and in general not convex
  bool straight = true;      ///< else with smooth deviations along both directions and of the rotation
  double low = 0, high = 0;  ///< penetration at the middle of the path (m)
  std::uint64_t seed = 1;
  std::string name() const;  ///< "convex, straight, 0.02-0.1 m"
};

/// Body i rests with its centroid at the origin, j moves; s in [0, 1] is the share of the path.
struct MovingPair {
  geometry::Outline i, j;  ///< in their own frames, centroids at the origin (m)
  bool convex = true;      ///< both
  double angle_i = 0, angle_j = 0;
  Vec2 along;           ///< unit, direction of the slide
  double offset = 0;    ///< distance of the path's middle from the origin, to the left of `along` (m)
  double length = 1.2;  ///< m
  double turn = 0;      ///< of j over the path (rad)
  std::array<double, 3> amplitude{}, phase{};  ///< deviations: along (m), to the left (m), of the rotation (rad)

  Vec2 position(double s) const;
  double angle(double s) const;
  /// Movement of the pair from s to s + ds, straight and rigid in between.
  geometry::PairMovement movement(double s, double ds) const;
};
/// The pair with this number of the set; always the same.
MovingPair random_pair(const PathSet&, std::uint64_t number);

struct JumpEvent {
  std::size_t plane;         ///< index in plane_definitions
  int step;                  ///< between samples step and step + 1
  geometry::PlaneTurn turn;  ///< shares are those of the step
};

/// One path sampled at N equal steps.
struct PathWalk {
  struct Plane {
    double largest_turn = 0;  ///< M(N): the largest |Δα| between two samples (rad)
    long undefined = 0;       ///< states without a plane
  };
  std::array<Plane, plane_count> planes;
  std::vector<JumpEvent> jumps;
  long states = 0;                 ///< components of samples with a large enough area
  long many_crossings = 0;         ///< those of them with more than two crossings
  long several = 0;                ///< samples with more than one component
  long split = 0;                  ///< states in which area-gradient and chord differ by more than 1e-6 rad
  double largest_split = 0;        ///< largest |α(area-gradient) − α(chord)| (rad) …
  double split_at = 0;             ///< … and the share of the path where it is
  double two_crossings_split = 0;  ///< the same over states with two crossings
};
/// Walks the path; with `follow`, turns above 0.01 rad are bisected 30 times. A jump where the component merges or
/// splits is listed, too, and marked so.
PathWalk walk(const MovingPair&, int steps, bool follow = true);

/// |wrap(α of the pair turned by β − α − β)| of each definition at `samples` equal steps, each with its own random β
/// (rad).
std::vector<std::array<double, plane_count>> frame_errors(const MovingPair&, int samples, std::uint64_t seed);

/// The overlap at a share of the path.
geometry::Overlap overlap_at(const MovingPair&, double s);
/// The outlines there.
geometry::Outline placed_i(const MovingPair&);
geometry::Outline placed_j(const MovingPair&, double s);

}  // namespace dem::validation::pena2008
