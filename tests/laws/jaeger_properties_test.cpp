// Properties of one Jäger contact that hold for any history (jaeger-contact reference, §7 to §9, §11, numbers as there), and random
// histories by bisection of Eq. M in long double. Fixed seeds.
//
// Round-off. Each leg put or taken away rounds the kept F_t in its last place, f F_n ε at most with F_n the largest since the contact began,
// and nothing takes that away before the contact slides: deviations are held against 1e-14 f F_n per thousand steps (§4). U_t is a sum of
// products of the size 2κ f² F_n ζ that nearly cancel where legs are thin; its deviations are held against that size, at the same rate.
#include "libdem/laws/jaeger_contact.hpp"

#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "geometry/random.hpp"

using namespace dem::laws;

namespace {

constexpr double pi = std::numbers::pi, eps = std::numeric_limits<double>::epsilon(), nan = std::numeric_limits<double>::quiet_NaN();

struct Draw {
  dem::geometry::Random random;
  double between(double a, double b) { return a + (b - a) * random.uniform(); }
  double log_between(double a, double b) { return a * std::exp(random.uniform() * std::log(b / a)); }
  int one_of(int n) { return int(n * random.uniform()); }
  std::uint64_t seed() { return std::uint64_t(0x1p53 * random.uniform()); }
};

/// One step: half-overlap at its end (m), half of the tangential movement (m).
struct Move {
  double z = 0, x = 0, y = 0;
  double size() const { return std::sqrt(x * x + y * y); }
};

enum class Overlap { constant, rising, falling, wandering, parting };
constexpr std::array overlaps{Overlap::constant, Overlap::rising, Overlap::falling, Overlap::wandering, Overlap::parting};

/// A random history: any size of step, repeats, ways back, steps at the limit of sticking.
class Path {
 public:
  /// `usual`: largest common movement over κ f ζ, which the contact holds at most; `rare`: the share of huge ones.
  Path(std::uint64_t seed, const JaegerCoefficients& c, Overlap overlap, bool plane, double usual = 3, double rare = 0.02)
      : draw_{dem::geometry::Random(seed)}, c_(c), overlap_(overlap), plane_(plane), usual_(usual), rare_(rare), top_(0.01 * c.radius) {}

  Move next() {
    const Move m = drawn();
    before_ = z_;
    last_ = m;
    z_ = m.z > 0 ? m.z : 0;
    return m;
  }
  /// The contact was taken apart.
  void restart() { z_ = 0; }

 private:
  double overlap() {
    switch (overlap_) {
      case Overlap::constant: return z_ > 0 ? z_ : top_ * draw_.between(0.3, 1);
      case Overlap::rising: return z_ > top_ ? -z_ : z_ > 0 ? z_ * (1 + draw_.log_between(1e-9, 0.05)) : top_ * draw_.log_between(1e-4, 0.5);
      case Overlap::falling: return z_ > 1e-8 * top_ ? z_ * (1 - draw_.log_between(1e-9, 0.3)) : top_ * draw_.between(0.5, 1);
      case Overlap::wandering: break;
      case Overlap::parting:
        if (draw_.one_of(40) == 0) return std::array{0.0, -top_, nan, 1e-100}[std::size_t(draw_.one_of(4))];
    }
    const double z = z_ * std::exp(draw_.between(-0.2, 0.2));
    return z > 1e-4 * top_ && z < top_ ? z : top_ * draw_.between(0.1, 0.5);
  }
  Move to(double z, double size) {
    const double angle = plane_ ? pi * draw_.one_of(2) : draw_.between(-pi, pi);
    return {z, size * std::cos(angle), plane_ ? 0 : size * std::sin(angle)};
  }
  Move drawn() {
    const bool constant = overlap_ == Overlap::constant;
    const double holds = c_.ratio * std::max(c_.friction, 0.01) * (z_ > 0 ? z_ : top_);
    const double next = overlap();  // drawn first: compilers differ in the order of arguments
    if (draw_.random.uniform() < rare_) return to(next, holds * draw_.log_between(10, 1e6));
    if (z_ > 0) {
      const double again = z_ + (z_ - before_), back = before_ > 0 ? before_ : z_;
      switch (draw_.one_of(24)) {
        case 0: return {z_, 0, 0};
        case 1: return {again > 0 ? again : z_, last_.x, last_.y};
        case 2: return {back, -last_.x, -last_.y};
        case 3: return {back, -2 * last_.x, -2 * last_.y};
        case 4: return {next, 0, 0};
        case 5: return to(constant ? z_ : std::nextafter(z_, next > z_ ? 2 * z_ : 0), holds * draw_.log_between(1e-18, 1e-8));
        case 6: return to(next, c_.friction * c_.ratio * std::abs(next - z_));
        case 7:
        case 8:
        case 9:
        case 10: return to(next, draw_.random.uniform() * c_.friction * c_.ratio * std::abs(next - z_));
        default: break;
      }
    }
    return to(next, holds * (draw_.one_of(8) ? draw_.log_between(1e-4, usual_) : draw_.log_between(1e-15, 1e-4)));
  }

  Draw draw_;
  JaegerCoefficients c_;
  Overlap overlap_;
  bool plane_;
  double usual_, rare_, top_;
  double z_ = 0, before_ = 0;
  Move last_;
};

JaegerCoefficients coefficients(Draw& draw, double friction) {
  const double ratio = draw.between(1, 1.5), r_p = draw.log_between(1e-4, 1), r_q = draw.log_between(1e-4, 1);
  return {{draw.log_between(1, 1e10), ratio, 2 * r_p * r_q / (r_p + r_q)}, friction, 0, false};
}

/// A contact that may be copied, with all it remembers.
template <class Pool = LegPool>
struct Single {
  JaegerCoefficients c;
  Pool pool{};
  JaegerHistory<Pool> h{};
  double merged = 0;

