#include "libdem/contacts/one_contact.hpp"

#include <algorithm>
#include <cmath>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/laws/jaeger_contact.hpp"
#include "libdem/laws/normal/spring.hpp"

namespace dem {
namespace {

class DrivenContact {
 public:
  explicit DrivenContact(const ContactDrive& drive)
      : drive_(drive), overlap_(drive.start_overlap), history_(std::size_t(drive.law->history_size), 0.0) {
    if (drive.global) {
      normal_ = drive.start_normal;
      direction_1_ = any_direction(normal_);
    }
    if (drive.law->hertzian && overlap_ > 0) pass(0, 1, {});  // presses without movement: the history begins
    const double force[2] = {dot(drive.start_force, direction_1_), dot(drive.start_force, direction_2())};
    if (force[0] != 0 || force[1] != 0) drive.law->start(history_.data(), force, tangent());
  }

  DriveState start() const {
    DriveState s;
    s.normal_force = elastic_normal();
    s.tangential = drive_.start_force;
    s.regime = overlap_ > 0 ? laws::StepRegime::stick : laws::StepRegime::separated;
    s.stored_normal = stored_normal();
    if (drive_.start_force != Vec3{})
      s.stored_tangential = 0.5 * dot(drive_.start_force, drive_.start_force) / tangent();
    return s;
  }

  DriveState step(const DriveRow& row) {
    const bool was = overlap_ > 0, is = row.overlap > 0;
    const double before = overlap_, force_before = elastic_normal();
    Vec2 shift{row.shift.x, row.shift.y};
    if (drive_.global) {
      turn(row);
      shift = {dot(row.shift, direction_1_), dot(row.shift, direction_2())};
    }
    overlap_ = row.overlap;
    DriveState s;
    s.regime = laws::StepRegime::separated;
    s.stored_normal = stored_normal();
    if (!was && !is) return s;

    // A law that does not follow lost contacts takes the whole movement of the row; the limit at the end is zero.
    double viscous = damping_factor() * drive_.normal_damping * per_time() * (overlap_ - before);
    if (drive_.clip_tension) viscous = std::max(viscous, -elastic_normal());
    block_.normal_viscous[0] = is ? viscous : 0;
    const laws::Block& b =
        pass(was ? 0 : -before / (overlap_ - before), is ? 1 : before / (before - overlap_), shift, force_before);
    s.work = b.work[0];
    s.dissipated = b.dissipated[0];
    if (!is) {
      std::ranges::fill(history_, 0.0);
      out_of_plane_ = 0;
      return s;
    }
    s.stored_tangential = b.stored[0];
    s.merge_error = b.merge_error;
    if (drive_.law->keeps_jaeger_history) s.leg_count = int(jaeger_history().legs());
    s.normal_force = elastic_normal() + viscous;
    const double on_i_1 = -b.elastic_1[0] - b.viscous_1[0], on_i_2 = -b.elastic_2[0] - b.viscous_2[0];
    s.tangential = on_i_1 * direction_1_ + on_i_2 * direction_2();
    if (out_of_plane_ != 0)
      s.tangential += drive_.law->along_normal(drive_.law.data(), out_of_plane_, springs()) * normal_;
    const bool moved = overlap_ != before || shift != Vec2{};
    if (drive_.law->tells_regime)
      s.regime = b.regime[0];
    else
      s.regime = !moved              ? laws::StepRegime::unchanged
                 : b.sliding[0] == 0 ? laws::StepRegime::stick
                 : b.sliding[0] < 1  ? laws::StepRegime::slip
                                     : laws::StepRegime::slide;
    return s;
  }

  void show_history(DriveState& s) const {
    s.direction_1 = direction_1_;
    s.direction_2 = direction_2();
    if (!drive_.law->keeps_jaeger_history) return;
    const auto& history = jaeger_history();
    if (!(history.z > 0)) return;
    s.legs.push_back({history.z, history.p_1, history.p_2});
    legs_.walk(history.below, [&](const laws::Leg& leg) { s.legs.push_back(leg); });
    std::ranges::reverse(s.legs);
  }

