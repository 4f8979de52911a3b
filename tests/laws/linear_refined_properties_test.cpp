// Properties of law linear-refined that hold for any input (linear-frictional-contact reference, §17, numbers as
// there), in 24 000 random steps of a fixed seed. Contacts are made and lost, and are on and outside their limit.
#include "laws/refined_step.hpp"
#include "tests/laws/jaeger_paths.hpp"

using namespace refined;

namespace {

constexpr int count = 24000;

struct Draw : laws::jaeger_paths::Draw {
  Draw() : laws::jaeger_paths::Draw{geometry::Random(170717)} {}
  /// kn = 1e5 N/m and overlaps about 1e-3 m; the other scales follow from scaling (property 5).
  Step step() {
    Step s;
    s.kt = s.kn * log_between(0.05, 5);
    s.mu = between(0.01, 1.5);
    s.overlap_0 = between(1e-4, 1e-3);
    const int kind = one_of(10);
    if (kind == 0) s.overlap_0 = -s.overlap_0;
    if (kind == 1)
      s.overlap_1 = -between(1e-5, 1e-3);
    else if (kind < 4)
      s.overlap_1 = std::abs(s.overlap_0) * (1 + log_between(1e-14, 1e-2) * (one_of(2) ? 1 : -1));
    else if (kind == 4)
      s.overlap_1 = std::abs(s.overlap_0) * log_between(1e-6, 1);
    else if (kind == 5)
      s.overlap_1 = s.overlap_0;
    else
      s.overlap_1 = between(1e-5, 1.5e-3);
    const double limit = s.mu * s.kn * std::max(s.overlap_0, 0.0),
                 largest = s.mu * s.kn * std::max(s.overlap_0, s.overlap_1);
    const int place = one_of(10);
    const double size = place < 4   ? limit * (1 - 1e-15)
                        : place < 9 ? limit * random.uniform()
                                    : limit * between(1, 3),
                 turn = between(-pi, pi);
    s.f0 = {size * std::cos(turn), size * std::sin(turn)};
    const int way = one_of(8);  // along, against, square to the force, or any
    const double far = log_between(1e-6, 30) * largest / s.kt;
    const double along = way == 0   ? turn
                         : way == 1 ? turn + pi + between(-0.1, 0.1)
                         : way == 2 ? turn + pi / 2
                                    : between(-pi, pi);
    s.shift = {far * std::cos(along), far * std::sin(along)};
    return s;
  }
};

double largest_limit(const Step& s) { return s.mu * s.kn * std::max({s.overlap_0, s.overlap_1, 0.0}); }
double energy_of(const Step& s) { return largest_limit(s) * largest_limit(s) / s.kt; }
bool starts_outside(const Step& s) { return length(s.f0) > s.mu * s.kn * std::max(s.overlap_0, 0.0); }

/// Angle from the movement to the force at the onset of sliding.
double onset_angle(const Step& s, const Outcome& o) {
  const Block b = row(s);
  const double part = (b.lost[0] - b.made[0]) * (1 - o.slid);
  const double x = s.f0.x + s.kt * part * s.shift.x, y = s.f0.y + s.kt * part * s.shift.y;
  return std::atan2(s.shift.x * y - s.shift.y * x, s.shift.x * x + s.shift.y * y);
}

Vector turned(Vector v, double angle) {
  return {std::cos(angle) * v.x - std::sin(angle) * v.y, std::sin(angle) * v.x + std::cos(angle) * v.y};
}

/// The step in two proportional parts; a part without contact does nothing.
Outcome in_two(const Step& s, double alpha, const Options& options = {}) {
  Step a = s, b = s;
  a.overlap_1 = b.overlap_0 = s.overlap_0 + alpha * (s.overlap_1 - s.overlap_0);
  a.shift = {alpha * s.shift.x, alpha * s.shift.y};
  b.shift = {s.shift.x - a.shift.x, s.shift.y - a.shift.y};
  Outcome first{}, second{};
  if (a.overlap_0 > 0 || a.overlap_1 > 0) first = take(a, options);
  b.f0 = first.f1;
  second = first;
  if (b.overlap_0 > 0 || b.overlap_1 > 0) {
    second = take(b, options);
    second.work += first.work;
    second.dissipated += first.dissipated;
  }
  return second;
}

}  // namespace

