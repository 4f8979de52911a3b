// The spectrum of the two-disc step (polygon-dem reference, §5: "exact spectrum of the discrete map").
#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>
#include <cmath>
#include <stdexcept>

#include "libdem/assembly/assembly.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "libdem/motion/gear5.hpp"
#include "validation/pena2008/two_discs.hpp"

namespace dem::validation::pena2008 {

namespace {

namespace mp = boost::multiprecision;
using Real = mp::number<mp::cpp_bin_float<50>, mp::et_off>;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

/// One free coordinate of disc j: x, y or a θ.
struct Coordinate {
  Real mass;        // of a θ: I/a²
  Real normal;      // movement of the contact along n
  Real tangential;  // and along t, which is also where f_t acts
  Real elongation;  // ∂ξ/∂q: the tangential movement but in the literal reading of Eqs. 10, 11
};

/// The step of the two-disc case for movements about its equilibrium.
struct StepMap {
  explicit StepMap(const Case& c, bool increments_from_corrected = false) : from_corrected(increments_from_corrected) {
    if (c.assembly.bodies.size() != 2) throw std::invalid_argument("the step map is that of two discs");
    const State state = build_assembly(c);
    const PairTable pair(c, state);
    const BodySpec& j = c.assembly.bodies[1];
    const Real s = 1 / mp::sqrt(Real(2)), mass = state.bodies.mass[1];
    const bool literal = c.contact.geometric_form == GeometricForm::eq10_11_literal;
    const Real share = literal ? Real(0.5) : Real(1);  // a_i/(a_i + a_j) of Eq. 10
    if (!j.fix_x) coordinates.push_back({mass, s, -s, -s * share});
    if (!j.fix_y) coordinates.push_back({mass, s, s, s * share});
    if (!j.fix_rotation) coordinates.push_back({mass / 2, 0, -1, -1});
    dt = c.time.step;
    by_velocity = c.contact.elongation == Elongation::velocity;
    source = c.contact.velocity_source;
    k_n = pair[0].normal_stiffness;
    gamma_n = pair.normal_damping(0, 1);
    if (pair[0].friction > 0) {
      k_t = pair[0].tangential_stiffness;
      gamma_t = pair.tangential_damping(pair.normal_damping(0, 1));
    }
    const GearCoefficientSet set = gear_coefficients(c.time.gear_coefficients);
    for (int k = 0; k < terms; ++k) gear[k] = set[std::size_t(k)];
    // The decimal fractions of a double are not those of the scheme; the rational coefficients are.
    gear[1] = Real(251) / 360;
    gear[3] = Real(11) / 18;
    gear[4] = Real(1) / 6;
    gear[5] = Real(1) / 60;
    if (c.time.gear_coefficients == GearCoefficients::position_only) gear[0] = Real(3) / 20;
  }

  int size() const { return terms * int(coordinates.size()) + (by_velocity || from_corrected ? 1 : 0); }

  Vector operator()(const Vector& z) const {
    Vector next = z;
    const int n = int(coordinates.size());
    Real overlap = 0, normal_speed = 0, tangential_speed = 0, shift = 0, form = 0;
    for (int q = 0; q < n; ++q) {
      auto r = next.segment(terms * q, terms);
      const Real start = r(1), place = r(0);
      for (int pass = 0; pass < terms - 1; ++pass)  // Pascal's triangle by additions
        for (int k = terms - 2; k >= pass; --k) r(k) += r(k + 1);
      const Coordinate& c = coordinates[std::size_t(q)];
      overlap -= c.normal * r(0);
      normal_speed += c.normal * r(1) / dt;
      tangential_speed += c.tangential * r(1) / dt;
      form += c.elongation * (from_corrected ? r(0) - place : r(0));
      shift += c.tangential * (source == VelocitySource::predicted   ? r(1)
                               : source == VelocitySource::corrected ? start
                                                                     : (start + r(1)) / 2);
    }
    Real xi = form;
    if (by_velocity)
      xi = next(size() - 1) += shift;
    else if (from_corrected)
      xi = next(size() - 1) += form;
    const Real f_n = k_n * overlap - gamma_n * normal_speed, f_t = -k_t * xi - gamma_t * tangential_speed;
    for (int q = 0; q < n; ++q) {
      const Coordinate& c = coordinates[std::size_t(q)];
      auto r = next.segment(terms * q, terms);
      const Real d = (f_n * c.normal + f_t * c.tangential) / c.mass * dt * dt / 2 - r(2);
      for (int k = 0; k < terms; ++k) r(k) += gear[k] * d;
    }
    return next;
  }

