// The a-priori limit of the time step against closed forms and the measured limit.
#include "libdem/motion/limit/step_limit.hpp"
#include "motion/networks.hpp"
#include "motion/steps.hpp"
#include "prelude.hpp"

namespace {

constexpr Scheme scheme{};

AprioriLimit limit_of(const StiffestContact& c, Scheme of) {
  SmallestLimit smallest(of);
  smallest.add(c);
  return smallest.found();
}

}  // namespace

BOOST_AUTO_TEST_CASE(apriori_limit_closed_form) {
  StiffestContact s;
  s.normal_stiffness = 400, s.tangential_stiffness = 100, s.mass = 0.5, s.moment = 0.1, s.lever = 0.1;
  AprioriLimit a = limit_of(s, scheme);  // 2·(6/2)·500/0.5 = 6000 against 2·6·100·0.01/0.1 = 120
  BOOST_TEST((a.mode == AprioriLimit::Mode::translation));
  BOOST_TEST(a.omega == std::sqrt(6000.0), tolerance(1e-12));
  BOOST_TEST(a.dt * a.omega == stability_limit(scheme, 0), tolerance(1e-12));
  s.moment = 0.001;  // rotation: 12000
  a = limit_of(s, scheme);
  BOOST_TEST((a.mode == AprioriLimit::Mode::rotation));
  BOOST_TEST(a.omega == std::sqrt(12000.0), tolerance(1e-12));
  BOOST_TEST(a.describe().find("rotation of the lightest body") != std::string::npos);
  BOOST_TEST(std::isinf(limit_of({.mass = 1, .moment = 1}, scheme).dt));
}

// Discs of a hexagonal lattice have the coordination 6 that the limit assumes, spheres in face-centred order 12.
BOOST_AUTO_TEST_CASE(apriori_limit_is_safe_and_not_wasteful) {
  const auto check = [](const Bodies& b, const std::vector<ContactRecord>& contacts, StiffestContact s, double share) {
    const ContactRecord& c = contacts[0];
    s.normal_stiffness = c.normal_stiffness, s.tangential_stiffness = c.tangential_stiffness;
    s.normal_damping = c.normal_damping, s.tangential_damping = c.tangential_damping;
    s.mass = b.mass[0], s.moment = b.moment[0], s.lever = 0.5;
    const auto check_scheme = [&](Scheme of) {
      const double limit = limit_of(s, of).dt;
      const double measured = StepLimitMeter().measure(b, contacts, of, {.dimension = s.dimension}).dt;
      BOOST_TEST(limit <= (s.dimension == 3 ? 1.001 : 1) * measured, "k_t = " << c.tangential_stiffness);
      BOOST_TEST(limit > share * measured, "k_t = " << c.tangential_stiffness);
    };
    check_scheme(scheme);
    for (const Scheme of : {scheme, verlet})
      for (const VelocitySource source : {VelocitySource::predicted, VelocitySource::trapezoid})
        check_scheme(by_velocity(of, source));
  };
  for (double k_t : {0.0, 30.0, 60.0, 100.0}) {
    Lattice l = hexagonal(9, 10);
    for (auto& c : l.contacts) c.tangential_stiffness = k_t, c.tangential_damping = 0.015 * k_t;
    check(l.bodies, l.contacts, {}, 0.4);
  }
  const int cells = 4;
  const double edge = std::sqrt(2.0), width = cells * edge;  // spheres of diameter 1
  std::vector<Vec3> at;
  for (int k = 0; k < cells * cells * cells; ++k)
    for (const Vec3 s : {Vec3{0, 0, 0}, Vec3{.5, .5, 0}, Vec3{.5, 0, .5}, Vec3{0, .5, .5}})
      at.push_back(edge * (Vec3{double(k % cells), double(k / cells % cells), double(k / cells / cells)} + s));
  Bodies b = make_bodies(at.size(), 0.7, 0.07);
  b.position[0].set_by_number(at);
  b.freedom.assign(at.size(), free_in_space);
  for (const double k_t : {0.0, 60.0, 100.0}) {
    std::vector<ContactRecord> contacts;
    for (std::uint32_t i = 0; i < at.size(); ++i)
      for (std::uint32_t j = i + 1; j < at.size(); ++j) {
        const Vec3 d = at[j] - at[i];
        const auto wrap = [&](double x) { return -width * std::round(x / width); };
        const Vec3 shift{wrap(d.x), wrap(d.y), wrap(d.z)};
        if (norm(d + shift) < 1.01) contacts.push_back(make_contact(b, i, j, 100, k_t, 1.5, 0.015 * k_t, shift));
      }
    BOOST_TEST(contacts.size() == 6 * at.size());
    check(b, contacts, {.coordination = 12, .dimension = 3}, 0.6);
  }
}

