#include "libdem/laws/plugin.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <list>
#include <string>
#include <utility>

namespace dem::laws {
namespace {

struct Plugin {
  std::string name, description;
  std::vector<std::string> parameters, units;
  dem_law law;
};
std::list<Plugin>& plugins() {  // for ever: cases hold pointers
  static std::list<Plugin> all;
  return all;
}

struct Options {
  const Plugin* plugin = nullptr;
  double parameters[DEM_LAW_MOST_PARAMETERS];  // NAN: not given
};
static_assert(sizeof(Options) <= LawChoice::most_bytes);

void call(const Plugin& plugin, const dem_law_block& block) {
  if (plugin.law.pass(&block, plugin.law.user) != 0) throw LawFailed("law '" + plugin.name + "' has failed");
}

using Columns = double* (*)(Block&);
constexpr Columns inputs[] = {[](Block& b) { return b.normal_start; },   [](Block& b) { return b.normal_end; },
                              [](Block& b) { return b.normal_viscous; }, [](Block& b) { return b.shift_1; },
                              [](Block& b) { return b.shift_2; },        [](Block& b) { return b.velocity_1; },
                              [](Block& b) { return b.velocity_2; },     [](Block& b) { return b.stiffness; },
                              [](Block& b) { return b.damping; },        [](Block& b) { return b.friction; }};
constexpr Columns replies[] = {[](Block& b) { return b.elastic_1; }, [](Block& b) { return b.elastic_2; },
                               [](Block& b) { return b.viscous_1; }, [](Block& b) { return b.viscous_2; },
                               [](Block& b) { return b.stored; },    [](Block& b) { return b.dissipated; },
                               [](Block& b) { return b.work; },      [](Block& b) { return b.sliding; }};

/// Copies the blocks into columns as long as all of them, so that the law is called once.
void pass_many(const void* given, const StepFlags& flags, std::span<const BlockPass> blocks) {
  const Options& options = *static_cast<const Options*>(given);
  const std::size_t size = std::size_t(options.plugin->law.history_size);
  std::size_t count = 0;
  for (const BlockPass& b : blocks) count += std::size_t(b.block->count);
  if (count == 0) return;
  // The memory is kept from step to step. A law may run a case of its own in its pass, so it takes the memory along.
  thread_local std::vector<double> kept;
  std::vector<double> numbers = std::exchange(kept, {});
  const std::size_t given_columns = std::size(inputs), columns = given_columns + std::size(replies);
  numbers.resize(count * (columns + size));
  const auto column = [&](std::size_t c) { return numbers.data() + c * count; };
  double* const history = column(columns);
  std::fill(column(given_columns), history, 0.0);
  std::size_t at = 0;
  for (const auto& [b, of] : blocks) {
    const auto n = std::size_t(b->count);
    for (std::size_t c = 0; c < given_columns; ++c) std::copy_n(inputs[c](*b), n, column(c) + at);
    std::copy_n(of, n * size, history + at * size);
    at += n;
  }
  call(*options.plugin, {DEM_LAW_VERSION, int(count), int(size),  flags.energies, options.parameters, history,
                         column(0),       column(1),  column(2),  column(3),      column(4),          column(5),
                         column(6),       column(7),  column(8),  column(9),      column(10),         column(11),
                         column(12),      column(13), column(14), column(15),     column(16),         column(17)});
  at = 0;
  for (const auto& [b, of] : blocks) {
    const auto n = std::size_t(b->count);
    for (std::size_t c = 0; c < std::size(replies); ++c) std::copy_n(column(given_columns + c) + at, n, replies[c](*b));
    std::fill_n(b->forgotten, n, 0.0);
    std::copy_n(history + at * size, n * size, of);
    at += n;
  }
  kept = std::move(numbers);
}

void pass(const void* given, const StepFlags& flags, Block& b, double* history) {
  const Options& options = *static_cast<const Options*>(given);
  for (const Columns reply : replies) std::fill_n(reply(b), b.count, 0.0);
  std::fill_n(b.forgotten, b.count, 0.0);
  call(*options.plugin, {DEM_LAW_VERSION,
                         b.count,
                         options.plugin->law.history_size,
                         flags.energies,
                         options.parameters,
                         history,
                         b.normal_start,
                         b.normal_end,
                         b.normal_viscous,
                         b.shift_1,
                         b.shift_2,
                         b.velocity_1,
                         b.velocity_2,
                         b.stiffness,
                         b.damping,
                         b.friction,
                         b.elastic_1,
                         b.elastic_2,
                         b.viscous_1,
                         b.viscous_2,
                         b.stored,
                         b.dissipated,
                         b.work,
                         b.sliding});
}

void elongation(const double* history, const LegPool*, const ContactSprings&, double out[2]) {
  out[0] = history[0], out[1] = history[1];
}
void no_elongation(const double*, const LegPool*, const ContactSprings&, double out[2]) { out[0] = out[1] = 0; }

Key key_of_parameter(const Plugin& plugin, std::size_t k) {
  Key key{{plugin.parameters[k], plugin.units[k], "Parameter of a law from outside the program."},
          [k](const void* o) -> Key::Value { return static_cast<const Options*>(o)->parameters[k]; },
          [k](void* o, const Key::Value& v) { static_cast<Options*>(o)->parameters[k] = std::get<double>(v); }};
  key.range = {-1e300, 1e300};
  key.default_text = "required";
  return key;
}

}  // namespace

void add_plugin(const dem_law& law, Calls calls) {
  const std::string name = law.name ? law.name : "";
  const auto refuse = [&](const std::string& found, const std::string& allowed) {
    throw std::invalid_argument("law '" + name + "': found " + found + ", allowed " + allowed);
  };
  if (law.version != DEM_LAW_VERSION)
    refuse("version " + std::to_string(law.version), "version " + std::to_string(DEM_LAW_VERSION));
  if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != name.npos)
    refuse("this name", "small letters, digits and hyphens");
  if (law.history_size < 1 || law.history_size > DEM_LAW_MOST_HISTORY)
    refuse(std::to_string(law.history_size) + " numbers of history", "1 to " + std::to_string(DEM_LAW_MOST_HISTORY));
  if (law.parameter_count < 0 || law.parameter_count > DEM_LAW_MOST_PARAMETERS)
    refuse(std::to_string(law.parameter_count) + " parameters", "at most " + std::to_string(DEM_LAW_MOST_PARAMETERS));
  if (law.has_elongation && law.history_size < 2) refuse("an elongation in one number", "two numbers");
  if (!law.pass) refuse("no pass", "a function");
  const LawEntry* const there = find(name);
  if (there && there->pass != pass) refuse("the name of a law of the library", "another name");

