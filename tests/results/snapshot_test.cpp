// Snapshots of bodies in the plane come back bit by bit and describe themselves. Those in space: space_test.cpp.
#include "libdem/results/snapshot.hpp"

#include "results/results_test_assembly.hpp"
#include "results/results_test_tools.hpp"
#include "results/snapshot_columns.hpp"

BOOST_FIXTURE_TEST_CASE(snapshots_come_back_bit_by_bit, InTemporaryFolder) {
  const auto path = folder.path / "s.h5";
  RunDescription run = this_build();
  run.title = "Test";
  run.seed = 77;
  run.case_text = "format = 1\ntitle = \"Prüfung\"\n";
  for (const MadeUpAssembly& a : {made_up_polygons(6, 5, 9), made_up_discs(), MadeUpAssembly{}}) {
    write_snapshot(path, a.view(), run);
    const Snapshot s = read_snapshot(path);
    BOOST_TEST((s.run.title == "Test" && s.run.seed == 77));
    BOOST_TEST((s.run.case_text == run.case_text && s.run.compiler == run.compiler));
    BOOST_TEST((s.step == a.step && s.time == a.time && s.strain == a.strain && s.time_step == a.dt));
    BOOST_TEST((s.dimension == 2 && s.groups == a.groups && s.bodies == a.bodies.size()));
    BOOST_TEST((s.shapes == a.shapes.size() && s.has_contacts && s.contacts == a.contacts.size()));

    const hdf5::SealedFile file = hdf5::read_sealed(path, "snapshot");
    const hdf5::Group root = file.file.root(), header = root.open("header"), bodies = root.open("bodies");
    BOOST_TEST(header.integer("format") == 1u);
    BOOST_TEST(header.text("conventions").find("acts on i") != std::string::npos);
    BOOST_TEST(holds(header, "cell_vectors", a.cell.vectors, std::identity()));
    BOOST_TEST(holds(header, "cell_periodic", a.cell.periodic, [](bool p) { return std::uint8_t(p); }));
    BOOST_TEST((header.read<double>("cell_origin") == std::vector{a.cell_origin.x, a.cell_origin.y}));
    std::vector<std::size_t> numbers(a.bodies.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t(0));
    const auto has = [&](const char* name, auto value) { BOOST_TEST(holds(bodies, name, numbers, value), name); };
    has("position", [&](std::size_t b) { return a.bodies.position[0][b]; });
    has("velocity", [&](std::size_t b) { return a.velocity(b); });
    has("force", [&](std::size_t b) { return a.bodies.force[b]; });
    has("mass", [&](std::size_t b) { return a.bodies.mass[b]; });
    has("moment", [&](std::size_t b) { return a.bodies.moment[b]; });
    has("radius", [&](std::size_t b) { return a.shape_of(b).equivalent_radius(); });
    has("spin", [&](std::size_t b) { return a.spin(b); });
    has("angle", [&](std::size_t b) { return a.bodies.rotation[0][b].z; });
    has("torque", [&](std::size_t b) { return a.bodies.torque[b].z; });
    has("shape", [&](std::size_t b) { return a.bodies.shape[b]; });
    has("group", [&](std::size_t b) { return a.bodies.group[b]; });
    has("freedom", [&](std::size_t b) { return a.bodies.freedom[b]; });
    BOOST_TEST((bodies.read_texts("name") == a.bodies.name));

    const hdf5::Group shapes = root.open("shapes");
    BOOST_TEST(holds(shapes, "radius", a.shapes, &Shape::radius));
    const auto offsets = shapes.read<std::uint64_t>("offsets");
    const auto corners = shapes.read<double>("vertices");
    for (std::size_t b = 0; b < a.shapes.size(); ++b) {
      const auto& polygons = a.shapes[b].polygon();
      const auto outline = polygons.empty() ? std::span<const Vec2>() : polygons[0].vertices();
      BOOST_TEST_REQUIRE(offsets.at(b + 1) - offsets[b] == outline.size());
      for (std::size_t k = 0, at = 2 * offsets[b]; k < outline.size(); ++k, at += 2)
        BOOST_TEST((corners.at(at) == outline[k].x && corners.at(at + 1) == outline[k].y));
    }

    using C = ContactRecord;
    const hdf5::Group contacts = root.open("contacts");
    BOOST_TEST(contacts.text("unit", "force") == "N");
    const auto of = [&](const char* name, auto value) { BOOST_TEST(holds(contacts, name, a.contacts, value), name); };
    of("i", [](const C& c) { return c.key.i; });
    of("j", [](const C& c) { return c.key.j; });
    of("feature", [](const C& c) { return c.key.feature; });
    of("regime", [](const C& c) { return std::uint8_t(c.regime); });
    const auto images = contacts.read<std::int16_t>("image");
    BOOST_TEST_REQUIRE(images.size() == 3 * a.contacts.size());
    for (std::size_t k = 0; k < images.size(); ++k) BOOST_TEST(images[k] == a.contacts[k / 3].key.image[k % 3]);
    using Vectors = std::initializer_list<std::pair<const char*, Vec3 C::*>>;
    using Numbers = std::initializer_list<std::pair<const char*, double C::*>>;
    for (const auto& [name, member] :
         Vectors{{"point", &C::point}, {"normal", &C::normal}, {"force", &C::force}, {"branch", &C::branch}})
      of(name, member);
    for (const auto& [name, member] : Numbers{{"overlap", &C::overlap},
                                              {"area", &C::area},
                                              {"plane_angle", &C::plane_angle},
                                              {"normal_force", &C::normal_force},
                                              {"tangential_force", &C::tangential_force},
                                              {"elongation", &C::elongation},
                                              {"normal_stiffness", &C::normal_stiffness},
                                              {"tangential_stiffness", &C::tangential_stiffness},
                                              {"normal_damping", &C::normal_damping},
                                              {"tangential_damping", &C::tangential_damping},
                                              {"stored_normal", &C::stored_normal},
                                              {"stored_tangential", &C::stored_tangential}})
      of(name, member);
  }
}
