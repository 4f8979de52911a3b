#include "libdem/measure/body_set.hpp"

namespace dem {

std::vector<std::uint8_t> free_bodies(const Bodies& bodies) {
  std::vector<std::uint8_t> set(bodies.size());
  for (std::size_t b = 0; b < set.size(); ++b) set[b] = is_free(bodies, b);
  return set;
}

std::vector<std::uint8_t> free_bodies_in_band(const Bodies& bodies, double low, double high) {
  auto set = free_bodies(bodies);
  for (std::size_t b = 0; b < set.size(); ++b)
    set[b] &= bodies.position[0][b].y >= low && bodies.position[0][b].y < high;
  return set;
}

}  // namespace dem
