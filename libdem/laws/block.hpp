// Up to 64 contacts in columns, which a tangential law reads and writes. A leaf: includes only its neighbours.
//
// n points from body i to body j. Directions 1 and 2 span the contact plane, direction 2 = n × direction 1. The frame
// turns with the contact (contacts/contact_frame.hpp), so that a history in its components needs no turning. In a plane
// case direction 1 is ẑ×n and direction 2 stays zero. Shifts are those *of j relative to i*, forces those *on j*: the
// elastic force opposes the elongation.
#pragma once
#include <cstdint>

#include "libdem/laws/leg_pool.hpp"

namespace dem::laws {

inline constexpr int block_size = 64;

/// Regime of a contact's step, from laws with a memory of turning points. The linear laws fill Block::sliding only, so
/// that `dem contact` infers it, without `retrace`.
enum class StepRegime : std::uint8_t {
  separated,  ///< no contact at the end of the step
  unchanged,  ///< in contact, without a change of overlap or a tangential movement
  stick,
  slip,   ///< sliding began within the step; Hertzian laws: a part of the contact slides
  slide,  ///< slid as long as it was in contact; Hertzian laws: all of the contact slides at the end
  retrace
};

struct Block {
  int count = 0;
  /// Lanes that may be read and written; set by movement writers that fill whole vectors. Lanes from `count` on hold
  /// any numbers or NaN: ignore their results. 0: none but `count`.
  int lanes = 0;
  // Movement during the step, written by a movement writer.
  /// Elastic normal force at the start and at the end of the contact's part of the step, and the dashpot's at the end
  /// (N). Positive where the bodies push. normal_end is 0 if the contact is lost within the step.
  alignas(64) double normal_start[block_size];
  alignas(64) double normal_end[block_size];
  alignas(64) double normal_viscous[block_size];
  /// The part of the step in contact, as fractions: 0 and 1 unless the contact is made or lost within the step. Laws
  /// that do not refine the step ignore them. Only a law with Traits::sees_lost_contacts gets a lost contact.
  alignas(64) double made[block_size];
  alignas(64) double lost[block_size];
  alignas(64) double shift_1[block_size];  ///< tangential movement of j relative to i during the whole step (m)
  alignas(64) double shift_2[block_size];
  alignas(64) double velocity_1[block_size];  ///< tangential relative velocity at the end (m/s), for the dashpot
  alignas(64) double velocity_2[block_size];
  // Coefficients of the pair.
  alignas(64) double stiffness[block_size];  ///< k_t (N/m)
  alignas(64) double damping[block_size];    ///< γ_t (kg/s)
  alignas(64) double friction[block_size];   ///< μ
  // Only for Hertzian contacts (Traits::hertzian); their `stiffness` is not set.
  alignas(64) double indentation[block_size];  ///< ζ at the end of the step, half of the overlap (m); ≤ 0 if lost
  alignas(64) double modulus[block_size];      ///< Ē = 8G/(3(1 − ν)), F_n = Ē √(R ζ) ζ (Pa)
  alignas(64) double ratio[block_size];  ///< κ = (2 − ν)/(2(1 − ν)): normal over tangential stiffness without slip
  alignas(64) double radius[block_size];  ///< R = 2 r_i r_j/(r_i + r_j) (m)
  LegPool* legs = nullptr;                ///< of laws with Traits::legs, for histories of any length
  // Reply.
  alignas(64) double elastic_1[block_size];  ///< elastic force on j (N)
  alignas(64) double elastic_2[block_size];
  alignas(64) double viscous_1[block_size];  ///< dashpot force on j (N)
  alignas(64) double viscous_2[block_size];
  alignas(64) double stored[block_size];      ///< elastic energy at the end (J)
  alignas(64) double dissipated[block_size];  ///< by friction during the step (J)
  alignas(64) double work[block_size];       ///< supplied by the tangential movement: change of stored + dissipated (J)
  alignas(64) double forgotten[block_size];  ///< stored energy lost (< 0: made) by merging legs (J); in no other column
  double merge_error = 0;  ///< jaeger-checked: the largest difference from the exact tangential force, over f F_n
  StepRegime regime[block_size];           ///< laws with Traits::tells_regime
  alignas(64) double sliding[block_size];  ///< 0 if it sticks, else share of its movement at the Coulomb limit, > 0
};

/// Flags of a step, for all laws.
struct StepFlags {
  bool damp_while_sliding = false;  ///< keep the tangential dashpot at the Coulomb limit
  bool energies = true;             ///< Block::stored, dissipated and work are read; else a law may leave them out
};

/// Springs of a contact, for observers and limits.
struct ContactSprings {
  double stiffness = 0;                       ///< k_t (N/m); laws that are not Hertzian
  double modulus = 0, ratio = 0, radius = 0;  ///< as in Block; Hertzian laws
  double normal = 0;                          ///< K_n = dF_n/dδ now (N/m)
};

}  // namespace dem::laws