 private:
  const laws::JaegerHistory<laws::LegPool>& jaeger_history() const {  // first in jaeger-checked, too
    return *reinterpret_cast<const laws::JaegerHistory<laws::LegPool>*>(history_.data());
  }
  Vec3 direction_2() const { return cross(normal_, direction_1_); }
  double pressed() const { return std::max(overlap_, 0.0); }
  /// Calls f with the normal law.
  template <class F>
  double of_normal_law(F f) const {
    return drive_.law->hertzian ? f(drive_.hertz) : f(laws::Spring{drive_.normal_stiffness});
  }
  double elastic_normal() const {
    return of_normal_law([&](const auto& law) { return law.force(pressed()); });
  }
  double stored_normal() const {
    return of_normal_law([&](const auto& law) { return law.stored(pressed()); });
  }
  laws::ContactSprings springs() const {
    const laws::Hertz& h = drive_.hertz;
    return {drive_.tangential_stiffness, h.modulus, h.ratio, h.radius,
            of_normal_law([&](const auto& law) { return law.tangent(pressed()); })};
  }
  double tangent() const { return drive_.law->tangent(drive_.law.data(), springs()); }
  double damping_factor() const {
    return drive_.damping_by_radius ? std::sqrt(drive_.hertz.radius * 0.5 * std::max(overlap_, 0.0)) : 1;
  }
  double per_time() const { return drive_.time_step > 0 ? 1 / drive_.time_step : 0; }  // without time no dashpots

  /// Runs the law over a movement to the present overlap. The contact exists from share `made` to share `lost` of it.
  const laws::Block& pass(double made, double lost, Vec2 shift, double force_before = 0) {
    laws::Block& b = block_;
    b.count = 1;
    b.made[0] = made;
    b.lost[0] = lost;
    b.normal_start[0] = force_before;
    b.normal_end[0] = elastic_normal();
    b.shift_1[0] = shift.x;
    b.shift_2[0] = shift.y;
    b.velocity_1[0] = per_time() * shift.x;
    b.velocity_2[0] = per_time() * shift.y;
    b.stiffness[0] = drive_.tangential_stiffness;
    b.damping[0] = damping_factor() * drive_.tangential_damping;
    b.friction[0] = drive_.friction;
    b.indentation[0] = 0.5 * overlap_;
    b.modulus[0] = drive_.hertz.modulus;
    b.ratio[0] = drive_.hertz.ratio;
    b.radius[0] = drive_.hertz.radius;
    b.legs = &legs_;
    drive_.law->pass(drive_.law.data(), drive_.flags, b, history_.data());
    return b;
  }

  void turn(const DriveRow& row) {
    const Vec3 w = 0.5 * (row.rotation_i + row.rotation_j);
    const bool exact = drive_.transport != Transport::swing_twist;
    const Vec3 to = carried_direction(direction_1_, normal_, row.normal, twist_half_tangent(w, row.normal, exact));
    double none = 0;
    if (!follows_frame(drive_.transport))
      transport_history(transport_matrix(drive_.transport, normal_, direction_1_, row.normal, to, w),
                        drive_.law->transform, history_.data(), carries_force(drive_.law) ? out_of_plane_ : none);
    normal_ = row.normal;
    direction_1_ = to;
  }

  const ContactDrive& drive_;
  double overlap_;
  std::vector<double> history_;
  laws::LegPool legs_;
  laws::Block block_{};
  // With rows in the contact frame, directions 1 and 2 stay x and y.
  Vec3 normal_{0, 0, 1}, direction_1_{1, 0, 0};
  double out_of_plane_ = 0;
};

}  // namespace

std::string_view name_of(laws::StepRegime regime) {
  static constexpr std::string_view names[] = {"separated", "unchanged", "stick", "slip", "slide", "retrace"};
  return names[std::size_t(regime)];
}

std::vector<DriveState> drive_contact(const ContactDrive& drive, std::span<const std::size_t> with_legs) {
  DrivenContact contact(drive);
  std::vector<DriveState> states;
  states.reserve(drive.rows.size() + 1);
  const auto add = [&](DriveState state) {
    if (std::ranges::find(with_legs, states.size()) != with_legs.end()) contact.show_history(state);
    states.push_back(std::move(state));
  };
  add(contact.start());
  for (const DriveRow& row : drive.rows) add(contact.step(row));
  return states;
}

}  // namespace dem
