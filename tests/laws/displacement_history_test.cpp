// Laws hooke-history and hertz-history: the tables T1 to T5 and T7 of the direct-shear reference (§5; digits of its
// unit cases).
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "geometry/vector.hpp"
#include "laws/history_contact.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "libdem/laws/normal/hertz.hpp"
#include "validation/fleischmann2015/turning_normal.hpp"
#include "validation/fleischmann2015/unit_tables.hpp"

using namespace history_test;
using dem::cross;
using dem::dot;
using dem::norm;
using dem::Vec3;

namespace {

const auto closely = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(displacement_history)

/// T2, all 16 rows.
BOOST_AUTO_TEST_CASE(single_evaluations) {
  BOOST_TEST(evaluations().size() == 16u);
  for (const Evaluation& row : evaluations()) BOOST_TEST_CONTEXT(row.name) {
      const Evaluated found = evaluate(row);
      BOOST_TEST(found.normal == row.normal, closely);
      BOOST_TEST(norm(found.force - row.force) <= 1e-12 * norm(row.force));
      if (row.history == TangentialHistory::whole) BOOST_TEST(norm(found.after - row.after) <= 1e-12 * norm(row.after));
    }
}

/// T3, with both laws.
BOOST_AUTO_TEST_CASE(press_shear_and_reverse) {
  const auto tight = boost::test_tools::tolerance(1e-9);
  for (const ShearTable& table : shear_tables()) {
    const std::vector<ShearRow> found = press_shear_reverse(table.path);
    BOOST_TEST(table.rows.size() == 8u);
    for (const ShearRow& row : table.rows) BOOST_TEST_CONTEXT(table.name << ", step " << row.step) {
        const ShearRow& ours = found.at(std::size_t(row.step - 1));
        BOOST_TEST(ours.f_x == row.f_x, tight);
        BOOST_TEST(ours.f_z == row.f_z, tight);
        BOOST_TEST(ours.u_x == row.u_x, tight);
      }
  }
}

/// T5, with the reference's integrator: (a) user coefficients, (b) material coefficients, (c) Hooke.
BOOST_AUTO_TEST_CASE(oblique_impacts) {
  const auto tight = boost::test_tools::tolerance(1e-9);
  for (const ImpactRow& row : impact_rows()) BOOST_TEST_CONTEXT(row.name) {
      const Rebound r = rebound_of(row);
      BOOST_TEST(r.v_x == row.v_x, tight);
      BOOST_TEST(r.v_z == row.v_z, tight);
      BOOST_TEST(r.spin == row.spin, tight);
      if (row.e_n == 0) continue;
      BOOST_TEST(r.v_z / std::cos(row.degrees * degree) == row.e_n, tight);
      BOOST_TEST(r.impulse_t / r.impulse_n == row.impulses, tight);
    }
}

/// T7: true history rests, the others creep.
BOOST_AUTO_TEST_CASE(locked_sphere_on_an_incline) {
  const auto tight = boost::test_tools::tolerance(1e-9);
  const Incline incline;
  const OnIncline rests = slide_on_incline(incline, TangentialHistory::whole, 1e-5, 0.2);
  BOOST_TEST(std::abs(rests.speed) < 1e-8);
  for (const double degrees : {10., 20., 25.}) BOOST_TEST_CONTEXT(degrees << " degrees") {
      const Incline other{degrees};
      BOOST_TEST(slide_on_incline(other, TangentialHistory::whole, 1e-5, 0.2).elongation ==
                     rest_at_15 * std::sin(degrees * degree) / std::sin(15 * degree),
                 boost::test_tools::tolerance(1e-6));
      BOOST_TEST(slide_on_incline(other, TangentialHistory::none, 1e-5, 0.2).speed == creep_of(other), tight);
      BOOST_TEST(slide_on_incline(other, TangentialHistory::pseudo, 2e-5, 0.1).speed == creep_of(other, 2e-5), tight);
    }
  BOOST_TEST(rests.elongation == rest_at_15, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(slide_on_incline(incline, TangentialHistory::none, 1e-5, 0.2).speed == creep_at_15, tight);
  BOOST_TEST(creep_of(incline) == creep_at_15, tight);
  for (const auto& [dt, v] : pseudo_at_15) {
    BOOST_TEST(slide_on_incline(incline, TangentialHistory::pseudo, dt, 0.1).speed == v, tight);
    BOOST_TEST(creep_of(incline, dt) == v, tight);
  }
}

/// T4, cos^N of projection: what lies along the axis of the turn stays, what lies across keeps its direction.
BOOST_AUTO_TEST_CASE(normal_turned_by_a_right_angle) {
  const double u = 1e-6;
  for (const int n : {9, 90, 900}) BOOST_TEST_CONTEXT("N = " << n) {
      const double ratio = std::pow(std::cos(0.5 * std::numbers::pi / n), n);
      const auto turned = [n](Vec3 start, Vec3 axis) {
        return dem::validation::fleischmann2015::turn_normal(n, start, axis, dem::Transport::projection);
      };
      BOOST_TEST(norm(turned({u, 0, 0}, {0, 1, 0}) - Vec3{0, 0, -ratio * u}) <= 1e-12 * u);
      BOOST_TEST(norm(turned({u, 0, 0}, {1, 0, 0}) - Vec3{u, 0, 0}) <= 1e-12 * u);
      BOOST_TEST(norm(turned({0.7 * u, 0.5 * u, 0}, {0, 1, 0}) - Vec3{0, 0.5 * u, -0.7 * ratio * u}) <= 1e-12 * u);
    }
}

/// T1: stiffnesses and dampings from material data, by the functions that the spheres' contacts use.
BOOST_AUTO_TEST_CASE(coefficients_from_material) {
  struct Known {
    double young, nu, e, radius_i, radius_j, mass, overlap;  // a wall: radius_j 0
    double k_n, k_t, c_n, c_t;                               // Hertz
    double k, c;                                             // Hooke; characteristic speed 0.05 m/s
  };
  for (const Known& t :
       {Known{8e6, 0.3, 0.9, 0.0025, 0.0025, 8.18123086872342e-05, 1e-5, 655.2580153845537, 809.4363719456252,
              0.017353393429985844, 0.01574794793261549, 688.2616870643596, 0.015907430440554635},
        Known{4e7, 0.22, 0.87, 0.003, 0.003, 0.00014419910279977148, 2e-5, 4853.722313489918, 6380.736075037307,
              0.0828438799616918, 0.0775555226175156, 2899.348668808998, 0.05726881329969613},
        Known{4e7, 0.22, 0.87, 0.003, 0, 0.00028839820559954296, 2e-5, 6864.199923730358, 9023.72349524103,
              0.13932624337099134, 0.1304323219043945, 4394.590809403668, 0.09971079535470206},
        Known{4e7, 0.22, 0.87, 0.003, 0.0015, 3.204424506661588e-05, 2e-5, 3963.0476737371305, 5209.84918907016,
              0.03528835055368595, 0.03303571091511827, 1824.8259127413821, 0.021417679918397266}}) {
    const double shear = t.young / (2 * (1 + t.nu)),
                 radius = t.radius_j > 0 ? Hertz::radius_of(t.radius_i, t.radius_j) : 2 * t.radius_i;
    const Hertz hertz{Hertz::modulus_of(shear, t.nu), Hertz::ratio_of(t.nu), radius};
    const double z = 0.5 * t.overlap, stiffness = hertz.stiffness(z),
                 c_n = dem::hertz_damping_of_restitution(t.e) * std::sqrt(stiffness * t.mass);
    BOOST_TEST(0.375 * hertz.modulus == t.young / (2 * (1 - t.nu * t.nu)), closely);
    BOOST_TEST(hertz.normal_force(z) / t.overlap == t.k_n, closely);
    BOOST_TEST(c_n == t.c_n, closely);
    BOOST_TEST(c_n * find("hertz-history")->damping_ratio(1 / hertz.ratio) == t.c_t, closely);
    BOOST_TEST(find("hertz-mindlin")->damping_ratio(1 / hertz.ratio) == 1 / hertz.ratio);
    // What the law makes of it: the force of a small movement.
    dem::ContactDrive drive;
    drive.law = "hertz-history";
    drive.hertz = hertz;
    drive.friction = 1;
    drive.start_overlap = t.overlap;
    drive.rows = {{t.overlap, {1e-12, 0, 0}, {}, {}, {}}};
    BOOST_TEST(std::abs(dem::drive_contact(drive)[1].tangential.x) / 1e-12 == t.k_t, closely);
    BOOST_TEST(dem::hooke_stiffness(0.375 * hertz.modulus, 0.5 * radius, t.mass, 0.05) == t.k, closely);
    BOOST_TEST(dem::damping_of_restitution(t.e, t.k, t.mass) == t.c, closely);
  }
  BOOST_TEST(find("hooke-history")->damping_ratio(1) == 1);
  BOOST_TEST(find("hooke-history")->damping_ratio(0.25) == 0.5);
  BOOST_TEST(find("linear")->damping_ratio(0.25) == 0.25);
}

BOOST_AUTO_TEST_SUITE_END()
