// The stiffness study of Kuhn (2011): moduli of a regular packing, intervals.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "validation/kuhn2011/pressure-stiffness/fcc_moduli.hpp"
#include "validation/kuhn2011/pressure-stiffness/packing.hpp"

using namespace dem;
using namespace dem::validation::kuhn2011;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(kuhn2011_impact)

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