  StepRegime step(Move m) {
    JaegerContact contact(c, h, pool);
    const StepRegime regime = contact.step(m.z, {m.x, m.y});
    merged = contact.merged();
    return regime;
  }
  void clear() { JaegerContact(c, h, pool).clear(); }
  /// Legs from the bottom up, after the sentinel.
  auto legs() {
    std::vector<typename JaegerContact<Pool>::Piece> all;
    JaegerContact(c, h, pool).for_each([&](const auto& leg, const auto&) { all.push_back(leg); });
    all.emplace_back();
    std::reverse(all.begin(), all.end());
    return all;
  }
};

template <class History>
double distance(const History& a, const History& b) {
  return std::hypot(a.force_1 - b.force_1, a.force_2 - b.force_2);
}

/// The largest of many deviations, and where it was seen.
struct Largest {
  double value = 0;
  long at = 0;
  void see(double v, long step) {
    if (!(v <= value) && value == value) value = v, at = step;  // what is no number stays
  }
};
void within(const Largest& l, double bound, const char* what) {
  BOOST_TEST_CONTEXT(what << ", step " << l.at) BOOST_TEST(l.value <= bound);
}

/// Sizes that deviations are held against, and how these grow with steps.
struct Scale {
  double force = 0, stored = 0, steps = 0;
  void see(const JaegerCoefficients& c, double z, double count = 1) {
    if (!(z > 0)) {
      *this = {};
      return;
    }
    steps += count;
    force = std::max(force, c.friction * c.normal_force(z));
    stored = std::max(stored, 2 * c.ratio * c.friction * c.friction * c.normal_force(z) * z);
  }
  double growth() const { return 1 + steps / 1000; }
};
double share(double deviation, double of) { return deviation == 0 ? 0 : deviation / of; }

}  // namespace

BOOST_AUTO_TEST_SUITE(jaeger_properties)

