// Properties of one Jäger contact that hold for any history (jaeger-contact reference, §7, §8, §11, numbers as there).
#include "tests/laws/jaeger_paths.hpp"

using namespace dem::laws;
using namespace dem::laws::jaeger_paths;

/// §7, §8.8, §16 item 9. Contacts of all kinds make 10^4 steps each, in random order. They share one pool.
BOOST_AUTO_TEST_CASE(invariants_of_jaeger_contacts) {
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
  Draw draw{geometry::Random(1812)};
  std::vector<Watched> contacts;
  for (const double friction : {0.0, 1e-3, 0.3, 1.0, 1.5})
    for (const Overlap overlap : overlaps)
      for (const bool plane : {true, false})
        for (const bool gentle : {true, false}) {  // long histories, and many that slide
          JaegerCoefficients c = coefficients(draw, friction);
          if (draw.one_of(4) == 0) c.merge_slope = 0.1 * friction;
          c.pursuit = draw.one_of(3) == 0;
          contacts.push_back(
              {c, plane,
               gentle ? Path(draw.seed(), c, overlap, plane, 0.02, 2e-4) : Path(draw.seed(), c, overlap, plane)});
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
    const auto require = [&](bool holds, const char* what) { wrong = holds || wrong ? wrong : what; };
    if (regime == StepRegime::separated) {
      BOOST_REQUIRE((!(m.z > 0) && w.h.legs() == 0 && w.h.force_1 == 0 && w.h.force_2 == 0 && w.h.stored == 0 &&
                     w.h.normal_force == 0));
      w.slid = false;
      w.moved_1 = w.moved_2 = w.rounding = 0;
      continue;
    }
    const double f = w.c.friction, force = w.h.normal_force;
    const bool sticks = m.z > z_before && m.size() < f * w.c.ratio * (m.z - z_before);
    bool ordered = w.h.z == m.z && force == w.c.normal_force(m.z);
    contact.for_each([&](const auto& leg, const auto& below) {
      // F* may round to the same number where ζ* differ by a few units in the last place.
      ordered &= leg.z > below.z &&
                 (leg.force > below.force || (leg.force == below.force && leg.z - below.z <= 4 * eps * leg.z));
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
    BOOST_REQUIRE_MESSAGE(!wrong, wrong << ": contact " << &w - contacts.data() << ", step " << at << ", regime "
                                        << int(regime) << ", legs " << before << " and " << change);
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

/// The smallest overlaps and differences: forces underflow, quotients may overflow. Movements have a square.
BOOST_AUTO_TEST_CASE(jaeger_contacts_of_the_smallest_numbers) {
  Draw draw{geometry::Random(324)};
  for (const bool pursuit : {false, true}) {
    Single<> s{coefficients(draw, 0.5)};
    s.c.pursuit = pursuit;
    s.c.merge_slope = pursuit ? 0.05 : 0;
    for (int k = 0; k < 10000; ++k) {
      const Move m{draw.one_of(20) ? draw.log_between(1e-323, 1e-290) : draw.log_between(1e-10, 1e-3),
                   draw.one_of(2) ? draw.log_between(1e-150, 1e-3) : 0,
                   draw.one_of(3) ? 0 : -draw.log_between(1e-150, 1e-3)};
      const StepRegime regime = s.step(m);
      BOOST_REQUIRE_MESSAGE(std::isfinite(s.h.force_1 + s.h.force_2 + s.h.stored + s.h.p_1 + s.h.p_2),
                            "step " << k << ", regime " << int(regime));
      BOOST_REQUIRE(s.h.z == m.z);
    }
    s.clear();
    BOOST_TEST(s.pool.used_bytes() == 0u);
  }
}

/// To the last bit: the size of chunks does not show in a result. catalogue_test compares contacts that share a pool.
BOOST_AUTO_TEST_CASE(a_contact_does_not_feel_the_pool) {
  Draw draw{geometry::Random(65)};
  for (const Overlap overlap : overlaps)
    for (int n = 0; n < 4; ++n) {
      JaegerCoefficients c = coefficients(draw, draw.between(0.05, 1.5));
      if (n == 3) c.merge_slope = 0.1 * c.friction;
      c.pursuit = n == 2;
      Path path(draw.seed(), c, overlap, n == 0, 1, 0.005);
      Single<> usual{c};
      std::tuple<Single<LegChunks<1>>, Single<LegChunks<2>>, Single<LegChunks<8>>> others{{c}, {c}, {c}};
      const auto same = [&](auto& other, StepRegime expected, const Move& m) {
        const auto state = [](auto& s) {
          std::vector<double> all{s.h.force_1, s.h.force_2, s.h.stored, s.h.z, s.h.p_1, s.h.p_2, s.merged};
          for (const auto& leg : s.legs()) all.insert(all.end(), {leg.z, leg.force, leg.p.x, leg.p.y});
          return all;
        };
        return other.step(m) == expected && state(other) == state(usual);
      };
      for (int k = 0; k < 1500; ++k) {
        const Move m = path.next();
        const StepRegime regime = usual.step(m);
        std::apply([&](auto&... other) { BOOST_REQUIRE((same(other, regime, m) && ...)); }, others);
      }
      std::apply([&](auto&... other) { BOOST_TEST(((other.clear(), other.pool.used_bytes() == 0) && ...)); }, others);
    }
}

/// §8.7: the history turns with the movement. By a right angle, mirrored and in other units it does so to the last bit.
BOOST_AUTO_TEST_CASE(turned_mirrored_and_in_other_units) {
  Draw draw{geometry::Random(87)};
  Largest turned;
  const double cosine = std::cos(0.7), sine = std::sin(0.7);
  for (const Overlap overlap : overlaps)
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
        same &= mirrored.step({m.z, m.x, -m.y}) == regime && mirrored.h.force_1 == s.h.force_1 &&
                mirrored.h.force_2 == -s.h.force_2;
        same &= scaled.step({length * m.z, length * m.x, length * m.y}) == regime &&
                scaled.h.force_1 == length * length * modulus * s.h.force_1 &&
                scaled.h.stored == length * length * length * modulus * s.h.stored;
        BOOST_TEST_INFO("step " << k);
        BOOST_REQUIRE(same);
      }
    }
  within(turned, 1e-14, "turned");
}

/// §8.2: steps in 2, 5 and 7 parts end with the same force. Along a line this holds also where the contact slides.
BOOST_AUTO_TEST_CASE(subdivision_of_steps) {
  Draw draw{geometry::Random(82)};
  Largest apart;
  long compared = 0, long_histories = 0;
  for (const Overlap overlap : overlaps)
    for (const bool plane : {true, false})
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
  within(apart, 1e-14, "in parts");
  BOOST_TEST(compared > 70000);
  BOOST_TEST(long_histories > 30000);
}

/// §8.6: along the pursuit curve a step that slides and turns may be cut, too. Within 1e-4 rad of straight back the
/// curve may leave to either side: rounding errors of the angle grow as its inverse.
BOOST_AUTO_TEST_CASE(subdivision_of_sliding_that_turns) {
  Draw draw{geometry::Random(86)};
  Largest apart, radial_return;
  int slid = 0;
  for (int k = 0; k < 20000; ++k) {
    Single<> whole{coefficients(draw, draw.between(0.1, 1.5))};
    whole.c.pursuit = true;
    const double z = 0.01 * whole.c.radius, holds = whole.c.ratio * whole.c.friction * z;
    whole.step({z, holds * draw.between(-0.9, 0.9), 0});
    if (draw.one_of(2))
      whole.step({z * draw.between(0.9, 1.1), holds * draw.between(-2, 2), holds * draw.between(-2, 2)});
    const double angle = draw.between(-pi, pi), size = holds * draw.log_between(0.1, 10);
    const double turn = std::remainder(angle - std::atan2(whole.h.force_2, whole.h.force_1), 2 * pi);
    const Move m{draw.one_of(4) ? whole.h.z * draw.log_between(0.1, 1.5) : whole.h.z, size * std::cos(angle),
                 size * std::sin(angle)};
    if (std::abs(turn) > pi - 1e-4) continue;
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

/// Slid along a line in any direction and relieved on a small way back along it: the force stays on its side.
BOOST_AUTO_TEST_CASE(sliding_that_is_relieved_straight_back) {
  Largest off;
  for (int k = 0; k < 2000; ++k) {
    const double angle = 1e-3 + pi * k / 2000, x = std::cos(angle), y = std::sin(angle);
    for (const double back : {1e-12, 1e-9, 1e-6, 1e-3, 1e-2, 0.05}) {
      Single<> s{{{5, 1.3, 1}, 0.5}};
      s.c.pursuit = true;
      const double holds = s.c.ratio * s.c.friction;
      s.step({1, 2 * holds * x, 2 * holds * y});
      BOOST_TEST_REQUIRE(int(s.step({0.9, -back * holds * x, -back * holds * y})) == int(StepRegime::slide));
      off.see(std::abs((s.h.force_1 * x + s.h.force_2 * y) / (s.c.friction * s.h.normal_force) - 1), k);
    }
  }
  within(off, 1e-14, "share of the limit along the line");
}

/// §11: D = W − ΔU_t is no less than zero in any step, and zero where the contact sticks. W is the trapezoid of 64 and
/// of 128 parts; their difference is thrice the error of the finer one where the force is smooth.
BOOST_AUTO_TEST_CASE(dissipation_of_jaeger_contacts) {
  Draw draw{geometry::Random(11)};
  Largest gained, stuck;
  int dissipates = 0, sticks = 0;
  for (const Overlap overlap : overlaps)
    for (const bool plane : {true, false}) {
      Single<> s{coefficients(draw, draw.between(0.1, 1.2))};
      Path path(draw.seed(), s.c, overlap, plane, 0.5, 0.01);
      for (int k = 0; k < 1000; ++k) {
        const Move m = path.next();
        if (!(m.z > 0)) {
          s.step(m);
          continue;
        }
        Single<> fine = s;
        const double before = s.h.stored, z_before = s.h.z, z = std::max(m.z, z_before),
                     holds = s.c.friction * s.c.ratio;
        const bool sticks_throughout = m.z > z_before && m.size() < 0.999 * holds * (m.z - z_before);
        double coarse_work = 0, work = 0;
        in_parts(s, m, 64, &coarse_work);
        in_parts(fine, m, 128, &work);
        const double error = std::abs(work - coarse_work),
                     energy = 2 * holds * s.c.friction * s.c.normal_force(z) * z + std::abs(work),
                     lost = work + (work - coarse_work) / 3 - (fine.h.stored - before);
        gained.see((-lost - error) / energy, k);
        if (sticks_throughout) stuck.see((std::abs(lost) - 0.1 * error) / energy, k);
        sticks += sticks_throughout;
        dissipates += lost > 10 * error && lost > 1e-9 * energy;
        s = fine;
      }
    }
  within(gained, 1e-13, "energy gained");
  within(stuck, 1e-13, "energy lost without slip");
  BOOST_TEST(sticks > 1000);
  BOOST_TEST(dissipates > 3000);
}
