// One evaluation: places component spheres (placing.cpp), works off blocks, adds up loads for bodies. Lists and order
// are in bookkeeping.cpp and tiles.cpp, records and files in observation.cpp, the contacts of a block in forces.cpp.
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
  movement_.own_velocity = dashpots_have_velocities(false);
  movement_.exact_twist = choice_.transport != Transport::swing_twist;
  movement_.clip_tension = choice_.clip_tension;
  kernels_ = sphere_kernels(geometry::instructions());
  for (const Shape& shape : state.shapes)
    if (shape.spheres().size() > 255) throw std::invalid_argument("a cluster has at most 255 spheres");
  const bool by_start = !movement_.geometric && choice_.velocity_source != VelocitySource::predicted;
  if (by_start) start_moved_.resize(state.bodies.size());
  if (by_start || books_couples()) start_turned_.resize(state.bodies.size());
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

/// Dashpots see the velocities at the end of the step; laws that refine the step, its movement (reference, §6).
bool SphereContacts::dashpots_have_velocities(bool asked_for) const {
  const bool other_velocity = movement_.geometric ? asked_for || !law_->sees_lost_contacts
                                                  : choice_.velocity_source != VelocitySource::predicted;
  return (table_.damped() || table_.rotational_damping != 0) && other_velocity;
}

void SphereContacts::damp_velocities(bool on) {
  movement_.own_velocity = dashpots_have_velocities(on);
  if (!spheres_.single) cluster_rows_.resize(spheres_.size(), movement_.own_velocity);
  border_.rows.resize(border_.spheres.size(), movement_.own_velocity);
}

bool SphereContacts::use_kernels(geometry::Instructions set) {
  const SphereKernels* found = sphere_kernels(set);
  if (found) kernels_ = found;
  return found != nullptr;
}

void SphereContacts::note_start_velocities(const State& state) {
  if (!start_moved_.empty()) start_moved_ = state.bodies.position[1];
  if (books_couples() || !start_turned_.empty()) start_turned_ = state.bodies.rotation[1];
}

double SphereContacts::set_history(std::optional<TangentialHistory> history) {
  if (!law_.set_history(history, choice_.law)) return 0;
  double lost = 0;
  for_each_contact([&](const Site& at) {
    std::fill_n(history_of(at.tile, at.lane), format_.history, 0.0);
    if (at.tile.out_of_plane) at.tile.out_of_plane[at.lane] = 0;
    if (at.tile.stored) lost += std::exchange(at.tile.stored[at.lane], 0.0);
  });
  return lost;
}

Vec3 SphereContacts::offset_of(const State& state, std::size_t sphere, Quaternion orientation) const {
  return rotated(orientation, spheres_.of(state, sphere).position);
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
  if (ledger_ || law_->legs >= 0 || wall_count_ > 0)
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
  const auto outside_load = [&](std::uint32_t n) {
    const auto [force, torque] = vectors(loads[block.own_spheres() + (n - block.first_outside)]);
    return OutsideLoad{force, torque};
  };
  const std::uint32_t end_cached = border_.is_far ? block.end_near : block.end_outside;
  for (std::uint32_t n = block.first_outside; n < end_cached; ++n) outside_loads_[n] = outside_load(n);
  for (std::uint32_t n = end_cached; n < block.end_outside; ++n) hand_over(outside_loads_[n], outside_load(n));
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
