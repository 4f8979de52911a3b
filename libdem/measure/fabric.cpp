#include "libdem/measure/fabric.hpp"

#include <algorithm>

namespace dem {

Tensor3 fabric_tensor(std::span<const ContactRecord> contacts, BodySet set) {
  Tensor3 sum;
  std::size_t n = 0;
  for (const ContactRecord& c : contacts) {
    if (!contains(set, c.key.i) && !contains(set, c.key.j)) continue;
    sum.add(1, c.normal, c.normal);
    ++n;
  }
  return n > 0 ? sum *= 1 / double(n) : sum;
}

ContactCounts count_contacts(std::span<const ContactRecord> contacts, const Bodies& bodies, BodySet set) {
  ContactCounts r;
  std::vector<std::uint32_t> of_body(bodies.size());
  for (const ContactRecord& c : contacts) {
    if (!contains(set, c.key.i) && !contains(set, c.key.j)) continue;
    ++r.contacts;
    r.sliding += c.regime == Regime::slip;
    ++of_body[c.key.i];
    ++of_body[c.key.j];
  }
  std::size_t all = 0, mechanical = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!contains(set, b)) continue;
    ++r.bodies;
    all += of_body[b];
    if (of_body[b] < 2) ++r.rattlers;
    else mechanical += of_body[b];
  }
  if (r.bodies > 0) r.coordination = double(all) / double(r.bodies);
  if (r.bodies > r.rattlers) r.mechanical_coordination = double(mechanical) / double(r.bodies - r.rattlers);
  return r;
}

std::optional<LargestOverlap> largest_overlap(std::span<const ContactRecord> contacts, const Bodies& bodies,
                                              std::span<const Shape> shapes) {
  std::optional<LargestOverlap> largest;
  for (const ContactRecord& c : contacts) {
    const double r_i = shapes[bodies.shape[c.key.i]].equivalent_radius, r_j = shapes[bodies.shape[c.key.j]].equivalent_radius;
    const double radius = r_i > 0 && r_j > 0 ? std::min(r_i, r_j) : std::max(r_i, r_j);
    const double relative = c.overlap / (2 * radius);
    if (!largest || relative > largest->relative) largest = LargestOverlap{relative, c.key};
  }
  return largest;
}

}  // namespace dem
