// Every entry of direct-shear-unit-cases.json of the direct-shear reference (T1 to T9), where the file is present
// beside the project. The digits of most of them are in other tests as well.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "laws/history_contact.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "libdem/laws/normal/hertz.hpp"
#include "validation/fleischmann2015/angular-momentum/pairs.hpp"
#include "validation/fleischmann2015/turning_normal.hpp"
#include "validation/fleischmann2015/unit_tables.hpp"

using namespace history_test;
using dem::norm;
using dem::Vec3;
using nlohmann::json;

namespace {

const auto closely = boost::test_tools::tolerance(1e-12);
const auto tight = boost::test_tools::tolerance(1e-9);

/// A table of the file; nothing where the file is not there, which is said.
json table(const char* name) {
  const std::filesystem::path file =
      std::filesystem::path(LIBDEM_SHARED_DIR) / "reference/direct-shear-unit-cases.json";
  if (!std::filesystem::exists(file)) {
    BOOST_TEST_MESSAGE(
        "SKIPPED: " << name
                    << " is not checked, there is no reference/direct-shear-unit-cases.json beside the project");
    return {};
  }
  std::ifstream in(file);
  const json all = json::parse(in);
  BOOST_TEST(all.size() == 7u);  // a table more would go unnoticed
  return all.at(name);
}

Vec3 vector(const json& v) { return {v.at(0).get<double>(), v.at(1).get<double>(), v.at(2).get<double>()}; }
double number(const json& row, const char* key) { return row.at(key).get<double>(); }

TangentialHistory history_of(const json& row) {
  const auto word = row.at("history").get<std::string>();
  return word == "true"     ? TangentialHistory::whole
         : word == "pseudo" ? TangentialHistory::pseudo
                            : TangentialHistory::none;
}
FrictionLimit limit_of(const json& row) {
  return row.at("limit") == "total" ? FrictionLimit::total : FrictionLimit::spring;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(history_tables)

BOOST_AUTO_TEST_CASE(t1_coefficients) {
  for (const json& row : table("T1_coefficients")) BOOST_TEST_CONTEXT(row.at("name").get<std::string>()) {
      const double young = number(row, "E"), nu = number(row, "nu"), e = number(row, "e"), r = number(row, "R1"),
                   rho = number(row, "rho"), overlap = number(row, "overlap");
      const bool wall = row.at("R2").is_null();
      const auto mass = [&](double of) { return 4 * std::numbers::pi / 3 * of * of * of * rho; };
      const double other = wall ? 0 : number(row, "R2"),
                   reduced = wall ? mass(r) : mass(r) * mass(other) / (mass(r) + mass(other));
      const double shear = young / (2 * (1 + nu));
      const Hertz hertz{Hertz::modulus_of(shear, nu), Hertz::ratio_of(nu), wall ? 2 * r : Hertz::radius_of(r, other)};
      BOOST_TEST(0.5 * hertz.radius == number(row, "R_eff"), closely);
      BOOST_TEST(reduced == number(row, "m_eff"), closely);
      BOOST_TEST(0.375 * hertz.modulus == number(row, "E_star"), closely);
      BOOST_TEST(0.375 * hertz.modulus / (4 * hertz.ratio) == number(row, "G_star"), closely);
      BOOST_TEST(dem::hertz_damping_of_restitution(e) == -2 * std::sqrt(5.0 / 6) * number(row, "beta"), closely);
      const double z = 0.5 * overlap, stiffness = hertz.stiffness(z),
                   c_n = dem::hertz_damping_of_restitution(e) * std::sqrt(stiffness * reduced);
      const json& known = row.at("hertz");
      BOOST_TEST(hertz.normal_force(z) / overlap == number(known, "kn"), closely);
      BOOST_TEST(stiffness / hertz.ratio == number(known, "kt"), closely);
      BOOST_TEST(c_n == number(known, "cn"), closely);
      BOOST_TEST(c_n * find("hertz-history")->damping_ratio(1 / hertz.ratio) == number(known, "ct"), closely);
      const json& hooke = row.at("hooke");
      const double k =
          dem::hooke_stiffness(0.375 * hertz.modulus, 0.5 * hertz.radius, reduced, number(row, "char_velocity"));
      BOOST_TEST(k == number(hooke, "kn"), closely);
      BOOST_TEST(k == number(hooke, "kt"), closely);
      BOOST_TEST(dem::damping_of_restitution(e, k, reduced) == number(hooke, "cn"), closely);
      BOOST_TEST(dem::damping_of_restitution(e, k, reduced) == number(hooke, "ct"), closely);
    }
}

BOOST_AUTO_TEST_CASE(t2_one_step) {
  for (const json& row : table("T2_one_step")) BOOST_TEST_CONTEXT(row.at("name").get<std::string>()) {
      Evaluation e{
          .name = "",
          .coefficients = {row.at("f") == "hertz", number(row, "kn"), number(row, "kt"), number(row, "gamma_n"),
                           number(row, "gamma_t"), number(row, "mu"), number(row, "R_eff"), number(row, "m_eff")},
          .history = history_of(row),
          .limit = limit_of(row),
          .speed = vector(row.at("v_rel")),
          .start = vector(row.at("u_t_in")),
          .normal = number(row, "Fn"),
          .force = vector(row.at("Ft")),
          .after = vector(row.at("u_t_out"))};
      e.n = vector(row.at("n"));
      e.overlap = number(row, "overlap");
      e.dt = number(row, "dt");
      const Evaluated found = evaluate(e);
      BOOST_TEST(found.normal == e.normal, closely);
      BOOST_TEST(norm(found.force - e.force) <= 1e-12 * norm(e.force));
      BOOST_TEST(norm(found.force) == number(row, "Ft_mag"), closely);
      BOOST_TEST(e.coefficients.friction * std::abs(found.normal) == number(row, "mu_Fn"), closely);
      if (e.history == TangentialHistory::whole)
        BOOST_TEST(norm(found.after - e.after) <= 1e-12 * norm(e.after));
      else
        BOOST_TEST(norm(e.after) == 0);
    }
}

BOOST_AUTO_TEST_CASE(t3_press_shear_reverse) {
  for (const json& t : table("T3_press_shear_reverse")) {
    const bool hertz = t.at("f") == "hertz";
    BOOST_TEST((limit_of(t) == FrictionLimit::total));
    const double r = number(t, "R1");
    BOOST_TEST(number(t, "R2") == r);
    const ShearPath path{{hertz, number(t, "kn"), number(t, "kt"), number(t, "gamma_n"), number(t, "gamma_t"),
                          number(t, "mu"), 0.5 * r, number(t, "m_eff")},
                         r,
                         number(t, "overlap_at_x0"),
                         number(t, "v"),
                         number(t, "dt"),
                         t.at("n_forward").get<int>(),
                         t.at("n_back").get<int>()};
    const std::vector<ShearRow> found = press_shear_reverse(path);
    for (const json& row : t.at("rows"))
      BOOST_TEST_CONTEXT((hertz ? "hertz" : "hooke") << ", step " << row.at("step")) {
        const ShearRow& is = found.at(row.at("step").get<std::size_t>() - 1);
        const Vec3 force = vector(row.at("F_on_upper")), u = vector(row.at("u_t"));
        BOOST_TEST(is.f_x == force.x, tight);
        BOOST_TEST(is.f_z == force.z, tight);
        BOOST_TEST(is.u_x == u.x, tight);
        BOOST_TEST(is.overlap == number(row, "overlap"), tight);
        BOOST_TEST(is.normal == number(row, "Fn"), tight);
        BOOST_TEST(std::abs(is.u_z - u.z) <= 1e-9 * std::abs(u.x));
      }
  }
}

/// cos^N of projection, its direction, and u parallel to the axis of the turn.
BOOST_AUTO_TEST_CASE(t4_normal_rotation) {
  const Vec3 about_y{0, 1, 0}, about_x{1, 0, 0};
  for (const json& row : table("T4_normal_rotation")) BOOST_TEST_CONTEXT("N = " << row.at("N")) {
      const int n = row.at("N").get<int>();
      const auto check = [&](const char* start, const char* end, Vec3 axis) {
        const Vec3 u0 = vector(row.at(start)),
                   u = dem::validation::fleischmann2015::turn_normal(n, u0, axis, dem::Transport::projection);
        BOOST_TEST(norm(u - vector(row.at(end))) <= 1e-12 * norm(u0));
        return norm(u) / norm(u0);
      };
      const double ratio = check("u0", "u_end", about_y);
      BOOST_TEST(ratio == number(row, "norm_ratio"), closely);
      BOOST_TEST(ratio == number(row, "analytic_ratio"), closely);
      check("u0_about_x", "u_end_about_x", about_x);
      check("u0_mixed", "u_end_mixed", about_y);
    }
}

BOOST_AUTO_TEST_CASE(t7_locked_incline) {
  for (const json& row : table("T7_locked_incline")) BOOST_TEST_CONTEXT(row.at("angle_deg") << " degrees") {
      const Incline incline{number(row, "angle_deg"), number(row, "mu"), number(row, "kt"), number(row, "gamma_t"),
                            number(row, "m")};
      const OnIncline rests = slide_on_incline(incline, TangentialHistory::whole, 1e-5, 0.2);
      BOOST_TEST(rests.elongation == number(row, "true_static_u"), boost::test_tools::tolerance(1e-6));
      BOOST_TEST(slide_on_incline(incline, TangentialHistory::none, 1e-5, 0.2).speed == number(row, "none_creep_v"),
                 tight);
      for (const auto& [key, dt] : {std::pair{"pseudo_creep_v_dt2e-05", 2e-5},
                                    {"pseudo_creep_v_dt1e-05", 1e-5},
                                    {"pseudo_creep_v_dt5e-06", 5e-6}})
        BOOST_TEST(slide_on_incline(incline, TangentialHistory::pseudo, dt, 0.1).speed == number(row, key), tight);
    }
}

/// Closed forms; what decides whether a pyramid stands is in simulation/history_pyramid_test.cpp.
BOOST_AUTO_TEST_CASE(t8_pyramid) {
  const json row = table("T8_pyramid");
  if (row.is_null()) return;
  const double half = 0.5 * std::asin(1 / std::sqrt(3.0));
  BOOST_TEST(std::tan(half) == number(row, "mu_contact_min"), closely);
  BOOST_TEST(std::tan(half) / 4 == number(row, "mu_floor_min"), closely);
  BOOST_TEST(std::tan(15 * degree) == number(row, "wedge_2plus1_contact"), closely);
  BOOST_TEST(std::tan(15 * degree) / 3 == number(row, "wedge_2plus1_floor"), closely);
}

BOOST_AUTO_TEST_CASE(t9_rigid_rotation) {
  const json row = table("T9_rigid_rotation");
  if (row.is_null()) return;
  PairTurn turn{.friction = 1e6,
                .angle = number(row, "angle_rad"),
                .steps = 4000,
                .radius = number(row, "R"),
                .overlap = number(row, "overlap")};
  BOOST_TEST(std::abs(turn_pair(turn).slip.back() - number(row, "slip_lever_contact")) < 1e-16);
  turn.lever = dem::Lever::radius;  // chords of the steps: (π/2/4000)²/24 less
  BOOST_TEST(turn_pair(turn).slip.back() == number(row, "slip_lever_radius"), boost::test_tools::tolerance(1e-8));
}

BOOST_AUTO_TEST_SUITE_END()