/// 1, 2, 6, 9. A step that sticks adds k_t times its movement, so that closed paths give everything back (8).
BOOST_AUTO_TEST_CASE(limit_dissipation_and_finite_numbers) {
  Draw draw;
  Options trapezoid;
  trapezoid.sliding_work = SlidingWork::trapezoid;
  int slid = 0, lost = 0, outside = 0;
  for (int n = 0; n < count; ++n) {
    const Step s = draw.step();
    const Outcome o = take(s), t = take(s, trapezoid);
    BOOST_TEST_INFO("step " << n);
    const long double size = std::sqrt((long double)o.f1.x * o.f1.x + (long double)o.f1.y * o.f1.y),
                      limit = (long double)s.mu * o.fn1;
    BOOST_REQUIRE(size <= limit * (1 + 4e-16L));
    if (o.slid > 0) BOOST_REQUIRE(size >= limit * (1 - 6e-16L));
    BOOST_REQUIRE((std::isfinite(o.f1.x) && std::isfinite(o.f1.y) && std::isfinite(o.work) && std::isfinite(o.stored)));
    BOOST_REQUIRE(o.dissipated >= -1e-14 * energy_of(s));
    const double start = 0.5 * length(s.f0) * length(s.f0) / s.kt, part = row(s).lost[0] - row(s).made[0];
    if (o.slid == 0 && !starts_outside(s)) {
      BOOST_REQUIRE(o.dissipated == 0);
      BOOST_REQUIRE(near(o.f1.x, s.f0.x + s.kt * part * s.shift.x, 1e-14 * largest_limit(s)));
      BOOST_REQUIRE(near(o.f1.y, s.f0.y + s.kt * part * s.shift.y, 1e-14 * largest_limit(s)));
    }
    for (const Outcome& w : {o, t}) {
      BOOST_REQUIRE(near(w.stored, 0.5 * (w.f1.x * w.f1.x + w.f1.y * w.f1.y) / s.kt, 4e-15 * energy_of(s)));
      BOOST_REQUIRE(near(w.work, w.change + w.dissipated, 4e-15 * (energy_of(s) + std::abs(w.work) + start)));
    }
    slid += o.slid > 0;
    lost += s.overlap_1 <= 0;
    outside += starts_outside(s);
  }
  BOOST_TEST((slid > count / 3 && lost > count / 20 && outside > count / 20));
}

BOOST_AUTO_TEST_CASE(a_step_is_a_flow) {  // 3
  Draw draw;
  const Options conventional = with(false, false, false);
  int compared = 0, turning = 0, conventional_differs = 0;
  for (int n = 0; n < count; ++n) {
    const Step s = draw.step();
    const double alpha = draw.between(0.02, 0.98);
    const Outcome whole = take(s), parts = in_two(s, alpha);
    const double limit = largest_limit(s), energy = energy_of(s);
    // Within 1e-3 rad of straight against the movement rounding grows by e^E (§8).
    const double theta = whole.slid > 0 && length(s.f0) > 0 ? onset_angle(s, whole) : 0;
    if (std::abs(theta) > pi - 1e-3) continue;
    ++compared;
    BOOST_TEST_INFO("step " << n << " split at " << alpha << ", slid " << whole.slid << ", theta " << theta);
    BOOST_REQUIRE((near(whole.f1.x, parts.f1.x, 1e-11 * limit) && near(whole.f1.y, parts.f1.y, 1e-11 * limit)));
    BOOST_REQUIRE(near(whole.work, parts.work, 1e-11 * (energy + std::abs(whole.work))));
    BOOST_REQUIRE(near(whole.dissipated, parts.dissipated, 1e-11 * (energy + std::abs(whole.work))));
    if (whole.slid > 0.1 && std::abs(theta) > 0.3 && std::abs(theta) < 2.8 && length(s.shift) > 0.1 * limit / s.kt) {
      ++turning;
      const Outcome once = take(s, conventional), twice = in_two(s, alpha, conventional);
      conventional_differs += std::hypot(once.f1.x - twice.f1.x, once.f1.y - twice.f1.y) > 1e-6 * limit ||
                              std::abs(once.work - twice.work) > 1e-6 * energy;
    }
  }
  BOOST_TEST((compared > 20000 && turning > 1000));
  BOOST_TEST(conventional_differs > 9 * turning / 10);  // the conventional model is none
}