  Plugin& plugin = plugins().emplace_back(Plugin{name, law.description ? law.description : "", {}, {}, law});
  for (int k = 0; k < law.parameter_count; ++k) {
    plugin.parameters.emplace_back(law.parameter_names[k]);
    plugin.units.emplace_back(law.parameter_units[k]);
  }
  LawEntry entry{};
  entry.has_potential = false;  // unknown, so that a verdict does not judge its circulation
  entry.name = plugin.name;
  entry.description = plugin.description;
  for (std::size_t k = 0; k < plugin.parameters.size(); ++k) entry.keys.push_back(key_of_parameter(plugin, k));
  Options fresh{&plugin, {}};
  std::fill(std::begin(fresh.parameters), std::end(fresh.parameters), NAN);
  std::memcpy(entry.defaults.data(), &fresh, sizeof fresh);
  entry.options_mark = &mark_of<Options>;
  entry.history_size = law.history_size;
  entry.pass = pass;
  if (calls == Calls::few) entry.pass_many = pass_many;
  entry.elongation = law.has_elongation ? elongation : no_elongation;
  entry.tangent = [](const void*, const ContactSprings& springs) { return springs.stiffness; };
  entry.check = [](const void* given, const Setting&, const Refuse& refuse_key) {
    const Options& options = *static_cast<const Options*>(given);
    for (std::size_t k = 0; k < options.plugin->parameters.size(); ++k)
      if (std::isnan(options.parameters[k])) refuse_key(options.plugin->parameters[k], "a number (required)");
  };
  entry.why_spring = [](const void*) -> std::string_view { return {}; };
  check_keys(entry);  // before the earlier one goes
  if (there) hide(name);
  add(std::move(entry));
}

}  // namespace dem::laws
