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
Field<T> texts(const std::string& name, std::vector<std::string> T::*member) {
  return own_field<T>(name, "a list of texts in quotes", [member](const Value& value, T& out) {
    const auto* list = std::get_if<std::vector<Value>>(&value.data);
    if (!list || list->empty()) return false;
    std::vector<std::string> all(list->size());
    for (std::size_t k = 0; k < all.size(); ++k)
      if (!decode((*list)[k], {}, all[k])) return false;
    out.*member = std::move(all);
    return true;
  });
}

Field<RangeDraft> bound(std::string name, double RangeDraft::*member) {
  const Range size{1e-60, 1e60, false, false, true};
  Field<RangeDraft> row = field<RangeDraft>(std::move(name), member, any_number)
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
  return own_field<QuantityDraft>(std::move(name),
                                  "[from, to] with 0 <= from < to, counted from the start of the stage or run", read)
      .only({"mean", "minimum", "maximum", "deviation"});
}

Field<AxisDraft> values_of_axis() {
  return own_field<AxisDraft>("values", "a list of numbers, words or switches", [](const Value& value, AxisDraft& out) {
    if (!std::holds_alternative<std::vector<Value>>(value.data)) return false;
    out.values = value;
    return true;
  });
}

/// A table within the table, which is read by rows of its own.
template <class T>
Field<T> table_row(const std::string& name, const std::string& allowed) {
  return own_field<T>(name, allowed,
                      [](const Value& value, T&) { return std::holds_alternative<std::monostate>(value.data); });
}

}  // namespace

const Section<RootDraft>& root_section() {
  using T = RootDraft;
  static const Section<T> section{
      "",
      "",
      {field<T>("format", &T::format, Range{sweep_format, sweep_format})
           .allow("whole number", fmt::format("{}: this version reads no other format", sweep_format))
           .require(),
       field<T>("title", &T::title), field<T>("case", &T::case_file).require(), field<T>("keep", &T::keep),
       texts<T>("columns", &T::columns).only({"series"})},
      "keep"};
  return section;
}

const Section<PackingDraft>& packing_section() {
  using T = PackingDraft;
  static const Section<T> section{
      "start_from", "", {field<T>("case", &T::case_file).require(), field<T>("by", &T::by), field<T>("key", &T::key)}};
  return section;
}

const Section<AxisDraft>& axis_section() {
  using T = AxisDraft;
  static const Section<T> section{
      "axis",
      "",
      {field<T>("key", &T::key), field<T>("name", &T::name), texts<T>("keys", &T::keys), texts<T>("names", &T::names),
       values_of_axis(),
       table_row<T>("range", "{ from = …, to = …, count = … } or { from = …, to = …, per_decade = … }")}};
  return section;
}

const Section<RangeDraft>& range_section() {
  using T = RangeDraft;
  const Range points{1, most_points};
  static const Section<T> section{"range",
                                  "",
                                  {bound("from", &T::from), bound("to", &T::to), field<T>("count", &T::count, points),
                                   field<T>("per_decade", &T::per_decade, points), field<T>("spacing", &T::spacing)}};
  return section;
}

const Section<QuantityDraft>& quantity_section() {
  using T = QuantityDraft;
  static const Section<T> section{
      "quantity",
      "",
      {field<T>("kind", &T::kind).require(),
       field<T>("column", &T::column).only({"final", "mean", "minimum", "maximum", "deviation"}).require(),
       field<T>("stage", &T::stage), field<T>("name", &T::name), window("strain_window", &T::strain_window),
       window("time_window", &T::time_window)},
      "kind"};
  return section;
}

const Section<SweepSpec>& replicates_section() {
  using T = SweepSpec;
  static const Section<T> section{"replicates",
                                  "",
                                  {field<T>("count", &T::replicates, Range{1, most_points}).require(),
                                   field<T>("first_seed", &T::first_seed, Range{0}), field<T>("key", &T::seed_key)}};
  return section;
}

}  // namespace sweep_file
}  // namespace dem
