// The impact and stiffness studies of Kuhn (2011): solution by rings, closed forms, one impact, moduli of a regular
// packing.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "validation/kuhn2011/oblique-impact/cases.hpp"
#include "validation/kuhn2011/oblique-impact/maw_rings.hpp"
#include "validation/kuhn2011/pressure-stiffness/fcc_moduli.hpp"
#include "validation/kuhn2011/pressure-stiffness/packing.hpp"

using namespace dem;
using namespace dem::validation::kuhn2011;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(kuhn2011_impact)

/// Where the contact slides all the time the rings must give the closed form, whatever κ and the inertia. The error
/// falls with the square of 1/n.
BOOST_AUTO_TEST_CASE(rings_that_slide) {
  for (const double ratio : {1.0, 1.2143, 1.5})
    for (const double inertia : {3.5, 3.0}) {  // solid sphere, disc
      const double psi = impacts::maw_sliding_from(ratio, inertia) + 0.3,
                   exact = impacts::maw_sliding(psi, ratio, inertia);
      const double coarse = impacts::maw_rebound(psi, ratio, 20, inertia) - exact,
                   fine = impacts::maw_rebound(psi, ratio, 40, inertia) - exact;
      BOOST_TEST(std::abs(fine) < 0.01);
      BOOST_TEST(coarse / fine == 4, tolerance(0.15));
    }
}

/// A sphere that comes in straight leaves straight, and the other side is the mirror image.
BOOST_AUTO_TEST_CASE(rings_are_odd) {
  BOOST_TEST(std::abs(impacts::maw_rebound(0, 1.2, 20)) < 1e-14);
  for (const double psi : {0.5, 2.0, 4.0})
    BOOST_TEST(impacts::maw_rebound(-psi, 1.2, 20) == -impacts::maw_rebound(psi, 1.2, 20), tolerance(1e-9));
}

/// Law jaeger against Coulomb's law on every ring, with the error of the rings known; no memory is told from it.
BOOST_AUTO_TEST_CASE(rings_and_laws) {
  const impacts::ElasticBody steel{2e11, 0.3, 7800};
  impacts::Impact impact = impacts::impact_of(impacts::laws[0], steel, steel, impacts::Dashpots::none, 500);
  impact.speed = 0.01;
  for (const double psi : {1.2, 3.0}) {
    const impacts::MawRebound rings = impacts::refined_maw_rebound(psi, impacts::ratio_of(impact), 40);
    BOOST_TEST(std::abs(impacts::elastic_at(impact, psi).psi_2 - rings.psi_2) < 2 * std::abs(rings.change) + 2e-3);
  }
  const double with_memory = impacts::elastic_at(impact, 1.2).psi_2;
  impact.law = "hertz-mindlin";
  BOOST_TEST(impacts::elastic_at(impact, 1.2).psi_2 - with_memory > 0.3);
}

BOOST_AUTO_TEST_CASE(closed_forms_of_an_impact) {
  const double angle = 40 * impacts::degree, e_t = impacts::sliding_restitution(0.1, 0.9, angle);
  BOOST_TEST(impacts::sliding_spin(0.1, 0.9, 3, angle, 2e-3) == impacts::spin_of_restitution(e_t, 3, angle, 2e-3),
             tolerance(1e-13));
  // Velocity of the contact point: v_t e_t − r ω.
  const double v = 3 * std::sin(angle), left = v * e_t - 2e-3 * impacts::spin_of_restitution(e_t, 3, angle, 2e-3);
  BOOST_TEST(impacts::psi_2_of_restitution(2.5, e_t) == 2.5 * left / v, tolerance(1e-13));
  // The spring without slip slides as well where all do.
  BOOST_TEST(impacts::spring_restitution(1.15, 0.1, 50 * impacts::degree, 4000) ==
                 impacts::sliding_restitution(0.1, 1, 50 * impacts::degree),
             tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(one_impact) {
  impacts::Impact impact = impacts::kharaz_impact(impacts::laws[0], impacts::Dashpots::both, 300);
  BOOST_TEST(impacts::ratio_of(impact) == 1.164, tolerance(5e-4));
  const impacts::Rebound r = impacts::at_angle(impact, 50);
  BOOST_TEST((impacts::slides(impact, 50) && !impacts::slides(impact, 20)));
  BOOST_TEST(r.e_n == 0.98, tolerance(1e-4));
  BOOST_TEST(r.e_t == impacts::sliding_restitution(0.092, 0.98, 50 * impacts::degree), tolerance(1e-4));
  BOOST_TEST(r.spin == impacts::sliding_spin(0.092, 0.98, 3.9, 50 * impacts::degree, impact.radius), tolerance(5e-3));
  BOOST_TEST(r.psi_1 > impacts::maw_sliding_from(impacts::ratio_of(impact)));
  impact.sphere.young = -1;
  BOOST_CHECK_THROW(impacts::rebound_of(impact), std::exception);
}

/// Moduli of the cubic packing, terms of the pressure included: without them C12 would be off by 35 times the overlap.
BOOST_AUTO_TEST_CASE(moduli_of_a_cubic_packing) {
  for (const char* law : {"linear", "jaeger"}) {
    const stiffness::FccState state{law, 1e-3, 0.02};
    const stiffness::FccMeasurement found = stiffness::measure_fcc(state, 1e-4);
    const stiffness::Moduli form = stiffness::closed_form(state);
    const double room = law == std::string("linear") ? 1e-6 : 3e-4;
    BOOST_TEST(found.pressure == stiffness::pressure_of(state), tolerance(1e-9));
    const stiffness::Moduli& m = found.moduli;
    for (const auto& [is, wanted] : {std::pair{m.c11, form.c11}, {m.c12, form.c12}, {m.c44, form.c44}})
      BOOST_TEST(is == wanted, tolerance(room));
  }
}

BOOST_AUTO_TEST_CASE(interval_of_samples) {
  const stiffness::Estimate e = stiffness::mean_of({1, 2, 3});
  BOOST_TEST(e.value == 2, tolerance(1e-15));
  BOOST_TEST(e.error == 4.303 / std::sqrt(3.0), tolerance(1e-12));
  BOOST_TEST(std::isnan(stiffness::mean_of({1}).error));
}

BOOST_AUTO_TEST_SUITE_END()
