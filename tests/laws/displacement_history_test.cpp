// Laws hooke-history and hertz-history: tables T1 to T4 of the direct-shear reference, energy of impacts (§1.2).
#include "geometry/random.hpp"
#include "libdem/contacts/one_contact.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "libdem/laws/normal/hertz.hpp"
#include "support/history_contact.hpp"
#include "support/history_tables.hpp"

using namespace dem::laws;
using namespace dem::test::history;

namespace {

const auto closely = tolerance(1e-12), tight = tolerance(1e-9);

/// The elongation (m) after 90° in `steps` equal steps, law hooke-history. `axis`: {1, 0, 0} or {0, 1, 0}.
Vec3 turn_normal(int steps, Vec3 start, Vec3 axis) {
  const double stiffness = 1000, overlap = 1e-5;
  ContactDrive drive{.law = LawChoice("hooke-history"),
                     .friction = 1e3,
                     .normal_stiffness = stiffness,
                     .tangential_stiffness = stiffness,
                     .transport = Transport::projection,
                     .global = true,
                     .start_overlap = overlap,
                     .start_force = stiffness * start};
  for (int k = 1; k <= steps; ++k) {
    const double angle = 0.5 * pi * k / steps;
    drive.rows.push_back(
        {.overlap = overlap, .normal = std::cos(angle) * Vec3{0, 0, 1} + std::sin(angle) * cross(axis, {0, 0, 1})});
  }
  return (1 / stiffness) * drive_contact(drive).back().tangential;
}

struct ShearState {
  double f_x, f_z, u_x;  ///< on the sphere that moves (N); m
};
/// T3, the state after every step: pressed, sheared forth and back. The normal turns; the elongation is projected, as
/// there.
std::vector<ShearState> press_shear_and_reverse(const Coefficients& coefficients) {
  constexpr double radius = 0.003, speed = 0.01, dt = 1e-6, height = 2 * radius - 2e-5;
  constexpr int forth = 1200, back = 2400;
  Contact c(coefficients);
  std::vector<ShearState> states;
  double before = 0;  // angle of the normal from z
  for (int k = 1; k <= forth + back; ++k) {
    const double v = k <= forth ? speed : -speed, x = speed * dt * (k <= forth ? k : 2 * forth - k);
    const double angle = std::atan2(x, height), s = std::sin(angle), t = std::cos(angle);
    for (int d = 0; d < 2; ++d) c.history[d] *= std::cos(angle - before);
    before = angle;
    c.step(2 * radius - std::hypot(x, height), v * s, v * t, 0, dt);
    states.push_back({c.normal() * s + c.on_j_1() * t, c.normal() * t - c.on_j_1() * s, c.elongation(1) * t});
  }
  return states;
}

}  // namespace

/// T2, all 16 rows: one evaluation of the law, n = (0.6, 0, 0.8), δ = Δt = 1e-5.
BOOST_AUTO_TEST_CASE(single_evaluations) {
  constexpr double overlap = 1e-5, dt = 1e-5;
  const Vec3 n{0.6, 0, 0.8}, across = cross(n, Vec3{0, 1, 0}), e1 = (1 / norm(across)) * across, e2 = cross(n, e1);
  const auto rows = study_rows<TableRow>("tests/support/tables/evaluations.csv");
  BOOST_TEST(rows.size() == 16u);
  for (const TableRow& row : rows) BOOST_TEST_CONTEXT(row.at("name")) {
      Coefficients k = row.at("law") == "hertz" ? Coefficients{true, 5.86e6, 5.79e6, 1e6, 5e5, 0, 0.00125, 8.18e-05}
                                                : Coefficients{false, 2000, 1600, 400, 200, 0, 0.00125, 8.18e-05};
      k.friction = row.number("friction");
      Contact c(k);
      c.options.history = row.history();
      c.options.friction_limit = row.limit();
      const Vec3 v = row.vector("v"), before = row.vector("start");  // what lies along n is the frame's to take away
      const double stiffness = c.factor(overlap) * k.k_t;
      const double start[2] = {stiffness * dot(before, e1), stiffness * dot(before, e2)};
      c.history[2] = k.hertz ? stiffness : 0;
      c.law->start(c.history, start, stiffness);
      c.step(overlap, dot(v, n), dot(v, e1), dot(v, e2), dt);
      BOOST_TEST(c.normal() == row.number("normal"), closely);
      const Vec3 force = row.vector("force"), after = row.vector("after");
      BOOST_TEST(norm(c.on_j_1() * e1 + c.on_j_2() * e2 - force) <= 1e-12 * norm(force));
      if (row.history() == TangentialHistory::whole)
        BOOST_TEST(norm(c.elongation(1) * e1 + c.elongation(2) * e2 - after) <= 1e-12 * norm(after));
    }
}

