// Stored energy and dissipation of one Jäger contact (jaeger-contact reference, §11).
#include "tests/laws/jaeger_paths.hpp"

using namespace dem::laws;
using namespace dem::laws::jaeger_paths;

BOOST_AUTO_TEST_SUITE(jaeger_energy)

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
        const double dz = away.h.z * draw.log_between(1e-6, 0.3),
                     p = 0.999 * friction * std::sqrt(draw.random.uniform());
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
        force.see(std::hypot(away.h.force_1 - (foot.force_1 + top.p_1 * part),
                             away.h.force_2 - (foot.force_2 + top.p_2 * part)) /
                      largest,
                  k);
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

/// §11: D = W − ΔU_t is no less than zero in any step, zero where the contact sticks; W by trapezoids of 64 and 128
/// parts, whose difference is thrice the error of the finer one where the force is smooth.
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
        const double energy =
            2 * s.c.ratio * s.c.friction * s.c.friction * largest * std::max(m.z, z_before) + std::abs(work);
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

/// §11 at constant ζ along a line, leg by leg: force, work and loss of the front that sweeps a leg, W − D against U_t
/// of the law.
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
      const double old_stored = s.h.stored, sign = draw.one_of(2) ? 1 : -1,
                   shift = sign * ratio * f * z * draw.log_between(1e-6, 0.7);
      double t = s.h.force_1, work = 0, lost = 0;
      const StepRegime regime = s.step({z, shift, 0});
      const auto after = s.legs();
      const double front = regime == StepRegime::slide ? 0 : after[after.size() - 2].z;
      for (std::size_t leg = before.size() - 1; leg > 0 && before[leg].z > front; --leg) {
        const double c1 = before[leg].z, c2 = std::max(front, before[leg - 1].z), f1 = s.c.normal_force(c1),
                     f2 = s.c.normal_force(c2);
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

BOOST_AUTO_TEST_SUITE_END()
