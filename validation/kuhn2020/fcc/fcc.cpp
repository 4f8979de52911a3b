// A face-centred cubic packing of equal spheres compressed to failure in a periodic cell: cell, servo and friction
// against closed forms. Source of the forms: C. Thornton, The conditions for failure of a face-centered cubic array of
// uniform rigid spheres, Géotechnique 29 (1979) 441.
//
// Both hold for compression along z = [001]; derived here for contacts of normal force N and friction μN, normals from
// the cell's own shape.
//   Triaxial (x = [100], y = [010], σ_x = σ_y held): the four contacts in the plane ⟂ z open. The other eight, normals
//   (±s, 0, ±c) and (0, ±s, ±c), slide:  σ_z/σ_x = 2 c (c + μ s)/[s (s − μ c)], at s = c = 1/√2: 2 (1 + μ)/(1 − μ).
//   Plane strain (x = [110], y = [1̄10] at rest, σ_x held): contacts along x open, those along y stay and do not slide;
//   the eight with normals (±a, ±b, ±c) slide in the plane ⟂ y along (c, 0, −a)/r, r = √(a² + c²): σ_z/σ_x = c (c + μ
//   a/r)/[a (a − μ c/r)], at a = 1/2, c = 1/√2: 2 (√3 + √2 μ)/(√3 − 2√2 μ).
// With cubic axes plane strain is impossible for rigid spheres: contacts (0, ±1, ±1)/√2 would have to shorten.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libdem/case/case_file.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/run/simulation.hpp"
#include "validation/fcc_packing.hpp"
#include "validation/kuhn2020/claims.hpp"
#include "validation/kuhn2020/studies.hpp"

