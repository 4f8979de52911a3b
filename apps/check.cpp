// dem check: reads a case and reports its errors, or its properties and cost.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/case_input.hpp"
#include "apps/check_objectivity.hpp"
#include "apps/command_line.hpp"
#include "apps/cost_report.hpp"
#include "apps/json_output.hpp"
#include "apps/run_driver.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/assembly/lost_bodies.hpp"
#include "libdem/assembly/start_check.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/drivers/stage_ends.hpp"
#include "libdem/measure/dimensionless.hpp"
#include "libdem/platform/number_text.hpp"
#include "libdem/run/row_columns.hpp"

namespace dem {
namespace {

void inspect_bodies(const Simulation& run) {
  const State& state = run.state();
  const Bodies& bodies = state.bodies;
  for (std::size_t g = 0; g < state.groups.size(); ++g)
    if (const auto count = std::ranges::count(bodies.group, g); count > 0)
      fmt::print("  {:<14} {}\n", state.groups[g], counted(std::size_t(count), "body", "bodies"));
  double mass = 0, least = INFINITY, most = 0;
  std::size_t count = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies.freedom[b] == 0) continue;
    mass += bodies.mass[b];
    least = std::min(least, bodies.mass[b]);
    most = std::max(most, bodies.mass[b]);
    ++count;
  }
  fmt::print("  that can move  {}", count);
  if (count > 0)
    fmt::print(": {:.6g} kg together, {:.4g} to {:.4g} kg each, mean equivalent diameter {:.4g} m", mass, least, most,
               run.scale().mean_diameter);
  const StartOverlap overlap = deepest_start_overlap(state);
  fmt::print("\n  at the start   {}", counted(run.contact_count(), "contact"));
  if (overlap.relative > 0)
    fmt::print(", largest overlap {:.3g} % of a diameter ({} and {})", 100 * overlap.relative,
               body_label(state, overlap.i), body_label(state, overlap.j));
  if (run.driver<Plates>()) fmt::print(", plates {:.6g} m apart", run.driver<Plates>()->height());
  fmt::print("\n");
  for (const std::string& warning : start_warnings(LostBodies(state), state))
    fmt::print("  warning        {}\n", warning);
}

/// Prints spheres and cell of bodies in space.
void inspect_space(const Simulation& run) {
  const State& state = run.state();
  std::size_t spheres = 0;
  double solid = 0;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    spheres += state.shape_of(b).spheres().size();
    solid += state.shape_of(b).volume();
  }
  fmt::print("  in space       {} of {}\n", counted(state.bodies.size(), "body", "bodies"), counted(spheres, "sphere"));
  if (!state.cell.periodic[0] || !state.cell.periodic[1] || !state.cell.periodic[2]) return;
  const auto& [a, b, c] = state.cell.vectors;
  const double volume = dot(a, cross(b, c));
  fmt::print("  cell           {:.6g} x {:.6g} x {:.6g} m, tilt {:g}, {:g}, {:g} m, void ratio {:.6g}\n", a.x, b.y, c.z,
             b.x, c.x, c.y, volume / solid - 1);
}

void inspect_step(const Simulation& run, bool automatic) {
  const double dt = run.state().dt, t_c = run.scale().contact_duration, limit = run.apriori_limit().dt;
  if (std::isinf(limit)) {  // nothing that moves, so no contact time either
    fmt::print("  time step      {:g} s\n  limit          {}\n", dt, run.apriori_limit().describe());
    return;
  }
  fmt::print("  time step      {:g} s = {:.4g} t_c = {:.3g} of its limit{}\n", dt, dt / t_c, dt / limit,
             !automatic                       ? ""
             : run.given().start_from.empty() ? ", chosen because time.step = \"auto\""
                                              : ", that of start_from because time.step = \"auto\"");
  const char* pair = run.given().materials.empty() ? "two mean bodies" : "two mean bodies of [material]";
  fmt::print("  contact time   t_c = {:.6g} s ({})\n", t_c, pair);
  const double normal = run.scale().normal_damping, tangential = run.scale().tangential_damping;
  const double stiffness = mean_springs(run.given(), run.state()).normal, reduced_mass = run.scale().mean_mass / 2;
  const auto& contact = run.given().contact;
  std::string kept;
  if (contact.clip_tension)
    kept = contact.law->hertzian ? ", more with clip_tension"
                                 : fmt::format(", {:.6g} with clip_tension",
                                               restitution_without_tension(normal, stiffness, reduced_mass));
  fmt::print("  damping        γ_n = {:.6g} kg/s, γ_t = {:.6g} kg/s ({}), ε_n = {:.6g}{}\n", normal + 0.0,
             tangential + 0.0,  // not -0
             pair, run.given().material.restitution.value_or(restitution_of_damping(normal, stiffness, reduced_mass)),
             kept);
  fmt::print("  limit          {}\n", run.apriori_limit().describe());
}

