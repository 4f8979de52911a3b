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
  struct Options {
    double amplitude = 0;  ///< m, and rad
  };
  static std::vector<laws::Key> keys() {
    return {laws::key("amplitude", &Options::amplitude, "m", {0, 1}, "Amplitude.").require()};
  }
  Shaker(const Options& options, const Case&, const State&) : options_(options) {}

  std::string name() const override { return table; }
  double drive(const World& world) override {
    State& state = world.state;
    const auto place = [&](double time) { return options_.amplitude * (1 - std::cos(20 * time)); };
    const double speed = (place(state.time + state.dt) - place(state.time)) / state.dt;
    for (const Freedom along : {free_x, free_rz}) prescribe_velocity(state.bodies, 0, along, speed, state.dt);
    return 0;
  }

 private:
  Options options_;
};

// Before anything reads a case.
const bool added = (add_driver(driver_row<Shaker>()), true);

}  // namespace

BOOST_AUTO_TEST_CASE(work_of_a_held_body_that_rests_at_the_start) {
  for (const std::string space : {"", "dimension = 3\n"}) {
    const std::string shape = space.empty() ? "\"disc\"" : "\"sphere\"", z = space.empty() ? "" : ", 0.0";
    const Simulation run =
        finished(case_of(space + R"(
material = { normal_stiffness = 1e3, tangential_stiffness = 4e2, friction = 0.5, restitution = 0.5 }
contact = { elongation = "geometric" }
time = { step = 1e-4 }
stage = [{ duration = 0.2 }]
shaker = { amplitude = 0.02 }
body = [{ radius = 0.5, position = [0.0, 0.0)" +
                         z + "], fixed = [\"x\", \"y\", \"rotation\"], shape = " + shape +
                         " }, { radius = 0.5, position = [0.8, 0.59" + z + "], shape = " + shape + " }]\n"));
    const EnergyLedger e = run.ledger();
    BOOST_TEST_CONTEXT(space << "work " << e.boundary_work << " J, residual " << e.residual() << " J") {
      BOOST_TEST(e.boundary_work > 1e-3);
      BOOST_TEST(std::abs(e.residual()) < 1e-4 * e.absolute_work);
    }
  }
}
