// Reads a sweep file: TOML → SweepSpec, with everything that is wrong in it at once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "libdem/case/problems.hpp"
#include "libdem/case/toml_text.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/sweep/expression.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/sweep_inspection.hpp"

namespace dem {
namespace {

using case_file::Problems;

constexpr std::size_t most_points = 1000000;
constexpr std::int64_t largest_seed = 9007199254740992;  // 2^53

std::optional<SweepValue> value_of(const toml::node& node) {
  if (const auto* b = node.as_boolean()) return SweepValue(b->get());
  if (const auto* s = node.as_string()) return SweepValue(s->get());
  if (const auto x = node.is_number() ? node.value<double>() : std::nullopt; x && std::isfinite(*x))
    return SweepValue(*x);
  return std::nullopt;
}

/// One table of the file: every key is asked for once, what is left is unknown.
class Table {
 public:
  Table(const toml::table& table, std::string path, Problems& problems)
      : table_(table), path_(std::move(path)), problems_(problems) {
    problems_.given(path_, line_of(table));
    for (const auto& [key, node] : table) problems_.given(place(key.str()), line_of(node));
  }

  std::string place(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }
  const toml::node* get(std::string key) {
    asked_.push_back(key);
    return table_.get(key);
  }
  bool has(std::string_view key) const { return table_.contains(key); }
  void refuse(std::string_view key, std::string_view found, std::string_view allowed) {
    problems_.add(place(key), found, allowed);
  }

  std::string text(const std::string& key, bool required = false) {
    const toml::node* node = get(key);
    if (!node && required) refuse(key, "nothing", "text in quotes (required)");
    if (node && !node->is_string()) refuse(key, shown(*node), "text in quotes");
    return node && node->is_string() ? node->as_string()->get() : "";
  }
  std::optional<double> number(const std::string& key, std::string_view allowed = "a number") {
    const toml::node* node = get(key);
    const auto x = node && node->is_number() ? node->value<double>() : std::nullopt;
    if (node && !(x && std::isfinite(*x))) refuse(key, shown(*node), allowed);
    return x && std::isfinite(*x) ? x : std::nullopt;
  }
  std::optional<std::int64_t> whole(const std::string& key, std::int64_t least, std::string_view allowed) {
    const toml::node* node = get(key);
    if (!node) return std::nullopt;
    if (!node->is_integer() || node->as_integer()->get() < least) {
      refuse(key, shown(*node), allowed);
      return std::nullopt;
    }
    return node->as_integer()->get();
  }
  /// A text, or a list of texts where `list`.
  std::vector<std::string> texts(const std::string& key) {
    std::vector<std::string> all;
    const toml::node* node = get(key);
    const auto* list = node ? node->as_array() : nullptr;
    if (node && (!list || list->empty() || !list->is_homogeneous(toml::node_type::string)))
      refuse(key, shown(*node), "a list of texts in quotes");
    else if (list)
      for (const auto& entry : *list) all.push_back(entry.as_string()->get());
    return all;
  }
  void refuse_unknown(std::string_view of) {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::ranges::find(asked_, name) != asked_.end()) continue;
      std::string nearest, all;
      int least = case_file::near_enough(name);
      for (const auto& known : asked_) {
        all += (all.empty() ? "" : ", ") + known;
        if (const int d = case_file::edit_distance(name, known); d <= least) least = d - 1, nearest = known;
      }
      if (!nearest.empty() && !has(nearest)) problems_.meant(place(nearest));
      problems_.add_first(place(name), "an unknown key",
                          fmt::format("in {}: {}{}", of, all, nearest.empty() ? "" : "; nearest known: " + nearest));
    }
  }

 private:
  const toml::table& table_;
  std::string path_;
  Problems& problems_;
  std::vector<std::string> asked_;
};

/// Rounded to 15 digits, so that decades are decades.
double tidy(double x) { return std::stod(fmt::format("{:.15g}", x)); }

