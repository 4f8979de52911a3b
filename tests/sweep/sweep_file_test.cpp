// Sweep files: the grid they make, and everything that is wrong in them at once.
#include <boost/test/unit_test.hpp>
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

const std::string head = "format = 1\ncase = \"case.toml\"\n";
const std::string final_x = "[[quantity]]\nkind = \"final\"\ncolumn = \"pushed_x\"\n";

struct File {
  Folder folder;
  explicit File(const std::string& case_text = sweep_test::two_discs()) { folder.write("case.toml", case_text); }
  SweepSpec read(const std::string& text) const { return read_sweep(folder.write("sweep.toml", text)); }
  /// The messages, without the folder.
  std::vector<std::string> errors(const std::string& text) const {
    try {
      read(text);
    } catch (const CaseErrors& e) {
      std::vector<std::string> messages = e.messages;
      for (auto& message : messages)
        for (std::size_t at; (at = message.find(folder.path().string() + "/")) != std::string::npos;)
          message.erase(at, folder.path().string().size() + 1);
      return messages;
    }
    return {};
  }
  void refused(const std::string& text, const std::vector<std::string>& parts) const {
    const auto messages = errors(text);
    BOOST_TEST_INFO(text);
    BOOST_TEST_REQUIRE(!messages.empty());
    for (const auto& part : parts) {
      const bool found = std::any_of(messages.begin(), messages.end(), [&](const auto& m) { return has(m, part); });
      std::string all;
      for (const auto& m : messages) all += m + "\n";
      BOOST_TEST(found, "'" << part << "' is not in:\n" << all);
    }
  }
};

