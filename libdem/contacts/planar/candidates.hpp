// Candidate pairs of a plane assembly: neighbours by the Verlet list, and every body with every wall.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/broad_phase.hpp"
#include "libdem/contacts/contact_engine.hpp"
#include "libdem/contacts/planar/body_order.hpp"
#include "libdem/state/state.hpp"

namespace dem {

class PlanarCandidates {
 public:
  PlanarCandidates(const Case&, const State&, const BodyOrder&);
  /// Builds a new list if needed; true if it did. Throws GeometryError.
  bool update(const State&, const BodyOrder&, int threads);
  /// Makes the next update build a new list.
  void forget() { is_current_ = false; }
  /// By places, sorted. The body i of a pair is that with the lower number, which may have the higher place.
  std::span<const geometry::CandidatePair> pairs() const { return pairs_; }
  std::uint64_t builds() const { return builds_; }
  void set_builds(std::uint64_t builds) { builds_ = builds; }

 private:
  bool list_holds(const State&, std::span<const Vec3> positions, int threads) const;
  geometry::NeighbourList neighbours_;
  OwnImages own_images_;
  std::vector<geometry::CandidatePair> pairs_;
  std::size_t ordinary_bodies_ = 0;  // bodies before the walls
  std::vector<double> bounding_radii_;
  double skin_ = 0;
  bool is_current_ = false;
  std::uint64_t builds_ = 0;
};

}  // namespace dem
