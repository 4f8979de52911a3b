// The schema as text: the resolved case, `dem help` and the reference.
#include <fmt/core.h>

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>

#include "libdem/case/of_laws.hpp"
#include "libdem/case/problems.hpp"
#include "libdem/case/schema.hpp"

namespace dem {
namespace case_file {
namespace {

template <class T>
void write_table(const Section<T>& section, const T& draft, int dimension, std::string& out) {
  const std::string word = section.selected(draft);
  for (const auto& row : section.fields) {
    const auto text = Section<T>::text(row, draft, word, dimension);
    if (!text) continue;
    const std::string& value = *text;
    const bool is_default = dimension == 2 && value == row.fresh && !(row.is_needed && row.is_needed(draft));
    if (row.sparse && (value.empty() || is_default)) continue;
    const bool other_unit = dimension == 3 && !row.key.unit_in_space.empty();
    const std::string& name = other_unit ? row.key.unit_in_space : row.key.unit;
    const std::string unit = name.empty() ? "" : "  # " + name;
    if (value.empty())
      out += fmt::format("# {} is not given\n", row.key.path);
    else
      out += fmt::format("{} = {}{}\n", row.key.path, value, unit);
  }
}

template <class T>
CaseTable table_of(const Section<T>& section, bool list) {
  CaseTable table{section.name, section.description, list};
  for (const auto& row : section.fields) {
    CaseKey& key = table.keys.emplace_back(row.key);
    if (!section.name.empty()) key.path = section.name + "." + key.path;
    // In a plane case the key that selects may be missing, because it has one value only.
    const Field<T>* selector = section.find(section.selector);
    const bool selects = !selector || row.dimension == 0 || Section<T>::exists(*selector, row.dimension);
    for (const auto& word : selects ? key.only_for : std::vector<std::string>())
      key.when += fmt::format("{}{}", key.when.empty() ? section.selector + " = " : " or ", word);
    if (row.dimension != 0) key.when += fmt::format("{}dimension = {}", key.when.empty() ? "" : ", ", row.dimension);
    if (key.default_text == "\"\"") key.default_text = "empty";
    if (key.default_text.empty()) key.default_text = "not given";
  }
  return table;
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

}  // namespace
}  // namespace case_file

std::string resolved_case(const Case& c) {
  using namespace case_file;
  std::string out = fmt::format("# Resolved case: every key, given or default. SI units, angles in radians{}.\n",
                                c.dimension == 2 ? ", 2D per unit thickness" : "");
  const CaseDraft draft = draft_of(c);
  for_each_section(draft, [&]<class T, class Part>(const Section<T>& section, const Part& part) {
    for_each_table(section, part, [&](const T& table, const std::string&) {
      if (!section.name.empty()) out += fmt::format("\n{}\n", heading(section.name, is_list<Part>));
      write_table(section, table, c.dimension, out);
    });
  });
  return out;
}

const std::vector<CaseTable>& case_tables() {
  static case_file::OfLaws<std::vector<CaseTable>> tables([] {
    std::vector<CaseTable> all;
    for_each_section(case_file::CaseDraft(),
                     [&]<class T, class Part>(const case_file::Section<T>& section, const Part&) {
                       all.push_back(case_file::table_of(section, case_file::is_list<Part>));
                     });
    return all;
  });
  return tables.get();
}

const std::vector<CaseKey>& case_keys() {
  static case_file::OfLaws<std::vector<CaseKey>> keys([] {
    std::vector<CaseKey> all;
    for (const CaseTable& table : case_tables()) all.insert(all.end(), table.keys.begin(), table.keys.end());
    return all;
  });
  return keys.get();
}

/// The keys of the first test that any key passes.
static std::vector<CaseKey> first_found(std::initializer_list<std::function<bool(const CaseKey&)>> tests) {
  std::vector<CaseKey> found;
  for (const auto& test : tests)
    if (found.empty()) std::ranges::copy_if(case_keys(), std::back_inserter(found), test);
  return found;
}

std::vector<CaseKey> find_case_keys(std::string_view word) {
  return first_found({[&](const CaseKey& key) { return key.path == word; },
                      [&](const CaseKey& key) { return key.path.starts_with(std::string(word) + "."); },
                      [&](const CaseKey& key) { return case_file::last_part(key.path) == word; }});
}

std::vector<CaseKey> search_case_keys(std::string_view word) {
  const std::string wanted = boost::to_lower_copy(std::string(word));
  return first_found(
      {[&](const CaseKey& key) {
         return key.path.starts_with(wanted) || case_file::last_part(key.path).starts_with(wanted);
       },
       [&](const CaseKey& key) { return key.path.find(wanted) != std::string::npos; },
       [&](const CaseKey& key) { return boost::to_lower_copy(key.description).find(wanted) != std::string::npos; }});
}

std::string nearest_case_key(std::string_view word) {
  const auto table = word.substr(0, word.size() - case_file::last_part(word).size());
  std::string nearest;
  int least = 1000;
  for (const auto& key : case_keys()) {
    const bool same_table = key.path.substr(0, key.path.size() - case_file::last_part(key.path).size()) == table;
    // A key of the same table is preferred to an equally near one of another table.
    const int distance =
        2 * case_file::edit_distance(case_file::last_part(word), case_file::last_part(key.path)) + !same_table;
    if (distance < least) least = distance, nearest = key.path;
  }
  return least / 2 <= case_file::near_enough(case_file::last_part(word)) ? nearest : "";
}

std::string case_reference() {
  std::string out = "# Keys of the case file\n\nSI units, angles in radians, 2D per unit thickness.\n";
  for (const CaseTable& chapter : case_tables()) {
    out +=
        fmt::format("\n## {}\n", chapter.name.empty() ? "At the top" : case_file::heading(chapter.name, chapter.list));
    out += fmt::format("\n{}\n\n| key | type | unit | default | allowed | meaning |\n|---|---|---|---|---|---|\n",
                       chapter.description);
    for (const auto& key : chapter.keys)
      out += fmt::format("| `{}`{} | {} | {} | {} | {} | {} |\n", case_file::last_part(key.path),
                         key.when.empty() ? "" : " (" + key.when + ")", key.type, key.units(), key.default_text,
                         key.allowed, key.description);
    for (const auto& key : chapter.keys) {
      if (!key.meanings.empty()) out += fmt::format("\nValues of `{}`:\n\n", case_file::last_part(key.path));
      for (const auto& [value, meaning] : key.meanings) out += fmt::format("- `{}`: {}\n", value, meaning);
    }
  }
  return out;
}

}  // namespace dem
