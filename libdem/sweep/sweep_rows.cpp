#include "libdem/sweep/sweep_rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace dem {

case_file::Words<QuantityKind> words_of(QuantityKind) {
  return {{QuantityKind::relaxation, "relaxation", "relaxation time"},
          {QuantityKind::final, "final", "value at the end of"},
          {QuantityKind::mean, "mean", "mean of"},
          {QuantityKind::minimum, "minimum", "minimum of"},
          {QuantityKind::maximum, "maximum", "maximum of"},
          {QuantityKind::deviation, "deviation", "sample standard deviation of"}};
}

namespace sweep_file {

using namespace case_file;

static Words<Spacing> words_of(Spacing) {
  return {{Spacing::linear, "linear", "equal differences"}, {Spacing::log, "log", "equal ratios"}};
}

static Words<Keep> words_of(Keep) {
  return {{Keep::table, "table", "only the table"}, {Keep::series, "series", "also the rows of each point"}};
}

namespace {

template <class T>
Field<T> texts(const std::string& name, std::vector<std::string> T::*member, const std::string& description) {
  const auto read = [member](const Value& value, T& out) {
    const auto* list = std::get_if<std::vector<Value>>(&value.data);
    if (!list || list->empty()) return false;
    std::vector<std::string> all(list->size());
    for (std::size_t k = 0; k < all.size(); ++k)
      if (!decode((*list)[k], {}, all[k])) return false;
    out.*member = std::move(all);
    return true;
  };
  return own_field<T>(name, "list of texts", "a list of texts in quotes", description, read);
}

Field<RangeDraft> bound(std::string name, double RangeDraft::*member) {
  const Range size{1e-60, 1e60, false, false, true};
  Field<RangeDraft> row = field<RangeDraft>(std::move(name), member, "", any_number, "End of the range.")
                              .allow("number", "0 or a number from 1e-60 to 1e+60 in size")
                              .require();
  row.read = [read = std::move(row.read), member, size](const Value& value, RangeDraft& out) {
    return read(value, out) && size.contains(std::abs(out.*member));
  };
  return row;
}

Field<QuantityDraft> window(std::string name, std::optional<WindowDraft> QuantityDraft::*member) {
  const auto read = [member](const Value& value, QuantityDraft& out) {
    std::vector<double> pair;
    if (!decode(value, Range{0}, pair) || pair.size() != 2 || !(pair[1] > pair[0])) return false;
    out.*member = WindowDraft{pair[0], pair[1]};
    return true;
  };
  return own_field<QuantityDraft>(std::move(name), "[from, to]",
                                  "[from, to] with 0 <= from < to, counted from the start of the stage or run",
                                  "Rows that count.", read)
      .only({"mean", "minimum", "maximum", "deviation"});
}

Field<AxisDraft> values_of_axis() {
  return own_field<AxisDraft>("values", "list", "a list of numbers, words or switches", "Each value once.",
                              [](const Value& value, AxisDraft& out) {
                                if (!std::holds_alternative<std::vector<Value>>(value.data)) return false;
                                out.values = value;
                                return true;
                              });
}

/// A table within the table, which is read by rows of its own.
template <class T>
Field<T> table_row(const std::string& name, const std::string& allowed) {
  return own_field<T>(name, "table", allowed, "",
                      [](const Value& value, T&) { return std::holds_alternative<std::monostate>(value.data); });
}

}  // namespace

const Section<RootDraft>& root_section() {
  using T = RootDraft;
  static const Section<T> section{
      "",
      "The sweep as a whole.",
      {field<T>("format", &T::format, "", Range{sweep_format, sweep_format}, "Format of the sweep file.")
           .allow("whole number", fmt::format("{}: this version reads no other format", sweep_format))
           .require(),
       field<T>("title", &T::title, "", {}, "Title of the sweep."),
       field<T>("case", &T::case_file, "", {}, "Base case, relative to the sweep file.").require(),
       field<T>("keep", &T::keep, "", {}, "What is kept of each point."),
       texts<T>("columns", &T::columns, "Columns of the kept rows; all if it is not given.").only({"series"})},
      "keep"};
  return section;
}

const Section<PackingDraft>& packing_section() {
  using T = PackingDraft;
  static const Section<T> section{
      "start_from",
      "The packing that the points start from.",
      {field<T>("case", &T::case_file, "", {}, "Case of the packing, relative to the sweep file.").require(),
       field<T>("by", &T::by, "", {}, "seed, or the name of an axis: one packing for each of its values."),
       field<T>("key", &T::key, "", {}, "Key of the packing's case that gets the value.")}};
  return section;
}

const Section<AxisDraft>& axis_section() {
  using T = AxisDraft;
  static const Section<T> section{
      "axis",
      "One axis of the grid.",
      {field<T>("key", &T::key, "", {}, "Key of the case that gets the values."),
       field<T>("name", &T::name, "", {}, "Column of the table, and name for [set]."),
       texts<T>("keys", &T::keys, "Keys that change together."), texts<T>("names", &T::names, "Their names."),
       values_of_axis(),
       table_row<T>("range", "{ from = …, to = …, count = … } or { from = …, to = …, per_decade = … }")}};
  return section;
}

const Section<RangeDraft>& range_section() {
  using T = RangeDraft;
  const Range points{1, most_points};
  static const Section<T> section{
      "range",
      "Values of an axis.",
      {bound("from", &T::from), bound("to", &T::to), field<T>("count", &T::count, "", points, "Number of values."),
       field<T>("per_decade", &T::per_decade, "", points, "Values per factor of ten."),
       field<T>("spacing", &T::spacing, "", {}, "linear, or log with from and to > 0.")}};
  return section;
}

const Section<QuantityDraft>& quantity_section() {
  using T = QuantityDraft;
  static const Section<T> section{"quantity",
                                  "A result of each run.",
                                  {field<T>("kind", &T::kind, "", {}, "Kind of result.").require(),
                                   field<T>("column", &T::column, "", {}, "Column of the series.")
                                       .only({"final", "mean", "minimum", "maximum", "deviation"})
                                       .require(),
                                   field<T>("stage", &T::stage, "", {}, "Rows of this stage only."),
                                   field<T>("name", &T::name, "", {}, "Column of the table."),
                                   window("strain_window", &T::strain_window), window("time_window", &T::time_window)},
                                  "kind"};
  return section;
}

const Section<SweepSpec>& replicates_section() {
  using T = SweepSpec;
  static const Section<T> section{
      "replicates",
      "Repetitions of every point.",
      {field<T>("count", &T::replicates, "", Range{1, most_points}, "Repetitions.").require(),
       field<T>("first_seed", &T::first_seed, "", Range{0}, "Seed of the first."),
       field<T>("key", &T::seed_key, "", {}, "Key of the case that gets the seed.")}};
  return section;
}

}  // namespace sweep_file
}  // namespace dem
