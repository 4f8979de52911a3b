// Assemblies from files of other programs. Digits come from the README of the DEMPLA data, by another program.

#include "building.hpp"
#include "libdem/assembly/packing.hpp"
#include "libdem/platform/file_error.hpp"
#include "results/results_test_tools.hpp"
#include "support/study_tables.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(LIBDEM_SHARED_DIR) / "data/dempla";

/// The message of a refused file. A first line of up to three characters is that of a DEMPLA file.
std::string error_of(const std::string& text) {
  return message_of<FileError>(
      [&] { text.find('\n') < 4 ? parse_dempla(text, "f") : parse_assembly_table(text, "f"); });
}

/// Each text is refused with its message, of which `*` at the end leaves the rest open.
void check_messages(std::initializer_list<std::pair<std::string, std::string>> list) {
  for (const auto& [text, message] : list) {
    const std::string found = error_of(text);
    const bool good =
        message.back() == '*' ? found.starts_with(message.substr(0, message.size() - 1)) : found == message;
    BOOST_TEST(good, text << "found: " << found << "\nnot: " << message);
  }
}

const std::string two_spheres = "4\n 2 10 11. 1.2E1\n 0 0 0\n .5 1 2 3\n5D-1 4 5 6\n";

}  // namespace

BOOST_AUTO_TEST_CASE(dempla_assemblies_have_the_numbers_of_their_readme) {
  if (!fs::exists(folder)) {
    BOOST_TEST_MESSAGE("skipped: the DEMPLA data are not beside the project (" << folder.string() << ")");
    return;
  }
  const auto rows = study_rows("tests/support/tables/dempla.csv");
  BOOST_TEST_REQUIRE(rows.size() == 4u);
  for (const StudyRow& row : rows) BOOST_TEST_CONTEXT(row.at("file")) {
      const auto assembly = read_assembly_file(folder / row.at("file"));
      const auto s = summarize_packing(assembly);
      const bool clusters = assembly.shape == ShapeKind::cluster;
      const double p = mean_pressure(s.stress_over_stiffness, assembly.dimension());
      const double deviator = 100 * deviator_norm(s.stress_over_stiffness, assembly.dimension()) / p;
      const auto prints = [](const char* what, double value, const char* format, const std::string& expected) {
        BOOST_TEST(fmt::format(fmt::runtime(format), value) == expected, what << ": " << value << ", not " << expected);
      };
      if (!clusters) {
        std::vector<double> radii;
        for (const auto& particle : assembly.particles) radii.push_back(particle.radius);
        prints("smallest radius", std::ranges::min(radii), "{:.5f}", row.at("smallest_radius"));
        prints("mean radius", std::accumulate(radii.begin(), radii.end(), 0.0) / double(radii.size()), "{:.5f}",
               row.at("mean_radius"));
        prints("largest radius", std::ranges::max(radii), "{:.5f}", row.at("largest_radius"));
      }
      prints("D", s.median_diameter, clusters ? "{:.5e}" : "{:.5f}", row.at("diameter"));
      prints("void ratio", s.void_ratio(), "{:.6f}", row.at("void_ratio"));
      prints("porosity", s.porosity(), "{:.6f}", row.at("porosity"));
      BOOST_TEST(s.contacts == std::size_t(row.number("contacts")));
      BOOST_TEST(s.touching_pairs == std::size_t(row.number("pairs")));
      prints("coordination by contacts", s.coordination(), "{:.3f}", row.at("coordination_by_contacts"));
      prints("coordination by pairs", s.pair_coordination(), "{:.3f}", row.at("coordination_by_pairs"));
      BOOST_TEST(s.without_contact == std::size_t(row.number("without_contact")));
      prints("mean overlap", s.mean_overlap, "{:.2e}", row.at("mean_overlap"));
      prints("median overlap", s.median_overlap, "{:.2e}", row.at("median_overlap"));
      prints("largest overlap", s.largest_overlap, "{:.2e}", row.at("largest_overlap"));
      prints("mean stress", p, "{:.5e}", row.at("stress"));
      prints("deviator in %", deviator, "{:.1f}", row.at("deviator"));
      prints("out of balance", s.unbalanced, "{:.1e}", row.at("unbalanced"));
    }
  // Nevada: contacts of a touching pair, and which spheres touch.
  const auto nevada = summarize_packing(read_assembly_file(folder / rows[2].at("file")));
  const std::vector<std::size_t> of_pair{15301, 9974, 3340, 637, 52, 1};
  BOOST_TEST(nevada.pairs_by_contacts == of_pair, tt::per_element());
}

