#include "validation/pena2008/slow-shear/shear_run.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "libdem/drivers/plates.hpp"
#include "libdem/measure/dimensionless.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/profiles.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/state/view.hpp"

namespace dem::validation::pena2008 {
namespace {

constexpr std::uint64_t energy_interval = 10;  // steps: half a contact time
constexpr std::size_t layers = 16;

/// Fields of a record that have an entry a row, in the order in which they are written.
template <class Record>
auto series_of(Record& r) {
  return std::array{&r.strain,  &r.shear_bottom, &r.shear_top,    &r.normal,
                    &r.kinetic, &r.sliding,      &r.coordination, &r.height};
}
template <class Record>
auto scalars_of(Record& r) {
  return std::array{&r.start_height, &r.inertial, &r.stiffness, &r.plane_jumps_per_million, &r.ledger_residual};
}
template <class Record>
auto layers_of(Record& r) {
  return std::array{&r.layer_height, &r.layer_shift, &r.layer_rotation};
}

/// The run and what it has measured so far.
class ShearRun {
 public:
  ShearRun(const Case& c, double discard) : run_(c), discard_(discard), free_(free_bodies(run_.state().bodies)) {
    steps_per_row_ = std::uint64_t(std::lround(c.output.series_interval / c.time.step));
    for (std::size_t k = 1; k < c.stages.size(); ++k) strain_ += c.stages[k].strain.value_or(0);
    if (steps_per_row_ == 0 || !(strain_ > 0))
      throw std::invalid_argument(
          "the slow-shear study needs a series_interval, a stage of compression, and stages that end at a strain");
  }

  bool finished() const { return run_.finished(); }
  double share() const { return run_.stage() == 0 ? 0 : std::min(1.0, run_.strain() / strain_); }

  void step() {
    const bool shearing = run_.stage() >= 1;
    run_.step();
    contact_steps_ += double(run_.contact_count());
    if (!shearing) return;
    const WallStress& wall = run_.driver<Plates>()->stress();
    if (record_.start_height == 0) record_.start_height = run_.driver<Plates>()->height();
    sums_[0] += wall.shear_bottom, sums_[1] += wall.shear_top, sums_[2] += wall.normal();
    if (++steps_in_row_ % energy_interval == 0)
      sums_[3] += kinetic_energy(run_.state().bodies, run_.state().dt).total(), sums_[4] += 1;
    if (reference_position_.empty() && run_.strain() >= discard_) {
      reference_position_ = run_.state().bodies.position[0].by_number();
      reference_rotation_ = run_.state().bodies.rotation[0].by_number();
      reference_strain_ = run_.strain();
    }
    if (steps_in_row_ == steps_per_row_) end_row();
  }

  ShearRecord record();
  void save(const std::filesystem::path&) const;
  void load(const std::filesystem::path&);

 private:
  void end_row() {
    const double n = double(steps_in_row_);
    const ContactCounts counts = count_contacts(run_.contacts(), run_.state().bodies, free_);
    record_.strain.push_back(run_.strain());
    record_.shear_bottom.push_back(sums_[0] / n);
    record_.shear_top.push_back(sums_[1] / n);
    record_.normal.push_back(sums_[2] / n);
    record_.kinetic.push_back(sums_[3] / sums_[4]);
    record_.sliding.push_back(counts.sliding_fraction());
    record_.coordination.push_back(counts.coordination);
    record_.height.push_back(run_.driver<Plates>()->height());
    std::fill(sums_.begin(), sums_.end(), 0.0);
    steps_in_row_ = 0;
  }

