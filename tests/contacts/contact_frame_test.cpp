// Frame of a contact in space: carrying table (linear-frictional-contact reference, §16), rotation of a pair (§2, §12),
// movement variants.
#include "libdem/contacts/contact_frame.hpp"

#include <Eigen/Geometry>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>
#include <vector>

#include "geometry/random.hpp"
#include "libdem/laws/catalogue.hpp"

using namespace dem;

namespace {

constexpr double pi = std::numbers::pi;

Vec3 unit(Vec3 v) { return (1 / norm(v)) * v; }
/// Turned about a unit axis.
Vec3 turned(Vec3 v, Vec3 axis, double angle) {
  return std::cos(angle) * v + std::sin(angle) * cross(axis, v) + ((1 - std::cos(angle)) * dot(axis, v)) * axis;
}
bool near(Vec3 a, Vec3 b, double within) { return norm(a - b) <= within; }

/// A tangential vector that is carried from step to step, as an engine does it: components in the frame, and what
/// leaves the plane.
struct Carried {
  Vec3 n, direction_1;
  double history[2], out_of_plane = 0;
  Carried(Vec3 normal, Vec3 f)
      : n(normal), direction_1(any_direction(normal)), history{dot(f, direction_1), dot(f, cross(n, direction_1))} {}
  Vec3 vector() const { return history[0] * direction_1 + history[1] * cross(n, direction_1) + out_of_plane * n; }
  void step(Vec3 n1, Vec3 w, Transport transport) {
    const Vec3 to = carried_direction(direction_1, n, n1, twist_half_tangent(w, n1, transport == Transport::exact));
    if (!follows_frame(transport))
      transport_history(transport_matrix(transport, n, direction_1, n1, to, w), laws::find("linear")->transform,
                        history, out_of_plane);
    n = n1;
    direction_1 = to;
  }
};

const std::map<Transport, const char*> names{{Transport::none, "none"},
                                             {Transport::projection, "projection"},
                                             {Transport::projection_rescaled, "projection-rescaled"},
                                             {Transport::projection_twirl, "projection-twirl"},
                                             {Transport::swing_twist, "swing-twist"},
                                             {Transport::exact, "exact"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(contact_frame)

// Reference §16, last table.
BOOST_AUTO_TEST_CASE(carrying_table) {
  const Vec3 n0{0, 0, 1}, n1{-0.019998333374999504, -0.009999166687499752, 0.999750010416493}, f{3, 4, 0};
  const Vec3 w = 0.5 * (Vec3{0.012, -0.02, 0.03} + Vec3{0.008, -0.018, 0.05});
  const std::tuple<Transport, Vec3, double> rows[] = {
      {Transport::projection, {2.9980003333111118, 3.9990001666555561, 0.099966669999841273}, 4.9990000666688896},
      {Transport::projection_rescaled,
       (5 / 4.9990000666688896) * Vec3{2.9980003333111118, 3.9990001666555561, 0.099966669999841273}, 5},
      {Transport::projection_twirl, {2.8381203066466671, 4.1189101866538893, 0.097967836516516665}, 5.002993673563167},
      {Transport::swing_twist, {2.8367461374611831, 4.1162220913526335, 0.097913463117259139}, 5},
      {Transport::exact, {2.8367397937141909, 4.1162264651962275, 0.097913379966896377}, 5},
      {Transport::none, f, 5}};
  for (const auto& [transport, expected, length] : rows) {
    Carried c(n0, f);
    c.step(n1, w, transport);
    BOOST_TEST(near(c.vector(), expected, 1e-14), names.at(transport));
    BOOST_TEST(std::abs(norm(c.vector()) - length) < 1e-14, names.at(transport));
    if (transport != Transport::none) BOOST_TEST(std::abs(dot(c.vector(), n1)) < 1e-15, names.at(transport));
  }
}

// Reference §12, first table, and the demand on any axis.
BOOST_AUTO_TEST_CASE(rotation_of_a_pair_by_90_degrees) {
  const Vec3 n0{1, 0, 0}, f0{0, 0.6, 0.8};
  const auto error = [&](Vec3 axis, int steps, Transport transport) {
    const Vec3 a = unit(axis);
    Carried c(n0, f0);
    for (int k = 1; k <= steps; ++k) c.step(turned(n0, a, 0.5 * pi * k / steps), (0.5 * pi / steps) * a, transport);
    return norm(c.vector() - turned(f0, a, 0.5 * pi));
  };
  struct Row {
    Vec3 axis;
    double none, projection, twirl[3], standard[3];
  };
  const Row rows[] = {{{1, 0, 0}, 1.41, 1.41, {1.24e-2, 1.23e-3, 1.23e-4}, {0, 0, 0}},
                      {{0, 0.6, 0.8}, 0, 0, {0, 0, 0}, {0, 0, 0}},
                      {{0, -0.8, 0.6}, 1.41, 1.23e-3, {1.23e-2, 1.23e-3, 1.23e-4}, {0, 0, 0}},
                      {{1, 0, 1}, 1.17, 1.05, {4.9e-3, 4.9e-4, 4.9e-5}, {1.1e-5, 1.1e-7, 1.1e-9}},
                      {{1, 1, 1}, 0.83, 0.88, {4.1e-3, 4.1e-4, 4.1e-5}, {1.2e-5, 1.2e-7, 1.2e-9}},
                      {{1, 2, 3}, 0.39, 0.42, {1.1e-3, 1.1e-4, 1.1e-5}, {8.0e-6, 8.0e-8, 8.0e-10}}};
  const int steps[] = {100, 1000, 10000};
  for (const Row& r : rows) {
    // To the digits printed.
    const auto printed = [](double found, double value) {
      return value == 0 ? found < 1e-12 : std::abs(found / value - 1) < 0.06;
    };
    BOOST_TEST_INFO("axis " << r.axis.x << ' ' << r.axis.y << ' ' << r.axis.z);
    BOOST_TEST(printed(error(r.axis, 1000, Transport::none), r.none));
    BOOST_TEST(printed(error(r.axis, 1000, Transport::projection), r.projection),
               error(r.axis, 1000, Transport::projection));
    for (int k = 0; k < 3; ++k) {
      BOOST_TEST(printed(error(r.axis, steps[k], Transport::projection_twirl), r.twirl[k]),
                 error(r.axis, steps[k], Transport::projection_twirl));
      BOOST_TEST(printed(error(r.axis, steps[k], Transport::swing_twist), r.standard[k]),
                 error(r.axis, steps[k], Transport::swing_twist));
      BOOST_TEST(error(r.axis, steps[k], Transport::exact) < 1e-12);
    }
  }
  geometry::Random random(3);
  for (int n = 0; n < 200; ++n) {
    const Vec3 axis{random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5};
    BOOST_TEST(error(axis, 1000, Transport::swing_twist) <= 3e-7);
    BOOST_TEST(error(axis, 1000, Transport::exact) <= 1e-12);
  }
}

// Reference §2: what a rigid rotation leaves as movement, branch length 1, 90° in 1000 steps.
BOOST_AUTO_TEST_CASE(rigid_rotation_moves_nothing) {
  struct Row {
    Vec3 axis;
    double one_end_normal, one_end_tangential, mid_normal, mid_tangential;
  };
  const Row rows[] = {{{0, 0, 1}, 1.23e-3, 1e-6, 2.5e-10, 3.2e-7},
                      {{1, 1, 0}, 6.2e-4, 6.2e-4, 1.3e-10, 2.3e-7},
                      {{1, 2, 3}, 1.15e-3, 3.2e-4, 2.4e-10, 3.1e-7}};
  const int steps = 1000;
  const double angle = 0.5 * pi / steps, overlap = 1e-4;
  for (const Row& r : rows) {
    const Vec3 a = unit(r.axis), w = angle * a;
    double end_normal = 0, end_tangential = 0, mid_normal = 0, mid_tangential = 0, exact = 0;
    for (int k = 0; k < steps; ++k) {
      const Vec3 n0 = turned({1, 0, 0}, a, angle * k), n1 = turned({1, 0, 0}, a, angle * (k + 1));
      const double radius = 0.5 + 0.5 * overlap;  // branch 1
      const Vec3 moved = n1 - n0;                 // of j; i turns in its place
      const Vec3 arm_0 = sphere_arm(radius, overlap, n0), arm_1 = sphere_arm(radius, overlap, n1),
                 mid = 0.5 * (arm_0 + arm_1);
      const auto add = [](Vec3 movement, Vec3 n, double& normal, double& tangential) {
        normal += std::abs(dot(movement, n));
        tangential += norm(movement - dot(movement, n) * n);
      };
      add(pair_movement({}, moved, w, w, arm_1, -arm_1), n1, end_normal, end_tangential);
      const Vec3 plain = pair_movement({}, moved, w, w, mid, -mid), middle = unit(n0 + n1);
      add(plain, middle, mid_normal, mid_tangential);
      exact += norm(pair_movement({}, moved, chord_rotation(w), chord_rotation(w), mid, -mid));
    }
    BOOST_TEST_INFO("axis " << r.axis.x << ' ' << r.axis.y << ' ' << r.axis.z);
    BOOST_TEST(std::abs(end_normal / r.one_end_normal - 1) < 0.02, end_normal);
    BOOST_TEST((r.one_end_tangential < 1e-5 ? end_tangential < 2e-6
                                            : std::abs(end_tangential / r.one_end_tangential - 1) < 0.02),
               end_tangential);
    BOOST_TEST(mid_tangential < 1.05 * r.mid_tangential, mid_tangential);
    BOOST_TEST(mid_normal < 1.05 * r.mid_normal, mid_normal);
    BOOST_TEST(exact < 1e-12, exact);
  }
}

BOOST_AUTO_TEST_CASE(half_angle_tangents) {
  for (const double x : {1e-9, 1e-3, 0.0316, 0.03163, 0.1, 0.7, 1.5}) {
    BOOST_TEST(std::abs(tan_over_argument(x * x) * x / std::tan(x) - 1) < 4e-16, x);
    // Standard form: the twist is w·n itself; exact: that of the axis scaled.
    const Vec3 n = unit({1, 2, -2}), w = x * unit({0.3, -1, 0.4});
    BOOST_TEST(std::abs(2 * std::atan(twist_half_tangent(w, n, false)) - dot(w, n)) < 1e-15);
    BOOST_TEST(std::abs(twist_half_tangent(w, n, true) - std::tan(0.5 * x) * dot(w, n) / x) < 1e-15);
  }
  BOOST_TEST(tan_over_argument(0) == 1);
}

// Carrying the frame and carrying the vector are the same; the components of a movement are those of the movement
// brought to the end frame by swing and half the twist, as §2 writes it.
BOOST_AUTO_TEST_CASE(components_are_those_of_the_vectors) {
  geometry::Random random(11);
  const auto vector = [&] { return Vec3{random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5}; };
  for (int n = 0; n < 2000; ++n) {
    const Vec3 n0 = unit(vector()), n1 = unit(n0 + 0.3 * vector()), w = 0.4 * vector(), movement = vector();
    const Vec3 from = any_direction(n0);
    for (const bool exact : {false, true}) {
      const double t = twist_half_tangent(w, n1, exact), phi = 2 * std::atan(t);
      const Vec3 to = carried_direction(from, n0, n1, t), to_2 = cross(n1, to);
      BOOST_REQUIRE(std::abs(norm(to) - 1) < 1e-15);
      BOOST_REQUIRE(std::abs(dot(to, n1)) < 1e-15);
      const Vec3 f = 0.3 * from - 0.7 * cross(n0, from), carried = turned(swing(f, n0, n1), n1, phi);
      BOOST_REQUIRE(near(carried, 0.3 * to - 0.7 * to_2, 1e-14));
      const Vec3 middle = unit(n0 + n1), in_plane = movement - dot(movement, middle) * middle;
      const Vec3 at_end = turned(swing(in_plane, middle, n1), n1, 0.5 * phi);
      const Vec2 parts = tangential_movement(movement, n0, n1, to, t);
      BOOST_REQUIRE((std::abs(parts.x - dot(at_end, to)) < 1e-14 && std::abs(parts.y - dot(at_end, to_2)) < 1e-14));
      // Seen from the other body: −n, the movement of i relative to j, the same shift.
      const Vec2 back = tangential_movement(-movement, -n0, -n1, to, -t);
      BOOST_REQUIRE(near(-(back.x * to + back.y * cross(-n1, to)), parts.x * to + parts.y * to_2, 1e-14));
    }
  }
  // A normal that turned over has no smallest rotation: a new direction, and no NaN.
  const Vec3 n0{0, 0.6, 0.8}, to = carried_direction(any_direction(n0), n0, -n0, 0.1);
  BOOST_TEST(turned_over(n0, -n0));
  BOOST_TEST(!turned_over(n0, unit({0, 0.6, -0.8})));
  BOOST_TEST(near(to, any_direction(-n0), 0));
  BOOST_TEST(std::isfinite(tangential_movement({1, 2, 3}, n0, -n0, to, 0.1).x));
  for (const Vec3 n : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}, unit({1, 1, 1})})
    BOOST_TEST(std::abs(dot(any_direction(n), n)) < 3e-16);
}

namespace {

/// Two spheres of radius 0.5 on smooth paths (§12, second table): both turn with a frame about `axis`, in which j goes
/// round i a little and they turn against each other.
struct Path {
  Vec3 axis;
  double turn;           ///< of the frame (rad)
  double along, across;  ///< way of j across the normal in the frame's directions 2 and 3 (m)
  struct Pose {
    Vec3 j;
    Eigen::Quaterniond of_i, of_j;
  };
  Pose at(double t) const {
    const auto about = [](Vec3 a, double angle) {
      return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d(a.x, a.y, a.z)));
    };
    const Eigen::Quaterniond frame = about(unit(axis), turn * t * t * (3 - 2 * t));
    const double distance = 1 - 1e-4 * (1 + 0.3 * std::sin(5 * t));
    const double y = along * std::sin(4 * t), z = across * (1 - std::cos(3 * t));
    const Eigen::Vector3d j = frame * (distance * Eigen::Vector3d(std::sqrt(1 - y * y - z * z), y, z));
    return {{j.x(), j.y(), j.z()},
            frame * about({0, 0, 1}, 0.2 * along * t),
            frame * about({0, 1, 0}, -0.3 * across * t * t)};
  }
};

