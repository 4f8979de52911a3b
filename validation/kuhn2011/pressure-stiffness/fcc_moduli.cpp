#include "validation/kuhn2011/pressure-stiffness/fcc_moduli.hpp"

#include <cmath>
#include <numbers>

#include "libdem/drivers/cell_drive.hpp"
#include "libdem/laws/normal/hertz.hpp"
#include "libdem/run/simulation.hpp"
#include "validation/fcc_packing.hpp"

namespace dem::validation::kuhn2011::stiffness {

namespace {

constexpr int strain_steps = 4, rest_steps = 40;
constexpr double root2 = std::numbers::sqrt2;

laws::Hertz hertz() {
  return {laws::Hertz::modulus_of(1, poisson_ratio), laws::Hertz::ratio_of(poisson_ratio),
          laws::Hertz::radius_of(0.5, 0.5)};
}

Tensor3 stress_after(const FccState& s, bool cubic, double strain_x, double strain_y) {
  Simulation run(fcc_case(s, cubic, strain_x, strain_y));
  while (!run.finished()) run.step();
  return run.driver<CellDriver>()->stress();
}

}  // namespace

double contact_stiffness(const FccState& s) {
  return s.law == "linear" ? s.normal_stiffness : hertz().stiffness(0.5 * s.overlap);
}

double pressure_of(const FccState& s) {
  const double force = s.law == "linear" ? s.normal_stiffness * s.overlap : hertz().normal_force(0.5 * s.overlap),
               l = 1 - s.overlap;
  return 2 * root2 * force / (l * l);
}

Moduli closed_form(const FccState& s) {
  const double k_n = contact_stiffness(s), k_t = k_n / hertz().ratio, unit = root2 / (1 - s.overlap);
  const double p = pressure_of(s);
  return {unit * (k_n + k_t) - 0.5 * p, 0.5 * unit * (k_n - k_t) + 1.25 * p, 0.5 * unit * (k_n + k_t) - 0.75 * p};
}

Case fcc_case(const FccState& s, bool cubic, double strain_x, double strain_y) {
  Case c = fcc_packing(cubic, 1 - s.overlap);
  c.title = "face-centred cubic packing, strained";
  c.material.friction = 0.5;
  c.material.normal_damping = c.material.tangential_damping = 0;
  c.contact.law = s.law;
  const double stiffness = contact_stiffness(s);
  if (s.law == "linear") {
    c.material.normal_stiffness = stiffness;
    c.material.tangential_stiffness = stiffness / hertz().ratio;
  } else {
    c.material.shear_modulus = 1;
    c.material.poisson_ratio = poisson_ratio;
  }
  c.time.integrator = Integrator::velocity_verlet;
  c.time.step = 0.1 / std::sqrt(stiffness);
  c.time.override_limit = true;  // the limit before the run counts on an overlap of 1 % of the diameter
  c.material.mass_damping = 0.05 / c.time.step;
  Stage strain, rest;
  strain.name = "strain";
  strain.cell.emplace();
  const double duration = strain_steps * c.time.step;
  strain.cell->component[0].rate = strain_x / duration;
  strain.cell->component[1].rate = strain_y / duration;
  strain.duration = duration;
  rest.name = "rest";
  rest.cell.emplace();
  rest.duration = rest_steps * c.time.step;
  c.stages = {strain, rest};
  return c;
}

FccMeasurement measure_fcc(const FccState& s, double strain) {
  const double e = strain * s.overlap;
  const Tensor3 up = stress_after(s, true, e, 0), down = stress_after(s, true, -e, 0),
                start = stress_after(s, true, 0, 0);
  const Tensor3 turned_up = stress_after(s, false, e, -e), turned_down = stress_after(s, false, -e, e);
  FccMeasurement out;
  out.pressure = mean_pressure(start, 3);
  out.moduli.c11 = (up.m[0][0] - down.m[0][0]) / (2 * e);
  out.moduli.c12 = (up.m[1][1] - down.m[1][1]) / (2 * e);
  // C′11 − C′12 = 2 C44 in axes turned by 45°.
  out.moduli.c44 = (turned_up.m[0][0] - turned_down.m[0][0] - turned_up.m[1][1] + turned_down.m[1][1]) / (8 * e);
  return out;
}

}  // namespace dem::validation::kuhn2011::stiffness
