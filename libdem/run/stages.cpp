#include "libdem/run/stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libdem/case/plan.hpp"

namespace dem {
namespace {
const std::span<const StageEnd> ends = stage_ends();
constexpr std::size_t duration_row = 0;  // the first row of the table: duration_end
}  // namespace

StageClock::StageClock() : memory_(ends.size()) {}

void StageClock::note_named(const Stage& stage, double dt) {
  named_.clear();
  double earliest = INFINITY;
  for (std::size_t k = 0; k < memory_.size(); ++k) {
    if (!ends[k].given(stage)) continue;
    named_.push_back(std::uint8_t(k));
    const double time = ends[k].time ? ends[k].time(stage) : 0;
    earliest = std::min(earliest, std::isfinite(time) ? time : 0);
  }
  // An end is placed at the nearest step and looked for two steps ahead.
  no_end_before_ = std::isfinite(earliest) ? start_time_ + earliest - 4 * dt : 0;
}

double StageClock::begin(const World& world, const Drivers& drivers) {
  std::ranges::fill(memory_, EndMemory{});
  start_time_ = world.state.time;
  start_strain_ = imposed_strain(drivers).strain;
  if (is_over(world.given)) {
    for (const auto& driver : drivers) driver->end(world);
    return 0;
  }
  const Stage& stage = world.given.stages[index()];
  note_named(stage, world.state.dt);
  world.contacts.override_friction(stage.friction);
  const double dropped = world.contacts.set_history(stage.history);
  for (const auto& driver : drivers) driver->begin(stage, index() + 1, world);
  const EndInput now = look(world, drivers);
  start_strain_ = now.strain();  // the cell starts its strain anew
  for (const std::size_t k : named_)
    if (ends[k].begin) ends[k].begin(now, memory_[k]);
  return dropped;
}

void StageClock::resume(const World& world, const Drivers& drivers) {
  if (is_over(world.given)) {
    for (const auto& driver : drivers) driver->end(world);
    return;
  }
  const Stage& stage = world.given.stages[index()];
  note_named(stage, world.state.dt);
  world.contacts.override_friction(stage.friction);
  world.contacts.resume_history(stage.history);
  for (const auto& driver : drivers) driver->resume(stage, index() + 1, world);
}

bool StageClock::comes_to_end(const World& world, const Drivers& drivers) {
  if (!near_end(world.state.time) || is_over(world.given)) return false;
  const EndInput now = look(world, drivers);
  bool over = false, late = false;
  for (const std::size_t k : named_) {
    const bool reached = ends[k].reached(now, memory_[k]);  // of all ends, because each keeps its memory
    (k == duration_row ? late : over) |= reached;
  }
  if (!over && !late) return false;
  if (!over && !goals_of(now.stage).empty()) cut_short_.push_back(index_);
  return true;
}

bool StageClock::may_end(const World& world, const Drivers& drivers) const {
  if (!near_end(world.state.time) || is_over(world.given)) return false;
  const EndInput now = look(world, drivers);
  return std::ranges::any_of(named_, [&](std::size_t k) { return !ends[k].may_come || ends[k].may_come(now); });
}

double StageClock::progress(const World& world, const Drivers& drivers) const {
  if (is_over(world.given)) return 1;
  const EndInput now = look(world, drivers);
  double share = 0;
  for (const std::size_t k : named_)
    if (const double done = ends[k].share(now, memory_[k]); done > share) share = done;
  return std::min(share, 1.0);
}

void StageClock::fields(FieldVisitor& f, const Case& given, State& state) {
  const bool drives_cell = std::ranges::any_of(given.stages, [](const Stage& stage) { return stage.cell.has_value(); });
  for (std::size_t k = 0; k < memory_.size(); ++k) {
    const StageEnd& end = ends[k];
    const std::string name = fmt::format("ends/{}/", end.key);
    f(name + "count", memory_[k].count, Hashed{end.count_hashed && drives_cell});
    f(name + "start", memory_[k].start, Hashed::no);
    f(name + "largest", memory_[k].largest, Hashed::no);
    f(name + "now", memory_[k].now, Hashed::no);
  }
  f("step", state.step);
  f("time", state.time);
  f("stage", index_);
  f("stage_start_time", start_time_);
  f("stage_start_strain", start_strain_);
  for (std::size_t k = 0; k < memory_.size(); ++k)
    f.flag(fmt::format("ends/{}/flag", ends[k].key), memory_[k].flag, Hashed{ends[k].flag_hashed});
  f.list("cut_short", cut_short_, Hashed::no);
  if (f.loads())
    std::erase_if(cut_short_,
                  [&](std::uint64_t k) { return k >= given.stages.size(); });  // a resumed case may have other stages
}

std::size_t StageClock::saved_index(const ArchiveReader& archive) {
  if (!archive.has("run/layout")) throw other_layout(archive, "run");
  return std::size_t(archive.integers("run/stage").at(0));
}

}  // namespace dem
