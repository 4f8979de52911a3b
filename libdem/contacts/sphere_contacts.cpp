// One evaluation: component spheres placed, blocks worked off, loads added up, bodies told. Lists, order, records and files are in
// sphere_bookkeeping.cpp, the contacts of a block in sphere_forces.cpp.
#include "libdem/contacts/sphere_contacts.hpp"

#include <stdexcept>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/parallel.hpp"
#include "libdem/state/quaternion.hpp"

namespace dem {

SphereContacts::SphereContacts(const Case& given, const State& state)
    : choice_(given.contact), materials_(given, state), rotational_damping_(given.material.rotational_damping), law_(laws::find(given.contact.law)),
      ledger_(given.output.ledger), order_interval_(given.spatial_order_interval), threads_(given.threads), candidates_(given, state) {
  if (!law_) throw std::invalid_argument("unknown law '" + given.contact.law + "'");
  follows_frame_ = follows_frame(choice_.transport);
  if (!follows_frame_ && !law_->transform)
    throw std::invalid_argument("law '" + std::string(law_->name) + "' keeps more than one vector: it needs contact.transport swing-twist or exact");
  if (choice_.lever && *choice_.lever != Lever::contact_point) throw std::invalid_argument("spheres and clusters: the tangential force acts at the contact point");
  history_size_ = std::size_t(law_->history_size);
  law_options_.damp_while_sliding = choice_.damp_while_sliding;
  law_options_.part_of_step = choice_.refinements.part_of_step;
  law_options_.onset = choice_.refinements.onset;
  law_options_.direction = choice_.refinements.direction;
  law_options_.trapezoid_work = choice_.sliding_work == SlidingWork::trapezoid;
  movement_.geometric = choice_.elongation == Elongation::geometric;
  // Dashpots see the velocities at the end of the step; with a law that refines the step, its movement (reference, §6).
  const bool other_velocity = movement_.geometric ? !law_->sees_lost_contacts : choice_.velocity_source != VelocitySource::predicted;
  movement_.own_velocity = (materials_.damped() || rotational_damping_ != 0) && other_velocity;
  movement_.exact_twist = choice_.transport != Transport::swing_twist;
  movement_.clip_tension = choice_.clip_tension;
  kernels_ = sphere_kernels();
  for (const Shape& shape : state.shapes)
    if (shape.spheres.size() > 255) throw std::invalid_argument("a cluster has at most 255 spheres");
  if (!movement_.geometric && choice_.velocity_source != VelocitySource::predicted) {
    start_moved_.resize(state.bodies.size());
    start_turned_.resize(state.bodies.size());
  }
  ordered_at_ = state.step;
  spheres_ = ComponentSpheres(state, spatial_order(state));
  const std::size_t n = spheres_.size();
  place_.resize(n);
  for (std::size_t c = 0; c < n; ++c) place_[c].radius = spheres_.of(state, c).radius;
  opposite_.resize(n);
  moved_.resize(n);
  turned_.resize(n);
  if (movement_.own_velocity) {
    speed_.resize(n);
    spin_.resize(n);
  }
  if (!spheres_.single) offset_.resize(n);
  set_pairs({}, {});
}

bool SphereContacts::use_kernels(const char* name) {
  const SphereKernels* found = sphere_kernels(name);
  if (found) kernels_ = found;
  return found != nullptr;
}

void SphereContacts::note_start_velocities(const State& state) {
  if (start_moved_.empty()) return;
  start_moved_ = state.bodies.position[1];
  start_turned_ = state.bodies.rotation[1];
}

Vec3 SphereContacts::offset_of(const State& state, std::size_t sphere, Quaternion orientation) const {
  return rotated(orientation, spheres_.of(state, sphere).position);
}

void SphereContacts::place_images(const State& state) {
  const std::size_t n = images_.size();
  for (auto* list : {&shift_, &shift_moved_, &shift_speed_}) list->resize(n);
  for (auto* list : {&shift_before_, &cell_moved_}) list->resize(n);
  const auto row = [](Vec3 v) { return SphereMove{v.x, v.y, v.z, 0}; };
  cell_moves_ = false;
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3 shift = state.evaluated_cell.shift(images_[k]), speed = state.dt * state.image_velocity(images_[k]);
    shift_before_[k] = state.evaluated_cell_before.shift(images_[k]);
    cell_moved_[k] = shift - shift_before_[k];
    shift_[k] = row(shift);
    shift_speed_[k] = row(speed);
    shift_moved_[k] = row(movement_.geometric ? cell_moved_[k] : speed);
    cell_moves_ |= cell_moved_[k] != Vec3{};
  }
}

