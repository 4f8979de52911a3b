// A driver from outside that moves held bodies, which rest at the start: their work is in the ledger.
#include "cases.hpp"
#include "libdem/drivers/catalogue.hpp"
#include "libdem/motion/coordinates.hpp"

namespace {

/// Shakes and turns the first body, smoothly from rest.
class Shaker final : public Driver {
 public:
  static constexpr const char* table = "shaker";
  static constexpr const char* description = "Shakes the first body.";
  struct Options {};
  static std::vector<laws::Key> keys() { return {}; }
  Shaker(const Options&, const Case&, const State&) {}

  std::string name() const override { return table; }
  double drive(const World& world) override {
    State& state = world.state;
    const auto place = [&](double time) { return 0.02 * (1 - std::cos(20 * time)); };  // m, and rad
    const double speed = (place(state.time + state.dt) - place(state.time)) / state.dt;
    for (const Freedom along : {free_x, free_rz}) prescribe_velocity(state.bodies, 0, along, speed, state.dt);
    return 0;
  }
};

// Before anything reads a case.
const bool added = (add_driver(driver_row<Shaker>()), true);

}  // namespace

BOOST_AUTO_TEST_CASE(work_of_a_held_body_that_rests_at_the_start) {
  for (const auto& [dimension, shape] : {std::pair{2, "disc"}, {3, "sphere"}}) {
    const Simulation run = finished(case_of(fmt::format(R"(
dimension = {0}
material = {{normal_stiffness = 1e3, tangential_stiffness = 4e2, friction = 0.5, restitution = 0.5}}
contact.elongation = "geometric"
time.step = 1e-4
stage = [{{duration = 0.2}}]
shaker = {{}}
body = [{{shape = "{1}", radius = 0.5, position = [0, 0, 0], fixed = ["x", "y", "rotation"]}},
        {{shape = "{1}", radius = 0.5, position = [0.8, 0.59, 0]}}]
)",
                                                        dimension, shape)));
    const EnergyLedger e = run.ledger();
    BOOST_TEST_CONTEXT(shape << ", work " << e.boundary_work << " J, residual " << e.residual() << " J") {
      BOOST_TEST(e.boundary_work > 1e-3);
      BOOST_TEST(std::abs(e.residual()) < 1e-4 * e.absolute_work);
    }
  }
}
