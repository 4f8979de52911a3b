// Sets of bodies for measurements.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "libdem/state/bodies.hpp"

namespace dem {

/// One entry per body, nonzero if the body belongs to the set. An empty set means all bodies.
using BodySet = std::span<const std::uint8_t>;
inline bool contains(BodySet set, std::size_t body) { return set.empty() || set[body] != 0; }

/// True if the integrator moves any coordinate of the body. Plates, walls and driven bodies are not free.
inline bool is_free(const Bodies& bodies, std::size_t body) { return bodies.freedom[body] != 0; }

/// The set of the free bodies.
inline std::vector<std::uint8_t> free_bodies(const Bodies& bodies) {
  std::vector<std::uint8_t> set(bodies.size());
  for (std::size_t b = 0; b < set.size(); ++b) set[b] = is_free(bodies, b);
  return set;
}

}  // namespace dem
