#include "libdem/measure/fabric.hpp"

#include <algorithm>

namespace dem {

Tensor3 fabric_tensor(ContactLoads contacts, BodySet set) {
  Tensor3 sum;
  std::size_t n = 0;
  for (const ContactLoad& c : contacts) {
    if (!contains(set, c.key.i) && !contains(set, c.key.j)) continue;
    sum.add(1, c.normal, c.normal);
    ++n;
  }
  return n > 0 ? sum *= 1 / double(n) : sum;
}

double mean_overlap(ContactLoads contacts) {
  double sum = 0;
  for (const ContactLoad& c : contacts) sum += c.overlap;
  return contacts.empty() ? 0 : sum / double(contacts.size());
}

ContactCounts count_contacts(ContactLoads contacts, const Bodies& bodies, BodySet set) {
  ContactCounts r;
  std::vector<std::uint32_t> of_body(bodies.size());
  for (const ContactLoad& c : contacts) {
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
    if (of_body[b] < 2)
      ++r.rattlers;
    else
      mechanical += of_body[b];
  }
  if (r.bodies > 0) r.coordination = double(all) / double(r.bodies);
  if (r.bodies > r.rattlers) r.mechanical_coordination = double(mechanical) / double(r.bodies - r.rattlers);
  return r;
}

Coordination coordination_of(ContactLoads contacts, const Bodies& bodies, BodySet set) {
  struct Pair {
    std::uint32_t i, j, contacts;
    bool kept = true;
  };
  std::vector<Pair> pairs;
  pairs.reserve(contacts.size());
  std::vector<std::uint32_t> partners(bodies.size());
  const ContactLoad* last = nullptr;
  for (const ContactLoad& c : contacts) {
    if (last && last->key.i == c.key.i && last->key.j == c.key.j && last->key.image == c.key.image) {
      ++pairs.back().contacts;
    } else {
      pairs.push_back({c.key.i, c.key.j, 1});
      ++partners[c.key.i];
      ++partners[c.key.j];
    }
    last = &c;
  }
  Coordination r;
  const auto means = [&](double& by_contacts, double& by_pairs, std::size_t count) {
    for (const Pair& p : pairs) {
      const double ends = double(contains(set, p.i)) + double(contains(set, p.j));
      if (!p.kept || count == 0) continue;
      by_contacts += ends * double(p.contacts) / double(count);
      by_pairs += ends / double(count);
    }
  };
  for (std::size_t b = 0; b < bodies.size(); ++b) r.bodies += contains(set, b);
  means(r.by_contacts, r.by_pairs, r.bodies);
  for (bool changed = true; changed;) {
    changed = false;
    for (Pair& p : pairs) {
      // Only a free body needs contacts that hold it.
      const auto loose = [&](std::size_t b) { return is_free(bodies, b) && partners[b] < 2; };
      if (!p.kept || (!loose(p.i) && !loose(p.j))) continue;
      p.kept = false;
      changed = true;
      --partners[p.i];
      --partners[p.j];
    }
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) r.backbone += contains(set, b) && partners[b] >= 2;
  means(r.backbone_by_contacts, r.backbone_by_pairs, r.backbone);
  return r;
}

double fraction_at_limit(ContactLoads contacts, BodySet set, double margin) {
  std::size_t all = 0, at_limit = 0;
  for (const ContactLoad& c : contacts) {
    if (!contains(set, c.key.i) && !contains(set, c.key.j)) continue;
    ++all;
    at_limit += c.regime == Regime::slip || c.mobilised >= 1 - margin;
  }
  return all > 0 ? double(at_limit) / double(all) : 0;
}

namespace {

template <class Counts>
std::optional<LargestOverlap> largest_of(ContactLoads contacts, const Bodies& bodies, std::span<const Shape> shapes,
                                         Counts counts) {
  std::vector<double> radius_of;
  for (std::size_t b = 0; b < bodies.size(); ++b) radius_of.push_back(shapes[bodies.shape[b]].equivalent_radius());
  std::optional<LargestOverlap> largest;
  for (const ContactLoad& c : contacts) {
    if (!counts(c)) continue;
    const double r_i = radius_of[c.key.i], r_j = radius_of[c.key.j];
    const double radius = r_i > 0 && r_j > 0 ? std::min(r_i, r_j) : std::max(r_i, r_j);
    const double relative = c.overlap / (2 * radius);
    if (!largest || relative > largest->relative) largest = LargestOverlap{relative, c.key};
  }
  return largest;
}

}  // namespace

std::optional<LargestOverlap> largest_overlap(ContactLoads contacts, const Bodies& bodies,
                                              std::span<const Shape> shapes) {
  return largest_of(contacts, bodies, shapes, [](const ContactLoad&) { return true; });
}

std::optional<LargestOverlap> largest_network_overlap(ContactLoads contacts, const Bodies& bodies,
                                                      std::span<const Shape> shapes, BodySet free) {
  std::vector<std::uint8_t> number(bodies.size());  // up to two
  for (const ContactLoad& c : contacts)
    for (const std::uint32_t b : {c.key.i, c.key.j}) number[b] = std::uint8_t(std::min(2, number[b] + 1));
  const auto carries = [&](std::uint32_t b) { return number[b] >= 2 || !contains(free, b); };
  return largest_of(contacts, bodies, shapes,
                    [&](const ContactLoad& c) { return carries(c.key.i) && carries(c.key.j); });
}

}  // namespace dem
