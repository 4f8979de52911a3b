#include "validation/kuhn2020/probes/probe.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "libdem/drivers/cell_drive.hpp"
#include "libdem/laws/linear_refined.hpp"

namespace dem::validation::kuhn2020 {

namespace {

double apart(double a, double b) { return std::abs(std::remainder(a - b, 2 * std::numbers::pi)); }

struct Fit {
  double a = 0, b = 0;
};

/// Least squares of r = a cos φ + b sin φ over the points that `lobe` says, without point `left_out`.
Fit fitted(const std::vector<Response>& points, const std::vector<std::size_t>& lobe, std::size_t left_out) {
  double cc = 0, cs = 0, ss = 0, rc = 0, rs = 0;
  for (const std::size_t k : lobe) {
    if (k == left_out) continue;
    const double c = std::cos(points[k].direction), s = std::sin(points[k].direction);
    cc += c * c, cs += c * s, ss += s * s, rc += points[k].radius * c, rs += points[k].radius * s;
  }
  const double d = cc * ss - cs * cs;
  return {(rc * ss - rs * cs) / d, (rs * cc - rc * cs) / d};
}

constexpr std::size_t none = ~std::size_t{0};
constexpr double half_lobe = 75 * std::numbers::pi / 180;

std::vector<std::size_t> large_lobe(const std::vector<Response>& points) {
  double top = 0, direction = 0;
  for (const Response& p : points)
    if (p.radius > top) top = p.radius, direction = p.direction;
  std::vector<std::size_t> lobe;
  for (int round = 0; round < 4; ++round) {
    lobe.clear();
    for (std::size_t k = 0; k < points.size(); ++k)
      if (apart(points[k].direction, direction) < half_lobe) lobe.push_back(k);
    if (lobe.size() < 2) break;
    const Fit f = fitted(points, lobe, none);
    direction = std::atan2(f.b, f.a);
  }
  return lobe;
}

double diameter(const Fit& f) { return std::hypot(f.a, f.b); }

}  // namespace

const char* name_of(ProbeModel m) {
  static constexpr const char* names[] = {"all refinements",
                                          "conventional",
                                          "without the part of the step",
                                          "without the onset",
                                          "without the turning of the sliding force",
                                          "projection and Eq. 23"};
  return names[int(m)];
}

Rendulic rendulic(double x11, double x22, double x33) {
  return {(x11 + x22 + x33) / std::sqrt(3.0), (2 * x11 - x22 - x33) / std::sqrt(6.0), (x22 - x33) / std::sqrt(2.0)};
}

Eigen::Vector3d principal(const Rendulic& r) {
  const double v = r(0) / std::sqrt(3.0), d = r(1) / std::sqrt(6.0), t = r(2) / std::sqrt(2.0);
  return {v + 2 * d, v - d + t, v - d - t};
}

ProbeResult run_probe(Case c, const std::filesystem::path& state, const Probe& probe) {
  using M = ProbeModel;
  laws::LinearRefined::Options& r = c.contact.law.options<laws::LinearRefined>();
  if (probe.model == M::conventional)
    r = {false, false, false, SlidingWork::trapezoid};  // the law `linear`, from the same stored forces
  if (probe.model == M::whole_step) r.part_of_step = false;
  if (probe.model == M::no_onset) r.onset = false;
  if (probe.model == M::no_direction) r.direction = false;
  if (probe.model == M::first_order_transport) c.contact.transport = Transport::projection_twirl;
  const double dt = c.time.step;
  const Eigen::Vector3d strain = principal(probe.strain);
  for (int k = 0; k < probe.steps; ++k) {
    Stage step = rest(dt), wait = rest(probe.relaxation * dt);
    for (int a = 0; a < 3; ++a) step.cell->component[std::size_t(a)].rate = -strain(a) / (probe.steps * dt);
    if (probe.no_slip) step.friction = wait.friction = 1e30;
    c.stages.push_back(step);
    if (probe.relaxation > 0) c.stages.push_back(wait);
  }
  Simulation run(c);
  restore(run, state);
  const auto now = [&] {
    const Tensor3& s = run.driver<CellDriver>()->stress();
    return rendulic(-s.m[0][0], -s.m[1][1], -s.m[2][2]);
  };
  const Rendulic before = now();
  const EnergyLedger start = run.ledger();
  while (!run.finished()) run.step();
  const EnergyLedger end = run.ledger();
  ProbeResult result;
  result.stress = now() - before;
  result.friction = end.friction - start.friction;
  const double work = end.absolute_work - start.absolute_work;
  result.balance = work > 0 ? (end.residual() - start.residual()) / work : 0;
  return result;
}

Stiffness reversible_stiffness(const std::vector<Rendulic>& strain, const std::vector<Rendulic>& stress) {
  Eigen::MatrixXd e(strain.size(), 3), s(strain.size(), 3);
  for (std::size_t k = 0; k < strain.size(); ++k) {
    e.row(Eigen::Index(k)) = strain[k].transpose();
    s.row(Eigen::Index(k)) = stress[k].transpose();
  }
  Stiffness out;
  out.k = ((e.transpose() * e).inverse() * (e.transpose() * s)).transpose();
  out.misfit = (s - e * out.k.transpose()).norm() / s.norm();
  out.asymmetry = std::abs(out.k(0, 1) - out.k(1, 0)) / std::abs(0.5 * (out.k(0, 1) + out.k(1, 0)));
  return out;
}

Response response(const Stiffness& k, const Rendulic& strain, const Rendulic& stress) {
  const Rendulic irreversible = strain - k.k.inverse() * stress;
  return {std::atan2(stress(1), stress(0)),
          std::hypot(irreversible(0), irreversible(1)) / std::hypot(stress(0), stress(1))};
}

Circle fit_circle(const std::vector<Response>& points) {
  Circle c;
  const std::vector<std::size_t> lobe = large_lobe(points);
  c.points = lobe.size();
  if (lobe.size() < 3) return c;
  const Fit f = fitted(points, lobe, none);
  c.diameter = diameter(f);
  c.direction = std::atan2(f.b, f.a);
  double square = 0, spread = 0;
  for (const std::size_t k : lobe) {
    const double off = points[k].radius - f.a * std::cos(points[k].direction) - f.b * std::sin(points[k].direction);
    square += off * off;
    const double without = diameter(fitted(points, lobe, k)) / c.diameter - 1;
    spread += without * without;
  }
  c.misfit = std::sqrt(square / double(lobe.size())) / c.diameter;
  c.error = std::sqrt(spread * double(lobe.size() - 1) / double(lobe.size()));
  for (const Response& p : points)
    if (apart(p.direction, c.direction) > 110 * std::numbers::pi / 180)
      c.opposite = std::max(c.opposite, p.radius / c.diameter);
  return c;
}

ModulusDifference modulus_difference(const std::vector<Response>& reference, const std::vector<Response>& other) {
  const std::vector<std::size_t> lobe = large_lobe(reference);
  if (lobe.size() < 4) return {std::nan(""), std::nan("")};
  const auto value = [&](std::size_t without) {
    return diameter(fitted(reference, lobe, without)) / diameter(fitted(other, lobe, without)) - 1;
  };
  ModulusDifference d{value(none), 0};
  double mean = 0, square = 0;
  for (const std::size_t k : lobe) mean += value(k) / double(lobe.size());
  for (const std::size_t k : lobe) square += (value(k) - mean) * (value(k) - mean);
  d.error = std::sqrt(square * double(lobe.size() - 1) / double(lobe.size()));
  return d;
}

}  // namespace dem::validation::kuhn2020