enum class Variant { end_arms, end_plane, mid_frame, exact };

/// f_t on i at 100 moments, over the friction limit 0.5 · 1e-4 k_n.
std::vector<Vec3> followed(const Path& path, Variant variant, int steps) {
  const bool printed = variant == Variant::end_arms || variant == Variant::end_plane;
  const Transport transport = printed                     ? Transport::projection_twirl
                              : variant == Variant::exact ? Transport::exact
                                                          : Transport::swing_twist;
  Path::Pose before = path.at(0);
  Vec3 n0 = unit(before.j);
  double overlap_0 = 1 - norm(before.j);
  const double limit = 0.5e-4;
  const Vec3 start = any_direction(n0);
  Carried c(n0, {});
  c.direction_1 = start;
  std::vector<Vec3> forces;
  const auto rotation = [](const Eigen::Quaterniond& to, const Eigen::Quaterniond& from) {
    const Eigen::AngleAxisd turn(to * from.conjugate());
    const Eigen::Vector3d v = turn.angle() * turn.axis();
    return Vec3{v.x(), v.y(), v.z()};
  };
  for (int k = 1; k <= steps; ++k) {
    const Path::Pose now = path.at(double(k) / steps);
    const Vec3 n1 = unit(now.j), by_i = rotation(now.of_i, before.of_i), by_j = rotation(now.of_j, before.of_j),
               w = 0.5 * (by_i + by_j);
    const double overlap_1 = 1 - norm(now.j);
    const Vec3 end = sphere_arm(0.5, overlap_1, n1), mid = 0.5 * (sphere_arm(0.5, overlap_0, n0) + end);
    const Vec3 arm = variant == Variant::end_arms ? end : mid;
    const bool exact = variant == Variant::exact;
    const Vec3 movement = pair_movement({}, now.j - before.j, exact ? chord_rotation(by_i) : by_i,
                                        exact ? chord_rotation(by_j) : by_j, arm, -arm);
    c.step(n1, w, transport);
    const Vec2 shift = printed ? Vec2{dot(movement, c.direction_1), dot(movement, cross(n1, c.direction_1))}
                               : tangential_movement(movement, n0, n1, c.direction_1, twist_half_tangent(w, n1, exact));
    laws::Block b{};
    b.count = 1;
    b.normal_start[0] = overlap_0;  // k_n = k_t = 1
    b.normal_end[0] = overlap_1;
    b.lost[0] = 1;
    b.shift_1[0] = shift.x;
    b.shift_2[0] = shift.y;
    b.stiffness[0] = 1;
    b.friction[0] = 0.5;
    const laws::LawChoice law("linear-refined");
    law->pass(law.data(), {}, b, c.history);
    before = now;
    n0 = n1;
    overlap_0 = overlap_1;
    if (k % (steps / 100) == 0) forces.push_back((1 / limit) * c.vector());
  }
  return forces;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, norm(a[k] - b[k]));
  return largest;
}

}  // namespace

