// Each stage, material, wall and body has a name of its own, and so have the columns of the series that are named after
// it.
#include <fmt/format.h>

#include <map>

#include "libdem/case/draft.hpp"
#include "libdem/case/value.hpp"
#include "libdem/measure/body_columns.hpp"

namespace dem::case_file {
namespace {

/// The first key that has each name, or each column.
using Taken = std::map<std::string, std::string>;

/// "wall[1].name (line 12)".
std::string place(const std::string& path, const Problems& problems) {
  return fmt::format("{} (line {})", path, problems.line_of(path));
}

/// One more name; refused when it is taken. `path`: of its key.
bool take(Taken& taken, const std::string& name, const std::string& path, std::string_view why, Problems& problems) {
  if (name.empty()) return true;
  const auto [first, is_new] = taken.try_emplace(name, path);
  if (!is_new)
    problems.add(path, fmt::format("{}, which is that of {} too", encode(name), place(first->second, problems)),
                 fmt::format("a name of its own: {}", why));
  return is_new;
}

template <class List>
void check_list(const List& list, const char* table, std::string_view why, Problems& problems) {
  Taken taken;
  for_each_entry(list, table, [&](const auto& entry, const std::string& path) {
    take(taken, entry.name, path + ".name", why, problems);
  });
}

/// Columns of the series that are named after a body or a wall: `a-b` and `a_b` would have the same.
void take_columns(Taken& columns, const std::string& name, const std::vector<std::string>& parts,
                  const std::string& path, Problems& problems) {
  for (const std::string& part : parts) {
    const std::string column = column_word(name) + "_" + part;
    const auto [first, is_new] = columns.try_emplace(column, path);
    if (!is_new)
      return problems.add(path,
                          fmt::format("{}, whose column \"{}\" of the series is that of {} too", encode(name), column,
                                      place(first->second, problems)),
                          "a name that differs from it in letters or digits");
  }
}

}  // namespace

void check_names(const CaseDraft& draft, Problems& problems) {
  check_list(draft.own_stages, "stage", "messages and sweeps tell stages apart by it", problems);
  check_list(draft.own_materials, "other_material", "bodies choose their material by it", problems);

  std::vector<std::string> of_body, of_wall;
  for (const BodyColumn& column : body_columns(draft.dimension)) of_body.push_back(column.part);
  for (const char* vector : {"force", "moment"})
    for (const char* axis : {"x", "y", "z"}) of_wall.push_back(fmt::format("{}_{}", vector, axis));

  Taken names, columns;
  for (const auto& driver : draft.drivers)
    if (driver.entry->walls)
      for (const WallSpec& wall : driver.entry->walls(driver.options.get()))
        names.emplace(wall.name, driver.entry->table);
  // Walls first: a body that has the name of one is the one to be renamed. In space walls of one name are one part.
  for_each_entry(draft.assembly.walls, "wall", [&](const WallSpec& wall, const std::string& table) {
    const std::string &name = wall.name, path = table + ".name";
    const auto first = names.find(name);
    const bool same_part = draft.dimension == 3 && first != names.end() && first->second.starts_with("wall");
    if (name.empty() || same_part || problems.has(path)) return;
    if (take(names, name, path, "columns of the series and stage.wall_velocities are told by it", problems))
      take_columns(columns, name, of_wall, path, problems);
  });
  for_each_entry(draft.own_bodies, "body", [&](const BodyDraft& body, const std::string& table) {
    const std::string &name = body.name, path = table + ".name";
    if (!name.empty() && take(names, name, path, "columns of the series are told by it", problems))
      take_columns(columns, name, of_body, path, problems);
  });
}

}  // namespace dem::case_file
