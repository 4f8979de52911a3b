// Inner parts of the continuity study: what is counted over many paths, and the pieces its results are told in.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validation/pena2008/plane_paths.hpp"
#include "validation/study.hpp"

namespace dem::validation::pena2008::continuity_study {

constexpr double degrees = 57.295779513082320877;

/// 95 % interval of a share, by Wilson: of `count` in `of`.
std::pair<double, double> share_interval(double count, double of);

/// Counts of one definition over the paths of a set. Jumps where parts of the overlap merge or split are `merging` and
/// nowhere else.
struct PlaneTotals {
  double jumps = 0, paths = 0;                      ///< persistent jumps; paths with any
  double size = 0, size_squares = 0, largest = 0;   ///< sum, sum of squares (rad, rad²) and maximum (rad)
  double above_10 = 0, above_44 = 0, above_80 = 0;  ///< jumps larger than so many degrees
  double undefined = 0, merging = 0;                ///< states; jumps
  double frame_sum = 0, frame_above = 0;            ///< frame error: sum (rad), states above 1e-6 rad
  // The same as means of single paths (rad; share of its states), which are independent, and their squares.
  double frame_mean = 0, frame_mean_squares = 0, frame_share = 0, frame_share_squares = 0;
};
struct SetTotals {
  PathSet set;
  double paths = 0, states = 0, many_crossings = 0, several = 0, split = 0, frame_states = 0, frame_paths = 0;
  double two_crossings_split = 0, largest_split = 0, split_path = -1;  ///< maxima (rad), and the path of the second
  double failed = 0;                                                   ///< paths that were not worked out
  std::vector<PlaneTotals> planes = std::vector<PlaneTotals>(plane_count);
};

/// Twelve sets: convex and not, straight and curved, three bands of penetration.
std::vector<PathSet> path_sets();
std::vector<SetTotals> count_jumps(StudyRun&, int paths, int steps);

/// Median over paths of M(N), in radians: [plane][k], N as in `steps`.
struct Refinement {
  PathSet set;
  std::vector<int> steps;
  std::vector<std::vector<double>> median, largest;
  int paths = 0;
};
std::vector<Refinement> refine(StudyRun&, int paths, int halvings);

void claim_ranking(StudyRun&, std::span<const SetTotals>);
void claim_frames(StudyRun&, std::span<const SetTotals>);
void claim_refinement(StudyRun&, std::span<const Refinement>);
void claim_points(StudyRun&, std::span<const SetTotals>);  ///< points 1-8 of the reference
void claim_monitor(StudyRun&);                             ///< the monitor inside a run against the study
void draw_shares(StudyRun&, std::span<const SetTotals>, std::span<const Refinement>);
void draw_pairs(StudyRun&, std::span<const SetTotals>);

/// The first path of the set, and its jump, that `wanted` accepts; pair number −1 where there is none below `paths`.
struct FoundJump {
  std::int64_t number = -1;
  MovingPair pair;
  JumpEvent jump;
};
FoundJump find_jump(const PathSet&, int paths, int steps,
                    const std::function<bool(const PathWalk&, const JumpEvent&)>& wanted);

/// A case that moves the pair along its (straight) path in so many steps, each body by the case, with every definition
/// watched.
Case slide_case(const MovingPair&, int steps, geometry::ContactPlane);

}  // namespace dem::validation::pena2008::continuity_study
