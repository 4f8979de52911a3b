// Normal modes of contacts against closed forms.
#include "libdem/motion/limit/normal_modes.hpp"

#include "cell_cases.hpp"
#include "libdem/motion/limit/step_limit.hpp"

namespace {

constexpr double k_n = 400, k_t = 100, radius = 0.5;

/// Discs on a line, each overlaps the next; the first is held.
Case line_of_discs(int count) {
  Case c;
  c.material = {.normal_stiffness = k_n, .tangential_stiffness = k_t, .friction = 0.5, .restitution = 0.8};
  c.contact.normal_force = NormalForce::overlap;
  c.time.step = 1e-4;
  c.assembly.largest_start_overlap = 0.5;
  for (int b = 0; b < count; ++b)
    c.assembly.bodies.push_back({.shape = ShapeKind::disc, .radius = radius, .position = {0.99 * b, 0}});
  hold(c.assembly.bodies[0]);
  return c;
}

std::vector<NormalMode> modes_of(const Simulation& run) { return normal_modes(run.state().bodies, run.contacts()); }

const auto closely = tolerance(1e-9);  // of a dense solver: round-off times n and a spread of ω² of 100

}  // namespace

/// One disc on a held one: along the line ω² = k_n/m, across it ω² = k_t (1/m + a²/I). Rolling costs nothing.
BOOST_AUTO_TEST_CASE(a_disc_on_another) {
  const Simulation run(line_of_discs(2));
  const double m = run.state().bodies.mass[1], inertia = run.state().bodies.moment[1];
  const double arm = run.contacts()[0].branch.x - run.contacts()[0].point.x;  // body i is at the origin
  const auto modes = modes_of(run);
  BOOST_TEST_REQUIRE(modes.size() == 3u);
  BOOST_TEST(modes[0].frequency == 0);
  const double across = std::sqrt(k_t * (1 / m + arm * arm / inertia)), along = std::sqrt(k_n / m);
  BOOST_TEST(modes[1].frequency == std::min(across, along), closely);
  BOOST_TEST(modes[2].frequency == std::max(across, along), closely);
  const NormalMode& sliding = modes[across < along ? 1 : 2];
  const NormalMode& pressing = modes[across < along ? 2 : 1];
  BOOST_TEST(sliding.tangential_share == 1, closely);
  BOOST_TEST(sliding.rotation_share == arm * arm / inertia / (1 / m + arm * arm / inertia), closely);
  BOOST_TEST(std::abs(pressing.tangential_share) < 1e-12);
  BOOST_TEST(pressing.damping_ratio == run.contacts()[0].normal_damping / (2 * m * along), closely);
}

/// A chain of n discs on a held one: along it ω_k = 2 √(k_n/m) sin((2k − 1)π/(4n + 2)).
BOOST_AUTO_TEST_CASE(a_chain) {
  const int n = 6;
  Case c = line_of_discs(n + 1);
  for (BodySpec& body : c.assembly.bodies) body.fix_y = body.fix_rotation = true;
  const Simulation run(c);
  const auto modes = modes_of(run);
  BOOST_TEST_REQUIRE(modes.size() == std::size_t(n));
  const double m = run.state().bodies.mass[1];
  for (int k = 1; k <= n; ++k) {
    const double expected = 2 * std::sqrt(k_n / m) * std::sin((2 * k - 1) * pi / (4 * n + 2));
    BOOST_TEST(modes[std::size_t(k - 1)].frequency == expected, closely);
    double square = 0;
    for (const auto& x : modes[std::size_t(k - 1)].shape) square += m * x[0] * x[0];
    BOOST_TEST(square == 1, closely);
  }
}

