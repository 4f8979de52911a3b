// Carrying the force of one contact along: pure rotation without relative movement, rotation with the movement computed
// from the motions of the particles, two spheres on prescribed paths (linear-frictional-contact reference, §2, §3, §12,
// and the carrying table of §16).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "libdem/contacts/contact_frame.hpp"
#include "validation/kuhn2020/claims.hpp"
#include "validation/kuhn2020/driven_contact.hpp"
#include "validation/kuhn2020/studies.hpp"

namespace dem::validation::kuhn2020 {

namespace {

constexpr const char* section_12 = "linear-frictional-contact reference §12";
constexpr double quarter = std::numbers::pi / 2;
constexpr std::array counts{100, 1000, 10000};
constexpr std::array transports{Transport::none, Transport::projection, Transport::projection_twirl,
                                Transport::swing_twist, Transport::exact};
constexpr std::array transport_names{"none", "projection", "projection and Eq. 23", "swing and twist, standard",
                                     "swing and twist, exact"};

Vec3 unit(Vec3 v) { return (1 / norm(v)) * v; }

struct Carried {
  double error, magnitude;
};

/// §12: n0 = (1,0,0), f0 = (0, 0.6, 0.8), both particles turn by 90° about `axis` in `steps` equal steps, no relative
/// movement.
Carried carry(Transport transport, Vec3 axis, int steps) {
  ContactVariant variant;
  variant.transport = transport;
  const Vec3 n0{1, 0, 0}, f0{0, 0.6, 0.8};
  DrivenContact contact(variant, {1, 1, 1e3}, n0, 1, f0);
  for (int k = 1; k <= steps; ++k)
    contact.move({rotated(quaternion_of(quarter * k / steps * axis), n0), 1, {}, quarter / steps * axis});
  return {norm(contact.force() - rotated(quaternion_of(quarter * axis), f0)), norm(contact.force())};
}

struct Row {
  const char* name;
  Vec3 axis;
  const char *none, *projection;  // as printed; empty: below 1e-12
  std::array<const char*, 3> twirl, standard;
};
const std::array<Row, 6> rows{
    {{"n", {1, 0, 0}, "1.41", "1.41", {"1.24e-2", "1.23e-3", "1.23e-4"}, {"", "", ""}},
     {"⟂ n, along f", {0, 0.6, 0.8}, "", "", {"", "", ""}, {"", "", ""}},
     {"⟂ n and ⟂ f", {0, -0.8, 0.6}, "1.41", "1.23e-3", {"1.23e-2", "1.23e-3", "1.23e-4"}, {"", "", ""}},
     {"(1,0,1)", {1, 0, 1}, "1.17", "1.05", {"4.9e-3", "4.9e-4", "4.9e-5"}, {"1.1e-5", "1.1e-7", "1.1e-9"}},
     {"(1,1,1)", {1, 1, 1}, "0.83", "0.88", {"4.1e-3", "4.1e-4", "4.1e-5"}, {"1.2e-5", "1.2e-7", "1.2e-9"}},
     {"(1,2,3)", {1, 2, 3}, "0.39", "0.42", {"1.1e-3", "1.1e-4", "1.1e-5"}, {"8.0e-6", "8.0e-8", "8.0e-10"}}}};

bool as_printed(const char* printed, double value) {
  return *printed ? agrees_with_print(printed, value) : value < 1e-12;
}

void pure_rotation(StudyRun& run) {
  constexpr const char* digits = "half a unit of the last printed digit; 1e-12 where the table has zero";
  Figure figure;
  figure.id = "kuhn2020/contact-rotation/carrying";
  figure.title = "Error of the carried force after a turn by 90°";
  figure.caption =
      "One contact, no relative movement. Relative to the length of the force. A line at 1e-16 and above is round-off.";
  std::array<std::string, 5> text;
  std::array<bool, 5> holds;
  holds.fill(true);
  double worst_standard = 0, worst_exact = 0;
  for (const Row& row : rows) {
    const Vec3 axis = unit(row.axis);
    Panel panel{std::string("axis ") + row.name, "increments", "relative error", true, true, {}, {}};
    for (std::size_t t = 0; t < transports.size(); ++t) {
      Curve curve{transport_names[t], {}, {}, {}, {}, Curve::Style::line_and_points};
      std::string found;
      for (std::size_t n = 0; n < counts.size(); ++n) {
        const double error = carry(transports[t], axis, counts[n]).error;
        curve.x.push_back(counts[n]);
        curve.y.push_back(std::max(error, 1e-16));
        if (t == 2) holds[t] = holds[t] && as_printed(row.twirl[n], error);
        if (t == 3) holds[t] = holds[t] && as_printed(row.standard[n], error);
        if (t == 4) holds[t] = holds[t] && error < 1e-12;
        if (t < 2 && counts[n] == 1000) holds[t] = holds[t] && as_printed(t == 0 ? row.none : row.projection, error);
        if (t >= 2 || counts[n] == 1000) found += fmt::format("{}{:.2e}", found.empty() ? "" : " / ", error);
        if (counts[n] == 1000 && t == 3) worst_standard = std::max(worst_standard, error);
        if (counts[n] == 1000 && t == 4) worst_exact = std::max(worst_exact, error);
      }
      text[t] += fmt::format("{}{}: {}", text[t].empty() ? "" : "; ", row.name, found);
      panel.curves.push_back(std::move(curve));
    }
    figure.panels.push_back(std::move(panel));
  }
  figure.command = "dem validate kuhn2020/contact-rotation";
  run.figure(std::move(figure));

  run.claim({"none", section_12, "no adjustment: 1.41, 0, 1.41, 1.17, 0.83, 0.39", text[0], digits, verdict(holds[0]),
             "Six axes; 1000 increments. The vector stays fixed in space."});
  run.claim({"projection", section_12, "projection: 1.41, 0, 1.23e-3, 1.05, 0.88, 0.42", text[1], digits,
             verdict(holds[1]), "1000 increments. Without the twist the error does not fall with the increment."});
  run.claim({"projection-twirl", section_12,
             "projection and Eq. 23, 100 / 1000 / 10000: 1.24e-2 / 1.23e-3 / 1.23e-4 about n … 1.1e-3 / 1.1e-4 / "
             "1.1e-5 about (1,2,3)",
             text[2], digits, verdict(holds[2]), "The published form: first order."});
  run.claim({"standard", section_12,
             "swing and twist, standard: below 1e-12 about the first three axes; 1.1e-5 / 1.1e-7 / 1.1e-9, 1.2e-5 / "
             "1.2e-7 / 1.2e-9, 8.0e-6 / 8.0e-8 "
             "/ 8.0e-10",
             text[3], digits, verdict(holds[3]), "Second order."});
  run.claim({"exact", section_12, "swing and twist, exact: below 1e-12", text[4], "1e-12, as printed",
             verdict(holds[4]), "Whatever the increment."});

  // Any axis, not the six of the table alone.
  constexpr int directions = 200;
  for (int k = 0; k < directions; ++k) {  // points of a spiral over the sphere
    const double z = 1 - (2 * k + 1.0) / directions, phi = k * std::numbers::pi * (3 - std::sqrt(5.0)),
                 r = std::sqrt(1 - z * z);
    const Vec3 axis{r * std::cos(phi), r * std::sin(phi), z};
    worst_standard = std::max(worst_standard, carry(Transport::swing_twist, axis, 1000).error);
    worst_exact = std::max(worst_exact, carry(Transport::exact, axis, 1000).error);
  }
  run.claim({"any-axis", section_12, "standard ≤ 3e-7, exact ≤ 1e-12 at 1000 increments, for any axis",
             fmt::format("{} axes over the sphere and the six of the table: {:.2e} and {:.1e} at most", directions,
                         worst_standard, worst_exact),
             "as printed", verdict(worst_standard <= 3e-7 && worst_exact <= 1e-12),
             "Relative to the length of the force."});

  const Carried twirl = carry(Transport::projection_twirl, {1, 0, 0}, 1000),
                swing = carry(Transport::projection, {0, -0.8, 0.6}, 1000);
  const Carried coarse_twirl = carry(Transport::projection_twirl, {1, 0, 0}, 100),
                coarse_swing = carry(Transport::projection, {0, -0.8, 0.6}, 100);
  const auto percent = [](const Carried& c) { return 100 * (c.magnitude - 1); };
  run.claim(
      {"magnitude", "linear-frictional-contact reference §3 and §12",
       "the published pair shrinks f by cos(swing) and grows it by sqrt(1+φ²) a step: exp(∓π²/(8N)), ∓0.123 % at N = "
       "1000, ∓1.2 % at 100; "
       "magnitudes 0.998767 and 1.001234",
       fmt::format("{:.6f} and {:.6f} at N = 1000; {:+.2f} % and {:+.2f} % at N = 100", swing.magnitude,
                   twirl.magnitude, percent(coarse_swing), percent(coarse_twirl)),
       "half a unit of the last printed digit",
       verdict(agrees_with_print("0.998767", swing.magnitude) && agrees_with_print("1.001234", twirl.magnitude) &&
               agrees_with_print("-1.2", percent(coarse_swing)) && agrees_with_print("1.2", percent(coarse_twirl))),
       "Growth takes a sliding contact out of its limit, where the published root formula has no real root."});
}

void carrying_table(StudyRun& run) {
  const Vec3 n0{0, 0, 1}, f{3, 4, 0};
  const Vec3 n1{-0.019998333374999504, -0.009999166687499752, 0.999750010416493};
  const Vec3 w = 0.5 * (Vec3{0.012, -0.02, 0.03} + Vec3{0.008, -0.018, 0.05});
  struct Line {
    Transport transport;
    Vec3 result;
    double length;
  };
  const Line lines[] = {
      {Transport::projection, {2.9980003333111118, 3.9990001666555561, 0.099966669999841273}, 4.9990000666688896},
      {Transport::projection_twirl, {2.8381203066466671, 4.1189101866538893, 0.097967836516516665}, 5.002993673563167},
      {Transport::swing_twist, {2.8367461374611831, 4.1162220913526335, 0.097913463117259139}, 5},
      {Transport::exact, {2.8367397937141909, 4.1162264651962275, 0.097913379966896377}, 5}};
  double worst = 0;
  for (const Line& line : lines) {
    ContactVariant variant;
    variant.transport = line.transport;
    DrivenContact contact(variant, {1, 1, 1e3}, n0, 1, f);
    contact.move({n1, 1, {}, w});
    worst = std::max({worst, norm(contact.force() - line.result), std::abs(norm(contact.force()) - line.length)});
  }
  run.claim({"carrying", "linear-frictional-contact reference §16, carrying table",
             "four forms, 16 digits, for one tilt of 0.022 rad and mean spin (0.01, −0.019, 0.04)",
             fmt::format("largest difference of a component or length {:.1e}, of a force of 5", worst),
             "1e-14: round-off of a vector of length 5, as printed with 17 digits", verdict(worst <= 1e-14),
             "projection, projection and Eq. 23, swing and twist standard and exact."});
}

struct Spurious {
  double normal = 0, tangential = 0;
};

/// §2: a pair of branch length 1 turned rigidly by 90° in 1000 steps; sums of the movements that should not be.
Spurious spurious_movement(Vec3 axis, bool mid_step, bool chord) {
  const Vec3 x{1, 0, 0};
  Spurious sum;
  Vec3 n0 = x;
  const Vec3 turn = quarter / 1000 * axis, rotation = chord ? chord_rotation(turn) : turn;
  for (int k = 1; k <= 1000; ++k) {
    const Vec3 n1 = rotated(quaternion_of(quarter * k / 1000 * axis), x);
    const Vec3 arm = 0.5 * (mid_step ? 0.5 * (n0 + n1) : n1);
    const Vec3 moved = pair_movement(-0.5 * (n1 - n0), 0.5 * (n1 - n0), rotation, rotation, arm, -arm);
    sum.normal += std::abs(dot(moved, n1));
    sum.tangential += norm(moved - dot(moved, n1) * n1);
    n0 = n1;
  }
  return sum;
}

void claim_spurious(StudyRun& run) {
  struct Line {
    const char* name;
    Vec3 axis;
    double end_normal, end_tangential, middle_normal, middle_tangential;
  };
  const Line lines[] = {{"z", {0, 0, 1}, 1.23e-3, 1e-6, 2.5e-10, 3.2e-7},
                        {"(1,1,0)", {1, 1, 0}, 6.2e-4, 6.2e-4, 1.3e-10, 2.3e-7},
                        {"(1,2,3)", {1, 2, 3}, 1.15e-3, 3.2e-4, 2.4e-10, 3.1e-7}};
  std::string text[2];
  bool holds = true;
  double exact = 0;
  for (const Line& line : lines) {
    const Vec3 axis = unit(line.axis);
    const Spurious end = spurious_movement(axis, false, false), middle = spurious_movement(axis, true, false),
                   chord = spurious_movement(axis, true, true);
    // Two digits are printed but for 1e-6; the sums are of first order, so that they are told to a few per mille by N =
    // 1000.
    const auto near = [](double found, double printed, double share) { return std::abs(found / printed - 1) <= share; };
    holds = holds && near(end.normal, line.end_normal, 0.05) &&
            near(end.tangential, line.end_tangential, line.end_tangential < 1e-5 ? 0.5 : 0.05) &&
            near(middle.normal, line.middle_normal, 0.05) && near(middle.tangential, line.middle_tangential, 0.05);
    text[0] += fmt::format("{}{}: {:.3g}, {:.3g} with end-of-step arms, {:.2g}, {:.2g} with mid-step arms",
                           text[0].empty() ? "" : "; ", line.name, end.normal, end.tangential, middle.normal,
                           middle.tangential);
    exact = std::max({exact, chord.normal, chord.tangential});
  }
  run.claim({"spurious-movement", "linear-frictional-contact reference §2, table",
             "a rigid turn by 90° in 1000 steps leaves Σ|Δζ|, Σ|Δξ| of 1.23e-3, 1e-6 (z), 6.2e-4, 6.2e-4 ((1,1,0)), "
             "1.15e-3, 3.2e-4 ((1,2,3)) with "
             "arms of one end, and 2.5e-10, 3.2e-7; 1.3e-10, 2.3e-7; 2.4e-10, 3.1e-7 with mid-step arms",
             text[0], "5 % (two printed digits), 50 % of the single digit 1e-6", verdict(holds),
             "Branch length 1. Friction limits are reached at movements of 1e-5 to 1e-4."});
  run.claim({"no-spurious-movement", "linear-frictional-contact reference §2",
             "with Δθ tan(|Δθ|/2)/(|Δθ|/2) the movement of a finite rigid rotation is zero to rounding",
             fmt::format("{:.1e} at most over 1000 steps", exact), "1e-12: 1000 roundings of a length of 1",
             verdict(exact <= 1e-12), "That is what the engine of spheres uses."});
}

// Prescribed paths: the pair turns by `angle` about `axis`; in the frame that turns along, j moves over the surface of
// i and both spin a little. The printed table does not give its paths, so these are of its kind.
struct PathKind {
  const char *id, *name;
  Vec3 axis;
  double angle, shear;  // rad; size of the tangential movement (m)
  bool slides;
  std::array<double, 4> printed;
};
const std::array<PathKind, 3> kinds{
    {{"oblique", "oblique rotation + small shear", {1, 2, 3}, 1.5, 2e-5, false, {1.1, 3.6e-3, 3.5e-3, 1.5e-6}},
     {"oblique-sliding", "oblique with sliding", {1, 2, 3}, 1.5, 2e-4, true, {0.37, 4e-4, 1.1e-4, 5e-7}},
     {"twirl-sliding", "twirl with sliding", {1, 0, 0}, 2, 2e-4, true, {1e-3, 1e-3, 9e-7, 8e-7}}}};

PairPath path_of(const PathKind& kind) {
  const Vec3 axis = unit(kind.axis);
  return [=](double s) {
    const double t = 2 * std::numbers::pi * s;
    const double overlap = 1e-4 * (1 + 0.1 * std::sin(kind.slides ? 0.5 * t : t));
    // Movement over the surface, as angles of the branch; branch length 1. To and fro within the limit, or on and on
    // along a curve.
    const double y = kind.shear * (kind.slides ? s : std::sin(0.7 * t) + 0.3 * (1 - std::cos(1.9 * t)));
    const double z = kind.shear * (kind.slides ? 0.5 * s * s : 0.8 * (1 - std::cos(t)) + 0.2 * std::sin(1.3 * t));
    const Quaternion all = quaternion_of(kind.angle * s * axis);
    const Vec3 branch = (1 - overlap) * unit({1, y, z});
    PairPose pose;
    pose.i = {};
    pose.j = rotated(all, branch);
    pose.turn_i = all * quaternion_of(0.3 * kind.shear * Vec3{std::sin(t), 1 - std::cos(0.8 * t), std::sin(0.5 * t)});
    pose.turn_j = all * quaternion_of(0.3 * kind.shear * Vec3{-std::sin(0.6 * t), std::sin(t), std::cos(t) - 1});
    return pose;
  };
}

std::vector<ContactVariant> path_variants() {
  std::vector<ContactVariant> v(4);
  v[0].transport = v[1].transport = Transport::projection_twirl;
  v[0].mid_step_arms = v[0].mid_step_frame = v[1].mid_step_frame = false;
  v[2].transport = Transport::swing_twist;
  v[0].chord = v[1].chord = v[2].chord = false;
  return v;
}
constexpr std::array variant_names{
    "end-of-step arms, projection and Eq. 23", "mid-step arms, Δξ projected on n1, projection and Eq. 23",
    "mid-step arms and frame, swing and twist", "the same with exact rotation and twist"};

void prescribed_paths(StudyRun& run) {
  const ContactCoefficients material{1e5, 1e5, 0.5};
  const double limit = material.friction * material.normal_stiffness * 1e-4;
  const auto variants = path_variants();
  const std::vector<int> steps{125, 250, 500, 1000, 2000, 4000};
  const int fine = run.quick() ? 32000 : 256000;
  Figure figure;
  figure.id = "kuhn2020/contact-rotation/paths";
  figure.title = "Largest error of the tangential force on prescribed paths";
  figure.caption = fmt::format(
      "Two spheres of radius 0.5 m, overlap about 1e-4 m, k_n = k_t, μ = 0.5, relative to the friction limit; against "
      "{} steps.",
      fine);
  std::vector<std::vector<double>> orders(kinds.size());
  double worst_end = 0, worst_exact = 0;
  for (std::size_t p = 0; p < kinds.size(); ++p) {
    const PathKind& kind = kinds[p];
    const PairPath path = path_of(kind);
    const PathResult reference = follow(path, fine, variants[3], material);
    Panel panel{kind.name, "steps", "largest error of f_t / limit", true, true, {}, {}};
    double at_1000[4];
    std::string text;
    for (std::size_t v = 0; v < variants.size(); ++v) {
      Curve curve{variant_names[v], {}, {}, {}, {}, Curve::Style::line_and_points};
      for (int n : steps) {
        curve.x.push_back(n);
        curve.y.push_back(largest_difference(follow(path, n, variants[v], material), reference, limit));
        if (n == 1000) at_1000[v] = curve.y.back();
      }
      orders[p].push_back(-log_slope({curve.x.begin() + 2, curve.x.end()}, {curve.y.begin() + 2, curve.y.end()}));
      text += fmt::format("{}{:.2g}", v ? ", " : "", at_1000[v]);
      panel.curves.push_back(std::move(curve));
    }
    figure.panels.push_back(std::move(panel));
    worst_end = std::max(worst_end, at_1000[0]);
    worst_exact = std::max(worst_exact, at_1000[3]);
    run.claim({std::string("paths-") + kind.id, section_12,
               fmt::format("{}, 1000 steps: {:g}, {:g}, {:g}, {:g} of the limit (end-of-step arms; mid-step arms with "
                           "projection; mid-step frame "
                           "with swing and twist; exact)",
                           kind.name, kind.printed[0], kind.printed[1], kind.printed[2], kind.printed[3]),
               text, "", ClaimVerdict::not_comparable,
               "The table does not give its paths: overlap and turning here are those of the text, how the pair shears "
               "is ours."});
  }
  run.claim({"paths-end-of-step", section_12,
             "with arms of the end of the step the error is of the order of the limit; with all parts exact 1.5e-6 at "
             "most, at 1000 steps",
             fmt::format("{:.2g} and {:.1g} of the limit, largest of three paths", worst_end, worst_exact),
             "a factor of 10 of either number: the paths are ours", verdict(worst_end > 0.11 && worst_exact < 1.5e-5),
             "With arms of one end a rigid rotation brings a sticking contact to its limit."});
  run.figure(std::move(figure));
  bool second = true;
  std::string text;
  for (std::size_t p = 0; p < kinds.size(); ++p) {
    second = second && orders[p][2] > 1.8 && orders[p][3] > 1.8;
    text += fmt::format("{}{}: {:.2f} and {:.2f} (the first two: {:.2f} and {:.2f})", p ? "; " : "", kinds[p].name,
                        orders[p][2], orders[p][3], orders[p][0], orders[p][1]);
  }
  run.claim({"paths-order", section_12, "the last two converge with the square of the step", text,
             "exponent of the largest error between 500 and 4000 steps at least 1.8", verdict(second),
             "Largest errors over a path with sliding and a changing limit."});
}

}  // namespace

void contact_rotation(StudyRun& run) {
  pure_rotation(run);
  carrying_table(run);
  claim_spurious(run);
  prescribed_paths(run);
}

}  // namespace dem::validation::kuhn2020
