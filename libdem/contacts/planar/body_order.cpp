#include "libdem/contacts/planar/body_order.hpp"

#include <numeric>
#include <span>

#include "libdem/state/spatial_order.hpp"

namespace dem {
namespace {

constexpr std::size_t fewest_bodies = 512;  // two parts of a share: fewer bodies have one thread
constexpr double scattered = 4;             // so many times as far from number to number as in the spatial order

/// Sum of the distances from each to the next (m).
double path_length(std::span<const Vec3> positions, std::span<const std::uint32_t> order) {
  double sum = 0;
  for (std::size_t k = 1; k < order.size(); ++k) sum += norm(positions[order[k]] - positions[order[k - 1]]);
  return sum;
}

}  // namespace

BodyOrder::BodyOrder(const State& state) : places_(state.bodies.places()) {
  const std::size_t n = state.bodies.size();
  if (places_) {
    numbers_.resize(n);
    for (std::size_t b = 0; b < n; ++b) numbers_[(*places_)[b]] = std::uint32_t(b);
    return;
  }
  std::vector<Vec3> positions;
  while (positions.size() < n && !state.shape_of(positions.size()).is_half_plane())
    positions.push_back(state.bodies.position[0][positions.size()]);
  if (state.step != 0 || positions.size() < fewest_bodies) return;
  std::vector<std::uint32_t> order = spatial_order(positions, state.cell), by_number(positions.size());
  std::iota(by_number.begin(), by_number.end(), 0u);
  if (!(path_length(positions, by_number) > scattered * path_length(positions, order))) return;
  numbers_ = std::move(order);
  for (std::size_t wall = positions.size(); wall < n; ++wall) numbers_.push_back(std::uint32_t(wall));
  std::vector<std::uint32_t> places(n);
  for (std::size_t at = 0; at < n; ++at) places[numbers_[at]] = std::uint32_t(at);
  places_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(places));
}

}  // namespace dem
