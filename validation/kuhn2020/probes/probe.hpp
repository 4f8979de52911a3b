// Stress probes of a stored state (linear-frictional-contact reference, §15): a small strain in a direction of the
// Rendulic plane, its stress, the part of the strain that is irreversible, and the circle that elastoplasticity
// predicts.
#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <vector>

#include "validation/kuhn2020/assembly.hpp"

namespace dem::validation::kuhn2020 {

/// Orthonormal components, compression positive: (x11 + x22 + x33)/√3, (2 x11 − x22 − x33)/√6, (x22 − x33)/√2. The
/// first two are the Rendulic axes.
using Rendulic = Eigen::Vector3d;
Rendulic rendulic(double x11, double x22, double x33);
/// Back to x11, x22, x33.
Eigen::Vector3d principal(const Rendulic&);

/// What computes a probe; the first has all refinements.
enum class ProbeModel { refined, conventional, whole_step, no_onset, no_direction, first_order_transport };
const char* name_of(ProbeModel);

struct Probe {
  ProbeModel model = ProbeModel::refined;
  Rendulic strain = Rendulic::Zero();  ///< logarithmic, compression positive
  int steps = 30;                      ///< that the strain is applied in
  int relaxation = 10;                 ///< steps at rest after each of them
  bool no_slip = false;                ///< existing and new contacts take any tangential force
};

struct ProbeResult {
  Rendulic stress = Rendulic::Zero();  ///< increment (Pa)
  double friction = 0;                 ///< J, dissipated by sliding
  double balance = 0;                  ///< change of the ledger's residual over the work of the strain
  std::vector<double> pack() const { return {stress(0), stress(1), stress(2), friction, balance}; }
  static ProbeResult unpack(const std::vector<double>& n) { return {{n[0], n[1], n[2]}, n[3], n[4]}; }
};

/// `path`: case whose stages lead to the state, without the rest it is stored in.
ProbeResult run_probe(Case path, const std::filesystem::path& state, const Probe&);

/// Δσ = K Δε by least squares over probes; `misfit`: rms of the residual over the rms of Δσ.
struct Stiffness {
  Eigen::Matrix3d k = Eigen::Matrix3d::Zero();
  double misfit = 0, asymmetry = 0;  ///< |K12 − K21| over their mean, in Rendulic axes
};
Stiffness reversible_stiffness(const std::vector<Rendulic>& strain, const std::vector<Rendulic>& stress);

/// Points of the plot: direction of the stress increment in the Rendulic plane and |Δε_irr|/|Δσ| there.
struct Response {
  double direction, radius;
};
Response response(const Stiffness&, const Rendulic& strain, const Rendulic& stress);

/// r = a cos φ + b sin φ over the large lobe: 1/H = √(a² + b²), φ_f its direction.
struct Circle {
  double diameter = 0, direction = 0;  ///< 1/H (1/Pa), rad
  double misfit = 0;                   ///< rms over the diameter
  double error = 0;     ///< standard error of the diameter, relative, by leaving out one point after the other
  double opposite = 0;  ///< largest radius more than 110° away, over the diameter
  std::size_t points = 0;
};
Circle fit_circle(const std::vector<Response>&);

/// H of `other` over H of `reference` − 1, from probes with equal strains, and its standard error by leaving out one
/// after the other. NaN with fewer than four points in the large lobe.
struct ModulusDifference {
  double value = 0, error = 0;
};
ModulusDifference modulus_difference(const std::vector<Response>& reference, const std::vector<Response>& other);

}  // namespace dem::validation::kuhn2020
