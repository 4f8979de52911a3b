#include "libdem/state/groups.hpp"

#include <fmt/core.h>

namespace dem {
namespace {

/// Empty without a name. The list has no elements where no body has a name.
std::string name_of(const State& state, std::size_t b) { return state.bodies.name.empty() ? "" : state.bodies.name[b]; }

}  // namespace

bool is_boundary(const State& state, std::size_t b) {
  const std::uint16_t group = state.bodies.group[b];
  return group == group_bottom_plate || group == group_top_plate || state.shape_of(b).is_wall();
}

std::optional<std::size_t> wall_named(const State& state, std::string_view name) {
  for (std::size_t b = state.bodies.size(); b-- > 0 && state.shape_of(b).is_wall();)  // walls are the last bodies
    if (!name.empty() && name_of(state, b) == name) return b;
  return std::nullopt;
}

std::string wall_label(const State& state, std::size_t wall) {
  const std::string name = name_of(state, wall);
  return name.empty() ? fmt::format("wall {}", wall) : fmt::format("the wall '{}'", name);
}

std::string body_label(const State& state, std::size_t b) {
  const std::string name = name_of(state, b);
  return fmt::format("body {}{} (group {})", b, name.empty() ? "" : " '" + name + "'",
                     state.groups[state.bodies.group[b]]);
}

}  // namespace dem