double value_at(const SweepSpec& spec, std::size_t point, const std::string& place) {
  return CaseDocument(point_case_text(spec, point), "case.toml").number(place).value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_last_axis_is_the_fastest_and_replicates_are_faster) {
  const File file;
  const auto spec = file.read(head +
                              "[[axis]]\nkey = \"material.friction\"\nvalues = [0.25, 0.5]\n"
                              "[[axis]]\nkeys = [\"contact.elongation\", \"body.pushed.force[1]\"]\n"
                              "values = [[\"velocity\", 1.5], [\"geometric\", 2.5], [\"velocity\", 2.5]]\n"
                              "[replicates]\ncount = 2\nfirst_seed = 7\n[set]\n\"time.step\" = \"1e-3 / seed\"\n" +
                              final_x);
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

BOOST_AUTO_TEST_CASE(ranges_are_what_they_say) {
  const File file;
  const auto range = [&](const std::string& text) {
    const auto spec = file.read(head + "[[axis]]\nname = \"x\"\nrange = " + text + "\n" + final_x);
    std::vector<double> values;
    for (const auto& point : spec.axes[0].values) values.push_back(std::get<double>(point[0]));
    return values;
  };
  BOOST_TEST(range("{ from = 1e-5, to = 1e-1, per_decade = 1 }") == (std::vector<double>{1e-5, 1e-4, 1e-3, 1e-2, 1e-1}),
             boost::test_tools::per_element());
  BOOST_TEST(range("{ from = 10, to = 0.1, per_decade = 1 }") == (std::vector<double>{10, 1, 0.1}),
             boost::test_tools::per_element());
  BOOST_TEST(range("{ from = 0, to = 1, count = 5 }") == (std::vector<double>{0, 0.25, 0.5, 0.75, 1}),
             boost::test_tools::per_element());
  BOOST_TEST(range("{ from = 1, to = 16, count = 5, spacing = \"log\" }") == (std::vector<double>{1, 2, 4, 8, 16}),
             boost::test_tools::per_element());
  BOOST_TEST(range("{ from = 3, to = 3, count = 1 }") == (std::vector<double>{3}), boost::test_tools::per_element());
  const auto three = range("{ from = 1, to = 100, per_decade = 3 }");
  BOOST_TEST(three.size() == 7u);
  BOOST_TEST(three[1] == std::pow(10, 1.0 / 3), boost::test_tools::tolerance(1e-14));
}

// t_c of the two discs is pi/sqrt(k_n/m_r - eta^2); it follows the stiffness that an axis sets, and comes after the
// other keys.
BOOST_AUTO_TEST_CASE(expressions_know_axes_keys_and_the_contact_time_of_the_point) {
  const File file;
  const auto spec =
      file.read(head +
                "[[axis]]\nkey = \"material.normal_stiffness\"\nvalues = [400, 4e8]\n"
                "[[axis]]\nname = \"ratio\"\nvalues = [0.01]\n[set]\n\"time.step\" = \"ratio * t_c\"\n"
                "\"body.pushed.force[0]\" = \"-1e-6 * normal_stiffness\"\n\"material.restitution\" = \"0.9875\"\n"
                "\"stage.rest.duration\" = \"2 * stage.rest.duration + 0 * material.friction\"\n" +
                final_x);
  BOOST_TEST(value_at(spec, 1, "time.step") == 0.01 * 9.84359e-5,
             boost::test_tools::tolerance(1e-6));  // polygon-dem reference, §1
  BOOST_TEST(value_at(spec, 0, "time.step") == 0.01 * 0.0984359, boost::test_tools::tolerance(1e-6));
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
  BOOST_TEST(c.assembly.voronoi->seed == 12u);
  BOOST_TEST(c.gravity.y == -9.81);
  BOOST_TEST(!c.driver_options<PlatesSpec>()->from_rows);
  BOOST_TEST(d.key("stage[2].strain") == "stage.strain");
  // The same bits go through the text.
  const double odd = 0.1 + 0.2;
  d.set("material.friction", odd);
  BOOST_TEST(CaseDocument(d.text(), "c").number("material.friction").value() == odd);
}

BOOST_AUTO_TEST_CASE(everything_wrong_is_said_at_once_with_its_line) {
  const File file;
  const auto messages = file.errors(
      "format = 1\ncase = \"case.toml\"\nworkers = 3\n"                     // 3
      "[[axis]]\nkey = \"material.fricton\"\nvalues = [0.5]\n"              // 4-6
      "[[axis]]\nkey = \"stage.end.duration\"\nvalues = [1]\n"              // 7-9
      "[[axis]]\nname = \"a\"\nrange = { from = 1, to = 10, count = 0 }\n"  // 10-12
      "[[axis]]\nname = \"a\"\nvalues = []\n"                               // 13-15
      "[set]\n\"time.step\" = \"2 * t_k\"\n\"skin\" = \"3 *\"\n"            // 16-18
      "[[quantity]]\nkind = \"meen\"\ncolumn = \"pushed_x\"\n");            // 19-21
  std::string all;
  for (const auto& m : messages) all += m + "\n";
  for (const std::string part :
       {"sweep.toml:3: workers: found an unknown key", "sweep.toml:5: axis[1].key: found \"material.fricton\", allowed",
        "nearest known key: material.friction",
        "sweep.toml:8: axis[2].key: found \"stage.end.duration\", allowed stage.rest",
        "sweep.toml:12: axis[3].range.count: found 0, allowed", "the range",
        "sweep.toml:15: axis[4].values: found an empty list",
        "sweep.toml:14: axis[4].name: found \"a\", which axis[3] has too",
        "sweep.toml:17: set.time.step: found \"2 * t_k\" with the unknown name t_k", "nearest known: t_c",
        "sweep.toml:18: set.skin: found \"3 *\"", "sweep.toml:20: quantity[1].kind: found \"meen\"",
        "nearest known value: mean"})
    if (part != "the range") BOOST_TEST(has(all, part), "'" << part << "' is not in:\n" << all);
}

BOOST_AUTO_TEST_CASE(bad_axes_ranges_sets_and_quantities_are_refused) {
  const File file;
  const auto axis = [&](const std::string& text) { return head + "[[axis]]\n" + text + final_x; };
  file.refused(axis("key = \"material.friction\"\n"), {"sweep.toml:3: axis[1].values: found nothing"});
  file.refused(axis("key = \"material.friction\"\nvalues = [0.5, 0.5]\n"), {"0.5 twice"});
  file.refused(axis("key = \"material.friction\"\nvalues = [0.5, -1.0]\n"),
               {"sweep.toml:5: axis[1].values: found -1", "allowed a number >= 0"});
  file.refused(axis("key = \"contact.elongation\"\nvalues = [\"geometrical\"]\n"),
               {"axis[1].values: found \"geometrical\", allowed one of"});
  file.refused(axis("key = \"body.pushed.force\"\nvalues = [1]\n"), {"body.pushed.force[0] and body.pushed.force[1]"});
  file.refused(axis("key = \"body.pushed.force[2]\"\nvalues = [1]\n"), {"body.force[0] and body.force[1]"});
  file.refused(axis("key = \"wall.floor.from[0]\"\nvalues = [1]\n"), {"it has no [[wall]]"});
  file.refused(axis("key = \"threads\"\nvalues = [1]\n"), {"runs on one core"});
  file.refused(axis("keys = [\"material.friction\", \"skin\"]\nvalues = [[1, 2], [3]]\n"), {"lists of 2 values"});
  file.refused(axis("name = \"t_c\"\nvalues = [1]\n"), {"this one is taken"});
  file.refused(axis("name = \"x\"\nrange = { from = 1, to = 1, count = 4 }\n"), {"the range is empty"});
  file.refused(axis("name = \"x\"\nrange = { from = 0, to = 1, per_decade = 4 }\n"),
               {"axis[1].range.from: found 0, allowed a number > 0"});
  file.refused(axis("name = \"x\"\nrange = { from = 1, to = 2 }\n"), {"one of count and per_decade"});
  file.refused(axis("name = \"x\"\nrange = { from = 1, to = 2, count = 3, spacin = 2 }\n"),
               {"nearest known key: spacing"});
  // What only follows from a typo is left out; a typo comes before what is wrong elsewhere.
  const auto typo =
      file.errors(head + "[[axis]]\nname = \"x\"\nvalues = []\n[[axis]]\nname = \"y\"\nvalus = [1]\n" + final_x);
  BOOST_TEST_REQUIRE(typo.size() == 2u);
  BOOST_TEST(has(typo[0], "sweep.toml:8: axis[2].valus: found an unknown key"), typo[0]);
  BOOST_TEST(has(typo[0], "nearest known key: values"), typo[0]);
  BOOST_TEST(has(typo[1], "axis[1].values: found an empty list"), typo[1]);
  file.refused(axis("key = \"material.friction\"\nvalues = [0.5]\n[set]\n\"material.friction\" = \"1\"\n"),
               {"a key that axis[1] gives"});
  file.refused(
      axis("key = \"material.friction\"\nvalues = [0.5]\n[[axis]]\nkey = \"material.friction\"\nvalues = [0.6]\n"),
      {"which axis[1] has too"});
  file.refused(axis("name = \"x\"\nvalues = [1]\n[replicates]\ncount = 3\n"), {"all replicates are the same"});
  file.refused(axis("name = \"x\"\nrange = { from = 1, to = 2, count = 2000000 }\n"),
               {"axis[1].range.count: found 2000000, allowed a whole number in [1, 1e+06]"});
  // One of 2e9 points would never end; so would the others.
  file.refused(axis("name = \"x\"\nrange = { from = 1, to = 2, count = 2000000000 }\n"),
               {"axis[1].range.count: found 2000000000, allowed a whole number in [1, 1e+06]"});
  file.refused(axis("name = \"x\"\nrange = { from = 1e-50, to = 1e50, per_decade = 2000000000 }\n"),
               {"axis[1].range.per_decade: found 2000000000, allowed a whole number in [1, 1e+06]"});
  file.refused(axis("name = \"x\"\nrange = { from = -1e308, to = 1e308, count = 3 }\n"),
               {"axis[1].range.from: found -1e+308, allowed 0 or a number from 1e-60 to 1e+60 in size"});
  file.refused(axis("name = \"x\"\nvalues = [1]\n[replicates]\ncount = 5000000000\nkey = \"assembly.seed\"\n"),
               {"replicates.count: found 5000000000, allowed a whole number in [1, 1e+06]"});
  file.refused(axis("name = \"x\"\nvalues = [1]\n[replicates]\ncount = 2\nfirst_seed = 9007199254740993\nkey = "
                    "\"assembly.seed\"\n"),
               {"replicates.first_seed: found 9007199254740993, allowed at most 9007199254740992"});
  std::string four;
  for (const char* name : {"p", "q", "r", "s"})
    four += std::string("[[axis]]\nname = \"") + name + "\"\nrange = { from = 1, to = 2, count = 1000000 }\n";
  file.refused(head + four + final_x, {"1e+24 points, allowed at most 1000000"});
  const std::string one = "[[axis]]\nname = \"x\"\nvalues = [1]\n";
  file.refused(head + one, {"quantity: found nothing"});
  file.refused(head + one + "[[quantity]]\nkind = \"mean\"\ncolumn = \"pushed_z\"\n",
               {"sweep.toml:8: quantity[1].column: found \"pushed_z\", allowed a column", "nearest known: pushed_"});
  file.refused(head + one + "[[quantity]]\nkind = \"mean\"\ncolumn = \"time\"\nstage = \"x\"\n",
               {"quantity[1].stage: found stage \"x\", allowed \"rest\""});
  file.refused(head + one + "[[quantity]]\nkind = \"mean\"\ncolumn = \"time\"\ntime_window = [3, 2]\n",
               {"0 <= from < to"});
  file.refused(head + one + "[[quantity]]\nkind = \"relaxation\"\ncolumn = \"time\"\n",
               {"quantity[1].column: found it with kind = \"relaxation\", allowed only with kind = \"final\""});
  file.refused(head + one + final_x + final_x, {"quantity[2].name: found \"pushed_x\" again"});
  file.refused("format = 2\ncase = \"case.toml\"\n", {"sweep.toml:1: format: found 2, allowed 1"});
  file.refused("format = 1\ncase = \"other.toml\"\n" + one + final_x, {"sweep.toml:2: case: found \"other.toml\""});
  file.refused("format = 1\ncase = \"case.toml\n", {"sweep.toml:2:", "not TOML"});
  const File broken("format = 1\n[material]\nfriction = -1\n");
  broken.refused(head + one + final_x,
                 {"case: found \"case.toml\", in which: ", "case.toml:3: material.friction: found -1"});
  BOOST_CHECK_THROW(read_sweep("/nowhere/sweep.toml"), FileError);
}

BOOST_AUTO_TEST_CASE(a_value_that_set_cannot_work_out_is_that_of_set) {
  const File file;
  const auto messages = file.errors(
      head + "[[axis]]\nkey = \"material.friction\"\nvalues = [0.25, 0.5]\n[set]\n\"time.step\" = \"t_c / 0\"\n" +
      final_x);
  BOOST_TEST_REQUIRE(messages.size() == 1u);
  BOOST_TEST(messages[0] == "sweep.toml:7: set.time.step: found \"t_c / 0\", which is inf, allowed a finite number");
}
