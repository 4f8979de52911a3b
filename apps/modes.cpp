// dem modes: frequencies and dampings of the small vibrations of a case about its start.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "apps/case_input.hpp"
#include "apps/command_line.hpp"
#include "apps/json_output.hpp"
#include "apps/run_driver.hpp"
#include "apps/subcommands.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/drivers/catalogue.hpp"
#include "libdem/drivers/mass_damping.hpp"
#include "libdem/motion/limit/normal_modes.hpp"
#include "libdem/platform/number_text.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/run/simulation_setup.hpp"

namespace dem {
namespace {

constexpr std::size_t most_rows = 40;  // of the printed table

/// Without a history a tangential spring restores nothing: that of the movement of a step is a dashpot k_t Δt.
void forget_springs(const Simulation& run, std::vector<ContactRecord>& contacts) {
  const Case& c = run.given();
  const auto history = history_of(c, 0).value_or(TangentialHistory::whole);
  if (history == TangentialHistory::whole) return;
  const double time = history == TangentialHistory::pseudo ? run.state().dt : 0;
  for (ContactRecord& r : contacts) r.tangential_damping += std::exchange(r.tangential_stiffness, 0) * time;
}

std::vector<NormalMode> modes_of(const Simulation& run) {
  if (const std::size_t found = mode_coordinates(run.state().bodies); found > most_mode_coordinates)
    throw CaseErrors(
        {fmt::format("dem modes: found {} coordinates that can move, allowed at most {}; their modes need a "
                     "dense matrix",
                     found, most_mode_coordinates)});
  std::vector<ContactRecord> contacts;
  run.contact_engine().records(run.state(), contacts);
  forget_springs(run, contacts);
  const MassDamping* const damping = run.driver<MassDamping>();
  return normal_modes(run.state().bodies, contacts,
                      {.rotational_damping = run.given().material.rotational_damping,
                       .mass_damping = damping ? damping->alpha() : 0,
                       .damp_while_sliding = run.given().contact.damp_while_sliding});
}

std::string row_of(std::size_t number, const NormalMode& mode) {
  const double period = mode.frequency > 0 ? 2 * std::numbers::pi / mode.frequency : INFINITY;
  return fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", number, mode.frequency, period, mode.damping_ratio,
                     mode.tangential_share, mode.rotation_share);
}

void print_modes(const Simulation& run, const std::vector<NormalMode>& modes) {
  const auto free = std::size_t(std::ranges::count(modes, 0.0, &NormalMode::frequency));
  fmt::print("{} of {}, {}\n", counted(modes.size(), "coordinate"),
             counted(run.state().bodies.size(), "body", "bodies"), counted(run.contact_count(), "contact"));
  fmt::print("  {} without a restoring spring\n", counted(free, "mode"));
  if (run.contact_count() == 0) fmt::print("  no bodies touch: take a case that starts from a run (start_from)\n");
  if (free == modes.size()) return;
  fmt::print("  frequencies from {:.6g} to {:.6g} rad/s\n\n", modes[free].frequency, modes.back().frequency);
  fmt::print("  {:>6} {:>14} {:>12} {:>14} {:>11} {:>9}\n", "mode", "omega (rad/s)", "period (s)", "damping ratio",
             "tangential", "rotation");
  const std::size_t shown = modes.size() - free, half = most_rows / 2;
  for (std::size_t k = free; k < modes.size(); ++k) {
    if (shown > most_rows && k == free + half) {
      fmt::print("  … {} more; --output FILE.csv has all\n", shown - most_rows);
      k = modes.size() - half;
    }
    const NormalMode& m = modes[k];
    fmt::print("  {:>6} {:>14.6g} {:>12.4g} {:>14.4g} {:>11.3f} {:>9.3f}\n", k + 1, m.frequency,
               2 * std::numbers::pi / m.frequency, m.damping_ratio, m.tangential_share, m.rotation_share);
  }
}

Json json_of_modes(const Simulation& run, const std::vector<NormalMode>& modes) {
  Json all = Json::array();
  for (const NormalMode& m : modes)
    all.push_back({{"frequency", m.frequency},
                   {"damping_ratio", m.damping_ratio},
                   {"tangential_share", m.tangential_share},
                   {"rotation_share", m.rotation_share},
                   {"shape", m.shape}});
  return {{"bodies", run.state().bodies.size()}, {"contacts", run.contact_count()}, {"modes", all}};
}

}  // namespace

void add_modes(CLI::App& app, int&) {
  struct Options {
    std::string file, output;
    std::vector<std::string> settings;
    Loudness loudness;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("modes", "Frequencies and normal modes of a case about its start");
  command->add_option("CASE", options->file, "Case file (TOML); -: standard input")->check(named)->required();
  add_settings(*command, options->settings);
  command->add_option("--output,-o", options->output, "Write all modes into this table, which is replaced")
      ->check(named)
      ->type_name("FILE.csv");
  command->add_flag("--json", options->loudness.json, "Print one JSON object instead of text, with the shapes");
  command->footer(
      "Bodies vibrate on the springs and dashpots of their contacts, as these are at the start. A contact that "
      "slides,\n"
      "or has no displacement history (contact.history), has no tangential spring. That forces turn with their "
      "contacts\n"
      "is left out. Contact points lie in the middle of the overlap, as with elongation = \"velocity\". With\n"
      "\"geometric\" a frequency differs by about as much as the overlap in diameters. Polygons that touch along a\n"
      "face also resist rocking, because the contact point shifts along the face. In packings of 25 irregular\n"
      "polygons the frequencies agree with dem.small_motion of Python, which differentiates the forces, to 3 %.\n"
      "The modes of the last state of a run are those of a case that starts from it (start_from).\n\n"
      "Columns: mode, frequency (rad/s; 0: nothing restores it), period (s), damping_ratio, tangential_share of the\n"
      "elastic energy, rotation_share of the kinetic energy. The object of --json has bodies, contacts and modes.\n"
      "shape has six numbers for each body in space axes: x, y, z (m) and three turns (rad), of a modal mass of 1.\n\n"
      "Example:\n  dem modes apps/examples/block-on-incline.toml");
  command->callback([options] {
    with_loudness(options->loudness, [&]() -> Json {
      Case c = read_case(options->file, options->settings);
      Simulation run = build_simulation(c);
      start_where_the_case_says(run, c);
      const std::vector<NormalMode> modes = modes_of(run);
      if (!options->output.empty()) {
        std::string table = "mode,frequency,period,damping_ratio,tangential_share,rotation_share\n";
        for (std::size_t k = 0; k < modes.size(); ++k) table += row_of(k + 1, modes[k]);
        write_file(options->output, table, false);
      }
      if (options->loudness.json) return json_of_modes(run, modes);
      print_modes(run, modes);
      return {};
    });
  });
}

}  // namespace dem
