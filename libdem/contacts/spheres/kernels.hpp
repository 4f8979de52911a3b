// The loops over the contacts of a tile: which pairs touch, how they moved, what force follows. Columns in, columns
// out; the law's pass comes between movement and forces. Each loop exists for several instruction sets; a contact is
// worked out by the same operations in each, so the choice changes no bit.
#pragma once
#include <cstdint>

#include "libdem/contacts/spheres/layout.hpp"
#include "libdem/laws/block.hpp"

namespace dem {

/// Of the contacts of one tile, during one step: in columns.
struct alignas(64) SphereColumns {
  using Column = double[tile_size];
  /// What a row of four numbers becomes.
  struct alignas(64) Vectors {
    Column x, y, z, more;
    Vec3 operator[](int k) const { return {x[k], y[k], z[k]}; }
  };
  int count = 0;  ///< contacts; what is worked out for vectors also for the lanes up to whole_lanes(count)
  std::uint8_t lane[tile_size + 8];   ///< number of the pair within the tile, by contact; room for eight at a time
  const SpherePair* pairs = nullptr;  ///< of the tile
  SphereEnds ends[tile_size];
  Vectors normal;          ///< gathered: centre of q − centre of p (m); then unit, from p to q; sum of the radii (m)
  Vectors moved;           ///< movement of q's centre relative to p's, difference of the radii (m)
  Vectors turn_p, turn_q;  ///< rotation vectors of the step (rad), factor of chord_rotation()
  Vectors speed, spin_p, spin_q;  ///< velocities times Δt, for the dashpots
  // Coefficients.
  alignas(64) Column stiffness;     ///< k_n (N/m)
  const double* damping = nullptr;  ///< γ_n (kg/s): of the tile, or own_damping
  alignas(64) Column own_damping;
  double tangential_share = 0, more_tangential = 0;  ///< γ_t = share γ_n + more, where all pairs have the same
  // Hertzian contacts: what a spring k_n ζ would be worked out from. Written by hertz().
  bool hertzian = false, damping_by_stiffness = false,
       damping_by_radius = false;  ///< γ_n is damping √K_n; damping times the contact radius √(R̄ δ)
  bool walls = false;  ///< contacts with walls, which are flat: their Hertz radius is that of the sphere, twice
  alignas(64) Column elastic_start, elastic_end;  ///< F_n before and after the step (N)
  alignas(64) Column hertz_damping;
  // How the frame turns: direction_1 becomes v less swing times the sum of the normals, which the twist turns. v·n/(1 +
  // n₀·n); tan(φ/2); cos φ and sin φ, times what makes the direction a unit vector again.
  alignas(64) Column swing, half_tangent, twist_cosine, twist_sine;
  // Results.
  alignas(64) Column overlap, direction_x, direction_y, direction_z;
  alignas(64) Column arm_p, arm_q;  ///< from the centres to the contact point (m)

  const SpherePair& pair(int contact) const { return pairs[lane[contact]]; }
};

/// Works of the contacts of a block (J): the sums of ContactWork, each in four lanes. Contact k of the block belongs to
/// lane k mod 4, so that no bit depends on how tiles divide them. The next contact's lane comes first.
struct WorkLanes {
  using Sum = double[4];
  alignas(32) Sum friction = {}, viscous = {}, circulation = {}, event_loss = {}, absolute = {};
  unsigned next = 0;  ///< lane of the next contact

  double total(const Sum& of) const {
    return ((of[-next % 4] + of[(1 - next) % 4]) + of[(2 - next) % 4]) + of[(3 - next) % 4];
  }
};

struct SphereChoices {
  bool geometric = true;  ///< elongation from displacements and mid-step arms; else relative velocity times Δt
  bool own_velocity =
      false;  ///< dashpots see the velocities of the end of the step, not the movement of the elongation over Δt
  bool exact_twist = true;
  bool clip_tension = false;
  double arm_overlap =
      0.5;  ///< arms are radii less this share of the overlap: 0.5, the middle of the overlap, or 0, lever `radius`
  double per_dt = 0;  ///< 1/s
};

struct SphereInput {
  const SphereRow* rows = nullptr;             ///< by number within the block
  const SphereVelocity* velocities = nullptr;  ///< the same, with own_velocity
  const SpherePair* pairs = nullptr;
  const ImageRow* images = nullptr;  ///< by number of the image
};

struct SphereKernels {
  const char* name;
  /// Where the same pairs touch as before: fills count and lane and does what gather() and normals() do. Else false,
  /// and nothing is to be used.
  bool (*follow)(const SphereInput&, const TileHead&, const SphereChoices&, SphereColumns&);
  /// Fills count and lane; returns the bits of the pairs that touch.
  std::uint64_t (*find)(const SphereInput&, const TileHead&, SphereColumns&);
  /// Of the pairs in `lane`: what of the contacts is gathered from the spheres.
  void (*gather)(const SphereInput&, const TileHead&, const SphereChoices&, SphereColumns&);
  /// Overlaps and normals from what gather() has written; move() reads them.
  void (*normals)(SphereColumns&);
  /// Before move(), where SphereColumns::hertzian: normal forces and what the law wants to know of Hertz contacts. The
  /// block has `modulus`.
  void (*hertz)(const SphereTile&, SphereColumns&, laws::Block&);
  /// From the state of the tile at the start of the step: frame, and the movement columns of the law's block.
  void (*move)(const SphereChoices&, const SphereTile&, SphereColumns&, laws::Block&);
  /// After the law: state at the end of the step; forces and torques are added to the loads of the block.
  void (*force)(const laws::Block&, const SphereTile&, SphereColumns&, SphereLoad*);
  /// After the law, before force(): adds the works of the contacts; the tile's dashpot forces become those of the end
  /// of the step.
  void (*book)(const laws::Block&, const SphereTile&, const SphereColumns&, WorkLanes&);
  /// Bit k: values[k] is not zero. `values` is aligned to 64 bytes and may be read up to whole_lanes(count).
  std::uint64_t (*bits)(const double* values, int count);
};

/// The fastest set for this processor; `name` = "generic", "avx2" or "avx512" asks for one of them, null when the
/// processor lacks it.
const SphereKernels* sphere_kernels(const char* name = nullptr);

}  // namespace dem
