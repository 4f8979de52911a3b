// Columns of walls: forces and moments of the contacts on them.
#include <fmt/format.h>

#include <algorithm>

#include "libdem/run/row_columns.hpp"

namespace dem {
namespace {
constexpr std::size_t most_walls = 16;
constexpr const char* axes = "xyz";

/// A word for each wall, of letters, digits and underscores, no two alike.
std::vector<std::string> words_of(const State& state, const std::vector<std::size_t>& walls) {
  std::vector<std::string> words;
  for (const std::size_t wall : walls) {
    std::string name = state.bodies.name.empty() ? "" : state.bodies.name[wall];
    if (name.empty()) name = fmt::format("wall_{}", wall);
    name = column_word(name);
    std::string word = name;
    for (int k = 2; std::ranges::find(words, word) != words.end(); ++k) word = fmt::format("{}_{}", name, k);
    words.push_back(std::move(word));
  }
  return words;
}
std::vector<std::size_t> recorded_walls(const State& state) {
  std::vector<std::size_t> walls;
  for (std::size_t b = 0; b < state.bodies.size() && walls.size() < most_walls; ++b)
    if (state.shape_of(b).is_wall()) walls.push_back(b);
  return walls;
}

}  // namespace

/// Moments are about the origin, which moves with the wall; in the plane about the middle of the wall's two points.
RowColumns wall_columns(const State& state) {
  RowColumns all;
  const std::vector<std::size_t> walls = recorded_walls(state);
  const std::vector<std::string> words = words_of(state, walls);
  const bool plane = state.dimension == 2;
  for (std::size_t k = 0; k < walls.size(); ++k) {
    for (std::size_t a = 0; a < std::size_t(state.dimension); ++a)
      all.push_back({{fmt::format("{}_force_{}", words[k], axes[a]), plane ? "N/m" : "N",
                      fmt::format("force of the contacts on wall '{}' along {}", words[k], axes[a])},
                     [wall = walls[k], a](const RowLook& l) { return component(l.state().bodies.force[wall], a); }});
    for (std::size_t a = plane ? 2 : 0; a < 3; ++a)
      all.push_back(
          {{fmt::format("{}_moment_{}", words[k], axes[a]), plane ? "N" : "N m",
            plane ? "moment of these forces about the middle of `from` and `to`, which moves with the wall"
                  : fmt::format("moment of these forces about {} through the origin, which moves with the wall",
                                axes[a])},
           [wall = walls[k], a](const RowLook& l) { return component(l.state().bodies.torque[wall], a); }});
  }
  return all;
}

}  // namespace dem
