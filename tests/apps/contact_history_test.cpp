// dem contact with laws hooke-history and hertz-history: start force, dashpots, tension, messages.
#include "apps/drive_tools.hpp"

using namespace drive_tools;

namespace {

constexpr double shear_modulus = 1e9, nu = 0.25, radius = 2e-3;
const std::string elastic =
    "shear_modulus = 1e9\npoisson_ratio = 0.25\nradius_i = 2e-3\nradius_j = 2e-3\nfriction = 0.5\n";

/// K_t = 8 G* √(R̄ δ), G* = G/(2(2 − ν)).
double stiffness(double overlap) { return 4 * shear_modulus / (2 - nu) * std::sqrt(0.5 * radius * overlap); }

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_start_force, cli::InFolder) {
  const auto rows = run(folder, drive("hertz-history", elastic, "start_overlap = 4e-6\nstart_force = [0.03, -0.01]\n"),
                        "overlap,shift_1,shift_2\n4e-6,1e-9,0\n-1e-6,0,0\n");
  BOOST_TEST(number(rows[0], "tangential_1") == 0.03);
  check_near(rows[0], "stored_tangential", 0.5 * 0.001 / stiffness(4e-6), 1e-18);
  check_near(rows[1], "tangential_1", 0.03 + stiffness(4e-6) * 1e-9, 1e-14);
  check_near(rows[1], "tangential_2", -0.01, 1e-14);
  BOOST_TEST(rows[2].at("regime") == "separated");
  const double stored = number(rows[1], "stored_tangential");  // goes with the contact
  check_near(rows[2], "dissipated", stored, 1e-12 * stored);
}

/// The user's coefficients of the Hertz form, with dampings by the reduced mass (direct-shear reference, T2).
/// F_n and F_t are those of one evaluation.
BOOST_FIXTURE_TEST_CASE(coefficients_of_the_user, cli::InFolder) {
  const std::string own =
      "hertz_normal_stiffness = 5.86e6\nhertz_tangential_stiffness = 5.79e6\nradius_i = 2.5e-3\nradius_j = "
      "2.5e-3\nfriction = 0.5\n";
  const std::string rates = "normal_damping_rate = 1e6\ntangential_damping_rate = 5e5\nreduced_mass = 8.18e-5\n";
  const double v_n = 0.6 * 0.02 + 0.8 * -0.01, dt = 1e-5, overlap = 1e-5, f = std::sqrt(0.00125 * overlap);
  // The overlap before the row is that of the movement along n.
  const std::string start = "time_step = 1e-5\nstart_overlap = " + digits(overlap + v_n * dt) + "\n",
                    path = "overlap,shift_1,shift_2\n1e-5," + digits(2e-7) + ",-3e-7\n";
  const auto rows = run(folder, drive("hertz-history", own + rates, start), path);
  check_near(rows.at(1), "normal_force", 0.006515097101962488, 1e-12 * 0.0065);
  const double per_shift = f * (5.79e6 + 5e5 * 8.18e-5 / dt);
  check_near(rows[1], "tangential_1", per_shift * 2e-7, 1e-12 * per_shift * 2e-7);
  check_near(rows[1], "tangential_2", per_shift * -3e-7, 1e-12 * per_shift * 3e-7);
  // Without tangential_damping_rate it is γ_n/√κ; a spring's is γ_n √(k_t/k_n).
  const auto ratio =
      run(folder, drive("hertz-history", own + "normal_damping_rate = 1e6\nreduced_mass = 8.18e-5\n", start), path);
  const double by_default = f * (5.79e6 + std::sqrt(5.79 / (1.5 * 5.86)) * 1e6 * 8.18e-5 / dt);
  check_near(ratio.at(1), "tangential_1", by_default * 2e-7, 1e-12 * by_default * 2e-7);
  const auto hooke =
      run(folder,
          drive("hooke-history",
                "normal_stiffness = 2000\ntangential_stiffness = 1600\nfriction = 0.5\nnormal_damping_rate = 400\n"
                "tangential_damping_rate = 200\nreduced_mass = 8.18e-5\n",
                start),
          path);
  check_near(hooke.at(1), "normal_force", 0.01986912, 1e-12 * 0.0199);
  const double of_spring = 1600 + 200 * 8.18e-5 / dt;
  check_near(hooke[1], "tangential_1", of_spring * 2e-7, 1e-12 * of_spring * 2e-7);
}

/// The end of a damped contact is attractive as published, or clipped. The limit is μ|F_n| of the force that is left.
BOOST_FIXTURE_TEST_CASE(tension_at_the_end, cli::InFolder) {
  for (const char* law : {"hooke-history", "hertz-history"}) {
    const std::string parameters =
        (law == std::string("hooke-history") ? usual : elastic) + "normal_damping = 1e3\ntangential_damping = 0\n";
    const std::string start = "start_overlap = 2e-6\ntime_step = 1e-6\n",
                      path = "overlap,shift_1,shift_2\n1e-6,1e-6,0\n";
    const auto open = run(folder, drive(law, parameters, start), path),
               clipped = run(folder, drive(law, parameters + "clip_tension = true\n", start), path);
    BOOST_TEST(number(open.at(1), "normal_force") < -100, law);
    BOOST_TEST(number(open.at(1), "tangential_1") > 0, law);
    BOOST_TEST(number(clipped.at(1), "normal_force") == 0, law);
    BOOST_TEST(number(clipped.at(1), "tangential_1") == 0, law);
  }
}

BOOST_AUTO_TEST_CASE(bad_parameters) {
  const auto hooke = [](const std::string& lines, const char* message) {
    refused(drive("hooke-history", usual + lines), message);
  };
  const auto hertz = [](const std::string& lines, const char* message) {
    refused(drive("hertz-history", lines), message);
  };
  hooke("history = \"pseudo\"\n", "path.time_step: found nothing, allowed a number > 0 with history = \"pseudo\"");
  hooke("history = \"none\"\nfriction_limit = \"spring\"\n", "parameters.friction_limit: found");
  hooke("damp_while_sliding = true\n", "parameters.damp_while_sliding: found an unknown key");
  hooke("hertz_variant = \"rescaled\"\n", "parameters.hertz_variant: found an unknown key");
  hooke("normal_damping_rate = 1.0\n", "parameters.reduced_mass: found nothing");
  hooke("normal_damping_rate = 1.0\nreduced_mass = 1.0\nnormal_damping = 1.0\n",
        "parameters.normal_damping: found this key beside");
  hooke("tangential_damping_rate = 1.0\n", "parameters.tangential_damping_rate: found");
  hertz(elastic + "transport = \"none\"\n", "parameters.transport: found");
  const std::string radii = "radius_i = 2e-3\nradius_j = 2e-3\nfriction = 0.5\n",
                    both = "hertz_normal_stiffness = 1e6\nhertz_tangential_stiffness = 1e6\n";
  hertz(radii, "parameters.shear_modulus: found nothing, allowed a number > 0, from 1e-06 to 1e+18 (required)");
  hertz(radii + "hertz_normal_stiffness = 1e6\n", "parameters.hertz_tangential_stiffness: found nothing");
  hertz(elastic + both, "parameters.shear_modulus: found this key beside");
  refused(drive("linear", usual + "history = \"none\"\n"), "parameters.history: found an unknown key");
  refused(drive("linear", usual + "normal_damping_rate = 1.0\n"),
          "parameters.normal_damping_rate: found an unknown key");
}
