// Places of the component spheres at an evaluation, their movement, and the copy of the border for other threads.
#include <algorithm>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/contacts/spheres/contacts.hpp"
#include "libdem/platform/hand_over.hpp"
#include "libdem/platform/parallel.hpp"
#include "libdem/state/quaternion.hpp"

namespace dem {

constexpr std::size_t rows_ahead = 24;  // rows of the border are asked for so much earlier than they are written

void SphereContacts::place_images(const State& state) {
  const std::size_t n = images_.size();
  image_rows_.resize(n);
  for (auto* list : {&shift_before_, &cell_moved_}) list->resize(n);
  cell_moves_ = false;
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3 shift = state.evaluated_cell.shift(images_[k]), speed = state.dt * state.image_velocity(images_[k]);
    shift_before_[k] = state.evaluated_cell_before.shift(images_[k]);
    cell_moved_[k] = shift - shift_before_[k];
    image_rows_[k] = {move_of(shift, 0), move_of(movement_.geometric ? cell_moved_[k] : speed, 0), move_of(speed, 0)};
    cell_moves_ |= cell_moved_[k] != Vec3{};
  }
}

SphereContacts::Movement SphereContacts::movement_of(const State& state, std::size_t at) const {
  const Bodies& bodies = state.bodies;
  const auto of = [at](const ByBody<Vec3>& vectors) { return vectors.stored()[at]; };
  Movement m;
  if (movement_.geometric) {
    m.moved = of(bodies.position[0]) - of(bodies.evaluated_position_before);
    m.turned = of(bodies.rotation[0]) - of(bodies.evaluated_rotation_before);
    m.chord = tan_over_argument(0.25 * dot(m.turned, m.turned));
  } else {
    const bool start = !start_moved_.empty();
    m.moved = of_source(choice_.velocity_source, of(bodies.position[1]), start ? of(start_moved_) : Vec3{});
    m.turned = of_source(choice_.velocity_source, of(bodies.rotation[1]), start ? of(start_turned_) : Vec3{});
  }
  if (movement_.own_velocity) {
    m.speed = of(bodies.position[1]);
    m.spin = of(bodies.rotation[1]);
  }
  return m;
}

/// Places the spheres of clusters. A sphere moves as its centre does; its turn is that of its body.
void SphereContacts::place_clusters(const State& state, const SphereBlock& block) {
  const Bodies& bodies = state.bodies;
  SphereRows& rows = cluster_rows_;
  for (std::uint32_t at = block.first_body; at < block.end_body; ++at) {
    const Movement m = movement_of(state, at);
    const Vec3 position = bodies.position[0].stored()[at];
    const Quaternion orientation = bodies.orientation[0].stored()[at],
                     before = bodies.evaluated_orientation_before.stored()[at];
    const ShapeSpheres of_body = state.shape_of(spheres_.order[at]).spheres();
    for (std::uint32_t c = spheres_.first[at]; c < spheres_.first[at + 1]; ++c) {
      const double radius = radius_[c];
      const Vec3 in_body = of_body[spheres_.number[c]].position, offset = rotated(orientation, in_body),
                 centre = position + offset;
      Vec3 u;
      if (movement_.geometric)
        u = m.moved + (offset - (offsets_known_ ? offset_[c] : rotated(before, in_body)));
      else
        u = m.moved + cross(m.turned, offset);
      offset_[c] = offset;
      rows.rows[c] = {place_of(centre, radius), move_of(u, radius), move_of(m.turned, m.chord)};
      if (!movement_.own_velocity) continue;
      rows.velocities[c] = {move_of(m.speed + cross(m.spin, offset), 1), move_of(m.spin, 1)};
    }
  }
}

/// Calls use(write), where write(c, rows, k) sets row k of the rows to that of sphere c.
template <class Use>
void SphereContacts::with_writer(const State& state, Use&& use) const {
  const Bodies& bodies = state.bodies;
  if (!spheres_.single) {
    use([&all = cluster_rows_, own_velocity = movement_.own_velocity](std::uint32_t c, SphereRows& rows,
                                                                      std::size_t k) {
      rows.rows[k] = all.rows[c];
      if (own_velocity) rows.velocities[k] = all.velocities[c];
    });
  } else if (!movement_.geometric && !movement_.own_velocity && choice_.velocity_source == VelocitySource::predicted) {
    // The same as below without choices: elongation by velocity.
    use([positions = bodies.position[0].stored().data(), moves = bodies.position[1].stored().data(),
         turns = bodies.rotation[1].stored().data(),
         radii = radius_.data()](std::uint32_t c, SphereRows& rows, std::size_t k) {
      rows.rows[k] = {place_of(positions[c], radii[c]), move_of(moves[c], radii[c]), move_of(turns[c], 1)};
    });
  } else if (movement_.geometric) {
    // The same as below without choices: elongation by geometry.
    use([positions = bodies.position[0].stored().data(), before = bodies.evaluated_position_before.stored().data(),
         turns = bodies.rotation[0].stored().data(), turns_before = bodies.evaluated_rotation_before.stored().data(),
         moves = bodies.position[1].stored().data(), spins = bodies.rotation[1].stored().data(), radii = radius_.data(),
         own_velocity = movement_.own_velocity](std::uint32_t c, SphereRows& rows, std::size_t k) {
      const Vec3 turned = turns[c] - turns_before[c];
      rows.rows[k] = {place_of(positions[c], radii[c]), move_of(positions[c] - before[c], radii[c]),
                      move_of(turned, tan_over_argument(0.25 * dot(turned, turned)))};
      if (own_velocity) rows.velocities[k] = {move_of(moves[c], 1), move_of(spins[c], 1)};
    });
  } else {
    use([&](std::uint32_t c, SphereRows& rows, std::size_t k) {
      const Movement m = movement_of(state, c);
      rows.rows[k] = {place_of(bodies.position[0].stored()[c], radius_[c]), move_of(m.moved, radius_[c]),
                      move_of(m.turned, m.chord)};
      if (movement_.own_velocity) rows.velocities[k] = {move_of(m.speed, 1), move_of(m.spin, 1)};
    });
  }
}

