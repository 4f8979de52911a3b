// The contact network: fabric tensor, coordination numbers, sliding fraction, largest overlap.
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include "libdem/measure/body_set.hpp"
#include "libdem/state/contact_record.hpp"
#include "libdem/state/tensor.hpp"

namespace dem {

/// Fabric tensor of the normals, (1/N) Σ n⊗n over contacts with a body of the set; trace 1, zero without contacts.
/// Its anisotropy is the difference of planar_principal's values in the plane, 0 (isotropic) to 1; in space the norm of
/// its deviator (deviator_norm), 0 to √(2/3).
Tensor3 fabric_tensor(std::span<const ContactRecord>, BodySet = {});

/// A polygon pair that overlaps in several components counts as several contacts.
struct ContactCounts {
  std::size_t bodies = 0;    ///< in the set
  std::size_t contacts = 0;  ///< with a body of the set
  std::size_t sliding = 0;   ///< of these, at the Coulomb limit
  std::size_t rattlers = 0;  ///< bodies of the set with fewer than two contacts (counted once, not repeatedly removed)
  double coordination = 0;   ///< mean number of contacts of a body of the set, rattlers included
  double mechanical_coordination = 0;  ///< same over the bodies with two or more contacts
  double sliding_fraction() const { return contacts > 0 ? double(sliding) / double(contacts) : 0; }
};
/// Mean overlap of the contacts (m); 0 without contacts.
double mean_overlap(std::span<const ContactRecord>);
ContactCounts count_contacts(std::span<const ContactRecord>, const Bodies&, BodySet = {});

/// Coordination numbers of a set. A pair of bodies (and image) that touches at several places is one partner. The
/// backbone is what remains when bodies with fewer than two partners (rattlers) are removed with their contacts until
/// none is left.
struct Coordination {
  std::size_t bodies = 0, backbone = 0;  ///< in the set; of these in the backbone
  double by_contacts = 0, by_pairs = 0;  ///< mean number of contacts and of partners of a body of the set
  double backbone_by_contacts = 0, backbone_by_pairs = 0;  ///< same within the backbone
};
/// Records in the order of their keys.
Coordination coordination_of(std::span<const ContactRecord>, const Bodies&, BodySet = {});

/// Share of contacts with a body of the set whose tangential force is within `margin` (relative) of the friction limit,
/// slid or not in this step (linear-frictional reference, §7). ContactCounts::sliding_fraction is the other definition:
/// slid in this step.
double fraction_at_limit(std::span<const ContactRecord>, BodySet = {}, double margin = 1e-5);

/// Largest overlap ζ in units of the equivalent diameter of the smaller body (half-planes do not count); none without
/// contacts.
struct LargestOverlap {
  double relative = 0;
  ContactKey contact;
};
std::optional<LargestOverlap> largest_overlap(std::span<const ContactRecord>, const Bodies&, std::span<const Shape>);
/// Of the contacts that carry load on: no body of `free` in them has fewer than two contacts, as one has that flies
/// into the others.
std::optional<LargestOverlap> largest_network_overlap(std::span<const ContactRecord>, const Bodies&,
                                                      std::span<const Shape>, BodySet free);

}  // namespace dem
