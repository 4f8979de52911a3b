// A run of the slow-shear study: interrupted and resumed it gives the same numbers, which survive the journal of tasks.
#include "validation/pena2008/slow-shear/shear_run.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <numeric>

#include "cases.hpp"

using namespace dem;
using namespace dem::validation::pena2008;

namespace {

constexpr double discard = 0.005;

Case small_cell() {
  return test::case_of(R"(
assembly = { generator = "voronoi", columns = 5, rows = 6, elongation = 2.0 }
plates = {}
time = { step = 0.005 }
output = { series_interval = 0.5 }
stage = [
  { normal = "hold-stress", normal_stress = 0.4, plate_speed = 0.05, until_target = true, stress_tolerance = 0.1 },
  { normal = "hold-stress", normal_stress = 0.4, plate_speed = 1.0, shear_rate = 2e-3, strain = 0.01 },
  { name = "shear", normal = "hold-stress", normal_stress = 0.4, plate_speed = 1.0, shear_rate = 1e-3, strain = 0.02 },
]
[material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.3333333333333333
friction = 0.5
restitution = 0.9875
)");
}

struct Stop {};

/// Layers without a body hold nan, which is not equal to itself.
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shear_run)

BOOST_AUTO_TEST_CASE(interrupted_and_resumed) {
  const Case c = small_cell();
  TaskProgress progress;
  const ShearRecord whole = run_shear(c, discard, {}, progress);
  BOOST_TEST(whole.rows() == 50u);  // 5 s and 20 s
  BOOST_TEST(std::abs(whole.strain.back() - 0.03) < 1e-5);
  BOOST_TEST(whole.picture.size() == 30u);
  BOOST_TEST(std::abs(std::accumulate(whole.normal.begin(), whole.normal.end(), 0.0) / 50 - 0.4) < 0.02);

  const auto file = std::filesystem::temp_directory_path() / ("shear-run-" + std::to_string(getpid()) + ".h5");
  int pieces = 0;
  ShearRecord resumed;
  for (bool over = false; !over;) {
    try {
      resumed = run_shear(c, discard,
                          {file, std::chrono::seconds(0),
                           [&] {
                             if (++pieces % 2 == 0) throw Stop();
                           }},
                          progress);
      over = true;
    } catch (const Stop&) {
      BOOST_TEST_REQUIRE(std::filesystem::exists(file));
    }
  }
  BOOST_TEST(pieces >= 4);
  BOOST_TEST(same_bits(resumed.pack(), whole.pack()));
  BOOST_TEST(!std::filesystem::exists(file));

  const std::vector<double> numbers = whole.pack();
  BOOST_TEST(same_bits(ShearRecord::unpack(numbers).pack(), numbers));
  BOOST_TEST((ShearRecord::unpack(numbers).kinetic == whole.kinetic));
  BOOST_CHECK_THROW(ShearRecord::unpack({numbers.begin(), numbers.end() - 2}), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
