// Tractions of a Jäger contact (jaeger-contact reference, §10): tables of §16, what they add up to, and the limit of
// friction.
#include "libdem/laws/jaeger_traction.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <string>

#include "tests/jaeger_tables.hpp"
#include "tests/laws/jaeger_paths.hpp"

using namespace dem::laws;
using namespace dem::laws::jaeger_paths;

namespace {

/// The contact of a table after its first `rows` rows.
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

/// ∫ (σ, τ) 2πρ dρ, ring by ring with ρ = r_{k−1} + (r_k − r_{k−1}) sin θ, which takes away the root at the edge of
/// each ring.
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

BOOST_AUTO_TEST_SUITE(jaeger_traction)

/// U2 after steps 3, 4, 5 and U3 after its nine: radii, and values at shares of a.
BOOST_AUTO_TEST_CASE(tables_of_the_reference) {
  struct Row {
    const char* name;
    std::size_t steps;
    double a;
    std::vector<double> radii, shares, shear;
  };
  const std::vector<double> seven{0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99},
      nine{0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.97, 0.99};
  // clang-format off
  const std::vector<Row> rows{
      {"U2", 3, 0.10405841649670135, {0.04829963840545164, 0.10405841649670135}, seven,
       {0.07099428123189172, 0.0764694632152361, 0.11474082365293428, 0.0876347516151918, 0.057751614769750124,
        0.041370392306962614, 0.018690196595713617}},
      {"U2", 4, 0.10042546998348993, {0.04829963840545164, 0.0849952110744635, 0.10042546998348993}, seven,
       {0.02707583841041423, 0.030439226907785256, 0.06389612487328107, 0.015719190188576898, -0.05573535760792077,
        -0.0399260456837701, -0.018037673841287634}},
      {"U2", 5, 0.09650874322758259, {0.0447953904911149, 0.09650874322758259}, seven,
       {-0.065843485694909, -0.07092143085248902, -0.10641611760441692, -0.08127665234759388, -0.05356160461050989,
        -0.03836887685585313, -0.017334180596395566}},
      {"U3", 9, 0.07141428428542851, {}, nine,
       {0.0359282540519547, 0.03488939333740592, 0.02904289524363495, 0.05063307905768274, 0.008987840112237055,
        0.007635593530164481, -0.019060634317545545, -0.009229192206044498, 0.012826901061666162}}};
  // clang-format on
  for (const Row& row : rows) BOOST_TEST_CONTEXT(row.name << " after step " << row.steps) {
      Single<> t = after(row.name, row.steps);
      const std::vector<Leg> legs = legs_of(t);
      const JaegerTractions tractions(t.c, legs);
      BOOST_TEST(tractions.radius() == row.a, boost::test_tools::tolerance(2 * eps));
      for (std::size_t k = 0; k < row.radii.size(); ++k)
        BOOST_TEST(tractions.ring_radius(k) == row.radii[k], boost::test_tools::tolerance(4 * eps));
      BOOST_TEST_REQUIRE(row.shear.size() == row.shares.size());
      for (std::size_t k = 0; k < row.shares.size(); ++k) {
        const auto tau = tractions.shear(row.shares[k] * row.a);
        BOOST_TEST(std::abs(tau.x - row.shear[k]) <= 8 * eps * t.c.friction * tractions.pressure(0));
        BOOST_TEST(tau.y == 0);
      }
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
      BOOST_TEST(normal == t.h.normal_force, boost::test_tools::tolerance(1e-12));
      BOOST_TEST(std::abs(force_1 - t.h.force_1) <= 1e-12 * limit);
      BOOST_TEST(std::abs(force_2 - t.h.force_2) <= 1e-12 * limit);
    }
  }
}

/// |τ| ≤ f σ everywhere, and = in the ring that slipped last; a sum over n legs rounds n times.
BOOST_AUTO_TEST_CASE(friction_is_the_limit_at_every_point) {
  Draw draw{dem::geometry::Random(21)};
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
  BOOST_TEST(one.pressure(0) == 1.5 * mean, boost::test_tools::tolerance(4 * eps));
}

BOOST_AUTO_TEST_SUITE_END()
