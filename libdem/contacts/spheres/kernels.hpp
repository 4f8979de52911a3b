// The loops over the contacts of a tile: which pairs touch, how they moved, which force follows. They read and write
// columns; the law's pass comes between movement and forces. Each loop exists for several instruction sets. A contact
// is computed by the same operations in each, so the choice changes no bit.
#pragma once
#include <cstdint>

#include "geometry/instructions.hpp"
#include "libdem/contacts/spheres/layout.hpp"
#include "libdem/laws/block.hpp"

namespace dem {

/// Columns of the contacts of one tile during one step.
struct alignas(64) SphereColumns {
  using Column = double[tile_size];
  /// Columns of rows of four numbers.
  struct alignas(64) Vectors {
    Column x, y, z, more;
    Vec3 operator[](int k) const { return {x[k], y[k], z[k]}; }
  };
  int count = 0;                      ///< contacts; vectors also fill the lanes up to whole_lanes(count)
  std::uint8_t lane[tile_size + 8];   ///< number of the pair within the tile, by contact; room for eight at a time
  const SpherePair* pairs = nullptr;  ///< of the tile
  SphereEnds ends[tile_size];
  Vectors normal;          ///< branch from p to q (m) when gathered, then unit; `more` is the sum of the radii (m)
  Vectors moved;           ///< movement of q's centre relative to p's, difference of the radii (m)
  Vectors turn_p, turn_q;  ///< rotation vectors Δθ of the step (rad), tan(|Δθ|/2)/(|Δθ|/2)
  Vectors speed, spin_p, spin_q;  ///< velocities times Δt, for the dashpots
  // Coefficients.
  alignas(64) Column stiffness;     ///< k_n (N/m)
  const double* damping = nullptr;  ///< γ_n (kg/s): of the tile, or own_damping
  alignas(64) Column own_damping;
  double tangential_share = 0, more_tangential = 0;  ///< γ_t = share γ_n + more, where all pairs have the same
  // Hertzian contacts, see hertz(). γ_n is damping √K_n (by stiffness) or damping √(R̄ δ) (by contact radius).
  bool hertzian = false, damping_by_stiffness = false, damping_by_radius = false;
  bool walls = false;  ///< contacts with walls, which are flat: the Hertz radius is twice that of the sphere
  alignas(64) Column elastic_start, elastic_end;  ///< F_n before and after the step (N)
  alignas(64) Column hertz_damping;
  // Turn of the frame: from direction_1, v, to `v − swing (n₀ + n)`, which the twist turns. The columns are `swing =
  // v·n/(1 + n₀·n)`, tan(φ/2), cos φ and sin φ. The last two include the factor to a unit vector.
  alignas(64) Column swing, half_tangent, twist_cosine, twist_sine;
  // Results.
  alignas(64) Column overlap, direction_x, direction_y, direction_z;
  alignas(64) Column arm_p, arm_q;  ///< from the centres to the contact point (m)

  const SpherePair& pair(int contact) const { return pairs[lane[contact]]; }
};

/// Works of the contacts of a block (J): the sums of ContactWork, each in four lanes. Contact k of the block belongs to
/// lane k mod 4, so that no bit depends on how tiles divide them. The lane of the next contact comes first.
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
  /// Dashpots see the velocities at the end of the step, not the movement of the elongation over Δt.
  bool own_velocity = false;
  bool exact_twist = true;
  bool clip_tension = false;
  /// Arms are radii less this share of the overlap: 0.5 for the middle of the overlap, 0 for lever `radius`.
  double arm_overlap = 0.5;
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
  /// Fills count and lane and does gather() and normals(), if the same pairs touch as before. Otherwise returns false;
  /// its results must then not be used.
  bool (*follow)(const SphereInput&, const TileHead&, const SphereChoices&, SphereColumns&);
  /// Fills count and lane; returns the bits of the pairs that touch.
  std::uint64_t (*find)(const SphereInput&, const TileHead&, SphereColumns&);
  /// Gathers the data of the pairs in `lane` from the spheres.
  void (*gather)(const SphereInput&, const TileHead&, const SphereChoices&, SphereColumns&);
  /// Overlaps and normals from what gather() has written; move() reads them.
  void (*normals)(SphereColumns&);
  /// Before move(), if SphereColumns::hertzian: normal forces and columns for the law. The block has `modulus`.
  void (*hertz)(const SphereTile&, SphereColumns&, laws::Block&);
  /// Writes frame and movement columns of the law's block, from the state of the tile at the start of the step.
  void (*move)(const SphereChoices&, const SphereTile&, SphereColumns&, laws::Block&);
  /// Writes the state at the end of the step, adds forces and torques to the loads of the block. Runs after the law.
  void (*force)(const laws::Block&, const SphereTile&, SphereColumns&, SphereLoad*);
  /// Adds works; the tile's dashpot forces become those of the end of the step. Runs after the law, before force().
  /// `forgets`: the law merges legs (laws::Block::forgotten).
  void (*book)(const laws::Block&, const SphereTile&, const SphereColumns&, bool forgets, WorkLanes&);
  /// Bit k: values[k] is not zero. `values` is aligned to 64 bytes and may be read up to whole_lanes(count).
  std::uint64_t (*bits)(const double* values, int count);
};

/// The kernels for a set of instructions. Null if this processor does not have it.
const SphereKernels* sphere_kernels(geometry::Instructions set);

}  // namespace dem
