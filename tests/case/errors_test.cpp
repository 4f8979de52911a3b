// All errors of a case at once, in a sensible order. What single errors are told is in the files of tests/bad-cases.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include "case/error_checks.hpp"

using namespace dem::test;

namespace {

/// A good case; tests add to it or replace a line.
const std::string good = R"(format = 1
[material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.5
friction = 0.5
restitution = 0.9
[time]
step = 0.001
[assembly]
generator = "voronoi"
[plates]
[[stage]]
shear_rate = 0.1
strain = 0.5
)";

const std::string good_discs = R"(format = 1
[material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.5
friction = 0.5
restitution = 0.9
[time]
step = 0.001
[[body]]
shape = "disc"
radius = 0.5
position = [0.0, 0.0]
[[stage]]
duration = 1.0
)";

}  // namespace

BOOST_AUTO_TEST_CASE(good_cases_are_good) {
  BOOST_TEST(errors_of(good).empty());
  BOOST_TEST(errors_of(good_discs).empty());
}

BOOST_AUTO_TEST_CASE(stage_keys_that_do_not_fit) {
  // Once, however many keys need them.
  const auto errors = errors_of(with(good, "strain = 0.5", "strain = 0.5\nnormal = \"hold-stress\""));
  BOOST_TEST_REQUIRE(errors.size() == 2);
  BOOST_TEST(errors[0].starts_with("case.toml:12: stage[1].normal_stress: found nothing"));
  BOOST_TEST(errors[1].starts_with("case.toml:12: stage[1].plate_speed: found nothing"));
}

BOOST_AUTO_TEST_CASE(combinations_that_make_no_sense) {
  const auto contact = [](const std::string& base, const std::string& lines) {
    return with(base, "[time]", "[contact]\n" + lines + "\n[time]");
  };
  BOOST_TEST(errors_of(contact(good_discs, "lever = \"conjugate\"")).empty());
}

BOOST_AUTO_TEST_CASE(all_errors_at_once_by_line) {
  const std::string text =
      with(with(with(with(good, "friction = 0.5", "friction = -1"), "step = 0.001", "step = \"x\""), "[plates]",
                "[plates]\nside = 3"),
           "normal_stiffness = 400.0", "normal_stifness = 400.0");
  const auto errors = errors_of(text);
  // Keys spelt wrongly first; that material.normal_stiffness is missing only follows.
  BOOST_TEST_REQUIRE(errors.size() == 4);
  BOOST_TEST(errors[0].starts_with("case.toml:3: material.normal_stifness: found an unknown key"));
  BOOST_TEST(errors[1].starts_with("case.toml:12: plates.side: found an unknown key"));
  BOOST_TEST(errors[2].starts_with("case.toml:5: material.friction: found -1"));
  BOOST_TEST(errors[3].starts_with("case.toml:8: time.step: found \"x\""));
}

BOOST_AUTO_TEST_CASE(missing_file_is_a_file_error) {
  BOOST_CHECK_THROW(dem::read_case("/no/such/case.toml"), dem::FileError);
  BOOST_CHECK_THROW(dem::read_case("/"), dem::FileError);
}

BOOST_AUTO_TEST_CASE(help_knows_every_key) {
  BOOST_TEST(dem::case_keys().size() > 80);
  for (const auto& key : dem::case_keys()) {
    BOOST_TEST(!key.type.empty(), key.path);
    BOOST_TEST(!key.default_text.empty(), key.path);
    BOOST_TEST(!key.allowed.empty(), key.path);
    BOOST_TEST(key.description.ends_with("."), key.path);
    BOOST_TEST(dem::nearest_case_key(key.path) == key.path);
    const std::string cell = fmt::format("`{}`", std::string_view(key.path).substr(key.path.rfind('.') + 1));
    BOOST_TEST(dem::case_reference().find(cell) != std::string::npos, key.path);
  }
  BOOST_TEST(dem::find_case_keys("material.density").size() == 1);
  BOOST_TEST(dem::find_case_keys("density").size() == 3);
  BOOST_TEST(dem::find_case_keys("material").size() == 18);
  BOOST_TEST(dem::find_case_keys("no_such").empty());
}
