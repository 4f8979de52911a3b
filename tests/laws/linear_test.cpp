// The law `linear` in closed form: polygon-dem reference, §3 (trial, Coulomb limit, radial return, dashpot).
#include "libdem/laws/linear.hpp"

#include "geometry/random.hpp"
#include "libdem/contacts/one_contact.hpp"
#include "prelude.hpp"

using namespace dem::laws;

namespace {

constexpr double k = 3, mu = 0.5;

struct Contact {
  Block block{};
  Linear::History history;
  double stiffness = k, friction = mu;

  void step(double shift_1, double normal_end, double shift_2 = 0) {
    block.count = 1;
    block.normal_start[0] = block.normal_end[0];
    block.normal_end[0] = normal_end;
    block.shift_1[0] = shift_1;
    block.shift_2[0] = shift_2;
    block.stiffness[0] = stiffness;
    block.friction[0] = friction;
    Linear::pass({}, {}, block, &history);
  }
  double force() const { return block.elastic_1[0]; }
};

const auto exactly = tolerance(1e-14);

}  // namespace

/// Beyond the limit, back and beyond the other one. Then a limit that falls: friction takes what the spring gives up.
BOOST_AUTO_TEST_CASE(sticks_up_to_the_limit_and_slides_there) {
  using Rows = std::vector<std::array<double, 5>>;
  const Rows to_and_fro{{1.5, 12, 1.5, 0, 0},  // F_n = 12 N: the limit is 6 N, reached at ξ = 2 m
                        {0.5, 12, 2, 0, 0},    // exactly at the limit is still stick
                        {0.1, 12, 2, 1, 6 * 0.1},
                        {-3, 12, -1, 0, 0},
                        {-2, 12, -2, 1, 4.5}};
  const Rows falling{{1, 12, 1, 0, 0}, {0, 3, 0.5, 1, 0.5 * k * 0.75}, {0, -1, 0, 1, 0.5 * k * 0.25}};
  for (const auto& rows : {to_and_fro, falling}) {
    Contact c;
    for (const auto& [shift, normal_end, elongation, sliding, dissipated] : rows) {
      BOOST_TEST_INFO("shift " << shift << ", normal force " << normal_end);
      c.step(shift, normal_end);
      BOOST_TEST(c.history.elongation_1 == elongation, exactly);
      BOOST_TEST(c.force() == -k * elongation, exactly);
      BOOST_TEST(c.block.sliding[0] == sliding);
      BOOST_TEST(c.block.stored[0] == 0.5 * k * elongation * elongation, exactly);
      BOOST_TEST(c.block.dissipated[0] == dissipated, exactly);
    }
  }
}

BOOST_AUTO_TEST_CASE(without_stiffness_there_is_no_force) {
  Contact soft;
  soft.stiffness = 0;
  soft.step(0.3, 12, 0.4);
  BOOST_TEST(soft.force() == 0);
  BOOST_TEST(soft.block.stored[0] == 0);
  BOOST_TEST(soft.block.sliding[0] == 0);  // a spring without stiffness never reaches the limit
  soft.friction = 0;                       // a limit of zero: no 0/0
  soft.step(0.1, 0);
  BOOST_TEST(soft.force() == 0);
  BOOST_TEST(std::isfinite(soft.history.elongation_1));
}

/// The trapezoid ½(f_0 + f_1)·Δξ decides what friction takes. It is negative only where the limit falls while one step
/// throws the spring from one side to sliding on the other. Such steps are counted, so that the case is met.
BOOST_AUTO_TEST_CASE(friction_never_gives_energy) {
  geometry::Random random(12);
  int unresolved = 0;
  for (const bool constant_limit : {true, false})
    for (const double size : {1e-9, 1e-3, 1.0, 1e3}) {
      Contact c;
      double most = 0, least = 0;
      for (int step = 0; step < 20000; ++step) {
        const double before = c.history.elongation_1;
        c.step(size * (2 * random.uniform() - 1), constant_limit ? 5 : 10 * random.uniform(), 0);
        const double after = c.history.elongation_1;
        if (!constant_limit && before * after < 0 && std::abs(after) < std::abs(before)) {
          ++unresolved;
          continue;
        }
        most = std::max(most, c.block.dissipated[0]);
        least = std::min(least, c.block.dissipated[0]);
      }
      BOOST_TEST_CONTEXT("movement " << size << ": dissipated from " << least << " to " << most) {
        BOOST_TEST(least >= -1e-14 * most);
        if (size >= 1) BOOST_TEST(most > 1);
      }
    }
  BOOST_TEST(unresolved > 1000);
}

/// Movement of the step or dashpot alone, limited together: f = min(1, μ|F_n|/|f*|) f*, f* = k_t Δu + γ_t v_t. 1e-12
/// and 1e-13 are round-off: v_t is a quotient, and the elongation keeps the force of the step before over k_t.
BOOST_AUTO_TEST_CASE(without_a_history_the_force_is_that_of_the_step) {
  constexpr double k_n = 100, gamma_n = 0.3, gamma_t = 0.5, dt = 0.01, overlap = 0.02;
  using enum TangentialHistory;
  for (const auto& [memory, k_t] : {std::pair{pseudo, 40.0}, {none, 40.0}, {none, 0.0}}) {
    std::vector<std::vector<DriveState>> of_laws;
    std::vector<DriveRow> rows;
    for (const char* name : {"linear", "hooke-history"}) {
      ContactDrive drive{.law = LawChoice(name), .friction = mu, .normal_stiffness = k_n, .tangential_stiffness = k_t};
      drive.law.set_history(memory, drive.law);
      drive.normal_damping = gamma_n, drive.tangential_damping = gamma_t, drive.time_step = dt;
      drive.start_overlap = overlap;
      geometry::Random random(3);
      for (int row = 0; row < 300; ++row) {
        const double a = random.uniform() - 0.5, b = random.uniform() - 0.5;
        drive.rows.push_back({overlap * (0.5 + random.uniform()), 0.05 * Vec3{a, b, 0}, {}, {}, {}});
      }
      rows = drive.rows;
      of_laws.push_back(drive_contact(drive));
    }
    int slides = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const DriveState &linear = of_laws[0][row + 1], &hooke = of_laws[1][row + 1];
      const double before = row == 0 ? overlap : rows[row - 1].overlap,
                   normal = k_n * rows[row].overlap + gamma_n * (rows[row].overlap - before) / dt;
      const double factor = (memory == pseudo ? k_t : 0) + gamma_t / dt, trial = factor * norm(rows[row].shift),
                   limit = mu * std::abs(normal);
      slides += trial > limit;
      BOOST_TEST(norm(linear.tangential) == std::min(trial, limit), tolerance(1e-12));
      BOOST_TEST(dot(linear.tangential, rows[row].shift) >= 0);  // on i, along the movement of j
      BOOST_TEST(linear.stored_tangential == 0);
      BOOST_TEST(norm(linear.tangential - hooke.tangential) <= 1e-13 * limit);
      BOOST_TEST(std::abs(linear.dissipated - hooke.dissipated) <= 1e-13 * limit * 0.05);
    }
    BOOST_TEST((slides > 20 && slides < 280));
  }
}
