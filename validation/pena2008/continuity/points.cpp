// Points 1 to 8 of the reference, §6: statements on single configurations, and those the random paths add to.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "geometry/random.hpp"
#include "validation/pena2008/continuity/continuity.hpp"

namespace dem::validation::pena2008::continuity_study {
namespace {

using namespace geometry;
constexpr const char* reference = "polygon-dem reference §6, point {}";

/// Two outlines where they lie, the branch between their centroids, and the first component of their overlap.
struct Placed {
  Outline i, j;
  Overlap overlap;
  Vec2 branch;

  Placed(const Outline& a, const Outline& b) : i(counter_clockwise(a)), j(counter_clockwise(b)) {
    overlap_fast({i, bounding_box(i), false}, {j, bounding_box(j), false}, overlap);
    branch = area_properties(j).centroid - area_properties(i).centroid;
  }
  double angle(std::size_t plane) const {
    return plane_definitions()[plane].angle(overlap, overlap.components.at(0), branch);
  }
  double in_degrees(std::size_t plane) const { return angle(plane) * degrees; }
};

Outline moved(const Outline& outline, Vec2 by, double turn = 0) {
  const Turn t = Turn::by(turn);
  Outline out;
  for (const Vec2 v : outline) out.push_back(by + t(v));
  return out;
}

const Outline square{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, flat{{-3, -1}, {3, -1}, {3, 0}, {-3, 0}};

ClaimVerdict within(double value, double expected, double tolerance) {
  return std::abs(value - expected) <= tolerance ? ClaimVerdict::agrees : ClaimVerdict::differs;
}

/// Point 1: the gradient of the area by central differences over random pairs.
void gradient_of_area(StudyRun& run) {
  const PathSet set = path_sets()[2];
  double worst = 0;
  int states = 0;
  for (int k = 0; k < 100; ++k) {
    const MovingPair pair = random_pair(set, std::uint64_t(k));
    const Outline i = placed_i(pair), j = placed_j(pair, 0.5);
    const Overlap overlap = Placed(i, j).overlap;
    if (overlap.components.size() != 1) continue;
    const double h = 1e-6;
    const auto area = [&](Vec2 by) { return Placed(i, moved(j, by)).overlap.area(); };
    const Vec2 difference{(area({h, 0}) - area({-h, 0})) / (2 * h), (area({0, h}) - area({0, -h})) / (2 * h)};
    const Vec2 g = overlap.components[0].gradient;
    worst = std::max(worst, norm(difference - Vec2{g.y, -g.x}) / norm(g));
    ++states;
  }
  run.claim({"point-1-gradient", fmt::format(reference, 1),
             "g is the quarter-turned area gradient: ∇A with respect to R_j is (g_y, −g_x)",
             fmt::format("largest relative difference from central differences over {} pairs: {:.1g}", states, worst),
             "1e-5: the differences have a step of 1e-6 m", worst < 1e-5 ? ClaimVerdict::agrees : ClaimVerdict::differs,
             "moving j sweeps the overlap along the edges of j alone"});
}

void four_crossings(StudyRun& run, std::span<const SetTotals> all) {
  double chord = 0, first = 0, gradient = 0;
  for (const SetTotals& t : all)
    chord += t.planes[chord_far].jumps, first += t.planes[chord_first].jumps, gradient += t.planes[area_gradient].jumps;
  run.claim({"point-1-crossings", fmt::format(reference, 1),
             "a new pair of crossings is born with zero length, so g is continuous through 2 → 4 crossings; the chords "
             "are not",
             fmt::format("jumps over all paths: chord-first {:.0f}, chord {:.0f}, area-gradient {:.0f}", first, chord,
                         gradient),
             "none: zero or not",
             chord > 0 && first > 0 && gradient == 0 ? ClaimVerdict::agrees : ClaimVerdict::differs,
             "with two crossings the three are the same line, so the chords jump nowhere else"});
}

/// Point 2: where the gradient is zero; a kink of A while two edges coincide.
void where_the_gradient_fails(StudyRun& run) {
  const Placed bars(
      {{-3, -0.5}, {3, -0.5}, {3, 0.5}, {-3, 0.5}},
      {{49. / 52, -295. / 104}, {97. / 52, -255. / 104}, {-23. / 52, 321. / 104}, {-71. / 52, 281. / 104}});
  const Placed inside({{0, 0}, {4, 0}, {4, 4}, {0, 4}}, {{1, 1}, {2, 1}, {1, 3}});
  run.claim({"point-2-undefined", fmt::format(reference, 2),
             "area_gradient can fail only if g = 0: containment, or two crossing strips (U6)",
             fmt::format("U6 {}, U9 {}", std::isnan(bars.angle(area_gradient)) ? "undefined" : "defined",
                         std::isnan(inside.angle(area_gradient)) ? "undefined" : "defined"),
             "none",
             std::isnan(bars.angle(area_gradient)) && std::isnan(inside.angle(area_gradient)) ? ClaimVerdict::agrees
                                                                                              : ClaimVerdict::differs,
             "a run keeps the last plane there and counts it"});
  // j slides down along the right edge of i's notch: two edges coincide at one position, and g differs on its two
  // sides.
  const Outline step{{0.5, -0.5}, {1.5, -0.5}, {1.5, 0.5}, {0.5, 0.5}};
  const auto gradient = [&](double x) { return Placed(square, moved(step, {x, 0})).overlap.components.at(0).gradient; };
  const double h = 1e-9;
  const Vec2 before = gradient(-0.5 - h), at = gradient(-0.5), after = gradient(-0.5 + h);
  const double off = norm(at - 0.5 * (before + after));
  run.claim({"point-2-kink", fmt::format(reference, 2),
             "while two edges are exactly collinear A has a kink; the symmetric form takes the mean of both sides",
             fmt::format("two squares that come to share both vertical edges: g is ({:.2g}, {:.2g}) before, ({:.2g}, "
                         "{:.2g}) after, ({:.2g}, {:.2g}) there",
                         before.x, before.y, after.x, after.y, at.x, at.y),
             "round-off: 1e-8 m", off < 1e-8 ? ClaimVerdict::agrees : ClaimVerdict::differs,
             "shared edges belong to both bodies and count half for each"});
}

/// Point 3: the published mean depends on the frame, jumps at the vertical and breaks mirror symmetry.
void signed_mean(StudyRun& run) {
  const Placed u1(square, {{0.9, 0.6}, {1.9, 0.6}, {1.9, 1.6}, {0.9, 1.6}});
  const Placed u2({{0, 0}, {0.8, 0.6}, {0.2, 1.4}, {-0.6, 0.8}},
                  {{0.36, 1.02}, {1.16, 1.62}, {0.56, 2.42}, {-0.24, 1.82}});
  const double turn = std::atan2(3, 4);
  const auto off = [&](std::size_t p) { return wrap_line_angle(u2.angle(p) - turn - u1.angle(p)) * degrees; };
  run.claim({"point-3-frame", fmt::format(reference, 3),
             "U1 and U2 are one pair in two frames; eq13_signed differs by 54° after removing the rotation",
             fmt::format("{:.4f}° ({:.2f}° and {:.2f}° − 36.87°); area-gradient {:.0e}°", std::abs(off(edge_mean)),
                         u1.in_degrees(edge_mean), u2.in_degrees(edge_mean), std::abs(off(area_gradient))),
             "0.01°: digits given", within(std::abs(off(edge_mean)), 54, 0.01),
             "angles from the x axis are those of the frame"});
  run.claim({"point-2-frame", fmt::format(reference, 2), "g depends on vectors only: frame-objective (U1 and U2)",
             fmt::format("area-gradient {:.12f}° and {:.12f}° − 36.87°: difference {:.0e}°",
                         u1.in_degrees(area_gradient), u2.in_degrees(area_gradient), std::abs(off(area_gradient))),
             "round-off: 1e-10°", within(off(area_gradient), 0, 1e-10),
             "a turned sum of vectors is the sum of the turned vectors"});

  // An edge of length ℓ that passes the vertical moves the mean by 180° ℓ/L: the mean alone, without the choice of a
  // perpendicular.
  const auto mean = [](double tilt) {
    const Placed p(square, moved({{0, -2}, {3, -2}, {3, 2}, {0, 2}}, {0.9, 0.5}, tilt));
    const OverlapComponent& c = p.overlap.components.at(0);
    double sum = 0, edge = 0;
    for (std::uint32_t k = c.first_vertex; k < c.end_vertex; ++k) {
      const Vec2 e = p.overlap.vertices[k + 1 < c.end_vertex ? k + 1 : c.first_vertex] - p.overlap.vertices[k];
      sum += norm(e) * wrap_line_angle(std::atan2(e.y, e.x));
      if (p.overlap.owners[k] == Owner::j) edge = norm(e);
    }
    return std::pair{sum / c.perimeter * degrees, 180 * edge / c.perimeter};
  };
  const auto [left, expected] = mean(1e-9);
  const auto [right, same] = mean(-1e-9);
  run.claim({"point-3-vertical", fmt::format(reference, 3),
             "eq13_signed jumps when an edge passes the vertical; the jump of the mean is 180°·ℓ/L",
             fmt::format("a face that tilts through the vertical: {:.6f}° against 180°·ℓ/L = {:.6f}°",
                         std::abs(left - right), expected),
             "1e-5°: tilt of 1e-9 rad", within(std::abs(left - right), expected, 1e-5),
             "the angle of the edge goes from 90° to −90°"});

  const Placed a(square, {{0.987, -0.5}, {2, -0.5}, {2, 1.5}, {0.999, 1.5}}),
      b(square, {{0.999, -0.5}, {2, -0.5}, {2, 1.5}, {0.987, 1.5}});
  run.claim(
      {"point-3-mirror", fmt::format(reference, 3),
       "U5a and U5b, a face tilted ±0.34° about the vertical, are mirror images; eq13_signed gives +89.20° and "
       "−89.83°, area_gradient ±89.656°",
       fmt::format("edge-mean {:+.3f}° and {:+.3f}°; area-gradient {:+.6f}° and {:+.6f}°", a.in_degrees(edge_mean),
                   b.in_degrees(edge_mean), a.in_degrees(area_gradient), b.in_degrees(area_gradient)),
       "0.005°: digits given",
       std::abs(a.in_degrees(edge_mean) - 89.20) < 0.005 && std::abs(b.in_degrees(edge_mean) + 89.83) < 0.005 &&
               std::abs(a.in_degrees(area_gradient) + b.in_degrees(area_gradient)) < 1e-9
           ? ClaimVerdict::agrees
           : ClaimVerdict::differs,
       "the choice repairs the switch of the mean by a quarter turn, not its value"});
}

/// Point 4: the literal, unsigned reading.
void unsigned_mean(StudyRun& run, std::span<const SetTotals> all) {
  const Placed u3(flat, {{0.2, -0.1}, {2.2, 0.9}, {-1.8, 0.9}});
  const SetTotals& t = all[1];  // convex, straight, 0.02-0.1 m
  run.claim({"point-4-unsigned", fmt::format(reference, 4),
             "eq13_unsigned cannot tell +α from −α: U3, a symmetric corner on a flat face, is off by 14°",
             fmt::format("{:.4f}° instead of 0", u3.in_degrees(edge_mean_unsigned)), "0.5°: digits given",
             within(u3.in_degrees(edge_mean_unsigned), 14, 0.5),
             "acute angles have lost the sign; how often that shows in a turned frame: frame-error-unsigned"});
  const double size = t.planes[edge_mean_unsigned].size / std::max(t.planes[edge_mean_unsigned].jumps, 1.0) * degrees;
  run.claim({"point-4-before-choice", fmt::format(reference, 4), "eq13_unsigned is never discontinuous before sel",
             fmt::format("{:.0f} jumps, {:.0f} of them above 80°, mean {:.2f}°", t.planes[edge_mean_unsigned].jumps,
                         t.planes[edge_mean_unsigned].above_80, size),
             "0.1° on the mean: the choice turns by 90°, other jumps would be smaller", within(size, 90, 0.1),
             "its jumps are those of the choice alone"});
}

/// Points 5, 6: the choice between line and perpendicular; the edge tensor.
void choice_and_tensor(StudyRun& run, std::span<const SetTotals> all) {
  double axial = 0, quarter = 0, unselected = 0;
  for (const SetTotals& t : all)
    axial += t.planes[edge_axial].jumps, quarter += t.planes[edge_axial].above_80,
        unselected += t.planes[edge_axial_unselected].jumps;
  run.claim(
      {"point-5-choice", fmt::format(reference, 5),
       "the final \"line or perpendicular\" choice is itself a 90° jump whenever the mean is 45° from the "
       "perpendicular of the branch, for every "
       "definition that uses it, including the tensor",
       fmt::format("edge-axial: {:.0f} jumps, {:.0f} of them above 80°; the same tensor without the choice: {:.0f}",
                   axial, quarter, unselected),
       "none: all or nothing",
       axial > 0 && quarter == axial && unselected == 0 ? ClaimVerdict::agrees : ClaimVerdict::differs,
       "so no definition with the choice can be continuous, Eq. 13 included"});
  run.claim({"point-6-tensor", fmt::format(reference, 6),
             "without sel edge_axial is continuous wherever its strength is nonzero",
             fmt::format("{:.0f} persistent jumps over all sets", unselected), "none: zero",
             unselected == 0 ? ClaimVerdict::agrees : ClaimVerdict::differs,
             "jumps where parts merge or split are not counted"});
  const double s = std::sqrt(3.0);
  const auto corner = [&](double half) {
    return Placed(flat, {{0, -0.1}, {half, half * s - 0.1}, {-half, half * s - 0.1}});
  };
  const Placed regular = corner(1);
  const auto near = [&](double turn) {
    return Placed(flat, moved({{0, 0}, {1, s}, {-1, s}}, {0, -0.1}, turn)).in_degrees(edge_axial_unselected);
  };
  const double turned = std::abs(wrap_line_angle((near(1e-3) - near(-1e-3)) / degrees)) * degrees;
  run.claim(
      {"point-6-isotropic", fmt::format(reference, 6),
       "edge_axial is isotropic for an equilateral triangular overlap (60° corner on a flat face) or a square one: "
       "undefined, and turns by 90° around it",
       fmt::format("60° corner: {}; tilted by ∓0.06° it turns by {:.1f}°; square overlap: {}",
                   std::isnan(regular.angle(edge_axial_unselected))
                       ? "undefined"
                       : fmt::format("{:.3f}°", regular.in_degrees(edge_axial_unselected)),
                   turned,
                   std::isnan(Placed(square, moved(square, {0.5, 0.5})).angle(edge_axial_unselected)) ? "undefined"
                                                                                                      : "defined"),
       "1° on the turn",
       std::isnan(regular.angle(edge_axial_unselected)) &&
               std::isnan(Placed(square, moved(square, {0.5, 0.5})).angle(edge_axial_unselected)) &&
               std::abs(turned - 90) < 1
           ? ClaimVerdict::agrees
           : ClaimVerdict::differs,
       "area-gradient is defined in all of them"});
}

/// Points 7, 8: deep corners, and a branch of zero length.
void corners_and_branch(StudyRun& run) {
  const Placed u11({{0, 0}, {1.25, -0.25}, {2, 0.5}, {1.75, 1.5}, {0.5, 1.75}, {-0.25, 1}},
                   {{1.5, 1.25}, {2.5, 0.75}, {3.25, 1.5}, {3, 2.5}, {1.75, 2.25}});
  run.claim(
      {"point-7-corner", fmt::format(reference, 7),
       "the mean of angles weighs all edges: a deep corner contact (U11) gets −18° where chord, branch mean and tensor "
       "agree on −58°",
       fmt::format(
           "edge-mean {:.2f}°; chord {:.2f}°, edge-mean-branch {:.2f}°, edge-axial {:.2f}°, area-gradient {:.2f}°",
           u11.in_degrees(edge_mean), u11.in_degrees(chord_far), u11.in_degrees(edge_mean_branch),
           u11.in_degrees(edge_axial), u11.in_degrees(area_gradient)),
       "1°: digits given",
       std::abs(u11.in_degrees(edge_mean) + 18) < 1 && std::abs(u11.in_degrees(chord_far) + 58) < 1 &&
               std::abs(u11.in_degrees(edge_mean_branch) + 58) < 1 && std::abs(u11.in_degrees(edge_axial) + 58) < 1
           ? ClaimVerdict::agrees
           : ClaimVerdict::differs,
       "digits of §10"});
  // An L and a square whose centroids coincide although they only touch along the notch of the L.
  const Outline notch{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
  const Vec2 centre = area_properties(notch).centroid;
  const double h = 0.25;
  Placed pair(notch, {{centre.x - h, centre.y - h},
                      {centre.x + h, centre.y - h},
                      {centre.x + h, centre.y + h},
                      {centre.x - h, centre.y + h}});
  pair.branch = {};
  const bool ours = !pair.overlap.components.empty() && !std::isnan(pair.angle(area_gradient));
  const bool theirs =
      !pair.overlap.components.empty() && std::isnan(pair.angle(edge_mean)) && std::isnan(pair.angle(edge_axial));
  run.claim({"point-8-branch", fmt::format(reference, 8), "b = 0 leaves sel undefined; area_gradient does not need b",
             fmt::format("an L and a square with one centroid: edge-mean {}, area-gradient {:.1f}°",
                         theirs ? "undefined" : "defined", pair.in_degrees(area_gradient)),
             "none", ours && theirs ? ClaimVerdict::agrees : ClaimVerdict::differs,
             "the normal is oriented by the decrease of the area there"});
}

}  // namespace

void claim_points(StudyRun& run, std::span<const SetTotals> all) {
  gradient_of_area(run);
  four_crossings(run, all);
  where_the_gradient_fails(run);
  signed_mean(run);
  unsigned_mean(run, all);
  choice_and_tensor(run, all);
  corners_and_branch(run);
}

}  // namespace dem::validation::pena2008::continuity_study
