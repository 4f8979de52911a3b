// Claims that follow from the random paths.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "libdem/run/simulation.hpp"
#include "validation/pena2008/continuity/continuity.hpp"

namespace dem::validation::pena2008::continuity_study {
namespace {

constexpr const char* reference = "polygon-dem reference §6";

std::string percent(double count, double of) {
  const auto [low, high] = share_interval(count, of);
  return fmt::format("{:.1f} % ({:.1f}-{:.1f})", 100 * count / of, 100 * low, 100 * high);
}

/// Jumps per path, share of paths, mean size: a cell of the reference's table.
std::string cell(const SetTotals& t, std::size_t plane) {
  const PlaneTotals& p = t.planes[plane];
  if (p.jumps == 0) return "0";
  return fmt::format("{:.3f}, {}, {:.0f}°", p.jumps / t.paths, percent(p.paths, t.paths), p.size / p.jumps * degrees);
}

const SetTotals& find(std::span<const SetTotals> all, bool convex, bool straight, double low) {
  return *std::ranges::find_if(all, [&](const SetTotals& t) {
    return t.set.convex == convex && t.set.straight == straight && t.set.low == low;
  });
}

double sum(std::span<const SetTotals> all, std::size_t plane, double PlaneTotals::*what) {
  double s = 0;
  for (const SetTotals& t : all) s += t.planes[plane].*what;
  return s;
}

/// Share of paths with a jump in the reference's table, in percent of 500 paths: at penetration 0.02-0.10 and 0.1-0.4.
constexpr std::array<std::array<double, 2>, plane_count> published_shares{
    {{0.6, 9.8}, {0.6, 9.6}, {43.8, 65.2}, {45.2, 69.6}, {7.6, 37.4}, {13.2, 18.0}, {0, 0}, {0, 0}}};
constexpr const char* published_cells[2] = {
    "chord_first 0.012, 0.6 %, 70°; chord_far 0.006, 0.6 %, 10°; eq13_signed 0.588, 43.8 %, 84°; eq13_unsigned 0.488, "
    "45.2 %, 90°; "
    "edge_mean_branch 0.088, 7.6 %, 56°; edge_axial 0.166, 13.2 %, 90°; edge_axial without sel 0; area_gradient 0",
    "chord_first 0.168, 9.8 %, 52°; chord_far 0.130, 9.6 %, 13°; eq13_signed 1.010, 65.2 %, 82°; eq13_unsigned 0.784, "
    "69.6 %, 90°; "
    "edge_mean_branch 0.502, 37.4 %, 21°; edge_axial 0.266, 18.0 %, 90°; edge_axial without sel 0; area_gradient 0"};

/// A pair of definitions that the reference's table orders beyond its own 95 % intervals and that comes out the other
/// way round here.
struct Contradiction {
  std::string text;
  bool significant;  ///< beyond 1.96 standard errors of the difference here
};
std::vector<Contradiction> contradictions(const SetTotals& t, std::size_t band) {
  std::vector<Contradiction> out;
  for (std::size_t a = 0; a < plane_count; ++a)
    for (std::size_t b = 0; b < plane_count; ++b) {
      const double more = published_shares[a][band] * 5, less = published_shares[b][band] * 5;  // of 500 paths
      if (!(share_interval(more, 500).first > share_interval(less, 500).second)) continue;
      const double p = t.planes[a].paths / t.paths, q = t.planes[b].paths / t.paths;
      if (p < q)
        out.push_back(
            {fmt::format("{} {} against {} {}", plane_definitions()[a].name, percent(t.planes[a].paths, t.paths),
                         plane_definitions()[b].name, percent(t.planes[b].paths, t.paths)),
             q - p > 1.96 * std::sqrt((p * (1 - p) + q * (1 - q)) / t.paths)});
    }
  return out;
}

void claim_table(StudyRun& run, const SetTotals& t, std::size_t band) {
  std::string measured;
  for (std::size_t p = 0; p < plane_count; ++p)
    measured += fmt::format("{}{} {}", p ? "; " : "", plane_definitions()[p].name, cell(t, p));
  const auto against = contradictions(t, band);
  const bool differs = std::ranges::any_of(against, &Contradiction::significant);
  std::string list;
  for (std::size_t k = 0; k < against.size(); ++k) list += fmt::format("{}{}", k ? "; " : "", against[k].text);
  const char* why =
      against.empty() ? "every order that the published table holds beyond its own 95 % intervals comes out; the "
                        "numbers depend on the generator{}"
      : differs ? "two definitions stand the other way round, so the order of those two is not as robust as stated: {}"
                : "these paths are too few to tell; the other way round stand {}";
  run.claim({band == 0 ? "ranking-shallow" : "ranking-deep",
             fmt::format("{}, table, penetration {}", reference, band == 0 ? "0.02-0.10" : "0.1-0.4"),
             fmt::format("jumps a path, paths with jumps, mean size: {}; the ranking is robust, the numbers are not",
                         published_cells[band]),
             fmt::format("{} ({:.0f} paths)", measured, t.paths),
             "order of the shares; sampling errors of 500 published paths and of ours",
             against.empty() ? ClaimVerdict::agrees
             : differs       ? ClaimVerdict::differs
                             : ClaimVerdict::not_comparable,
             fmt::format(fmt::runtime(why), list)});
}

}  // namespace

void claim_ranking(StudyRun& run, std::span<const SetTotals> all) {
  const SetTotals &shallow = find(all, true, true, 0.02), &deep = find(all, true, true, 0.1),
                  &slight = find(all, true, true, 0.002);
  double paths = 0, failed = 0;
  for (const SetTotals& t : all) paths += t.paths, failed += t.failed;

  const PlaneTotals &mean = shallow.planes[edge_mean], &far = shallow.planes[chord_far];
  run.claim(
      {"eq13-continuous", "Peña, Lind, Herrmann, Fig. 8 (as stated in the polygon-dem reference, §6 and §9)",
       "the contact plane of Eq. 13 changes continuously while two polygons slide over each other",
       fmt::format("it jumps on {} of the paths of convex pairs (penetration 0.02-0.1 m), {:.2f} times a path, by "
                   "{:.0f}° in the mean; "
                   "deeper, 0.1-0.4 m, on {}",
                   percent(mean.paths, shallow.paths), mean.jumps / shallow.paths,
                   mean.size / std::max(mean.jumps, 1.0) * degrees, percent(deep.planes[edge_mean].paths, deep.paths)),
       "none: a continuous plane has no persistent jump",
       mean.jumps == 0 ? ClaimVerdict::agrees : ClaimVerdict::differs,
       mean.jumps == 0 ? "no jump was found on these paths"
                       : "the mean of angles jumps when an edge passes the vertical, and the choice between the mean "
                         "and its perpendicular when the mean is 45° off"});
  const SetTotals &rough = find(all, false, true, 0.02), &rough_deep = find(all, false, true, 0.1);
  const double chord_shallow = far.paths / shallow.paths, mean_shallow = mean.paths / shallow.paths;
  run.claim({"chord-jumps", "Peña, Lind, Herrmann, Fig. 8 (as stated in the polygon-dem reference, §6 and §9)",
             "the chord through the crossings jumps, Eq. 13 does not",
             fmt::format("the chord jumps on {} of convex paths (deep: {}), {} of non-convex ones (deep: {}); Eq. 13 "
                         "on {} ({}) and {} ({})",
                         percent(far.paths, shallow.paths), percent(deep.planes[chord_far].paths, deep.paths),
                         percent(rough.planes[chord_far].paths, rough.paths),
                         percent(rough_deep.planes[chord_far].paths, rough_deep.paths),
                         percent(mean.paths, shallow.paths), percent(deep.planes[edge_mean].paths, deep.paths),
                         percent(rough.planes[edge_mean].paths, rough.paths),
                         percent(rough_deep.planes[edge_mean].paths, rough_deep.paths)),
             "sign of the difference", chord_shallow > mean_shallow ? ClaimVerdict::agrees : ClaimVerdict::differs,
             chord_shallow > mean_shallow ? "the chord jumps more often"
                                          : "the chord jumps where two crossings become four, but Eq. 13 jumps more "
                                            "often: the statement is reversed"});
  run.claim({"reversed", fmt::format("{} and §11", reference),
             "the source's continuity claim is not reproduced; it is reversed",
             fmt::format("convex, 0.02-0.1 m: Eq. 13 on {}, chord on {} of paths", percent(mean.paths, shallow.paths),
                         percent(far.paths, shallow.paths)),
             "95 % intervals must not overlap",
             share_interval(mean.paths, shallow.paths).first > share_interval(far.paths, shallow.paths).second
                 ? ClaimVerdict::agrees
                 : ClaimVerdict::differs,
             "paths of our own generator, which is written down in the study's README"});

  claim_table(run, shallow, 0);
  claim_table(run, deep, 1);
  run.claim(
      {"other-generator", fmt::format("{}, second set", reference),
       "an independent set gave 40, 53 and 76 % of paths with a jump for eq13_signed at penetration 0.002-0.01, "
       "0.02-0.1, 0.1-0.4, and 1.3, 6 and "
       "24 % for chord_far",
       fmt::format("edge-mean {}, {}, {}; chord {}, {}, {}", percent(slight.planes[edge_mean].paths, slight.paths),
                   percent(mean.paths, shallow.paths), percent(deep.planes[edge_mean].paths, deep.paths),
                   percent(slight.planes[chord_far].paths, slight.paths), percent(far.paths, shallow.paths),
                   percent(deep.planes[chord_far].paths, deep.paths)),
       "none stated: the rates depend on the generator", ClaimVerdict::not_comparable,
       "the generator of those pairs is not published; the rise with penetration and the gap between the two "
       "definitions are the same"});

  const double gradient_jumps = sum(all, area_gradient, &PlaneTotals::jumps),
               merging = sum(all, area_gradient, &PlaneTotals::merging);
  const auto [low, high] = share_interval(0, paths);
  run.claim(
      {"area-gradient-continuous", fmt::format("{} and §11 point 5", reference),
       "zero persistent jumps for area_gradient, in every set",
       fmt::format(
           "{:.0f} jumps on {:.0f} paths, convex and not, straight and curved (at 95 %: below {:.2g} % of paths){}",
           gradient_jumps, paths, 100 * high, failed > 0 ? fmt::format("; {:.0f} paths failed", failed) : ""),
       "none: zero", gradient_jumps == 0 && failed == 0 ? ClaimVerdict::agrees : ClaimVerdict::differs,
       fmt::format("not counted: {:.0f} turns on non-convex paths where parts of the overlap merge or split, so that "
                   "the planes before and after "
                   "are those of different parts; every definition has them",
                   merging)});

  double above_44 = 0, above_80 = 0, above_10 = 0, jumps = 0, undefined = 0;
  for (const SetTotals& t : all) {
    jumps += t.planes[edge_mean].jumps, above_10 += t.planes[edge_mean].above_10,
        above_44 += t.planes[edge_mean].above_44;
    above_80 += t.planes[edge_mean].above_80;
    for (const PlaneTotals& p : t.planes) undefined += p.undefined;
  }
  double chord_jumps = sum(all, chord_far, &PlaneTotals::jumps), chord_10 = sum(all, chord_far, &PlaneTotals::above_10),
         chord_44 = sum(all, chord_far, &PlaneTotals::above_44);
  // Mean sizes of both bands; the published ones come from as many paths, so their error is that of ours.
  std::string sizes;
  bool near = true;
  for (const auto& [p, published] : {std::pair{edge_mean, std::array{84.0, 82.0}},
                                     {chord_far, std::array{10.0, 13.0}},
                                     {edge_mean_unsigned, std::array{90.0, 90.0}},
                                     {edge_axial, std::array{90.0, 90.0}}}) {
    sizes += fmt::format("{} ", plane_definitions()[p].name);
    for (std::size_t band = 0; band < 2; ++band) {
      const PlaneTotals& found = (band == 0 ? shallow : deep).planes[p];
      if (found.jumps < 2) {
        sizes += band == 0 ? "- and " : "-; ";
        continue;
      }
      const double size = found.size / found.jumps;
      const double error =
          std::sqrt(std::max(0.0, found.size_squares / found.jumps - size * size) / (found.jumps - 1)) * degrees;
      near = near && std::abs(size * degrees - published[band]) <= 3 * std::sqrt(2.0) * error + 0.5;
      sizes += fmt::format("{:.1f} ± {:.1f}°{}", size * degrees, error, band == 0 ? " and " : "; ");
    }
  }
  run.claim({"sizes", fmt::format("{}, table", reference),
             "mean sizes at penetration 0.02-0.10 and 0.1-0.4: eq13_signed 84° and 82°, chord_far 10° and 13°, "
             "eq13_unsigned and edge_axial 90°",
             fmt::format("{}over all sets edge-mean has {:.0f} jumps, {:.0f} above 10°, {:.0f} above 44°, {:.0f} above "
                         "80°; chord {:.0f}, {:.0f} above 10°, {:.0f} above "
                         "44°; undefined states: {:.0f}",
                         sizes, jumps, above_10, above_44, above_80, chord_jumps, chord_10, chord_44, undefined),
             "three standard errors of the difference, and 0.5° for the rounding",
             near ? ClaimVerdict::agrees : ClaimVerdict::differs,
             "most jumps of Eq. 13 are quarter turns: the choice between line and perpendicular"});

  run.claim(
      {"crossings", reference,
       "for convex particles more than two crossings are rare: 5e-5 of states at small, 0.4 % at large penetration",
       fmt::format("{:.2g} of states at 0.02-0.1 m, {:.2g} at 0.1-0.4 m; non-convex {:.2g} and {:.2g}",
                   shallow.many_crossings / shallow.states, deep.many_crossings / deep.states,
                   rough.many_crossings / rough.states, rough_deep.many_crossings / rough_deep.states),
       "order of magnitude, a factor 5: rates depend on the generator",
       shallow.many_crossings / shallow.states < 2.5e-4 && deep.many_crossings / deep.states < 0.02 &&
               deep.many_crossings / deep.states > 0.0008
           ? ClaimVerdict::agrees
           : ClaimVerdict::differs,
       "states are components of the overlap above 1e-9 m² at equal steps of the path"});
  double states = 0, split = 0, largest = 0, two = 0;
  for (const SetTotals& t : all)
    states += t.states, split += t.split, largest = std::max(largest, t.largest_split),
                                          two = std::max(two, t.two_crossings_split);
  run.claim({"chord-at-two-crossings", fmt::format("{}, point 1", reference),
             "with two crossings area_gradient is the chord",
             fmt::format("largest difference over states with two crossings {:.1g} rad; they differ in {:.0f} of "
                         "{:.3g} states, all with more crossings, "
                         "by up to {:.0f}°",
                         two, split, states, largest * degrees),
             "round-off: 1e-9 rad", two < 1e-9 ? ClaimVerdict::agrees : ClaimVerdict::differs,
             "the edges of one owner telescope to the line between the crossings"});
}

void claim_frames(StudyRun& run, std::span<const SetTotals> all) {
  const SetTotals &shallow = find(all, true, true, 0.02), &deep = find(all, true, true, 0.1);
  const auto error = [](const SetTotals& t, std::size_t p) { return t.planes[p].frame_mean / t.frame_paths * degrees; };
  const auto spread = [](double sum, double squares, double n) {
    return n > 1 ? std::sqrt(std::max(0.0, squares / n - sum / n * sum / n) / (n - 1)) : 1.0;
  };
  for (const auto& [id, p, name, mean, share] :
       {std::tuple{"frame-error", edge_mean, "eq13_signed", 17.0, 56.0},
        {"frame-error-unsigned", edge_mean_unsigned, "eq13_unsigned", 26.0, 98.0}}) {
    const PlaneTotals& found = shallow.planes[p];
    const double n = shallow.frame_paths, mean_error = spread(found.frame_mean, found.frame_mean_squares, n) * degrees;
    const double share_error = 100 * spread(found.frame_share, found.frame_share_squares, n),
                 part = 100 * found.frame_share / n;
    const bool near =
        std::abs(error(shallow, p) - mean) <= 3 * mean_error + 0.5 && std::abs(part - share) <= 3 * share_error + 0.5;
    run.claim(
        {id, fmt::format("{}, table", reference),
         fmt::format("frame error of {}, mean and states above 1e-6 rad: {:.0f}°, {:.0f} %", name, mean, share),
         fmt::format("0.02-0.1 m: {:.1f} ± {:.1f}°, {:.1f} ± {:.1f} %; deeper, 0.1-0.4 m: {:.1f}°, {:.1f} %",
                     error(shallow, p), mean_error, part, share_error, error(deep, p),
                     100 * deep.planes[p].frame_share / deep.frame_paths),
         "three standard errors, and 0.5 for the rounding", near ? ClaimVerdict::agrees : ClaimVerdict::differs,
         fmt::format("pairs turned by random angles, {:.0f} states of {:.0f} paths{}", shallow.frame_states,
                     shallow.frame_paths, near ? "" : "; like the rates of jumps these depend on the generator")});
  }
  double worst = 0;
  std::string which;
  double above = 0;
  for (const std::size_t p :
       {chord_first, chord_far, edge_mean_branch, edge_axial, edge_axial_unselected, area_gradient})
    for (const SetTotals& t : all) {
      above += t.planes[p].frame_above;
      if (error(t, p) > worst) worst = error(t, p), which = plane_definitions()[p].name;
    }
  run.claim({"frame-free", fmt::format("{}, point 2 and table", reference),
             "area_gradient, the chords, the branch mean and the tensor have frame error 0",
             fmt::format("largest mean error {:.1g}° ({}), states above 1e-6 rad: {:.0f}", worst, which, above),
             "round-off: 1e-6 rad", above == 0 ? ClaimVerdict::agrees : ClaimVerdict::differs,
             "they are made of vectors, or of angles from the branch"});
}

void claim_refinement(StudyRun& run, std::span<const Refinement> all) {
  std::string measured;
  bool holds = true;
  for (const Refinement& r : all) {
    const auto slope = [&](std::size_t p) {
      const auto& m = r.median[p];
      const std::size_t last = m.size() - 1;
      return std::log(m[last] / m[last - 2]) / std::log(double(r.steps[last]) / r.steps[last - 2]);
    };
    const double gradient = slope(area_gradient), tensor = slope(edge_axial_unselected);
    holds = holds && std::abs(gradient + 1) < 0.1 && std::abs(tensor + 1) < 0.1;
    measured += fmt::format(
        "{}{}: median M({}) = {:.3g}°, exponent {:.2f} (tensor without choice {:.2f}, edge-mean {:.2f}: its median "
        "stays at {:.0f}°)",
        measured.empty() ? "" : "; ", r.set.name(), r.steps.back(), r.median[area_gradient].back() * degrees, gradient,
        tensor, slope(edge_mean), r.median[edge_mean].back() * degrees);
  }
  run.claim(
      {"refinement", fmt::format("{}, continuity metric", reference), "continuity holds when M(N) → 0 as 1/N", measured,
       "0.1 on the exponent over the last factor of four in N", holds ? ClaimVerdict::agrees : ClaimVerdict::differs,
       fmt::format("area-gradient and the tensor without its choice follow 1/N; medians over {} paths of each set",
                   all.empty() ? 0 : all[0].paths)});
}

Case slide_case(const MovingPair& pair, int steps, geometry::ContactPlane plane) {
  Case c;
  c.title = "Two polygons slide over each other along a prescribed path";
  c.material.normal_stiffness = 1;
  c.material.tangential_stiffness = 1.0 / 3;
  c.material.friction = 0.5;
  c.material.restitution = 0.9875;
  c.contact.plane = plane;
  c.time.step = 1.0 / steps;
  c.output.plane_jumps = true;
  c.assembly.largest_start_overlap = 1;
  BodySpec i, j;
  i.name = std::string(1, 'i'), j.name = std::string(1, 'j');
  i.outline = pair.i, j.outline = pair.j;
  i.angle = pair.angle_i, j.angle = pair.angle(0);
  j.position = spatial(pair.position(0));
  j.velocity = spatial(pair.position(1) - pair.position(0));
  j.spin = pair.turn;
  for (BodySpec* body : {&i, &j}) body->fix_x = body->fix_y = body->fix_rotation = true;
  c.assembly.bodies = {i, j};
  Stage slide;
  slide.name = "slide";
  slide.duration = 1;
  c.stages = {slide};
  return c;
}

void claim_monitor(StudyRun& run) {
  const PathSet set = path_sets()[2];  // convex, straight, deep
  const int pairs = run.quick() ? 20 : 100, steps = 2000;
  std::array<std::uint64_t, 6> here{}, there{};
  constexpr std::array<std::size_t, 6> index{area_gradient,      chord_far,        edge_mean,
                                             edge_mean_unsigned, edge_mean_branch, edge_axial};
  for (int k = 0; k < pairs; ++k) {
    const MovingPair pair = random_pair(set, std::uint64_t(k));
    for (const JumpEvent& e : walk(pair, steps).jumps)
      for (std::size_t p = 0; p < 6; ++p) here[p] += e.plane == index[p];
    Simulation simulation(slide_case(pair, steps, geometry::ContactPlane::area_gradient));
    while (!simulation.finished()) simulation.step();
    for (std::size_t p = 0; p < 6; ++p) there[p] += simulation.plane_watch()->jumps_of_each_plane()[p];
  }
  const auto list = [](const std::array<std::uint64_t, 6>& n) {
    std::string text;
    for (std::size_t p = 0; p < 6; ++p)
      text += fmt::format("{}{} {}", p ? ", " : "", geometry::contact_planes[p].name, n[p]);
    return text;
  };
  run.claim({"monitor", fmt::format("{}, continuity metric", reference),
             fmt::format("persistent jumps along the same {} paths, counted by this study: {}", pairs, list(here)),
             fmt::format("counted by the monitor inside runs of these slides: {}", list(there)),
             "none: the same bisection of the same movement",
             here == there ? ClaimVerdict::agrees : ClaimVerdict::differs,
             "each pair as a case with prescribed motion, output.plane_jumps = true"});
}

}  // namespace dem::validation::pena2008::continuity_study