// Reference §12, second table. It does not give the paths; these are of the kind described, and the errors are of the
// table's order.
BOOST_AUTO_TEST_CASE(movement_of_a_pair_on_smooth_paths) {
  const Path oblique{{1, 2, 3}, 1.5, 3e-5, 2e-5}, sliding{{1, 2, 3}, 1.5, 4e-4, 3e-4}, twirl{{1, 0, 0}, 2, 4e-4, 3e-4};
  struct Errors {
    double once, twice;
    double order() const { return std::log2(once / twice); }
  };
  const auto errors = [](const Path& path, Variant v) {
    static std::map<const Path*, std::vector<Vec3>> truths;
    if (!truths.contains(&path)) truths[&path] = followed(path, Variant::exact, 64000);
    return Errors{largest_difference(followed(path, v, 1000), truths[&path]),
                  largest_difference(followed(path, v, 2000), truths[&path])};
  };
  // Arms of one end: wrong by the friction limit or a good part of it, and hardly better with twice the steps.
  BOOST_TEST(errors(oblique, Variant::end_arms).once > 0.5);
  BOOST_TEST(errors(sliding, Variant::end_arms).once > 0.2);
  const Errors end = errors(twirl, Variant::end_arms), plane = errors(twirl, Variant::end_plane);
  BOOST_TEST((end.once > 1e-3 && std::abs(end.order() - 1) < 0.1), end.once);
  BOOST_TEST((plane.once > 5e-4 && std::abs(plane.order() - 1) < 0.1), plane.once);
  for (const Path* path : {&oblique, &sliding, &twirl}) {
    const Errors mid = errors(*path, Variant::mid_frame), exact = errors(*path, Variant::exact);
    BOOST_TEST((mid.once < 1e-2 && std::abs(mid.order() - 2) < 0.1), mid.once << " order " << mid.order());
    BOOST_TEST((exact.once < 2e-5 && std::abs(exact.order() - 2) < 0.1), exact.once << " order " << exact.order());
    if (path != &twirl) BOOST_TEST(exact.once < 0.02 * mid.once);
    BOOST_TEST(errors(*path, Variant::end_plane).once < 0.02);
  }
}

BOOST_AUTO_TEST_SUITE_END()
