// Groups of bodies, and how messages name a body or a wall.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libdem/state/state.hpp"

namespace dem {

/// Groups of every state, as numbers of Bodies::group.
inline constexpr std::uint16_t group_free = 0, group_bottom_plate = 1, group_top_plate = 2, group_wall = 3;

/// True for parts of a plate or a wall. Such bodies exert no forces on each other.
bool is_boundary(const State&, std::size_t body);

/// The wall of this name; none without one.
std::optional<std::size_t> wall_named(const State&, std::string_view name);

/// The name of a body in messages: "body 12 'loose' (group free)". Bodies count from 0, as in all results files.
std::string body_label(const State&, std::size_t body);

/// The name of a wall in messages: "the wall 'floor'", or "wall 12" without a name. Columns of a series use this
/// number.
std::string wall_label(const State&, std::size_t wall);

}  // namespace dem
