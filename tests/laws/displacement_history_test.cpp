// Laws hooke-history and hertz-history: the tables T1, T2, T3, T5, T7 of the direct-shear reference (§5; digits of its unit cases).
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "geometry/vector.hpp"
#include "laws/history_contact.hpp"
#include "libdem/contacts/pair_coefficients.hpp"
#include "libdem/laws/hertz.hpp"

using namespace history_test;
using dem::cross;
using dem::dot;
using dem::norm;
using dem::Vec3;

namespace {

const auto closely = boost::test_tools::tolerance(1e-12);

constexpr Coefficients hooke_t2{false, 2000, 1600, 400, 200, 0.5, 0.00125, 8.18e-05},
    hertz_t2{true, 5.86e6, 5.79e6, 1e6, 5e5, 0.5, 0.00125, 8.18e-05};

struct Row {
  const char* name;
  Coefficients k;
  TangentialHistory history;
  FrictionLimit limit;
  double friction, faster;
  Vec3 start;
  double normal;
  Vec3 force, after;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(displacement_history)

/// T2, all 16 rows. What lies along n of the elongation given is the frame's to take away; the law has components in
/// the plane.
BOOST_AUTO_TEST_CASE(single_evaluations) {
  using enum TangentialHistory;
  constexpr FrictionLimit a = FrictionLimit::total, b = FrictionLimit::spring;
  const Vec3 small{1.2e-6, 2e-6, -0.9e-6}, off{1.2e-6, 2e-6, 0.4e-6}, large{8e-6, 12e-6, -6e-6};
  const Row rows[] = {
      {"hooke stick", hooke_t2, whole, a, 0.5, 1, small, 0.01986912, {-0.002489536, -0.0022292, 0.001867152}, {1.376e-06, 1.7e-06, -1.032e-06}},
      {"hooke off the plane", hooke_t2, whole, a, 0.5, 1, off, 0.01986912, {-0.001491136, -0.0022292, 0.001118352}, {7.52e-07, 1.7e-06, -5.64e-07}},
      {"hooke slip, total",
       hooke_t2,
       whole,
       a,
       0.2,
       1,
       large,
       0.01986912,
       {-0.0021482957260404423, -0.002929175137352293, 0.0016112217945303316},
       {1.1627248287752765e-06, 2.1374844608451833e-06, -8.720436215814573e-07}},
      {"hooke slip, spring",
       hooke_t2,
       whole,
       b,
       0.2,
       1,
       large,
       0.01986912,
       {-0.002091396113284241, -0.002992824672874954, 0.0015685470849631808},
       {1.3071225708026506e-06, 1.8705154205468461e-06, -9.80341928101988e-07}},
      {"hooke pseudo", hooke_t2, pseudo, a, 0.5, 1, {}, 0.01986912, {-0.000569536, 0.0009708, 0.000427152}, {}},
      {"hooke pseudo, slip",
       hooke_t2,
       pseudo,
       a,
       0.05,
       100,
       {},
       0.006912,
       {-0.0001635002257197361, 0.00027869356656773196, 0.00012262516928980205},
       {}},
      {"hooke none", hooke_t2, none, a, 0.5, 1, {}, 0.01986912, {-0.000287936, 0.0004908, 0.000215952}, {}},
      {"hooke none, slip", hooke_t2, none, a, 0.05, 100, {}, 0.006912, {-0.00016350022571973608, 0.00027869356656773196, 0.00012262516928980205}, {}},
      {"hertz stick",
       hertz_t2,
       whole,
       a,
       0.5,
       1,
       small,
       0.006515097101962488,
       {-0.0009712227096191688, -0.0009632980847069094, 0.0007284170322143765},
       {1.376e-06, 1.7e-06, -1.032e-06}},
      {"hertz off the plane",
       hertz_t2,
       whole,
       a,
       0.5,
       1,
       off,
       0.006515097101962488,
       {-0.0005672815016197867, -0.0009632980847069094, 0.00042546112621484004},
       {7.52e-07, 1.7e-06, -5.64e-07}},
      {"hertz slip, total",
       hertz_t2,
       whole,
       a,
       0.2,
       1,
       large,
       0.006515097101962488,
       {-0.000698682427612667, -0.0009670129714858972, 0.0005240118207095003},
       {9.549854250960272e-07, 1.7057386800459633e-06, -7.162390688220205e-07}},
      {"hertz slip, spring",
       hertz_t2,
       whole,
       b,
       0.2,
       1,
       large,
       0.006515097101962488,
       {-0.0006857701174845072, -0.0009813491162632992, 0.0005143275881133803},
       {1.059363453978152e-06, 1.5159677607074827e-06, -7.94522590483614e-07}},
      {"hertz pseudo",
       hertz_t2,
       pseudo,
       a,
       0.5,
       1,
       {},
       0.006515097101962488,
       {-0.00019441269423574174, 0.00033138527426546886, 0.0001458095206768063},
       {}},
      {"hertz pseudo, slip",
       hertz_t2,
       pseudo,
       a,
       0.05,
       100,
       {},
       0.0028934719628847293,
       {-6.844376722300072e-05, 0.00011666551231193302, 5.1332825417250536e-05},
       {}},
      {"hertz none",
       hertz_t2,
       none,
       a,
       0.5,
       1,
       {},
       0.006515097101962488,
       {-8.048055864617244e-05, 0.0001371827704196121, 6.0360418984629324e-05},
       {}},
      {"hertz none, slip",
       hertz_t2,
       none,
       a,
       0.05,
       100,
       {},
       0.0028934719628847293,
       {-6.844376722300073e-05, 0.00011666551231193304, 5.1332825417250536e-05},
       {}}};
  const Vec3 n{0.6, 0, 0.8}, e1{0.8, 0, -0.6}, e2 = cross(n, e1);
  for (const Row& row : rows) BOOST_TEST_CONTEXT(row.name) {
      Contact c(row.k);
      c.k.friction = row.friction;
      c.options.history = row.history;
      c.options.friction_limit = row.limit;
      const double stiffness = c.factor(1e-5) * row.k.k_t;
      const double start[2] = {stiffness * dot(row.start, e1), stiffness * dot(row.start, e2)};
      c.history[2] = row.k.hertz ? stiffness : 0;
      c.law.start(c.history, start, stiffness);
      const Vec3 v = row.faster * Vec3{0.02, -0.03, -0.01};
      c.step(1e-5, dot(v, n), dot(v, e1), dot(v, e2), 1e-5);
      BOOST_TEST(c.normal() == row.normal, closely);
      const Vec3 force = c.on_j_1() * e1 + c.on_j_2() * e2;
      BOOST_TEST(norm(force - row.force) <= 1e-12 * norm(row.force));
      if (row.history != whole) continue;
      const Vec3 u = c.elongation(1) * e1 + c.elongation(2) * e2;
      BOOST_TEST(norm(u - row.after) <= 1e-12 * norm(row.after));
    }
}

/// T3: pressed, sheared, reversed, with both laws. The normal turns; the elongation is projected, as there.
BOOST_AUTO_TEST_CASE(press_shear_reverse) {
  struct Known {
    int step;
    double f_x, f_z, u_x;
  };
  const std::vector<Known> hertz = {{1, -0.00018852511508878037, 0.09707444610665909, 9.999999999972037e-09},
                                    {100, -0.006489369363233158, 0.09707488229628136, 9.999999812180515e-07},
                                    {300, -0.017423692682549886, 0.09707759552421921, 2.718783205180281e-06},
                                    {1200, -0.017262877783080013, 0.09702113581250464, 2.717221974760254e-06},
                                    {1201, -0.016949574452666618, 0.09702162609785644, 2.7072220240714705e-06},
                                    {1500, 0.002074843323832265, 0.09702250521308325, -2.8276758308416845e-07},
                                    {2400, 0.01747340032856377, 0.09707444626979873, -2.718890115234047e-06},
                                    {3600, 0.017262877783080013, 0.09702113581250464, -2.717221974760254e-06}};
  const std::vector<Known> hooke = {{1, -0.0003043313159682257, 0.03999999952770605, 9.999999999972037e-09},
                                    {100, -0.0018817092484598764, 0.040000051548046325, 9.999999812180515e-07},
                                    {300, -0.005068331338729061, 0.040000753295074194, 2.9999994953930483e-06},
                                    {1200, -0.007115225975329704, 0.039989120838574164, 4.316903552418598e-06},
                                    {1201, -0.006522494099435758, 0.03999027442328879, 4.306903607093319e-06},
                                    {1500, -0.0017584855708832837, 0.03999001478174333, 1.3169154029990868e-06},
                                    {2400, 0.007200000000000019, 0.040000000000000105, -4.319751121500297e-06},
                                    {3600, 0.007115225975329704, 0.039989120838574164, -4.316903552418598e-06}};
  for (const auto& [known, coefficients] :
       {std::pair{hertz, glass}, {hooke, Coefficients{false, 2000, 1600, 400, 200, 0.18, 0.0015, 0.00014419910279977148}}}) {
    Contact c(coefficients);
    double x = 0, before = 0;  // angle of the normal from z
    std::size_t next = 0;
    for (int k = 1; k <= 3600; ++k) {
      const double v = k <= 1200 ? 0.01 : -0.01, height = 2 * 0.003 - 2e-5;
      x = 0.01 * 1e-6 * (k <= 1200 ? k : 2400 - k);
      const double angle = std::atan2(x, height), s = std::sin(angle), t = std::cos(angle);
      for (int d = 0; d < 2; ++d) c.history[d] *= std::cos(angle - before);
      before = angle;
      c.step(0.006 - std::hypot(x, height), v * s, v * t, 0, 1e-6);
      if (next >= known.size() || known[next].step != k) continue;
      const Known& row = known[next++];
      BOOST_TEST_CONTEXT("step " << k) {
        BOOST_TEST(c.normal() * s + c.on_j_1() * t == row.f_x, boost::test_tools::tolerance(1e-9));
        BOOST_TEST(c.normal() * t - c.on_j_1() * s == row.f_z, boost::test_tools::tolerance(1e-9));
        BOOST_TEST(c.elongation(1) * t == row.u_x, boost::test_tools::tolerance(1e-9));
      }
    }
    BOOST_TEST(next == known.size());
  }
}

/// T5, with the reference's integrator: (a) user coefficients, (b) material coefficients, (c) Hooke.
BOOST_AUTO_TEST_CASE(oblique_impacts) {
  const auto tight = boost::test_tools::tolerance(1e-9);
  const auto radians = [](double degrees) { return degrees * std::numbers::pi / 180; };
  struct A {
    double angle, v_x, v_z, spin, e_n, j;
  };
  for (const A& row : {A{5, 0.08365493251962343, 0.9091995233158583, 2.9173418566955434, 0.9126725177894138, 0.0018373154430207754},
                       A{40, 0.40958590841827114, 0.7023946289987756, 194.3347510568905, 0.9169110686828429, 0.15880924561068047},
                       A{80, 0.9242380364190993, 0.16278665538791234, 50.47476382758815, 0.9374509860975836, 0.18003402335939203}}) {
    Contact c(on_a_wall(glass));
    const Rebound r = meets_wall(c, 0.003, 1, radians(row.angle), false, 1e-6, 3000);
    BOOST_TEST(r.v_x == row.v_x, tight);
    BOOST_TEST(r.v_z == row.v_z, tight);
    BOOST_TEST(r.spin == row.spin, tight);
    BOOST_TEST(r.v_z / std::cos(radians(row.angle)) == row.e_n, tight);
    BOOST_TEST(r.impulse_t / r.impulse_n == row.j, tight);
  }
  Coefficients material = on_a_wall(glass);
  material.restitution = 0.87;
  for (const A& row : {A{0, 0, 0.8699933679047569, 0, 0, 0}, A{5, 0.07775550764688566, 0.8667293869358933, 7.767515775720348, 0, 0},
                       A{40, 0.4124353223295313, 0.6664079621670014, 189.0207660832689, 0, 0}}) {
    Contact c(material);
    c.options.friction_limit = FrictionLimit::spring;
    const Rebound r = meets_wall(c, 0.003, 1, radians(row.angle), true, 1e-6, 3000);
    BOOST_TEST(r.v_x == row.v_x, tight);
    BOOST_TEST(r.v_z == row.v_z, tight);
    BOOST_TEST(r.spin == row.spin, tight);
  }
  for (const bool whole : {true, false}) {
    Contact c(on_a_wall({false, 2000, 1600, 400, 200, 0.18, 0, 0}));
    if (!whole) c.options.history = TangentialHistory::none;
    const Rebound r = meets_wall(c, 0.003, 1, radians(40), false, 1e-6, 3000);
    BOOST_TEST(r.v_x == (whole ? 0.40684753123202055 : 0.5442668678586524), tight);
    BOOST_TEST(r.spin == (whole ? 196.61673204543175 : 82.10061818990562), tight);
    BOOST_TEST(r.v_z == 0.6028413890810276, tight);
  }
}

/// T7: a sphere that cannot turn on an incline of 15°. True history rests, the others creep.
BOOST_AUTO_TEST_CASE(locked_sphere_on_an_incline) {
  const double mass = 0.0001636246173744684, k_t = 571.4285714285714, angle = 15 * std::numbers::pi / 180;
  const auto creep = [&](TangentialHistory history, double dt, double until, double& u) {
    Contact c({false, 2000, k_t, 400, 200, 0.5, 0.0025, mass});
    c.options.history = history;
    const double along = mass * 9.81 * std::sin(angle),
                 overlap = mass * 9.81 * std::cos(angle) / 2000;  // at rest across
    double v = 0, f = 0;
    for (double t = 0; t < until; t += dt) {
      v += 0.5 * dt * (along + f) / mass;
      c.step(overlap, 0, v, 0, dt);
      f = c.on_j_1();
      v += 0.5 * dt * (along + f) / mass;
    }
    u = c.elongation(1);
    return v;
  };
  double u = 0;
  BOOST_TEST(std::abs(creep(TangentialHistory::whole, 1e-5, 0.2, u)) < 1e-8);
  BOOST_TEST(u == 7.270293283201703e-07, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(creep(TangentialHistory::none, 1e-5, 0.2, u) == 0.012695074162278646, boost::test_tools::tolerance(1e-9));
  for (const auto& [dt, v] : {std::pair{2e-5, 0.009409115436433212}, {1e-5, 0.010807853211132559}, {5e-6, 0.011675694339724724}})
    BOOST_TEST(creep(TangentialHistory::pseudo, dt, 0.1, u) == v, boost::test_tools::tolerance(1e-9));
}

/// T1: stiffnesses and dampings from material data, by the functions that the spheres' contacts use.
BOOST_AUTO_TEST_CASE(coefficients_from_material) {
  struct Known {
    double young, nu, e, radius_i, radius_j, mass, overlap, k_n, k_t, c_n, c_t;  // a wall: radius_j 0
  };
  for (const Known& t :
       {Known{8e6, 0.3, 0.9, 0.0025, 0.0025, 8.18123086872342e-05, 1e-5, 655.2580153845537, 809.4363719456252, 0.017353393429985844,
              0.01574794793261549},
        Known{4e7, 0.22, 0.87, 0.003, 0.003, 0.00014419910279977148, 2e-5, 4853.722313489918, 6380.736075037307, 0.0828438799616918,
              0.0775555226175156},
        Known{4e7, 0.22, 0.87, 0.003, 0, 0.00028839820559954296, 2e-5, 6864.199923730358, 9023.72349524103, 0.13932624337099134, 0.1304323219043945},
        Known{4e7, 0.22, 0.87, 0.003, 0.0015, 3.204424506661588e-05, 2e-5, 3963.0476737371305, 5209.84918907016, 0.03528835055368595,
              0.03303571091511827}}) {
    const double shear = t.young / (2 * (1 + t.nu)), radius = t.radius_j > 0 ? Hertz::radius_of(t.radius_i, t.radius_j) : 2 * t.radius_i;
    const Hertz hertz{Hertz::modulus_of(shear, t.nu), Hertz::ratio_of(t.nu), radius};
    const double z = 0.5 * t.overlap, stiffness = hertz.stiffness(z), c_n = dem::hertz_damping_of_restitution(t.e) * std::sqrt(stiffness * t.mass);
    BOOST_TEST(hertz.normal_force(z) / t.overlap == t.k_n, closely);
    BOOST_TEST(c_n == t.c_n, closely);
    BOOST_TEST(c_n * find("hertz-history")->damping_ratio(1 / hertz.ratio) == t.c_t, closely);
    BOOST_TEST(find("hertz-mindlin")->damping_ratio(1 / hertz.ratio) == 1 / hertz.ratio);
    // What the law makes of it: the force of a small movement.
    Block b{};
    double history[3] = {0, 0, 0};
    b.count = 1;
    b.normal_end[0] = hertz.normal_force(z);
    b.shift_1[0] = 1e-12;
    b.friction[0] = 1;
    b.indentation[0] = z;
    b.modulus[0] = hertz.modulus;
    b.ratio[0] = hertz.ratio;
    b.radius[0] = hertz.radius;
    find("hertz-history")->pass({}, b, history);
    BOOST_TEST(-b.elastic_1[0] / 1e-12 == t.k_t, closely);
  }
  // Hooke: the damping, given K.
  for (const auto& [e, mass, k, c] : {std::tuple{0.9, 8.18123086872342e-05, 688.2616870643596, 0.015907430440554635},
                                      {0.87, 0.00014419910279977148, 2899.348668808998, 0.05726881329969613},
                                      {0.87, 0.00028839820559954296, 4394.590809403668, 0.09971079535470206},
                                      {0.87, 3.204424506661588e-05, 1824.8259127413821, 0.021417679918397266}}) {
    BOOST_TEST(dem::damping_of_restitution(e, k, mass) == c, closely);
    BOOST_TEST(find("hooke-history")->damping_ratio(1) == 1);
    BOOST_TEST(find("hooke-history")->damping_ratio(0.25) == 0.5);
    BOOST_TEST(find("linear")->damping_ratio(0.25) == 0.25);
  }
}

BOOST_AUTO_TEST_SUITE_END()