namespace dem::validation::kuhn2020 {

namespace {

enum class Loading { triaxial, plane_strain };
const char* name_of(Loading l) { return l == Loading::triaxial ? "triaxial" : "plane strain"; }

double closed_form(Loading l, double mu) {
  const double r2 = std::sqrt(2.0), r3 = std::sqrt(3.0);
  return l == Loading::triaxial ? 2 * (1 + mu) / (1 - mu) : 2 * (r3 + r2 * mu) / (r3 - 2 * r2 * mu);
}

/// The same with the branch (x, y, z) of a sliding contact as the deformed cell has it.
double closed_form_at(Loading l, double mu, Vec3 branch) {
  const double length = norm(branch), c = branch.z / length;
  if (l == Loading::triaxial) {
    const double s = branch.x / length;
    return 2 * c * (c + mu * s) / (s * (s - mu * c));
  }
  const double a = branch.x / length, r = std::hypot(a, c);
  return c * (c + mu * a / r) / (a * (a - mu * c / r));
}

struct Test {
  Loading loading;
  double friction, pressure;  // p l/k_n
  const char* law;
};

/// Unit sphere diameter and stiffness. Cubic cell of 4 spheres, or its tetragonal form of 2 with x = [110].
Case fcc_case(const Test& t) {
  // p = 2√2 f/l², f = k_n ζ: twelve contacts a sphere, volume l³/√2 a sphere.
  const double overlap = t.pressure / (2 * std::sqrt(2.0));
  Case c = fcc_packing(t.loading == Loading::triaxial, 1 - overlap);
  c.title = fmt::format("FCC packing, {}", name_of(t.loading));
  c.material.normal_stiffness = c.material.tangential_stiffness = 1;
  c.material.friction = t.friction;
  c.material.normal_damping = c.material.tangential_damping = 0;
  c.contact.law = t.law;
  c.time.integrator = Integrator::velocity_verlet;
  c.time.step = 0.1;
  c.material.mass_damping = 0.2;
  c.output.ledger = true;
  Stage load;
  load.name = "compression";
  CellDrive drive;
  using Mode = CellComponent::Mode;
  // With much friction the ratio climbs far beyond the strain at which the weaker packings fail.
  const int paths = t.friction > 0.35 ? 8 : 1;
  const double strain = 60 * overlap * paths;
  const int steps = 12000 * paths;
  drive.component[0] = {Mode::stress, 0, -t.pressure};
  drive.component[1] = t.loading == Loading::triaxial ? CellComponent{Mode::stress, 0, -t.pressure} : CellComponent{};
  drive.component[2] = {Mode::rate, -strain / (steps * c.time.step), 0};
  load.cell = drive;
  load.strain = strain;
  c.stages = {load};
  return c;
}

/// Rows of five numbers: strain, σ_z/σ_x, closed form at this shape of the cell, servo error, largest turn of a sphere
/// (rad); then the ledger's residual.
std::vector<double> compress(const Test& t) {
  Simulation run(fcc_case(t));
  const int nx = t.loading == Loading::triaxial ? 3 : 4, nz = 3;
  std::vector<double> out;
  while (!run.finished()) {
    run.step();
    if (run.step_count() % 40 != 0) continue;
    const Tensor3& s = run.driver<CellDriver>()->stress();
    const auto& v = run.state().cell.vectors;
    // Half the edges of the lattice's cell.
    const Vec3 branch{0.5 * v[0].x / nx, 0.5 * v[1].y / nx, 0.5 * v[2].z / nz};
    double turn = 0;
    for (const Vec3 r : run.state().bodies.rotation[0].stored()) turn = std::max(turn, norm(r));
    out.insert(out.end(),
               {-run.driver<CellDriver>()->strains()[2], s.m[2][2] / s.m[0][0],
                closed_form_at(t.loading, t.friction, branch), run.driver<CellDriver>()->largest_servo_error(), turn});
  }
  out.push_back(run.ledger().relative_residual());
  return out;
}

struct Curves {
  Test test;
  std::vector<double> strain, ratio, form, servo, turn;
  double residual = 0, peak = 0, bound = 0;  // bound: largest ratio/form − 1
};

}  // namespace

void fcc(StudyRun& run) {
  std::vector<Test> tests;
  const std::vector<double> frictions =
      run.quick() ? std::vector<double>{0.3} : std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5};
  const std::vector<double> pressures =
      run.quick() ? std::vector<double>{1e-4, 1e-5} : std::vector<double>{1e-3, 1e-4, 1e-5, 1e-6};
  for (const Loading l : {Loading::triaxial, Loading::plane_strain})
    for (const char* law : {"linear-refined", "linear"})
      for (const double mu : frictions)
        for (const double p : pressures)
          if ((mu == 0.3 || p == pressures.back()) &&
              !(run.quick() && std::string_view(law) == "linear" && p != pressures.back()))
            tests.push_back({l, mu, p, law});
  const auto results = run.tasks(
      "runs", tests.size(), [&](std::size_t k, TaskProgress&) { return compress(tests[k]); },
      fmt::format("fcc 4: {} tests\n{}", tests.size(), resolved_case(fcc_case(tests.front()))));
  std::vector<Curves> all;
  for (std::size_t k = 0; k < tests.size(); ++k) {
    if (!results[k].done) throw std::runtime_error("a run of the fcc study failed: " + results[k].message);
    Curves c{tests[k], {}, {}, {}, {}, {}};
    const auto& n = results[k].numbers;
    for (std::size_t at = 0; at + 5 < n.size(); at += 5) {
      c.strain.push_back(n[at]);
      c.ratio.push_back(n[at + 1]);
      c.form.push_back(n[at + 2]);
      c.servo.push_back(n[at + 3]);
      c.turn.push_back(n[at + 4]);
    }
    c.residual = n.back();
    c.peak = *std::ranges::max_element(c.ratio);
    c.bound = -1;
    for (std::size_t r = 0; r < c.ratio.size(); ++r) c.bound = std::max(c.bound, c.ratio[r] / c.form[r] - 1);
    all.push_back(std::move(c));
  }

