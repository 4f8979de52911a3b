// Reads a sweep file: TOML → SweepSpec, with all errors at once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "libdem/case/table_reader.hpp"
#include "libdem/sweep/case_document.hpp"
#include "libdem/sweep/sweep_folder.hpp"
#include "libdem/sweep/sweep_rows.hpp"

namespace dem {
namespace {

using namespace sweep_file;
using case_file::Problems;
using case_file::Value;

constexpr int no_dimension = 2;  // vectors of a sweep do not depend on the dimension

const case_file::Speller& speller() {
  static const case_file::Speller listing = case_file::listing_speller({{"", "a sweep"},
                                                                        {"axis", "[[axis]]"},
                                                                        {"range", "a range"},
                                                                        {"quantity", "[[quantity]]"},
                                                                        {"replicates", "[replicates]"},
                                                                        {"start_from", "[start_from]"}});
  return listing;
}

std::optional<SweepValue> scalar(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value.data)) return SweepValue(*truth);
  if (const auto* text = std::get_if<std::string>(&value.data)) return SweepValue(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return SweepValue(double(*whole));
  if (const auto* x = std::get_if<double>(&value.data); x && std::isfinite(*x)) return SweepValue(*x);
  return std::nullopt;
}

/// Rounds to 15 digits, so that decades are exact.
double tidy(double x) { return std::stod(fmt::format("{:.15g}", x)); }

using Points = std::vector<std::vector<SweepValue>>;

Points values_of(const RangeDraft& range, const std::string& path, Problems& problems) {
  const auto refuse = [&](std::string_view key, std::string_view found, std::string_view allowed) {
    problems.add(case_file::joined(path, key), found, allowed);
    return Points{};
  };
  const auto [from, to, count, per_decade, spacing] = range;
  if (count.has_value() == per_decade.has_value())
    return refuse("count", count ? "this key beside per_decade" : "nothing", "one of count and per_decade");
  if (spacing == Spacing::linear && per_decade) return refuse("spacing", "\"linear\"", "\"log\" with per_decade");
  const bool log = spacing == Spacing::log || per_decade;
  if (log && !(from > 0 && to > 0))
    return refuse(from > 0 ? "to" : "from", fmt::format("{}", from > 0 ? to : from),
                  "a number > 0 with spacing = \"log\"");
  if (from == to && count.value_or(2) > 1)
    return refuse("to", fmt::format("{}, which is from as well", to), "another number: the range is empty");
  Points values;
  if (per_decade) {
    const double decades = std::log10(to / from), sign = decades < 0 ? -1 : 1;
    const double places = std::floor(std::abs(decades) * *per_decade + 1e-9);
    if (!(places < most_points))
      return refuse("per_decade", fmt::format("{}, which makes {:g} points", *per_decade, places + 1),
                    fmt::format("at most {} points", most_points));
    for (int k = 0; k <= int(places); ++k) values.emplace_back(1, tidy(from * std::pow(10, sign * k / *per_decade)));
    return values;
  }
  for (int k = 0; k < *count; ++k) {
    const double share = *count > 1 ? double(k) / (*count - 1) : 0;
    const double x = log ? from * std::pow(to / from, share) : from + share * (to - from);
    values.emplace_back(1, k == 0 ? from : k + 1 == *count ? to : tidy(x));
  }
  return values;
}

/// The list `values` of an axis that sets `width` keys.
Points values_of(const Value& list, std::size_t width, const std::string& place, Problems& problems) {
  Points values;
  const auto& entries = std::get<std::vector<Value>>(list.data);
  if (entries.empty()) problems.add(place, "an empty list", "at least one value");
  for (const Value& entry : entries) {
    std::vector<SweepValue> point;
    if (const auto* tuple = std::get_if<std::vector<Value>>(&entry.data); tuple && width > 1) {
      for (const Value& part : *tuple)
        if (const auto value = scalar(part)) point.push_back(*value);
      if (tuple->size() != width) point.clear();
    } else if (const auto value = scalar(entry); value && width == 1) {
      point.push_back(*value);
    }
    if (point.size() != width) {
      problems.add(place, entry.found,
                   width == 1 ? "numbers, words or switches"
                              : fmt::format("lists of {} values, one for each of keys or names", width));
      break;
    }
    if (std::ranges::find(values, point) != values.end()) {
      problems.add(place, entry.found + " twice", "each value once; repetitions are [replicates]");
      break;
    }
    values.push_back(std::move(point));
  }
  return values;
}

/// `range` is null for an axis without a table `range`.
SweepAxis axis_of(const AxisDraft& draft, const toml::table* range, const std::string& path, Problems& problems) {
  const auto given = [&](std::string_view key) { return problems.is_given(case_file::joined(path, key)); };
  const auto refuse = [&](std::string_view key, std::string_view found, std::string_view allowed) {
    problems.add(case_file::joined(path, key), found, allowed);
  };
  SweepAxis axis{draft.names, draft.keys, {}};
  if (draft.key) axis.keys.insert(axis.keys.begin(), *draft.key);
  if (draft.name) axis.names.insert(axis.names.begin(), *draft.name);
  if (given("key") && given("keys")) refuse("keys", "this key beside key", "one of the two");
  if (given("name") && given("names")) refuse("names", "this key beside name", "one of the two");
  if (axis.keys.empty() && axis.names.empty() && !given("key") && !given("keys"))
    refuse("key", "nothing", "a key of the case (key, or keys for several at once), or a name for use in [set]");
  if (axis.names.empty()) axis.names = axis.keys;
  if (axis.keys.empty()) axis.keys.resize(axis.names.size());
  const std::size_t width = axis.keys.size();
  if (axis.names.size() != width) {
    refuse("names", fmt::format("{} names", axis.names.size()),
           fmt::format("{}, one for each key: they name the columns of the table, not values", width));
    axis.names = axis.keys;
  }
  if (given("values") == given("range"))
    refuse("values", given("values") ? "this key beside range" : "nothing", "one of values and range");
  else if (draft.values)
    axis.values = values_of(*draft.values, width, path + ".values", problems);
  else if (range && width > 1)
    refuse("range", "a range for several keys", "values, each a list");
  else if (range) {
    RangeDraft ends;
    read_table(range_section(), *range, path + ".range", no_dimension, ends, problems, speller());
    if (!problems.any()) axis.values = values_of(ends, path + ".range", problems);
  }
  return axis;
}

SweepQuantity quantity_of(const QuantityDraft& draft, const std::string& path, Problems& problems) {
  SweepQuantity q = draft;
  if (draft.strain_window && draft.time_window)
    problems.add(path + ".time_window", "this key beside strain_window", "one of the two");
  q.window_is_strain = draft.strain_window.has_value();
  if (const auto& window = draft.strain_window ? draft.strain_window : draft.time_window)
    q.from = window->from, q.to = window->to;
  if (q.name.empty())
    q.name = q.kind == QuantityKind::relaxation ? "t_R"
             : q.kind == QuantityKind::final    ? q.column
                                                : fmt::format("{}_{}", q.column, case_file::word_of(q.kind));
  return q;
}

/// Keys of the case and their expressions from [set], in the order of the file.
std::vector<std::pair<std::string, std::string>> expressions(const toml::table& set, Problems& problems) {
  std::vector<std::tuple<int, std::string, std::string>> in_order;
  for (const auto& [key, node] : set) {
    const std::string name(key.str()), place = "set." + name;
    problems.given(place, line_of(node));
    if (node.is_table())
      problems.add(place, "a table", fmt::format("the whole key in quotes: \"{}.…\" = \"expression\"", name));
    else if (node.is_string())
      in_order.emplace_back(line_of(node), name, node.as_string()->get());
    else if (node.is_number())
      in_order.emplace_back(line_of(node), name, fmt::format("{}", *node.value<double>()));
    else
      problems.add(place, shown(node), "an expression in quotes");
  }
  std::ranges::stable_sort(in_order, {}, [](const auto& entry) { return std::get<0>(entry); });
  std::vector<std::pair<std::string, std::string>> all;
  for (auto& [line, name, expression] : in_order) all.emplace_back(name, expression);
  return all;
}

/// Reads the case of `name` into text and file. With `starts` it starts from the results of another run.
void read_case_of(const std::string& place, const std::string& name, bool starts, const SweepSpec& spec,
                  std::filesystem::path& file, std::string& text, Problems& problems) {
  file = ((spec.file.has_parent_path() ? spec.file.parent_path() : ".") / name).lexically_normal();
  try {
    text = read_case_text(file);
    CaseDocument document(text, file.string());
    if (starts && !document.value_text("start_from").empty())
      problems.add("start_from", fmt::format("this key, and start_from in \"{}\"", name), "one of the two");
    else if (starts)
      document.set("start_from", std::string(sweep_folder::packings)), parse_case(document.text(), file);
    else
      parse_case(text, file);
  } catch (const FileError& error) {
    problems.add(place, fmt::format("\"{}\" ({})", name, error.what()), "a case file, relative to the sweep file");
  } catch (const CaseErrors& errors) {
    problems.add(place, fmt::format("\"{}\", in which: {}", name, fmt::join(errors.messages, "; ")),
                 "a case that dem run takes");
  }
}

void read_document(const toml::table& document, SweepSpec& spec, Problems& problems) {
  RootDraft root;
  std::vector<AxisDraft> axes;
  std::vector<QuantityDraft> quantities;
  std::optional<PackingDraft> packing;
  read_part(root_section(), document, no_dimension, root, problems, speller());
  if (problems.has("format")) return;
  read_part(axis_section(), document, no_dimension, axes, problems, speller());
  read_part(quantity_section(), document, no_dimension, quantities, problems, speller());
  if (document.contains("replicates"))
    read_part(replicates_section(), document, no_dimension, spec, problems, speller());
  if (document.contains("start_from"))
    read_part(packing_section(), document, no_dimension, packing.emplace(), problems, speller());
  case_file::refuse_unknown(
      document, {"format", "title", "case", "keep", "columns", "start_from", "axis", "quantity", "set", "replicates"},
      problems, speller());
  spec.title = root.title;
  spec.keep_series = root.keep == Keep::series;
  spec.columns = root.columns;
  if (!root.case_file.empty())
    read_case_of("case", root.case_file, packing.has_value(), spec, spec.case_file, spec.case_text, problems);
  if (packing && packing->case_file.empty() && problems.is_given("start_from.case"))
    problems.add("start_from.case", "\"\"", "a case file, relative to the sweep file");
  if (packing && !packing->case_file.empty()) {
    SweepPacking& made = spec.packing.emplace(SweepPacking{{}, "", packing->by, packing->key});
    read_case_of("start_from.case", packing->case_file, false, spec, made.case_file, made.case_text, problems);
    if (made.by.empty() && problems.is_given("start_from.key"))
      problems.add("start_from.key", "this key without by", "by beside it: what gives the value");
  }
  for (std::size_t k = 0; k < axes.size(); ++k)
    spec.axes.push_back(axis_of(axes[k], document.at_path(fmt::format("axis[{}].range", k)).as_table(),
                                fmt::format("axis[{}]", k + 1), problems));
  for (std::size_t k = 0; k < quantities.size(); ++k)
    spec.quantities.push_back(quantity_of(quantities[k], fmt::format("quantity[{}]", k + 1), problems));
  if (const toml::node* set = document.get("set")) {
    problems.given("set", line_of(*set));
    if (set->is_table())
      spec.set = expressions(*set->as_table(), problems);
    else
      problems.add("set", shown(*set), "one table [set]");
  }
  if (spec.first_seed > largest_seed)
    problems.refuse("replicates.first_seed", "",
                    fmt::format("at most {}, which a number of the table can hold", largest_seed));
}

}  // namespace

SweepSpec read_sweep(const std::filesystem::path& file) {
  SweepSpec spec;
  spec.file = file;
  spec.text = read_toml_file(file);
  Problems problems(file.string());
  const toml::table document = parse_toml(spec.text, file.string());
  if (case_file::is_of_other_kind(document, case_file::FileKind::sweep, problems))
    throw CaseErrors(problems.messages());
  read_document(document, spec, problems);
  if (!problems.has("format") && !problems.has("case") && !problems.has("start_from.case"))
    inspect_sweep(spec, problems);
  if (problems.any()) throw CaseErrors(problems.messages());
  return spec;
}

}  // namespace dem
