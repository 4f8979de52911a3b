// The probe study: Rendulic axes, reversible stiffness, the fitted circle, differences of two models, a stored state.
#include <unistd.h>

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "validation/kuhn2020/probes/probe.hpp"

using namespace dem;
using namespace dem::validation::kuhn2020;
using boost::test_tools::tolerance;

namespace {

std::vector<Response> circle_points(double diameter, double direction, int count) {
  std::vector<Response> points;
  for (int k = 0; k < count; ++k) {
    const double phi = 2 * std::numbers::pi * k / count;
    points.push_back({phi, diameter * std::max(0.0, std::cos(phi - direction))});
  }
  return points;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kuhn2020_probe)

BOOST_AUTO_TEST_CASE(rendulic_axes_are_orthonormal) {
  const Rendulic r = rendulic(3, -1, 2);
  BOOST_TEST(r.norm() == std::sqrt(14.0), tolerance(1e-14));
  BOOST_TEST((principal(r) - Eigen::Vector3d(3, -1, 2)).norm() < 1e-14);
  // §15: σ_v = √3 p, σ_d = √(2/3) q for σ22 = σ33.
  const Rendulic triaxial = rendulic(5, 2, 2);
  BOOST_TEST(triaxial(0) == std::sqrt(3.0) * 3, tolerance(1e-14));
  BOOST_TEST(triaxial(1) == std::sqrt(2.0 / 3) * 3, tolerance(1e-14));
  BOOST_TEST(triaxial(2) == 0);
}

BOOST_AUTO_TEST_CASE(stiffness_and_irreversible_strain_are_recovered) {
  Eigen::Matrix3d k;
  k << 5, 1, 0, 1, 3, 0.5, 0, 0.5, 2;
  std::vector<Rendulic> strain{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, -1, 0.3}}, stress;
  for (const Rendulic& e : strain) stress.push_back(k * e);
  const Stiffness found = reversible_stiffness(strain, stress);
  BOOST_TEST((found.k - k).norm() < 1e-13);
  BOOST_TEST(found.misfit < 1e-14);
  BOOST_TEST(found.asymmetry < 1e-13);
  const Rendulic sigma{0.3, 0.4, 0}, irreversible{0, 0.1, 0};
  const Response r = response(found, k.inverse() * sigma + irreversible, sigma);
  BOOST_TEST(r.direction == std::atan2(0.4, 0.3), tolerance(1e-12));
  BOOST_TEST(r.radius == 0.1 / 0.5, tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(circle_of_elastoplasticity_is_fitted_exactly) {
  auto points = circle_points(2, 2.1, 72);
  const Circle c = fit_circle(points);
  BOOST_TEST(c.diameter == 2, tolerance(1e-12));
  BOOST_TEST(c.direction == 2.1, tolerance(1e-12));
  BOOST_TEST(c.misfit < 1e-12);
  BOOST_TEST(c.opposite == 0);
  points[std::size_t(c.points) / 2].radius += 0.2;  // a point beside the circle
  BOOST_TEST(fit_circle(points).error > 1e-4);
  BOOST_TEST(fit_circle(circle_points(1, 0, 2)).points < 3);
}

BOOST_AUTO_TEST_CASE(difference_of_moduli_has_sign_and_error) {
  // A smaller circle is a larger modulus.
  const ModulusDifference d = modulus_difference(circle_points(2, 2, 36), circle_points(1.6, 2, 36));
  BOOST_TEST(d.value == 0.25, tolerance(1e-12));
  BOOST_TEST(d.error < 1e-12);
  BOOST_TEST(std::isnan(modulus_difference(circle_points(1, 0, 4), circle_points(1, 0, 4)).value));
}

BOOST_AUTO_TEST_CASE(probes_of_a_stored_state) {
  const auto folder = std::filesystem::temp_directory_path() / ("libdem-probe-" + std::to_string(::getpid()));
  const ClusterSource source{{}, "generated"};
  Case path = cluster_case(source, true);
  path.assembly.random->count = 40;
  add_path(path, source, true, {0.4, 1e-6, true});
  Case c = path;
  c.stages.push_back(rest(c.time.step));
  Simulation run(c);
  TaskProgress progress;
  const auto rows = follow_path(run, 1, 500, progress);
  BOOST_TEST(rows.back().p > 0.9 * confining_pressure);
  BOOST_TEST((unpacked(packed(rows)).size() == rows.size() && unpacked(packed(rows)).back().q == rows.back().q));
  store(run, folder / "state.h5");

  const Probe probe{ProbeModel::refined, rendulic(6e-6, 0, 0), 5, 2, false};
  const ProbeResult one = run_probe(path, folder / "state.h5", probe),
                    again = run_probe(path, folder / "state.h5", probe);
  BOOST_TEST((one.stress == again.stress));  // identical bits
  BOOST_TEST(one.stress(0) > 0);             // compression raises the pressure
  BOOST_TEST(one.friction >= 0);
  Probe held = probe;
  held.no_slip = true;
  const ProbeResult stiff = run_probe(path, folder / "state.h5", held);
  BOOST_TEST(stiff.stress.norm() >= one.stress.norm());
  std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_SUITE_END()
