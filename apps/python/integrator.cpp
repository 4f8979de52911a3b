// The integrators on one coordinate: Gear's steps under a force of the caller, and stability limits.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "apps/python/bind.hpp"
#include "libdem/motion/gear5.hpp"
#include "libdem/motion/limit/stability.hpp"

namespace dem::python {
namespace {

using Terms = std::array<double, gear_terms>;
using ForceOfState = std::function<double(double, double)>;

GearCoefficients coefficients_of(bool position_only) {
  return position_only ? GearCoefficients::position_only : GearCoefficients::velocity_dependent;
}

/// Gear terms of a body of unit mass that moves along x, after some steps.
Terms gear_steps(const Terms& start, double dt, int steps, const ForceOfState& force, bool position_only) {
  Bodies body;
  for (auto* terms : {&body.position, &body.rotation})
    for (auto& r : *terms) r.assign(1, Vec3{});
  body.mass = body.moment = {1};
  body.freedom = {free_in_plane};
  body.force = body.torque = {Vec3{}};
  for (std::size_t k = 0; k < gear_terms; ++k) body.position[k][0].x = start[k];
  const GearCoefficientSet c = gear_coefficients(coefficients_of(position_only));
  for (int step = 0; step < steps; ++step) {
    gear_predict(body);
    body.force[0].x = force(body.position[0][0].x, body.position[1][0].x / dt);
    gear_correct(body, dt, c);
  }
  Terms end;
  for (std::size_t k = 0; k < gear_terms; ++k) end[k] = body.position[k][0].x;
  return end;
}

Scheme scheme_of(bool verlet, bool position_only) {
  return {verlet ? Integrator::velocity_verlet : Integrator::gear5, coefficients_of(position_only)};
}

}  // namespace

void bind_integrator(py::module_& m) {
  m.def("gear_steps", &gear_steps);
  m.def("spectral_radius", [](bool verlet, bool position_only, double damping_ratio, double omega_dt) {
    return spectral_radius(scheme_of(verlet, position_only), damping_ratio, omega_dt);
  });
  m.def("stability_limit", [](bool verlet, bool position_only, double damping_ratio, double growth) {
    return stability_limit(scheme_of(verlet, position_only), damping_ratio, 0, growth);
  });
}

}  // namespace dem::python
