// A driver from outside that turns a wall about a point: the contacts of walls that turn, their moments and works.
#include "cases.hpp"
#include "libdem/drivers/catalogue.hpp"
#include "libdem/motion/coordinates.hpp"
#include "libdem/state/groups.hpp"
#include "support/resumed.hpp"

namespace {

class TurningWall final : public Driver {
 public:
  static constexpr const char* table = "turning_wall";
  static constexpr const char* description = "A wall that turns about a point.";
  struct Options {
    std::string wall;
    std::array<double, 3> point{};  ///< m
    double rate = 0;                ///< counter-clockwise positive (rad/s)
  };
  static std::vector<laws::Key> keys() {
    return {laws::key("wall", &Options::wall, "Name of the wall.").require(),
            laws::key("point", &Options::point, "m", {-1e3, 1e3}, "Point of the turn."),
            laws::key("rate", &Options::rate, "rad/s", {-1e3, 1e3}, "Rate of the turn.").require()};
  }
  TurningWall(const Options& options, const Case&, const State& state)
      : options_(options), wall_(wall_named(state, options.wall).value()) {}

  std::string name() const override { return table; }
  void start(const World& world) override { drive(world); }
  /// Prescribes the chord of the arc, so that the wall lies on its circle at every evaluation.
  double drive(const World& world) override {
    Bodies& bodies = world.state.bodies;
    const double dt = world.state.dt, turn = options_.rate * dt, s = std::sin(turn), half = std::sin(0.5 * turn);
    const double x = bodies.position[0][wall_].x - options_.point[0],
                 y = bodies.position[0][wall_].y - options_.point[1];
    prescribe_velocity(bodies, wall_, free_x, (-2 * half * half * x - s * y) / dt, dt);
    prescribe_velocity(bodies, wall_, free_y, (s * x - 2 * half * half * y) / dt, dt);
    prescribe_velocity(bodies, wall_, free_rz, turn / dt, dt);
    return 0;
  }
  void measure(const World& world, bool start) override {
    const Bodies& bodies = world.state.bodies;
    const Vec3 x = bodies.position[0][wall_], f = bodies.force[wall_];
    const double before = moment_;
    moment_ = bodies.torque[wall_].z + (x.x - options_.point[0]) * f.y - (x.y - options_.point[1]) * f.x;
    if (!start) work_ -= 0.5 * (before + moment_) * options_.rate * world.state.dt;
  }
  void fields(FieldVisitor& f, State&) override { f("moment", moment_), f("work", work_); }
  double work() const { return work_; }

 private:
  Options options_;
  std::size_t wall_;
  double moment_ = 0, work_ = 0;  // about the point (N), on the assembly (J/m)
};

// Before anything reads a case.
const bool added = (add_driver(driver_row<TurningWall>()), true);

/// Bodies that lie on a floor between walls. With `turning` the floor turns about its middle.
Case floor_case(const std::string& shape, const std::string& contact, bool turning = true) {
  return case_of("gravity = [0.0, -9.81]\ntime = { step = 2e-5 }\ncontact = { " + contact + " }\n" + R"(
material = { density = 1e3, normal_stiffness = 1e5, tangential_stiffness = 5e4, friction = 0.6, restitution = 0.5 }
assembly = { generator = "lattice", columns = 6, rows = 3, radius = 0.01, spacing = 0.0205, shape = ")" +
                 shape + R"(" }
cell = { periodic = [] }
wall = [{ name = "floor", from = [-0.1, -0.012], to = [0.3, -0.012] },
        { name = "left", from = [-0.04, 0.3], to = [-0.04, -0.3] },
        { name = "right", from = [0.16, -0.3], to = [0.16, 0.3] }]
stage = [{ duration = 0.2 }]
)" + (turning ? "turning_wall = { wall = \"floor\", point = [0.05, -0.012], rate = 0.7 }\n" : ""));
}
std::size_t floor_of(const Simulation& run) { return wall_named(run.state(), "floor").value(); }

const std::string contacts[] = {"", "law = \"linear-refined\"", "elongation = \"velocity\"",
                                "lever = \"contact-point\""};

}  // namespace

