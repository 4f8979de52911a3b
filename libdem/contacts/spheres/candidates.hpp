// The spatial order of spheres and clusters, and which pairs of their component spheres may touch.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/broad_phase.hpp"
#include "libdem/contacts/contact_engine.hpp"
#include "libdem/contacts/spheres/walls.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// Number of bodies that are not walls; these come first.
std::size_t bodies_without_walls(const State&);

/// Bodies that are not walls, by their places (libdem/state/spatial_order.hpp).
std::vector<std::uint32_t> spatial_order(const State&);

/// Component spheres in storage order: those of a body side by side.
struct ComponentSpheres {
  std::vector<std::uint32_t> order;   ///< body by place
  std::vector<std::uint32_t> first;   ///< first component sphere by place of the body, and the end
  std::vector<std::uint32_t> body;    ///< by component sphere
  std::vector<std::uint16_t> number;  ///< number in its body, by component sphere; empty if all have one
  bool single = true;                 ///< every body is one sphere, its offset zero

  ComponentSpheres() = default;
  ComponentSpheres(const State&, std::vector<std::uint32_t> order);
  ComponentSpheres reordered(std::vector<std::uint32_t> order) const;
  std::size_t size() const { return body.size(); }
  ClusterSphere of(const State& state, std::size_t c) const {
    return state.shape_of(body[c]).spheres()[number.empty() ? 0 : number[c]];
  }
};

/// Candidate pairs by a Verlet list, as places in the storage order (i < j; image of j), sorted.
class SphereCandidates {
 public:
  SphereCandidates() = default;
  SphereCandidates(const Case&, const State&);
  /// Builds a new list if two spheres may have come into contact unseen, or if there is none. True if it did.
  bool update(const State&, const ComponentSpheres&, int threads);
  void forget() { is_current_ = false; }
  /// Takes pairs that the caller has found, and finds those with walls of the first `owned` spheres.
  void take(std::vector<geometry::CandidatePair>, const State&, const ComponentSpheres&, std::size_t owned);
  std::span<const geometry::CandidatePair> pairs() const { return pairs_; }
  /// Spheres near walls, by place and wall, and the facets that they are near to.
  std::span<const NearWall> walls() const { return walls_; }
  std::span<const std::uint32_t> facets() const { return facets_; }
  /// Frees the memory of the pairs, once they are stored where they are used.
  void drop_pairs() { std::vector<geometry::CandidatePair>().swap(pairs_); }
  double skin() const { return skin_; }  ///< m
  std::uint64_t builds() const { return builds_; }
  void set_builds(std::uint64_t builds) { builds_ = builds; }

 private:
  bool expired(const State&, const ComponentSpheres&, int threads);
  void find_walls(const State&, const ComponentSpheres&, std::span<const Vec3> positions,
                  std::span<const double> radii);

  std::vector<geometry::CandidatePair> pairs_;
  std::vector<NearWall> walls_;
  std::vector<std::uint32_t> facets_;
  ByBody<Vec3> built_at_;  // positions of the bodies
  ByBody<Quaternion> built_turned_;
  geometry::Cell built_cell_;
  OwnImages own_images_;
  Vec3 drift_;                           // about the mean displacement since then (m)
  std::uint64_t next_drift_ = 0;         // step of its next measurement
  double skin_ = 0, longest_reach_ = 0;  // m; longest_reach_ is the sum of the two largest radii
  bool is_current_ = false, periodic_ = false;
  std::uint64_t builds_ = 0;
};

}  // namespace dem
