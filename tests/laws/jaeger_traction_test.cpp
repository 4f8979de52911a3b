// Tractions of a Jäger contact (jaeger-contact reference, §10): tables of §16, their sums, the limit of friction.
#include "libdem/laws/jaeger_traction.hpp"

#include <boost/math/quadrature/gauss.hpp>

#include "support/study_tables.hpp"
#include "tests/jaeger_tables.hpp"
#include "tests/laws/jaeger_paths.hpp"

using namespace dem::laws;
using namespace dem::laws::jaeger_paths;

namespace {

Single<> after(const std::string& name, std::size_t rows) {
  Single<> s;
  for (const auto& table : jaeger_tables::tables) {
    if (table.name != name) continue;
    s.c = of_material(table.shear_modulus, table.poisson_ratio, table.friction, table.radius_p, table.radius_q);
    for (std::size_t k = 0; k < rows; ++k) s.step(table.rows[k].z, table.rows[k].shift_1, table.rows[k].shift_2);
  }
  return s;
}

/// From the bottom up.
std::vector<Leg> legs_of(Single<>& s) {
  std::vector<Leg> legs;
  for (const auto& leg : s.legs())
    if (leg.z > 0) legs.push_back({leg.z, leg.p.x, leg.p.y});
  return legs;
}

/// ∫ (σ, τ) 2πρ dρ by rings: ρ = r_{k−1} + (r_k − r_{k−1}) sin θ takes away the root at the edge of each.
std::array<double, 3> integral(Single<>& t) {
  const std::vector<Leg> legs = legs_of(t);
  const JaegerTractions tractions(t.c, legs);
  std::array<double, 3> sum{};
  double inner = 0;
  for (std::size_t k = 0; k < legs.size(); ++k) {
    const double width = tractions.ring_radius(k) - inner;
    const auto add = [&](double& to, const auto& of) {
      const auto ring = [&](double angle) {
        const double rho = inner + width * std::sin(angle);
        return of(rho) * width * std::cos(angle) * 2 * pi * rho;
      };
      to += boost::math::quadrature::gauss<double, 60>::integrate(ring, 0.0, 0.5 * pi);
    };
    add(sum[0], [&](double rho) { return tractions.pressure(rho); });
    add(sum[1], [&](double rho) { return tractions.shear(rho).x; });
    add(sum[2], [&](double rho) { return tractions.shear(rho).y; });
    inner += width;
  }
  return sum;
}

}  // namespace

/// U2 after steps 3, 4, 5 and U3 after its nine: radii, and values at shares of a.
BOOST_AUTO_TEST_CASE(tables_of_tractions) {
  const auto rows = study_rows("validation/kuhn2011/figure-9/tractions.csv");
  BOOST_TEST(rows.size() == 38u);
  for (const auto& [stage, name, steps] :
       {std::tuple{"U2-B", "U2", 3u}, {"U2-between", "U2", 4u}, {"U2-D", "U2", 5u}, {"U3", "U3", 9u}})
    BOOST_TEST_CONTEXT(name << " after step " << steps) {
      Single<> t = after(name, steps);
      const std::vector<Leg> legs = legs_of(t);
      const JaegerTractions tractions(t.c, legs);
      std::vector<double> radii;  // of the rings, the last of them a; of U3 a alone
      for (const auto& row : rows) {
        if (row.at("stage") != stage) continue;
        const double radius = row.number("radius");
        if (row.at("shear").empty()) {
          radii.push_back(radius);
          continue;
        }
        const auto tau = tractions.shear(radius * radii.back());
        BOOST_TEST(std::abs(tau.x - row.number("shear")) <= 8 * eps * t.c.friction * tractions.pressure(0));
        BOOST_TEST(tau.y == 0);
      }
      // Equal here. Another square root or quotient may differ by a last bit each.
      BOOST_TEST(tractions.radius() == radii.back(), tolerance(2 * eps));
      for (std::size_t k = 0; k < radii.size() && radii.size() > 1; ++k)
        BOOST_TEST(tractions.ring_radius(k) == radii[k], tolerance(4 * eps));
    }
}

/// At three stages of U2, after U3, and in two directions with unequal radii (U4).
BOOST_AUTO_TEST_CASE(tractions_add_up_to_the_forces) {
  for (const auto& [name, steps] :
       {std::pair{"U2", 3}, {"U2", 4}, {"U2", 5}, {"U3", 9}, {"U4", 4}, {"U4", 9}, {"U4", 11}}) {
    Single<> t = after(name, std::size_t(steps));
    const auto [normal, force_1, force_2] = integral(t);
    const double limit = t.c.friction * t.h.normal_force;
    BOOST_TEST_CONTEXT(name << " after step " << steps) {
      BOOST_TEST(normal == t.h.normal_force, tolerance(1e-12));
      BOOST_TEST(std::abs(force_1 - t.h.force_1) <= 1e-12 * limit);
      BOOST_TEST(std::abs(force_2 - t.h.force_2) <= 1e-12 * limit);
    }
  }
}

/// |τ| ≤ f σ everywhere, and = in the ring that slipped last; a sum over n legs rounds n times.
BOOST_AUTO_TEST_CASE(friction_is_the_limit_at_every_point) {
  Draw draw{geometry::Random(21)};
  int slipped = 0, stuck = 0;
  Single<> t{{{5, 1.3, 0.02}, 0.6}};
  for (int n = 0; n < 2000; ++n) {
    const double z = 1e-4 * draw.between(0.5, 1.5), far = t.c.ratio * t.c.friction * 1e-4 * draw.between(0, 0.4),
                 angle = draw.between(-pi, pi);
    t.step(z, far * std::cos(angle), far * std::sin(angle));
    const std::vector<Leg> legs = legs_of(t);
    const JaegerTractions tractions(t.c, legs);
    const Leg& top = legs.back();
    const bool slips = std::hypot(top.p_1, top.p_2) >= t.c.friction * (1 - 4 * eps);
    const double inner = legs.size() > 1 ? tractions.ring_radius(legs.size() - 2) : 0,
                 rounding = (double(legs.size()) + 4) * eps;
    for (int m = 0; m < 40; ++m) {
      const double rho = draw.between(0, 1.1) * tractions.radius(), limit = t.c.friction * tractions.pressure(rho);
      const auto tau = tractions.shear(rho);
      const double size = std::hypot(tau.x, tau.y);
      BOOST_TEST_INFO("step " << n << ", at " << rho);
      BOOST_REQUIRE(size <= limit * (1 + rounding));
      if (slips && rho > inner) BOOST_REQUIRE(size >= limit * (1 - rounding));
      if (rho < inner) stuck += size < 0.99 * limit;
      slipped += slips && rho > inner && limit > 0;
    }
  }
  BOOST_TEST(slipped > 10000);
  BOOST_TEST(stuck > 10000);
}

BOOST_AUTO_TEST_CASE(no_contact_bears_nothing) {
  const JaegerCoefficients c{{5, 1.3, 0.02}, 0.6};
  const JaegerTractions none(c, {});
  BOOST_TEST(none.radius() == 0);
  BOOST_TEST(none.pressure(0) == 0);
  BOOST_TEST(none.shear(0).x == 0);
  const Leg leg{1e-4, 0.3, -0.4};
  const JaegerTractions one(c, {&leg, 1});
  BOOST_TEST(one.pressure(1.001 * one.radius()) == 0);
  const double mean = c.normal_force(leg.z) / (pi * c.radius * leg.z);
  BOOST_TEST(one.pressure(0) == 1.5 * mean, tolerance(4 * eps));
}
