#include "validation/kuhn2011/biaxial/compression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "geometry/random.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/run/row_columns.hpp"

namespace dem::validation::kuhn2011 {

namespace {

static_assert(sizeof(CompressionRow) == CompressionRow::numbers * sizeof(double));
constexpr std::size_t head = 6;

CompressionRow measure(const Simulation& run) {
  const CellDriver& cell = *run.driver<CellDriver>();
  const auto contacts = run.contacts();
  const auto memory = run.contact_engine().history_memory().value_or(HistoryMemory{});
  CompressionRow r;
  r.strain = -cell.strains()[2];
  r.volume = cell.strains()[0] + cell.strains()[1] + cell.strains()[2];
  r.p = mean_pressure(cell.stress(), 3);
  r.q = deviator_stress(cell.stress(), 3);
  r.contacts = double(run.contact_count());
  r.sliding = count_contacts(contacts, run.state().bodies).sliding_fraction();
  r.legs = memory.mean_length();
  r.bytes = double(memory.reserved);
  r.exact_legs = memory.exact_length();
  r.merge_error = memory.merge_error;
  r.unbalanced = mean_unbalanced_force(contacts, run.state().bodies);
  r.inertial = run.step_count() > 0 ? cell_inertial_number(run) : 0;
  r.servo = run.step_count() > 0 ? cell.largest_servo_error() : 0;
  return r;
}

}  // namespace

Case compression_case(const Packing& packing, const LawVariant& law, const CompressionChoice& choice) {
  Case c = case_of(packing);
  c.title = fmt::format("{} spheres, biaxial compression, {}", packing.radius.size(), law.name);
  law.choose(c);
  Stage s;
  s.name = "compress";
  s.cell.emplace();
  s.cell->component[0] = {CellComponent::Mode::stress, 0, -confining_pressure};
  s.cell->component[2] = {CellComponent::Mode::rate, -choice.strain_per_step / time_step, 0};
  s.strain = choice.strain;
  c.stages = {s};
  return c;
}

void shift_start(Packing& packing, std::uint64_t seed) {
  geometry::Random random(seed);
  const auto step = [&] { return 1e-10 * mean_radius * (2 * random.uniform() - 1); };
  for (Vec3& x : packing.position) x += Vec3{step(), step(), step()};
}

Compression compress(const Case& c, const CompressionChoice& choice, TaskProgress& progress) {
  Simulation run(c);
  Compression out;
  out.rows.push_back(measure(run));
  while (!run.finished()) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu = cpu_seconds();
    for (std::uint64_t k = 0; k < choice.rows_every && !run.finished(); ++k) run.step();
    out.cpu += cpu_seconds() - cpu;
    out.wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    out.rows.push_back(measure(run));
    out.contact_steps += out.rows.back().contacts * double(choice.rows_every);
    out.margin = std::max(out.margin, c.time.step / run.measured_limit()->dt);
    progress.done(run.stage_progress());
  }
  out.steps = double(run.step_count());
  out.residual = run.ledger().relative_residual();
  return out;
}

std::vector<double> Compression::pack() const {
  const double first[head] = {steps, cpu, wall, margin, residual, contact_steps};
  std::vector<double> out(head + rows.size() * CompressionRow::numbers);
  std::copy_n(first, head, out.begin());
  std::memcpy(out.data() + head, rows.data(), rows.size() * sizeof(CompressionRow));
  return out;
}

Compression Compression::unpack(const std::vector<double>& n) {
  Compression c{{}, n[0], n[1], n[2], n[3], n[4], n[5]};
  c.rows.resize((n.size() - head) / CompressionRow::numbers);
  std::memcpy(static_cast<void*>(c.rows.data()), n.data() + head, c.rows.size() * sizeof(CompressionRow));
  return c;
}

const CompressionRow& Compression::at(double strain) const {
  return *std::ranges::min_element(rows, {}, [&](const CompressionRow& r) { return std::abs(r.strain - strain); });
}

double Compression::peak_ratio() const {
  return std::ranges::max_element(rows, {}, [](const CompressionRow& r) { return r.ratio(); })->ratio();
}

double Compression::mean_ratio(double from, double to) const {
  double sum = 0, n = 0;
  for (const CompressionRow& r : rows)
    if (r.strain >= from && r.strain <= to) sum += r.ratio(), n += 1;
  return sum / n;
}

double Compression::peak_bytes() const {
  return std::ranges::max_element(rows, {}, [](const CompressionRow& r) { return r.bytes; })->bytes;
}

}  // namespace dem::validation::kuhn2011