std::vector<std::vector<SweepValue>> read_range(const toml::node& node, const std::string& path, Problems& problems) {
  std::vector<std::vector<SweepValue>> values;
  if (!node.is_table()) {
    problems.add(path, shown(node), "{ from = …, to = …, count = … } or { from = …, to = …, per_decade = … }");
    return values;
  }
  Table range(*node.as_table(), path, problems);
  const auto from = range.number("from"), to = range.number("to");
  for (const auto& [key, x] : {std::pair("from", from), {"to", to}})
    if (x && !(*x == 0 || (std::abs(*x) >= 1e-60 && std::abs(*x) <= 1e60)))
      range.refuse(key, fmt::format("{}", *x), "0 or a number from 1e-60 to 1e+60 in size");
  const auto count = range.whole("count", 1, "a whole number >= 1: an empty range has no points");
  const auto per_decade = range.whole("per_decade", 1, "a whole number >= 1");
  const std::string spacing = range.text("spacing");
  range.refuse_unknown("a range");
  if (!range.has("from")) range.refuse("from", "nothing", "a number (required)");
  if (!range.has("to")) range.refuse("to", "nothing", "a number (required)");
  if (range.has("count") == range.has("per_decade"))
    range.refuse("count", range.has("count") ? "it beside per_decade" : "nothing", "one of count and per_decade");
  if (!spacing.empty() && spacing != "linear" && spacing != "log")
    range.refuse("spacing", fmt::format("\"{}\"", spacing), "\"linear\" or \"log\"");
  if (spacing == "linear" && range.has("per_decade")) range.refuse("spacing", "\"linear\"", "\"log\" with per_decade");
  const bool log = spacing == "log" || range.has("per_decade");
  if (log && from && to && !(*from > 0 && *to > 0))
    range.refuse(*from > 0 ? "to" : "from", fmt::format("{}", *from > 0 ? *to : *from),
                 "a number > 0 with spacing = \"log\"");
  if (problems.any() || !from || !to || !(count || per_decade)) return values;
  if (*from == *to && count.value_or(2) > 1) {
    range.refuse("to", fmt::format("{}, which is from as well", *to), "another number: the range is empty");
    return values;
  }
  if (per_decade) {
    const double decades = std::log10(*to / *from), sign = decades < 0 ? -1 : 1;
    const double places = std::floor(std::abs(decades) * double(*per_decade) + 1e-9);
    if (!(places < double(most_points))) {
      range.refuse("per_decade", fmt::format("{}, which makes {:g} points", *per_decade, places + 1),
                   fmt::format("at most {} points", most_points));
      return values;
    }
    const auto last = std::int64_t(places);
    for (std::int64_t k = 0; k <= last; ++k)
      values.emplace_back(1, tidy(*from * std::pow(10, sign * double(k) / double(*per_decade))));
    return values;
  }
  if (*count > std::int64_t(most_points)) {
    range.refuse("count", fmt::format("{}", *count), fmt::format("at most {} points", most_points));
    return values;
  }
  for (std::int64_t k = 0; k < *count; ++k) {
    const double share = *count > 1 ? double(k) / double(*count - 1) : 0;
    const double x = log ? *from * std::pow(*to / *from, share) : *from + share * (*to - *from);
    values.emplace_back(1, k == 0 ? *from : k + 1 == *count ? *to : tidy(x));
  }
  return values;
}

void read_values(const toml::node& node, const SweepAxis& axis, Table& table,
                 std::vector<std::vector<SweepValue>>& values) {
  const auto* list = node.as_array();
  if (!list) return table.refuse("values", shown(node), "a list of numbers, words or switches");
  if (list->empty()) return table.refuse("values", "an empty list", "at least one value");
  const std::size_t width = axis.names.size();
  for (const auto& entry : *list) {
    std::vector<SweepValue> point;
    if (const auto* tuple = entry.as_array(); tuple && width > 1) {
      for (const auto& part : *tuple)
        if (const auto value = value_of(part)) point.push_back(*value);
      if (tuple->size() != width) point.clear();
    } else if (const auto value = value_of(entry); value && width == 1) {
      point.push_back(*value);
    }
    if (point.size() != width)
      return table.refuse("values", shown(entry),
                          width == 1 ? "numbers, words or switches"
                                     : fmt::format("lists of {} values, one for each of keys or names", width));
    if (std::ranges::find(values, point) != values.end())
      return table.refuse("values", shown(entry) + " twice", "each value once; repetitions are [replicates]");
    values.push_back(std::move(point));
  }
}