/// T3, with both laws.
BOOST_AUTO_TEST_CASE(press_shear_and_reversal) {
  const auto hertz = press_shear_and_reverse(glass),
             hooke = press_shear_and_reverse({false, 2000, 1600, 400, 200, 0.18, 0.0015, glass.mass});
  const auto rows = study_rows<TableRow>("tests/support/tables/shear.csv");
  BOOST_TEST(rows.size() == 16u);
  for (const TableRow& row : rows) BOOST_TEST_CONTEXT(row.at("law") << ", step " << row.at("step")) {
      const ShearState& ours = (row.at("law") == "hertz" ? hertz : hooke).at(std::size_t(row.number("step")) - 1);
      BOOST_TEST(ours.f_x == row.number("f_x"), tight);
      BOOST_TEST(ours.f_z == row.number("f_z"), tight);
      BOOST_TEST(ours.u_x == row.number("u_x"), tight);
    }
}

/// T4, cos^N of projection: the part along the axis of the turn stays, the part across keeps its direction.
BOOST_AUTO_TEST_CASE(normal_turned_by_a_right_angle) {
  const double u = 1e-6;
  for (const int n : {9, 90, 900}) BOOST_TEST_CONTEXT("N = " << n) {
      const double ratio = std::pow(std::cos(0.5 * pi / n), n);
      BOOST_TEST(norm(turn_normal(n, {u, 0, 0}, {0, 1, 0}) - Vec3{0, 0, -ratio * u}) <= 1e-12 * u);
      BOOST_TEST(norm(turn_normal(n, {u, 0, 0}, {1, 0, 0}) - Vec3{u, 0, 0}) <= 1e-12 * u);
      BOOST_TEST(norm(turn_normal(n, {0.7 * u, 0.5 * u, 0}, {0, 1, 0}) - Vec3{0, 0.5 * u, -0.7 * ratio * u}) <=
                 1e-12 * u);
    }
}