/// Places and movements of the spheres of a block. A sphere of a cluster moves as its centre does; what it turns by is its body's turn.
void SphereContacts::place_bodies(State& state, const SphereBlock& block) {
  Bodies& bodies = state.bodies;
  const bool single = spheres_.single, oriented = bodies.has_orientations();
  if (single && !oriented && !movement_.own_velocity && !movement_.geometric && choice_.velocity_source == VelocitySource::predicted) {
    // The same with nothing to choose: elongation by velocity of single spheres.
    Vec3 *const last_position = bodies.evaluated_position.data(), *const last_rotation = bodies.evaluated_rotation.data();
    const Vec3 *const positions = bodies.position[0].data(), *const rotations = bodies.rotation[0].data();
    const Vec3 *const moves = bodies.position[1].data(), *const turns = bodies.rotation[1].data();
    const std::uint32_t* const order = spheres_.order.data();
    for (std::uint32_t at = block.first_body; at < block.end_body; ++at) {
      const std::uint32_t b = order[at];
      const Vec3 x = positions[b], rotation = rotations[b], u = moves[b], w = turns[b];
      const double radius = place_[at].radius;
      last_position[b] = x;
      last_rotation[b] = rotation;
      place_[at] = {x.x, x.y, x.z, radius};
      opposite_[at] = {-x.x, -x.y, -x.z, radius};
      moved_[at] = {u.x, u.y, u.z, radius};
      turned_[at] = {w.x, w.y, w.z, 1};
    }
    return;
  }
  for (std::uint32_t at = block.first_body; at < block.end_body; ++at) {
    const std::uint32_t b = spheres_.order[at];
    const Vec3 position = bodies.position[0][b], rotation = bodies.rotation[0][b];
    bodies.evaluated_position[b] = position;
    bodies.evaluated_rotation[b] = rotation;
    if (oriented) bodies.evaluated_orientation[b] = bodies.orientation[0][b];
    Vec3 moved, turned, speed, spin;
    if (movement_.geometric) {
      moved = position - bodies.evaluated_position_before[b];
      turned = rotation - bodies.evaluated_rotation_before[b];
    } else {
      switch (choice_.velocity_source) {
        case VelocitySource::predicted:
          moved = bodies.position[1][b];
          turned = bodies.rotation[1][b];
          break;
        case VelocitySource::corrected:
          moved = start_moved_[b];
          turned = start_turned_[b];
          break;
        case VelocitySource::trapezoid:
          moved = 0.5 * (start_moved_[b] + bodies.position[1][b]);
          turned = 0.5 * (start_turned_[b] + bodies.rotation[1][b]);
          break;
      }
    }
    if (movement_.own_velocity) {
      speed = bodies.position[1][b];
      spin = bodies.rotation[1][b];
    }
    const double chord = movement_.geometric ? tan_over_argument(0.25 * dot(turned, turned)) : 1;
    for (std::uint32_t c = spheres_.first[at]; c < spheres_.first[at + 1]; ++c) {
      Vec3 centre = position, u = moved, v = speed;
      const double radius = place_[c].radius;
      if (!single) {
        const Vec3 offset = offset_of(state, c, bodies.orientation[0][b]);
        offset_[c] = offset;
        centre += offset;
        if (movement_.geometric) u += offset - offset_of(state, c, bodies.evaluated_orientation_before[b]);
        else u += cross(turned, offset);
        if (movement_.own_velocity) v += cross(spin, offset);
      }
      place_[c] = {centre.x, centre.y, centre.z, radius};
      opposite_[c] = {-centre.x, -centre.y, -centre.z, radius};
      moved_[c] = {u.x, u.y, u.z, radius};
      turned_[c] = {turned.x, turned.y, turned.z, chord};
      if (!movement_.own_velocity) continue;
      speed_[c] = {v.x, v.y, v.z, 1};
      spin_[c] = {spin.x, spin.y, spin.z, 1};
    }
  }
}

void SphereContacts::place(State& state) {
  Bodies& bodies = state.bodies;
  state.evaluated_cell_before = evaluated_ ? state.evaluated_cell : state.cell;
  state.evaluated_cell = state.cell;
  bodies.evaluated_position_before.swap(bodies.evaluated_position);
  bodies.evaluated_rotation_before.swap(bodies.evaluated_rotation);
  bodies.evaluated_orientation_before.swap(bodies.evaluated_orientation);
  if (!evaluated_) {
    bodies.evaluated_position_before = bodies.position[0];
    bodies.evaluated_rotation_before = bodies.rotation[0];
    if (bodies.has_orientations()) bodies.evaluated_orientation_before = bodies.orientation[0];
  }
  movement_.per_dt = state.dt > 0 ? 1 / state.dt : 0;
  place_images(state);
  parallel_for(threads_, blocks_.size(), [&](std::size_t k) { place_bodies(state, blocks_[k]); });
}

ContactWork SphereContacts::evaluate(State& state) {
  place(state);
  parallel_for(threads_, blocks_.size(), [&](std::size_t k) { process(state, blocks_[k], sums_[k]); });
  parallel_for(threads_, blocks_.size(), [&](std::size_t k) { gather_loads(state.bodies, blocks_[k]); });
  ContactWork total, lost;
  for (const BlockSums& s : sums_) {
    total += s.work;
    lost += s.lost;
  }
  total += lost;
  if (!evaluated_) total = {};
  evaluated_ = true;
  return total;
}

void SphereContacts::gather_loads(Bodies& bodies, const SphereBlock& block) {
  SphereLoad* const own = loads_.data() + block.first_load;
  for (std::size_t k = block.first_incoming; k < block.end_incoming; ++k) {
    const IncomingLoad in = incoming_[k];
    const SphereLoad& from = loads_[in.from];
    SphereLoad& to = own[in.own - block.first_sphere];
    to.fx += from.fx;
    to.fy += from.fy;
    to.fz += from.fz;
    to.tx += from.tx;
    to.ty += from.ty;
    to.tz += from.tz;
  }
  for (std::uint32_t at = block.first_body; at < block.end_body; ++at) {
    Vec3 force, torque;
    for (std::uint32_t c = spheres_.first[at]; c < spheres_.first[at + 1]; ++c) {
      const SphereLoad& load = own[c - block.first_sphere];
      const Vec3 f{load.fx, load.fy, load.fz};
      force += f;
      torque += Vec3{load.tx, load.ty, load.tz};
      if (!spheres_.single) torque += cross(offset_[c], f);
    }
    const std::uint32_t b = spheres_.order[at];
    bodies.force[b] += force;
    bodies.torque[b] += torque;
  }
}

}  // namespace dem