BOOST_AUTO_TEST_CASE(turned_mirrored_scaled_and_seen_from_the_other_body) {  // 4, 5
  Draw draw;
  for (int n = 0; n < count; ++n) {
    const Step s = draw.step();
    const Outcome o = take(s);
    if (o.slid > 0 && std::abs(onset_angle(s, o)) > pi - 1e-3) continue;
    const double limit = largest_limit(s), energy = energy_of(s) + std::abs(o.work), angle = draw.between(-pi, pi),
                 by = draw.log_between(1e-3, 1e3);
    // Force and energy of the other step are those of this one times `force` and `work`.
    const auto same = [&](const Step& other, Vector f1, double within, double force = 1, double work = 1) {
      const Outcome p = take(other);
      return near(p.f1.x / force, f1.x, within * limit) && near(p.f1.y / force, f1.y, within * limit) &&
             near(p.work / work, o.work, within * energy) && near(p.dissipated / work, o.dissipated, within * energy);
    };
    BOOST_TEST_INFO("step " << n << " by " << by);
    Step t = s;
    t.f0 = turned(s.f0, angle);
    t.shift = turned(s.shift, angle);
    BOOST_REQUIRE(same(t, turned(o.f1, angle), 1e-11));
    t.f0 = {s.f0.x, -s.f0.y};
    t.shift = {s.shift.x, -s.shift.y};
    BOOST_REQUIRE(same(t, {o.f1.x, -o.f1.y}, 0));
    t.f0 = {-s.f0.x, -s.f0.y};  // the force on j, which i moves against
    t.shift = {-s.shift.x, -s.shift.y};
    BOOST_REQUIRE(same(t, {-o.f1.x, -o.f1.y}, 0));
    Step stiff = s, large = s;
    for (double* x : {&stiff.kn, &stiff.kt, &stiff.f0.x, &stiff.f0.y}) *x *= by;
    BOOST_REQUIRE(same(stiff, o.f1, 1e-11, by, by));
    for (double* x : {&large.overlap_0, &large.overlap_1, &large.shift.x, &large.shift.y, &large.f0.x, &large.f0.y})
      *x *= by;
    BOOST_REQUIRE(same(large, o.f1, 1e-11, by, by * by));
  }
}

BOOST_AUTO_TEST_CASE(a_sliding_force_turns_towards_the_movement) {  // 7
  Draw draw;
  int turning = 0;
  for (int n = 0; n < count; ++n) {
    const Step s = draw.step();
    const Outcome o = take(s);
    if (!(o.slid > 0) || o.fn1 == 0 || length(s.f0) == 0 || length(s.shift) == 0) continue;
    const double before = onset_angle(s, o),
                 after = std::atan2(s.shift.x * o.f1.y - s.shift.y * o.f1.x, s.shift.x * o.f1.x + s.shift.y * o.f1.y);
    BOOST_TEST_INFO("step " << n << ": " << before << " to " << after);
    BOOST_REQUIRE(std::abs(after) <= std::abs(before) + 1e-14);
    if (std::abs(before) > 1e-14 && std::abs(before) < pi - 1e-14 && std::abs(after) > 1e-14)
      BOOST_REQUIRE(before * after > 0);
    turning += std::abs(after) < 0.9 * std::abs(before);
  }
  BOOST_TEST(turning > 1000);
}
