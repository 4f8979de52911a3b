#include "libdem/sweep/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

#include "libdem/assembly/assembly.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/run/simulation_setup.hpp"
#include "libdem/state/view.hpp"
#include "libdem/sweep/expression.hpp"

namespace dem {
namespace {

constexpr std::string_view unreadable = "-";  // in place of a sum

struct GridPoint {
  std::vector<std::size_t> at;  ///< index on each axis
  int replicate = 0;
};

GridPoint grid_point(const SweepSpec& spec, std::size_t point) {
  GridPoint p;
  p.replicate = int(point % std::size_t(spec.replicates));
  point /= std::size_t(spec.replicates);
  p.at.resize(spec.axes.size());
  for (std::size_t a = spec.axes.size(); a-- > 0;) {
    p.at[a] = point % spec.axes[a].values.size();
    point /= spec.axes[a].values.size();
  }
  return p;
}

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

std::optional<double> as_number(const SweepValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  return std::nullopt;
}

double expected_cost(const SweepSpec& spec, std::size_t point) {
  try {
    const CaseDocument document = point_document(spec, point, 1.0);
    double time = 0;
    for (std::size_t k = 1; k <= document.stages(); ++k) {
      const auto of = [&](std::string_view key) { return document.number(fmt::format("stage[{}].{}", k, key)); };
      double stage = of("duration").value_or(INFINITY);
      if (const auto strain = of("strain"), rate = of("shear_rate"); strain && rate && *rate != 0)
        stage = std::min(stage, std::abs(*strain / *rate));
      if (const auto cycles = of("cycles"), amplitude = of("strain_amplitude"), rate = of("shear_rate");
          cycles && amplitude && rate && *rate != 0)
        stage = std::min(stage, 4 * *cycles * *amplitude / std::abs(*rate));
      if (std::isfinite(stage)) time += stage;
    }
    const double bodies =
        document.number("assembly.columns").value_or(1) * document.number("assembly.rows").value_or(1);
    const double step = document.number("time.step").value_or(1);
    return step > 0 ? std::max(time, 1e3 * step) / step * bodies : 1;
  } catch (const std::exception&) {
    return 0;  // the table will show the message
  }
}

}  // namespace

std::size_t SweepSpec::points() const {
  std::size_t n = std::size_t(replicates);
  for (const SweepAxis& axis : axes) {
    if (!axis.values.empty() && n > std::numeric_limits<std::size_t>::max() / axis.values.size())
      return std::numeric_limits<std::size_t>::max();
    n *= axis.values.size();
  }
  return n;
}

std::uint64_t seed_of(const SweepSpec& spec, std::size_t point) {
  return spec.first_seed + std::uint64_t(grid_point(spec, point).replicate);
}

std::vector<SweepValue> point_values(const SweepSpec& spec, std::size_t point) {
  const GridPoint p = grid_point(spec, point);
  std::vector<SweepValue> values;
  for (std::size_t a = 0; a < spec.axes.size(); ++a)
    values.insert(values.end(), spec.axes[a].values[p.at[a]].begin(), spec.axes[a].values[p.at[a]].end());
  if (spec.replicates > 1) {
    values.emplace_back(double(p.replicate));
    values.emplace_back(double(seed_of(spec, point)));
  }
  return values;
}

CaseDocument point_document(const SweepSpec& spec, std::size_t point, std::optional<double> t_c) {
  const GridPoint p = grid_point(spec, point);
  const double seed = double(seed_of(spec, point));
  CaseDocument document(spec.case_text, spec.case_file.string());
  if (spec.packing) document.set("start_from", std::filesystem::absolute(packing_folder(spec, point)).string());
  for (std::size_t a = 0; a < spec.axes.size(); ++a)
    for (std::size_t k = 0; k < spec.axes[a].names.size(); ++k)
      if (!spec.axes[a].keys[k].empty()) document.set(spec.axes[a].keys[k], spec.axes[a].values[p.at[a]][k]);
  if (!spec.seed_key.empty()) document.set(spec.seed_key, seed);

  const auto value_of = [&](const std::string& name) -> std::optional<double> {
    if (name == "t_c") return t_c;
    if (name == "replicate") return p.replicate;
    if (name == "seed") return seed;
    std::optional<double> by_last_part;
    for (std::size_t a = 0; a < spec.axes.size(); ++a)
      for (std::size_t k = 0; k < spec.axes[a].names.size(); ++k) {
        const SweepValue& value = spec.axes[a].values[p.at[a]][k];
        if (spec.axes[a].names[k] == name) return as_number(value);
        if (last_part(spec.axes[a].keys[k]) == name) by_last_part = as_number(value);
      }
    return by_last_part ? by_last_part : document.number(name);
  };
  for (const bool last : {false, true}) {
    const auto turn = [&](const auto& entry) {
      return (std::ranges::count(expression_names(entry.second), "t_c") > 0) == last;
    };
    if (std::ranges::none_of(spec.set, turn)) continue;
    if (last && !t_c) {
      const Case c = parse_case(document.text(), spec.case_file);
      t_c = reference_scale(c, build_assembly(c)).contact_duration;
    }
    for (const auto& entry : spec.set) {
      if (!turn(entry)) continue;
      try {
        document.set(entry.first, expression_value(entry.second, value_of));
      } catch (const std::invalid_argument& error) {
        throw SetError(entry.first, error.what());
      }
    }
  }
  raise_intervals(document);
  return document;
}

void raise_intervals(CaseDocument& document) {
  const double step = document.number("time.step").value_or(0);
  for (const char* key :
       {"output.series_interval", "output.snapshot_interval", "output.frame_interval", "time.limit_check_interval"})
    if (const double interval = document.number(key).value_or(0); interval > 0 && interval < step)
      document.set(key, step);
}

std::string point_case_text(const SweepSpec& spec, std::size_t point) { return point_document(spec, point).text(); }

std::vector<std::string> expression_words(const SweepSpec& spec) {
  std::vector<std::string> words{"t_c", "replicate", "seed"};
  for (const SweepAxis& axis : spec.axes)
    for (std::size_t k = 0; k < axis.names.size(); ++k) {
      words.push_back(axis.names[k]);
      if (!axis.keys[k].empty() && last_part(axis.keys[k]) != axis.names[k]) words.push_back(last_part(axis.keys[k]));
    }
  return words;
}

std::vector<double> expected_costs(const SweepSpec& spec) {
  std::vector<double> costs(spec.points());
  for (std::size_t point = 0; point < costs.size(); ++point) costs[point] = expected_cost(spec, point);
  return costs;
}

std::vector<std::size_t> starting_order(const SweepSpec& spec, const std::vector<double>& costs) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  // As floats, costs that differ in their last bit on another machine are equal.
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t point) { return float(costs[point]); });
  if (!spec.packing) return order;
  std::set<std::filesystem::path> begun;
  std::vector<std::size_t> first, others;
  for (const std::size_t point : order)
    (begun.insert(packing_folder(spec, point)).second ? first : others).push_back(point);
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

