// One evaluation: places component spheres, works off blocks, adds up loads for bodies. Lists and order are in
// bookkeeping.cpp and tiles.cpp, records and files in observation.cpp, the contacts of a block in forces.cpp.
#include "libdem/contacts/spheres/contacts.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/platform/hand_over.hpp"
#include "libdem/platform/parallel.hpp"
#include "libdem/state/quaternion.hpp"

namespace dem {
namespace {
constexpr std::size_t rows_ahead = 24;      // rows of the border are asked for so much earlier than they are written
constexpr std::uint32_t places_ahead = 32;  // loads of other blocks are prefetched so much earlier
}  // namespace

SphereContacts::SphereContacts(const Case& given, const State& state)
    : choice_(given.contact),
      table_(given, state),
      law_(given.contact.law),
      ledger_(given.output.ledger),
      order_interval_(given.spatial_order_interval),
      threads_(given.threads),
      candidates_(given, state) {
  follows_frame_ = follows_frame(choice_.transport);
  if (!follows_frame_ && !law_->transform)
    throw std::invalid_argument("law '" + std::string(law_->name) +
                                "' keeps more than one vector: it needs contact.transport swing-twist or exact");
  if (choice_.transport == Transport::none && !law_->along_normal)
    throw std::invalid_argument("contact.transport none is for laws of springs");
  const Lever lever = choice_.lever.value_or(Lever::contact_point);
  if (lever != Lever::contact_point && lever != Lever::radius)
    throw std::invalid_argument("spheres and clusters: contact.lever is contact-point or radius");
  movement_.arm_overlap = lever == Lever::radius ? 0 : 0.5;
  format_.ledger = ledger_;
  format_.out_of_plane = choice_.transport == Transport::none;
  format_.damping = table_.damping_by_mass();
  format_.stiffness = table_.stiffness_of_pair();
  format_.history = std::size_t(law_->history_size);
  step_flags_.damp_while_sliding = choice_.damp_while_sliding;
  movement_.geometric = choice_.elongation == Elongation::geometric;
  // Dashpots see the velocities at the end of the step; laws that refine the step, its movement (reference, §6).
  const bool other_velocity =
      movement_.geometric ? !law_->sees_lost_contacts : choice_.velocity_source != VelocitySource::predicted;
  movement_.own_velocity = (table_.damped() || table_.rotational_damping != 0) && other_velocity;
  movement_.exact_twist = choice_.transport != Transport::swing_twist;
  movement_.clip_tension = choice_.clip_tension;
  kernels_ = sphere_kernels(geometry::instructions());
  for (const Shape& shape : state.shapes)
    if (shape.spheres().size() > 255) throw std::invalid_argument("a cluster has at most 255 spheres");
  if (!movement_.geometric && choice_.velocity_source != VelocitySource::predicted) {
    start_moved_.resize(state.bodies.size());
    start_turned_.resize(state.bodies.size());
  }
  ordered_at_ = state.step;
  spheres_ = ComponentSpheres(state, spatial_order(state));
  const std::size_t n = spheres_.size();
  radius_.resize(n);
  for (std::size_t c = 0; c < n; ++c) radius_[c] = spheres_.of(state, c).radius;
  if (!spheres_.single) {
    cluster_rows_.resize(n, movement_.own_velocity);
    offset_.resize(n);
  }
  wall_count_ = state.bodies.size() - spheres_.order.size();
  set_places();
  set_pairs({}, {}, {}, {});
}

bool SphereContacts::use_kernels(geometry::Instructions set) {
  const SphereKernels* found = sphere_kernels(set);
  if (found) kernels_ = found;
  return found != nullptr;
}

void SphereContacts::note_start_velocities(const State& state) {
  if (start_moved_.empty()) return;
  start_moved_ = state.bodies.position[1];
  start_turned_ = state.bodies.rotation[1];
}

double SphereContacts::set_history(std::optional<TangentialHistory> history) {
  if (!law_.set_history(history, choice_.law)) return 0;
  double lost = 0;
  for_each_contact([&](const Site& at) {
    std::fill_n(history_of(at.tile, at.lane), format_.history, 0.0);
    if (at.tile.stored) lost += std::exchange(at.tile.stored[at.lane], 0.0);
  });
  return lost;
}

Vec3 SphereContacts::offset_of(const State& state, std::size_t sphere, Quaternion orientation) const {
  return rotated(orientation, spheres_.of(state, sphere).position);
}

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
    finish_hand_over();
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

/// Reserves a leg per stack. No law puts more than one leg on a history in a step, and none on that of a new contact.
void SphereContacts::make_room() {
  if (law_->legs < 0) return;
  const std::size_t stacks = law_->exact_legs >= 0 ? 2 : 1;
  const auto may_want = [&](const SphereBlock& block) {
    std::size_t contacts = 0;
    for (std::uint32_t t = block.first_tile; t < block.end_tile; ++t) contacts += std::size_t(heads_[t].contacts());
    return stacks * contacts > block.legs.room();
  };
  if (std::ranges::none_of(blocks_, may_want)) return;
  try {
    for_blocks([&](std::size_t k) {
      SphereBlock& block = blocks_[k];
      if (!may_want(block)) return;
      std::size_t full = 0;
      for (std::uint32_t t = block.first_tile; t < block.end_tile; ++t) {
        const SphereTile tile = block.tile(format_, heads_[t]);
        for (int lane = 0; lane < heads_[t].contacts(); ++lane)
          law_->for_each_stack(history_of(tile, lane),
                               [&](laws::LegPool::Stack& legs) { full += laws::LegPool::is_full(legs); });
      }
      block.legs.make_room(full);
    });
  } catch (const std::bad_alloc&) {
    throw NoRoomForStep();
  }
}

ContactWork SphereContacts::evaluate(State& state, const BaseLoads& base) {
  if (const bool watched = watch_ != Watch::motion && !ledger_; watched != format_.watched) {
    format_.watched = watched;
    for (SphereBlock& block : blocks_) block.watch(format_);
  }
  step_flags_.energies = ledger_ || watch_ == Watch::energies;
  place(state);
  for_blocks([&](std::size_t k) { process(state, base, blocks_[k], sums_[k]); });
  if (!takes_in_early()) for_blocks([&](std::size_t k) { take_in_loads(state.bodies, blocks_[k]); });
  if (wall_count_ > 0) add_wall_loads(state.bodies, base);
  went_through_.reset();
  ContactWork total, lost;
  // Sums of other threads lie in the caches of their cores, so they are read only if they may say something.
  if (ledger_ || table_.rotational_damping != 0 || law_->legs >= 0 || wall_count_ > 0)
    for (const BlockSums& s : sums_) {
      total += s.work;
      lost += s.lost;
      merge_error_ = std::max(merge_error_, s.merge_error);
      if (!went_through_) went_through_ = s.went_through;
    }
  total += lost;
  if (!evaluated_) {
    note_size();
    total = {};
  }
  evaluated_ = true;
  return total;
}

/// Gives the loads to the bodies of the block, and those of spheres outside to the list that their blocks read. Loads
/// of earlier blocks, if finished, are taken in on the way: later the bodies would have to be fetched from memory once
/// more. Sums run as in take_in_loads().
void SphereContacts::hand_over_loads(Bodies& bodies, const BaseLoads& base, const SphereBlock& block,
                                     SphereLoad* loads) {
  const auto vectors = [](const SphereLoad& load) {
    return std::pair(Vec3{load.fx, load.fy, load.fz}, Vec3{load.tx, load.ty, load.tz});
  };
  for (std::uint32_t k = 0; k < block.outside_spheres(); ++k) {
    const auto [force, torque] = vectors(loads[block.own_spheres() + k]);
    outside_loads_[block.first_outside + k] = {force, torque};
  }
  const std::uint32_t own = block.end_body - block.first_body;
  const std::uint32_t* const order = spheres_.order.data() + block.first_body;
  Vec3* const forces = bodies.force.stored().data() + block.first_body;
  Vec3* const torques = bodies.torque.stored().data() + block.first_body;
  if (!spheres_.single) {
    for (std::uint32_t k = 0; k < own; ++k) {
      const std::uint32_t at = block.first_body + k, b = order[k];
      Vec3 force, torque;
      for (std::uint32_t c = spheres_.first[at]; c < spheres_.first[at + 1]; ++c) {
        const auto [f, t] = vectors(loads[c - block.first_sphere]);
        force += f;
        torque += t + cross(offset_[c], f);
      }
      forces[k] = base.force.empty() ? force : base.force[b] + force;
      torques[k] = base.torque.empty() ? torque : base.torque[b] + torque;
    }
    return;
  }
  const auto add = [&](std::uint32_t k, Vec3 force, Vec3 torque) {
    SphereLoad& load = loads[k];
    load = {load.fx + force.x,  load.fy + force.y,  load.fz + force.z,  0,
            load.tx + torque.x, load.ty + torque.y, load.tz + torque.z, 0};
  };
  if (!base.force.empty() || !base.torque.empty())
    for (std::uint32_t k = 0; k < own; ++k)
      add(k, base.force.empty() ? Vec3{} : base.force[order[k]], base.torque.empty() ? Vec3{} : base.torque[order[k]]);
  if (takes_in_early())
    for (std::size_t k = block.first_incoming; k < block.end_incoming; ++k) {
      if (fetches_ahead_)
        __builtin_prefetch(outside_loads_.data() + incoming_[std::min(k + places_ahead, block.end_incoming - 1)].from);
      const OutsideLoad& load = outside_loads_[incoming_[k].from];
      add(incoming_[k].sphere - block.first_sphere, load.force, load.torque);
    }
  for (std::uint32_t k = 0; k < own; ++k) std::tie(forces[k], torques[k]) = vectors(loads[k]);
}

void SphereContacts::take_in_loads(Bodies& bodies, const SphereBlock& block) const {
  for (std::size_t k = block.first_incoming; k < block.end_incoming; ++k) {
    __builtin_prefetch(outside_loads_.data() + incoming_[std::min(k + places_ahead, block.end_incoming - 1)].from);
    const IncomingLoad in = incoming_[k];
    const OutsideLoad& load = outside_loads_[in.from];
    if (spheres_.single) {
      bodies.force.stored()[in.sphere] += load.force;
      bodies.torque.stored()[in.sphere] += load.torque;
      continue;
    }
    const std::uint32_t b = spheres_.body[in.sphere];
    bodies.force[b] += load.force;
    bodies.torque[b] += load.torque + cross(offset_[in.sphere], load.force);
  }
}

}  // namespace dem
