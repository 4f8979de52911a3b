#pragma once
#include <cstdint>

namespace dem {

// Laws hooke-history and hertz-history (direct-shear reference, §1.2 and §1.4).

/// What the tangential spring remembers: its whole elongation, that of the step (v_t Δt), nothing.
enum class TangentialHistory : std::uint8_t { whole, pseudo, none };

/// What Coulomb's law limits: spring and dashpot together (the reference's variant A), or the spring alone (B).
enum class FrictionLimit : std::uint8_t { total, spring };

/// What becomes of the tangential force of a Hertz contact whose stiffness changes.
enum class HertzVariant : std::uint8_t { displacement, force_increment, rescaled };

}  // namespace dem