/// §7, §8.8, §16 item 9, after each of 10^4 steps of contacts of all kinds, which take their steps from one pool in random order.
BOOST_AUTO_TEST_CASE(invariants) {
  constexpr int steps = 10000;
  struct Watched {
    JaegerCoefficients c;
    bool plane;
    Path path;
    JaegerHistory<LegPool> h{};
    int left = steps;
    bool slid = false;
    double moved_1 = 0, moved_2 = 0, rounding = 0;  // since touch
    Scale scale{};
  };
  LegPool pool;
  Draw draw{dem::geometry::Random(1812)};
  std::vector<Watched> contacts;
  for (const double friction : {0.0, 1e-3, 0.3, 1.0, 1.5}) {
    for (const Overlap overlap : overlaps) {
      for (const bool plane : {true, false}) {
        for (const bool gentle : {true, false}) {  // long histories, and many that slide
          JaegerCoefficients c = coefficients(draw, friction);
          if (draw.one_of(4) == 0) c.merge_slope = 0.1 * friction;
          c.pursuit = draw.one_of(3) == 0;
          contacts.push_back({c, plane, gentle ? Path(draw.seed(), c, overlap, plane, 0.02, 2e-4) : Path(draw.seed(), c, overlap, plane)});
        }
      }
    }
  }
  Largest slope, above_limit, off_limit, kept_force, kept_stored, negative_stored, elongation;
  std::array<long, 6> seen{};
  long longest = 0, held = 0;
  for (std::size_t open = contacts.size(); open > 0;) {
    Watched& w = contacts[std::size_t(draw.one_of(int(contacts.size())))];
    if (w.left == 0) continue;
    const long at = steps - w.left--;
    if (w.left == 0) --open;
    const Move m = w.path.next();
    const long before = long(w.h.legs());
    const double z_before = w.h.z;
    JaegerContact contact(w.c, w.h, pool);
    const StepRegime regime = contact.step(m.z, {m.x, m.y});
    ++seen[std::size_t(regime)];
    if (regime == StepRegime::slide) w.scale = {};
    w.scale.see(w.c, m.z);
    const long change = long(w.h.legs()) - before;
    const char* wrong = nullptr;
    const auto require = [&](bool holds, const char* what) {
      if (!holds && !wrong) wrong = what;
    };
    if (regime == StepRegime::separated) {
      BOOST_REQUIRE((!(m.z > 0) && w.h.legs() == 0 && w.h.force_1 == 0 && w.h.force_2 == 0 && w.h.stored == 0 && w.h.normal_force == 0));
      w.slid = false;
      w.moved_1 = w.moved_2 = w.rounding = 0;
      continue;
    }
    const double f = w.c.friction, force = w.h.normal_force;
    const bool sticks = m.z > z_before && m.size() < f * w.c.ratio * (m.z - z_before);
    bool ordered = w.h.z == m.z && force == w.c.normal_force(m.z);
    contact.for_each([&](const auto& leg, const auto& below) {
      // F* may round to the same number where ζ* differ by a few units in the last place.
      ordered &= leg.z > below.z && (leg.force > below.force || (leg.force == below.force && leg.z - below.z <= 4 * eps * leg.z));
      slope.see(share(leg.p.size() - f, f), at);
    });
    require(ordered, "order of legs, or their top");
    require(std::isfinite(w.h.force_1) && std::isfinite(w.h.force_2) && std::isfinite(w.h.stored), "finite numbers");
    require(sticks == (regime == StepRegime::stick), "regime");
    if (regime == StepRegime::unchanged) require(change == 0, "legs unchanged");
    if (sticks && w.c.merge_slope == 0) require(change == 1, "legs of a stick step");
    if (regime == StepRegime::slip || sticks) require(change <= 1, "legs of a slip step");
    if (regime == StepRegime::retrace) require(change <= 0, "legs of a way back");
    if (regime == StepRegime::slide) require(w.h.legs() == 1, "legs of a contact that slides");
    if (w.plane) require(w.h.force_2 == 0, "force in the plane");
    if (f == 0) require(w.h.legs() == 1 && w.h.force_1 == 0 && w.h.stored == 0, "no force without friction");
    BOOST_REQUIRE_MESSAGE(!wrong, wrong << ": contact " << &w - contacts.data() << ", step " << at << ", regime " << int(regime) << ", legs "
                                        << before << " and " << change);
    longest = std::max(longest, long(w.h.legs()));

    // |F_t| ≤ f F_n but for what rounding of the kept force leaves where F_n was larger before.
    const double size = std::hypot(w.h.force_1, w.h.force_2), growth = w.scale.growth();
    above_limit.see(share(size - f * force * (1 + 1e-15), w.scale.force * growth), at);
    if (regime == StepRegime::slide) off_limit.see(share(std::abs(size - f * force), f * force), at);
    const auto sum = contact.force_of_legs();
    kept_force.see(share(std::hypot(sum.x - w.h.force_1, sum.y - w.h.force_2), w.scale.force * growth), at);
    kept_stored.see(share(std::abs(contact.stored_of_legs() - w.h.stored), w.scale.stored * growth), at);
    negative_stored.see(share(-w.h.stored, w.scale.stored * growth), at);

    // (S2): the legs hold the movement since touch while the contact has not slid. Each step rounds it to its own size.
    w.slid |= regime == StepRegime::slide || w.c.merge_slope > 0;
    w.moved_1 += m.x;
    w.moved_2 += m.y;
    w.rounding += m.size() + w.c.ratio * f * m.z;
    if (w.slid) continue;
    const auto xi = JaegerContact<LegPool>::elongation(w.h, pool, w.c.ratio);
    elongation.see(share(std::hypot(xi.x - w.moved_1, xi.y - w.moved_2), w.rounding), at);
    ++held;
  }
  within(slope, 1e-15, "|p| over f");
  within(above_limit, 1e-14, "|F_t| above f F_n");
  within(off_limit, 4 * eps, "|F_t| of a contact that slides");
  within(kept_force, 1e-14, "kept F_t");
  within(kept_stored, 1e-14, "kept U_t");
  within(negative_stored, 1e-14, "U_t below zero");
  within(elongation, 4 * eps, "movement held");
  for (const long n : seen) BOOST_TEST(n > 2000);
  BOOST_TEST(longest > 50);
  BOOST_TEST(held > 50000);

  std::size_t chunks = 0;
  for (const Watched& w : contacts) chunks += (w.h.below.count + 4) / 5;
  BOOST_TEST(pool.used_bytes() == 128 * chunks);
  for (Watched& w : contacts) JaegerContact(w.c, w.h, pool).clear();
  BOOST_TEST(pool.used_bytes() == 0u);
}

/// Overlaps and their differences down to the smallest numbers: forces underflow, quotients may overflow. Movements have a square.
BOOST_AUTO_TEST_CASE(the_smallest_numbers) {
  Draw draw{dem::geometry::Random(324)};
  for (const bool pursuit : {false, true}) {
    Single<> s{coefficients(draw, 0.5)};
    s.c.pursuit = pursuit;
    s.c.merge_slope = pursuit ? 0.05 : 0;
    for (int k = 0; k < 10000; ++k) {
      const Move m{draw.one_of(20) ? draw.log_between(1e-323, 1e-290) : draw.log_between(1e-10, 1e-3),
                   draw.one_of(2) ? draw.log_between(1e-150, 1e-3) : 0, draw.one_of(3) ? 0 : -draw.log_between(1e-150, 1e-3)};
      const StepRegime regime = s.step(m);
      BOOST_REQUIRE_MESSAGE(std::isfinite(s.h.force_1 + s.h.force_2 + s.h.stored + s.h.p_1 + s.h.p_2), "step " << k << ", regime " << int(regime));
      BOOST_REQUIRE(s.h.z == m.z);
    }
    s.clear();
    BOOST_TEST(s.pool.used_bytes() == 0u);
  }
}

