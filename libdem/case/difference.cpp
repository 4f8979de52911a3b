#include "libdem/case/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "geometry/printable.hpp"
#include "libdem/case/schema.hpp"
#include "libdem/drivers/mass_damping.hpp"
#include "libdem/platform/text_file.hpp"

namespace dem {
namespace {

using namespace case_file;

constexpr std::string_view nothing = "nothing";

/// The form in which the state holds contacts and terms of motion follows from these keys. The last four count tables.
constexpr std::array fixed_keys{"dimension",   "gravity",       "time.step",          "time.integrator",
                                "contact.law", "output.ledger", "output.plane_jumps", "body",
                                "wall",        "plates",        "shear_box"};
/// Keys of the start, from which the state has moved on. The work of constant loads counts from there, too.
constexpr std::array start_parts{".position",    ".velocity",         ".angle", ".spin",
                                 ".orientation", ".angular_velocity", ".force", ".couple"};
/// Keys beside those of [output]. A run that continues has read its start already.
constexpr std::array other_output_keys{"format", "title", "threads", "skin", "start_from"};

ChangeEffect effect_of(std::string_view key) {
  if (std::ranges::find(fixed_keys, key) != fixed_keys.end()) return ChangeEffect::none_can;
  if (key.starts_with("contact."))
    for (const laws::LawEntry& law : laws::catalogue())
      if (const laws::Key* own = law.find_key(key.substr(8)); own && own->shapes_state) return ChangeEffect::none_can;
  if (key.starts_with("assembly.") || key.starts_with("cell.")) return ChangeEffect::none_can;
  if (key.starts_with("body[") &&
      std::ranges::any_of(start_parts, [&](std::string_view part) { return key.ends_with(part); }))
    return ChangeEffect::none_can;
  if (key.starts_with("stage[") && key.ends_with(".name")) return ChangeEffect::output;
  if (key.starts_with("output.") || std::ranges::find(other_output_keys, key) != other_output_keys.end())
    return ChangeEffect::output;
  return ChangeEffect::physics;
}

/// Histories with legs hold normal forces and slopes, which follow from these keys.
bool bounds_histories(const std::string& key, std::size_t stage) {
  if (key == fmt::format("stage[{}].friction", stage + 1)) return true;
  if (key.starts_with("body[")) return key.ends_with(".material");
  if (key == "other_material" || key == "material_pair" || key == "contact.dissimilar_materials") return true;
  constexpr std::array parts{".friction", ".shear_modulus", ".poisson_ratio"};
  return (key.starts_with("material") || key.starts_with("other_material")) &&
         std::ranges::any_of(parts, [&](std::string_view part) { return key.ends_with(part); });
}

bool has_cell_drive(const Case& c) {
  return std::ranges::any_of(c.stages, [](const Stage& stage) { return stage.cell.has_value(); });
}
bool drives_cell(const std::string& key) {
  const std::string name = key.substr(key.rfind('.') + 1);
  return key.starts_with("stage[") && (name.starts_with("rate_") || name.starts_with("stress_") ||
                                       name.starts_with("turn_") || name == "mean_pressure");
}

/// Tables of one name, of which a case has none, one or several.
struct Tables {
  std::string name, heading;
  std::size_t count = 0;
};
/// Keys and their values as TOML. A key of a list has the number of its table, from 1.
struct Keys {
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<Tables> tables;
};

/// The keys without names of files, because only the contents count.
Keys keys_of(const Case& c) {
  Keys keys;
  const CaseDraft draft = draft_of(c);
  for_each_section(draft, [&]<class T, class Part>(const Section<T>& section, const Part& part) {
    std::size_t count = 0;
    for_each_table(section, part, [&](const T& table, const std::string& name) {
      ++count;
      const std::string word = section.selected(table);
      for (const auto& row : section.fields)
        if (const auto value = Section<T>::text(row, table, word, c.dimension))
          keys.values.emplace_back(name.empty() ? row.key.path : name + "." + row.key.path,
                                   value->empty() ? std::string(nothing) : *value);
    });
    keys.tables.push_back({section.name, heading(section.name, is_list<Part>), count});
  });
  for (const auto& named : files_of_case(c))
    std::erase_if(keys.values, [&](const auto& entry) { return entry.first == named.first; });
  return keys;
}

}  // namespace

std::vector<std::pair<std::string, std::filesystem::path>> files_of_case(const Case& c) {
  std::vector<std::pair<std::string, std::filesystem::path>> files;
  if (const auto* file = c.assembly.file()) files.emplace_back("assembly.file", *file);
  for (std::size_t k = 0; k < c.assembly.walls.size(); ++k)
    if (c.assembly.walls[k].shape == WallShape::mesh)
      files.emplace_back(fmt::format("wall[{}].file", k + 1), c.assembly.walls[k].file);
  return files;
}

std::vector<std::uint64_t> sums_of_files(const Case& c) {
  std::vector<std::uint64_t> sums;
  for (const auto& [key, file] : files_of_case(c)) sums.push_back(fnv1a(read_file(file)));
  return sums;
}

std::uint64_t case_fingerprint(const Case& c, const std::vector<std::uint64_t>& file_sums) {
  std::uint64_t sum = fnv1a("");
  for (const auto& [key, value] : keys_of(c).values)
    if (effect_of(key) != ChangeEffect::output) sum = fnv1a(fmt::format("{} = {}\n", key, value), sum);
  for (const std::uint64_t file : file_sums) sum = fnv1a(fmt::format("{:016x}\n", file), sum);
  return sum;
}

std::vector<CaseDifference> case_differences(const Case& before, const std::vector<std::uint64_t>& sums_before,
                                             const Case& now, const std::vector<std::uint64_t>& sums_now,
                                             std::size_t stages_over) {
  const Keys then = keys_of(before), present = keys_of(now);
  const bool other_damping = (largest_mass_damping(before) > 0) != (largest_mass_damping(now) > 0),
             other_drive = has_cell_drive(before) != has_cell_drive(now);
  std::vector<CaseDifference> out;
  const auto add = [&](const std::string& key, const std::string& was, const std::string& is) {
    ChangeEffect effect = effect_of(key);
    const bool is_over = key.starts_with("stage[") && std::stoull(key.substr(6)) <= stages_over;
    if (effect == ChangeEffect::physics &&
        (is_over || (other_damping && key.ends_with("mass_damping")) || (other_drive && drives_cell(key)) ||
         (before.contact.law->legs >= 0 && bounds_histories(key, stages_over))))
      effect = ChangeEffect::none_can;
    // In space only one elongation keeps the rotations of the last step. Only a run from results keeps its start.
    if ((key == "contact.elongation" && now.dimension == 3) ||
        (key == "start_from" && before.start_from.empty() != now.start_from.empty()))
      effect = ChangeEffect::none_can;
    out.push_back({key, printable(was), printable(is), effect});
  };
  // A table that only one case has is one difference, not one per key.
  const auto in_both = [&](const std::string& key) {
    const std::string table = key.substr(0, key.find_first_of(".["));
    const std::size_t number = key.find('[') < key.find('.') ? std::stoull(key.substr(key.find('[') + 1)) : 1;
    for (std::size_t k = 0; k < then.tables.size(); ++k)
      if (then.tables[k].name == table) return number <= std::min(then.tables[k].count, present.tables[k].count);
    return true;
  };
  std::map<std::string, std::string> values(present.values.begin(), present.values.end());
  for (const auto& [key, was] : then.values) {
    const auto found = values.find(key);
    const std::string is = found == values.end() ? std::string(nothing) : found->second;
    if (found != values.end()) values.erase(found);
    if (is != was && in_both(key)) add(key, was, is);
  }
  for (const auto& [key, is] : present.values)
    if (values.contains(key) && is != nothing && in_both(key)) add(key, std::string(nothing), is);
  const auto counted = [](const Tables& t) {
    return t.count == 0 ? "no " + t.heading : fmt::format("{} table{} {}", t.count, t.count > 1 ? "s" : "", t.heading);
  };
  for (std::size_t k = 0; k < then.tables.size(); ++k)
    if (then.tables[k].count != present.tables[k].count)
      add(then.tables[k].name, counted(then.tables[k]), counted(present.tables[k]));
  const auto files = files_of_case(now);
  for (std::size_t k = 0; k < std::min(sums_before.size(), sums_now.size()); ++k)
    if (sums_before[k] != sums_now[k]) add(files[k].first, "another content of the file", files[k].second.string());
  return out;
}

}  // namespace dem
