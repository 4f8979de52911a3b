// Merging of legs of one Jäger contact: by slopes (jaeger-contact reference, §9) and within an error of the force.
#include "tests/laws/jaeger_paths.hpp"

using namespace dem::laws;
using namespace dem::laws::jaeger_paths;

namespace {

struct Merged {
  explicit Merged(double eta, const JaegerCoefficients& c = {{5, 1.5, 1}, 0.5}) : exact{c}, less{c} {
    less.c.merge_error = eta;
  }
  StepRegime step(const Move& m) {
    exact.step(m);
    return less.step(m);
  }
  double limit() const { return exact.c.friction * exact.h.normal_force; }
  double apart() const { return distance(exact.h, less.h) / limit(); }

  Single<> exact, less;
};

}  // namespace

/// §9: merging leaves force and energy books as they are, and no history is longer. The slip that follows is off by
/// less than 1 % of f F_n for Δp_max = 0.1 f (the source: 3 %). From each slip on both go on from the same history.
BOOST_AUTO_TEST_CASE(merging_by_slopes) {
  Draw draw{geometry::Random(9)};
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
          const bool slipped = std::hypot(p_1, p_2) >= f * (1 - 1e-12),
                     merges = legs > 0 && !slipped && apart <= less.c.merge_slope;
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

/// Case U6 with the plain mean of the slopes: the newest counts as much as all before it. Round-off, a thousand times.
BOOST_AUTO_TEST_CASE(merging_by_the_plain_average) {
  Single<> contact{{{1, 1.5, 1}, 0.5}};
  contact.c.merge_slope = 0.05;
  contact.c.merge_plainly = true;
  const double z[] = {0.001, 0.0015, 0.002, 0.0025, 0.003}, shift[] = {1.5e-4, 2.25e-4, 2.475e-4, 2.1e-4, 2.325e-4};
  const double slope[] = {0.1, 0.3, 0.315, 0.2975, 0.30375};
  for (std::size_t k = 0; k < 5; ++k) {
    BOOST_TEST((contact.step({z[k], shift[k], 0}) == StepRegime::stick));
    BOOST_TEST(contact.h.legs() == std::min<std::size_t>(k + 1, 2));
    BOOST_TEST(contact.h.p_1 == slope[k], tolerance(1e-12));
    const double foot = contact.c.normal_force(z[0]), force = 0.1 * foot + slope[k] * (contact.h.normal_force - foot);
    BOOST_TEST(contact.h.force_1 == force, tolerance(1e-12));
  }
}

/// Movement along a line: the force is never further from the exact one than η f F_n. ξ_e is the exact one.
BOOST_AUTO_TEST_CASE(bounded_error_along_a_line) {
  Draw draw{geometry::Random(31)};
  Largest over, held, books, largest_share;
  long merged = 0;
  for (const Overlap overlap : overlaps)
    for (const double eta : {1e-4, 1e-3, 1e-2, 0.1, 1.0}) {
      Merged pair(eta, coefficients(draw, draw.between(0.1, 1.2)));
      auto& [exact, less] = pair;
      less.c.pursuit = exact.c.pursuit = draw.one_of(2) == 1;
      Path path(draw.seed(), exact.c, overlap, true, 0.5, 0.005);
      Scale scale;
      for (int k = 0; k < 10000; ++k) {
        const Move m = path.next();
        const StepRegime regime = pair.step(m);
        scale.see(exact.c, m.z);
        if (!(exact.h.z > 0)) continue;
        const auto see = [&](Largest& largest, double deviation, double of) {
          largest.see(share(deviation, of) / scale.growth(), k);
        };
        see(over, (pair.apart() - eta) * pair.limit(), scale.force);
        largest_share.see(pair.apart() / eta, k);
        see(held, std::abs(exact.h.held_1 - less.h.held_1), exact.c.ratio * exact.c.friction * exact.h.z);
        merged += less.h.legs() < exact.h.legs();
        JaegerContact contact(less.c, less.h, less.pool);
        see(books, (contact.force_of_legs() - contact.force()).size(), scale.force);
        see(books, std::abs(contact.stored_of_legs() - less.h.stored), scale.stored);
        if (regime != StepRegime::stick) see(books, std::abs(less.merged), scale.stored);
      }
    }
  within(over, 1e-13, "force beyond the bound");
  within(held, 1e-12, "elongation");
  within(books, 1e-13, "force and energy of the legs");
  BOOST_TEST(merged > 10000);
  BOOST_TEST(largest_share.value > 0.3);
}

/// The bound is sharp: zigzags of stick steps that fill it, then slips of all sizes.
BOOST_AUTO_TEST_CASE(bounded_error_is_reached) {
  Draw draw{geometry::Random(5)};
  for (const double eta : {1e-5, 1e-4, 1e-3, 1e-2}) {
    double largest = 0;
    for (int contact = 0; contact < 40000; ++contact) {
      Merged pair(eta);
      const auto& exact = pair.exact;
      const auto both = [&](const Move& m) {
        pair.step(m);
        largest = std::max(largest, pair.apart() / eta);
      };
      both({1, 0, 0});
      const double length = eta * 4 * draw.log_between(0.2, 5);
      const int n = 2 + draw.one_of(4);
      for (int k = 0; k < n; ++k) {
        const double p = 0.4999 * std::sqrt(draw.random.uniform());
        both({exact.h.z + length / n, exact.c.ratio * length / n * (draw.one_of(2) ? p : -p), 0});
      }
      for (int k = 0; k < 6; ++k) {
        const double size = 0.75 * draw.log_between(1e-3, 1.6),
                     z = exact.h.z * (1 + (draw.one_of(3) ? 0.0 : draw.between(-0.3, 0.3)));
        both({z, draw.one_of(2) ? size : -size, 0});
      }
    }
    BOOST_TEST((largest > 0.9 && largest <= 1 + 1e-9), "eta " << eta << ": " << largest);
  }
}

/// Smooth movements, as in a packing. In two directions nothing is proved, and yet the force stays within the bound.
BOOST_AUTO_TEST_CASE(bounded_error_saves_memory) {
  for (const bool plane : {true, false}) {
    Draw draw{geometry::Random(3)};
    const auto kick = [&] { return draw.between(-0.25, 0.25); };
    Merged pair(0.01);
    double z = 1, x = 0, y = 0, v = 0, v_x = 0, v_y = 0;
    std::size_t legs = 0, exact_legs = 0;
    Largest apart;
    for (int k = 0; k < 100000; ++k) {
      v = 0.99 * v + kick(), v_x = 0.99 * v_x + kick(), v_y = 0.99 * v_y + (plane ? 0 : kick());
      const double next_x = 0.9995 * x + 2e-3 * v_x, next_y = 0.9995 * y + 2e-3 * v_y;
      z = std::max(0.05, 1 + 0.9995 * (z - 1) + 3e-3 * v);
      const Move m{z, next_x - x, next_y - y};
      x = next_x, y = next_y;
      pair.step(m);
      legs += pair.less.h.legs();
      exact_legs += pair.exact.h.legs();
      apart.see(pair.apart(), k);
    }
    BOOST_TEST(exact_legs > 5 * legs);
    within(apart, 0.01, "force");
    BOOST_TEST(apart.value > 0.1 * 0.01);
  }
}

/// Pressed and slipping a little in every step while the movement turns: of a fan of slipped legs few are left.
BOOST_AUTO_TEST_CASE(fans_of_slipped_legs) {
  for (const double eta : {1e-3, 1e-2}) {
    Merged pair(eta);
    const auto& [exact, less] = pair;
    const double holds = exact.c.ratio * exact.c.friction;
    Largest apart;
    const auto both = [&](const Move& m, long k) {
      pair.step(m);
      apart.see(pair.apart(), k);
    };
    both({1, 0, 0}, 0);
    for (int k = 1; k <= 3000; ++k) {
      const double angle = 1e-3 * k, size = 1.02 * holds * 1e-4;
      both({1 + 1e-4 * k, size * std::cos(angle), size * std::sin(angle)}, k);
    }
    BOOST_TEST(exact.h.legs() > 2000u);
    BOOST_TEST(50 * less.h.legs() < exact.h.legs());
    // Back through them.
    for (int k = 1; k <= 200; ++k) both({1.3, -0.002 * holds, 0.001 * holds}, 3000 + k);
    within(apart, eta, "force");
    BOOST_TEST(apart.value > 0.001 * eta);
    BOOST_TEST(less.h.held_1 == exact.h.held_1, tolerance(1e-9));
  }
}

/// Legs that slipped begin at fronts that are themselves off, so that their fans have a tenth of the tolerance.
/// With all of it one in seven smooth random movements in the plane leaves the error of 1e-3.
BOOST_AUTO_TEST_CASE(turning_movements_stay_within_the_error) {
  Draw draw{geometry::Random(12)};
  for (const double eta : {1e-3, 1e-2}) {
    int beyond = 0;
    Largest apart;
    for (int run = 0; run < 60; ++run) {
      Merged pair(eta, {{5, draw.between(1, 1.5), 1}, draw.between(0.2, 0.8)});
      const double holds = pair.exact.c.ratio * pair.exact.c.friction, memory = 1 - draw.log_between(1e-3, 0.1),
                   size = draw.log_between(1e-4, 1e-2);
      double z = 1, v = 0, v_x = 0, v_y = 0, largest = 0;
      for (int k = 0; k < 6000; ++k) {
        const auto kick = [&] { return std::sqrt(1 - memory * memory) * draw.between(-1.7, 1.7); };
        v = memory * v + kick(), v_x = memory * v_x + kick(), v_y = memory * v_y + kick();
        z = std::clamp(z + size * v, 0.3, 2.0);
        pair.step({z, holds * size * v_x, holds * size * v_y});
        largest = std::max(largest, pair.apart());
      }
      beyond += largest > eta;
      apart.see(largest / eta, run);
    }
    BOOST_TEST_CONTEXT("eta " << eta << ", largest " << apart.value) BOOST_TEST(beyond == 0);
  }
}
