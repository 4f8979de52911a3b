// Closed loops of two bodies: claims and figure (polygon-dem reference, §3 and §4).
#include "validation/pena2008/cyclic/loop_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validation/pena2008/cyclic/loops.hpp"

namespace dem::validation::pena2008 {

namespace {

constexpr const char* levers_section = "polygon-dem reference §3, where the force acts";

ClaimVerdict verdict(bool agrees) { return agrees ? ClaimVerdict::agrees : ClaimVerdict::differs; }

struct Spread {
  double low = 0, median = 0, high = 0;
};
Spread spread(std::vector<double> values) {
  std::ranges::sort(values);
  return {values.front(), values[values.size() / 2], values.back()};
}
std::string text(const Spread& s, double scale, const char* unit) {
  return fmt::format("{:.2g} … {:.2g}{}, median {:.2g}{}", scale * s.low, scale * s.high, unit, scale * s.median, unit);
}

LoopChoice velocity_loop() { return {.elongation = Elongation::velocity}; }
LoopChoice form_g(Lever lever) { return {.lever = lever}; }

/// The same choice on many random loops.
template <class F>
Spread over_loops(LoopChoice choice, F value, std::uint64_t loops) {
  std::vector<double> values;
  for (choice.seed = 1; choice.seed <= loops; ++choice.seed) values.push_back(std::abs(value(disc_loop(choice))));
  return spread(values);
}

}  // namespace

void loops_of_discs(StudyRun& run, Figure& figure) {
  const std::uint64_t loops = run.quick() ? 20 : 200;
  const auto left = [](const LoopResult& r) { return r.relative(); };
  const auto work = [](const LoopResult& r) { return r.work / r.exchanged; };
  const auto couple = [](const LoopResult& r) { return r.couple; };
  const Spread g = over_loops(form_g(Lever::conjugate), left, loops), v = over_loops(velocity_loop(), left, loops);
  run.claim({"disc-loop-geometric", levers_section, "a closed loop of coordinates leaves nothing in ξ with (G)",
             fmt::format("at most {:.0e} of the amplitude in {} random loops", g.high, loops),
             "1e-12: round-off of 1000 steps", verdict(g.high < 1e-12), "(G) is a function of the coordinates."});
  run.claim(
      {"disc-loop-velocity", levers_section,
       "`velocity`: a closed loop of coordinates leaves about 2.5 % of its amplitude in ξ",
       fmt::format("{} of the amplitude in {} random loops with δ/(a_i + a_j) about 1 %", text(v, 100, " %"), loops),
       "the reference's loop is not stated: 2.5 % lies within the range of random loops",
       verdict(v.low < 0.025 && v.high > 0.025),
       "v_t = V·t − (a_i − δ/2)ω_i − (a_j − δ/2)ω_j is no derivative of anything: what is left is the area that the "
       "loop encloses in the plane of δ and the angles."});
  LoopChoice coarse = velocity_loop(), fine = velocity_loop();
  coarse.steps = 100, fine.steps = 10000;
  double change = 0, with_any = INFINITY;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    coarse.seed = fine.seed = seed;
    change = std::max(change, std::abs(disc_loop(coarse).left[0] / disc_loop(fine).left[0] - 1));
  }
  std::string levers;
  for (const auto& [lever, name] : {std::pair{Lever::contact_point, "contact point"},
                                    {Lever::proportional, "proportional"},
                                    {Lever::radius, "radius"}}) {
    LoopChoice choice = velocity_loop();
    choice.lever = lever;
    const Spread s = over_loops(choice, left, loops);
    with_any = std::min(with_any, s.median);
    levers += fmt::format("{}{} {:.2g} %", levers.empty() ? "" : ", ", name, 100 * s.median);
  }
  run.claim({"disc-loop-any-lever", levers_section, "`velocity` is path-dependent with any lever",
             "median of what is left: " + levers, "not zero: above 1e-6 of the amplitude", verdict(with_any > 1e-6),
             "Other levers change how much, not whether."});
  run.claim({"disc-loop-any-step", levers_section, "what `velocity` leaves is its path dependence, not its time step",
             fmt::format("100 and 10000 steps a loop differ by at most {:.1e} of what is left", change),
             "0.1 %: the sum over a closed loop converges faster than any power of the step", verdict(change < 1e-3),
             "A smaller Δt does not help."});

