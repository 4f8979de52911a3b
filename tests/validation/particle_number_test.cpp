// Packings of the study on the number of particles, their normal modes, and small motion about them.
#include "validation/pena2008/particle-number/particle_number.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "libdem/motion/limit/stability.hpp"
#include "validation/pena2008/particle-number/contact_forces.hpp"
#include "validation/pena2008/particle-number/normal_modes.hpp"
#include "validation/pena2008/particle-number/small_motion.hpp"

using namespace dem;
using namespace dem::validation::pena2008::packed;
using boost::test_tools::tolerance;

namespace {

Packing packing_of(ShapeKind shape, int particles) { return make_packing({shape, particles, 2}); }

LinearSystem system_of(const Packing& p) { return linearise(p.given, std::min(1e-7, 0.1 * p.smallest_depth)); }

double largest(const Eigen::MatrixXd& m) { return m.cwiseAbs().maxCoeff(); }

/// Adds w b bᵀ for the coordinates of bodies i and j; a wall has none.
void add(Eigen::MatrixXd& m, const ContactRecord& c, double w, Vec2 direction, double scale, double arm_i,
         double arm_j) {
  Eigen::VectorXd b = Eigen::VectorXd::Zero(m.rows());
  b.segment<3>(3 * c.key.i) << -scale * direction.x, -scale * direction.y, arm_i;
  if (Eigen::Index(3 * c.key.j) < m.rows())
    b.segment<3>(3 * c.key.j) << scale * direction.x, scale * direction.y, arm_j;
  m += w * b * b.transpose();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(number_of_particles)

BOOST_AUTO_TEST_CASE(packings_are_in_equilibrium_and_made_by_their_seed) {
  for (ShapeKind shape : {ShapeKind::disc, ShapeKind::polygon}) {
    const Packing p = packing_of(shape, 16);
    BOOST_TEST((p.given == packing_of(shape, 16).given));
    BOOST_TEST(!(p.given == make_packing({shape, 16, 3}).given));
    BOOST_TEST(int(p.given.assembly.bodies.size()) + p.rattlers == 16);
    BOOST_TEST(p.coordination > 3);  // frictionless and stable
    BOOST_TEST((p.mean_overlap > 5e-4 && p.mean_overlap < 2e-3), p.mean_overlap);
    // With friction and damping switched on nothing changes: springs begin unstrained.
    Case c = p.given;
    c.time.step = 1;
    ContactForces forces(c);
    forces.evaluate();
    double mean = 0, unbalanced = 0;
    std::vector<int> contacts_of(forces.moving(), 0);
    for (const ContactRecord& k : forces.contacts()) {
      mean += k.normal_force / double(forces.contacts().size());
      ++contacts_of[k.key.i];
      if (k.key.j < forces.moving()) ++contacts_of[k.key.j];
    }
    const Bodies& bodies = forces.state().bodies;
    for (std::size_t b = 0; b < forces.moving(); ++b) {
      unbalanced = std::max({unbalanced, norm(bodies.force[b]), std::abs(bodies.torque[b].z) / 0.5});
      BOOST_TEST(contacts_of[b] >= 2);
    }
    BOOST_TEST(unbalanced < 2e-11 * mean);
  }
}

// K, C and Σ b bᵀ of discs in closed form. Springs are k_n along n and k_t along the line of action of form (G). The
// normal force turns with the branch.
BOOST_AUTO_TEST_CASE(matrices_of_discs_are_those_of_springs_and_dashpots) {
  const Packing p = packing_of(ShapeKind::disc, 16);
  const LinearSystem system = system_of(p);
  const Material& m = p.given.material;
  Case c = p.given;
  c.time.step = 1;
  ContactForces forces(c);
  forces.evaluate();
  const Eigen::Index n = system.inertia.size();
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n), damping = k, tangential = k;
  for (const ContactRecord& contact : forces.contacts()) {
    const Vec2 normal = planar(contact.normal), tangent = turned_left(normal);
    const bool wall = contact.key.j >= forces.moving();
    const double a_i = forces.state().shape_of(contact.key.i).radius(),
                 a_j = wall ? 0 : forces.state().shape_of(contact.key.j).radius();
    const double distance = a_i + a_j - contact.overlap, scale = wall ? 1 : (a_i + a_j) / distance;
    add(k, contact, m.normal_stiffness, normal, 1, 0, 0);
    add(k, contact, m.tangential_stiffness, tangent, scale, -a_i, -a_j);
    if (!wall) add(k, contact, -m.normal_stiffness * contact.overlap / distance, tangent, 1, 0, 0);
    add(damping, contact, *m.normal_damping, normal, 1, 0, 0);
    add(damping, contact, *m.tangential_damping, tangent, scale, -a_i, -a_j);
    add(tangential, contact, 1, tangent, 1, -(a_i - contact.overlap / 2), wall ? 0 : -(a_j - contact.overlap / 2));
  }
  BOOST_TEST(largest(Eigen::MatrixXd(system.stiffness) - k) < 1e-6 * largest(k));
  BOOST_TEST(largest(Eigen::MatrixXd(system.damping) - damping) < 1e-12 * largest(damping));
  BOOST_TEST(largest(Eigen::MatrixXd(system.tangential) - tangential) < 1e-12 * largest(tangential));
}

BOOST_AUTO_TEST_CASE(lanczos_finds_the_ends_of_the_dense_spectrum) {
  for (ShapeKind shape : {ShapeKind::disc, ShapeKind::polygon}) {
    const LinearSystem system = system_of(packing_of(shape, 64));
    const auto all = all_modes(system), low = lowest_modes(system, 10), high = highest_modes(system, 10);
    for (std::size_t k = 0; k < 10; ++k) {
      BOOST_TEST(low[k].omega == all[k].omega, tolerance(1e-9));
      BOOST_TEST(low[k].rate == all[k].rate, tolerance(1e-6));
      BOOST_TEST(high[k].omega == all[all.size() - 10 + k].omega, tolerance(1e-9));
      BOOST_TEST(low[k].shape.dot(system.inertia.cwiseProduct(low[k].shape)) == 1, tolerance(1e-9));
    }
    // Damping in proportion to stiffness would make the slowest mode the one of lowest frequency. Every mode obeys the
    // floor.
    const Material m = reference_material();
    const double floor = 2 * 0.05 / 0.95 * *m.normal_damping / m.normal_stiffness;
    for (const Mode& mode : all)
      BOOST_TEST(predict(mode, m.tangential_stiffness).threshold(mode, 0.05) >= 0.99 * floor);
  }
}

BOOST_AUTO_TEST_CASE(spectral_radius_of_a_mode) {
  for (double w : {0.05, 0.3, 0.7})
    for (double damping : {0.004, 0.05})
      BOOST_TEST(modal_spectral_radius(damping, 0, w) == spectral_radius({}, damping, w), tolerance(1e-9));
  // Two discs, guided with rotation (reference §5): f_t = 1/4, ω² = k_n/(3m), t_R = 238.50 t_c and 160.02 t_c at Δt/t_c
  // = 0.01.
  const double omega = std::numbers::pi / std::sqrt(6.0), ratio = 1 / 238.50 / (2 * omega), dt = 0.01;
  BOOST_TEST(-dt / (2 * std::log(modal_spectral_radius(ratio, 0.25, omega * dt))) == 160.02, tolerance(5e-3));
  BOOST_TEST(-dt / (2 * std::log(modal_spectral_radius(ratio, 0, omega * dt))) == 238.50, tolerance(1e-4));
}

BOOST_AUTO_TEST_CASE(small_motion_does_what_the_modes_say) {
  const double t_c = reference_duration();
  for (ShapeKind shape : {ShapeKind::disc, ShapeKind::polygon}) {
    const Packing p = packing_of(shape, 4);
    const auto modes = all_modes(system_of(p));
    const Mode& mode = modes.front();
    const Prediction prediction = predict(mode, p.given.material.tangential_stiffness);
    Disturbed d{p.given, velocity_along(p.given, mode.shape, mode.omega, 1e-2 * p.smallest_depth),
                Elongation::geometric, 0.02 * t_c};
    const double duration = 12 * 2 * std::numbers::pi / mode.omega;
    const Decay still = decay_of_mode(d, duration);
    BOOST_TEST(still.usable());
    BOOST_TEST(still.rate == mode.rate, tolerance(0.01));
    d.elongation = Elongation::velocity;
    BOOST_TEST(decay_of_mode(d, duration).rate == mode.rate + prediction.slope * d.dt, tolerance(0.01));
    // Stability: the mode of the highest frequency.
    d.elongation = Elongation::geometric;
    d.velocity = velocity_along(p.given, modes.back().shape, modes.back().omega, 1e-2 * p.smallest_depth);
    const double limit = modal_stability_limit(modes.back().damping_ratio(), 0) / modes.back().omega;
    BOOST_TEST(largest_stable_step(d, 0.5 * limit, 0.8 * limit, 2000) == limit, tolerance(0.01));
  }
}

BOOST_AUTO_TEST_CASE(exponent_of_a_power_law) {
  const PowerLaw exact = power_law({2, 4, 8, 16}, {8, 4, 2, 1});
  BOOST_TEST(exact.exponent == -1, tolerance(1e-12));
  // ln y = −ln n + (1, −1, −1, 1)/10. The residuals do not change the slope. t(2, 97.5 %) = 4.302653.
  const double e = std::exp(0.1);
  const PowerLaw law = power_law({1, 2, 4, 8}, {e, 0.5 / e, 0.25 / e, 0.125 * e});
  BOOST_TEST(law.exponent == -1, tolerance(1e-12));
  BOOST_TEST(law.half_width == 4.302653 * std::sqrt(0.04 / 2 / (5 * std::log(2.0) * std::log(2.0))), tolerance(1e-6));
  BOOST_TEST(std::isnan(power_law({1, 2}, {1, 2}).exponent));
}

BOOST_AUTO_TEST_SUITE_END()
