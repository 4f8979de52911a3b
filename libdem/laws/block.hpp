// Up to 64 contacts in columns, which a tangential law reads and writes. A leaf: includes only its neighbours.
//
// n points from body i to body j. Directions 1 and 2 span the contact plane, direction 2 = n × direction 1. The frame
// turns with the contact (contacts/contact_frame.hpp), so that a history in its components needs no turning. In a plane
// case direction 1 is ẑ×n and direction 2 stays zero. Shifts are those *of j relative to i*, forces those *on j*: the
// elastic force opposes the elongation.
#pragma once
#include <cmath>
#include <cstdint>

#include "libdem/laws/leg_pool.hpp"

namespace dem::laws {

inline constexpr int block_size = 64;

/// Vector in the contact plane, in directions 1 and 2.
struct Vector {
  double x = 0, y = 0;
  friend Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
  friend Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y}; }
  friend Vector operator*(double s, Vector a) { return {s * a.x, s * a.y}; }
  friend double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y; }
  double size() const { return std::sqrt(x * x + y * y); }
};

/// Regime of a contact's step, from laws with a memory of turning points. The linear laws fill Block::sliding only, so
/// that `dem contact` infers it, without `retrace`.
enum class StepRegime : std::uint8_t {
  separated,  ///< no contact at the end of the step
  unchanged,  ///< in contact, without a change of overlap or a tangential movement
  stick,
  slip,   ///< sliding began within the step. Hertzian laws: a part of the contact slides
  slide,  ///< slid as long as it was in contact. Hertzian laws: all of the contact slides at the end
  retrace
};

struct Block {
  using Column = double[block_size];
  int count = 0;
  /// Lanes that may be read and written; set by movement writers that fill whole vectors. Lanes from `count` on hold
  /// any numbers or NaN: ignore their results. 0: none but `count`.
  int lanes = 0;
  // Movement during the step, written by a movement writer.
  /// Elastic normal force at the start and at the end of the contact's part of the step, and the dashpot's at the end
  /// (N). Positive where the bodies push. normal_end is 0 if the contact is lost within the step.
  alignas(64) Column normal_start, normal_end, normal_viscous;
  /// The part of the step in contact, as fractions: 0 and 1 unless the contact is made or lost within the step. Laws
  /// that do not refine the step ignore them. Only a law with Traits::sees_lost_contacts gets a lost contact.
  alignas(64) Column made, lost;
  alignas(64) Column shift_1, shift_2;        ///< tangential movement of j relative to i during the whole step (m)
  alignas(64) Column velocity_1, velocity_2;  ///< tangential relative velocity at the end (m/s), for the dashpot
  // Coefficients of the pair.
  alignas(64) Column stiffness;  ///< k_t (N/m)
  alignas(64) Column damping;    ///< γ_t (kg/s)
  alignas(64) Column friction;   ///< μ
  // Only for Hertzian contacts (Traits::hertzian); their `stiffness` is not set.
  alignas(64) Column indentation;  ///< ζ at the end of the step, half of the overlap (m); ≤ 0 if lost
  alignas(64) Column modulus;      ///< Ē = 8G/(3(1 − ν)), F_n = Ē √(R ζ) ζ (Pa)
  alignas(64) Column ratio;        ///< κ = (2 − ν)/(2(1 − ν)): normal over tangential stiffness without slip
  alignas(64) Column radius;       ///< R = 2 r_i r_j/(r_i + r_j) (m)
  LegPool* legs = nullptr;         ///< of laws with Traits::legs, for histories of any length
  // Reply.
  alignas(64) Column elastic_1, elastic_2;  ///< elastic force on j (N)
  alignas(64) Column viscous_1, viscous_2;  ///< dashpot force on j (N)
  alignas(64) Column stored;                ///< elastic energy at the end (J)
  alignas(64) Column dissipated;            ///< by friction during the step (J)
  alignas(64) Column work;                  ///< supplied by the tangential movement: change of stored + dissipated (J)
  alignas(64) Column forgotten;             ///< stored energy lost (< 0: made) by merging legs (J); in no other column
  double merge_error = 0;  ///< jaeger-checked: the largest difference from the exact tangential force, over f F_n
  StepRegime regime[block_size];  ///< laws with Traits::tells_regime
  alignas(64) Column sliding;     ///< 0 if it sticks, else share of its movement at the Coulomb limit, > 0
};

/// Flags of a step, for all laws.
struct StepFlags {
  bool damp_while_sliding = false;  ///< keep the tangential dashpot at the Coulomb limit
  /// Block::stored, dissipated, work and forgotten are read. If false, a law may leave them out; it always fills the
  /// forces and `sliding` (or `regime`).
  bool energies = true;
};

/// Springs of a contact, for observers and limits.
struct ContactSprings {
  double stiffness = 0;                       ///< k_t (N/m); laws that are not Hertzian
  double modulus = 0, ratio = 0, radius = 0;  ///< as in Block; Hertzian laws
  double normal = 0;                          ///< K_n = dF_n/dδ now (N/m)
};

}  // namespace dem::laws