namespace {

struct Script {
  std::vector<JaegerCoefficients> coefficients;
  std::vector<std::vector<Move>> moves;  // of each contact
};
using Record = std::vector<std::vector<double>>;  // of each contact: its history after each step, and its legs at the end

/// Contacts that share one pool, or with a pool each; `order` draws whose turn it is, 0: one contact after the other.
template <class Pool>
Record replay(const Script& script, bool one_pool, std::uint64_t order) {
  const std::size_t count = script.moves.size();
  std::vector<Pool> pools(one_pool ? 1 : count);
  std::vector<JaegerHistory<Pool>> histories(count);
  std::vector<std::size_t> done(count, 0);
  Record record(count);
  Draw draw{dem::geometry::Random(order)};
  for (std::size_t k = 0; k < count;) {
    const std::size_t n = order == 0 ? k : std::size_t(draw.one_of(int(count)));
    if (done[n] == script.moves[n].size()) {
      k += n == k;
      continue;
    }
    const Move& m = script.moves[n][done[n]++];
    JaegerHistory<Pool>& h = histories[n];
    JaegerContact contact(script.coefficients[n], h, pools[one_pool ? 0 : n]);
    const StepRegime regime = contact.step(m.z, {m.x, m.y});
    record[n].insert(record[n].end(), {double(regime), h.force_1, h.force_2, h.stored, h.z, h.normal_force, h.p_1, h.p_2, contact.merged()});
  }
  for (std::size_t n = 0; n < count; ++n) {
    JaegerContact contact(script.coefficients[n], histories[n], pools[one_pool ? 0 : n]);
    contact.for_each([&](const auto& leg, const auto&) { record[n].insert(record[n].end(), {leg.z, leg.force, leg.p.x, leg.p.y}); });
    contact.clear();
  }
  for (const Pool& pool : pools) BOOST_TEST(pool.used_bytes() == 0u);
  return record;
}

}  // namespace

/// To the last bit: neither other contacts, nor the order of all their steps, nor the size of chunks shows in a result.
BOOST_AUTO_TEST_CASE(a_contact_does_not_feel_the_pool) {
  Draw draw{dem::geometry::Random(65)};
  Script script;
  for (const Overlap overlap : overlaps) {
    for (int n = 0; n < 4; ++n) {
      JaegerCoefficients c = coefficients(draw, draw.between(0.05, 1.5));
      if (n == 3) c.merge_slope = 0.1 * c.friction;
      c.pursuit = n == 2;
      script.coefficients.push_back(c);
      Path path(draw.seed(), c, overlap, n == 0, 1, 0.005);
      script.moves.emplace_back();
      for (int k = 0; k < 1500; ++k) script.moves.back().push_back(path.next());
    }
  }
  const Record alone = replay<LegPool>(script, false, 0);
  BOOST_TEST((replay<LegPool>(script, true, 0) == alone));
  BOOST_TEST((replay<LegPool>(script, true, 1) == alone));
  BOOST_TEST((replay<LegPool>(script, true, 2) == alone));
  BOOST_TEST((replay<LegChunks<1>>(script, true, 1) == alone));
  BOOST_TEST((replay<LegChunks<2>>(script, true, 3) == alone));
  BOOST_TEST((replay<LegChunks<8>>(script, true, 4) == alone));
}

/// What contacts gave back serves others: nothing grows in a pool whose contacts come and go.
BOOST_AUTO_TEST_CASE(a_pool_uses_its_memory_again) {
  LegPool pool;
  const JaegerCoefficients c{{1, 1.2, 1}, 0.5, 0, false};
  std::array<JaegerHistory<LegPool>, 3> histories;
  std::size_t bytes = 0;
  for (int turn = 0; turn < 300; ++turn) {
    for (int k = 1; k <= 60; ++k) {
      for (auto& h : histories) JaegerContact(c, h, pool).step(1e-4 * k, {(k % 3) * 1e-5, 0});
    }
    BOOST_TEST(pool.used_bytes() == 3u * 12 * 128);
    if (turn == 0) bytes = pool.bytes();
    BOOST_TEST(pool.bytes() == bytes);
    for (std::size_t n = 0; n < 3; ++n) JaegerContact(c, histories[(n + std::size_t(turn)) % 3], pool).clear();
    BOOST_TEST(pool.used_bytes() == 0u);
  }
}

/// §8.7: turned by any angle the history turns; by a right angle, mirrored and in other units to the last bit, since nothing in the law
/// has a size of its own.
BOOST_AUTO_TEST_CASE(turned_mirrored_and_in_other_units) {
  Draw draw{dem::geometry::Random(87)};
  Largest turned;
  const double cosine = std::cos(0.7), sine = std::sin(0.7);
  for (const Overlap overlap : overlaps) {
    for (const auto& [friction, plane] : {std::pair{0.1, false}, {0.5, false}, {0.5, true}, {1.5, false}}) {
      Single<> s{coefficients(draw, friction)};
      Path path(draw.seed(), s.c, overlap, plane);
      Single<> by_angle{s.c}, by_right_angle{s.c}, mirrored{s.c}, scaled{s.c};
      constexpr double length = 0x1p20, modulus = 0x1p-30;  // √(R z) must scale by a power of two, too
      scaled.c.radius *= length;
      scaled.c.modulus *= modulus;
      Scale scale;
      for (int k = 0; k < 10000; ++k) {
        const Move m = path.next();
        const StepRegime regime = s.step(m);
        scale.see(s.c, m.z);  // a contact that slides turns its rounding errors: they stay
        by_angle.step({m.z, cosine * m.x - sine * m.y, sine * m.x + cosine * m.y});
        const double x = cosine * s.h.force_1 - sine * s.h.force_2, y = sine * s.h.force_1 + cosine * s.h.force_2;
        turned.see(share(std::hypot(by_angle.h.force_1 - x, by_angle.h.force_2 - y), scale.force * scale.growth()), k);
        bool same = by_right_angle.step({m.z, -m.y, m.x}) == regime;
        same &= by_right_angle.h.force_1 == -s.h.force_2 && by_right_angle.h.force_2 == s.h.force_1;
        same &= mirrored.step({m.z, m.x, -m.y}) == regime && mirrored.h.force_1 == s.h.force_1 && mirrored.h.force_2 == -s.h.force_2;
        same &= scaled.step({length * m.z, length * m.x, length * m.y}) == regime && scaled.h.force_1 == length * length * modulus * s.h.force_1 &&
                scaled.h.stored == length * length * length * modulus * s.h.stored;
        BOOST_TEST_INFO("step " << k);
        BOOST_REQUIRE(same);
      }
    }
  }
  within(turned, 1e-14, "turned");
}

