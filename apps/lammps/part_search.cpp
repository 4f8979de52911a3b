// Which pairs of grains a rank looks at, and when its list is too old.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <tuple>

#include "apps/lammps/part.hpp"
#include "libdem/state/cell_deformation.hpp"
#include "libdem/state/groups.hpp"

namespace dem {
namespace {
Image difference(Image a, Image b) {
  return {std::int16_t(a[0] - b[0]), std::int16_t(a[1] - b[1]), std::int16_t(a[2] - b[2])};
}
}  // namespace

std::optional<std::size_t> body_beyond_images(const State& state, std::size_t bodies) {
  const auto rows = state.cell.reciprocal();
  for (std::size_t b = 0; b < bodies; ++b)
    for (std::size_t a = 0; a < std::size_t(state.dimension); ++a)
      if (state.cell.periodic[a] &&
          !(std::abs(dot(rows[a], state.bodies.position[0][b] - state.cell_origin)) <= most_images))
        return b;
  return {};
}

double parting(const State& state, std::size_t bodies, double reach) {
  const CellDeformation change = state.cell.vectors != state.evaluated_cell.vectors
                                     ? cell_deformation(state.cell, state.evaluated_cell)
                                     : CellDeformation{};
  double largest = 0;
  for (std::size_t b = 0; b < bodies; ++b) {
    const Vec3 from = state.bodies.evaluated_position[b] - state.cell_origin;
    const Vec3 there =
        change.size > 0 ? Vec3{dot(change.rows[0], from), dot(change.rows[1], from), dot(change.rows[2], from)} : from;
    const Vec3 moved = state.bodies.position[0][b] - state.cell_origin - there;
    largest = std::max(largest, dot(moved, moved));
  }
  return 2 * std::sqrt(largest) + change.size * reach;
}

/// Pairs of atoms that may touch, of contacts that this rank owns.
std::vector<geometry::CandidatePair> Part::candidates() {
  const std::size_t n = ranks_.atoms(), own = ranks_.owned();
  std::vector<Vec3> x(n);
  std::vector<double> radii(n);
  std::vector<Image> images(n);
  std::vector<std::uint32_t> number(n);
  for (std::size_t k = 0; k < n; ++k) {
    images[k] = ranks_.image(k);
    number[k] = ranks_.number(k);
    x[k] = ranks_.grain(k).position[0] + state_.cell.shift(images[k]);
    radii[k] = ranks_.grain(k).radius;
  }
  const auto in_plate = [this](std::uint32_t atom) {
    const auto group = std::uint16_t(ranks_.grain(atom).group);
    return group == group_bottom_plate || group == group_top_plate;
  };
  geometry::NeighbourList list;
  list.build({x, radii, nullptr, skin_, state_.dimension == 2});
  std::vector<geometry::CandidatePair> pairs;
  for (const geometry::CandidatePair& pair : list.pairs()) {
    const std::uint32_t a = pair.i, b = pair.j, lower = number[a] < number[b] ? a : b;
    if (lower >= own || number[a] == number[b]) continue;
    if (in_plate(a) && in_plate(b)) continue;
    pairs.push_back({a, b, difference(images[b], images[a])});
  }
  return pairs;
}

Part::Look Part::look() const {
  Look found;
  const bool deformed = state_.cell.vectors != built_cell_.vectors;
  if (deformed && 2 * widest_radius_ > geometry::ReducedCell(state_.cell, state_.dimension == 2).narrowest)
    found.far = true;
  const CellDeformation change = deformed ? cell_deformation(state_.cell, built_cell_) : CellDeformation{};
  const std::array<Vec3, 3>& f = change.rows;
  const double room = deformed ? skin_ - change.size * (reach_ + skin_) : skin_;
  const double allowed = 0.5 * room * (1 - 1e-9), square = allowed > 0 ? allowed * allowed : 0;
  const Bodies& bodies = state_.bodies;
  const auto freedom = bodies.freedom.stored();
  const auto x = bodies.position[0].stored(), moves = bodies.position[1].stored(), turns = bodies.rotation[1].stored();
  const auto moved_far = [&](std::size_t at, Vec3 built_at) {
    const Vec3 from = built_at - state_.cell_origin,
               there = deformed ? Vec3{dot(f[0], from), dot(f[1], from), dot(f[2], from)} : from,
               moved = x[at] - state_.cell_origin - there;
    return !(dot(moved, moved) < square);
  };
  if (state_.dimension == 3)  // in the plane every grain is paired with every wall
    for (std::size_t w = 0; w < walls_.size(); ++w)
      if (moved_far(own_ + ghosts_ + w, built_walls_[w])) found.far = true;
  for (std::size_t at = 0; at < own_; ++at) {
    if (moved_far(at, built_at_[at])) found.far = true;
    // As blow_up_message() of a simulation, which then finds the words.
    if (freedom[at] != 0 && !(dot(moves[at], moves[at]) <= radius_at_[at] * radius_at_[at] &&
                              dot(turns[at], turns[at]) <= std::numbers::pi * std::numbers::pi))
      found.ran_away = 1 + double(number_of_[body_at_[at]]);
  }
  return found;
}

/// As the search of one process, which looks at each new list.
void Part::check_cell() {
  std::array far{0.0};
  if (const auto body = body_beyond_images(state_, own_)) far[0] = 1 + double(number_of_[*body]);
  ranks_.largest(far);
  if (far[0] > 0)
    unfit_cell_ = fmt::format("step {} (t = {:.6g} s): body {:.0f} is more than {} periodic cells away from the cell",
                              state_.step, state_.time, far[0] - 1, most_images);
  const double narrowest = geometry::ReducedCell(state_.cell, state_.dimension == 2).narrowest;
  if (2 * widest_radius_ > narrowest)
    unfit_cell_ = fmt::format(
        "step {} (t = {:.6g} s): the periodic cell is {:.6g} m wide, but body {} could touch its own image: its "
        "bounding circle needs a width of at least {:.6g} m",
        state_.step, state_.time, narrowest, widest_, 2 * widest_radius_);
}

void Part::find_contacts() {
  const Look here = look();
  std::array all{here.far ? 1.0 : 0.0, here.ran_away, through_here_, double(wish_)};
  // If there is a new list, this motion is in vain: new ghosts bring theirs.
  ranks_.largest(all, [this] { exchange_.send_motion(state_.bodies); });
  ran_away_ = all[1];
  through_ = all[2];
  wish_ = Wish(int(all[3]));
  if (all[0] > 0 && ran_away_ == 0) check_cell();
  if (all[0] > 0 && !trouble()) {
    std::array layer{std::max(skin_, parting(state_, own_, reach_ + skin_))};
    ranks_.largest(layer);
    stow();
    ranks_.migrate(state_, reach_ + layer[0]);
    unpack();
  }
}

}  // namespace dem
