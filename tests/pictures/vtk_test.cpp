#include "libdem/pictures/vtk.hpp"

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>

#include "cases.hpp"
#include "results/results_test_assembly.hpp"
#include "results/results_test_tools.hpp"

namespace {

using Tree = boost::property_tree::ptree;
std::size_t number(const Tree& tree, const char* path) { return std::stoul(tree.get<std::string>(path)); }

struct Array {
  std::string type, bytes;
  std::size_t components = 1;
  template <class T>
  std::vector<T> as() const {
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};

/// A reader of the subset of VTK XML that the writer uses, by the VTK file format document ("XML formats, appended
/// data"). Raw data start after the underscore. Each array there is a UInt64 number of bytes followed by the bytes.
struct PolyDataFile {
  std::size_t points = 0, lines = 0, polygons = 0;
  std::map<std::string, Array> cell_data, line_cells, polygon_cells, point_data;

  explicit PolyDataFile(const std::string& file) {
    const auto start = file.find("<AppendedData encoding=\"raw\">");
    const auto underscore = file.find('_', start), end = file.rfind("\n  </AppendedData>");
    BOOST_REQUIRE(end != file.npos);
    const std::string raw = file.substr(underscore + 1, end - underscore - 1);
    std::istringstream in(file.substr(0, start) + "</VTKFile>");
    Tree tree;
    read_xml(in, tree);
    for (const auto& [name, value] :
         {std::pair{"type", "PolyData"}, {"header_type", "UInt64"}, {"byte_order", "LittleEndian"}})
      BOOST_TEST(tree.get<std::string>(std::string("VTKFile.<xmlattr>.") + name) == value);
    const Tree& piece = tree.get_child("VTKFile.PolyData.Piece");
    points = number(piece, "<xmlattr>.NumberOfPoints");
    lines = number(piece, "<xmlattr>.NumberOfLines");
    polygons = number(piece, "<xmlattr>.NumberOfPolys");
    std::size_t next = 0;  // arrays lie one behind the other, without gap or overlap
    for (const auto& [tag, child] : piece) {
      auto* arrays = tag == "CellData" ? &cell_data
                     : tag == "Lines"  ? &line_cells
                     : tag == "Polys"  ? &polygon_cells
                                       : &point_data;
      if (tag == "<xmlattr>") continue;
      for (const auto& [name, array] : child) {
        if (name != "DataArray") continue;
        const auto offset = number(array, "<xmlattr>.offset");
        BOOST_TEST(offset == next);
        std::uint64_t bytes = 0;
        BOOST_REQUIRE(offset + sizeof bytes <= raw.size());
        std::memcpy(&bytes, raw.data() + offset, sizeof bytes);
        next = offset + sizeof bytes + bytes;
        BOOST_REQUIRE(next <= raw.size());
        (*arrays)[array.get<std::string>("<xmlattr>.Name")] = {array.get<std::string>("<xmlattr>.type"),
                                                               raw.substr(offset + sizeof bytes, bytes),
                                                               number(array, "<xmlattr>.NumberOfComponents")};
      }
    }
    BOOST_TEST(next == raw.size());
    BOOST_TEST(point_data.at("position").bytes.size() == points * 3 * sizeof(double));
    for (const auto& [name, array] : cell_data) {
      const std::size_t item = array.type == "Float64" ? 8 : array.type == "UInt32" ? 4 : 1;
      BOOST_TEST_CONTEXT(name) BOOST_TEST(array.bytes.size() == (lines + polygons) * array.components * item);
    }
    if (lines || !line_cells.empty()) check_cells(line_cells, lines);
    if (polygons) check_cells(polygon_cells, polygons);
  }