/// T1: stiffnesses and dampings from material data, by the functions that the spheres' contacts use.
BOOST_AUTO_TEST_CASE(coefficients_from_material) {
  // Hertz, then k and c of Hooke at the characteristic speed 0.05 m/s. A wall has radius_j = 0.
  const auto rows = study_rows("tests/support/tables/materials.csv");
  BOOST_TEST(rows.size() == 4u);
  for (const StudyRow& row : rows) {
    const auto t = [&](const char* name) { return row.number(name); };
    const double shear = t("young") / (2 * (1 + t("nu"))),
                 radius = t("radius_j") > 0 ? Hertz::radius_of(t("radius_i"), t("radius_j")) : 2 * t("radius_i");
    const Hertz hertz{Hertz::modulus_of(shear, t("nu")), Hertz::ratio_of(t("nu")), radius};
    const double z = 0.5 * t("overlap"), stiffness = hertz.stiffness(z),
                 c_n = hertz_damping_of_restitution(t("e")) * std::sqrt(stiffness * t("mass"));
    BOOST_TEST(0.375 * hertz.modulus == t("young") / (2 * (1 - t("nu") * t("nu"))), closely);
    BOOST_TEST(hertz.normal_force(z) / t("overlap") == t("k_n"), closely);
    BOOST_TEST(c_n == t("c_n"), closely);
    BOOST_TEST(c_n * find("hertz-history")->damping_ratio(1 / hertz.ratio) == t("c_t"), closely);
    BOOST_TEST(find("hertz-mindlin")->damping_ratio(1 / hertz.ratio) == 1 / hertz.ratio);
    const ContactDrive drive{.law = LawChoice("hertz-history"),  // the force of a small movement by the law
                             .friction = 1,
                             .hertz = hertz,
                             .start_overlap = t("overlap"),
                             .rows = {{t("overlap"), {1e-12, 0, 0}, {}, {}, {}}}};
    BOOST_TEST(std::abs(drive_contact(drive)[1].tangential.x) / 1e-12 == t("k_t"), closely);
    BOOST_TEST(hooke_stiffness(0.375 * hertz.modulus, 0.5 * radius, t("mass"), 0.05) == t("k"), closely);
    BOOST_TEST(damping_of_restitution(t("e"), t("k"), t("mass")) == t("c"), closely);
  }
  BOOST_TEST(find("hooke-history")->damping_ratio(1) == 1);
  BOOST_TEST(find("hooke-history")->damping_ratio(0.25) == 0.5);
  BOOST_TEST(find("linear")->damping_ratio(0.25) == 0.25);
}

BOOST_AUTO_TEST_CASE(variants_of_a_changing_stiffness) {
  Coefficients k = glass;
  k.gamma_n = k.gamma_t = 0;
  k.friction = 1e3;
  for (const HertzVariant variant :
       {HertzVariant::displacement, HertzVariant::force_increment, HertzVariant::rescaled}) {
    Contact c(k);
    c.options.hertz_variant = variant;
    c.step(1e-6, 0, 0, 0, 1);
    c.step(1e-6, 0, 1e-8, 0, 1);
    const double force = -c.on_j_1(), stored = c.stored;
    BOOST_TEST(stored == 0.5 * force * 1e-8, closely);
    const bool elongation_stays = variant == HertzVariant::displacement;
    c.step(4e-6, 0, 0, 0, 1);  // K_t twice as large
    BOOST_TEST(-c.on_j_1() == (elongation_stays ? 2 : 1) * force, closely);
    BOOST_TEST(c.stored == (elongation_stays ? 2 : 0.5) * stored, closely);
    BOOST_TEST(c.circulation == stored - c.stored, closely);
    c.step(1e-6, 0, 0, 0, 1);
    BOOST_TEST(-c.on_j_1() == (variant == HertzVariant::rescaled ? 0.5 : 1) * force, closely);
    BOOST_TEST(c.friction_work == 0);
    BOOST_TEST(std::abs(c.circulation - (stored - c.stored)) <= 1e-12 * stored);
  }
}

/// The impact with the largest kinetic energy over incidence and spin, without dashpots.
Rebound largest_gain(double nu, double friction, HertzVariant variant) {
  const double young = 4e7 / (2 * (1 - nu * nu)), shear = 4e7 / (4 * (1 + nu) * (2 - nu));  // E*, G*
  Coefficients k = on_a_wall({true, 4 * young / 3, 8 * shear, 0, 0, friction, 0, 0});
  Rebound most;
  most.kinetic = 0;
  for (const double spin : {-2.5, -1.75, -1.0, 0.0, 2.0, 3.0})  // R ω over v_x
    for (int degrees = 2; degrees < 90; degrees += 2) {
      Contact c(k);
      c.options.hertz_variant = variant;
      const double angle = degrees * pi / 180;
      const Rebound r = meets_wall(c, 0.003, 1, angle, true, 2e-7, 40000, spin * std::sin(angle) / 0.003);
      if (r.kinetic > most.kinetic) most = r;
    }
  most.kinetic -= 1;
  return most;
}