  const Spread conjugate = over_loops(form_g(Lever::conjugate), work, loops),
               proportional = over_loops(form_g(Lever::proportional), work, loops);
  run.claim({"lever-conjugate", levers_section,
             "(G) with lever conjugate: net work of a closed loop 6e-17 (of the work exchanged)",
             fmt::format("at most {:.0e} of the work exchanged", conjugate.high), "1e-13: round-off of 1000 steps",
             verdict(conjugate.high < 1e-13), "The force is the derivative of ½ k_t ξ²."});
  LoopChoice few = form_g(Lever::proportional), many = form_g(Lever::proportional);
  few.steps = 100, many.steps = 10000;
  const double rest = std::abs(disc_loop(few).work / disc_loop(many).work - 1);
  run.claim({"lever-proportional", levers_section,
             "levers a_i|R_ij|/(a_i + a_j) with force f_t (proportional) create 0.47 % of the exchanged work per loop "
             "at δ/(a_i + a_j) about 1 %, at any Δt",
             fmt::format("{} of the work exchanged in {} random loops; 100 and 10000 steps differ by {:.0e} of it",
                         text(proportional, 100, " %"), loops, rest),
             "not zero, the same at any Δt (1e-6); the size within a factor of three of the largest of our loops, as "
             "the reference's loop is not stated",
             verdict(proportional.median > 1e-5 && rest < 1e-6 && proportional.high > 0.0047 / 3 &&
                     proportional.median < 0.0047),
             "The work is k_t ∮ ξ dξ |R_ij|/(a_i + a_j), and |R_ij| changes along the loop."});
  const Spread kept = over_loops(form_g(Lever::proportional), couple, loops),
               broken = over_loops(form_g(Lever::radius), couple, loops);
  run.claim(
      {"lever-angular-momentum", levers_section,
       "lever proportional conserves angular momentum; lever radius breaks it",
       fmt::format("couple from nothing over the largest f_t: proportional at most {:.0e} m, radius {:.2g} … {:.2g} m",
                   kept.high, broken.low, broken.high),
       "1e-13 m for zero; radius: the overlap δ, 0.002 … 0.018 m",
       verdict(kept.high < 1e-13 && broken.low > 1e-3 && broken.high < 0.019),
       "Arms a_i and a_j add up to more than the distance, by δ."});

  Panel sizes{"Two discs: left after one loop", "mean δ/(a_i + a_j)", "|ξ| left / amplitude of ξ", true, true, {}, {}};
  for (const double amplitude : {0.1, 1.0, 5.0}) {
    Curve curve{
        fmt::format("v_t Δt, angles ±{:g} rad", 0.05 * amplitude), {}, {}, {}, {}, Curve::Style::line_and_points};
    for (const double overlap : {1e-4, 1e-3, 1e-2, 3e-2}) {
      LoopChoice choice = velocity_loop();
      choice.overlap = overlap;
      choice.amplitude = amplitude;
      curve.x.push_back(overlap);
      curve.y.push_back(over_loops(choice, left, 20).median);
    }
    sizes.curves.push_back(curve);
  }
  Curve nothing{"(G)", {}, {}, {}, {}, Curve::Style::points};
  for (const double overlap : {1e-4, 1e-3, 1e-2, 3e-2}) {
    LoopChoice choice = form_g(Lever::conjugate);
    choice.overlap = overlap;
    nothing.x.push_back(overlap);
    nothing.y.push_back(over_loops(choice, left, 20).median);
  }
  sizes.curves.push_back(nothing);
  figure.panels.push_back(sizes);
  double least = INFINITY, most = 0;  // of the growth from one angle amplitude to fifty times that
  for (std::size_t k = 0; k < 4; ++k) {
    const double ratio = sizes.curves[2].y[k] / sizes.curves[0].y[k];
    least = std::min(least, ratio), most = std::max(most, ratio);
  }
  const double power = std::log(sizes.curves[1].y[2] / sizes.curves[1].y[0]) / std::log(100.0);
  run.claim({"disc-loop-size", levers_section,
             "loops of growing amplitude: what `velocity` leaves is a share of the amplitude",
             fmt::format("share from angles of ±0.005 to ±0.25 rad: constant within {:.1e}; it grows with the overlap "
                         "as its power {:.3f}",
                         std::max(most - 1, 1 - least), power),
             "a share: constant within 5 %", verdict(std::max(most - 1, 1 - least) < 0.05),
             fmt::format("About {:.2g} times the relative overlap: small in stiff packings, at any strain.",
                         sizes.curves[1].y[2] / 0.01)});
}

