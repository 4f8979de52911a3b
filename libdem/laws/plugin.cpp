#include "libdem/laws/plugin.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <list>
#include <string>

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

void pass(const void* given, const StepFlags& flags, Block& b, double* history) {
  const Options& options = *static_cast<const Options*>(given);
  const dem_law& law = options.plugin->law;
  for (double* column :
       {b.elastic_1, b.elastic_2, b.viscous_1, b.viscous_2, b.stored, b.dissipated, b.work, b.forgotten, b.sliding})
    std::fill_n(column, b.count, 0.0);
  const dem_law_block block{DEM_LAW_VERSION, b.count,        law.history_size, flags.energies,   options.parameters,
                            history,         b.normal_start, b.normal_end,     b.normal_viscous, b.shift_1,
                            b.shift_2,       b.velocity_1,   b.velocity_2,     b.stiffness,      b.damping,
                            b.friction,      b.elastic_1,    b.elastic_2,      b.viscous_1,      b.viscous_2,
                            b.stored,        b.dissipated,   b.work,           b.sliding};
  if (law.pass(&block, law.user) != 0) throw LawFailed("law '" + options.plugin->name + "' has failed");
}

void elongation(const double* history, const LegPool*, const ContactSprings&, double out[2]) {
  out[0] = history[0], out[1] = history[1];
}
void no_elongation(const double*, const LegPool*, const ContactSprings&, double out[2]) { out[0] = out[1] = 0; }

Key key_of_parameter(const Plugin& plugin, std::size_t k) {
  Key key{{plugin.parameters[k], plugin.units[k], "Parameter of law " + plugin.name + ", which came as a plugin."},
          [k](const void* o) -> Key::Value { return static_cast<const Options*>(o)->parameters[k]; },
          [k](void* o, const Key::Value& v) { static_cast<Options*>(o)->parameters[k] = std::get<double>(v); }};
  key.low = -1e300, key.high = 1e300;
  key.default_text = "required";
  return key;
}

}  // namespace

void add_plugin(const dem_law& law) {
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
  entry.elongation = law.has_elongation ? elongation : no_elongation;
  entry.tangent = [](const void*, const ContactSprings& springs) { return springs.stiffness; };
  entry.check = [](const void* given, const Setting&, const Refuse& refuse_key) {
    const Options& options = *static_cast<const Options*>(given);
    for (std::size_t k = 0; k < options.plugin->parameters.size(); ++k)
      if (std::isnan(options.parameters[k])) refuse_key(options.plugin->parameters[k], "a number (required)");
  };
  entry.why_spring = [](const void*) -> std::string_view { return {}; };
  if (there) hide(name);
  add(std::move(entry));
}

}  // namespace dem::laws
