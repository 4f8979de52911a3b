#include "libdem/pictures/svg.hpp"

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>

#include "libdem/assembly/assembly.hpp"
#include "libdem/pictures/svg_colour.hpp"
#include "libdem/platform/text_file.hpp"
#include "results/results_test_assembly.hpp"
#include "results/results_test_tools.hpp"
#include "sphere_cases.hpp"

namespace {

using Tree = boost::property_tree::ptree;

Tree parsed(const std::string& svg) {
  std::istringstream in(svg);
  Tree tree;
  read_xml(in, tree);  // throws when it is not well-formed
  return tree.get_child("svg");
}

/// The group with an attribute of this value, or of any value.
const Tree& group(const Tree& parent, const std::string& value, const std::string& attribute = "class") {
  for (const auto& [tag, child] : parent)
    if (const auto found = child.get_optional<std::string>("<xmlattr>." + attribute);
        tag == "g" && found && (value.empty() || *found == value))
      return child;
  throw std::runtime_error("no group " + value);
}
const Tree& clipped(const Tree& svg) { return group(svg, "", "clip-path"); }  // by the window

/// The picture of an assembly by a scalar. For looking at: with LIBDEM_TEST_PICTURES set to a folder, it is left there.
Tree frame(const MadeUpAssembly& a, const std::string& scalar, const std::string& title, const std::string& file = "") {
  const std::string svg = svg_frame(a.view(), title, scalar);
  const char* folder = std::getenv("LIBDEM_TEST_PICTURES");
  if (folder && !file.empty()) write_file(std::filesystem::path(folder) / file, svg);
  return parsed(svg);
}

}  // namespace

BOOST_AUTO_TEST_CASE(polygons_between_plates) {
  const MadeUpAssembly a = made_up_polygons(16, 14, 1);
  const std::string title = "Slow shear, <area-gradient> & \"plates\"";
  const Tree tree = frame(a, "rotation", title, "polygons.svg");
  BOOST_TEST(tree.get<std::string>("title") == title);
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
  for (auto& r : a.bodies.rotation[0].stored()) r = {};
  a.contacts.clear();
  const Tree tree = frame(a, "speed", "");
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
  BOOST_TEST(drawn == expected, tolerance(1e-4));  // coordinates have two decimals
}

// A cell that leans over many widths is the same lattice as one that stands.
BOOST_AUTO_TEST_CASE(a_leaning_cell_is_whole) {
  const auto drawn = [](double lean) {
    MadeUpAssembly a = made_up_discs();
    a.contacts.clear();
    a.cell.periodic = {true, true, false};
    a.cell.vectors = {Vec3{12, 0, 0}, Vec3{12 * lean, 10, 0}, Vec3{}};
    std::multiset<std::string> places;
    const Tree tree = frame(a, "speed", "");
    for (const auto& [tag, child] : group(clipped(tree), "bodies"))
      if (tag == "circle")
        places.insert(child.get<std::string>("<xmlattr>.cx") + " " + child.get<std::string>("<xmlattr>.cy"));
    return places;
  };
  const auto upright = drawn(0);
  BOOST_TEST(upright.size() >= 6u);
  for (const double lean : {1.0, -2.0, 3.0, 7.0}) BOOST_TEST((drawn(lean) == upright));
}

BOOST_AUTO_TEST_CASE(discs_on_a_wall) {
  const MadeUpAssembly a = made_up_discs();
  for (const std::string scalar : {"rotation", "speed", "spin", "coordination", "stress"}) {
    const Tree tree = frame(a, scalar, scalar, "discs-" + scalar + ".svg");
    BOOST_TEST(group(clipped(tree), "bodies").count("circle") == 6u);
    BOOST_TEST(group(clipped(tree), "plates").count("polygon") == 1u);
  }
  BOOST_CHECK_EXCEPTION(body_scalar(a.view(), "colour"), std::invalid_argument, says("allowed are rotation, speed"));
  parsed(svg_frame(MadeUpAssembly().view(), "", "speed"));  // nothing to draw is still a picture
}

// The words of a narrow picture are inside. A long title is smaller, and one that is still too long is cut.
BOOST_AUTO_TEST_CASE(a_column_with_a_title) {
  MadeUpAssembly a;
  for (int k = 0; k < 20; ++k) a.add(Shape::disc(0.5), {0, double(k)}, 0, {}, 0, 0);
  const auto heading = [&](const std::string& title) { return frame(a, "speed", title).get_child("text"); };
  const Tree picture = frame(a, "speed", "A column of discs");
  BOOST_TEST(picture.get<double>("<xmlattr>.width") == 480);
  const auto size = [](const Tree& words) { return words.get<double>("<xmlattr>.font-size"); };
  BOOST_TEST(size(heading("A column of discs")) == 20);
  const std::string title = "A column of twenty discs under gravity";
  BOOST_TEST(heading(title).data() == title);
  BOOST_TEST(size(heading(title)) == 16);
  std::string long_title;
  for (int k = 0; k < 100; ++k) long_title += "é";
  BOOST_TEST(size(heading(long_title)) == 12);
  BOOST_TEST(heading(long_title).data() == long_title.substr(0, 2 * 53) + "…");
}

