// One contact along a prescribed path, for `dem contact`. Any law of the catalogue; normal force k_n ζ or Hertz's.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "geometry/vector.hpp"
#include "libdem/case.hpp"
#include "libdem/laws/catalogue.hpp"
#include "libdem/laws/normal/hertz.hpp"

namespace dem {

std::string_view name_of(laws::StepRegime);

/// Vectors in the contact frame: components 1 and 2 in x and y.
struct DriveRow {
  double overlap = 0;  ///< at the end of the row; a gap if negative (m)
  Vec3 shift;          ///< tangential movement of j relative to i (m); with `global` in the plane at the end of the row
  Vec3 normal;         ///< global: unit, from i to j, at the end of the row
  Vec3 rotation_i, rotation_j;  ///< global: rotation vectors of the row (rad)
};

struct ContactDrive {
  laws::LawChoice law;
  laws::StepFlags flags;
  double friction = 0;
  double normal_stiffness = 0, tangential_stiffness = 0;  ///< N/m, for laws that are not Hertzian
  laws::Hertz hertz;                                      ///< for Hertzian laws
  double normal_damping = 0, tangential_damping = 0;      ///< kg/s, or over the contact radius √(R̄ δ): kg/(m s)
  bool damping_by_radius = false;                         ///< for Hertzian laws
  bool clip_tension = false;
  Transport transport = Transport::exact;
  bool global = false;       ///< frame of the rows
  double time_step = 0;      ///< of a row (s), 0 without dashpots
  double start_overlap = 0;  ///< m
  /// Largest overlap that a file may ask for (m). For bodies with radii it is their sum, at which the centres meet.
  double largest_overlap = 1e4;
  Vec3 start_force;            ///< tangential, on i (N); if it is beyond the limit, the law reduces it in the first row
  Vec3 start_normal{0, 0, 1};  ///< global
  std::vector<DriveRow> rows;
};

struct DriveState {
  double normal_force = 0;                            ///< elastic and dashpot, compression positive (N)
  Vec3 tangential;                                    ///< elastic and dashpot, on i (N)
  laws::StepRegime regime = laws::StepRegime::stick;  ///< law linear does not find the start of sliding: always slide
  double stored_normal = 0, stored_tangential = 0;    ///< elastic energy at the end of the row (J)
  double work = 0;                                    ///< taken up by the elastic tangential force during the row (J)
  // Only in the rows that were asked for: directions of the contact frame at the end of the row. With law jaeger, the
  // legs of the history from the bottom up.
  Vec3 direction_1, direction_2;
  std::vector<laws::Leg> legs;
  int leg_count = 0;       ///< with law jaeger, in every row
  double merge_error = 0;  ///< law jaeger-checked: |difference of the tangential force from the exact one| over f F_n
  /// Dissipated by friction during the row, without the dashpots (J). Includes energy of a contact that parted.
  double dissipated = 0;
};

/// The start state and one state per row. Normals may not turn over within a row (contact_frame.hpp). Frame and legs
/// are kept for the states in `with_legs`, 0 the start.
std::vector<DriveState> drive_contact(const ContactDrive&, std::span<const std::size_t> with_legs = {});

}  // namespace dem