/// A disc that turns with the wall as one rigid body keeps its elongation: nothing moves along the wall.
BOOST_AUTO_TEST_CASE(a_rigid_turn_stretches_no_contact) {
  for (const std::string& contact : contacts) {
    Simulation run(case_of(R"(
material = { normal_stiffness = 1e3, tangential_stiffness = 5e2, friction = 100.0, restitution = 0.5 }
time = { step = 1e-4 }
body = [{ shape = "disc", radius = 0.1, position = [1.0, 0.099], fixed = ["x", "y", "rotation"] }]
wall = [{ name = "floor", from = [-1.0, 0.0], to = [1.0, 0.0] }]
turning_wall = { wall = "floor", rate = 0.5 }
stage = [{ duration = 1.0 }]
contact = { )" + contact + " }\n"));
    double worst = 0;
    for (int k = 0; k < 5000; ++k) {
      Bodies& bodies = const_cast<State&>(run.state()).bodies;
      const Vec3 x = bodies.position[0][0];
      const double turn = 0.5 * 1e-4, s = std::sin(turn), half = std::sin(0.5 * turn), less = -2 * half * half;
      bodies.position[1][0] = {less * x.x - s * x.y, s * x.x + less * x.y, 0};
      bodies.rotation[1][0] = {0, 0, turn};
      run.step();
      for (const ContactRecord& r : run.contacts()) worst = std::max(worst, std::abs(r.elongation));
    }
    BOOST_TEST_CONTEXT(contact << ": elongation " << worst << " m at an overlap of 1e-3 m") {
      BOOST_TEST(run.contact_count() == 1u);
      // Velocities of the end of a step miss its chord by the order of Δt.
      BOOST_TEST(worst < (contact.starts_with("elongation") ? 1e-5 : 1e-12));
    }
  }
}

/// The work of the moment on the wall is the boundary work of the ledger, which closes.
BOOST_AUTO_TEST_CASE(work_of_a_turning_wall_and_moments_of_resting_walls) {
  for (const char* shape : {"disc", "polygon"})
    for (const std::string& contact : contacts) {
      const Simulation run = finished(floor_case(shape, contact));
      const EnergyLedger e = run.ledger();
      const double work = run.driver<TurningWall>()->work();
      BOOST_TEST_CONTEXT(shape << " " << contact << ": work " << work << ", boundary " << e.boundary_work
                               << ", residual " << e.residual() << " of " << e.absolute_work) {
        BOOST_TEST(std::abs(e.boundary_work) > 1e-3 * e.absolute_work);
        BOOST_TEST(std::abs(e.residual()) < 1e-3 * e.absolute_work);
        BOOST_TEST(std::abs(work - e.boundary_work) < 1e-4 * e.absolute_work);
      }
      // Forces of contacts have no sum and no moment: the moments on resting walls balance those on the bodies.
      Simulation rests(floor_case(shape, contact, false));
      double worst = 0, size = 0;
      for (int k = 0; k < 8000; ++k) {
        rests.step();
        const Bodies& bodies = rests.state().bodies;
        double moment = 0, all = 0;
        for (std::size_t b = 0; b < bodies.size(); ++b) {
          const Vec3 x = bodies.evaluated_position[b];
          const Vec3 f =
              bodies.force[b] - (rests.state().shape_of(b).is_wall() ? Vec3{} : bodies.mass[b] * rests.state().gravity);
          moment += bodies.torque[b].z + x.x * f.y - x.y * f.x;
          all += std::abs(bodies.torque[b].z) + 0.1 * norm(f);
        }
        worst = std::max(worst, std::abs(moment));
        size = std::max(size, all);
      }
      BOOST_TEST_CONTEXT(shape << " " << contact << ": moment " << worst << " of " << size)
      BOOST_TEST(worst < 1e-12 * size);
    }
}

/// A run without the driver that starts from such a run has the wall at rest where it was left.
BOOST_AUTO_TEST_CASE(a_wall_that_turned_comes_to_rest) {
  Case c = floor_case("disc", "");
  const Simulation first = advanced(c, 2000);
  c.drivers.clear();
  Simulation rests(c);
  rests.take_over(saved(first), true);
  rests.step();
  const auto turned = [](const Simulation& run) { return run.state().bodies.rotation[0][floor_of(run)].z; };
  BOOST_TEST(turned(first) > 0.02);
  BOOST_TEST(turned(rests) == turned(first));
}

BOOST_AUTO_TEST_CASE(walls_in_space_do_not_turn) {
  Simulation run(case_of(R"(
dimension = 3
material = { density = 2.0, normal_stiffness = 1e3, tangential_stiffness = 5e2, friction = 0.5, restitution = 0.5 }
time = { step = 5e-5 }
body = [{ shape = "sphere", radius = 0.1, position = [0.0, 0.0, 0.2] }]
wall = [{ name = "floor", shape = "plane", point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }]
turning_wall = { wall = "floor", rate = 0.5 }
stage = [{ duration = 1.0 }]
)"));
  BOOST_CHECK_THROW(run.step(), std::logic_error);
}
