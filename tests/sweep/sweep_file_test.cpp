// Sweep files: the grid they make, and all their errors at once.
#include <cmath>

#include "libdem/drivers/plates.hpp"
#include "libdem/sweep/case_document.hpp"
#include "libdem/sweep/expression.hpp"
#include "libdem/sweep/sweep.hpp"
#include "tests/sweep/sweep_cases.hpp"
#include "tests/sweep/sweep_tools.hpp"

namespace {

using namespace dem;
using sweep_test::Folder;
using sweep_test::has;
namespace tt = boost::test_tools;
using Names = std::vector<std::string>;

const std::string head = "format = 1\ncase = \"case.toml\"\n";
const std::string final_x = "[[quantity]]\nkind = \"final\"\ncolumn = \"pushed_x\"\n";

struct File {
  Folder folder;
  explicit File(const std::string& case_text = sweep_test::two_discs()) { folder.write("case.toml", case_text); }
  SweepSpec read(const std::string& text) const { return read_sweep(folder.write("sweep.toml", text)); }
  /// The messages, without the folder.
  Names errors(const std::string& text) const {
    try {
      read(text);
    } catch (const CaseErrors& e) {
      Names messages = e.messages;
      for (auto& message : messages)
        for (std::size_t at; (at = message.find(folder.path().string() + "/")) != std::string::npos;)
          message.erase(at, folder.path().string().size() + 1);
      return messages;
    }
    return {};
  }
  void refused(const std::string& text, const Names& parts) const {
    std::string all;
    for (const auto& m : errors(text)) all += m + "\n";
    BOOST_TEST(!all.empty(), "accepted: " << text);
    for (const auto& part : parts) BOOST_TEST(has(all, part), "'" << part << "' is not in:\n" << all << "of\n" << text);
  }
};

double value_at(const SweepSpec& spec, std::size_t point, const std::string& place) {
  return CaseDocument(point_case_text(spec, point), "case.toml").number(place).value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_last_axis_is_the_fastest_and_replicates_are_faster) {
  const auto spec = File().read(head + R"(
replicates = {count = 2, first_seed = 7}
set."time.step" = "1e-3 / seed"
axis = [{key = "material.friction", values = [0.25, 0.5]},
        {keys = ["contact.elongation", "body.pushed.force[1]"], values = [
         ["velocity", 1.5], ["geometric", 2.5], ["velocity", 2.5]]}]
)" + final_x);
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
  const File file;
  const auto range = [&](const std::string& text) {
    const auto spec = file.read(head + "axis = [{name = \"x\", range = {" + text + "}}]\n" + final_x);
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
  BOOST_TEST(three[1] == std::pow(10, 1.0 / 3), tt::tolerance(1e-14));
}

// t_c of the two discs is pi/sqrt(k_n/m_r - eta^2). It follows the stiffness that an axis sets.
BOOST_AUTO_TEST_CASE(expressions_know_axes_keys_and_the_contact_time_of_the_point) {
  const auto spec = File().read(head + R"toml(
axis = [{key = "material.normal_stiffness", values = [400, 4e8]}, {name = "ratio", values = [0.01]}]
[set]
"time.step" = "ratio * t_c"
"body.pushed.force[0]" = "-1e-6 * normal_stiffness"
"material.restitution" = "0.9875"
"stage.rest.duration" = "2 * stage.rest.duration + 0 * material.friction"
)toml" + final_x);
  BOOST_TEST(value_at(spec, 1, "time.step") == 0.01 * 9.84359e-5, tt::tolerance(1e-6));  // polygon-dem reference, §1
  BOOST_TEST(value_at(spec, 0, "time.step") == 0.01 * 0.0984359, tt::tolerance(1e-6));
  BOOST_TEST(value_at(spec, 1, "body.pushed.force[0]") == -400.0);
  BOOST_TEST(value_at(spec, 0, "stage.rest.duration") == 2.0);
  BOOST_TEST(expression_value("2^3 + sqrt(x.y[0]) + pi", [](const std::string&) { return 16.0; }) == 12 + M_PI);
}

BOOST_AUTO_TEST_CASE(places_in_a_case) {
  CaseDocument d(sweep_test::small_cell(), "c.toml");
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

BOOST_AUTO_TEST_CASE(all_errors_are_reported_at_once_with_their_lines) {
  File().refused(
      "format = 1\ncase = \"case.toml\"\nworkers = 3\n"                     // 3
      "[[axis]]\nkey = \"material.fricton\"\nvalues = [0.5]\n"              // 4-6
      "[[axis]]\nkey = \"stage.end.duration\"\nvalues = [1]\n"              // 7-9
      "[[axis]]\nname = \"a\"\nrange = { from = 1, to = 10, count = 0 }\n"  // 10-12
      "[[axis]]\nname = \"a\"\nvalues = []\n"                               // 13-15
      "[set]\n\"time.step\" = \"2 * t_k\"\n\"skin\" = \"3 *\"\n"            // 16-18
      "[[quantity]]\nkind = \"meen\"\ncolumn = \"pushed_x\"\n",             // 19-21
      {"sweep.toml:3: workers: found an unknown key", "sweep.toml:5: axis[1].key: found \"material.fricton\", allowed",
       "nearest known key: material.friction",
       "sweep.toml:8: axis[2].key: found \"stage.end.duration\", allowed stage.rest",
       "sweep.toml:12: axis[3].range.count: found 0, allowed", "sweep.toml:15: axis[4].values: found an empty list",
       "sweep.toml:14: axis[4].name: found \"a\", which axis[3] has too",
       "sweep.toml:17: set.time.step: found \"2 * t_k\" with the unknown name t_k", "nearest known: t_c",
       "sweep.toml:18: set.skin: found \"3 *\"", "sweep.toml:20: quantity[1].kind: found \"meen\"",
       "nearest known value: mean"});
  const Names a_case{
      "sweep.toml:2: material: found a key of a case, allowed the keys of a sweep; dem run takes this file"};
  BOOST_TEST(File().errors("format = 1\n[material]\nfriction = -1\n") == a_case, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(bad_axes_ranges_sets_and_quantities_are_refused) {
  const File file;
  for (const auto& [axis, parts] : std::vector<std::pair<std::string, Names>>{
           {R"(key = "material.friction")", {"sweep.toml:3: axis[1].values: found nothing"}},
           {R"(key = "material.friction", values = [0.5, 0.5])", {"0.5 twice"}},
           {R"(key = "material.friction", values = [0.5, -1.0])",
            {"sweep.toml:3: axis[1].values: found -1", "allowed a number >= 0"}},
           {R"(key = "contact.elongation", values = ["geometrical"])",
            {"axis[1].values: found \"geometrical\", allowed one of"}},
           {R"(key = "body.pushed.force", values = [1])", {"body.pushed.force[0] and body.pushed.force[1]"}},
           {R"(key = "body.pushed.force[2]", values = [1])", {"body.force[0] and body.force[1]"}},
           {R"(key = "wall.floor.from[0]", values = [1])", {"it has no [[wall]]"}},
           {R"(key = "threads", values = [1])", {"runs on one core"}},
           {R"(keys = ["material.friction", "skin"], values = [[1, 2], [3]])", {"lists of 2 values"}},
           {R"(name = "t_c", values = [1])", {"this one is taken"}},
           {R"(key = "material.friction", values = [0.1, 0.2], names = ["low", "high"])",
            {"axis[1].names: found 2 names, allowed 1, one for each key: they name the columns of the table"}},
           {R"(keys = ["material.friction", "skin"], values = [[1, 2]], names = ["a", ""])",
            {"axis[1].names: found \"\", allowed a name"}},
           {R"(name = "x", range = {from = 1, to = 1, count = 4})", {"the range is empty"}},
           {R"(name = "x", range = {from = 0, to = 1, per_decade = 4})",
            {"axis[1].range.from: found 0, allowed a number > 0"}},
           {R"(name = "x", range = {from = 1, to = 2})", {"one of count and per_decade"}},
           {R"(name = "x", range = {from = 1, to = 2, count = 3, spacin = 2})", {"nearest known key: spacing"}},
           {R"(name = "x", range = {from = 1, to = 2, count = 2000000})",
            {"axis[1].range.count: found 2000000, allowed a whole number in [1, 1e+06]"}},
           // One of 2e9 points would never end; so would the others.
           {R"(name = "x", range = {from = 1, to = 2, count = 2000000000})",
            {"axis[1].range.count: found 2000000000, allowed a whole number in [1, 1e+06]"}},
           {R"(name = "x", range = {from = 1e-50, to = 1e50, per_decade = 2000000000})",
            {"axis[1].range.per_decade: found 2000000000, allowed a whole number in [1, 1e+06]"}},
           {R"(name = "x", range = {from = -1e308, to = 1e308, count = 3})",
            {"axis[1].range.from: found -1e+308, allowed 0 or a number from 1e-60 to 1e+60 in size"}}})
    file.refused(head + "axis = [{" + axis + "}]\n" + final_x, parts);
  const std::string friction = "[[axis]]\nkey = \"material.friction\"\nvalues = [0.5]\n",
                    x = "[[axis]]\nname = \"x\"\nvalues = [1]\n", mean = "[[quantity]]\nkind = \"mean\"\ncolumn = ";
  std::string four;
  for (const std::string name : {"p", "q", "r", "s"})
    four += "[[axis]]\nname = \"" + name + "\"\nrange = {from = 1, to = 2, count = 1000000}\n";
  for (const auto& [text, parts] : std::vector<std::pair<std::string, Names>>{
           {friction + "[set]\n\"material.friction\" = \"1\"\n" + final_x, {"a key that axis[1] gives"}},
           {friction + friction + final_x, {"which axis[1] has too"}},
           {x + "[replicates]\ncount = 3\n" + final_x, {"all replicates are the same"}},
           {x + "[replicates]\ncount = 5000000000\nkey = \"assembly.seed\"\n" + final_x,
            {"replicates.count: found 5000000000, allowed a whole number in [1, 1e+06]"}},
           {x + "[replicates]\ncount = 2\nfirst_seed = 9007199254740993\nkey = \"assembly.seed\"\n" + final_x,
            {"replicates.first_seed: found 9007199254740993, allowed at most 9007199254740992"}},
           {four + final_x, {"1e+24 points, allowed at most 1000000"}},
           {x, {"quantity: found nothing"}},
           {x + mean + "\"pushed_z\"\n",
            {"sweep.toml:8: quantity[1].column: found \"pushed_z\", allowed a column", "nearest known: pushed_"}},
           {x + mean + "\"time\"\nstage = \"x\"\n", {"quantity[1].stage: found stage \"x\", allowed \"rest\""}},
           {x + mean + "\"time\"\ntime_window = [3, 2]\n", {"0 <= from < to"}},
           {x + "[[quantity]]\nkind = \"relaxation\"\ncolumn = \"time\"\n",
            {"quantity[1].column: found this key with kind = \"relaxation\", allowed only with kind = \"final\""}},
           {x + final_x + final_x, {"quantity[2].name: found \"pushed_x\" again"}}})
    file.refused(head + text, parts);
  file.refused("format = 2\ncase = \"case.toml\"\n", {"sweep.toml:1: format: found 2, allowed 1"});
  file.refused("format = 1\ncase = \"other.toml\"\n" + x + final_x, {"sweep.toml:2: case: found \"other.toml\""});
  file.refused("format = 1\ncase = \"case.toml\n", {"sweep.toml:2:", "not TOML"});
  File("format = 1\n[material]\nfriction = -1\n")
      .refused(head + x + final_x,
               {"case: found \"case.toml\", in which: ", "case.toml:3: material.friction: found -1"});
  BOOST_CHECK_THROW(read_sweep("/nowhere/sweep.toml"), FileError);
}

// The consequences of a typo are left out. A typo comes before errors elsewhere.
BOOST_AUTO_TEST_CASE(no_error_is_reported_twice) {
  const File file;
  const auto typo =
      file.errors(head + "[[axis]]\nname = \"x\"\nvalues = []\n[[axis]]\nname = \"y\"\nvalus = [1]\n" + final_x);
  BOOST_TEST_REQUIRE(typo.size() == 2u);
  BOOST_TEST(has(typo[0], "sweep.toml:8: axis[2].valus: found an unknown key"), typo[0]);
  BOOST_TEST(has(typo[0], "nearest known key: values"), typo[0]);
  BOOST_TEST(has(typo[1], "axis[1].values: found an empty list"), typo[1]);
  const auto infinite = file.errors(head + "axis = [{key = \"material.friction\", values = [0.25, 0.5]}]\n" +
                                    "set.\"time.step\" = \"t_c / 0\"\n" + final_x);
  BOOST_TEST_REQUIRE(infinite.size() == 1u);
  BOOST_TEST(infinite[0] == "sweep.toml:4: set.time.step: found \"t_c / 0\", which is inf, allowed a finite number");
}