/// Places the spheres of a block, numbered within it. Those of other threads come from the copy of the border.
void SphereContacts::place_block(const State& state, const SphereBlock& block, SphereRows& rows) const {
  const std::uint32_t own = block.own_spheres(), count = own + block.outside_spheres(),
                      near = own + (block.end_near - block.first_outside);
  rows.resize(count + (block.end_slot - block.first_slot), movement_.own_velocity);
  const std::uint32_t* const outside = outside_.data() + block.first_outside;
  // Asked for all at once, because each comes from the cache of another core.
  for (std::uint32_t n = block.end_near; n < block.end_outside; ++n) {
    const auto* const row = reinterpret_cast<const char*>(&border_.rows.rows[border_.copy_of[n]]);
    __builtin_prefetch(row);
    __builtin_prefetch(row + sizeof(SphereRow) - 1);
  }
  with_writer(state, [&](auto&& write) {
    for (std::uint32_t k = 0; k < own; ++k) write(block.first_sphere + k, rows, k);
    for (std::uint32_t k = own; k < near; ++k) write(outside[k - own], rows, k);
  });
  for (std::uint32_t k = near; k < count; ++k) {
    const std::uint32_t copy = border_.copy_of[block.first_outside + (k - own)];
    rows.rows[k] = border_.rows.rows[copy];
    if (movement_.own_velocity) rows.velocities[k] = border_.rows.velocities[copy];
  }
}

void SphereContacts::place(State& state) {
  Bodies& bodies = state.bodies;
  state.evaluated_cell_before = evaluated_ ? state.evaluated_cell : state.cell;
  state.evaluated_cell = state.cell;
  const bool turns = !bodies.evaluated_rotation.empty();
  bodies.evaluated_position_before.swap(bodies.evaluated_position);
  bodies.evaluated_rotation_before.swap(bodies.evaluated_rotation);
  bodies.evaluated_orientation_before.swap(bodies.evaluated_orientation);
  if (!evaluated_) {
    bodies.evaluated_position_before = bodies.position[0];
    if (turns) bodies.evaluated_rotation_before = bodies.rotation[0];
    if (bodies.has_orientations()) bodies.evaluated_orientation_before = bodies.orientation[0];
  }
  movement_.per_dt = state.dt > 0 ? 1 / state.dt : 0;
  place_images(state);
  const auto share = [&](std::size_t first, std::size_t last) {
    const auto blocks = std::span(blocks_).subspan(first, last - first);
    const bool ends = last == blocks_.size();  // walls come last
    place_share(state, blocks.empty() ? 0 : blocks.front().first_body, ends ? bodies.size() : blocks.back().end_body,
                blocks);
  };
  parallel_shares(threads_, blocks_.size(), share, share_begins_);
  offsets_known_ = !spheres_.single;
}

/// Notes the poses of bodies with places first … last − 1, and copies what other threads read of these blocks.
void SphereContacts::place_share(State& state, std::size_t first, std::size_t last,
                                 std::span<const SphereBlock> blocks) {
  Bodies& bodies = state.bodies;
  const auto copy = [first, last](const auto& from, auto& to) {
    std::copy(from.stored().begin() + std::ptrdiff_t(first), from.stored().begin() + std::ptrdiff_t(last),
              to.stored().begin() + std::ptrdiff_t(first));
  };
  copy(std::as_const(bodies).position[0], bodies.evaluated_position);
  if (!bodies.evaluated_rotation.empty()) copy(std::as_const(bodies).rotation[0], bodies.evaluated_rotation);
  if (bodies.has_orientations()) copy(std::as_const(bodies).orientation[0], bodies.evaluated_orientation);
  if (blocks.empty()) return;
  if (!spheres_.single)
    for (const SphereBlock& block : blocks) place_clusters(state, block);
  const auto at = [this](std::uint32_t sphere) {
    return std::size_t(std::ranges::lower_bound(border_.spheres, sphere) - border_.spheres.begin());
  };
  const std::size_t begin = at(blocks.front().first_sphere), end = at(blocks.back().end_sphere);
  if (border_.is_far) {
    thread_local SphereRows row;
    row.resize(1, movement_.own_velocity);
    with_writer(state, [&](auto&& write) {
      for (std::size_t k = begin; k < end; ++k) {
        write(border_.spheres[k], row, 0);
        hand_over(border_.rows.rows[k], row.rows[0]);
        if (movement_.own_velocity) hand_over(border_.rows.velocities[k], row.velocities[0]);
      }
    });
    return;
  }
  with_writer(state, [&](auto&& write) {
    for (std::size_t k = begin; k < end; ++k) {
      const auto* const ahead = reinterpret_cast<const char*>(&border_.rows.rows[std::min(k + rows_ahead, end - 1)]);
      __builtin_prefetch(ahead, 1);
      __builtin_prefetch(ahead + sizeof(SphereRow) - 1, 1);
      write(border_.spheres[k], border_.rows, k);
    }
  });
}

}  // namespace dem
