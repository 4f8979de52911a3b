// Mean stress (Love–Weber), tension positive (2D: N/m). σ_αβ: force along α, branch (face normal) along β.
#pragma once
#include <span>

#include "libdem/measure/body_set.hpp"
#include "libdem/state/contact_record.hpp"
#include "libdem/state/state.hpp"
#include "libdem/state/tensor.hpp"

namespace dem {

/// Contact part: (1/V) Σ over bodies of the set and their contacts of force on the body ⊗ (contact point − centroid). A
/// contact within the set gives force on i ⊗ branch. A contact that leaves the set (to a plate or out of the band)
/// gives its part within. `volume`: area of the set with voids (2D: m²). Sums are in the order of the records.
Tensor3 contact_stress(std::span<const ContactRecord>, const Bodies&, double volume, BodySet = {});

/// Kinetic part of a periodic cell: −(1/V) Σ m v′⊗v′. v′ is the velocity minus the cell's mean motion Ḣ H⁻¹ (x −
/// origin) minus the mean of the remainder (weighted by mass).
Tensor3 kinetic_stress_of_cell(const State&);

/// Volume of the cell (m³; 2D: m²).
double cell_volume(const geometry::Cell&);

/// Ḣ H⁻¹ of the cell's vectors: the velocity gradient of the mean motion (1/s).
Tensor3 velocity_gradient(const geometry::Cell&, const std::array<Vec3, 3>& rate);

}  // namespace dem