namespace {

/// The step in equal parts; W is the trapezoid of force over movement (J).
template <class Pool>
bool in_parts(Single<Pool>& s, Move m, int parts, double* work = nullptr) {
  const double z = s.h.z;
  bool slid = false;
  for (int j = 1; j <= parts; ++j) {
    const double x = s.h.force_1, y = s.h.force_2;
    slid |= s.step({j < parts ? z + (m.z - z) * j / parts : m.z, m.x / parts, m.y / parts}) == StepRegime::slide;
    if (work) *work += ((x + s.h.force_1) * m.x + (y + s.h.force_2) * m.y) / parts;
  }
  return slid;
}

}  // namespace

/// §8.2: steps in 2, 5 and 7 parts end with the same force; along a line also where the contact slides.
BOOST_AUTO_TEST_CASE(subdivision) {
  Draw draw{dem::geometry::Random(82)};
  Largest apart;
  long compared = 0, long_histories = 0;
  for (const Overlap overlap : overlaps) {
    for (const bool plane : {true, false}) {
      for (const int parts : {2, 5, 7}) {
        Single<> whole{coefficients(draw, draw.between(0.1, 1.5))}, cut{whole.c};
        Path path(draw.seed(), whole.c, overlap, plane, 0.1, plane ? 1e-3 : 0);
        Scale scale;
        for (int k = 0; k < 3000; ++k) {
          const Move m = path.next();
          const StepRegime regime = whole.step(m);
          const bool slid = in_parts(cut, m, m.z > 0 ? parts : 1) || regime == StepRegime::slide;
          if (slid && !plane) {
            whole.clear();
            cut.clear();
            path.restart();
            scale = {};
            continue;
          }
          scale.see(whole.c, m.z, parts);
          apart.see(share(distance(whole.h, cut.h), scale.force * scale.growth()), k);
          compared += m.z > 0;
          long_histories += whole.h.legs() > 4;
        }
      }
    }
  }
  within(apart, 1e-14, "in parts");
  BOOST_TEST(compared > 70000);
  BOOST_TEST(long_histories > 30000);
}

/// §8.6: along the pursuit curve a step that slides and turns may be cut, too. Within 1e-2 rad of straight back the curve may leave to
/// either side; up to there rounding errors of the angle grow by its square, 1e4.
BOOST_AUTO_TEST_CASE(subdivision_of_sliding_that_turns) {
  Draw draw{dem::geometry::Random(86)};
  Largest apart, radial_return;
  int slid = 0;
  for (int k = 0; k < 20000; ++k) {
    Single<> whole{coefficients(draw, draw.between(0.1, 1.5))};
    whole.c.pursuit = true;
    const double z = 0.01 * whole.c.radius, holds = whole.c.ratio * whole.c.friction * z;
    whole.step({z, holds * draw.between(-0.9, 0.9), 0});
    if (draw.one_of(2)) whole.step({z * draw.between(0.9, 1.1), holds * draw.between(-2, 2), holds * draw.between(-2, 2)});
    const double angle = draw.between(-pi, pi), size = holds * draw.log_between(0.1, 10);
    const double turn = std::remainder(angle - std::atan2(whole.h.force_2, whole.h.force_1), 2 * pi);
    const Move m{draw.one_of(4) ? whole.h.z * draw.log_between(0.1, 1.5) : whole.h.z, size * std::cos(angle), size * std::sin(angle)};
    if (std::abs(turn) > pi - 1e-2) continue;
    Single<> cut = whole, radial = whole, radial_cut = whole;
    radial.c.pursuit = radial_cut.c.pursuit = false;
    if (whole.step(m) != StepRegime::slide) continue;
    ++slid;
    in_parts(cut, m, 2 + draw.one_of(6));
    radial.step(m);
    in_parts(radial_cut, m, 2);
    const double limit = whole.c.friction * whole.h.normal_force;
    apart.see(distance(whole.h, cut.h) / limit, k);
    radial_return.see(distance(radial.h, radial_cut.h) / limit, k);
  }
  within(apart, 1e-11, "in parts");
  BOOST_TEST(radial_return.value > 0.1);
  BOOST_TEST(slid > 10000);
}

