// Mean stress (Love–Weber), tension positive (2D: N/m). σ_αβ: force along α, branch (face normal) along β.
#pragma once
#include <span>

#include "libdem/state/contact_record.hpp"
#include "libdem/state/state.hpp"
#include "libdem/state/tensor.hpp"

namespace dem {

/// Contact part: (1/V) Σ force on i ⊗ branch, in the order of the records. `volume`: with voids (2D: area, m²).
Tensor3 contact_stress(ContactLoads, double volume);

/// Kinetic part of a periodic cell: −(1/V) Σ m v′⊗v′. v′ is the velocity minus the cell's mean motion Ḣ H⁻¹ (x −
/// origin) minus the mean of the remainder (weighted by mass).
Tensor3 kinetic_stress_of_cell(const State&);

/// Volume of the cell (m³; 2D: m²).
double cell_volume(const geometry::Cell&);

}  // namespace dem
