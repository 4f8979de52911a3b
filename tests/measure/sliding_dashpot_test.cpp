// Parts of a sliding contact's energy where its dashpot alone is beyond the Coulomb limit.
#include "cases.hpp"

namespace {

/// The ledger of two spheres that slide past each other. The dashpot alone has 1000 N, the limit is 50 N.
EnergyLedger slid(const std::string& limit) {
  return advanced(case_of(R"(
dimension = 3
material = {friction = 0.5, normal_stiffness = 1e5, tangential_stiffness = 100, normal_damping = 0, )"
                          R"(tangential_damping = 1000}
contact = {law = "hooke-history", friction_limit = ")" +
                          limit + R"("}
time = {step = 1e-5, override_limit = true}
body = [{shape = "sphere", radius = 0.1, fixed = ["x", "y", "z", "rotation"], position = [0, 0, 0]},
  {shape = "sphere", radius = 0.1, fixed = ["x", "y", "z", "rotation"], position = [0.199, 0, 0], velocity = [0, 1, 0]}]
stage = [{duration = 1e-3}]
)"),
                  100)
      .ledger();
}

}  // namespace

BOOST_AUTO_TEST_CASE(friction_and_viscous_loss_together_may_be_negative) {
  const EnergyLedger l = slid("total");
  BOOST_TEST((l.viscous > 0 && l.friction < 0));
  BOOST_TEST(l.friction + l.viscous < -1);  // J, while the drive has put 0.05 J in
  BOOST_TEST((l.boundary_work > 0 && l.boundary_work < 0.1));
  BOOST_TEST(std::abs(l.residual()) < 1e-9 * l.absolute_work);  // all parts together are right
  BOOST_TEST(l.friction + l.viscous + l.circulation + l.stored() - l.initial == l.boundary_work, tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(the_limit_of_the_spring_alone_has_no_such_parts) {
  const EnergyLedger l = slid("spring");
  BOOST_TEST((l.friction >= 0 && l.viscous >= 0));
}