/// What grew by sticking shrinks back through the same forces and energies, corner by corner and between the corners.
BOOST_AUTO_TEST_CASE(sticking_gives_everything_back) {
  Draw draw{dem::geometry::Random(7)};
  Largest force, stored;
  int corners = 0;
  for (const double friction : {0.02, 0.5, 1.5}) {
    Single<> s{coefficients(draw, friction)};
    Path path(draw.seed(), s.c, Overlap::wandering, false);
    for (int k = 0; k < 2000; ++k) {
      s.step(path.next());
      std::vector<JaegerHistory<LegPool>> states{s.h};
      std::vector<Move> moves;
      Single<> away = s;
      for (int leg = 0; leg < 4; ++leg) {
        const double dz = away.h.z * draw.log_between(1e-6, 0.3), p = 0.999 * friction * std::sqrt(draw.random.uniform());
        const double angle = draw.between(-pi, pi);
        moves.push_back({away.h.z + dz, s.c.ratio * p * dz * std::cos(angle), s.c.ratio * p * dz * std::sin(angle)});
        BOOST_REQUIRE((away.step(moves.back()) == StepRegime::stick));
        states.push_back(away.h);
      }
      const double largest = friction * away.h.normal_force, energy = 2 * s.c.ratio * friction * largest * away.h.z;
      while (!moves.empty()) {
        const Move m = moves.back();
        const JaegerHistory<LegPool> top = states.back();
        moves.pop_back();
        states.pop_back();
        const auto& foot = states.back();
        const double middle = foot.z + 0.5 * (top.z - foot.z);
        away.step({middle, -0.5 * m.x, -0.5 * m.y});
        const double part = away.h.normal_force - foot.normal_force;
        force.see(std::hypot(away.h.force_1 - (foot.force_1 + top.p_1 * part), away.h.force_2 - (foot.force_2 + top.p_2 * part)) / largest, k);
        away.step({foot.z, -0.5 * m.x, -0.5 * m.y});
        force.see(distance(away.h, foot) / largest, k);
        stored.see(std::abs(away.h.stored - foot.stored) / energy, k);
        ++corners;
      }
    }
  }
  within(force, 1e-14, "force");
  within(stored, 1e-14, "energy");
  BOOST_TEST(corners == 24000);
}

/// §11: D = W − ΔU_t is no less than zero in any step, zero where the contact sticks; W by trapezoids of 64 and 128 parts, whose
/// difference is thrice the error of the finer one where the force is smooth.
BOOST_AUTO_TEST_CASE(dissipation) {
  Draw draw{dem::geometry::Random(11)};
  Largest gained, stuck;
  int dissipates = 0, sticks = 0;
  for (const Overlap overlap : overlaps) {
    for (const bool plane : {true, false}) {
      Single<> s{coefficients(draw, draw.between(0.1, 1.2))};
      Path path(draw.seed(), s.c, overlap, plane, 0.5, 0.01);
      for (int k = 0; k < 1000; ++k) {
        const Move m = path.next();
        Single<> fine = s;
        const double before = s.h.stored, z_before = s.h.z;
        if (!(m.z > 0)) {
          s.step(m);
          continue;
        }
        const bool sticks_throughout = m.z > z_before && m.size() < 0.999 * s.c.friction * s.c.ratio * (m.z - z_before);
        double coarse_work = 0, work = 0;
        in_parts(s, m, 64, &coarse_work);
        in_parts(fine, m, 128, &work);
        const double largest = s.c.normal_force(std::max(m.z, z_before)), error = std::abs(work - coarse_work);
        const double energy = 2 * s.c.ratio * s.c.friction * s.c.friction * largest * std::max(m.z, z_before) + std::abs(work);
        const double lost = work + (work - coarse_work) / 3 - (fine.h.stored - before);
        gained.see((-lost - error) / energy, k);
        if (sticks_throughout) stuck.see((std::abs(lost) - 0.1 * error) / energy, k);
        sticks += sticks_throughout;
        dissipates += lost > 10 * error && lost > 1e-9 * energy;
        s = fine;
      }
    }
  }
  within(gained, 1e-13, "energy gained");
  within(stuck, 1e-13, "energy lost without slip");
  BOOST_TEST(sticks > 1000);
  BOOST_TEST(dissipates > 3000);
}

/// §11 at constant ζ along a line, leg by leg: force, work and loss of the front that sweeps a leg, W − D against U_t of the law.
BOOST_AUTO_TEST_CASE(energy_of_the_swept_legs) {
  Draw draw{dem::geometry::Random(1111)};
  Largest force, stored;
  long swept = 0;
  for (int history = 0; history < 40; ++history) {
    Single<> s{coefficients(draw, draw.between(0.1, 1.5))};
    const double top = 0.01 * s.c.radius, f = s.c.friction, ratio = s.c.ratio;
    double z = 0;
    while (z < top) {  // legs of any slope
      const double dz = top * draw.between(0.01, 0.15);
      z += dz;
      s.step({z, ratio * f * dz * draw.between(-0.99, 0.99), 0});
    }
    const double normal = s.h.normal_force, limit = f * normal, energy = 2 * ratio * f * limit * z;
    const auto h = [&](double c) { return normal * c - 0.8 * s.c.normal_force(c) * c - s.c.normal_force(c) * (z - c); };
    for (int k = 0; k < 250; ++k) {
      const auto before = s.legs();
      const double old_stored = s.h.stored, sign = draw.one_of(2) ? 1 : -1, shift = sign * ratio * f * z * draw.log_between(1e-6, 0.7);
      double t = s.h.force_1, work = 0, lost = 0;
      const StepRegime regime = s.step({z, shift, 0});
      const auto after = s.legs();
      const double front = regime == StepRegime::slide ? 0 : after[after.size() - 2].z;
      for (std::size_t leg = before.size() - 1; leg > 0 && before[leg].z > front; --leg) {
        const double c1 = before[leg].z, c2 = std::max(front, before[leg - 1].z), f1 = s.c.normal_force(c1), f2 = s.c.normal_force(c2);
        const double turn = sign * f - before[leg].p.x;
        work += 2 * ratio * turn * ((t + turn * f1) * (c1 - c2) - turn * 0.4 * (f1 * c1 - f2 * c2));
        lost += 2 * ratio * f * (f - sign * before[leg].p.x) * (h(c1) - h(c2));
        t += turn * (f1 - f2);
        ++swept;
      }
      force.see(std::abs(t - s.h.force_1) / limit, k);
      stored.see(std::abs(old_stored + work - lost - s.h.stored) / energy, k);
    }
  }
  within(force, 1e-14, "force");
  within(stored, 1e-14, "energy");
  BOOST_TEST(swept > 10000);
}

