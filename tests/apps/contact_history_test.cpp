// dem contact with laws hooke-history and hertz-history: choices, start force, dashpots, messages.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "apps/drive_tools.hpp"

using namespace drive_tools;

namespace {

constexpr double shear_modulus = 1e9, nu = 0.25, radius = 2e-3;
const std::string elastic = "shear_modulus = 1e9\npoisson_ratio = 0.25\nradius_i = 2e-3\nradius_j = 2e-3\nfriction = 0.5\n";

/// K_t = 8 G* √(R̄ δ), G* = G/(2(2 − ν)).
double stiffness(double overlap) { return 4 * shear_modulus / (2 - nu) * std::sqrt(0.5 * radius * overlap); }
double normal(double overlap) { return 4.0 / 3 * shear_modulus / (1 - nu) * std::sqrt(0.5 * radius * overlap) * overlap; }

}  // namespace

BOOST_AUTO_TEST_SUITE(contact_history)

/// Sheared, pressed until the stiffness has doubled, relieved, opened.
BOOST_AUTO_TEST_CASE(variants) {
  const Folder folder;
  const std::string path = "overlap,shift_1,shift_2\n1e-6,1e-8,0\n4e-6,0,0\n1e-6,0,0\n-1e-6,0,0\n";
  struct Known {
    const char* variant;
    double pressed, relieved;
  };
  for (const Known& known : {Known{"displacement", 2, 1}, {"force-increment", 1, 1}, {"rescaled", 1, 0.5}}) {
    const auto rows = run(folder, drive("hertz-history", elastic + "hertz_variant = \"" + known.variant + "\"\n", "start_overlap = 1e-6\n"), path);
    BOOST_TEST_REQUIRE(rows.size() == 5u);
    const double force = stiffness(1e-6) * 1e-8;
    BOOST_TEST(near(number(rows[1], "normal_force"), normal(1e-6), 1e-12 * normal(1e-6)));
    for (const auto& [row, share] : {std::pair{1, 1.0}, {2, known.pressed}, {3, known.relieved}})
      BOOST_TEST(near(number(rows[std::size_t(row)], "tangential_1"), share * force, 1e-12 * force));
    const double stored = 0.5 * known.relieved * known.relieved * force * force / stiffness(1e-6);
    BOOST_TEST(near(number(rows[3], "stored_tangential"), stored, 1e-12 * stored));
    BOOST_TEST(near(number(rows[4], "dissipated"), stored, 1e-12 * stored));
    BOOST_TEST(rows[4].at("regime") == "separated");
  }
}

/// The limit is that of the whole normal force, dashpot included; the default tangential dashpot is γ_n/√κ.
BOOST_AUTO_TEST_CASE(limits_and_dashpots) {
  const Folder folder;
  const double speed = 3e-3, dt = 1e-3, gamma = 2, kappa = 1.75 / 1.5;
  const std::string path = "overlap,shift_1,shift_2\n" + digits(4e-6) + "," + digits(speed * dt) + ",0\n";
  const std::string start = "start_overlap = 3e-6\ntime_step = 1e-3\n";
  const double pushed = normal(4e-6) + gamma * 1e-6 / dt;
  const auto force = [&](const std::string& more) {
    const auto rows = run(folder, drive("hertz-history", elastic + "normal_damping = 2.0\n" + more, start), path);
    BOOST_TEST(near(number(rows.at(1), "normal_force"), pushed, 1e-12 * pushed));
    return number(rows.at(1), "tangential_1");
  };
  const double spring = stiffness(4e-6) * speed * dt, dashpot = gamma / std::sqrt(kappa) * speed;
  BOOST_TEST_REQUIRE(spring > 0.5 * pushed);
  for (const char* limit : {"total", "spring"})
    BOOST_TEST(near(force("friction_limit = \"" + std::string(limit) + "\"\n"), 0.5 * pushed, 1e-12 * pushed));
  BOOST_TEST(near(force("history = \"none\"\n"), dashpot, 1e-12 * dashpot));
  BOOST_TEST(near(force("history = \"pseudo\"\n"), 0.5 * pushed, 1e-12 * pushed));
}

BOOST_AUTO_TEST_CASE(start_force) {
  const Folder folder;
  const auto rows =
      run(folder, drive("hertz-history", elastic, "start_overlap = 4e-6\nstart_force = [0.03, -0.01]\n"), "overlap,shift_1,shift_2\n4e-6,1e-9,0\n");
  BOOST_TEST(number(rows[0], "tangential_1") == 0.03);
  BOOST_TEST(near(number(rows[0], "stored_tangential"), 0.5 * 0.001 / stiffness(4e-6), 1e-18));
  BOOST_TEST(near(number(rows[1], "tangential_1"), 0.03 + stiffness(4e-6) * 1e-9, 1e-14));
  BOOST_TEST(near(number(rows[1], "tangential_2"), -0.01, 1e-14));
}

BOOST_AUTO_TEST_CASE(refused) {
  const Folder folder;
  folder.write("path.csv", "overlap,shift_1,shift_2\n1e-6,0,0\n");
  const auto message = [&](const std::string& text) {
    folder.write("drive.toml", text);
    const auto ran = folder.dem("contact drive.toml");
    BOOST_TEST(ran.code == 2, text);
    return ran.err;
  };
  const auto has = [](const std::string& text, const std::string& part) { BOOST_TEST(text.find(part) != std::string::npos, text); };
  has(message(drive("hooke-history", usual + "history = \"pseudo\"\n")),
      "path.time_step: found nothing, allowed a number > 0 with history = \"pseudo\"");
  has(message(drive("hooke-history", usual + "history = \"none\"\nfriction_limit = \"spring\"\n")), "parameters.friction_limit: found");
  has(message(drive("hooke-history", usual + "damp_while_sliding = true\n")), "parameters.damp_while_sliding: found an unknown key");
  has(message(drive("hooke-history", usual + "hertz_variant = \"rescaled\"\n")), "parameters.hertz_variant: found an unknown key");
  has(message(drive("hertz-history", elastic + "transport = \"none\"\n")), "parameters.transport: found");
  has(message(drive("linear", usual + "history = \"none\"\n")), "parameters.history: found an unknown key");
}

BOOST_AUTO_TEST_SUITE_END()
