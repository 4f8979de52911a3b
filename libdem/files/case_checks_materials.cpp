// Materials by name: known, told apart, and each pair once.
#include <fmt/core.h>

#include <algorithm>

#include "libdem/files/case_resolve.hpp"
#include "libdem/files/case_value.hpp"

namespace dem::case_file {

void check_materials(const CaseDraft& draft, Problems& problems) {
  const auto& others = draft.other_materials;
  std::string names = "that of [material]";
  for (const auto& m : others) names += ", " + encode(m.name);
  const auto known = [&](const std::string& name) {
    return name.empty() || std::ranges::any_of(others, [&](const auto& m) { return m.name == name; });
  };
  for (std::size_t k = 0; k < others.size(); ++k) {
    const std::string path = fmt::format("other_material[{}].name", k + 1);
    if (!problems.is_given(path)) continue;
    const auto same = [&](const auto& m) { return m.name == others[k].name; };
    if (others[k].name.empty()) problems.add(path, "\"\"", "a name: the material without one is [material]");
    else if (std::any_of(others.begin(), others.begin() + std::ptrdiff_t(k), same))
      problems.add(path, encode(others[k].name) + ", which another material has", "a name of its own");
  }
  for (std::size_t k = 0; k < draft.bodies.size(); ++k)
    if (!known(draft.bodies[k].material))
      problems.add(fmt::format("body[{}].material", k + 1), encode(draft.bodies[k].material), "a name of an [[other_material]]: " + names);
  const auto& pairs = draft.material_pairs;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::string path = fmt::format("material_pair[{}]", k + 1);
    if (!known(pairs[k].first)) problems.add(path + ".first", encode(pairs[k].first), "one of " + names);
    if (!known(pairs[k].second)) problems.add(path + ".second", encode(pairs[k].second), "one of " + names);
    const auto same = [&](const MaterialPair& p) {
      return std::minmax(p.first, p.second) == std::minmax(pairs[k].first, pairs[k].second);
    };
    if (std::any_of(pairs.begin(), pairs.begin() + std::ptrdiff_t(k), same)) problems.add(path, "a pair that was listed before", "each pair once");
  }
}

}  // namespace dem::case_file
