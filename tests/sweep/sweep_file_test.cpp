// Sweep files: the grid they make. tests/bad-sweeps has their errors.
#include "libdem/drivers/plates.hpp"
#include "libdem/sweep/case_document.hpp"
#include "libdem/sweep/expression.hpp"
#include "tests/sweep/sweep_cases.hpp"
#include "tests/sweep/sweep_tools.hpp"

namespace {

const std::string final_x = "[[quantity]]\nkind = \"final\"\ncolumn = \"pushed_x\"\n";

SweepSpec read(const std::string& text) { return spec_of(TemporaryFolder(), two_discs(), text + final_x); }

double value_at(const SweepSpec& spec, std::size_t point, const std::string& place) {
  return CaseDocument(point_case_text(spec, point), "case.toml").number(place).value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_last_axis_is_the_fastest_and_replicates_are_faster) {
  const auto spec = read(R"(
replicates = {count = 2, first_seed = 7}
set."time.step" = "1e-3 / seed"
axis = [{key = "material.friction", values = [0.25, 0.5]},
        {keys = ["contact.elongation", "body.pushed.force[1]"], values = [
         ["velocity", 1.5], ["geometric", 2.5], ["velocity", 2.5]]}]
)");
  BOOST_TEST(spec.points() == 12u);
  const auto values = [&](std::size_t point) {
    std::string text;
    for (const auto& v : point_values(spec, point)) text += text_of(v) + " ";
    return text;
  };
  BOOST_TEST(values(0) == "0.25 velocity 1.5 0 7 ");
  BOOST_TEST(values(1) == "0.25 velocity 1.5 1 8 ");
  BOOST_TEST(values(2) == "0.25 geometric 2.5 0 7 ");
  BOOST_TEST(values(11) == "0.5 velocity 2.5 1 8 ");
  BOOST_TEST(value_at(spec, 11, "material.friction") == 0.5);
  BOOST_TEST(value_at(spec, 11, "body.pushed.force[1]") == 2.5);
  BOOST_TEST(value_at(spec, 11, "body.pushed.force[0]") == -4e-4);  // untouched
  BOOST_TEST(value_at(spec, 11, "time.step") == 1e-3 / 8);
  BOOST_TEST(has(point_case_text(spec, 2), "geometric"));
}

BOOST_AUTO_TEST_CASE(values_of_ranges) {
  const auto range = [&](const std::string& text) {
    const auto spec = read("axis = [{name = \"x\", range = {" + text + "}}]\n");
    std::vector<double> values;
    for (const auto& point : spec.axes[0].values) values.push_back(std::get<double>(point[0]));
    return values;
  };
  using Row = std::pair<const char*, std::vector<double>>;
  for (const auto& [text, values] : {Row{"from = 1e-5, to = 1e-1, per_decade = 1", {1e-5, 1e-4, 1e-3, 1e-2, 1e-1}},
                                     Row{"from = 10, to = 0.1, per_decade = 1", {10, 1, 0.1}},
                                     Row{"from = 0, to = 1, count = 5", {0, 0.25, 0.5, 0.75, 1}},
                                     Row{"from = 1, to = 16, count = 5, spacing = \"log\"", {1, 2, 4, 8, 16}},
                                     Row{"from = 3, to = 3, count = 1", {3}}})
    BOOST_TEST_CONTEXT(text) BOOST_TEST(range(text) == values, tt::per_element());
  const auto three = range("from = 1, to = 100, per_decade = 3");
  BOOST_TEST(three.size() == 7u);
  BOOST_TEST(three[1] == std::pow(10, 1.0 / 3), tolerance(1e-14));
}

// t_c of the two discs is pi/sqrt(k_n/m_r - eta^2). It follows the stiffness that an axis sets.
BOOST_AUTO_TEST_CASE(expressions_know_axes_keys_and_the_contact_time_of_the_point) {
  const auto spec = read(R"toml(
axis = [{key = "material.normal_stiffness", values = [400, 4e8]}, {name = "ratio", values = [0.01]}]
[set]
"time.step" = "ratio * t_c"
"body.pushed.force[0]" = "-1e-6 * normal_stiffness"
"material.restitution" = "0.9875"
"stage.rest.duration" = "2 * stage.rest.duration + 0 * material.friction"
)toml");
  BOOST_TEST(value_at(spec, 1, "time.step") == 0.01 * 9.84359e-5, tolerance(1e-6));  // polygon-dem reference, §1
  BOOST_TEST(value_at(spec, 0, "time.step") == 0.01 * 0.0984359, tolerance(1e-6));
  BOOST_TEST(value_at(spec, 1, "body.pushed.force[0]") == -400.0);
  BOOST_TEST(value_at(spec, 0, "stage.rest.duration") == 2.0);
  BOOST_TEST(expression_value("2^3 + sqrt(x.y[0]) + pi", [](const std::string&) { return 16.0; }) == 12 + M_PI);
}

BOOST_AUTO_TEST_CASE(places_in_a_case) {
  CaseDocument d(small_cell(), "c.toml");
  d.set("stage.shear.strain", 0.25);
  d.set("stage[1].plate_speed", 3.0);
  d.set("assembly.seed", 12.0);
  d.set("gravity[1]", -9.81);
  d.set("plates.from_rows", false);
  const Case c = parse_case(d.text(), "c.toml");
  BOOST_TEST(*c.stages[1].strain == 0.25);
  BOOST_TEST(c.stages[0].plate_speed == 3.0);
  BOOST_TEST(std::get<geometry::VoronoiInput>(c.assembly.generator).seed == 12u);
  BOOST_TEST(c.gravity.y == -9.81);
  BOOST_TEST(!c.driver_options<PlatesSpec>()->from_rows);
  BOOST_TEST(d.key("stage[2].strain") == "stage.strain");
  // The same bits go through the text.
  const double odd = 0.1 + 0.2;
  d.set("material.friction", odd);
  BOOST_TEST(CaseDocument(d.text(), "c").number("material.friction").value() == odd);
}
