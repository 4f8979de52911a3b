#include "validation/kuhn2020/driven_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libdem/contacts/contact_frame.hpp"

namespace dem::validation::kuhn2020 {

DrivenContact::DrivenContact(const ContactVariant& variant, const ContactCoefficients& coefficients, Vec3 normal,
                             double overlap, Vec3 force)
    : variant_(variant),
      coefficients_(coefficients),
      law_(variant.law),
      normal_(normal),
      direction_1_(any_direction(normal)),
      overlap_(overlap) {
  if (law_ == "linear-refined") law_.options<laws::LinearRefined>() = variant.options;
  history_.assign(std::size_t(law_->history_size), 0);
  const double size = norm(force), normal_force = this->normal_force();
  if (size == 0) return;
  if (!(normal_force > 0)) throw std::invalid_argument("a contact without normal force holds no tangential force");
  // A sticking step from rest puts the force in: no law needs to be known from inside.
  const double k = coefficients_.tangential_stiffness;
  apply(0, 1, normal_force, normal_force, {dot(force, direction_1_) / k, dot(force, cross(normal, direction_1_)) / k},
        1e6 * size / normal_force);
  work_ = lost_ = 0;
}

void DrivenContact::apply(double part_start, double part_end, double normal_start, double normal_end, Vec2 shift,
                          double friction) {
  laws::Block block;
  block.count = 1;
  block.normal_start[0] = normal_start;
  block.normal_end[0] = normal_end;
  block.made[0] = part_start;
  block.lost[0] = part_end;
  block.shift_1[0] = shift.x;
  block.shift_2[0] = shift.y;
  block.velocity_1[0] = block.velocity_2[0] = block.damping[0] = 0;
  block.stiffness[0] = coefficients_.tangential_stiffness;
  block.friction[0] = friction;
  law_->pass(law_.data(), {}, block, history_.data());
  force_ = {-block.elastic_1[0], -block.elastic_2[0]};
  stored_ = block.stored[0];
  work_ += block.work[0];
  lost_ += block.dissipated[0];
  slid_ = block.sliding[0] != 0;
}

void DrivenContact::move(const ContactMove& to) {
  const bool was = overlap_ > 0, is = to.overlap > 0;
  const double half_tangent = twist_half_tangent(to.mean_rotation, to.normal, variant_.transport == Transport::exact);
  const Vec3 direction = carried_direction(direction_1_, normal_, to.normal, half_tangent);
  if (was && !follows_frame(variant_.transport)) {
    if (!law_->transform) throw std::invalid_argument(fmt::format("law {} follows its frame only", variant_.law));
    transport_history(
        transport_matrix(variant_.transport, normal_, direction_1_, to.normal, direction, to.mean_rotation),
        law_->transform, history_.data(), out_of_plane_);
  }
  const Vec2 shift = variant_.mid_step_frame
                         ? tangential_movement(to.movement, normal_, to.normal, direction, half_tangent)
                         : Vec2{dot(to.movement, direction), dot(to.movement, cross(to.normal, direction))};
  const double before = overlap_, force_before = normal_force();
  normal_ = to.normal;
  direction_1_ = direction;
  overlap_ = to.overlap;
  slid_ = false;
  if (is) {
    apply(was ? 0 : -before / (to.overlap - before), 1, force_before, normal_force(), shift, coefficients_.friction);
  } else if (was) {
    if (law_->sees_lost_contacts)
      apply(0, before / (before - to.overlap), force_before, 0, shift, coefficients_.friction);
    else
      lost_ += stored_;  // what the spring held goes with the contact
    std::fill(history_.begin(), history_.end(), 0.0);
    force_ = {};
    out_of_plane_ = stored_ = 0;
  }
}

Vec3 DrivenContact::force() const {
  Vec3 f = force_.x * direction_1_ + force_.y * cross(normal_, direction_1_);
  if (out_of_plane_ != 0) {
    // In the unit of the history, which the law turns into an elongation.
    std::vector<double> along(history_.size(), 0.0);
    along[0] = out_of_plane_;
    double elongation[2];
    law_->elongation(along.data(), nullptr, {coefficients_.tangential_stiffness, 0, 0, 0}, elongation);
    f += (coefficients_.tangential_stiffness * elongation[0]) * normal_;
  }
  return f;
}

PathResult follow(const PairPath& path, int steps, const ContactVariant& variant,
                  const ContactCoefficients& coefficients) {
  constexpr double radius = 0.5;
  struct Place {
    PairPose pose;
    Vec3 normal, arm_i, arm_j;
    double overlap;
  };
  const auto place = [&](double s) {
    Place p{path(s), {}, {}, {}, 0};
    const Vec3 branch = p.pose.j - p.pose.i;
    const double length = norm(branch);
    p.normal = (1 / length) * branch;
    p.overlap = 2 * radius - length;
    p.arm_i = sphere_arm(radius, p.overlap, p.normal);
    p.arm_j = sphere_arm(radius, p.overlap, -p.normal);
    return p;
  };
  Place old = place(0);
  DrivenContact contact(variant, coefficients, old.normal, old.overlap);
  PathResult result;
  for (int k = 1; k <= steps; ++k) {
    const Place now = place(double(k) / steps);
    const Vec3 turn_i = rotation_vector_of(now.pose.turn_i * conjugate(old.pose.turn_i));
    const Vec3 turn_j = rotation_vector_of(now.pose.turn_j * conjugate(old.pose.turn_j));
    const double before = variant.mid_step_arms ? 0.5 : 0;
    const Vec3 arm_i = before * old.arm_i + (1 - before) * now.arm_i,
               arm_j = before * old.arm_j + (1 - before) * now.arm_j;
    contact.move({now.normal, now.overlap,
                  pair_movement(now.pose.i - old.pose.i, now.pose.j - old.pose.j,
                                variant.chord ? chord_rotation(turn_i) : turn_i,
                                variant.chord ? chord_rotation(turn_j) : turn_j, arm_i, arm_j),
                  0.5 * (turn_i + turn_j)});
    result.force.push_back(contact.force());
    old = now;
  }
  result.work = contact.work();
  result.dissipated = contact.dissipated();
  return result;
}

double largest_difference(const PathResult& coarse, const PathResult& fine, double limit) {
  const std::size_t ratio = fine.force.size() / coarse.force.size();
  double largest = 0;
  for (std::size_t k = 0; k < coarse.force.size(); ++k)
    largest = std::max(largest, norm(coarse.force[k] - fine.force[(k + 1) * ratio - 1]) / limit);
  return largest;
}

}  // namespace dem::validation::kuhn2020