  Simulation run_;
  double discard_, strain_ = 0;  // of all stages together
  std::vector<std::uint8_t> free_;
  std::uint64_t steps_per_row_ = 0, steps_in_row_ = 0;
  std::array<double, 5> sums_{};
  double contact_steps_ = 0, reference_strain_ = 0;
  std::vector<Vec3> reference_position_, reference_rotation_;
  ShearRecord record_;
};

ShearRecord ShearRun::record() {
  ShearRecord r = record_;
  const State& state = run_.state();
  const Case& c = run_.given();
  r.inertial = inertial_number(c.stages.back().shear_rate, run_.mean_diameter(), c.material.density,
                               c.stages.back().normal_stress);
  r.stiffness = INFINITY;
  for (const double normal : r.normal)
    r.stiffness = std::min(r.stiffness, stiffness_number(c.material.normal_stiffness, normal));
  r.plane_jumps_per_million = 1e6 * double(run_.plane_watch()->plane_jumps()) / contact_steps_;
  r.ledger_residual = run_.ledger().relative_residual();
  r.time_step = c.time.step;

  double bottom = 0, particles = 0;
  const std::size_t plate = state.find_group("bottom-plate");
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    if (state.bodies.group[b] == plate) bottom += state.bodies.position[0][b].y, particles += 1;
  bottom /= particles;
  const double height = run_.driver<Plates>()->height(), gained = run_.strain() - reference_strain_;
  if (!reference_position_.empty() && gained > 0) {
    const Profile p = displacement_profile(state.bodies, state.shapes, reference_position_, reference_rotation_,
                                           {bottom, bottom + height, layers}, ProfileWeight::area, free_);
    for (std::size_t k = 0; k < layers; ++k) {
      r.layer_height.push_back((p.y[k] - bottom) / height);
      r.layer_shift.push_back(p.u_x[k] / (gained * height));
      r.layer_rotation.push_back(p.rotation[k] / gained);
    }
  }

  const double width = state.cell.vectors[0].x;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    DrawnPolygon drawn;
    const Vec3 at = state.bodies.position[0][b];
    const double x = at.x - width * std::floor((at.x - state.cell_origin.x) / width),
                 angle = state.bodies.rotation[0][b].z;
    for (const Vec2 v : state.shape_of(b).polygon().front().vertices()) {
      drawn.x.push_back(x + std::cos(angle) * v.x - std::sin(angle) * v.y);
      drawn.y.push_back(at.y + std::sin(angle) * v.x + std::cos(angle) * v.y);
    }
    drawn.role = free_[b] ? "body-i" : "body-j";
    r.picture.push_back(std::move(drawn));
  }
  return r;
}

void ShearRun::save(const std::filesystem::path& file) const {
  write_checkpoint(file, {this_build().program_version, run_.step_count(), run_.time()}, [&](ArchiveWriter& archive) {
    run_.save(archive);
    std::vector<double> own{double(steps_in_row_), contact_steps_, reference_strain_, record_.start_height};
    own.insert(own.end(), sums_.begin(), sums_.end());
    archive.put("study/sums", std::span<const double>(own));
    std::vector<double> reference;
    for (const auto* part : {&reference_position_, &reference_rotation_})
      for (const Vec3 v : *part) reference.insert(reference.end(), {v.x, v.y, v.z});
    archive.put("study/reference", std::span<const double>(reference));
    std::vector<double> rows;
    for (const auto* column : series_of(record_)) rows.insert(rows.end(), column->begin(), column->end());
    archive.put("study/rows", std::span<const double>(rows));
  });
}

void ShearRun::load(const std::filesystem::path& file) {
  const Checkpoint checkpoint = read_checkpoint(file);
  run_.load(checkpoint);
  const auto own = checkpoint.doubles("study/sums"), reference = checkpoint.doubles("study/reference"),
             rows = checkpoint.doubles("study/rows");
  const auto columns = series_of(record_);
  if (own.size() != 4 + sums_.size() || rows.size() % columns.size() != 0)
    throw FileError("the checkpoint does not fit this version of the study");
  steps_in_row_ = std::uint64_t(own[0]);
  contact_steps_ = own[1], reference_strain_ = own[2], record_.start_height = own[3];
  std::copy(own.begin() + 4, own.end(), sums_.begin());
  const std::size_t bodies = reference.size() / 6, length = rows.size() / columns.size();
  for (std::size_t k = 0; k < 2 * bodies; ++k)
    (k < bodies ? reference_position_ : reference_rotation_)
        .push_back({reference[3 * k], reference[3 * k + 1], reference[3 * k + 2]});
  for (std::size_t k = 0; k < columns.size(); ++k)
    columns[k]->assign(rows.begin() + std::ptrdiff_t(k * length), rows.begin() + std::ptrdiff_t((k + 1) * length));
}

}  // namespace

