// The table of a sweep: CSV, HDF5.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libdem/results/hdf5_sealed.hpp"
#include "libdem/state/view.hpp"
#include "libdem/sweep/sweep.hpp"

namespace dem {
namespace {

/// Quotes a text by RFC 4180.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string number_text(double x) { return std::isnan(x) ? "nan" : fmt::format("{}", x); }

}  // namespace

std::size_t SweepTable::failed() const {
  return std::size_t(std::ranges::count_if(result, [](const auto& row) { return row.empty() || std::isnan(row[0]); }));
}

std::string table_csv(const SweepTable& table) {
  std::string text;
  for (const Column& column : table.parameters) text += cell(column.name) + ",";
  for (const Column& column : table.results) text += cell(column.name) + ",";
  text += "cpu_seconds,message\n";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const SweepValue& value : table.parameter[row]) text += cell(text_of(value)) + ",";
    for (const double value : table.result[row]) text += number_text(value) + ",";
    text += fmt::format("{:.3f},{}\n", table.seconds[row], cell(table.message[row]));
  }
  return text;
}

void write_table_hdf5(const std::filesystem::path& file, const SweepTable& table, const std::string& sweep_text,
                      const std::string& case_text) {
  hdf5::File out = hdf5::File::create(file.string());
  hdf5::Group root = out.root(), parameters = root.group("parameters"), results = root.group("results");
  const auto names = [](const std::vector<Column>& columns) {
    std::vector<std::string> all;
    for (const Column& column : columns) all.push_back(column.name);
    return all;
  };
  root.set("title", table.title);
  root.set("program_version", this_build().program_version);
  root.set("sweep", sweep_text);
  root.set("case", case_text);
  root.write_texts("parameter_order", names(table.parameters));
  root.write_texts("result_order", names(table.results));
  root.write_texts("message", table.message, {"", "why a result is missing, or a remark"});
  root.write<double>("cpu_seconds", table.seconds, {"s", "CPU time of the point"});
  for (std::size_t k = 0; k < table.parameters.size(); ++k) {
    const Column& column = table.parameters[k];
    std::vector<double> numbers;
    std::vector<std::string> words;
    for (const auto& row : table.parameter) {
      if (const auto* number = std::get_if<double>(&row[k])) numbers.push_back(*number);
      words.push_back(text_of(row[k]));
    }
    if (numbers.size() == words.size())
      parameters.write<double>(column.name, numbers, {column.unit, column.description});
    else
      parameters.write_texts(column.name, words, {column.unit, column.description});
  }
  for (std::size_t k = 0; k < table.results.size(); ++k) {
    std::vector<double> numbers;
    for (const auto& row : table.result) numbers.push_back(row[k]);
    results.write<double>(table.results[k].name, numbers, {table.results[k].unit, table.results[k].description});
  }
  hdf5::write_sealed(file, {"sweep", this_build().program_version}, out);
}

}  // namespace dem
