// The contact network: fabric tensor, coordination numbers, sliding fraction, largest overlap.
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include "libdem/measure/body_set.hpp"
#include "libdem/measure/tensor.hpp"
#include "libdem/state/contact_record.hpp"

namespace dem {

/// Fabric tensor of the normals, (1/N) Σ n⊗n over contacts with a body of the set; trace 1, zero without contacts.
/// Its anisotropy is the difference of planar_principal's values, 0 (isotropic) to 1.
Tensor3 fabric_tensor(std::span<const ContactRecord>, BodySet = {});

/// A polygon pair that overlaps in several components counts as several contacts.
struct ContactCounts {
  std::size_t bodies = 0;            ///< in the set
  std::size_t contacts = 0;          ///< with a body of the set
  std::size_t sliding = 0;           ///< of these, at the Coulomb limit
  std::size_t rattlers = 0;          ///< bodies of the set with fewer than two contacts (counted once, not repeatedly removed)
  double coordination = 0;           ///< mean number of contacts of a body of the set, rattlers included
  double mechanical_coordination = 0;  ///< same over the bodies with two or more contacts
  double sliding_fraction() const { return contacts > 0 ? double(sliding) / double(contacts) : 0; }
};
ContactCounts count_contacts(std::span<const ContactRecord>, const Bodies&, BodySet = {});

/// Largest overlap ζ in units of the equivalent diameter of the smaller body (half-planes do not count); none without contacts.
struct LargestOverlap { double relative = 0; ContactKey contact; };
std::optional<LargestOverlap> largest_overlap(std::span<const ContactRecord>, const Bodies&, std::span<const Shape>);

}  // namespace dem
