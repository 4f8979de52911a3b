// The measured time-step limit against closed forms and a dense eigensolver.
#include "libdem/motion/limit/step_limit.hpp"

#include <Eigen/Eigenvalues>

#include "libdem/state/quaternion.hpp"
#include "motion/networks.hpp"
#include "motion/steps.hpp"
#include "prelude.hpp"

namespace {

constexpr Scheme scheme{};

double largest_eigenvalue(const Eigen::MatrixXd& m) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

// K or C over the inertia as a dense matrix, from the relative displacement of the two points at each contact.
Eigen::MatrixXd dense(const Bodies& b, const std::vector<ContactRecord>& contacts, bool damping) {
  const Eigen::Matrix3d identity = Eigen::Matrix3d::Identity();
  const auto cross_matrix = [](Vec3 a) {
    return (Eigen::Matrix3d() << 0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0).finished();
  };
  const auto n = Eigen::Index(6 * b.size());
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n), root = k;
  for (const ContactRecord& c : contacts) {
    const Vec3 arm_i = c.point - b.position[0][c.key.i], arm_j = arm_i - c.branch;
    Eigen::Matrix<double, 3, 12> gap;  // displacement of j's point minus i's
    gap << -identity, cross_matrix(arm_i), identity, -cross_matrix(arm_j);
    const Eigen::Vector3d normal(c.normal.x, c.normal.y, c.normal.z);
    const Eigen::Matrix3d along = normal * normal.transpose();
    const double s_n = damping ? c.normal_damping : c.normal_stiffness;
    const double s_t = c.regime == Regime::slip ? 0 : damping ? c.tangential_damping : c.tangential_stiffness;
    Eigen::Matrix<double, 3, 12> turn = Eigen::Matrix<double, 3, 12>::Zero();
    turn.middleCols<3>(3) = -identity, turn.middleCols<3>(9) = identity;
    const Eigen::Matrix<double, 12, 12> block = gap.transpose() * (s_n * along + s_t * (identity - along)) * gap +
                                                (damping ? 0 : c.rocking_stiffness) * turn.transpose() * turn;
    const Eigen::Index at[] = {Eigen::Index(6 * c.key.i), Eigen::Index(6 * c.key.j)};
    for (Eigen::Index r = 0; r < 2; ++r)
      for (Eigen::Index q = 0; q < 2; ++q) k.block<6, 6>(at[r], at[q]) += block.block<6, 6>(6 * r, 6 * q);
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto at = Eigen::Index(6 * i);
    const unsigned f = b.freedom[i];
    for (int d = 0; d < 3; ++d) root(at + d, at + d) = f >> d & 1u ? 1 / std::sqrt(b.mass[i]) : 0;
    Eigen::Matrix3d axes = identity;
    Vec3 m{b.moment[i], b.moment[i], b.moment[i]};
    if (!b.principal_moments.empty()) {
      m = b.principal_moments[i];
      const Vec3 units[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      for (int d = 0; d < 3; ++d) {
        const Vec3 e = rotated(b.orientation[0][i], units[d]);
        axes.col(d) << e.x, e.y, e.z;
      }
    }
    Eigen::Vector3d spins(1 / std::sqrt(m.x), 1 / std::sqrt(m.y), 1 / std::sqrt(m.z));
    if (!(f & free_rx)) spins.x() = spins.y() = 0;
    if (!(f & free_rz)) spins.z() = 0;
    root.block<3, 3>(at + 3, at + 3) = axes * spins.asDiagonal() * axes.transpose();
  }
  return root * k * root;
}

MeasuredLimit against_dense(const Bodies& b, const std::vector<ContactRecord>& contacts, int dimension = 2) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(dense(b, contacts, false));
  const Eigen::Index top = solver.eigenvalues().size() - 1;
  const Eigen::VectorXd mode = solver.eigenvectors().col(top);
  const double omega = std::sqrt(solver.eigenvalues()(top));
  const Eigen::MatrixXd damping = dense(b, contacts, true);
  const MeasuredLimit m = StepLimitMeter().measure(b, contacts, scheme, {.dimension = dimension});
  BOOST_TEST(m.converged);
  BOOST_TEST(m.omega == omega, tolerance(1e-3));
  BOOST_TEST(m.damping_rate == largest_eigenvalue(damping), tolerance(dimension == 2 ? 1e-3 : 2e-3));
  BOOST_TEST(m.damping_ratio == mode.dot(damping * mode) / (2 * omega), tolerance(0.1));
  return m;
}

}  // namespace