/// A block on the face of a wider held one. Turned, the overlap's centroid moves along the face, which resists rocking
/// with k_n w³/(12 l_c). Turn and movement across share the tangential spring. An area potential acts along the chord,
/// whose middle stays.
BOOST_AUTO_TEST_CASE(a_block_on_another_rocks) {
  for (const bool potential : {false, true}) {
    const double w = 0.8, h = 1.2, depth = 1e-4;
    Case c = line_of_discs(1);
    c.contact.normal_force = potential ? NormalForce::area_potential : NormalForce::area_over_length;
    const auto block = [](double x, double y) { return geometry::Outline{{0, 0}, {x, 0}, {x, y}, {0, y}}; };
    c.assembly.bodies = {{.outline = block(3, 1)}, {.outline = block(w, h), .position = {0, 0.5 + h / 2 - depth}}};
    hold(c.assembly.bodies[0]);
    const Simulation run(c);
    const double m = run.state().bodies.mass[1], inertia = run.state().bodies.moment[1], arm = h / 2 - depth / 2;
    const double length = std::sqrt(w * h / (2 * pi)) + std::sqrt(3 / (2 * pi));
    const double tangent = potential ? k_n * w * w / (length * length) : k_n * w / length;
    const double rocking = potential ? 0 : k_n * w * w * w / (12 * length);
    BOOST_TEST(run.contacts()[0].rocking_stiffness == rocking, closely);
    // ω² of x and the turn: roots of s² − (a + b) s + a b − c²
    const double a = k_t / m, b = (k_t * arm * arm + rocking) / inertia, c2 = k_t * arm * k_t * arm / (m * inertia);
    const double middle = (a + b) / 2, half = std::sqrt((a - b) * (a - b) / 4 + c2);
    std::vector expected{std::sqrt(std::max(middle - half, 0.0)), std::sqrt(tangent / m), std::sqrt(middle + half)};
    if (potential) expected[0] = 0;
    std::ranges::sort(expected);
    const auto modes = modes_of(run);
    BOOST_TEST_REQUIRE(modes.size() == 3u);
    for (std::size_t k = 0; k < 3; ++k) BOOST_TEST(modes[k].frequency == expected[k], closely);
  }
}

/// Clusters in contact.
Simulation pressed_clusters() {
  Case c = space_cell(ShapeKind::cluster, 20, 4);
  c.time.step = 2e-4;
  c.stages = {lasting(10, space_stage(at_rate(-2), at_rate(-2), at_rate(-2)))};
  Simulation run(c);
  for (int k = 0; k < 5000 && run.contact_count() < 40; ++k) run.step();
  return run;
}

/// The turns of a shape are in space axes, also those of clusters: x·Kx, from the movements of the contact points, is
/// ω².
BOOST_AUTO_TEST_CASE(shapes_of_clusters_in_space_axes) {
  const Simulation run = pressed_clusters();
  const auto contacts = run.contacts();
  BOOST_TEST_REQUIRE(contacts.size() > 10u);
  const auto modes = normal_modes(run.state().bodies, contacts);
  for (const NormalMode& mode : modes) {
    if (mode.frequency == 0) continue;
    const auto moved = [&](std::size_t b, Vec3 arm) {
      const auto& x = mode.shape[b];
      return Vec3{x[0], x[1], x[2]} + cross(Vec3{x[3], x[4], x[5]}, arm);
    };
    double twice_energy = 0;
    for (const ContactRecord& k : contacts) {
      const Vec3 arm = k.point - run.state().bodies.position[0][k.key.i];
      const Vec3 u = moved(k.key.j, arm - k.branch) - moved(k.key.i, arm);
      const double along = dot(u, k.normal), k_t = k.regime == Regime::slip ? 0 : k.tangential_stiffness;
      twice_energy += k.normal_stiffness * along * along + k_t * (dot(u, u) - along * along);
    }
    // The solver rounds to 1e-16 of the largest ω²; the smallest that counts is 1e-10 of that.
    BOOST_TEST(twice_energy == mode.frequency * mode.frequency, tolerance(1e-6));
  }
}

/// The highest mode of clusters is that of the limit of the time step, which comes from other code.
BOOST_AUTO_TEST_CASE(the_highest_mode_of_clusters) {
  const Simulation run = pressed_clusters();
  const auto contacts = run.contacts();
  BOOST_TEST_REQUIRE(contacts.size() > 10u);
  for (const double damping : {0.0, 0.02}) {
    StepLimitMeter meter;
    meter.begin(run.state().bodies, contacts.size(),
                {.damp_while_sliding = false, .rotational_damping = damping, .mass_damping = damping, .dimension = 3});
    meter.add(contacts);
    const MeasuredLimit limit = meter.finish(Scheme{});
    const auto modes =
        normal_modes(run.state().bodies, contacts, {.rotational_damping = damping, .mass_damping = damping});
    // The limit is iterated: its frequency errs by 1.8e-7, its damping ratio by 4e-5. A factor of 25 is left.
    BOOST_TEST(modes.back().frequency == limit.omega, tolerance(1e-5));
    BOOST_TEST(modes.back().damping_ratio == limit.damping_ratio, tolerance(1e-3));
  }
}