/// Motion of the cell in a stage.
std::string describe_drive(const CellDrive& drive, int dimension, double normal_stiffness) {
  if (drive.turns())
    return fmt::format("rigid turn by {:g} rad about [{:g}, {:g}, {:g}] in {} steps", drive.turn_angle,
                       drive.turn_axis.x, drive.turn_axis.y, drive.turn_axis.z, drive.turn_steps);
  const char* unit = dimension == 2 ? "N/m" : "Pa";
  std::string text, held;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "cell: " : ", ") + part; };
  using Mode = CellComponent::Mode;
  for (std::size_t k = 0; k < drive.component.size(); ++k) {
    const CellComponent& c = drive.component[k];
    if (c.mode == Mode::rate && c.rate != 0) add(fmt::format("{} at {:g} 1/s", cell_component_names[k], c.rate));
    if (c.mode == Mode::stress) add(fmt::format("σ_{} = {:g} {}", cell_component_names[k], c.stress, unit));
    if (c.mode == Mode::mean_pressure) held += (held.empty() ? "" : ", ") + std::string(cell_component_names[k]);
  }
  if (!held.empty()) {
    add(fmt::format("mean pressure {:g} {} by {}", drive.mean_pressure, unit, held));
    if (dimension == 2) add(fmt::format("p/k_n = {:.3g}", drive.mean_pressure / normal_stiffness));
  }
  return text.empty() ? "cell at rest" : text;
}