BOOST_AUTO_TEST_CASE(limit_of_two_bodies_closed_form) {
  Bodies b = make_bodies(2, 2.0, 0.25);
  b.position[0][1] = {0.6, 0.8, 0};
  StepLimitMeter meter;
  std::vector<ContactRecord> contacts{make_contact(b, 0, 1, 50, 10, 0.4, 0.2)};
  const auto measured = [&](double omega) {
    const MeasuredLimit m = meter.measure(b, contacts, scheme);
    BOOST_TEST(m.omega == omega, tolerance(1e-9));
    BOOST_TEST(m.converged);
    return m;
  };
  // j alone, guided: only the normal spring resists translation.
  b.freedom = {0, std::uint8_t(free_x | free_y)};
  MeasuredLimit m = measured(std::sqrt(50 / 2.0));
  BOOST_TEST(m.damping_ratio == 0.4 / (2 * std::sqrt(50 * 2.0)), tolerance(1e-6));
  BOOST_TEST(m.dt == stability_limit(scheme, 0.02) / 5, tolerance(3e-3));
  // Both free: the largest mode is tangential, with counter-rolling. Its stiffness is k_t (2/m + 2 a²/I), with a = ½.
  b.freedom = {free_in_plane, free_in_plane};
  measured(std::sqrt(std::max(50 * 2 / 2.0, 10 * (2 / 2.0 + 2 * 0.25 / 0.25))));
  contacts[0].tangential_stiffness = 40;
  m = measured(std::sqrt(40 * (2 / 2.0 + 2 * 0.25 / 0.25)));
  BOOST_TEST(m.damping_ratio == 0.2 * 3 / (2 * m.omega), tolerance(1e-6));
  contacts[0].regime = Regime::slip;  // no tangential spring
  measured(std::sqrt(50.0));
  b.freedom = {0, 0};  // nothing to limit
  BOOST_TEST(std::isinf(meter.measure(b, contacts, scheme).dt));
  BOOST_TEST(std::isinf(meter.measure(make_bodies(2), {}, scheme).dt));
}

BOOST_AUTO_TEST_CASE(strong_dashpots_limit_the_step) {
  Bodies b = make_bodies(2, 1.0, 0.25);
  b.position[0][1] = {1, 0, 0};
  // A couple against the relative spin of two free bodies: its rate is c (1/I + 1/I).
  MeasuredLimit m =
      StepLimitMeter().measure(b, std::vector{make_contact(b, 0, 1, 2, 0, 0.01, 0)}, scheme, {.rotational_damping = 5});
  BOOST_TEST(m.omega == 2.0, tolerance(1e-9));
  BOOST_TEST(m.damping_rate == 5 * 2 / 0.25, tolerance(1e-9));
  BOOST_TEST(m.dt == stability_limit(scheme, 40 / (2 * 2.0)) / 2, tolerance(3e-3));
  b.freedom = {0, std::uint8_t(free_x | free_y)};
  m = StepLimitMeter().measure(b, std::vector{make_contact(b, 0, 1, 1, 0, 0.01, 40)}, scheme);
  BOOST_TEST(m.damping_rate == 40, tolerance(1e-6));
  BOOST_TEST(m.dt == stability_limit(scheme, 20), tolerance(3e-3));  // ω = 1, 2ζω = 40
}

