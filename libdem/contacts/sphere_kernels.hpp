// The loops over the contacts of a tile: which pairs touch, how they moved, what force follows. Columns in, columns out; the law's pass
// comes between movement and forces. Each loop exists for several instruction sets; a contact is worked out by the same operations
// in each, so the choice changes no bit.
#pragma once
#include <cstdint>

#include "libdem/contacts/sphere_layout.hpp"
#include "libdem/laws/block.hpp"

namespace dem {

/// Of the contacts of one tile, during one step.
struct alignas(64) SphereColumns {
  using Column = double[tile_size];
  int count = 0;
  std::uint32_t pair[tile_size];             ///< number of the pair
  std::uint32_t load_p[tile_size], load_q[tile_size];  ///< where their loads are added up in the block
  Column branch_x, branch_y, branch_z;       ///< centre of q − centre of p (m)
  Column square, reach;                      ///< of its length (m²); sum of the radii (m)
  Column radius_p;
  Column moved_x, moved_y, moved_z;          ///< movement of q's centre relative to p's (m)
  Column turn_px, turn_py, turn_pz, turn_qx, turn_qy, turn_qz;  ///< rotation vectors of the step (rad)
  Column chord_p, chord_q;                   ///< factors of chord_rotation()
  Column speed_x, speed_y, speed_z, spin_px, spin_py, spin_pz, spin_qx, spin_qy, spin_qz;  ///< velocities times Δt, for the dashpots
  // Coefficients.
  Column stiffness, damping;                 ///< k_n (N/m), γ_n (kg/s)
  // Results.
  Column overlap, normal_x, normal_y, normal_z, direction_x, direction_y, direction_z;
  Column viscous_n, damped_n;                ///< dashpot's normal force on q (N); movement of q from p along n (m)
  Column twist_argument;                     ///< of tan_over_argument()
  Column arm_p, arm_q;                       ///< from the centres to the contact point (m)
  Column force_x, force_y, force_z, couple_x, couple_y, couple_z;  ///< on q (N); n × force
};

struct SphereChoices {
  bool geometric = true;      ///< elongation from displacements and mid-step arms; else relative velocity times Δt
  bool own_velocity = false;  ///< dashpots see the velocities of the end of the step, not the movement of the elongation over Δt
  bool exact_twist = true;
  bool clip_tension = false;
  double per_dt = 0;          ///< 1/s
};

struct SphereInput {
  const SpherePlace* place = nullptr;
  const SphereMove *moved = nullptr, *turned = nullptr, *speed = nullptr, *spin = nullptr;  ///< the last two with own_velocity
  const SpherePair* pairs = nullptr;
  const Vec3 *shift = nullptr, *shift_moved = nullptr, *shift_speed = nullptr;  ///< by number of the image (m)
};

struct SphereKernels {
  const char* name;
  /// Fills pair, load_*, branch, square, reach, radius_p of the pairs that touch, count and the bits of the pairs.
  std::uint64_t (*find)(const SphereInput&, const TileHead&, const SphereBlock&, SphereColumns&);
  /// Fills moved, turn, chord (speed, spin) of the pairs in touch.
  void (*gather)(const SphereInput&, const SphereChoices&, SphereColumns&);
  /// From the state of the tile at the start of the step: overlap, normal, frame, and the movement columns of the law's block.
  void (*move)(const SphereChoices&, const SphereTile&, SphereColumns&, laws::Block&);
  /// After the law: state at the end of the step, forces and couples.
  void (*force)(const laws::Block&, SphereTile&, SphereColumns&);
  /// Adds forces and torques to the loads of the block.
  void (*scatter)(const SphereColumns&, SphereLoad*);
};

/// The fastest set for this processor; `name` = "generic", "avx2" or "avx512" asks for one of them, null when the processor lacks it.
const SphereKernels* sphere_kernels(const char* name = nullptr);

}  // namespace dem