SweepAxis read_axis(const toml::table& from, const std::string& path, Problems& problems) {
  Table table(from, path, problems);
  SweepAxis axis;
  const std::string key = table.text("key"), name = table.text("name");
  axis.keys = table.texts("keys");
  axis.names = table.texts("names");
  if (!key.empty()) axis.keys.insert(axis.keys.begin(), key);
  if (!name.empty()) axis.names.insert(axis.names.begin(), name);
  const toml::node *values = table.get("values"), *range = table.get("range");
  table.refuse_unknown("an [[axis]]");
  if (table.has("key") && table.has("keys")) table.refuse("keys", "it beside key", "one of the two");
  if (table.has("name") && table.has("names")) table.refuse("names", "it beside name", "one of the two");
  if (axis.keys.empty() && axis.names.empty() && !table.has("key") && !table.has("keys"))
    table.refuse("key", "nothing", "a key of the case (key, or keys for several at once), or a name for use in [set]");
  if (axis.names.empty()) axis.names = axis.keys;
  if (axis.keys.empty()) axis.keys.resize(axis.names.size());
  if (axis.names.size() != axis.keys.size())
    table.refuse("names", fmt::format("{} names", axis.names.size()),
                 fmt::format("one for each of the {} keys", axis.keys.size()));
  if ((values != nullptr) == (range != nullptr))
    table.refuse("values", values ? "it beside range" : "nothing", "one of values and range");
  else if (values)
    read_values(*values, axis, table, axis.values);
  else if (axis.names.size() > 1)
    table.refuse("range", "a range for several keys", "values, each a list");
  else
    axis.values = read_range(*range, table.place("range"), problems);
  return axis;
}

SweepQuantity read_quantity(const toml::table& from, const std::string& path, Problems& problems) {
  Table table(from, path, problems);
  SweepQuantity q;
  static const std::vector<std::pair<std::string, QuantityKind>> kinds{{"relaxation", QuantityKind::relaxation},
                                                                       {"final", QuantityKind::final},
                                                                       {"mean", QuantityKind::mean},
                                                                       {"minimum", QuantityKind::minimum},
                                                                       {"maximum", QuantityKind::maximum},
                                                                       {"deviation", QuantityKind::deviation}};
  const std::string kind = table.text("kind", true);
  bool known = false;
  std::string words, nearest;
  for (const auto& [word, value] : kinds) {
    if (word == kind) q.kind = value, known = true;
    words += fmt::format("{}\"{}\"", words.empty() ? "one of " : ", ", word);
    if (case_file::edit_distance(word, kind) <= case_file::near_enough(kind)) nearest = "; nearest known: " + word;
  }
  if (!known && !kind.empty()) table.refuse("kind", fmt::format("\"{}\"", kind), words + nearest);
  q.column = table.text("column");
  q.stage = table.text("stage");
  q.name = table.text("name");
  for (const bool strain : {false, true}) {
    const std::string key = strain ? "strain_window" : "time_window";
    const toml::node* node = table.get(key);
    if (!node) continue;
    const auto* pair = node->as_array();
    const auto a = pair && pair->size() == 2 ? (*pair)[0].value<double>() : std::nullopt;
    const auto b = pair && pair->size() == 2 ? (*pair)[1].value<double>() : std::nullopt;
    if (!a || !b || !(*a >= 0 && *b > *a))
      table.refuse(key, shown(*node), "[from, to] with 0 <= from < to, counted from the start of the stage or run");
    else
      q.from = *a, q.to = *b, q.window_is_strain = strain;
  }
  table.refuse_unknown("a [[quantity]]");
  if (table.has("strain_window") && table.has("time_window"))
    table.refuse("time_window", "it beside strain_window", "one of the two");
  const bool relaxation = known && q.kind == QuantityKind::relaxation;
  if (relaxation && !q.column.empty())
    table.refuse("column", fmt::format("\"{}\"", q.column), "none: relaxation is that of the kinetic energy");
  if (known && !relaxation && !table.has("column"))
    table.refuse("column", "nothing", "a column of the series (required)");
  for (const char* window : {"strain_window", "time_window"})
    if (known && table.has(window) && (relaxation || q.kind == QuantityKind::final))
      table.refuse(window, "a window", fmt::format("none with kind = \"{}\"", kind));
  if (q.name.empty()) q.name = relaxation ? "t_R" : q.kind == QuantityKind::final ? q.column : q.column + "_" + kind;
  return q;
}

/// Visits the tables of a list.
template <class Visit>
void each_table(const toml::table& document, std::string_view name, Problems& problems, Visit visit) {
  const toml::node* node = document.get(name);
  if (!node) return;
  problems.given(std::string(name), line_of(*node));
  const auto* list = node->as_array();
  if (!list || !list->is_array_of_tables())
    return problems.add(std::string(name), shown(*node), fmt::format("tables, each under its own [[{}]]", name));
  for (std::size_t k = 0; k < list->size(); ++k) visit(*(*list)[k].as_table(), fmt::format("{}[{}]", name, k + 1));
}

