// Which bodies a measurement speaks of.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "libdem/state/bodies.hpp"

namespace dem {

/// One entry a body, nonzero: belongs to the set. Empty: all bodies.
using BodySet = std::span<const std::uint8_t>;
inline bool contains(BodySet set, std::size_t body) { return set.empty() || set[body] != 0; }

/// A body is free when the integrator moves any of its coordinates; plates, walls and driven bodies are not.
inline bool is_free(const Bodies& bodies, std::size_t body) { return bodies.freedom[body] != 0; }

/// The free bodies; with a band, those whose centroid lies in low ≤ y < high (m).
std::vector<std::uint8_t> free_bodies(const Bodies&);
std::vector<std::uint8_t> free_bodies_in_band(const Bodies&, double low, double high);

}  // namespace dem
