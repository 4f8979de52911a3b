// The contact network: fabric tensor, coordination numbers, sliding fraction, largest overlap.
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include "libdem/measure/body_set.hpp"
#include "libdem/state/contact_record.hpp"
#include "libdem/state/tensor.hpp"

namespace dem {

/// Fabric tensor (1/N) Σ n⊗n of the normals over contacts with a body of the set. The trace is 1, or 0 without
/// contacts. Anisotropy in the plane: difference of planar_principal's values, 0 (isotropic) to 1. Anisotropy in space:
/// norm of the deviator (deviator_norm), 0 to √(2/3).
Tensor3 fabric_tensor(ContactLoads, BodySet = {});

/// Counts of contacts. A polygon pair that overlaps in several components has several contacts.
struct ContactCounts {
  std::size_t bodies = 0;    ///< in the set
  std::size_t contacts = 0;  ///< with a body of the set
  std::size_t sliding = 0;   ///< contacts at the Coulomb limit
  std::size_t rattlers = 0;  ///< bodies of the set with fewer than two contacts, counted once (not removed repeatedly)
  double coordination = 0;   ///< mean number of contacts per body of the set, rattlers included
  double mechanical_coordination = 0;  ///< same over the bodies with two or more contacts
  double sliding_fraction() const { return contacts > 0 ? double(sliding) / double(contacts) : 0; }
};
/// Mean overlap of the contacts (m); 0 without contacts.
double mean_overlap(ContactLoads);
ContactCounts count_contacts(ContactLoads, const Bodies&, BodySet = {});

/// Coordination numbers of a set. A pair of bodies (and image) that touches at several places is one partner. Rattlers
/// have fewer than two partners. The backbone remains after repeated removal of rattlers and their contacts.
struct Coordination {
  std::size_t bodies = 0, backbone = 0;  ///< in the set; in the backbone
  double by_contacts = 0, by_pairs = 0;  ///< mean number of contacts and of partners per body of the set
  double backbone_by_contacts = 0, backbone_by_pairs = 0;  ///< same within the backbone
};
/// The records must be in the order of their keys.
Coordination coordination_of(ContactLoads, const Bodies&, BodySet = {});

/// Share of contacts with a body of the set whose tangential force is within `margin` (relative) of the friction limit
/// (linear-frictional reference, §7). Unlike in ContactCounts::sliding_fraction, the contact need not slide.
double fraction_at_limit(ContactLoads, BodySet = {}, double margin = 1e-5);

/// Largest overlap ζ over the equivalent diameter of the smaller body (not of half-planes); none without contacts.
struct LargestOverlap {
  double relative = 0;
  ContactKey contact;
};
std::optional<LargestOverlap> largest_overlap(ContactLoads, const Bodies&, std::span<const Shape>);
/// Largest overlap among contacts that carry load: without bodies of `free` that have fewer than two contacts.
std::optional<LargestOverlap> largest_network_overlap(ContactLoads, const Bodies&, std::span<const Shape>,
                                                      BodySet free);

}  // namespace dem
