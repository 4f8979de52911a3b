// What the parts of a sliding contact's energy say where its dashpot alone is beyond the Coulomb limit.
#include <boost/test/unit_test.hpp>

#include "libdem/case/case_file.hpp"
#include "libdem/run/simulation.hpp"

using namespace dem;

namespace {

/// Two spheres pressed by 100 N that slide past each other at 1 m/s: the dashpot alone has 1000 N, the limit is 50 N.
Case sliding(const std::string& limit) {
  return parse_case(
      "format = 1\ndimension = 3\n[material]\ndensity = 1000\nnormal_stiffness = 1e5\ntangential_stiffness = "
      "100.0\nfriction = 0.5\nnormal_damping = 0\n"
      "tangential_damping = 1000.0\n[contact]\nlaw = \"hooke-history\"\nfriction_limit = \"" +
          limit +
          "\"\n[time]\nstep = 1e-5\noverride_limit = true\n"
          "[[body]]\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 0, 0]\nfixed = [\"x\", \"y\", \"z\", "
          "\"rotation\"]\n"
          "[[body]]\nshape = \"sphere\"\nradius = 0.1\nposition = [0.199, 0, 0]\nvelocity = [0, 1.0, 0]\nfixed = "
          "[\"x\", \"y\", \"z\", \"rotation\"]\n"
          "[[stage]]\nduration = 1e-3\n",
      "case.toml");
}

}  // namespace

BOOST_AUTO_TEST_CASE(friction_and_viscous_loss_together_may_be_negative) {
  Simulation run(sliding("total"));
  for (int k = 0; k < 100; ++k) run.step();
  const EnergyLedger& l = run.ledger();
  BOOST_TEST(l.viscous > 0);
  BOOST_TEST(l.friction < 0);
  BOOST_TEST(l.friction + l.viscous < -1);  // J, while the drive has put 0.05 J in
  BOOST_TEST((l.boundary_work > 0 && l.boundary_work < 0.1));
  BOOST_TEST(std::abs(l.residual()) < 1e-9 * l.absolute_work);  // all parts together are right
  BOOST_TEST(l.friction + l.viscous + l.circulation + l.stored() - l.initial == l.boundary_work,
             boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(the_limit_of_the_spring_alone_has_no_such_parts) {
  Simulation run(sliding("spring"));
  for (int k = 0; k < 100; ++k) run.step();
  BOOST_TEST(run.ledger().friction >= 0);
  BOOST_TEST(run.ledger().viscous >= 0);
}

BOOST_AUTO_TEST_CASE(the_help_says_so) {
  const auto keys = find_case_keys("contact.friction_limit");
  BOOST_TEST_REQUIRE(keys.size() == 1);
  BOOST_TEST(keys[0].description.find(
                 "friction_loss + viscous_loss may be. Only their sum with the change of stored_tangential") !=
                 std::string::npos,
             keys[0].description);
  for (const auto& column : ledger_columns())
    if (column.column.name == std::string("friction_loss"))
      BOOST_TEST(std::string(column.column.description).find("negative where contact.friction_limit") !=
                 std::string::npos);
}
