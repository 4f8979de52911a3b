// Figures of the continuity study: shares of paths with a jump, refinement, and pairs drawn on both sides of a jump.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libdem/case/case_file.hpp"
#include "validation/pena2008/continuity/continuity.hpp"
#include "validation/pena2008/plane_pictures.hpp"

namespace dem::validation::pena2008::continuity_study {
namespace {

constexpr const char* command = "dem validate pena2008/continuity";
constexpr std::array<std::size_t, 6> drawn{edge_mean,  edge_mean_unsigned, edge_mean_branch,
                                           edge_axial, chord_far,          area_gradient};

/// Turn of area-gradient between the two sides of a jump of another definition (rad).
double gradient_turn(const FoundJump& f, int steps) {
  geometry::PlaneFollower follower;
  const auto movement = f.pair.movement(double(f.jump.step) / steps, 1.0 / steps);
  const Turn turn_i = Turn::by(f.pair.angle_i);
  const auto angle = [&](const geometry::PlaneSample& s) {
    const geometry::Overlap& overlap = follower.overlap_at(movement, s.at);
    const auto c = std::ranges::min_element(overlap.components, {},
                                            [&](const auto& k) { return norm(turn_i.back(k.centroid) - s.centroid); });
    return plane_definitions()[area_gradient].angle(overlap, *c, {});
  };
  return std::abs(geometry::wrap_line_angle(angle(f.jump.turn.after) - angle(f.jump.turn.before)));
}

/// Three panels: the pair, and its overlap just before and just after the jump with the planes of both definitions.
Figure picture(const FoundJump& f, const PathSet& set, int steps, std::size_t jumping, std::string id,
               std::string title, const std::string& why) {
  const auto share = [&](const geometry::PlaneSample& s) { return (f.jump.step + s.at) / steps; };
  const double before = share(f.jump.turn.before), after = share(f.jump.turn.after);
  Figure figure;
  figure.id = std::move(id);
  figure.title = std::move(title);
  figure.caption =
      fmt::format("Pair {} of the set \"{}\", at the share {:.6f} of its path. {}", f.number, set.name(), before, why);
  figure.panels.push_back(pair_panel(f.pair, before, {}, "the pair"));
  for (const auto& [s, word] : {std::pair{before, "just before"}, {after, "just after"}})
    figure.panels.push_back(overlap_panel(f.pair, s, f.jump.turn.before.centroid, {jumping, area_gradient},
                                          fmt::format("overlap {} the jump", word)));
  figure.command = command;
  return figure;
}

}  // namespace

void draw_shares(StudyRun& run, std::span<const SetTotals> all, std::span<const Refinement> refined) {
  Figure figure;
  figure.id = "pena2008/continuity";
  figure.title = "Paths on which the contact plane jumps";
  figure.caption = fmt::format(
      "Share of random paths with at least one persistent jump (more than half a degree left after 30 bisections), "
      "{:.0f} paths a set, bars: "
      "95 %. Dashed and dotted: table of the reference (§6), eq13_signed and chord_far. Jumps where parts of an "
      "overlap merge or split are left out.",
      all.front().paths);
  for (std::size_t first = 0; first < all.size(); first += 3) {
    Panel panel;
    const PathSet& set = all[first].set;
    panel.title =
        fmt::format("{} pairs, {} paths", set.convex ? "convex" : "non-convex", set.straight ? "straight" : "curved");
    panel.x_label = "penetration at the middle of the path (m)";
    panel.y_label = "paths with a jump (%)";
    panel.log_x = true;
    for (const std::size_t p : drawn) {
      Curve curve;
      curve.label = plane_definitions()[p].name;
      for (const SetTotals& t : all.subspan(first, 3)) {
        const auto [low, high] = share_interval(t.planes[p].paths, t.paths);
        curve.x.push_back(std::sqrt(t.set.low * t.set.high));
        curve.y.push_back(100 * t.planes[p].paths / t.paths);
        curve.y_low.push_back(100 * low);
        curve.y_high.push_back(100 * high);
      }
      panel.curves.push_back(std::move(curve));
    }
    if (set.convex && set.straight)
      for (const auto& [name, y] :
           {std::pair{"reference, Eq. 13", std::array{43.8, 65.2}}, {"reference, chord", std::array{0.6, 9.6}}}) {
        Curve curve;
        curve.label = name;
        curve.style = Curve::Style::prediction;
        curve.x = {std::sqrt(0.02 * 0.1), std::sqrt(0.1 * 0.4)};
        curve.y = {y[0], y[1]};
        panel.curves.push_back(std::move(curve));
      }
    figure.panels.push_back(std::move(panel));
  }
  figure.command = command;
  run.figure(std::move(figure));

  Figure m;
  m.id = "pena2008/continuity-refinement";
  m.title = "Largest turn of the contact plane between two samples of a path";
  m.caption =
      "Median over paths. A continuous plane follows 1/N; one that jumps on half of the paths stays at the size of its "
      "jumps.";
  for (const Refinement& r : refined) {
    Panel panel;
    panel.title = r.set.name();
    panel.x_label = "samples of a path N";
    panel.y_label = "median of M(N) (degrees)";
    panel.log_x = panel.log_y = true;
    std::vector<double> n(r.steps.begin(), r.steps.end());
    for (const std::size_t p : drawn) {
      Curve curve;
      curve.label = plane_definitions()[p].name;
      curve.x = n;
      for (const double value : r.median[p]) curve.y.push_back(value * degrees);
      panel.curves.push_back(std::move(curve));
    }
    Curve line;
    line.label = "1/N";
    line.style = Curve::Style::prediction;
    line.x = n;
    for (const double k : n) line.y.push_back(0.5 * r.median[area_gradient][0] * degrees * n[0] / k);
    panel.curves.push_back(std::move(line));
    m.panels.push_back(std::move(panel));
  }
  m.command = command;
  run.figure(std::move(m));
}

void draw_pairs(StudyRun& run, std::span<const SetTotals> all) {
  constexpr int steps = 2000, most = 500;
  const auto sets = path_sets();
  const auto quiet = [](const PathWalk& w, std::size_t plane) {
    return std::ranges::none_of(w.jumps, [&](const JumpEvent& e) { return e.plane == plane; });
  };
  // Overlaps large enough to be seen.
  const FoundJump mean = find_jump(sets[2], most, steps, [&](const PathWalk& w, const JumpEvent& e) {
    return e.plane == edge_mean && quiet(w, area_gradient) && e.turn.size * degrees > 60 && e.turn.before.area > 0.04;
  });
  if (mean.number >= 0) {
    Figure f = picture(
        mean, sets[2], steps, edge_mean, "pena2008/continuity-eq13",
        "A pair in which Eq. 13 jumps and area-gradient does not",
        fmt::format(
            "Eq. 13 turns by {:.1f}° while the overlap stays the same: the two positions differ by {:.0e} of the path.",
            mean.jump.turn.size * degrees, (mean.jump.turn.after.at - mean.jump.turn.before.at) / steps));
    f.case_text = resolved_case(slide_case(mean.pair, steps, geometry::ContactPlane::edge_mean));
    run.figure(std::move(f));
  }
  const FoundJump far = find_jump(sets[8], most, steps, [&](const PathWalk& w, const JumpEvent& e) {
    return e.plane == chord_far && !e.turn.merged_or_split && e.turn.size * degrees > 20 && e.turn.before.area > 0.03 &&
           std::min(e.turn.before.crossings, e.turn.after.crossings) == 2 &&
           std::max(e.turn.before.crossings, e.turn.after.crossings) == 4 && quiet(w, area_gradient);
  });
  if (far.number >= 0) {
    Figure f = picture(
        far, sets[8], steps, chord_far, "pena2008/continuity-chord",
        "A pair in which the chord jumps and area-gradient does not",
        fmt::format(
            "The chord turns by {:.1f}° when {} crossings become {}; the gradient of the area turns by {:.0e}°.",
            far.jump.turn.size * degrees, far.jump.turn.before.crossings, far.jump.turn.after.crossings,
            gradient_turn(far, steps) * degrees));
    run.figure(std::move(f));
  }
  // The state in which area-gradient differs most from the chord, among convex pairs.
  const SetTotals& deep = all[2];
  if (deep.split_path >= 0) {
    const MovingPair pair = random_pair(deep.set, std::uint64_t(deep.split_path));
    const PathWalk w = walk(pair, steps, false);
    Figure f;
    f.id = "pena2008/continuity-difference";
    f.title = "Where area-gradient differs from the chord";
    f.caption = fmt::format(
        "Pair {:.0f} of the set \"{}\": {:.1f}° between the two, the most of all its states. They differ where the "
        "boundaries cross more than twice, in {:.0f} "
        "of {:.0f} states of this set.",
        deep.split_path, deep.set.name(), deep.largest_split * degrees, deep.split, deep.states);
    f.panels = {pair_panel(pair, w.split_at, {}, "the pair"),
                overlap_panel(pair, w.split_at, {}, {chord_far, area_gradient}, "its overlap")};
    f.command = command;
    run.figure(std::move(f));
  }
}

}  // namespace dem::validation::pena2008::continuity_study
