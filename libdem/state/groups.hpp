// Groups of bodies, and how messages name a body or a wall.
#pragma once
#include <cstdint>
#include <string>

#include "libdem/state/state.hpp"

namespace dem {

/// Groups that every state has, as Bodies::group holds them.
inline constexpr std::uint16_t group_free = 0, group_bottom_plate = 1, group_top_plate = 2, group_wall = 3;

/// Part of a plate or a wall. Such bodies exert no forces on each other.
bool is_boundary(const State&, std::size_t body);

/// "body 12 'loose' (group free)": how messages name a body. Bodies count from 0, as in all results files.
std::string body_label(const State&, std::size_t body);

/// "the wall 'floor'", or "wall 12" where it has no name: the number that the columns of a series give it.
std::string wall_label(const State&, std::size_t wall);

}  // namespace dem