  static constexpr int terms = int(gear_terms);
  std::vector<Coordinate> coordinates;
  Real dt, k_n, k_t = 0, gamma_n, gamma_t = 0, gear[terms];
  bool by_velocity = false, from_corrected = false;
  VelocitySource source = VelocitySource::predicted;
};

}  // namespace

namespace {

std::vector<Mode> modes_of(const StepMap& map, const Case& given) {
  const int n = map.size();
  Matrix matrix(n, n);
  for (int column = 0; column < n; ++column) matrix.col(column) = map(Vector::Unit(n, column));
  const Eigen::EigenSolver<Matrix> solver(matrix);
  if (solver.info() != Eigen::Success)
    throw std::runtime_error("the eigenvalues of the two-disc step did not converge");

  const double t_c = contact_duration_of(given);
  struct Found {
    Real size;
    Mode mode;
  };
  std::vector<Found> found;
  const auto values = solver.eigenvalues();
  const auto vectors = solver.eigenvectors();
  for (int m = 0; m < n; ++m) {
    const Real re = values(m).real(), im = values(m).imag(), size = mp::sqrt(re * re + im * im);
    const Real at_rest =
        Real(1e-15);  // beside ωΔt of a vibration, and beside what 50 digits leave of a double eigenvalue
    if (im < 0 || size < at_rest || (mp::abs(re - 1) < at_rest && im < at_rest)) continue;
    Real n_re = 0, n_im = 0, t_re = 0, t_im = 0;
    for (std::size_t q = 0; q < map.coordinates.size(); ++q) {
      const auto amplitude = vectors(StepMap::terms * int(q), m);
      const Coordinate& c = map.coordinates[q];
      n_re += c.normal * amplitude.real(), n_im += c.normal * amplitude.imag();
      t_re += c.tangential * amplitude.real(), t_im += c.tangential * amplitude.imag();
    }
    const Real along_n = n_re * n_re + n_im * n_im, along_t = t_re * t_re + t_im * t_im, both = along_n + along_t;
    Mode mode;
    mode.relaxation = double(-map.dt / (2 * mp::log(size))) / t_c;
    mode.frequency = double(mp::atan2(im, re) / map.dt) * t_c;
    mode.tangential = both > 0 ? std::sqrt(double(along_t / both)) : 0;
    found.push_back({size, mode});
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.size > b.size; });
  std::vector<Mode> modes;
  for (const Found& f : found) modes.push_back(f.mode);
  return modes;
}

}  // namespace

std::vector<Mode> step_map_modes(const Case& c) { return modes_of(StepMap(c), c); }

std::vector<Mode> step_map_modes_from_corrected(const Case& c) {
  if (c.contact.elongation != Elongation::geometric)
    throw std::invalid_argument("increments from the corrected pose: a geometric elongation");
  return modes_of(StepMap(c, true), c);
}

Mode slowest_mode(const Case& c) {
  const auto modes = step_map_modes(c);
  if (modes.empty()) throw std::runtime_error("the two-disc step has no vibration");
  return modes.front();
}

Mode tangential_mode(const Case& c) {
  for (const Mode& mode : step_map_modes(c))
    if (mode.tangential > std::sqrt(0.5)) return mode;
  throw std::runtime_error("the two-disc step has no tangential vibration");
}

}  // namespace dem::validation::pena2008
