#include "libdem/pictures/svg.hpp"

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "libdem/pictures/svg_colour.hpp"
#include "libdem/platform/text_file.hpp"
#include "results/results_test_assembly.hpp"
#include "results/results_test_tools.hpp"

using namespace dem;
using namespace dem::test;

namespace {

using Tree = boost::property_tree::ptree;

Tree parsed(const std::string& svg) {
  std::istringstream in(svg);
  Tree tree;
  read_xml(in, tree);  // throws when it is not well-formed
  return tree.get_child("svg");
}

const Tree& group(const Tree& parent, const std::string& name) {
  for (const auto& [tag, child] : parent)
    if (tag == "g" && child.get("<xmlattr>.class", "") == name) return child;
  throw std::runtime_error("no group " + name);
}
/// The group that the window clips.
const Tree& clipped(const Tree& svg) {
  for (const auto& [tag, child] : svg)
    if (tag == "g" && child.get_optional<std::string>("<xmlattr>.clip-path")) return child;
  throw std::runtime_error("no clipped group");
}

/// For looking at: with LIBDEM_TEST_PICTURES set to a folder, the pictures of these tests are left there.
void keep(const std::string& svg, const std::string& name) {
  if (const char* folder = std::getenv("LIBDEM_TEST_PICTURES")) write_file(std::filesystem::path(folder) / name, svg);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(svg_frames)

BOOST_AUTO_TEST_CASE(polygons_between_plates) {
  const MadeUpAssembly a = made_up_polygons(16, 14, 1);
  FrameChoice choice;
  choice.title = "Slow shear, <area-gradient> & \"plates\"";
  choice.colour = body_scalar(a.view(), "rotation");
  const std::string svg = svg_frame(a.view(), choice);
  keep(svg, "polygons.svg");
  const Tree tree = parsed(svg);
  BOOST_TEST(tree.get<std::string>("title") == choice.title);
  const Tree &bodies = group(clipped(tree), "bodies"), &plates = group(clipped(tree), "plates");
  // Every body at least once; those that cross the periodic boundary (one or two a row) a second time on the other
  // side.
  BOOST_TEST(bodies.count("polygon") >= 16u * 12 + 12);
  BOOST_TEST(bodies.count("polygon") <= 16u * 12 + 3 * 12);
  BOOST_TEST(plates.count("polygon") >= 16u * 2);
  BOOST_TEST(group(clipped(tree), "forces").count("polyline") > 100u);
  group(tree, "colour-bar");
  group(tree, "scale-bar");
}

BOOST_AUTO_TEST_CASE(the_cell_looks_whole) {
  // Turned copies aside, the areas of all polygons clipped to the window must fill the cell: sum over the drawn images.
  MadeUpAssembly a = made_up_polygons(8, 6, 3);
  for (auto& r : a.bodies.rotation[0]) r = {};
  a.contacts.clear();
  FrameChoice choice;
  choice.colour = body_scalar(a.view(), "speed");
  const Tree tree = parsed(svg_frame(a.view(), choice));
  Tree window;
  for (const auto& [tag, child] : tree)
    if (tag == "clipPath") window = child.get_child("rect.<xmlattr>");
  const double x0 = std::stod(window.get<std::string>("x")), width = std::stod(window.get<std::string>("width")),
               scale = width / 8;
  double drawn = 0, expected = 0;
  for (const char* name : {"bodies", "plates"})
    for (const auto& [tag, child] : group(clipped(tree), name)) {
      if (tag != "polygon") continue;
      std::vector<Vec2> points;
      std::istringstream in(child.get<std::string>("<xmlattr>.points"));
      for (double px, py; in >> px && in.ignore() && in >> py;) points.push_back({px, py});
      // Sutherland-Hodgman against the two sides of the window.
      for (const auto& [side, sign] : {std::pair{x0, 1.0}, {x0 + width, -1.0}}) {
        std::vector<Vec2> kept;
        for (std::size_t k = 0; k < points.size(); ++k) {
          const Vec2 p = points[k], q = points[(k + 1) % points.size()];
          const double dp = sign * (p.x - side), dq = sign * (q.x - side);
          if (dp >= 0) kept.push_back(p);
          if ((dp >= 0) != (dq >= 0)) kept.push_back(p + (dp / (dp - dq)) * (q - p));
        }
        points = kept;
      }
      double area = 0;
      for (std::size_t k = 0; k < points.size(); ++k) area += cross(points[k], points[(k + 1) % points.size()]) / 2;
      drawn += std::abs(area) / (scale * scale);
    }
  for (const Shape& s : a.shapes) expected += s.area();
  BOOST_TEST(drawn == expected, boost::test_tools::tolerance(1e-4));  // coordinates have two decimals
}

BOOST_AUTO_TEST_CASE(discs_on_a_wall) {
  const MadeUpAssembly a = made_up_discs();
  for (const char* what : {"rotation", "speed", "spin", "coordination", "stress"}) {
    FrameChoice choice;
    choice.title = what;
    choice.colour = body_scalar(a.view(), what);
    const std::string svg = svg_frame(a.view(), choice);
    keep(svg, std::string("discs-") + what + ".svg");
    const Tree tree = parsed(svg);
    BOOST_TEST(group(clipped(tree), "bodies").count("circle") == 6u);
    BOOST_TEST(group(clipped(tree), "plates").count("polygon") == 1u);
  }
  BOOST_CHECK_EXCEPTION(body_scalar(a.view(), "colour"), std::invalid_argument, says("allowed are rotation, speed"));
}

BOOST_AUTO_TEST_CASE(nothing_to_draw_is_still_a_picture) {
  const MadeUpAssembly a;
  parsed(svg_frame(a.view(), {}));
}

BOOST_AUTO_TEST_CASE(stress_of_a_squeezed_body) {
  // A disc of radius R between two opposite forces F along y: σ_yy = −2RF/(πR²), nothing else; pressure F/(πR).
  MadeUpAssembly a;
  a.add(Shape::disc(0.5), {0, 1}, 0, {}, 0, 0);
  a.add(Shape::disc(2), {0, -1.5}, 0, {}, 0, 0);
  a.add(Shape::disc(2), {0, 3.5}, 0, {}, 0, 0);
  ContactRecord low, high;
  low.key = {0, 1}, high.key = {0, 2};
  low.point = {0, 0.5, 0}, high.point = {0, 1.5, 0};
  low.branch = {0, -2.5, 0}, high.branch = {0, 2.5, 0};
  low.force = {0, 3, 0}, high.force = {0, -3, 0};
  a.contacts = {low, high};
  const Tensor3 s = body_stresses(a.view())[0];
  BOOST_TEST(s.yy() == -3 / (std::numbers::pi * 0.25), boost::test_tools::tolerance(1e-14));
  BOOST_TEST(s.xx() == 0);
  BOOST_TEST(s.xy() == 0);
  BOOST_TEST(s.yx() == 0);
  // Body 1 feels (0, −3) at 2 above its centre: σ_yy = −6/(4π).
  BOOST_TEST(body_stresses(a.view())[1].yy() == -6 / (4 * std::numbers::pi), boost::test_tools::tolerance(1e-14));
  BOOST_TEST(body_scalar(a.view(), "stress").values[0] == 1.5 / (std::numbers::pi * 0.25),
             boost::test_tools::tolerance(1e-14));
  BOOST_TEST(coordination(a.view()) == (std::vector<std::uint32_t>{2, 1, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(round_numbers) {
  BOOST_TEST(round_ticks(0, 10) == (std::vector<double>{0, 2, 4, 6, 8, 10}), boost::test_tools::per_element());
  BOOST_TEST(round_ticks(-3, 3).size() == 7u);
  BOOST_TEST(round_ticks(1, 1).empty());
  BOOST_TEST(round_below(7.3) == 5);
  BOOST_TEST(round_below(0.2) == 0.2);
  BOOST_TEST(round_below(1) == 1);
  const auto range = round_range(-0.83, 0.83);
  BOOST_TEST(range[0] <= -0.83);
  BOOST_TEST(range[1] >= 0.83);
  BOOST_TEST(map_colour(0, false) == "#440154");
  BOOST_TEST(map_colour(2, false) == "#fde725");
  BOOST_TEST(map_colour(0.5, true) == "#dddcdc");
}

BOOST_AUTO_TEST_SUITE_END()
