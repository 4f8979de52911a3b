// The polygon pair test of Peña, Lind and Herrmann, Figs. 6a and 8-10 (polygon-dem reference, §7): its case, its run
// until it has decayed, and random pairs like the published ones.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/measure/relaxation.hpp"
#include "validation/pena2008/polygon_cases.hpp"
#include "validation/study.hpp"

namespace dem {
class Simulation;
}

namespace dem::validation::pena2008 {

struct PairCase {
  Case given;
  double t_c = 0;          ///< of the reduced mass of the two (s)
  double start_angle = 0;  ///< by which everything was turned (rad)
};

/// i fixed with its material mass in m_r; j released from rest at its start and pushed with F = 0.01 k_n l_c along −x,
/// free in x and y and without rotation; k_n = 1 N/m, k_t/k_n = γ_t/γ_n = 1/3, ε_n = 0.9875, μ = 500, form (P).
/// Everything turned by `angle`.
PairCase polygon_pair_case(const PairShapes&, double dt_over_tc, double angle = 0);
/// Elongation by v_t Δt with the predicted velocity.
PairCase with_velocity_elongation(PairCase);
PairCase with_plane(PairCase, geometry::ContactPlane);
/// j may rotate; `rotational_damping` is that of the material (N m s).
PairCase with_rotation(PairCase, double rotational_damping = 0);

/// j rolls off i where the line of the force passes beside the contact: with rotation the published set-up has no
/// equilibrium. Two that have one: j moves along the force only (and rotates), as in the guided two-disc test …
PairCase guided(PairCase);
/// … or lies on i, the longest face of each flat on that of the other, their centroids above each other, pushed
/// perpendicular to the faces, just touching. Free in x and y; without rotation unless with_rotation is asked for.
PairCase seated(const PairShapes&, double dt_over_tc);

struct PairRun {
  double limit_in_tc = 8000;                           ///< the run ends there at the latest
  double high = 1e-3, low = 1e-9;                      ///< window of the fit, see RelaxationFit
  double end_at = 1e-9;                                ///< the run ends when the energy is this part of its largest
  bool watch_plane = false;                            ///< fills PairEnd::late_turn_deg
  std::function<void(const Simulation&)> each_step{};  ///< looks at the state after every step
  std::function<void(double)> progress{};              ///< share of limit_in_tc
};
struct PairEnd {
  PairResult result;          ///< turned back by the start angle; ratio and angle NaN where the contact is lost
  RelaxationFit::Result fit;  ///< time in units of t_c
  double angle = 0;           ///< θ_j (rad)
  double duration = 0;        ///< of the run, in units of t_c
  double late_turn_deg = 0;  ///< largest turn of the plane in one step, once the energy is within the window of the fit
  bool lost = false;  ///< the pushed polygon has left the other one and does not come back: there is no final state
};
/// Runs the case until its kinetic energy has decayed.
PairEnd relax(const PairCase&, const PairRun& = {});

struct PairJob {
  PairCase pair;
  PairRun run{};              ///< without each_step and progress
  double expected_tc = 5000;  ///< how long it will take (t_c), for the order of the work
};
/// Runs all of them as tasks of a study. A run that failed, and one without a fit (fewer than 3 maxima), has NaN as its
/// time.
std::vector<PairEnd> relax_all(StudyRun&, std::string_view name, const std::vector<PairJob>&);

/// Two random convex hexagons of mean radius 0.5 m about their centroids, branch at 45°, just touching: the k-th of the
/// family `seed`. Corners at k·60° + phase ± 15°, radii 0.5 m ± 10 %, phases uniform; drawn again until convex. The
/// results are NaN.
PairShapes random_pair(std::uint64_t seed);

}  // namespace dem::validation::pena2008
