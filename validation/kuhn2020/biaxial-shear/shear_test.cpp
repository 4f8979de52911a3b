#include "validation/kuhn2020/biaxial-shear/shear_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "libdem/case/case_file.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/stress.hpp"
#include "libdem/run/row_columns.hpp"

namespace dem::validation::kuhn2020 {

namespace {

/// Twice the deviator of T along the axis at angle θ, over its trace.
double anisotropy(const Tensor3& t, double theta) {
  return 2 * ((t.xx() - t.yy()) * std::cos(2 * theta) + (t.xy() + t.yx()) * std::sin(2 * theta)) / (t.xx() + t.yy());
}

ShearRow measure(const Simulation& run, Loading loading, const CellVector& origin) {
  const CellDriver& cell = *run.driver<CellDriver>();
  const auto contacts = run.contacts();
  const auto free = free_bodies(run.state().bodies);
  const Tensor3& s = cell.stress();
  const Coordination z = coordination_of(contacts, run.state().bodies, free);
  const Tensor3 fabric = fabric_tensor(contacts, free);
  ShearRow row;
  row.xx = s.xx(), row.yy = s.yy(), row.xy = s.xy(), row.yx = s.yx();
  row.strain_xx = cell.strains()[0] - origin[0], row.strain_yy = cell.strains()[1] - origin[1],
  row.strain_xy = cell.strains()[3] - origin[3];
  row.gamma = loading == Loading::biaxial ? row.strain_xx - row.strain_yy : row.strain_xy;
  row.void_ratio = cell.void_ratio();
  row.servo = cell.largest_servo_error();
  row.inertial = cell_inertial_number(run);
  row.unbalanced = mean_unbalanced_force(contacts, run.state().bodies);
  row.coordination = z.by_pairs, row.backbone = z.backbone_by_pairs,
  row.backbone_share = double(z.backbone) / double(z.bodies);
  row.sliding = count_contacts(contacts, run.state().bodies, free).sliding_fraction();
  row.fabric_xx = fabric.xx(), row.fabric_xy = fabric.xy();
  row.a = anisotropies(contacts, row.compression());
  return row;
}

static_assert(sizeof(ShearRow) == ShearRow::numbers * sizeof(double));

}  // namespace

Anisotropies anisotropies(std::span<const ContactRecord> contacts, double theta) {
  Tensor3 contact, normal, force, branch;
  for (const ContactRecord& c : contacts) {
    contact.add(1, c.normal, c.normal);
    normal.add(-dot(c.force, c.normal), c.normal, c.normal);
    force.add(-1, c.force, c.normal);
    branch.add(1, c.branch, c.normal);
  }
  const double of_contacts = anisotropy(contact, theta), of_normal = anisotropy(normal, theta);
  return {of_contacts, of_normal - of_contacts, anisotropy(force, theta) - of_normal,
          anisotropy(branch, theta) - of_contacts};
}

std::string ShearTest::label() const {
  return fmt::format("{}, {}", loading == Loading::biaxial ? "biaxial" : "simple shear",
                     bodies == Bodies2D::discs ? "discs" : "pentagons");
}

double ShearRow::sine() const { return std::hypot(0.5 * (xx - yy), 0.5 * (xy + yx)) / (-0.5 * (xx + yy)); }
double ShearRow::compression() const { return 0.5 * std::atan2(-0.5 * (xy + yx), -0.5 * (xx - yy)); }
double ShearRow::fabric_direction() const { return 0.5 * std::atan2(fabric_xy, fabric_xx - 0.5); }

double between_axes(double a, double b) { return std::abs(std::remainder(a - b, std::numbers::pi)); }

Case shear_case(const ShearTest& test, const std::filesystem::path& sources, bool quick) {
  Case c = read_case(sources / (test.bodies == Bodies2D::discs ? "discs.toml" : "pentagons.toml"));
  double faster = 1;
  if (quick) {
    c.assembly.random->count = test.bodies == Bodies2D::discs ? 300 : 100;
    c.stages.back().strain = 0.02;
    faster = 3;
  }
  Stage& shear = c.stages.back();
  CellDrive& drive = *shear.cell;
  CellComponent &xx = drive.component[0], &yy = drive.component[1], &xy = drive.component[3];
  yy.rate *= faster;
  if (test.loading == Loading::biaxial) return c;
  c.title += ": simple shear at constant normal stress instead";
  const double pressure = -xx.stress, rate = yy.rate;
  xx = {};
  yy = {CellComponent::Mode::stress, 0, -pressure};
  xy = {CellComponent::Mode::rate, -2 * rate, 0};
  *shear.strain *= 2;
  return c;
}

ShearPath run_shear_test(const Case& c, Loading loading, std::size_t rows, TaskProgress& progress) {
  Simulation run(c);
  ShearPath path;
  const std::size_t shear = c.stages.size() - 1;
  while (run.stage() < shear) run.step();
  path.pack_steps = double(run.step_count());
  const CellVector origin = run.driver<CellDriver>()->strains();
  const double steps = *c.stages[shear].strain / (std::abs(run.driver<CellDriver>()->stage_rate()) * c.time.step);
  path.rows.push_back(measure(run, loading, origin));
  std::size_t next = 1;
  while (!run.finished()) {
    run.step();
    const double done = double(run.step_count()) - path.pack_steps;
    if (!run.finished() && done < double(next) * steps / double(rows)) continue;
    ++next;
    path.rows.push_back(measure(run, loading, origin));
    if (double(next) > 0.9 * double(rows))
      for (const ContactRecord& contact : run.contacts()) {
        const double angle =
            std::atan2(contact.normal.y, contact.normal.x) + (contact.normal.y < 0 ? std::numbers::pi : 0);
        ++path.directions[std::min(direction_bins - 1, std::size_t(angle / std::numbers::pi * double(direction_bins)))];
      }
    progress.done(done / steps);
  }
  path.steps = double(run.step_count()) - path.pack_steps;
  path.servo_mean = run.driver<CellDriver>()->record().mean(),
  path.servo_largest = run.driver<CellDriver>()->record().largest;
  const EnergyLedger ledger = run.ledger();
  path.residual = ledger.relative_residual();
  path.circulation = std::abs(ledger.circulation) / ledger.absolute_work;
  return path;
}

std::vector<double> ShearPath::pack() const {
  std::vector<double> out{residual, circulation, servo_mean, servo_largest, steps, pack_steps};
  out.insert(out.end(), directions.begin(), directions.end());
  const std::size_t head = out.size();
  out.resize(head + rows.size() * ShearRow::numbers);
  std::memcpy(out.data() + head, rows.data(), rows.size() * sizeof(ShearRow));
  return out;
}

ShearPath ShearPath::unpack(const std::vector<double>& n) {
  ShearPath path;
  path.residual = n[0], path.circulation = n[1], path.servo_mean = n[2], path.servo_largest = n[3], path.steps = n[4],
  path.pack_steps = n[5];
  const std::size_t head = 6 + direction_bins;
  std::copy_n(n.begin() + 6, direction_bins, path.directions.begin());
  path.rows.resize((n.size() - head) / ShearRow::numbers);
  std::memcpy(static_cast<void*>(path.rows.data()), n.data() + head, path.rows.size() * sizeof(ShearRow));
  return path;
}

}  // namespace dem::validation::kuhn2020
