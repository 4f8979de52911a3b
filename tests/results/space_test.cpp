// Snapshots and pictures of bodies in space.
#include "libdem/assembly/assembly.hpp"
#include "libdem/pictures/svg.hpp"
#include "libdem/results/snapshot.hpp"
#include "libdem/state/quaternion.hpp"
#include "results/results_test_tools.hpp"
#include "results/snapshot_columns.hpp"

namespace {

const auto closely = tolerance(1e-14);

/// A sphere below a dumbbell that is turned by 90° about y, touching; periodic along x and y.
struct SmallAssembly {
  Case given;
  State state;
  std::vector<ContactRecord> contacts;

  SmallAssembly() : state(make()) {
    ContactRecord c;
    c.key = {0, 1};
    c.point = {0, 0, 0.5}, c.normal = {0, 0, 1}, c.branch = {0, 0, 1.5};
    c.force = {0, 1, -3}, c.normal_force = 3;
    contacts.push_back(c);
    state.bodies.rotation[1][0] = {0, 0.003, 0.004};
    state.step = 7;
    state.time = 0.25;
  }
  AssemblyView view() const { return {state, contacts}; }

 private:
  State make() {
    given.dimension = 3;
    given.periodic = {true, true, false}, given.cell_size = {10, 12, 0};
    given.time.step = 0.01, given.material.density = 2;
    BodySpec &sphere = given.assembly.bodies.emplace_back(), pair;
    sphere.shape = ShapeKind::sphere, sphere.radius = 0.5, sphere.velocity = {1, 2, 3};
    pair.shape = ShapeKind::cluster, pair.spheres = {{{-0.5, 0, 0}, 0.5}, {{0.5, 0, 0}, 0.5}};
    pair.position = {0, 0, 1.5}, pair.orientation = quaternion_of({0, pi / 2, 0});
    given.assembly.bodies.push_back(pair);
    return build_assembly(given);
  }
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

BOOST_AUTO_TEST_CASE(component_spheres_stand_where_the_orientation_puts_them) {
  const SmallAssembly a;
  const auto spheres = placed_spheres(a.state);
  BOOST_TEST_REQUIRE(spheres.size() == 3);
  BOOST_TEST(spheres[0].body == 0);
  for (const auto& s : {spheres[1], spheres[2]}) {
    BOOST_TEST(s.body == 1);
    BOOST_TEST(std::hypot(s.centre.x, s.centre.y) < 1e-15);
  }
  const auto [low, high] = std::minmax(spheres[1].centre.z, spheres[2].centre.z);
  BOOST_TEST(low == 1, closely);
  BOOST_TEST(high == 2, closely);
}

BOOST_AUTO_TEST_CASE(stress_of_a_body_in_space_is_over_its_volume) {
  const SmallAssembly a;
  const auto stress = body_stresses(a.view());
  const double volume = pi / 6;
  BOOST_TEST(stress[0].m[2][2] == -0.5 * 3 / volume, closely);  // arm (0, 0, 0.5), force (0, 1, −3)
  BOOST_TEST(stress[0].m[1][2] == 0.5 / volume, closely);       // force along y, face normal along z
  BOOST_TEST(stress[0].m[2][1] == 0);
  BOOST_TEST(stress[1].m[2][2] == -1.0 * 3 / (2 * volume), closely);
  const BodyScalar pressure = body_scalar(a.view(), "stress");
  BOOST_TEST(pressure.values[0] == 0.5 / volume, closely);
  BOOST_TEST(pressure.unit == "Pa");
  BOOST_TEST(body_scalar(a.view(), "spin").values[0] == 0.5, closely);
  BOOST_TEST(body_scalar(a.view(), "speed").values[0] == std::sqrt(14.0), closely);
}

BOOST_AUTO_TEST_CASE(snapshot_of_bodies_in_space_reads_back) {
  const SmallAssembly a;
  const TemporaryFolder folder;
  write_snapshot(folder.path / "s.h5", a.view(), this_build());
  const Snapshot s = read_snapshot(folder.path / "s.h5");
  BOOST_TEST((s.dimension == 3 && s.step == 7 && s.bodies == 2 && s.shapes == 2 && s.contacts == 1));
  const hdf5::SealedFile file = hdf5::read_sealed(folder.path / "s.h5", "snapshot");
  const hdf5::Group root = file.file.root(), bodies = root.open("bodies"), shapes = root.open("shapes");
  const auto has = [&](const char* name, auto value) {
    BOOST_TEST(holds(bodies, name, std::vector<std::size_t>{0, 1}, value), name);
  };
  has("position", [&](std::size_t b) { return a.state.bodies.position[0][b]; });
  has("orientation", [&](std::size_t b) { return a.state.bodies.orientation[0][b]; });
  BOOST_TEST(bodies.read<double>("angular_velocity").at(2) == 0.4, closely);
  BOOST_TEST(bodies.read<double>("velocity").at(2) == 3, closely);
  const ShapeSpheres expected = a.state.shapes[1].spheres();
  const auto offsets = shapes.read<std::uint64_t>("offsets");
  BOOST_TEST_REQUIRE((offsets.size() == 3 && offsets[2] - offsets[1] == expected.size()));
  const auto spheres = shapes.read<double>("spheres");
  for (std::size_t k = 0, at = 4 * offsets[1]; k < expected.size(); ++k, at += 4)
    BOOST_TEST((Vec3{spheres.at(at), spheres.at(at + 1), spheres.at(at + 2)} == expected[k].position &&
                spheres.at(at + 3) == expected[k].radius));
  BOOST_TEST(shapes.read<double>("radius").at(0) == 0.5);
  BOOST_TEST(root.open("contacts").read<double>("force").at(1) == 1);
  BOOST_TEST(
      holds(root.open("header"), "cell_periodic", a.state.cell.periodic, [](bool p) { return std::uint8_t(p); }));
}

BOOST_AUTO_TEST_CASE(picture_shows_spheres_from_back_to_front) {
  SmallAssembly a;
  a.state.bodies.position[0][0].y = 11.5;  // the far side of the cell, which nothing hides
  a.state.bodies.position[0][1].x = 5;
  const auto drawn = [&] { return svg_frame(a.view(), "", "speed"); };
  BOOST_TEST(count(drawn(), "<circle") == 4u);
  BOOST_TEST(count(drawn(), "seen along y") == 1u);
  // Near the front, and across the periodic boundary along x: drawn on both sides, after what lies behind it.
  a.state.bodies.position[0][0] = {0.1, -0.2 + 12, 0};
  a.state.bodies.position[0][1].y = 11.7;
  BOOST_TEST(count(drawn(), "<circle") == 4u);
}
