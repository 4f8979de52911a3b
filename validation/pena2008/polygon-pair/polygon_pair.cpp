// Two polygons, one pushed against the other (polygon-dem reference, §7, and the energy loop of §6): relaxation times,
// final states, dependence on the frame, the same with rotation, the literal polygon recipe, work on a closed loop.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libdem/case/case_file.hpp"
#include "validation/driven_pair.hpp"
#include "validation/pena2008/polygon-pair/loop_work.hpp"
#include "validation/pena2008/polygon_pairs.hpp"
#include "validation/pena2008/studies.hpp"

namespace dem::validation::pena2008 {

namespace {

constexpr const char* section = "polygon-dem reference §7";
constexpr double relaxation_tolerance = 0.01;
const char* const relaxation_reason =
    "1 %: the reference's values are fits, and the early stretch moves them by this much";

ClaimVerdict verdict(bool agrees) { return agrees ? ClaimVerdict::agrees : ClaimVerdict::differs; }

std::string three(const PairEnd* ends, double PairResult::*value, int decimals) {
  return fmt::format("{:.{}f} / {:.{}f} / {:.{}f}", ends[0].result.*value, decimals, ends[1].result.*value, decimals,
                     ends[2].result.*value, decimals);
}

/// t_R of both elongations at one step after the other: three shapes each.
struct Table {
  std::vector<double> steps;  // Δt/t_c
  std::vector<std::array<PairEnd, 3>> geometric, velocity;
};

Table relaxation_table(StudyRun& run) {
  Table table;
  table.steps = run.quick() ? std::vector{0.1, 0.03} : std::vector{0.1, 0.03, 0.01, 0.001};
  std::vector<PairJob> jobs;
  for (const double dt : table.steps)
    for (const PairShapes& shapes : pair_shapes) {
      const PairCase pair = polygon_pair_case(shapes, dt);
      // Final states are compared to 1e-5: let them settle.
      jobs.push_back({pair, {.end_at = 1e-12}, 6500});
      jobs.push_back({with_velocity_elongation(pair), {}, dt < 0.005 ? 4200.0 : 1700.0});
    }
  const auto ends = relax_all(run, "table", jobs);
  for (std::size_t d = 0; d < table.steps.size(); ++d) {
    auto &g = table.geometric.emplace_back(), &v = table.velocity.emplace_back();
    for (std::size_t s = 0; s < 3; ++s) g[s] = ends[6 * d + 2 * s], v[s] = ends[6 * d + 2 * s + 1];
  }
  return table;
}

struct PublishedRow {
  double step, velocity[3], geometric[3];
};
constexpr PublishedRow published_table[] = {{0.1, {79.9, 79.2, 77.9}, {239.57, 237.63, 233.80}},
                                            {0.03, {79.9, 79.2, 77.9}, {239.60, 237.67, 233.84}},
                                            {0.01, {80.1, 80.1, 78.1}, {239.61, 237.67, 233.84}},
                                            {0.001, {200.3, 198.7, 195.5}, {239.61, 237.67, 233.84}}};

const PublishedRow& published_row(double step) {
  return *std::ranges::find_if(published_table, [&](const PublishedRow& row) { return row.step == step; });
}

void table_claims(StudyRun& run, const Table& table) {
  for (std::size_t d = 0; d < table.steps.size(); ++d) {
    const PublishedRow& row = published_row(table.steps[d]);
    const auto claim = [&](const char* name, const char* word, const double* published,
                           const std::array<PairEnd, 3>& found) {
      double worst = 0, r_squared = 1;
      for (std::size_t s = 0; s < 3; ++s) {
        worst = std::max(worst, std::abs(found[s].fit.time / published[s] - 1));
        r_squared = std::min(r_squared, found[s].fit.r_squared);
      }
      std::string note = fmt::format("The largest difference is {:.2g} %.", 100 * worst);
      if (r_squared < 0.999)
        note = fmt::format(
            "The largest difference is {:.2g} %; R² falls to {:.4f}, because two modes decay at nearly the same rate, "
            "so this is a "
            "number of the fit as prescribed, not of one mode.",
            100 * worst, r_squared);
      run.claim({fmt::format("{}-{:g}", name, table.steps[d]), section,
                 fmt::format("t_R/t_c of three shapes with {} at Δt/t_c = {:g}: {:g} / {:g} / {:g}", word,
                             table.steps[d], published[0], published[1], published[2]),
                 three(found.data(), &PairResult::relaxation, 2), relaxation_reason,
                 verdict(worst < relaxation_tolerance), note});
    };
    claim("geometric", "(P)", row.geometric, table.geometric[d]);
    claim("velocity", "Cundall's v_t Δt, predicted velocity,", row.velocity, table.velocity[d]);
  }
  double spread = 0, factor_low = INFINITY, factor_high = 0;
  for (std::size_t s = 0; s < 3; ++s) {
    double low = INFINITY, high = 0;
    for (const auto& ends : table.geometric)
      low = std::min(low, ends[s].fit.time), high = std::max(high, ends[s].fit.time);
    spread = std::max(spread, high / low - 1);
    const double factor = table.geometric[0][s].fit.time / table.velocity[0][s].fit.time;
    factor_low = std::min(factor_low, factor);
    factor_high = std::max(factor_high, factor);
  }
  run.claim({"flat", section, "t_R of (P) is flat in Δt; Cundall's is a factor three lower at large steps",
             fmt::format("spread of (P) over Δt/t_c = {:g} … {:g}: {:.2g} %; factor at 0.1: {:.3f} … {:.3f}",
                         table.steps.back(), table.steps[0], 100 * spread, factor_low, factor_high),
             "0.5 % for flat (the digits of the reference's table differ by 0.02 %); a factor that rounds to 3",
             verdict(spread < 0.005 && factor_low > 2.5 && factor_high < 3.5),
             "At large steps v_t Δt has damped the tangential mode away and the normal one is left."});
}

/// Final positions and force ratios at the smallest step, both definitions of the plane.
void final_states(StudyRun& run, const Table& table) {
  const double dt = run.quick() ? 0.03 : 0.001;
  std::vector<PairJob> jobs;
  for (const PairShapes& shapes : pair_shapes)
    jobs.push_back(
        {with_plane(polygon_pair_case(shapes, dt), geometry::ContactPlane::edge_mean), {.end_at = 1e-12}, 6500});
  const auto edge = relax_all(run, "edge-mean", jobs);
  const auto& gradient = table.geometric.back();
  const auto claim = [&](const char* name, const PairEnd* found, PairResult PairShapes::*published) {
    double position = 0, angle = 0, ratio = 0;
    std::string measured, printed;
    for (std::size_t s = 0; s < 3; ++s) {
      const PairResult &r = found[s].result, &p = pair_shapes[s].*published;
      position = std::max({position, std::abs(r.x - p.x), std::abs(r.y - p.y)});
      angle = std::max(angle, std::abs(r.alpha_deg - p.alpha_deg));
      ratio = std::max(ratio, std::abs(r.ratio / p.ratio - 1));
      const char* gap = s == 0 ? "" : "; ";
      measured += fmt::format("{}({:.7f}, {:.7f}) m, {:.4f}°, {:.5f}", gap, r.x, r.y, r.alpha_deg, r.ratio);
      printed += fmt::format("{}({:.7f}, {:.7f}) m, {:.4f}°, {:.5f}", gap, p.x, p.y, p.alpha_deg, p.ratio);
    }
    // The reference's runs end while they still vibrate with 3e-5 of the first amplitude: 1e-4 in the ratio.
    const double allowed = dt <= 0.001 ? 1e-5 : 1e-4;
    run.claim({fmt::format("final-state-{}", name), "polygon-dem reference §7 and polygon-cases.json",
               "position, plane angle and |F_t/F_n| of three shapes at rest: " + printed, measured,
               fmt::format("{:.0e} m, 0.001°, 2e-4 of the ratio: the reference's runs end at 1e-9 of the energy, 3e-5 "
                           "of the amplitude{}",
                           allowed,
                           dt <= 0.001 ? ""
                                       : "; ten times that in the position here, since a new contact has no elongation "
                                         "in its first step and this one is 30 times longer"),
               verdict(position < allowed && angle < 1e-3 && ratio < 2e-4),
               fmt::format("Δt/t_c = {:g}: largest differences {:.1e} m, {:.1e}°, {:.1e} of the ratio.", dt, position,
                           angle, ratio)});
  };
  claim("area-gradient", gradient.data(), &PairShapes::area_gradient);
  claim("edge-mean", edge.data(), &PairShapes::edge_mean);
}

void frame_test(StudyRun& run, Figure& figure) {
  const double dt = run.quick() ? 0.05 : 0.01, degrees[] = {0, 20, 40, 60, 80};
  std::vector<PairJob> jobs;
  for (const double angle : degrees) {
    const PairCase pair = polygon_pair_case(pair_shapes[2], dt, angle * std::numbers::pi / 180);
    jobs.push_back({pair, {.end_at = 1e-12}, 6500});
    jobs.push_back({with_plane(pair, geometry::ContactPlane::edge_mean), {.end_at = 1e-12}, 6500});
  }
  const auto ends = relax_all(run, "frames", jobs);
  Curve gradient{"area-gradient", {}, {}, {}, {}, Curve::Style::line_and_points},
      edge{"edge-mean (Eq. 13)", {}, {}, {}, {}, Curve::Style::line_and_points};
  for (std::size_t k = 0; k < 5; ++k) {
    gradient.x.push_back(degrees[k]);
    edge.x.push_back(degrees[k]);
    gradient.y.push_back(ends[2 * k].result.ratio);
    edge.y.push_back(ends[2 * k + 1].result.ratio);
  }
  // |F_t/F_n| of a force along −x in the turned frame on a plane at α.
  const auto from_plane = [&](std::size_t k) {
    return std::abs(1 / std::tan((ends[2 * k + 1].result.alpha_deg - degrees[k]) * std::numbers::pi / 180));
  };
  const auto [low, high] = std::ranges::minmax(gradient.y);
  const auto [turned_low, turned_high] = std::minmax_element(edge.y.begin() + 1, edge.y.end());
  run.claim({"frame-edge-mean", section,
             "third shape, Eq. 13: the experiment turned by 0° ends at |F_t/F_n| = 1.658; turned by 20°, 40°, 60° or "
             "80° at 0.779",
             fmt::format("{:.4f}; {:.4f} … {:.4f}", edge.y[0], *turned_low, *turned_high),
             "0.001: the third decimal is printed, and polygon-cases.json has 1.659 for 1.658",
             verdict(std::abs(edge.y[0] - 1.6585) < 1e-3 && std::abs(*turned_low - 0.779) < 1e-3 &&
                     std::abs(*turned_high - 0.779) < 1e-3),
             fmt::format("At rest the ratio is the tangent of the angle between the force and the normal, and the "
                         "plane does not turn in this contact: {:.5f} and {:.5f} from the planes alone, so the "
                         "printed values were read before all was at rest. The mean of angles from the x axis depends "
                         "on where the x axis is.",
                         from_plane(0), from_plane(1))});
  run.claim({"frame-area-gradient", section, "area-gradient gives one value of |F_t/F_n| in every frame: 0.80156",
             fmt::format("{:.6f} … {:.6f}", low, high),
             "1e-4 between frames: the vibration that is left; 2e-4 of the value",
             verdict(high - low < 1e-4 && std::abs(low - 0.80156) < 2e-4 && std::abs(high - 0.80156) < 2e-4),
             "The overlap's edges are added as vectors, which turn with the bodies."});
  figure.panels.push_back({"Third shape, the whole experiment turned",
                           "angle of the frame (degrees)",
                           "|F_t/F_n| at rest",
                           false,
                           false,
                           {gradient, edge},
                           {}});
}

/// §7 with rotation.
void rotation(StudyRun& run, Figure& figure) {
  const double dt = 0.1, damping = 1e-3;  // N m s
  const std::size_t pairs = run.quick() ? 3 : 15;
  const PairRun long_run{.limit_in_tc = 400000};
  std::vector<PairJob> jobs;
  for (std::size_t s = 0; s < pairs; ++s) {
    const PairShapes shapes = s < 3 ? pair_shapes[s] : random_pair(s);
    const PairCase flat = seated(shapes, dt), free = polygon_pair_case(shapes, dt), along = guided(free);
    for (const PairCase& pair : {with_rotation(free), with_rotation(free, damping), along, with_rotation(along), flat,
                                 with_rotation(flat), with_rotation(flat, damping)})
      jobs.push_back({pair, long_run, 5000});
    jobs[jobs.size() - 2].expected_tc = 90000;
  }
  const auto ends = relax_all(run, "rotation", jobs);
  std::size_t lost = 0, lost_damped = 0;
  double low = INFINITY, high = 0, damped_low = INFINITY, damped_high = 0, helped_low = INFINITY, helped_high = 0,
         guided_low = INFINITY, guided_high = 0;
  Curve still{"no rotation", {}, {}, {}, {}, Curve::Style::points},
      rocking{"rotation", {}, {}, {}, {}, Curve::Style::points},
      damped{fmt::format("rotation, rotational_damping {:g} N m s", damping), {}, {}, {}, {}, Curve::Style::points};
  std::string first;
  for (std::size_t s = 0; s < pairs; ++s) {
    const PairEnd* e = &ends[7 * s];
    lost += e[0].lost;
    lost_damped += e[1].lost;
    const double factor = e[5].fit.time / e[4].fit.time, factor_damped = e[6].fit.time / e[4].fit.time,
                 factor_guided = e[3].fit.time / e[2].fit.time;
    low = std::min(low, factor), high = std::max(high, factor);
    helped_low = std::min(helped_low, e[6].fit.time / e[5].fit.time),
    helped_high = std::max(helped_high, e[6].fit.time / e[5].fit.time);
    damped_low = std::min(damped_low, factor_damped), damped_high = std::max(damped_high, factor_damped);
    if (s < 3) {  // others may be lost
      guided_low = std::min(guided_low, factor_guided), guided_high = std::max(guided_high, factor_guided);
      first += fmt::format("{}{:.1f}/{:.1f}", s == 0 ? "" : ", ", e[2].fit.time, e[3].fit.time);
    }
    for (auto [curve, end] : {std::pair{&still, 4}, {&rocking, 5}, {&damped, 6}})
      curve->x.push_back(double(s + 1)), curve->y.push_back(e[end].fit.time);
  }
  run.claim({"rotation-literal", section,
             "§7 with rotation, as for discs (§5): j free to rotate has no equilibrium unless the line of the force "
             "passes through the contact",
             fmt::format("{} of {} pairs lose the contact, {} with rotational_damping {:g} N m s", lost, pairs,
                         lost_damped, damping),
             "all pairs: with μ = 500 a polygon rolls off and cannot slide", verdict(lost == pairs),
             "The force along −x has a moment about a contact on the 45° branch, so the pushed polygon rolls round its "
             "corner and away: no t_R exists, whatever the damping."});
  run.claim({"rotation-guided", section, "§7 repeated with rotation: t_R 6 … 90 times longer (§8, rocking)",
             fmt::format("j moving along x only, without/with rotation: {} t_c: factors {:.2f} … {:.1f}", first,
                         guided_low, guided_high),
             "a factor between 6 and 90", ClaimVerdict::not_comparable,
             "Guided like the two discs, the pair comes to rest; on a corner it rolls rather than rocks, so this is "
             "not the motion that the statement is about."});
  run.claim({"rotation-rocking", "polygon-dem reference §8, rocking",
             "with rotation a polygon's t_R is 6–90 times longer: viscosity at one point hardly damps the rocking of "
             "an edge contact",
             fmt::format("faces on each other, {} pairs: {:.1f} … {:.1f} times", pairs, low, high),
             "between 6 and 90, as stated", verdict(low >= 6 && high <= 90),
             "Polygons lying flat on each other: the rocking mode moves the contact point along the plane only."});
  run.claim({"rotational-damping", "polygon-dem reference §8, rocking",
             "a couple proportional to the relative spin (rotational_damping) is offered against the rocking",
             fmt::format("with {:g} N m s t_R is {:.3f} … {:.3f} of that without the couple, {:.2f} … {:.2f} times "
                         "that without rotation",
                         damping, helped_low, helped_high, damped_low, damped_high),
             "no number is published: it helps where t_R falls by half or more in every pair",
             verdict(helped_high < 0.5), "The couple acts on the relative spin, which is what rocking is made of."});
  figure.panels.push_back({"Faces flat on each other",
                           "pair (1 to 3: those of the reference)",
                           "t_R/t_c",
                           false,
                           true,
                           {still, rocking, damped},
                           {}});
}

/// The prose of the paper taken by its word: ξ is the displacement of the overlap's centroid.
void literal_recipe(StudyRun& run, const Table& table) {
  const double dt = 0.03;
  std::vector<PairJob> jobs;
  for (const PairShapes& shapes : pair_shapes) {
    PairCase pair = polygon_pair_case(shapes, dt);
    pair.given.contact.geometric_form = GeometricForm::centroid_displacement;
    jobs.push_back({pair, {.end_at = 1e-12}, 6500});
  }
  const auto ends = relax_all(run, "literal", jobs);
  const auto& exact = table.geometric[1];  // the same step
  std::string states;
  std::size_t kept = 0, wrong = 0;
  double same_time = 0, moved = 0;
  for (std::size_t s = 0; s < 3; ++s) {
    const PairEnd& e = ends[s];
    states += fmt::format(
        "{}{}", s == 0 ? "" : "; ",
        e.lost ? "leaves its place and the contact is lost"
               : fmt::format("t_R = {:.2f} t_c, at ({:.5f}, {:.5f}) m", e.fit.time, e.result.x, e.result.y));
    if (e.lost) continue;
    ++kept;
    const double d = std::hypot(e.result.x - exact[s].result.x, e.result.y - exact[s].result.y);
    wrong += d > 1e-4;
    moved = std::max(moved, d);
    same_time = std::max(same_time, std::abs(e.fit.time / exact[s].fit.time - 1));
  }
  run.claim({"literal-recipe", "Peña, Lind, Herrmann, prose on the elongation of polygons; polygon-dem reference §4",
             "the tangential elongation of polygons is the displacement of the centroid of the overlap", states,
             "final states within 1e-4 m of those of (P), which equals the integral of the tangential velocity",
             verdict(kept == 3 && wrong == 0),
             fmt::format("Taken by its word the recipe holds {} of the three pairs{}. The paper must mean the "
                         "migration of the contact point over the bodies, (P).",
                         kept,
                         kept == 0 ? std::string()
                                   : fmt::format("; there t_R is that of (P) within {:.2g} %, but the place of rest "
                                                 "differs by {:.1e} m: t_R does not reveal the error",
                                                 100 * same_time, moved))});
}

void energy_loop(StudyRun& run) {
  const int steps = run.quick() ? 20000 : 200000;
  const auto [potential, exchanged] = loop_work(NormalForce::area_potential, 2, steps);
  const auto [published, exchanged_published] = loop_work(NormalForce::area_over_length, 2, steps);
  run.claim({"energy-potential", "polygon-dem reference §6, Energy",
             "closed loop of two polygons with area-potential: net work 4e-15 J of 4.742e-3 J exchanged",
             fmt::format("{:.1e} J of {:.4e} J", potential, exchanged),
             "1e-10 J, 2e-8 of what is exchanged (as required of the project); 1e-3 of the exchanged work, four digits "
             "are printed",
             verdict(std::abs(potential) < 1e-10 && std::abs(exchanged / 4.742e-3 - 1) < 1e-3),
             "The force is the gradient of the area's potential."});
  run.claim({"energy-published-law", "polygon-dem reference §6, Energy",
             "the same loop with the published k_n A/l_c: −1.501363e-5 J",
             fmt::format("{:.6e} J ({:.2g} % of {:.3e} J exchanged)", published,
                         100 * std::abs(published) / exchanged_published, exchanged_published),
             "1e-4: seven digits are printed, the mid-point rule is of second order in the step",
             verdict(std::abs(published / -1.501363e-5 - 1) < 1e-4),
             "The published law has no potential: it gains or loses on closed loops at any Δt."});
}

}  // namespace

void polygon_pair(StudyRun& run) {
  const Table table = relaxation_table(run);
  table_claims(run, table);
  Figure figure{"pena2008/polygon-pair",
                "Two polygons, one pushed against the other",
                "Left: relaxation time of three pairs of hexagons without rotation; dashed: the values of the "
                "reference. Middle: the ratio of the contact forces at rest "
                "when outlines, start and force are turned together. Right: relaxation time of polygons that lie flat "
                "on each other, with and without rotation.",
                {},
                resolved_case(polygon_pair_case(pair_shapes[0], 0.01).given),
                "dem validate pena2008/polygon-pair"};
  Panel relaxation{"Without rotation", "Δt/t_c", "t_R/t_c", true, false, {}, {}};
  for (std::size_t s = 0; s < 3; ++s)
    for (const bool geometric : {true, false}) {
      Curve curve{
          fmt::format("{}, shape {}", geometric ? "(P)" : "v_t Δt", s + 1), {}, {}, {}, {}, Curve::Style::points};
      Curve printed{s == 0 && geometric ? "reference" : "", {}, {}, {}, {}, Curve::Style::prediction};
      for (std::size_t d = 0; d < table.steps.size(); ++d) {
        curve.x.push_back(table.steps[d]);
        curve.y.push_back((geometric ? table.geometric : table.velocity)[d][s].fit.time);
      }
      for (const PublishedRow& row : published_table) {
        printed.x.push_back(row.step);
        printed.y.push_back((geometric ? row.geometric : row.velocity)[s]);
      }
      relaxation.curves.push_back(curve);
      relaxation.curves.push_back(printed);
    }
  figure.panels.push_back(relaxation);
  final_states(run, table);
  frame_test(run, figure);
  rotation(run, figure);
  literal_recipe(run, table);
  energy_loop(run);
  run.figure(figure);
}

}  // namespace dem::validation::pena2008