void loops_of_polygons(StudyRun& run, Figure& figure) {
  const LoopResult by_p = polygon_loop({.steps = 6400}),
                   by_v = polygon_loop({.elongation = Elongation::velocity, .steps = 6400});
  run.claim(
      {"polygon-loop", "polygon-dem reference §4",
       "only for discs is ξ a function of the coordinates: for polygons (P) depends on the path",
       fmt::format("loop of §6 in 6400 steps: (P) leaves {:.5e} m, {:.2f} % of the amplitude; v_t Δt leaves {:.5e} m",
                   by_p.left[0], 100 * by_p.relative(), by_v.left[0]),
       "not zero (1e-6 of the amplitude); both elongations within 1e-4: their common limit",
       verdict(std::abs(by_v.left[0] / by_p.left[0] - 1) < 1e-4 && std::abs(by_p.relative()) > 1e-6),
       "Both approximate the integral of v_t at the moving centroid, which depends on the path; for polygons the "
       "elongation cures the time step, not the path."});
  Panel sizes{"Two polygons: left after one loop",
              "amplitude of the motion (1: reference §6)",
              "|ξ| left / amplitude of ξ",
              true,
              true,
              {},
              {}};
  for (const bool geometric : {true, false}) {
    Curve curve{
        geometric ? "(P)" : "v_t Δt", {}, {}, {}, {}, geometric ? Curve::Style::line_and_points : Curve::Style::points};
    for (const double amplitude : {0.03, 0.1, 0.3, 1.0}) {
      LoopChoice choice = geometric ? LoopChoice{} : velocity_loop();
      choice.amplitude = amplitude;
      curve.x.push_back(amplitude);
      curve.y.push_back(std::abs(polygon_loop(choice).relative()));
    }
    sizes.curves.push_back(curve);
  }
  figure.panels.push_back(sizes);

  Panel repeated{"The same loop again and again", "loop", "ξ left (m)", false, false, {}, {}};
  constexpr int times = 20;
  double uneven = 0;
  for (const auto& [label, discs, elongation] : {std::tuple{"discs, (G)", true, Elongation::geometric},
                                                 {"discs, v_t Δt", true, Elongation::velocity},
                                                 {"polygons, (P)", false, Elongation::geometric},
                                                 {"polygons, v_t Δt", false, Elongation::velocity}}) {
    const LoopChoice choice{.elongation = elongation, .loops = times};
    const LoopResult r = discs ? disc_loop(choice) : polygon_loop(choice);
    Curve curve{label, {}, {},
                {},    {}, elongation == Elongation::geometric ? Curve::Style::line_and_points : Curve::Style::points};
    for (int n = 0; n < times; ++n) curve.x.push_back(n + 1), curve.y.push_back(r.left[std::size_t(n)]);
    if (!discs || elongation == Elongation::velocity)
      uneven = std::max(uneven, std::abs(r.left.back() / (times * r.left.front()) - 1));
    repeated.curves.push_back(curve);
  }
  figure.panels.push_back(repeated);
  run.claim({"loops-add-up", levers_section,
             "an elongation that depends on the path leaves the same in every loop: without sliding it adds up",
             fmt::format("after {} loops {} times what one leaves, within {:.1e}", times, times, uneven), "1 %",
             verdict(uneven < 0.01),
             "Until the Coulomb limit stops it: this is how an elongation could ratchet by itself."});
}

}  // namespace dem::validation::pena2008
