#include "libdem/contacts/contact_drive.hpp"

#include <algorithm>

#include "libdem/contacts/contact_frame.hpp"

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
    const double force[2] = {dot(drive.start_force, direction_1_), dot(drive.start_force, direction_2())};
    if (force[0] != 0 || force[1] != 0) drive.law->start(history_.data(), force, drive.tangential_stiffness);
  }

  DriveState start() const {
    const double k = drive_.tangential_stiffness;
    DriveState s;
    s.normal_force = elastic_normal();
    s.tangential = drive_.start_force;
    s.regime = overlap_ > 0 ? DriveRegime::stick : DriveRegime::separated;
    s.stored_normal = stored_normal();
    s.stored_tangential = 0.5 * dot(drive_.start_force, drive_.start_force) / k;
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
    s.regime = DriveRegime::separated;
    s.stored_normal = stored_normal();
    if (!was && !is) return s;

    laws::Block b;
    b.count = 1;
    b.made[0] = was ? 0 : -before / (overlap_ - before);
    b.lost[0] = is ? 1 : before / (before - overlap_);
    b.normal_start[0] = force_before;
    b.normal_end[0] = elastic_normal();
    b.shift_1[0] = shift.x;
    b.shift_2[0] = shift.y;
    const double per_time = drive_.time_step > 0 ? 1 / drive_.time_step : 0;  // without time no dashpots
    b.velocity_1[0] = per_time * shift.x;
    b.velocity_2[0] = per_time * shift.y;
    b.stiffness[0] = drive_.tangential_stiffness;
    b.damping[0] = drive_.tangential_damping;
    b.friction[0] = drive_.friction;
    // A law that does not follow lost contacts takes the whole movement of the row, and the limit of its end is zero.
    drive_.law->pass(drive_.options, b, history_.data());
    s.work = b.work[0];
    s.dissipated = b.dissipated[0];
    if (!is) {
      std::ranges::fill(history_, 0.0);
      out_of_plane_ = 0;
      return s;
    }
    s.stored_tangential = b.stored[0];
    s.normal_force = elastic_normal() + drive_.normal_damping * per_time * (overlap_ - before);
    if (drive_.clip_tension) s.normal_force = std::max(s.normal_force, 0.0);
    const double on_i_1 = -b.elastic_1[0] - b.viscous_1[0], on_i_2 = -b.elastic_2[0] - b.viscous_2[0];
    s.tangential = on_i_1 * direction_1_ + on_i_2 * direction_2();
    if (out_of_plane_ != 0) s.tangential += left_along_normal() * normal_;
    const bool moved = overlap_ != before || shift != Vec2{};
    s.regime = !moved ? DriveRegime::unchanged : b.sliding[0] == 0 ? DriveRegime::stick : b.sliding[0] < 1 ? DriveRegime::slip : DriveRegime::slide;
    return s;
  }

 private:
  Vec3 direction_2() const { return cross(normal_, direction_1_); }
  double elastic_normal() const { return drive_.normal_stiffness * std::max(overlap_, 0.0); }
  double stored_normal() const { return 0.5 * elastic_normal() * std::max(overlap_, 0.0); }

  void turn(const DriveRow& row) {
    const Vec3 w = 0.5 * (row.rotation_i + row.rotation_j);
    const bool exact = drive_.transport != Transport::swing_twist;
    const Vec3 to = carried_direction(direction_1_, normal_, row.normal, twist_half_tangent(w, row.normal, exact));
    if (!follows_frame(drive_.transport))
      transport_history(transport_matrix(drive_.transport, normal_, direction_1_, row.normal, to, w), drive_.law->transform, history_.data(),
                        out_of_plane_);
    normal_ = row.normal;
    direction_1_ = to;
  }

  /// Force on i along n that transport `none` leaves (N): the history is in the law's own unit.
  double left_along_normal() const {
    std::vector<double> history(history_.size(), 0.0);
    history[0] = out_of_plane_;
    double elongation[2];
    drive_.law->elongation(history.data(), drive_.tangential_stiffness, elongation);
    return drive_.tangential_stiffness * elongation[0];
  }

  const ContactDrive& drive_;
  double overlap_;
  std::vector<double> history_;
  // In the contact frame directions 1 and 2 are x and y for good.
  Vec3 normal_{0, 0, 1}, direction_1_{1, 0, 0};
  double out_of_plane_ = 0;
};

}  // namespace

std::string_view name_of(DriveRegime regime) {
  static constexpr std::string_view names[] = {"stick", "slip", "slide", "retrace", "separated", "unchanged"};
  return names[std::size_t(regime)];
}

std::vector<DriveState> drive_contact(const ContactDrive& drive) {
  DrivenContact contact(drive);
  std::vector<DriveState> states{contact.start()};
  states.reserve(drive.rows.size() + 1);
  for (const DriveRow& row : drive.rows) states.push_back(contact.step(row));
  return states;
}

}  // namespace dem
