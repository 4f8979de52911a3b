// Energy of laws hooke-history and hertz-history: variants of a changing stiffness, what an elastic impact gains
// (direct-shear reference, §1.2).
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <utility>

#include "geometry/random.hpp"
#include "laws/history_contact.hpp"
#include "libdem/contacts/pair_table.hpp"

using namespace history_test;

namespace {

const auto closely = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(history_energy)

/// A contact at rest in shear that is pressed and relieved: force and energy of the variants.
BOOST_AUTO_TEST_CASE(variants_of_a_changing_stiffness) {
  Coefficients k = glass;
  k.gamma_n = k.gamma_t = 0;
  k.friction = 1e3;
  for (const HertzVariant variant :
       {HertzVariant::displacement, HertzVariant::force_increment, HertzVariant::rescaled}) {
    Contact c(k);
    c.options.hertz_variant = variant;
    c.step(1e-6, 0, 0, 0, 1);
    c.step(1e-6, 0, 1e-8, 0, 1);
    const double force = -c.on_j_1(), stored = c.stored;
    BOOST_TEST(stored == 0.5 * force * 1e-8, closely);
    const bool elongation_stays = variant == HertzVariant::displacement;
    c.step(4e-6, 0, 0, 0, 1);  // K_t twice as large
    BOOST_TEST(-c.on_j_1() == (elongation_stays ? 2 : 1) * force, closely);
    BOOST_TEST(c.stored == (elongation_stays ? 2 : 0.5) * stored, closely);
    BOOST_TEST(c.circulation == stored - c.stored, closely);
    c.step(1e-6, 0, 0, 0, 1);
    BOOST_TEST(-c.on_j_1() == (variant == HertzVariant::rescaled ? 0.5 : 1) * force, closely);
    BOOST_TEST(c.friction_work == 0);
    BOOST_TEST(std::abs(c.circulation - (stored - c.stored)) <= 1e-12 * stored);
  }
}

/// The largest gain of kinetic energy over incidence and spin in an elastic impact, and the circulation there.
struct Gain {
  double kinetic = -1, circulation = 0;
};
Gain largest_gain(double nu, double friction, HertzVariant variant) {
  const double young = 4e7 / (2 * (1 - nu * nu)), shear = 4e7 / (4 * (1 + nu) * (2 - nu));  // E*, G*
  Coefficients k = on_a_wall({true, 4 * young / 3, 8 * shear, 0, 0, friction, 0, 0});
  Gain most;
  for (const double spin : {-2.5, -1.75, -1.0, 0.0, 2.0, 3.0})  // R ω over v_x
    for (int degrees = 2; degrees < 90; degrees += 2) {
      Contact c(k);
      c.options.hertz_variant = variant;
      const double angle = degrees * std::numbers::pi / 180;
      const Rebound r = meets_wall(c, 0.003, 1, angle, true, 2e-7, 40000, spin * std::sin(angle) / 0.003);
      if (r.kinetic - 1 > most.kinetic) most = {r.kinetic - 1, r.circulation};
    }
  return most;
}

/// Elastic impacts: the published form makes energy, 0.06 % at μ = 0.5 and 2.2 % at μ = 10 (reference, §1.2, which
/// gives neither incidence nor spin); what is made is the circulation. Force increments make none at the reference's ν
/// = 0.22, but do where ν is small; `rescaled` never does.
BOOST_AUTO_TEST_CASE(energy_made_by_an_impact) {
  for (const auto& [friction, gain] : {std::pair{0.5, 0.0006}, {10.0, 0.022}}) {
    const Gain found = largest_gain(0.22, friction, HertzVariant::displacement);
    BOOST_TEST_MESSAGE("friction " << friction << ": the published form gains " << found.kinetic << ", circulation "
                                   << found.circulation);
    BOOST_TEST(std::abs(found.kinetic / gain - 1) < 0.1);
    BOOST_TEST(found.circulation < -found.kinetic * 0.99);  // friction takes some of it
    BOOST_TEST(largest_gain(0.22, friction, HertzVariant::force_increment).kinetic < 1e-5);
    for (const double nu : {0.0, 0.22, 0.4})
      BOOST_TEST(largest_gain(nu, friction, HertzVariant::rescaled).kinetic < 1e-6);
  }
  BOOST_TEST(largest_gain(0.25, 10, HertzVariant::displacement).kinetic < 1e-5);
  BOOST_TEST(largest_gain(0, 10, HertzVariant::displacement).kinetic > 0.1);
  BOOST_TEST(largest_gain(0, 10, HertzVariant::force_increment).kinetic > 0.02);
}

/// Random impacts over incidence, spin, friction, restitution: hooke-history and `rescaled` never give more than came;
/// hooke-history has a potential.
BOOST_AUTO_TEST_CASE(random_impacts_lose_energy) {
  dem::geometry::Random random(7);
  const auto within = [&random](double low, double high) { return low + (high - low) * random.uniform(); };
  double most = -1, circulation = 0;
  for (int k = 0; k < 600; ++k) {
    const bool hertz = k % 2 == 1;
    Coefficients given = on_a_wall(hertz ? glass : Coefficients{false, 2000, 2000 * within(0.2, 1.5), 0, 0, 0, 0, 0});
    given.gamma_n = given.gamma_t = 0;
    const double e = k % 3 == 0 ? 1 : within(0.3, 1);
    given.friction = std::exp(within(-3, 3));
    if (e < 1 && hertz) given.restitution = e;
    if (!hertz) {
      given.gamma_n = dem::damping_of_restitution(e, given.k_n, given.mass) / given.mass;
      given.gamma_t = given.gamma_n * std::sqrt(given.k_t / given.k_n);
    }
    Contact c(given);
    c.options.friction_limit = k % 4 < 2 ? FrictionLimit::total : FrictionLimit::spring;
    c.options.hertz_variant = HertzVariant::rescaled;
    const double angle = within(0, 0.49 * std::numbers::pi);
    const Rebound r = meets_wall(c, 0.003, 1, angle, true, 2e-7, 100000, within(-500, 500));
    most = std::max(most, r.kinetic - 1);
    if (!hertz) circulation = std::max(circulation, std::abs(r.circulation));
  }
  BOOST_TEST(most < 1e-6);
  BOOST_TEST(circulation < 1e-12);
}

BOOST_AUTO_TEST_SUITE_END()
