// Every key of a number has bounds. tests/bad-cases has numbers beyond them, tests/bad-assemblies what numbers in range
// make together.
#include "case/error_checks.hpp"
#include "libdem/case/plan.hpp"

BOOST_AUTO_TEST_CASE(every_number_has_bounds) {
  int numbers = 0;
  for (const CaseKey& key : case_keys()) {
    const bool expected = key.type.find("number") != std::string::npos || key.type.find('[') != std::string::npos;
    if (key.path == "body.orientation") continue;  // of unit length
    BOOST_TEST(key.bounds.has_value() == expected, key.path << " (" << key.type << ")");
    if (!key.bounds) continue;
    ++numbers;
    BOOST_TEST((std::isfinite(key.bounds->first) && std::isfinite(key.bounds->second) &&
                key.bounds->first <= key.bounds->second),
               key.path << ": from " << key.bounds->first << " to " << key.bounds->second);
    BOOST_TEST(key.allowed.find("inf") == std::string::npos, key.path << ": " << key.allowed);
  }
  BOOST_TEST(numbers > 150);
  // An interval beyond any run is none of so many steps that they cannot be counted.
  BOOST_TEST(interval_steps(1e15, 1, 20, 1e-18) == 1000000000000000000u);
}