// One body that ran far away leaves the picture of the others as it was, but for a word.
BOOST_AUTO_TEST_CASE(a_body_far_away) {
  MadeUpAssembly a;
  for (int k = 0; k < 200; ++k) a.add(Shape::disc(0.5), {double(k % 20), double(k / 20)}, 0, {}, 0, 0);
  const auto picture = [&] { return svg_frame(a.view(), "", "speed"); };
  const std::string before = picture();
  BOOST_TEST(before.find("far away") == before.npos);
  const auto radius = [](const std::string& svg) {
    return group(clipped(parsed(svg)), "bodies").get_child("circle").get<double>("<xmlattr>.r");
  };
  a.add(Shape::disc(0.5), {30, 5}, 0, {}, 0, 0);  // beyond the others by less than their width
  const std::string near = picture();
  BOOST_TEST(near.find("far away") == near.npos);
  BOOST_TEST(radius(near) < 0.9 * radius(before));
  a.bodies.position[0][200] = {300, 5, 0};
  const std::string far = picture();
  BOOST_TEST(far.find("not shown, far away: 1") != far.npos);
  BOOST_TEST(radius(far) == radius(before));
}

// A layer has no width of its own: a body on top of it is near. A body that is nowhere does no harm.
BOOST_AUTO_TEST_CASE(a_body_on_a_flat_layer) {
  MadeUpAssembly a;
  a.cell.vectors[0] = {150, 0, 0};
  a.cell.periodic = {true, false, false};
  for (int k = 0; k < 150; ++k) a.add(Shape::disc(0.5), {k + 0.5, 0.5}, 0, {}, 0, 0);
  a.add(Shape::disc(0.5), {3, 1.4}, 0, {}, 0, 0);
  BOOST_TEST(svg_frame(a.view(), "", "speed").find("far away") == std::string::npos);
  a.bodies.position[0][150] = {std::nan(""), 1, 0};
  BOOST_TEST(svg_frame(a.view(), "", "speed").find("<svg") != std::string::npos);
}

// In space the view is along y. A sphere behind another one is left out, a higher one farther away is shown. Neither a
// wall nor a sphere that ran far away hides the others.
BOOST_AUTO_TEST_CASE(spheres_in_front_of_others) {
  Case c = space_case({});
  for (int k = 0; k < 10; ++k)
    for (int row = 0; row < 20; ++row) c.assembly.bodies.push_back(sphere_at({double(k), double(row), 0}, 0.5));
  c.assembly.bodies.push_back(sphere_at({4.5, 19, 3}, 0.5));
  c.assembly.walls = {rectangle_wall("floor", {0, 0, -0.5}, {9, 0, 0}, {0, 19, 0})};
  const auto picture = [](const Case& of) { return svg_frame({build_assembly(of), {}, 0}, "", "speed"); };
  const auto circles = [](const std::string& svg) { return group(clipped(parsed(svg)), "bodies").count("circle"); };
  const std::string before = picture(c);
  BOOST_TEST(circles(before) == 11u);
  BOOST_TEST(before.find("strain") == before.npos);
  c.assembly.bodies.push_back(sphere_at({4, -500, 0}, 0.5));
  const std::string far = picture(c);
  BOOST_TEST(circles(far) == 11u);
  BOOST_TEST(far.find("not shown, far away: 1") != far.npos);
}

BOOST_AUTO_TEST_CASE(stress_of_a_squeezed_body) {
  // A disc of radius R between two opposite forces F along y: σ_yy = −2RF/(πR²). The other components vanish. The
  // pressure is F/(πR).
  MadeUpAssembly a;
  a.add(Shape::disc(0.5), {0, 1}, 0, {}, 0, 0);
  for (const double side : {-1.0, 1.0}) {
    a.add(Shape::disc(2), {0, 1 + 2.5 * side}, 0, {}, 0, 0);
    ContactRecord& c = a.contacts.emplace_back();
    c.key = {0, side < 0 ? 1u : 2u};
    c.point = {0, 1 + 0.5 * side, 0}, c.branch = {0, 2.5 * side, 0}, c.force = {0, -3 * side, 0};
  }
  const Tensor3 s = body_stresses(a.view())[0];
  BOOST_TEST(s.yy() == -3 / (pi * 0.25), tolerance(1e-14));
  for (const double other : {s.xx(), s.xy(), s.yx()}) BOOST_TEST(other == 0);
  // Body 1 feels (0, −3) at 2 above its centre: σ_yy = −6/(4π).
  BOOST_TEST(body_stresses(a.view())[1].yy() == -6 / (4 * pi), tolerance(1e-14));
  BOOST_TEST(body_scalar(a.view(), "stress").values[0] == 1.5 / (pi * 0.25), tolerance(1e-14));
  BOOST_TEST(coordination(a.view()) == (std::vector<std::uint32_t>{2, 1, 1}), tt::per_element());
}

BOOST_AUTO_TEST_CASE(round_numbers) {
  BOOST_TEST(round_ticks(0, 10) == (std::vector<double>{0, 2, 4, 6, 8, 10}), tt::per_element());
  BOOST_TEST(round_ticks(-3, 3).size() == 7u);
  BOOST_TEST(round_ticks(1, 1).empty());
  for (const auto& [x, below] : {std::pair{7.3, 5.0}, {0.2, 0.2}, {1.0, 1.0}}) BOOST_TEST(round_below(x) == below);
  BOOST_TEST(tick_text(0.25, 0.05) == "0.25");
  BOOST_TEST(tick_text(1000.2, 0.1) == "1000.2");  // not 1000, as the five ticks beside it
  BOOST_TEST(tick_text(12344.5, 0.5) == "12344.5");
  BOOST_TEST(tick_text(-1.00002, 1e-5) == "-1.00002");
  BOOST_TEST(tick_text(0, 1e-5) == "0");
  const auto range = round_range(-0.83, 0.83);
  BOOST_TEST((range[0] <= -0.83 && range[1] >= 0.83));
  BOOST_TEST(map_colour(0, false) == "#440154");
  BOOST_TEST(map_colour(2, false) == "#fde725");
  BOOST_TEST(map_colour(0.5, true) == "#dddcdc");
}