std::string text_of(const SweepValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  return std::get<std::string>(value);
}

std::string program_line() {
  const RunDescription build = this_build();
  return fmt::format("program {} {} {}\n", build.program_version, build.compiler, build.flags);
}

std::string inputs_of(const CaseDocument& document, const std::filesystem::path& case_file) {
  std::string text;
  const auto add = [&](const std::string& place, std::string_view file) {
    std::string name = document.value_text(place);
    if (name.size() < 3) return;             // not given, or an empty name
    name = name.substr(1, name.size() - 2);  // without quotes
    std::string content(unreadable);
    try {
      std::filesystem::path path = case_file.parent_path() / name;
      if (!file.empty()) path /= file;
      content = fmt::format("{:016x}", fnv1a(read_file(path)));
    } catch (const FileError&) {  // the run will show the message
    }
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", place, content);
  };
  const auto add_if_there = [&](const std::string& place) {
    try {
      add(place, "");
      return true;
    } catch (const std::invalid_argument&) {  // no such table
      return false;
    }
  };
  add("start_from", "checkpoint.h5");
  add_if_there("assembly.file");
  for (int k = 1; add_if_there(fmt::format("wall[{}].file", k)); ++k) {
  }
  return text;
}

std::string inputs_of(const SweepSpec& spec, std::size_t point) {
  if (!spec.packing) return inputs_of(point_document(spec, point, 1.0), spec.case_file);
  // The results of the packing follow from the sweep and from these files.
  CaseDocument document = point_document(spec, point, 1.0);
  document.set("start_from", std::string());
  std::string text = inputs_of(document, spec.case_file);
  std::string packing = inputs_of(packing_document(spec, point), spec.packing->case_file);
  if (packing.empty()) return text;
  for (std::size_t at = 0; (at = packing.find("; ", at)) != packing.npos; at += 2) packing.insert(at + 2, "packing.");
  return fmt::format("{}{}packing.{}", text, text.empty() ? "" : "; ", packing);
}

bool lacks_input(std::string_view inputs) { return inputs.find(unreadable) != inputs.npos; }

std::string changed_input(std::string_view then, std::string_view now) {
  while (!then.empty() && !now.empty()) {
    const std::string_view a = then.substr(0, then.find("; ")), b = now.substr(0, now.find("; "));
    if (a != b && !lacks_input(a) && !lacks_input(b)) return std::string(a.substr(0, a.find(' ')));
    then.remove_prefix(std::min(then.size(), a.size() + 2));
    now.remove_prefix(std::min(now.size(), b.size() + 2));
  }
  return "";
}

std::string fingerprint(const SweepSpec& spec) {
  std::string text = program_line();
  for (const SweepAxis& axis : spec.axes) {
    text += "axis";
    for (std::size_t k = 0; k < axis.names.size(); ++k) text += fmt::format(" {} ({})", axis.names[k], axis.keys[k]);
    text += '\n';
    for (const auto& point : axis.values) {
      text += fmt::format("axis {} =", axis.names[0]);
      for (const SweepValue& value : point) text += fmt::format(" {}", text_of(value));
      text += '\n';
    }
  }
  for (const auto& [key, expression] : spec.set) text += fmt::format("set {} = {}\n", key, expression);
  text += fmt::format("replicates {} from seed {} of {}\n", spec.replicates, spec.first_seed, spec.seed_key);
  for (const SweepQuantity& q : spec.quantities)
    text += fmt::format("quantity {} kind {} column {} stage {} {} from {} to {}\n", q.name, int(q.kind), q.column,
                        q.stage, q.window_is_strain ? "strain" : "time", q.from, q.to);
  if (spec.keep_series) text += fmt::format("series {}\n", fmt::join(spec.columns, ", "));
  if (spec.packing)
    text += fmt::format("packing by {} at {}\n{}\n", spec.packing->by, spec.packing->key, spec.packing->case_text);
  text += "case\n" + spec.case_text;
  return text;
}

std::string without_lines(const CaseErrors& errors, const std::filesystem::path& file) {
  std::string text;
  for (std::string message : errors.messages) {
    if (message.starts_with(file.string() + ":")) {
      message.erase(0, file.string().size());
      std::size_t at = 0;
      while (at < message.size() && (message[at] == ':' || std::isdigit(static_cast<unsigned char>(message[at])))) ++at;
      message.erase(0, message.find_first_not_of(' ', at));
    }
    text += (text.empty() ? "" : "; ") + message;
  }
  return text;
}

}  // namespace dem
