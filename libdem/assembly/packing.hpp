// Measures of an imported packing from positions alone. Contacts are overlaps; stress is from linear normal forces, k_n
// = 1.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "libdem/assembly/import_assembly.hpp"
#include "libdem/state/tensor.hpp"

namespace dem {

/// Lengths in the unit of the file. Without a cell in the file nothing is periodic. Volume, void ratio and stress are
/// NaN unless every direction is periodic.
struct PackingSummary {
  double volume = 0, solid_volume = 0;
  double median_diameter = 0;  ///< D: 2 × radius at half the solid volume
  std::size_t particles = 0, contacts = 0, touching_pairs = 0, without_contact = 0;
  /// Pairs of particles with spheres whose centres coincide. They count as contacts but have no normal and no force.
  std::vector<std::array<std::uint32_t, 2>> coincident;
  std::vector<std::size_t> pairs_by_contacts;  ///< [k]: number of touching pairs with k + 1 contacts
  double mean_overlap = 0, median_overlap = 0, largest_overlap = 0;  ///< over D
  Tensor3 stress_over_stiffness;  ///< σ/k_n = (1/V) Σ ζ (−n)⊗l with branch l of the particles, tension positive
  double unbalanced = 0;          ///< root mean square of the resultant on a particle over the mean contact force

  double void_ratio() const { return volume / solid_volume - 1; }
  double porosity() const { return 1 - solid_volume / volume; }
  double coordination() const { return 2 * double(contacts) / double(particles); }
  double pair_coordination() const { return 2 * double(touching_pairs) / double(particles); }
};

/// Throws GeometryError where the cell is too small for the particles.
PackingSummary summarize_packing(const ImportedAssembly&);

}  // namespace dem