// A chain of discs that cannot turn. Its transverse waves have ω² up to 4 k_t/m and no damping or hardly any.
BOOST_AUTO_TEST_CASE(apriori_limit_of_springs_without_dashpots) {
  const std::uint32_t count = 8;
  Bodies b = make_bodies(count, 0.7, 0.07);
  std::vector<Vec3> at;
  for (std::uint32_t k = 0; k < count; ++k) at.push_back({double(k), 0, 0});
  b.position[0].set_by_number(at);
  b.freedom.assign(count, free_x | free_y);
  for (const auto& [k_t, c_t] : {std::pair(30.0, 0.0), {100.0, 0.0}, {100.0, 1e-9}}) {
    std::vector<ContactRecord> contacts;
    for (std::uint32_t k = 0; k < count; ++k)
      contacts.push_back(make_contact(b, k, (k + 1) % count, 100, k_t, 0.15, c_t, {k + 1 < count ? 0.0 : count, 0, 0}));
    const StiffestContact c{.normal_stiffness = 100,
                            .tangential_stiffness = k_t,
                            .normal_damping = 0.15,
                            .tangential_damping = c_t,
                            .mass = 0.7,
                            .moment = INFINITY,
                            .lever = 0.5};
    const MeasuredLimit measured = StepLimitMeter().measure(b, contacts, scheme);
    const double transverse = stability_limit(scheme, 0) / std::sqrt(4 * k_t / 0.7);
    // Lanczos ends at a residual of 0.1 %.
    if (k_t == 100 && c_t == 0) BOOST_TEST(measured.dt == transverse, tolerance(1e-3));
    const double smallest = std::min(measured.dt, transverse);
    BOOST_TEST(limit_of(c, scheme).dt <= smallest, "k_t = " << k_t << ", c_t = " << c_t);
    BOOST_TEST(limit_of(c, scheme).dt > 0.5 * smallest, "k_t = " << k_t << ", c_t = " << c_t);
  }
}

// Rotational damping acts on relative spins. It misses the stiffest mode of equal discs, in which all turn alike.
BOOST_AUTO_TEST_CASE(apriori_limit_of_rotational_damping_alone) {
  Lattice l = hexagonal(9, 10);
  for (auto& c : l.contacts) c.tangential_stiffness = 100, c.normal_damping = c.tangential_damping = 0;
  StiffestContact c{
      .normal_stiffness = 100, .tangential_stiffness = 100, .mass = l.bodies.mass[0], .moment = l.bodies.moment[0]};
  c.lever = 0.5;
  for (const double damping : {0.003, 0.01, 0.03}) {
    c.rotational_damping = damping;
    const double measured = StepLimitMeter().measure(l.bodies, l.contacts, scheme, {.rotational_damping = damping}).dt;
    BOOST_TEST(limit_of(c, scheme).dt <= measured, "c_r = " << damping);
    BOOST_TEST(limit_of(c, scheme).dt > 0.5 * measured, "c_r = " << damping);
  }
}

// Bodies that cannot be the ones that limit are passed over.
BOOST_AUTO_TEST_CASE(smallest_limit_of_many_bodies) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Scheme> schemes = {gear, {Integrator::gear5, GearCoefficients::position_only}, verlet};
  for (const VelocitySource source : all_sources) schemes.push_back(by_velocity(gear, source));
  for (const Scheme& s : schemes)
    for (const double damping : {0.0, 1e-4, 3e-3, 0.03, 0.3, 3.0})
      for (const bool by_mass : {false, true}) {  // damping ∝ √m, as restitution makes it
        SmallestLimit smallest(s);
        double plain = INFINITY;
        for (int b = 0; b < 40; ++b) {
          const double r = 0.5 + uniform(engine);
          StiffestContact c{.normal_stiffness = 100,
                            .tangential_stiffness = b % 2 == 0 ? 80.0 : 20.0,
                            .mass = r * r * r,
                            .moment = 0.4 * r * r * r * r * r,
                            .lever = r,
                            .offset = b % 3 == 0 ? 0.3 * r : 0,
                            .coordination = 12,
                            .dimension = b < 20 ? 3 : 2};
          c.normal_damping = damping * 20 * (by_mass ? std::sqrt(c.mass) : 1);
          c.tangential_damping = b % 5 == 0 ? 2 * c.normal_damping : 0.3 * c.normal_damping;
          smallest.add(c);
          plain = std::min(plain, limit_of(c, s).dt);
        }
        // Two limits, each by bisection to 1e-5.
        BOOST_TEST(smallest.found().dt == plain, tolerance(2e-5));
      }
}