/// A disc between two held ones. Its fastest mode is damped and lets Gear have 0.7/ω. The spin is slower and has no
/// dashpot, so that only 0.33/ω is left.
BOOST_AUTO_TEST_CASE(springs_without_dashpots_limit_gear) {
  Bodies b = make_bodies(3, 0.8, 0.1);
  b.position[0][1] = {1, 0, 0}, b.position[0][2] = {2, 0, 0};
  b.freedom = {0, free_in_plane, 0};
  const double k_n = 1000, k_t = 450, along = std::sqrt(2 * k_n / 0.8), spin = std::sqrt(2 * k_t * 0.25 / 0.1);
  const auto contacts = [&](double g_t) {
    return std::vector{make_contact(b, 0, 1, k_n, k_t, 1, g_t), make_contact(b, 1, 2, k_n, k_t, 1, g_t)};
  };
  MeasuredLimit m;
  for (const double g_t : {0.0, 1e-9, 0.01}) {
    m = StepLimitMeter().measure(b, contacts(g_t), scheme);
    // Lanczos ends 0.1 % from the frequency. That of the damping and the bisection of the limit add to it.
    BOOST_TEST(m.omega == along, tolerance(1e-3));
    BOOST_TEST(m.damping_ratio == g_t * spin / (2 * k_t), tolerance(3e-3));
    BOOST_TEST(m.dt == stability_limit(scheme, g_t * spin / (2 * k_t)) / spin, tolerance(3e-3));
  }
  // Damping of the spin, of the mass, or another integrator: the fastest mode limits as before.
  const auto fastest = [&](double g_t, Scheme of, StepLimitMeter::Options options) {
    m = StepLimitMeter().measure(b, contacts(g_t), of, options);
    const double ratio = (2 * 1 / 0.8 + options.mass_damping) / (2 * along);
    BOOST_TEST(m.dt == stability_limit(of, ratio) / along, tolerance(3e-3));
  };
  fastest(0.45, scheme, {});
  fastest(0, scheme, {.mass_damping = 2});
  fastest(0, {.integrator = Integrator::velocity_verlet}, {});
}

/// With elongations by velocity each kind of spring has its own limit. The fastest mode moves normal springs alone, the
/// spin tangential ones alone.
BOOST_AUTO_TEST_CASE(elongations_by_velocity_limit_by_kind_of_spring) {
  Bodies b = make_bodies(3, 0.8, 0.1);
  b.position[0][1] = {1, 0, 0}, b.position[0][2] = {2, 0, 0};
  b.freedom = {0, free_in_plane, 0};
  const double k_n = 1000, k_t = 450, along = std::sqrt(2 * k_n / 0.8), spin = std::sqrt(2 * k_t * 0.25 / 0.1);
  for (const Scheme of : {gear, verlet})
    for (const VelocitySource source : all_sources)
      for (const double g : {0.0, 2.0}) {  // kg/s
        const Scheme s = by_velocity(of, source);
        const double g_t = 0.25 * g;
        const std::vector contacts{make_contact(b, 0, 1, k_n, k_t, g, g_t), make_contact(b, 1, 2, k_n, k_t, g, g_t)};
        const MeasuredLimit m = StepLimitMeter().measure(b, contacts, s);
        const double by_normal = stability_limit(s, g / 0.8 / along, 0) / along,
                     by_spin = stability_limit(s, g_t * 0.25 / 0.1 / spin, 1) / spin;
        BOOST_TEST(m.dt == std::min(by_normal, by_spin), tolerance(3e-3));
        BOOST_TEST(m.tangential_share == (by_spin < by_normal ? 1.0 : 0.0), tolerance(1e-3));
      }
}

/// A face resists rocking without a dashpot.
BOOST_AUTO_TEST_CASE(rocking_limits_gear) {
  Bodies b = make_bodies(2, 1.0, 0.1);
  b.position[0][1] = {0, 1, 0};
  b.freedom = {0, free_in_plane};
  std::vector contacts{make_contact(b, 0, 1, 1000, 0, 1, 0)};
  contacts[0].rocking_stiffness = 60;
  const double along = std::sqrt(1000.0), rocking = std::sqrt(60 / 0.1);
  MeasuredLimit m = StepLimitMeter().measure(b, contacts, scheme);
  BOOST_TEST(m.omega == along, tolerance(1e-9));
  BOOST_TEST(m.soft_omega == rocking, tolerance(1e-9));
  BOOST_TEST(m.dt == stability_limit(scheme, 0) / rocking, tolerance(1e-9));
  m = StepLimitMeter().measure(b, contacts, scheme, {.rotational_damping = 0.1});
  BOOST_TEST(m.dt == stability_limit(scheme, 1 / (2 * along)) / along, tolerance(3e-3));
}

