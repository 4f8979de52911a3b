// Printed digits.
#include <boost/test/unit_test.hpp>
#include <tuple>

#include "validation/kuhn2020/claims.hpp"

using namespace dem;
using namespace dem::validation::kuhn2020;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(printed)

BOOST_AUTO_TEST_CASE(printed_digits) {
  for (const auto& [print, good, bad] : {std::tuple{"1.23e-3", 1.2349e-3, 1.2351e-3},
                                         {"-84.2799475412", -84.27994754124, -84.2799475413},
                                         {"12", 12.4, 12.6}})
    BOOST_TEST((agrees_with_print(print, good) && !agrees_with_print(print, bad)), print);
  BOOST_TEST(log_slope({1, 2, 4}, {3, 12, 48}) == 2, tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