void inspect_stage(const Simulation& run, std::size_t k) {
  const Case& c = run.given();
  const Stage& stage = c.stages[k];
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (stage.cell) add(describe_drive(*stage.cell, c.dimension, c.material.normal_stiffness));
  if (stage.friction) add(fmt::format("friction {:g}", *stage.friction));
  if (stage.normal == PlateNormal::move_to_height)
    add(fmt::format("plates to {:g} m at {:g} m/s", stage.height, stage.plate_speed));
  if (stage.normal == PlateNormal::hold_stress)
    add(fmt::format("stress {:g} N/m, σ/k_n = {:.3g}", stage.normal_stress,
                    stage.normal_stress / c.material.normal_stiffness));
  if (stage.normal == PlateNormal::hold_height && c.driver_options<PlatesSpec>()) add("height held");
  if (stage.shear_rate != 0) {
    add(fmt::format("shear at {:g} 1/s, γ̇ t_c = {:.3g}", stage.shear_rate,
                    std::abs(stage.shear_rate) * run.scale().contact_duration));
    if (stage.cycles) add(fmt::format("{} cycles of ±{:g}", *stage.cycles, *stage.strain_amplitude));
    if (stage.normal == PlateNormal::hold_stress)
      add(fmt::format("inertial number {:.3g}", inertial_number(stage.shear_rate, run.scale().mean_diameter,
                                                                run.scale().mean_density, stage.normal_stress)));
  }
  std::string ends;
  for (const StageEnd& row : stage_ends())
    if (row.given(stage) && !row.time)
      ends += (ends.empty() ? "until " : " or ") +
              (row.target ? fmt::format("{} = {:g}", row.key, row.target(stage)) : "the target is reached");
  if (!ends.empty()) add(ends);
  const double time = planned_time(c, k) - planned_time(c, k + 1);
  if (time > 0) {
    const double steps = std::max(1.0, std::round(time / run.state().dt));
    add(fmt::format("at most {:g} s = {:.0f} step{}", time, steps, steps == 1 ? "" : "s"));
  }
  fmt::print("  {} {}: {}\n", k + 1, stage.name.empty() ? "stage" : stage.name, text);
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  struct Options {
    std::string file, picture;
    std::vector<std::string> settings;
    bool resolved = false, objectivity = false, columns = false;
    std::uint64_t steps = 1000;
    Loudness loudness;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("check", "Read, resolve and inspect a case without running it");
  command->add_option("CASE", options->file, "Case file (TOML); -: standard input")->check(named)->required();
  add_settings(*command, options->settings);
  auto* resolved = command->add_flag("--resolved", options->resolved,
                                     "Print the case with every key, given or default, and nothing else; bodies are "
                                     "made only where time.step = \"auto\" needs them");
  auto* objectivity = command->add_flag(
      "--objectivity", options->objectivity,
      "Run the first steps turned, shifted, mirrored, renumbered and with other threads, and report differences");
  command->add_option("--steps", options->steps, "How many steps --objectivity runs; default: 1000")
      ->check(whole_number())
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000000}))
      ->needs(objectivity);
  objectivity->excludes(resolved);
  auto* columns = command
                      ->add_flag("--columns", options->columns,
                                 "Print the columns of the series with units and meanings, and nothing else; a "
                                 "[[quantity]] of a sweep names them")
                      ->excludes(resolved)
                      ->excludes(objectivity);
  command->add_option("--picture", options->picture, "Draw the start into this file, which is replaced")
      ->check(named)
      ->type_name("FILE.svg")
      ->excludes(resolved)
      ->excludes(columns)
      ->excludes(objectivity);
  command->add_flag("--json", options->loudness.json, "Print one JSON object instead of text")
      ->excludes(resolved)
      ->excludes(columns)
      ->excludes(objectivity);
  command->footer(
      "The object of --json has file, title, dimension, bodies, moving_bodies, groups (bodies of each), moving_mass\n"
      "(kg), mean_diameter (m), contacts, largest_overlap (in diameters), step (s), limit (s), limit_reason and\n"
      "contact_time (s). stages has name, planned_time (s) and planned_steps of each (null: unknown). memory and\n"
      "disk are estimates (bytes). rows, snapshots and frames count what the run will write. seconds comes from\n"
      "trial steps (null: unknown). picture is there only with --picture. warnings has sentences on lost bodies and\n"
      "on too little memory or disk. errors is empty, or has the failure of the trial. A bad case has only errors.\n"
      "Each has message, and where known file, line, key, found, allowed. The messages are on standard error, too.\n\n"
      "The chapter \"Cost\" comes from trial steps, which are discarded. If they fail, the exit code is 5, as for\n"
      "the run.\n\n"
      "Example:\n  dem check apps/examples/slow-shear.toml\n"
      "  dem check --objectivity apps/examples/two-discs.toml");
  command->callback([options, &exit_code] {
    with_loudness(options->loudness, [&]() -> Json {
      check_picture_name(options->picture);
      Case c = read_case(options->file, options->settings);
      const std::string name = c.file == standard_input_name ? standard_input_name : options->file;
      const bool automatic = c.time.step == 0;
      if (options->resolved) {
        if (automatic) build_simulation(c);
        fmt::print("{}", resolved_case(c));
        return {};
      }
      Simulation run = build_simulation(c);
      if (options->columns) {
        for (const RowColumn& row : row_columns(run))
          fmt::print("{:<28} {:<8} {}\n", row.column.name, row.column.unit, row.column.description);
        return {};
      }
      if (options->objectivity) {
        exit_code = check_objectivity_of(name, c, std::move(run), options->steps);
        return {};
      }
      start_where_the_case_says(run, c);
      fmt::print("{}: {}\n\nBodies\n", name, c.title.empty() ? "no title" : c.title);
      if (c.dimension == 3) inspect_space(run);
      inspect_bodies(run);
      fmt::print("\nTime\n");
      inspect_step(run, automatic);
      fmt::print("\nStages\n");
      for (std::size_t k = 0; k < c.stages.size(); ++k) inspect_stage(run, k);
      if (!options->picture.empty()) write_picture(run, options->picture);
      // Last, because the state is useless afterwards.
      if (options->loudness.json) {
        Json report = json_of_check(run, name, options->picture);
        for (const Json& error : report["errors"]) {
          complain(error["message"].get<std::string>());
          exit_code = exit_blow_up;
        }
        return report;
      }
      const CostChapter cost = cost_chapter(run, default_folder(c));
      say_text(cost.text);
      if (cost.failure.empty()) {
        say("\nNo errors; {}.\n",
            options->picture.empty() ? "nothing was written" : "the picture of the start is in " + options->picture);
      } else {
        complain(trial_failed(cost.failure));
        exit_code = exit_blow_up;
      }
      return {};
    });
  });
}

}  // namespace dem
