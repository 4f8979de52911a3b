#include "libdem/drivers/stage_ends.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "libdem/drivers/cell_drive.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/drivers/shear_box.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/stress.hpp"

namespace dem {

namespace {

using In = const EndInput&;
using Memory = EndMemory&;
using Kept = const EndMemory&;

constexpr std::uint64_t looks_in_balance = 10;  // in a row: then the assembly is in balance

double linear(double from, double now, double to) { return to != from ? (now - from) / (to - from) : 0; }
double decay(double from, double now, double to) {
  return from > to && now > 0 ? std::log(from / now) / std::log(from / to) : 0;
}

double energy_of(const World& world) {
  double energy = kinetic_energy(world.state);
  world.contacts.add_other_parts({&energy, 1});
  return energy;
}

/// Share of a target that has to be held for a time: the approach, guessed from its share, and then that time.
double with_hold(In in, double approach, double within_since) {
  const double elapsed = in.elapsed(), hold = in.stage.stress_hold_time;
  if (within_since >= 0)
    return linear(0, elapsed, elapsed + std::max(0.0, hold - (in.world.state.time - within_since)));
  return approach > 0 ? linear(0, elapsed, elapsed / std::min(approach, 0.99) + hold) : 0;
}

double time_of_strain(const Stage& stage) {
  double rate = std::abs(stage.shear_rate);
  if (stage.cell)
    for (const CellComponent& component : stage.cell->component)
      if (component.mode == CellComponent::Mode::rate) rate = std::max(rate, std::abs(component.rate));
  return *stage.strain / rate;
}

bool target_reached(In in, Memory memory) {
  const Plates* plates = in.driver<Plates>();
  bool over = plates && plates->target_reached();
  if (CellDriver* cell = in.driver<CellDriver>(); cell && cell->has_servo()) {
    if (const double error = cell->largest_servo_error(); error > memory.largest) memory.largest = error;
    over |= cell->target_reached(in.world.state, in.stage.stress_tolerance, in.stage.stress_hold_time);
  }
  return over;
}

double share_of_target(In in, Kept memory) {
  double share = 0;
  const Stage& stage = in.stage;
  const auto note = [&share](double done) {
    if (done > share) share = done;
  };
  if (const Plates* plates = in.driver<Plates>()) {
    if (stage.normal == PlateNormal::move_to_height) note(linear(memory.start, plates->height(), stage.height));
    if (stage.normal == PlateNormal::hold_stress)
      note(with_hold(in, linear(memory.start, plates->stress().normal_top, stage.normal_stress),
                     plates->within_since()));
  }
  if (const CellDriver* cell = in.driver<CellDriver>(); cell && cell->has_servo())
    note(with_hold(in, decay(memory.largest, cell->largest_servo_error(), stage.stress_tolerance),
                   cell->within_since()));
  return share;
}

bool is_quiet(In in, Memory memory) {
  if (!looks_at_bodies.at(in.world.state.step)) return false;
  const double energy = energy_of(in.world);
  const bool quiet = energy < *in.stage.quiet;
  memory.largest = std::max(memory.largest, energy);
  // The energy has to fall below the limit: a stage that starts from rest is not over at once.
  const bool over = quiet && memory.flag;
  memory.flag |= !quiet;
  return over;
}

bool is_balanced(In in, Memory memory) {
  const CellDriver* cell = in.driver<CellDriver>();
  if (!cell || !looks_at_bodies.at(in.world.state.step)) return false;
  const bool on_target = !cell->has_servo() || cell->largest_servo_error() <= in.stage.cell->tolerance;
  std::vector<ContactLoad> contacts;
  in.world.contacts.loads(in.world.state, contacts);
  ForceSums sums = force_sums(contacts, in.world.state.bodies);
  in.world.contacts.add_other_parts({&sums.resultants, 4});
  const double index = sums.ratio();
  memory.now = index;
  memory.largest = std::max(memory.largest, index);
  memory.count = on_target && index > 0 && index < *in.stage.unbalanced ? memory.count + 1 : 0;
  return memory.count >= looks_in_balance;
}

bool is_coordinated(In in, Memory memory) {
  if (!looks_at_bodies.at(in.world.state.step)) return false;
  const Bodies& bodies = in.world.state.bodies;
  std::vector<ContactLoad> contacts;
  in.world.contacts.loads(in.world.state, contacts);
  std::vector<double> of_body(bodies.size());
  for (const ContactLoad& c : contacts)
    for (const std::uint32_t b : {c.key.i, c.key.j}) ++of_body[b];
  in.world.contacts.add_other_parts_by_body(of_body);
  std::array<double, 2> sums{};  // contacts of the free bodies that have two or more; these bodies
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (is_free(bodies, b) && of_body[b] >= 2) sums[0] += of_body[b], ++sums[1];
  in.world.contacts.add_other_parts(sums);
  memory.now = sums[1] > 0 ? sums[0] / sums[1] : 0;
  return memory.now >= *in.stage.coordination;
}

/// Pressure and deviator of the cell; zeros without one.
std::array<double, 2> invariants(In in) {
  const CellDriver* cell = in.driver<CellDriver>();
  if (!cell) return {};
  cell->update(in.world);
  const int dimension = in.world.state.dimension;
  return {mean_pressure(cell->stress(), dimension), deviator_stress(cell->stress(), dimension)};
}

bool ratio_reached(In in, Memory memory) {
  const auto [p, q] = invariants(in);
  if (memory.start == 0 && p > 0) memory.start = q / p;
  return p > 0 && q >= *in.stage.stress_ratio * p;
}

double share_of_ratio(In in, Kept memory) {
  if (!(memory.start > 0)) return 0;
  const auto [p, q] = invariants(in);
  return linear(memory.start, q / p, *in.stage.stress_ratio);
}

bool voids_reached(In in, Memory memory) {
  const CellDriver* cell = in.driver<CellDriver>();
  return cell &&
         (memory.flag ? cell->void_ratio() <= *in.stage.void_ratio : cell->void_ratio() >= *in.stage.void_ratio);
}

double strained(In in) { return std::abs(in.strain() - in.start_strain); }
bool looks_next(In in) { return looks_at_bodies.at(in.world.state.step + 1); }

constexpr std::array rows{
    StageEnd{
        .key = duration_end,
        .given = [](const Stage& s) { return s.duration.has_value(); },
        .target = [](const Stage& s) { return *s.duration; },
        .time = [](const Stage& s) { return *s.duration; },
        // At the step that comes nearest.
        .reached = [](In in, Memory) { return in.elapsed() >= *in.stage.duration - 0.5 * in.world.state.dt; },
        .share = [](In in, Kept) { return in.elapsed() / *in.stage.duration; },
        .may_come =
            [](In in) { return in.world.state.time + 2 * in.world.state.dt - in.start_time >= *in.stage.duration; }},
    StageEnd{.key = "strain",  // gained in either direction
             .given = [](const Stage& s) { return s.strain.has_value(); },
             .target = [](const Stage& s) { return *s.strain; },
             .time = time_of_strain,
             .reached =
                 [](In in, Memory) {
                   return strained(in) >= *in.stage.strain - 0.5 * std::abs(in.strain_rate()) * in.world.state.dt;
                 },
             .share = [](In in, Kept) { return strained(in) / *in.stage.strain; },
             .may_come =
                 [](In in) {
                   return strained(in) + std::abs(in.strain_rate()) * (2 * in.world.state.dt) >= *in.stage.strain;
                 }},
    StageEnd{.key = "until_target",
             .given = [](const Stage& s) { return s.until_target; },
             .reached = target_reached,
             .share = share_of_target,
             .begin =
                 [](In in, Memory memory) {
                   if (const Plates* plates = in.driver<Plates>())
                     memory.start = in.stage.normal == PlateNormal::move_to_height ? plates->height()
                                                                                   : plates->stress().normal_top;
                 }},
    StageEnd{.key = "quiet",
             .given = [](const Stage& s) { return s.quiet.has_value(); },
             .target = [](const Stage& s) { return *s.quiet; },
             .reached = is_quiet,
             .share =
                 [](In in, Kept memory) {
                   return memory.flag ? decay(memory.largest, energy_of(in.world), *in.stage.quiet) : 0.0;
                 },
             .may_come = looks_next,
             .flag_hashed = true},
    StageEnd{.key = "cycles",
             .given = [](const Stage& s) { return s.cycles.has_value(); },
             .target = [](const Stage& s) { return double(*s.cycles); },
             .time = [](const Stage& s) -> double {
               return s.strain_amplitude ? 4 * *s.cycles * *s.strain_amplitude / std::abs(s.shear_rate) : INFINITY;
             },
             .reached =
                 [](In in, Memory) {
                   const Plates* plates = in.driver<Plates>();
                   return plates && plates->cycles_over();
                 },
             .share =
                 [](In in, Kept) {
                   const Plates* plates = in.driver<Plates>();
                   return plates ? plates->cycles_done() / *in.stage.cycles : 0.0;
                 }},
    StageEnd{.key = "unbalanced",
             .given = [](const Stage& s) { return s.unbalanced.has_value(); },
             .target = [](const Stage& s) { return *s.unbalanced; },
             .reached = is_balanced,
             .share = [](In in, Kept memory) { return decay(memory.largest, memory.now, *in.stage.unbalanced); },
             .may_come = looks_next,
             .count_hashed = true},
    StageEnd{.key = "coordination",
             .given = [](const Stage& s) { return s.coordination.has_value(); },
             .target = [](const Stage& s) { return *s.coordination; },
             .reached = is_coordinated,
             .share = [](In in, Kept memory) { return linear(memory.start, memory.now, *in.stage.coordination); },
             .may_come = looks_next},
    StageEnd{.key = "stress_ratio",
             .given = [](const Stage& s) { return s.stress_ratio.has_value(); },
             .target = [](const Stage& s) { return *s.stress_ratio; },
             .reached = ratio_reached,
             .share = share_of_ratio},
    StageEnd{.key = "void_ratio",  // fallen to, or risen to where it starts below
             .given = [](const Stage& s) { return s.void_ratio.has_value(); },
             .target = [](const Stage& s) { return *s.void_ratio; },
             .reached = voids_reached,
             .share =
                 [](In in, Kept memory) {
                   const CellDriver* cell = in.driver<CellDriver>();
                   return cell ? linear(memory.start, cell->void_ratio(), *in.stage.void_ratio) : 0.0;
                 },
             .begin =
                 [](In in, Memory memory) {
                   const CellDriver* cell = in.driver<CellDriver>();
                   if (!cell) return;
                   memory.start = cell->void_ratio();
                   memory.flag = memory.start > *in.stage.void_ratio;
                 }},
    StageEnd{.key = "shear_displacement",
             .given = [](const Stage& s) { return s.shear_displacement.has_value(); },
             .target = [](const Stage& s) { return *s.shear_displacement; },
             .time = [](const Stage& s) { return *s.shear_displacement / std::abs(s.shear_velocity); },
             .reached =
                 [](In in, Memory) {
                   const ShearBox* box = in.driver<ShearBox>();
                   return box && box->displacement_reached(in.world.state);
                 },
             .share =
                 [](In in, Kept) {
                   const ShearBox* box = in.driver<ShearBox>();
                   return box ? box->displacement_share(in.world.state) : 0.0;
                 },
             .may_come =
                 [](In in) {
                   const ShearBox* box = in.driver<ShearBox>();
                   return box && box->displacement_share(in.world.state) * *in.stage.shear_displacement +
                                         2 * in.world.state.dt * std::abs(in.stage.shear_velocity) >=
                                     *in.stage.shear_displacement;
                 }},
    StageEnd{.key = "turn_angle",  // all steps of the turn are done
             .given = [](const Stage& s) { return s.cell && s.cell->turns(); },
             .target = [](const Stage& s) { return s.cell->turn_angle; },
             .time = [](const Stage&) -> double { return INFINITY; },  // it takes a number of steps
             .reached = [](In in, Memory) { return in.driver<CellDriver>()->turned(); },
             .share = [](In in, Kept) { return in.driver<CellDriver>()->turned_share(); },
             .may_come = [](In in) { return in.driver<CellDriver>()->turning(); }},
};

}  // namespace

std::span<const StageEnd> stage_ends() { return rows; }

}  // namespace dem