const toml::table* table_of(Table& root, const std::string& name) {
  const toml::node* node = root.get(name);
  if (node && !node->is_table()) root.refuse(name, shown(*node), fmt::format("one table [{}]", name));
  return node ? node->as_table() : nullptr;
}

SweepSpec read_document(const toml::table& document, const std::filesystem::path& file, Problems& problems) {
  SweepSpec spec;
  Table root(document, "", problems);
  const auto format = root.whole("format", 0, fmt::format("{}", sweep_format));
  if (!root.has("format")) root.refuse("format", "nothing", fmt::format("{} (required)", sweep_format));
  if (format && *format != sweep_format) {
    root.refuse("format", fmt::format("{}", *format),
                fmt::format("{}: this version reads no other format", sweep_format));
    return spec;
  }
  spec.title = root.text("title");
  if (const std::string name = root.text("case", true); !name.empty()) {
    spec.case_file = (file.has_parent_path() ? file.parent_path() : std::filesystem::path(".")) / name;
    spec.case_file = spec.case_file.lexically_normal();
    try {
      spec.case_text = read_case_text(spec.case_file);
      parse_case(spec.case_text, spec.case_file);
    } catch (const FileError& error) {
      root.refuse("case", fmt::format("\"{}\" ({})", name, error.what()), "a case file, relative to the sweep file");
    } catch (const CaseErrors& errors) {
      root.refuse("case", fmt::format("\"{}\", in which: {}", name, fmt::join(errors.messages, "; ")),
                  "a case that dem run takes");
    }
  }
  for (const char* list : {"axis", "quantity"}) root.get(list);
  each_table(document, "axis", problems, [&](const toml::table& table, const std::string& path) {
    spec.axes.push_back(read_axis(table, path, problems));
  });
  each_table(document, "quantity", problems, [&](const toml::table& table, const std::string& path) {
    spec.quantities.push_back(read_quantity(table, path, problems));
  });
  if (const toml::table* set = table_of(root, "set")) {
    Table entries(*set, "set", problems);
    std::vector<std::tuple<int, std::string, std::string>> in_order;
    for (const auto& [key, node] : *set) {
      const std::string place(key.str());
      if (node.is_table())
        entries.refuse(place, "a table", fmt::format("the whole key in quotes: \"{}.…\" = \"expression\"", place));
      else if (node.is_string())
        in_order.emplace_back(line_of(node), place, node.as_string()->get());
      else if (node.is_number())
        in_order.emplace_back(line_of(node), place, fmt::format("{}", *node.value<double>()));
      else
        entries.refuse(place, shown(node), "an expression in quotes");
    }
    std::ranges::stable_sort(in_order, {}, [](const auto& entry) { return std::get<0>(entry); });
    for (auto& [line, place, expression] : in_order) spec.set.emplace_back(place, expression);
  }
  if (const toml::table* replicates = table_of(root, "replicates")) {
    Table table(*replicates, "replicates", problems);
    const std::int64_t count = table.whole("count", 1, "a whole number >= 1").value_or(1),
                       first_seed = table.whole("first_seed", 0, "a whole number >= 0").value_or(1);
    if (count > std::int64_t(most_points))
      table.refuse("count", fmt::format("{}", count), fmt::format("at most {} points", most_points));
    else
      spec.replicates = int(count);
    if (first_seed > largest_seed)
      table.refuse("first_seed", fmt::format("{}", first_seed),
                   fmt::format("at most {}, which a number of the table can hold", largest_seed));
    else
      spec.first_seed = std::uint64_t(first_seed);
    spec.seed_key = table.text("key");
    table.refuse_unknown("[replicates]");
    if (!table.has("count")) table.refuse("count", "nothing", "a whole number >= 1 (required)");
  }
  root.refuse_unknown("a sweep");
  return spec;
}

}  // namespace

SweepSpec read_sweep(const std::filesystem::path& file) {
  const std::string text = read_toml_file(file);
  const toml::table document = parse_toml(text, file.string());
  Problems problems(file.string());
  SweepSpec spec = read_document(document, file, problems);
  spec.file = file;
  spec.text = text;
  if (!problems.has("format") && !problems.has("case")) inspect_sweep(spec, problems, most_points);
  if (problems.any()) throw CaseErrors(problems.messages());
  return spec;
}

}  // namespace dem