namespace {

/// §8.4 in numbers without dimension: t = F_t/(f F_n) over x = ξ/(κ f ζ), from turning points alone.
class Masing {
 public:
  double go(double by) {
    const double x = std::clamp(x_ + by, -1.0, 1.0);  // what slides is forgotten
    const int way = x > x_ ? 1 : x < x_ ? -1 : 0;
    if (way == 0) return t_;
    if (way_ != 0 && way != way_) turns_.push_back({x_, t_});
    way_ = way;
    while (turns_.size() > 1 && way * (x - turns_[turns_.size() - 2].x) >= 0) turns_.resize(turns_.size() - 2);  // a loop is closed
    if (turns_.size() == 1 && way * x >= std::abs(turns_[0].x)) turns_.clear();                                 // beyond all before
    x_ = x;
    if (turns_.empty()) return t_ = way * backbone(way * x);
    return t_ = turns_.back().t + 2 * way * backbone(0.5 * way * (x - turns_.back().x));
  }
  std::size_t turns() const { return turns_.size(); }

 private:
  static double backbone(double x) { return 1 - std::sqrt((1 - x) * (1 - x) * (1 - x)); }
  struct Point {
    double x, t;
  };
  std::vector<Point> turns_;
  double x_ = 0, t_ = 0;
  int way_ = 0;
};

}  // namespace

/// §8.4: constant normal force along a line, and the tangent K_n(ζ*)/κ.
BOOST_AUTO_TEST_CASE(masing_rules) {
  Draw draw{dem::geometry::Random(84)};
  Largest apart, tangent;
  std::size_t deepest = 0;
  int slid = 0;
  for (int history = 0; history < 20; ++history) {
    Single<> s{coefficients(draw, draw.between(0.05, 1.5))};
    const double z = 0.01 * s.c.radius, scale = s.c.ratio * s.c.friction * z;
    s.step({z, 0, 0});
    const double limit = s.c.friction * s.h.normal_force;
    Masing masing;
    for (int k = 0; k < 1000; ++k) {
      const double sign = draw.one_of(2) ? 1 : -1, by = sign * draw.log_between(1e-4, k % 50 ? 0.5 : 3);
      slid += s.step({z, scale * by, 0}) == StepRegime::slide;
      apart.see(std::abs(s.h.force_1 / limit - masing.go(by)), k);
      deepest = std::max(deepest, masing.turns());
      if (s.h.below.count == 0) continue;
      // On from here the front goes from ζ* to ζ* − dξ/(2κf) or deeper; to first order the stiffness is that at ζ*.
      const auto legs = s.legs();
      const double front = legs[legs.size() - 2].z, step = 1e-7 * scale * (by > 0 ? 1 : -1);
      if (front < 1e-3 * z) continue;
      Single<> on = s;
      on.step({z, step, 0});
      const double stiffness = (on.h.force_1 - s.h.force_1) / (2 * step), expected = 0.75 * s.c.modulus * std::sqrt(s.c.radius * front) / s.c.ratio;
      tangent.see(std::abs(stiffness / expected - 1), k);
    }
  }
  within(apart, 1e-13, "backbone and branches");
  within(tangent, 1e-4, "tangent");
  BOOST_TEST(deepest > 8u);
  BOOST_TEST(slid > 100);
}

/// §9: merging leaves force and energy books as they are and no history longer; the slip that follows is off by less than 1 % of f F_n for
/// Δp_max = 0.1 f (the source: 3 %). From each slip on both go on from the same history.
BOOST_AUTO_TEST_CASE(merging) {
  Draw draw{dem::geometry::Random(9)};
  Largest force, booked, of_legs, slip;
  int merged = 0, slips = 0, onto_slipped = 0;
  for (const bool plane : {true, false}) {
    for (const double friction : {0.1, 0.5, 1.2}) {
      Single<> exact{coefficients(draw, friction)};
      Single<> less = exact;
      less.c.merge_slope = 0.1 * friction;
      const double top = 0.01 * exact.c.radius, f = friction, ratio = exact.c.ratio;
      double forgotten = 0, p = 0, angle = 0;
      for (int k = 0; k < 5000; ++k) {
        // Slopes that wander as in a slow deformation, and now and then a slip.
        p = std::clamp(p + f * draw.between(-0.15, 0.15), 0.0, 0.98 * f);
        angle += draw.between(-0.2, 0.2);
        Move m{exact.h.z + top * draw.log_between(1e-4, 0.1), std::cos(angle), std::sin(angle)};
        if (plane) m.x = m.x > 0 ? 1 : -1, m.y = 0;
        double size = ratio * p * (m.z - exact.h.z);
        const bool slipping = draw.one_of(12) == 0 || m.z > top;
        if (slipping) m.z = exact.h.z * draw.between(0.7, 1.02), size = ratio * f * exact.h.z * draw.between(0.01, 0.5);
        m.x *= size;
        m.y *= size;
        const long legs = long(less.h.legs());
        const auto [p_1, p_2] = std::pair{less.h.p_1, less.h.p_2};
        const StepRegime regime = exact.step(m);
        const double dz = m.z - less.h.z, apart = std::hypot(m.x / (ratio * dz) - p_1, m.y / (ratio * dz) - p_2);
        less.step(m);
        const double limit = f * exact.h.normal_force, energy = 2 * ratio * f * limit * exact.h.z;
        if (regime == StepRegime::stick) {
          forgotten += less.merged;
          merged += less.h.legs() < exact.h.legs();
          BOOST_REQUIRE(less.h.legs() <= exact.h.legs());
          // Onto a leg that slipped nothing is merged, else what differs by no more than Δp_max.
          const bool slipped = std::hypot(p_1, p_2) >= f * (1 - 1e-12), merges = legs > 0 && !slipped && apart <= less.c.merge_slope;
          if (std::abs(apart - less.c.merge_slope) > 1e-12) BOOST_REQUIRE((long(less.h.legs()) <= legs) == merges);
          onto_slipped += slipped && legs > 0 && apart < less.c.merge_slope;
          force.see(distance(exact.h, less.h) / limit, k);
          booked.see(std::abs(exact.h.stored - less.h.stored - forgotten) / energy, k);
          JaegerContact contact(less.c, less.h, less.pool);
          of_legs.see(std::abs(contact.stored_of_legs() - less.h.stored) / energy, k);
        } else {
          slip.see(distance(exact.h, less.h) / limit, k);
          ++slips;
          less.pool = exact.pool;
          less.h = exact.h;
          forgotten = 0;
        }
      }
    }
  }
  within(force, 1e-13, "force before the slip");
  within(booked, 1e-13, "energy dropped");
  within(of_legs, 1e-13, "energy of the legs");
  within(slip, 0.01, "force of the slip");
  BOOST_TEST(slip.value > 1e-3);
  BOOST_TEST(merged > 10000);
  BOOST_TEST(slips > 2000);
  BOOST_TEST(onto_slipped > 50);
}

