#include "libdem/assembly/push_apart.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace dem {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_levels = 32;
// Pairs are pushed beyond touching, by these shares of the overlap and of the sum of the radii. Without the first, each
// ball is visited seven times as often at a void ratio of 1. From 0.8 on, dense packings are not reached any more.
constexpr double beyond_overlap = 0.6;
constexpr double clearance = 1e-4;
// Round-off may put a ball into the cell beside its own. The search goes further by this share.
constexpr double margin = 1 + 1e-9;

constexpr double Vec3::*axis_of[] = {&Vec3::x, &Vec3::y, &Vec3::z};

/// Radii of one class differ by at most a factor of two, so that each of its cells holds a few balls.
std::size_t size_class(double radius, double largest) {
  const double halvings = std::log2(largest / radius);
  return halvings < most_levels - 1 ? std::size_t(std::max(0.0, halvings)) : most_levels - 1;
}

}  // namespace

OverlapRelaxation::OverlapRelaxation(std::vector<Ball> balls, const geometry::Cell& cell, Vec3 origin, int dimension)
    : balls_(std::move(balls)),
      cell_(cell),
      origin_(origin),
      axes_(std::size_t(dimension)),
      row_(cell.reciprocal()),
      length_{norm(row_[0]), norm(row_[1]), norm(row_[2])},
      level_(balls_.size()),
      next_(balls_.size()),
      previous_(balls_.size()),
      in_cell_(balls_.size()),
      active_((balls_.size() + 63) / 64) {
  make_levels();
  for (std::size_t b = balls_.size(); b-- > 0;) {
    in_cell_[b] = cell_of(std::uint32_t(b));
    enter(std::uint32_t(b));
  }
}

void OverlapRelaxation::make_levels() {
  double largest = 0;
  for (const Ball& ball : balls_) largest = std::max(largest, ball.radius);
  std::array<std::size_t, most_levels> members{};
  std::array<double, most_levels> radius{};
  for (std::size_t b = 0; b < balls_.size(); ++b) {
    const std::size_t k = size_class(balls_[b].radius, largest);
    level_[b] = std::uint8_t(k);
    ++members[k];
    radius[k] = std::max(radius[k], balls_[b].radius);
  }
  std::array<std::uint8_t, most_levels> number{};
  std::size_t cells = 0;
  for (std::size_t k = 0; k < most_levels; ++k) {
    if (members[k] == 0) continue;
    std::array<double, 3> count{1, 1, 1};
    for (std::size_t a = 0; a < axes_; ++a)
      count[a] = std::clamp(std::floor(1 / (2 * radius[k] * length_[a])), 1.0, 1e6);
    // A few balls in a large cell must not cost memory.
    while (count[0] * count[1] * count[2] > 2.0 * double(members[k]) + 8) {
      double& most = *std::ranges::max_element(count);
      most = std::max(1.0, std::floor(most / 1.25));
    }
    number[k] = std::uint8_t(levels_.size());
    levels_.push_back({radius[k], {int(count[0]), int(count[1]), int(count[2])}, cells});
    cells += std::size_t(count[0] * count[1] * count[2]);
  }
  for (std::uint8_t& level : level_) level = number[level];
  first_.assign(cells, none);
}

std::uint32_t OverlapRelaxation::cell_of(std::uint32_t b) const {
  const Level& level = levels_[level_[b]];
  const Vec3 x = balls_[b].position - origin_;
  std::size_t cell = 0;
  for (std::size_t a = 3; a-- > 0;) {
    const double last = level.count[a] - 1;
    const double at = last > 0 ? std::clamp(std::floor(dot(row_[a], x) * level.count[a]), 0.0, last) : 0;
    cell = cell * std::size_t(level.count[a]) + std::size_t(at);
  }
  return std::uint32_t(level.first + cell);
}

void OverlapRelaxation::enter(std::uint32_t b) {
  std::uint32_t& first = first_[in_cell_[b]];
  previous_[b] = none;
  next_[b] = first;
  if (first != none) previous_[first] = b;
  first = b;
}

void OverlapRelaxation::leave(std::uint32_t b) {
  (previous_[b] == none ? first_[in_cell_[b]] : next_[previous_[b]]) = next_[b];
  if (next_[b] != none) previous_[next_[b]] = previous_[b];
}

