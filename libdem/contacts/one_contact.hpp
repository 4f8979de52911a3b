// One contact along a prescribed path: what `dem contact` computes. Any law of the catalogue; the normal force is k_n
// ζ, or that of Hertz.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "geometry/vector.hpp"
#include "libdem/case.hpp"
#include "libdem/laws/catalogue.hpp"
#include "libdem/laws/normal/hertz.hpp"

namespace dem {

/// What the contact did in a row. `retrace` is that of laws with a memory of turning points; the linear laws do not
/// have it.
enum class DriveRegime {
  stick,
  slip,   ///< sliding began within the row
  slide,  ///< it slid as long as it was in contact (law linear does not tell when sliding began: always slide);
          ///< Hertzian laws: all of the contact slides at the end of the row, whereas in slip a part of it sticks
  retrace,
  separated,  ///< no contact at the end of the row
  unchanged,  ///< in contact, and neither the overlap nor the tangential movement of the row is other than zero
};
std::string_view name_of(DriveRegime);

/// Vectors in the contact frame: components 1 and 2 in x and y.
struct DriveRow {
  double overlap = 0;  ///< at the end of the row; negative: gap (m)
  Vec3 shift;          ///< tangential movement of j relative to i during the row (m); global: in the plane at its end
  Vec3 normal;         ///< global: unit, from i to j, at the end of the row
  Vec3 rotation_i, rotation_j;  ///< global: rotation vectors of the row (rad)
};

struct ContactDrive {
  laws::LawChoice law;
  laws::StepFlags flags;
  double friction = 0;
  double normal_stiffness = 0, tangential_stiffness = 0;  ///< N/m; of laws that are not Hertzian
  laws::Hertz hertz;                                      ///< of those that are
  double normal_damping = 0,
         tangential_damping = 0;   ///< kg/s; damping_by_radius: over the contact radius √(R̄ δ), kg/(m s)
  bool damping_by_radius = false;  ///< Hertzian laws
  bool clip_tension = false;
  Transport transport = Transport::exact;
  bool global = false;       ///< frame of the rows
  double time_step = 0;      ///< of a row (s); 0: no dashpots
  double start_overlap = 0;  ///< m
  double largest_overlap =
      1e4;           ///< m: that a file may ask for; bodies with radii: their sum, at which the centres meet
  Vec3 start_force;  ///< tangential, on i (N); may lie outside the limit, which the law then sees to in the first row
  Vec3 start_normal{0, 0, 1};  ///< global
  std::vector<DriveRow> rows;
};

struct DriveState {
  double normal_force = 0;  ///< elastic and dashpot, compression positive (N)
  Vec3 tangential;          ///< elastic and dashpot, on i (N)
  DriveRegime regime = DriveRegime::stick;
  double stored_normal = 0, stored_tangential = 0;  ///< elastic energy at the end of the row (J)
  double work = 0;                                  ///< that the elastic tangential force took up during the row (J)
  // In the rows that were asked for: directions 1 and 2 of the contact frame at the end of the row, and with law jaeger
  // the legs of the history from the bottom up.
  Vec3 direction_1, direction_2;
  std::vector<laws::Leg> legs;
  double merge_error = 0;  ///< law jaeger-checked: |difference of the tangential force from the exact one| over f F_n
  double dissipated =
      0;  ///< by friction during the row, with what was stored in a contact that parted; without the dashpots (J)
};

/// The start state and one state a row. Normals may not turn over within a row (contact_frame.hpp). `with_legs`: states
/// whose frame and legs are kept, 0 the start.
std::vector<DriveState> drive_contact(const ContactDrive&, std::span<const std::size_t> with_legs = {});

}  // namespace dem