namespace {

/// Eq. M by bisection: p(z) as pieces, the front where g(c) = f(ζ − c) − |X(c)| changes its sign; no other cases than those of §5.
class Bisection {
 public:
  using Real = long double;
  explicit Bisection(const JaegerCoefficients& c) : c_(c) {}

  void step(Move m) {
    if (!(m.z > 0)) return pieces_.clear();
    const Real z = m.z, f = c_.friction, kappa = c_.ratio, z_old = pieces_.empty() ? 0 : pieces_.back().z;
    const auto at = [&](Real c) {  // X(c)
      Pair x{m.x / kappa, m.y / kappa};
      Real below = 0;
      for (const Piece& piece : pieces_) {
        const Real part = std::max(Real(0), piece.z - std::max(below, c));
        x = {x.x + part * piece.p.x, x.y + part * piece.p.y};
        below = piece.z;
      }
      return x;
    };
    const auto g = [&](Real c) {
      const Pair x = at(c);
      return f * (z - c) - std::sqrt(x.x * x.x + x.y * x.y);
    };
    if (z > z_old && g(z_old) > 0) {
      pieces_.push_back({z, {m.x / (kappa * (z - z_old)), m.y / (kappa * (z - z_old))}});
      return;
    }
    Real front = 0, high = std::min(z, z_old);
    if (g(0) > 0) {
      for (int turn = 0; turn < 200; ++turn) {
        const Real middle = front + (high - front) / 2;
        if (middle <= front || middle >= high) break;
        (g(middle) > 0 ? front : high) = middle;
      }
    }
    const Pair x = at(front);
    const Real size = std::sqrt(x.x * x.x + x.y * x.y);
    while (pieces_.size() > 1 && pieces_[pieces_.size() - 2].z >= front) pieces_.pop_back();
    if (!pieces_.empty()) pieces_.back().z = std::min(pieces_.back().z, front);
    if (front <= 0) pieces_.clear();
    pieces_.push_back({z, size > 0 ? Pair{f * x.x / size, f * x.y / size} : Pair{0, 0}});
  }
  struct Pair {
    Real x, y;
  };
  Pair force() const {
    Pair sum{0, 0};
    Real below = 0;
    for (const Piece& piece : pieces_) {
      const Real df = normal(piece.z) - normal(below);
      sum = {sum.x + df * piece.p.x, sum.y + df * piece.p.y};
      below = piece.z;
    }
    return sum;
  }
  Real normal(Real z) const { return c_.modulus * std::sqrt(c_.radius * z) * z; }

 private:
  struct Piece {
    Real z;
    Pair p;
  };
  JaegerCoefficients c_;
  std::vector<Piece> pieces_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(forces_by_bisection) {
  Draw draw{dem::geometry::Random(5)};
  Largest apart;
  std::array<int, 6> seen{};
  for (const Overlap overlap : overlaps) {
    for (const bool plane : {true, false}) {
      for (const double friction : {0.1, 0.6, 1.5}) {
        Single<> s{coefficients(draw, friction)};
        Bisection oracle(s.c);
        Path path(draw.seed(), s.c, overlap, plane, 0.5, 0.01);
        double largest = 0;
        for (int k = 0; k < 300; ++k) {
          const Move m = path.next();
          ++seen[std::size_t(s.step(m))];
          oracle.step(m);
          largest = std::max(largest, s.h.normal_force);
          const auto force = oracle.force();
          apart.see(double(std::hypot(s.h.force_1 - force.x, s.h.force_2 - force.y)) / (friction * largest), k);
        }
      }
    }
  }
  within(apart, 1e-13, "F_t over f max F_n");
  for (const int n : seen) BOOST_TEST(n > 20);
}

BOOST_AUTO_TEST_SUITE_END()