std::vector<double> ShearRecord::shear_stress() const {
  std::vector<double> out(rows());
  for (std::size_t k = 0; k < rows(); ++k) out[k] = shear(k);
  return out;
}

std::vector<double> ShearRecord::pack() const {
  std::vector<double> out{double(rows()), double(layer_height.size()), double(picture.size())};
  for (const double* value : scalars_of(*this)) out.push_back(*value);
  for (const auto* column : series_of(*this)) out.insert(out.end(), column->begin(), column->end());
  for (const auto* column : layers_of(*this)) out.insert(out.end(), column->begin(), column->end());
  for (const DrawnPolygon& p : picture) {
    out.push_back(p.role == "body-i" ? double(p.x.size()) : -double(p.x.size()));
    out.insert(out.end(), p.x.begin(), p.x.end());
    out.insert(out.end(), p.y.begin(), p.y.end());
  }
  out.push_back(time_step);
  return out;
}

ShearRecord ShearRecord::unpack(const std::vector<double>& numbers) {
  ShearRecord r;
  auto at = numbers.begin();
  const auto take = [&](std::size_t count) {
    if (std::size_t(numbers.end() - at) < count)
      throw std::runtime_error("a run of the slow-shear study is incomplete");
    at += std::ptrdiff_t(count);
    return std::vector<double>(at - std::ptrdiff_t(count), at);
  };
  const auto sizes = take(3);
  for (double* value : scalars_of(r)) *value = take(1).front();
  for (auto* column : series_of(r)) *column = take(std::size_t(sizes[0]));
  for (auto* column : layers_of(r)) *column = take(std::size_t(sizes[1]));
  for (std::size_t k = 0; k < std::size_t(sizes[2]); ++k) {
    const double corners = take(1).front();
    DrawnPolygon p;
    p.role = corners > 0 ? "body-i" : "body-j";
    p.x = take(std::size_t(std::abs(corners)));
    p.y = take(std::size_t(std::abs(corners)));
    r.picture.push_back(std::move(p));
  }
  if (at != numbers.end()) r.time_step = take(1).front();
  return r;
}

ShearRecord run_shear(const Case& c, double discard, const ShearCheckpoint& checkpoint, TaskProgress& progress) {
  auto made = std::make_unique<ShearRun>(c, discard);
  const std::filesystem::path &file = checkpoint.file, previous = previous_checkpoint(file);
  if (!file.empty() && (std::filesystem::exists(file) || std::filesystem::exists(previous))) {
    try {
      made->load(file);
    } catch (const std::runtime_error&) {  // of another version of the program, or damaged: from the beginning
      made = std::make_unique<ShearRun>(c, discard);
    }
  }
  ShearRun& run = *made;
  auto last = std::chrono::steady_clock::now();
  while (!run.finished()) {
    for (int k = 0; k < 1000 && !run.finished(); ++k) run.step();
    progress.done(run.share());
    if (const auto now = std::chrono::steady_clock::now(); !file.empty() && now - last >= checkpoint.interval) {
      run.save(file);
      last = now;
      if (checkpoint.written) checkpoint.written();
    }
  }
  ShearRecord record = run.record();
  if (!file.empty()) {
    std::filesystem::remove(file);
    std::filesystem::remove(previous);
  }
  return record;
}

}  // namespace dem::validation::pena2008