/// Elastic impacts (§1.2): the published form makes energy, which is the circulation. Force increments make none at the
/// reference's ν = 0.22, but do where ν is small. `rescaled` never does.
BOOST_AUTO_TEST_CASE(energy_made_by_an_impact) {
  for (const auto& [friction, gain] : {std::pair{0.5, 0.0006}, {10.0, 0.022}}) {
    const Rebound found = largest_gain(0.22, friction, HertzVariant::displacement);
    BOOST_TEST(std::abs(found.kinetic / gain - 1) < 0.1, "friction " << friction << ": " << found.kinetic);
    BOOST_TEST(found.circulation < -found.kinetic * 0.99);  // friction takes some of it
    BOOST_TEST(largest_gain(0.22, friction, HertzVariant::force_increment).kinetic < 1e-5);
    for (const double nu : {0.0, 0.22, 0.4})
      BOOST_TEST(largest_gain(nu, friction, HertzVariant::rescaled).kinetic < 1e-6);
  }
  BOOST_TEST(largest_gain(0.25, 10, HertzVariant::displacement).kinetic < 1e-5);
  BOOST_TEST(largest_gain(0, 10, HertzVariant::displacement).kinetic > 0.1);
  BOOST_TEST(largest_gain(0, 10, HertzVariant::force_increment).kinetic > 0.02);
}

/// With hooke-history, which has a potential, and with `rescaled` no more energy leaves than came.
BOOST_AUTO_TEST_CASE(random_impacts_lose_energy) {
  geometry::Random random(7);
  const auto within = [&random](double low, double high) { return low + (high - low) * random.uniform(); };
  double most = -1, circulation = 0;
  for (int k = 0; k < 600; ++k) {
    const bool hertz = k % 2 == 1;
    Coefficients given = on_a_wall(hertz ? glass : Coefficients{false, 2000, 2000 * within(0.2, 1.5), 0, 0, 0, 0, 0});
    given.gamma_n = given.gamma_t = 0;
    const double e = k % 3 == 0 ? 1 : within(0.3, 1);
    given.friction = std::exp(within(-3, 3));
    if (e < 1 && hertz) given.restitution = e;
    if (!hertz) {
      given.gamma_n = damping_of_restitution(e, given.k_n, given.mass) / given.mass;
      given.gamma_t = given.gamma_n * std::sqrt(given.k_t / given.k_n);
    }
    Contact c(given);
    c.options.friction_limit = k % 4 < 2 ? FrictionLimit::total : FrictionLimit::spring;
    c.options.hertz_variant = HertzVariant::rescaled;
    const double angle = within(0, 0.49 * pi);
    const Rebound r = meets_wall(c, 0.003, 1, angle, true, 2e-7, 100000, within(-500, 500));
    most = std::max(most, r.kinetic - 1);
    if (!hertz) circulation = std::max(circulation, std::abs(r.circulation));
  }
  BOOST_TEST(most < 1e-6);
  BOOST_TEST(circulation < 1e-12);
}

/// With transport `none` a turning contact gets a part of its spring along the normal. Without a history there is none.
BOOST_AUTO_TEST_CASE(pseudo_history_leaves_nothing_along_the_normal) {
  ContactDrive drive{.law = laws::LawChoice("hooke-history"),
                     .friction = 0.1,
                     .normal_stiffness = 1e5,
                     .tangential_stiffness = 1e5,
                     .transport = Transport::none,
                     .global = true,
                     .time_step = 1};
  drive.law.options<laws::HookeHistory>().history = TangentialHistory::pseudo;
  for (int k = 1; k <= 20; ++k) {
    const double a = 0.05 * k;
    drive.rows.push_back(
        {.overlap = 1e-3, .shift = 1e-3 * Vec3{std::cos(a), 0, -std::sin(a)}, .normal = {std::sin(a), 0, std::cos(a)}});
  }
  const auto states = drive_contact(drive);
  for (std::size_t k = 1; k < states.size(); ++k) {  // it slides: μ k_n δ along the shift
    const DriveRow& row = drive.rows[k - 1];
    BOOST_TEST(norm(states[k].tangential - 1e4 * row.shift) < 1e-12 * 10);
  }
}