BOOST_AUTO_TEST_CASE(dempla_is_a_stream_of_numbers) {
  for (const std::string& text : {two_spheres, std::string("4\n2 10\n11 12 0 0\n0 0.5 1 2\n3 0.5d0\n4 5 6")}) {
    const auto a = parse_dempla(text, "f");
    BOOST_TEST((a.shape == ShapeKind::sphere));
    BOOST_TEST_REQUIRE(a.particles.size() == 2);
    BOOST_TEST(a.particles[1].radius == 0.5);
    BOOST_TEST((a.particles[1].position == Vec3{4, 5, 6}));
    BOOST_TEST(((*a.cell)[2] == Vec3{0, 0, 12}));
  }
  const auto clusters = parse_dempla("7\n1 3 4 5\n.1 .2 .3\n6\n.6 .8 .64\n2 1 1 1 0 1 0 0\n", "f");
  BOOST_TEST(clusters.unit_spheres.size() == 7);
  GeneratedBodies bodies;
  add_bodies(clusters, 0.5, bodies);
  BOOST_TEST((bodies.cell_size == Vec3{1.5, 2, 2.5}));
  BOOST_TEST((bodies.cell_tilt == Vec3{0.05, 0.1, 0.15}));
  BOOST_TEST(bodies.bodies[0].spheres[0].radius == 0.8);
  BOOST_TEST(bodies.bodies[0].spheres[1].position.x == 0.64);
  BOOST_TEST((bodies.bodies[0].orientation == Quaternion{0, 1, 0, 0}));
}

BOOST_AUTO_TEST_CASE(bad_dempla_files_name_line_found_and_wanted) {
  const auto with = [](const std::string& from, const std::string& to) {
    return std::string(two_spheres).replace(two_spheres.find(from), from.size(), to);
  };
  check_messages({
      {with("5D-1 4 5 6\n", "5D-1 4 5\n"), "f:6: found the end of the file, wanted x3 of particle 2 of 2"},
      {with("5D-1", "5X-1"), "f:5: found '5X-1', wanted the radius of particle 2 of 2"},
      {with("4 5 6", "4 nan 6"), "f:5: found 'nan', wanted x2 of particle 2 of 2"},
      {with(" .5 1", " -.5 1"), "f:4: found -0.5, wanted the radius of particle 1 of 2 > 0"},
      {two_spheres + "1", "f:6: found 1 after the last particle, wanted the end of the file after 2 particles"},
      {with(" 2 10", " 2.5 10"), "f:2: found 2.5, wanted the number of particles, a whole number from 1 to 1000000000"},
      {with("4\n", "9\n"), "f:1: found 9, wanted a shape code, a whole number from 1 to 7"},
      {"7\n1 3 4 5\n0 0 0\n6\n.6 .8 .64\n2 1 1 1 0 1 0 0.01\n",
       "f:6: found a quaternion of length 1.00005, wanted a unit quaternion of particle 1 of 1*"},
      {"7\n1 3 4 5\n0 0 0\n4\n.6 .8 .64\n2 1 1 1 0 1 0 0\n", "f:4: found 4 satellites, wanted 6 satellites*"},
      {"", "f:1: found*"},
  });
  for (const auto& [code, name] : {std::pair{"2", "ovals"}, {"3", "ellipses"}, {"5", "ovoids"}, {"6", "disc clusters"}})
    BOOST_TEST(error_of(with("4\n", std::string(code) + "\n")) ==
               fmt::format("f:1: found shape code {} ({}), wanted 1 (discs), 4 (spheres) or 7 (sphere clusters): other "
                           "shapes are not supported",
                           code, name));
}