/// Keeps a ball in the cell, and enters it where it is now.
void OverlapRelaxation::settle(std::uint32_t b, double factor) {
  Vec3& position = balls_[b].position;
  const double radius = factor * (1 + clearance) * balls_[b].radius;
  for (std::size_t a = 0; a < axes_; ++a) {
    if (cell_.periodic[a]) {
      const double turns = std::floor(dot(row_[a], position - origin_));
      if (turns != 0) position += -turns * cell_.vectors[a];
      continue;
    }
    double& x = position.*axis_of[a];
    const double low = origin_.*axis_of[a] + radius, high = low + cell_.vectors[a].*axis_of[a] - 2 * radius;
    x = std::clamp(x, low, std::max(low, high));
  }
  const std::uint32_t cell = cell_of(b);
  if (cell == in_cell_[b]) return;
  leave(b);
  in_cell_[b] = cell;
  enter(b);
}

/// Pushes two overlapping balls apart by the same distance. `shift` moves the other to its image.
bool OverlapRelaxation::push_pair(std::uint32_t b, std::uint32_t other, Vec3 shift, double factor) {
  const Vec3 branch = balls_[other].position + shift - balls_[b].position;
  const double sum = factor * (balls_[b].radius + balls_[other].radius), square = dot(branch, branch);
  if (!(square < sum * sum) || b == other) return false;
  const double distance = std::sqrt(square);
  const Vec3 along = distance > 0 ? (1 / distance) * branch : Vec3{1, 0, 0};
  const Vec3 push = 0.5 * ((1 + beyond_overlap) * (sum - distance) + clearance * sum) * along;
  balls_[b].position -= push;
  balls_[other].position += push;
  settle(other, factor);
  mark(other);
  return true;
}

/// Pushes the ball and those that overlap it apart.
void OverlapRelaxation::visit(std::uint32_t b, double factor) {
  const Vec3 x = balls_[b].position - origin_;
  const std::array<double, 3> s{dot(row_[0], x), dot(row_[1], x), dot(row_[2], x)};
  bool moved = false;
  for (const Level& level : levels_) {
    const double range = factor * (balls_[b].radius + level.largest) * margin;
    std::array<int, 3> low{}, high{};
    for (std::size_t a = 0; a < axes_; ++a) {
      const double reach = range * length_[a];
      low[a] = int(std::floor((s[a] - reach) * level.count[a]));
      high[a] = int(std::floor((s[a] + reach) * level.count[a]));
      if (cell_.periodic[a]) continue;
      low[a] = std::clamp(low[a], 0, level.count[a] - 1);
      high[a] = std::clamp(high[a], 0, level.count[a] - 1);
    }
    // Beyond a face lies an image of the cell. The first number is its image, the second the place within the cell.
    const auto placed = [&](std::size_t a, int index) {
      if (index >= 0 && index < level.count[a]) return std::pair{0, index};
      const int image = int(std::floor(double(index) / level.count[a]));
      return std::pair{image, index - image * level.count[a]};
    };
    for (int k = low[2]; k <= high[2]; ++k) {
      const auto [image_c, layer] = placed(2, k);
      for (int j = low[1]; j <= high[1]; ++j) {
        const auto [image_b, row] = placed(1, j);
        const Vec3 shift_bc = double(image_b) * cell_.vectors[1] + double(image_c) * cell_.vectors[2];
        const std::size_t line = level.first + std::size_t(layer * level.count[1] + row) * std::size_t(level.count[0]);
        for (int i = low[0]; i <= high[0]; ++i) {
          const auto [image_a, column] = placed(0, i);
          const Vec3 shift = double(image_a) * cell_.vectors[0] + shift_bc;
          for (std::uint32_t other = first_[line + std::size_t(column)], next; other != none; other = next) {
            next = next_[other];  // the other ball may leave the cell
            moved |= push_pair(b, other, shift, factor);
          }
        }
      }
    }
  }
  if (!moved) return;
  settle(b, factor);
  mark(b);
}

bool OverlapRelaxation::relax(double factor, double most_visits) {
  const std::size_t n = balls_.size();
  for (std::uint32_t b = 0; b < n; ++b) {
    settle(b, factor);
    mark(b);
  }
  const double most = double(visits_) + most_visits * double(n);
  for (bool any = true; any;) {
    any = false;
    for (std::size_t word = 0; word < active_.size(); ++word)
      // A ball that is pushed before its turn has its turn in the same sweep.
      for (std::uint64_t rest = active_[word], later = ~std::uint64_t{0}; rest != 0; rest = active_[word] & later) {
        const int bit = std::countr_zero(rest);
        later = ~std::uint64_t{1} << bit;
        active_[word] &= ~(std::uint64_t{1} << bit);
        visit(std::uint32_t(64 * word + std::size_t(bit)), factor);
        ++visits_;
        any = true;
      }
    if (any && double(visits_) > most) return false;
  }
  return true;
}

}  // namespace dem