  void check_cells(const std::map<std::string, Array>& cells, std::size_t count) const {
    const auto offsets = cells.at("offsets").as<std::int64_t>(),
               connectivity = cells.at("connectivity").as<std::int64_t>();
    BOOST_TEST(offsets.size() == count);
    BOOST_TEST(std::is_sorted(offsets.begin(), offsets.end()));
    if (count) BOOST_TEST(static_cast<std::size_t>(offsets.back()) == connectivity.size());
    for (const std::int64_t p : connectivity) BOOST_REQUIRE((p >= 0 && static_cast<std::size_t>(p) < points));
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(particles_are_polygons_where_they_stand) {
  const MadeUpAssembly a = made_up_polygons(7, 5, 2);
  const PolyDataFile file(vtp_particles(a.view()));
  BOOST_TEST(file.polygons == a.bodies.size());
  BOOST_TEST(file.lines == 0u);
  const auto position = file.point_data.at("position").as<double>();
  const auto offsets = file.polygon_cells.at("offsets").as<std::int64_t>(),
             points = file.polygon_cells.at("connectivity").as<std::int64_t>();
  const auto id = file.cell_data.at("id").as<std::uint32_t>();
  std::int64_t first = 0;
  for (std::size_t k = 0; k < offsets.size(); first = offsets[k++]) {
    geometry::Outline outline;
    for (std::int64_t p = first; p < offsets[k]; ++p)
      outline.push_back({position[3 * points[p]], position[3 * points[p] + 1]});
    const auto area = geometry::area_properties(outline);
    BOOST_TEST(area.area == a.shapes[a.bodies.shape[id[k]]].area(), tolerance(1e-12));
    BOOST_TEST(norm(area.centroid - planar(a.bodies.position[0][id[k]])) < 1e-12);
  }
  BOOST_TEST(same_bits(file.cell_data.at("mass").as<double>(), a.bodies.mass.stored()));
  const auto velocities = file.cell_data.at("velocity").as<double>();
  BOOST_TEST(velocities[3 * 9] * a.dt == a.bodies.position[1][9].x, tolerance(1e-14));
  BOOST_TEST(file.cell_data.at("stress").components == 9u);
}

BOOST_AUTO_TEST_CASE(discs_and_half_planes) {
  const MadeUpAssembly a = made_up_discs();
  const PolyDataFile file(vtp_particles(a.view()));
  BOOST_TEST(file.lines == 1u);
  BOOST_TEST(file.polygons == 6u);
  // VTK's order of cells: lines before polygons.
  BOOST_TEST(file.cell_data.at("id").as<std::uint32_t>() == (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6}),
             tt::per_element());
  const auto position = file.point_data.at("position").as<double>();
  BOOST_TEST(std::abs(position[1]) < 1e-12);  // the wall lies along y = 0
  BOOST_TEST(std::abs(position[4]) < 1e-12);
  BOOST_TEST(position[3] != position[0]);
  const Vec2 centre = planar(a.bodies.position[0][1]);
  for (std::size_t p = 2; p < 34; ++p)
    BOOST_TEST(norm(Vec2{position[3 * p], position[3 * p + 1]} - centre) == 0.5, tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(contacts_are_lines_through_the_contact_point) {
  const MadeUpAssembly a = made_up_polygons(7, 5, 2);
  const PolyDataFile file(vtp_contacts(a.view()));
  BOOST_TEST(file.lines == a.contacts.size());
  BOOST_TEST(file.points == 3 * a.contacts.size());
  const auto position = file.point_data.at("position").as<double>(), force = file.cell_data.at("force").as<double>();
  const auto regime = file.cell_data.at("regime").as<std::uint8_t>();
  for (std::size_t k = 0; k < a.contacts.size(); ++k) {
    const ContactRecord& c = a.contacts[k];
    BOOST_TEST(position[9 * k] == a.bodies.position[0][c.key.i].x);
    BOOST_TEST(position[9 * k + 3] == c.point.x);
    BOOST_TEST(position[9 * k + 6] == (a.bodies.position[0][c.key.i] + c.branch).x);
    BOOST_TEST(force[3 * k + 1] == c.force.y);
    BOOST_TEST(regime[k] == static_cast<int>(c.regime));
  }
}

/// A rectangle that has moved is where it stands; a plane without end is a square about the bodies.
BOOST_AUTO_TEST_CASE(walls_in_space_as_they_stand) {
  const Simulation run = finished(case_of(R"(
dimension = 3
material = {density = 2, normal_stiffness = 1000, tangential_stiffness = 700, friction = 0.4, restitution = 0.8}
time.step = 1e-3
body = [{shape = "sphere", radius = 0.5, position = [2, 3, 1]}, {shape = "sphere", radius = 0.5, position = [4, 3, 1]}]
wall = [{name = "floor", shape = "plane", point = [0, 0, 0], normal = [0, 0, 1]},
{name = "gate", shape = "rectangle", corner = [6, 0, 0], edge_1 = [0, 2, 0], edge_2 = [0, 0, 1], velocity = [0, 0, 10]}]
stage = [{duration = 0.05}]
)"));
  const State& state = run.state();
  const PolyDataFile file(vtp_walls({state, {}}));
  BOOST_TEST(file.polygons == 2u);
  BOOST_TEST(file.points == 8u);
  BOOST_TEST(file.cell_data.at("wall").as<std::uint32_t>() == (std::vector<std::uint32_t>{2, 3}), tt::per_element());
  BOOST_TEST(file.cell_data.at("velocity").as<double>()[5] == 10, tolerance(1e-12));
  const auto x = file.point_data.at("position").as<double>();
  double low = 9, high = -9;
  for (std::size_t p = 0; p < 8; ++p) {
    BOOST_TEST((p < 4 ? x[3 * p + 2] == 0 : x[3 * p] == 6));  // the floor, the gate
    if (p < 4) low = std::min(low, x[3 * p]), high = std::max(high, x[3 * p + 1]);
  }
  // Middle of the bodies and the reach of their centres.
  BOOST_TEST(low == 3 - 2, tolerance(1e-12));
  BOOST_TEST(high == 3 + 2, tolerance(1e-12));
  BOOST_TEST(x[3 * 4 + 2] == 0.5, tolerance(1e-9));
  BOOST_TEST(vtp_walls(made_up_discs().view()).empty());
}

BOOST_AUTO_TEST_CASE(empty_files_and_collections_of_files_with_their_times) {
  for (const std::string& file : {vtp_particles(MadeUpAssembly().view()), vtp_contacts(MadeUpAssembly().view())})
    BOOST_TEST(PolyDataFile(file).points == 0u);  // no bodies, no contacts
  const std::string text = pvd_collection({{0, "particles-000000000000.vtp"}, {0.1, "b.vtp"}, {1e-7, "c.vtp"}});
  for (const char* entry :
       {"timestep=\"0\" part=\"0\" file=\"particles-000000000000.vtp\"", "timestep=\"0.1\" part=\"0\" file=\"b.vtp\"",
        "timestep=\"1e-07\" part=\"0\" file=\"c.vtp\""})
    BOOST_TEST(text.find(entry) != std::string::npos, text);
  BOOST_TEST(pvd_collection({}).find("DataSet") == std::string::npos);
}
