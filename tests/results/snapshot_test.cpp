// Snapshots of bodies in the plane come back bit by bit and describe themselves. Those in space: space_test.cpp.
#include "libdem/results/snapshot.hpp"

#include <boost/test/unit_test.hpp>

#include "libdem/results/hdf5_sealed.hpp"
#include "results/results_test_assembly.hpp"
#include "results/results_test_tools.hpp"

using namespace dem;
using namespace dem::test;

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
    BOOST_TEST((s.step == a.step && s.time == a.time && s.strain == a.strain));
    BOOST_TEST((s.cell.vectors == a.cell.vectors && s.cell.periodic == a.cell.periodic));
    BOOST_TEST((s.cell_origin == Vec3{0, -1, 0}));
    BOOST_TEST((s.position == a.bodies.position[0].by_number() && s.force == a.bodies.force.by_number()));
    BOOST_TEST(same_bits(s.mass, a.bodies.mass.by_number()));
    BOOST_TEST(same_bits(s.moment, a.bodies.moment.by_number()));
    BOOST_TEST((s.shape == a.bodies.shape && s.group == a.bodies.group && s.name == a.bodies.name));
    BOOST_TEST((s.groups == a.groups && s.freedom == a.bodies.freedom.by_number()));
    for (std::size_t b = 0; b < a.bodies.size(); ++b) {
      const auto& polygons = a.shapes[b].polygon();
      const auto outline = polygons.empty() ? std::span<const Vec2>() : polygons[0].vertices();
      BOOST_TEST(s.radius.at(b) == a.shapes[b].equivalent_radius());
      BOOST_TEST((s.velocity[b] == a.velocity(b)));
      BOOST_TEST(s.spin[b] == a.spin(b));
      BOOST_TEST(s.angle[b] == a.bodies.rotation[0][b].z);
      BOOST_TEST(s.torque[b] == a.bodies.torque[b].z);
      BOOST_TEST(s.shape_radius[b] == a.shapes[b].radius());
      BOOST_TEST(std::ranges::equal(s.outlines[b], outline));
    }
    BOOST_TEST(s.contacts.size() == a.contacts.size());
    for (std::size_t k = 0; k < a.contacts.size(); ++k) {
      using C = ContactRecord;
      const C &p = s.contacts[k], &q = a.contacts[k];
      BOOST_TEST((p.key == q.key && p.regime == q.regime));
      using Vectors = std::initializer_list<Vec3 C::*>;
      using Numbers = std::initializer_list<double C::*>;
      for (const auto m : Vectors{&C::point, &C::normal, &C::force, &C::branch}) BOOST_TEST((p.*m == q.*m));
      for (const auto m : Numbers{&C::overlap, &C::area, &C::plane_angle, &C::normal_force, &C::tangential_force,
                                  &C::elongation, &C::normal_stiffness, &C::tangential_stiffness, &C::normal_damping,
                                  &C::tangential_damping, &C::stored_normal, &C::stored_tangential})
        BOOST_TEST((p.*m == q.*m));
    }
  }
}

BOOST_FIXTURE_TEST_CASE(every_dataset_of_a_snapshot_describes_itself, InTemporaryFolder) {
  write_snapshot(folder.path / "s.h5", made_up_polygons(6, 5, 9).view(), this_build());
  const hdf5::SealedFile f = hdf5::read_sealed(folder.path / "s.h5", "snapshot");
  for (const char* group : {"bodies", "contacts", "shapes"}) {
    const hdf5::Group g = f.file.root().open(group);
    for (const std::string& name : g.names()) BOOST_TEST(!g.text("description", name).empty(), name);
  }
  const hdf5::Group header = f.file.root().open("header");
  BOOST_TEST(header.integer("format") == 1u);
  BOOST_TEST(header.text("conventions").find("acts on i") != std::string::npos);
  BOOST_TEST(f.file.root().open("contacts").text("unit", "force") == "N");
}