BOOST_AUTO_TEST_CASE(tables_of_spheres_and_discs) {
  const auto spheres = parse_assembly_table("# x y z r\n1 2 3 0.5\n\n4 5 6 0.25 # small\n", "f");
  BOOST_TEST((spheres.shape == ShapeKind::sphere && !spheres.cell));
  BOOST_TEST_REQUIRE(spheres.particles.size() == 2);
  BOOST_TEST(spheres.particles[1].radius == 0.25);
  const auto discs = parse_assembly_table("10 20\n1 2 0.5\n", "f");
  BOOST_TEST((discs.shape == ShapeKind::disc));
  BOOST_TEST(((*discs.cell)[1] == Vec3{0, 20, 0}));
  BOOST_TEST_REQUIRE(discs.particles.size() == 1);
  const auto boxed = parse_assembly_table("10 20 30\n1 2 3 0.5\n", "f");
  BOOST_TEST((boxed.shape == ShapeKind::sphere));
  BOOST_TEST(((*boxed.cell)[2] == Vec3{0, 0, 30}));
  BOOST_TEST(parse_assembly_table("1 2 3\n1 2 0.5\n", "f").particles.size() == 2);
  check_messages({
      {"1 2 3 4\n1 2 3\n", "f:2: found a line of 3 columns, wanted four, `x y z r`"},
      {"1 2 3 4\n1 two 3 4\n", "f:2: found 'two', wanted a number"},
      {"1 2 3 4\n1 2 3 0\n", "f:2: found the radius 0, wanted a radius > 0"},
      {"1 2 3 4 5\n", "f:1: found a line of 5 columns, wanted lines `x y z r`*"},
      {"# nothing\n", "f:2: found an empty file*"},
  });
  BOOST_CHECK_THROW(read_assembly_file("/no/such/file"), FileError);
}

BOOST_AUTO_TEST_CASE(tables_with_commas_semicolons_tabs_and_headers) {
  for (const char* text : {"x,y,z,r\n1,2,3,0.5\n4, 5, 6, 0.25\n", "1;2;3;0.5\n4 ;5 ;6 ;0.25;\n",
                           "# c\nX\tY\tZ\tRadius\n1\t2\t3\t0.5\n4\t5\t6\t0.25\n",
                           "\xEF\xBB\xBF\"r\",\"z\",\"y\",\"x\"\r\n0.5,3,2,1\r\n0.25,6,5,4\r\n"}) {
    const auto a = parse_assembly_table(text, "f");
    BOOST_TEST((a.shape == ShapeKind::sphere));
    BOOST_TEST_REQUIRE(a.particles.size() == 2);
    BOOST_TEST((a.particles[1].position == Vec3{4, 5, 6}), text);
    BOOST_TEST(a.particles[1].radius == 0.25);
  }
  const auto discs = parse_assembly_table("r x y\n10 20\n0.5 1 2\n", "f");
  BOOST_TEST((discs.shape == ShapeKind::disc));
  BOOST_TEST(((*discs.cell)[1] == Vec3{0, 20, 0}));
  BOOST_TEST((discs.particles[0].position == Vec3{1, 2, 0}));
  BOOST_TEST(discs.particles[0].radius == 0.5);
  check_messages({
      {"x y z diameter\n1 2 3 1\n", "f:1: found the column 'diameter', wanted a header of the columns x, y, z*"},
      {"x y x r\n1 2 3 1\n", "f:1: found the column 'x' twice*"},
      {"x,y,z\n1,2,3\n", "f:1: found a header of the columns x, y, z, wanted*"},
      {"x,y,r\n1,,3\n", "f:2: found ',' and no number before it*"},
      {"1,5 2,5 0,5\n", "f:1: found a line of 6 columns (with decimal commas?*"},
      {"x,y,z,r\n", "f:2: found a header without a line after it*"},
      {"0 0 0 -1\n0 0 0 1\n", "f:1: found the radius -1*"},
      {"x y z r\n1 2 3 0\n1 2 3 1\n", "f:2: found the radius 0*"},
      {"10 -10\n1 2 3\n", "f:1: found the edge -10 of the cell*"},
      {"10 10\n", "f:2: found nothing after one of two, the edges of a cell, wanted lines `x y r`*"},
  });
  BOOST_TEST(parse_dempla("4\n1, 10, 11, 12\n0, 0, 0\n0.5, 1, 2, 3\n", "f").particles.size() == 1);
}

BOOST_AUTO_TEST_CASE(a_case_takes_bodies_and_cell_from_the_file) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("packing.txt", "4\n2 10 11 12\n.1 .2 .3\n.5 1 2 3\n.5 4 5 16\n");
  Case c = springy_case(3);
  c.periodic = {true, true, true};
  c.assembly.generator = ImportSpec{file, 0.1};
  const State state = build_assembly(c);
  BOOST_TEST(state.bodies.size() == 2);
  BOOST_TEST(state.bodies.position[0][1].z == 1.6, tolerance(1e-15));
  BOOST_TEST(state.cell.vectors[2].z == 1.2, tolerance(1e-15));
  BOOST_TEST(state.cell.vectors[2].y == 0.03, tolerance(1e-15));
  BOOST_TEST(state.shape_of(0).radius() == 0.05);
  c.dimension = 2;
  check_refused(c, "found spheres, allowed discs with dimension = 2");
}
