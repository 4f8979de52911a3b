// Normal modes of a network of contacts: small vibrations of bodies on the springs of their contacts.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "libdem/state/bodies.hpp"
#include "libdem/state/contact_record.hpp"

namespace dem {

struct NormalMode {
  double frequency = 0;         ///< ω (rad/s), 0 where no spring restores it
  double damping_ratio = 0;     ///< x·Cx over 2ω x·Mx, exact where damping is weak
  double tangential_share = 0;  ///< of the elastic energy, in tangential springs
  double rotation_share = 0;    ///< of the kinetic energy, in rotations
  /// x, y, z (m) and the turns (rad) of each body, all in space axes, with x·Mx = 1 kg m².
  std::vector<std::array<double, 6>> shape;
};

struct ModeOptions {
  double rotational_damping = 0;  ///< N m s
  double mass_damping = 0;        ///< 1/s
  bool damp_while_sliding = false;
};

inline constexpr std::size_t most_mode_coordinates = 3000;  // of a dense matrix

/// Number of coordinates that can move.
std::size_t mode_coordinates(const Bodies&);

/// All modes, the lowest frequency first, from K x = ω² M x. Springs and dashpots are those of the contacts as they
/// are. A contact that slides has no tangential spring. That forces turn with their contacts is left out. Throws
/// std::invalid_argument for more than most_mode_coordinates.
std::vector<NormalMode> normal_modes(const Bodies&, std::span<const ContactRecord>, const ModeOptions& = {});

}  // namespace dem