  Figure figure;
  figure.id = "kuhn2020/fcc";
  figure.title = "Face-centred cubic packing under compression";
  figure.caption =
      "Periodic cell, compression along [001] at a constant rate, lateral stress held by the servo. Strain over "
      "overlap/diameter at the start. "
      "Dashed: closed form of rigid spheres.";
  for (const Loading l : {Loading::triaxial, Loading::plane_strain}) {
    Panel panel{name_of(l), "strain / start overlap", "σ1/σ3", false, false, {}, {}};
    for (const Curves& c : all)
      if (c.test.loading == l && std::string_view(c.test.law) == "linear-refined" &&
          c.test.pressure == pressures.back()) {
        Curve line{fmt::format("μ = {:g}", c.test.friction), {}, c.ratio, {}, {}, Curve::Style::line};
        for (double e : c.strain) line.x.push_back(e / (c.test.pressure / (2 * std::sqrt(2.0))));
        const double end = line.x.back(), value = closed_form(l, c.test.friction);
        panel.curves.push_back(std::move(line));
        panel.curves.push_back({fmt::format("μ = {:g}, closed form", c.test.friction),
                                {0, end},
                                {value, value},
                                {},
                                {},
                                Curve::Style::prediction});
      }
    figure.panels.push_back(std::move(panel));
  }
  figure.case_text = resolved_case(fcc_case({Loading::triaxial, 0.3, pressures.back(), "linear-refined"}));
  figure.command = "dem validate kuhn2020/fcc";
  run.figure(std::move(figure));

  for (const Loading l : {Loading::triaxial, Loading::plane_strain}) {
    const std::string id = l == Loading::triaxial ? "triaxial" : "plane-strain";
    const double wanted = closed_form(l, 0.3);
    std::string text, after;
    double worst = 0, shape = 0, residual = 0, servo = 0;
    for (const Curves& c : all) {
      if (c.test.loading != l) continue;
      shape = std::max(shape, std::abs(c.bound));
      if (c.test.friction == 0.3 && c.test.pressure == pressures.back() &&
          std::string_view(c.test.law) == "linear-refined")
        after = fmt::format(
            "{:.4f} at the end of the strain, where spheres have turned by up to {:.1e} rad at a strain of {:.1e}",
            c.ratio.back(), c.turn.back(), c.strain.back());
      residual = std::max(residual, c.residual);
      for (std::size_t r = c.servo.size() / 10; r < c.servo.size(); ++r) servo = std::max(servo, std::abs(c.servo[r]));
      if (c.test.pressure == pressures.back())
        worst = std::max(worst, std::abs(c.peak / closed_form(l, c.test.friction) - 1));
      if (c.test.friction == 0.3)
        text +=
            fmt::format("{}{:.5f} ({}, p l/k_n = {:g})", text.empty() ? "" : ", ", c.peak, c.test.law, c.test.pressure);
    }
    run.claim({id, "C. Thornton, Géotechnique 29 (1979) 441",
               l == Loading::triaxial ? "triaxial: σ1/σ3 = 2(1+μ)/(1−μ), 3.714 at μ = 0.3"
                                      : "plane strain: σ1/σ3 = 2(√3+√2μ)/(√3−2√2μ), 4.881 at μ = 0.3",
               fmt::format("largest ratio at μ = 0.3 (closed form {:.5f}): {}; friction {:g} to {:g} at the smallest "
                           "p: off by {:.1e} at most",
                           wanted, text, frictions.front(), frictions.back(), worst),
               "1e-3: overlaps of the smallest p change the ratio by less, and the servo holds 0.1 %",
               verdict(worst <= 1e-3),
               l == Loading::triaxial ? "Compression along [001], cubic axes; the contacts in the plane across open "
                                        "first. Rigid spheres are the limit of small p l/k_n."
                                      : "Compression along [001], x = [110], y = [1̄10] at rest; contacts along x open "
                                        "first, those along y carry load without sliding."});
    run.claim(
        {id + "-shape", "Derived in this study from the same mechanism, with the deformed cell",
         "the closed form with the contact directions of the deformed cell is reached and never exceeded",
         fmt::format("largest σ1/σ3 over the form at that moment, all runs: off 1 by {:.1e} at most; servo error "
                     "{:.1e}, ledger residual "
                     "{:.1e} of the absolute work; μ = 0.3: {}",
                     shape, servo, residual, after),
         "2e-3: the 0.1 % of the servo on either stress", verdict(shape <= 2e-3 && residual <= 1e-3),
         l == Loading::triaxial
             ? "Removes what the finite overlap changes. Beyond its peak the lattice leaves the uniform mechanism, in "
               "which "
               "no sphere turns, for a softer one."
             : "Removes what the finite overlap changes; the mechanism goes on, σ1/σ3 follows the shape of the cell."});
  }
}

}  // namespace dem::validation::kuhn2020