BOOST_AUTO_TEST_CASE(limit_of_a_chain_of_discs) {
  const std::uint32_t n = 40;
  Bodies b = make_bodies(n, 3.0, 1.0);
  std::vector<ContactRecord> contacts;
  for (std::uint32_t i = 0; i < n; ++i) b.position[0][i] = {double(i), 0, 0};
  for (std::uint32_t i = 0; i + 1 < n; ++i) contacts.push_back(make_contact(b, i, i + 1, 7, 0, 0, 0));
  // Free chain: ω = 2 √(k/m) cos(π/2n).
  const double exact = 2 * std::sqrt(7 / 3.0) * std::cos(pi / (2 * n));
  BOOST_TEST(StepLimitMeter().measure(b, contacts, scheme).omega == exact, tolerance(1e-3));
  // One contact ten times stiffer: the mode sits there, and the contact is named.
  contacts[17].normal_stiffness = 70;
  BOOST_TEST((against_dense(b, contacts).contact == contacts[17].key));
}

BOOST_AUTO_TEST_CASE(hexagonal_lattice_against_a_dense_solver) {
  Lattice l = hexagonal(6, 8);
  StepLimitMeter meter;
  const double regular = meter.measure(l.bodies, l.contacts, scheme).omega;
  BOOST_TEST(regular * regular == largest_eigenvalue(dense(l.bodies, l.contacts, false)), tolerance(2e-3));

  std::mt19937 random(7);
  std::uniform_real_distribution<double> factor(0.5, 1.5);
  for (int trial = 0; trial < 10; ++trial) {
    Lattice d = l;
    for (std::size_t i = 0; i < d.bodies.size(); ++i) {
      d.bodies.mass[i] *= factor(random), d.bodies.moment[i] *= factor(random);
      if (i < 6 || i % 11 == 0) d.bodies.freedom[i] = i < 6 ? std::uint8_t(0) : std::uint8_t(free_y | free_rz);
    }
    for (auto& c : d.contacts) {
      c.normal_stiffness *= factor(random), c.tangential_stiffness *= factor(random),
          c.normal_damping *= factor(random), c.rocking_stiffness = 10 * factor(random);
      if (factor(random) < 0.7) c.regime = Regime::slip;
      c.point += 0.2 * Vec3{factor(random) - 1, factor(random) - 1, 0};
    }
    const MeasuredLimit m = against_dense(d.bodies, d.contacts);
    // The same again: same bits, whatever was measured between.
    meter.measure(l.bodies, l.contacts, scheme);
    const MeasuredLimit again = meter.measure(d.bodies, d.contacts, scheme);
    BOOST_TEST((again.omega == m.omega && again.dt == m.dt));
  }
}

BOOST_AUTO_TEST_CASE(limit_in_space_agrees_with_a_dense_solver) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto draw = [&] {
    const double x = uniform(engine), y = uniform(engine), z = uniform(engine);
    return Vec3{x, y, z};
  };
  for (const bool clusters : {false, true}) {
    const std::size_t n = 12;
    Bodies b = make_bodies(n, 0.7, 0.05);
    for (std::size_t i = 0; i < n; ++i) {
      b.position[0][i] = 2 * draw();
      b.freedom[i] = i == 0 ? std::uint8_t(0) : i == 1 ? std::uint8_t(free_y | free_z) : free_in_space;
      if (!clusters) continue;
      b.principal_moments.push_back({0.05, 0.1, 0.02});
      b.orientation[0].push_back(quaternion_of(3 * draw()));
    }
    std::vector<ContactRecord> contacts;
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = i + 1; j < n; ++j) {
        if (norm(b.position[0][j] - b.position[0][i]) > 2) continue;
        ContactRecord c = make_contact(b, i, j, 100 + 20 * uniform(engine), 60 + 20 * uniform(engine), 1, 0.5);
        c.point += 0.2 * draw();  // as of a cluster
        if (clusters)
          c.normal = (1 / norm(c.normal + 0.5 * draw())) * c.normal, c.normal = (1 / norm(c.normal)) * c.normal;
        if (uniform(engine) > 0.7) c.regime = Regime::slip;
        contacts.push_back(c);
      }
    BOOST_TEST(contacts.size() > 10u);
    const MeasuredLimit m = against_dense(b, contacts, 3);
    const MeasuredLimit damped = StepLimitMeter().measure(b, contacts, scheme, {.mass_damping = 3, .dimension = 3});
    BOOST_TEST(damped.damping_rate == m.damping_rate + 3, tolerance(1e-12));
    BOOST_TEST(damped.damping_ratio == m.damping_ratio + 3 / (2 * m.omega), tolerance(1e-12));
  }
}
