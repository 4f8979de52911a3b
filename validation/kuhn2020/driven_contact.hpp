// One contact in space moved along a prescribed path through the contact frame and a law of the catalogue, without any
// integration: for studies and tests. Source: linear-frictional-contact reference, §2-§5 and §7.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "geometry/vector.hpp"
#include "libdem/case.hpp"
#include "libdem/laws/linear_refined.hpp"
#include "libdem/state/quaternion.hpp"

namespace dem::validation::kuhn2020 {

/// How a contact is computed; the defaults are the reference's own choice. The last three are for comparison.
struct ContactVariant {
  std::string law = "linear-refined";
  laws::LinearRefined::Options options;  ///< of law linear-refined
  Transport transport = Transport::exact;
  bool chord = true;          ///< rotations as Δθ tan(|Δθ|/2)/(|Δθ|/2) in the movement
  bool mid_step_arms = true;  ///< else the arms at the end of the step
  bool mid_step_frame =
      true;  ///< tangential part in the frame of mid-step, carried on; else projected on the plane at the end
};

struct ContactCoefficients {
  double normal_stiffness = 1, tangential_stiffness = 1;  ///< N/m
  double friction = 0.5;
};

/// Movement of a contact in a step.
struct ContactMove {
  Vec3 normal;         ///< unit, from i to j, at the end
  double overlap = 0;  ///< m, at the end; negative: gap
  Vec3 movement;       ///< Δū of j relative to i at the contact (m)
  Vec3 mean_rotation;  ///< ½(Δθ_i + Δθ_j), rad
};

/// The contact between the steps.
class DrivenContact {
 public:
  /// `force`: tangential force on i at the start (N), perpendicular to the normal, within the friction limit or not.
  /// Throws std::invalid_argument where the law is unknown.
  DrivenContact(const ContactVariant&, const ContactCoefficients&, Vec3 normal, double overlap, Vec3 force = {});

  void move(const ContactMove&);

  /// Tangential force on i (N); with transport `none` also what it has along the normal.
  Vec3 force() const;
  /// The same in directions 1 and 2 of the frame.
  Vec2 force_in_frame() const { return force_; }
  Vec3 direction_1() const { return direction_1_; }
  double normal_force() const { return coefficients_.normal_stiffness * (overlap_ > 0 ? overlap_ : 0); }
  double limit() const { return coefficients_.friction * normal_force(); }
  bool slid() const { return slid_; }          ///< in the last step
  double stored() const { return stored_; }    ///< J, tangential
  double work() const { return work_; }        ///< J, tangential, of all steps
  double dissipated() const { return lost_; }  ///< J, of all steps, with what lost contacts leave

 private:
  void apply(double part_start, double part_end, double normal_start, double normal_end, Vec2 shift, double friction);

  ContactVariant variant_;
  ContactCoefficients coefficients_;
  laws::LawChoice law_;
  Vec3 normal_, direction_1_;
  double overlap_;
  std::vector<double> history_;
  double out_of_plane_ = 0;
  Vec2 force_;
  bool slid_ = false;
  double stored_ = 0, work_ = 0, lost_ = 0;
};

/// Places and orientations of two spheres of radius 0.5 m on a path, s from 0 to 1.
struct PairPose {
  Vec3 i, j;  ///< centres (m)
  Quaternion turn_i, turn_j;
};
using PairPath = std::function<PairPose(double s)>;

/// Tangential forces on i (N) at the ends of `steps` equal steps along the path, and the work and dissipation of all of
/// it.
struct PathResult {
  std::vector<Vec3> force;
  double work = 0, dissipated = 0;
};
PathResult follow(const PairPath&, int steps, const ContactVariant&, const ContactCoefficients&);

/// Largest difference of the forces of two results at the times they share, in units of `limit` (N). The number of
/// steps of one divides that of the other.
double largest_difference(const PathResult& coarse, const PathResult& fine, double limit);

}  // namespace dem::validation::kuhn2020
