// Small assemblies of spheres and clusters in space.
#pragma once
#include "geometry/random.hpp"
#include "libdem/state/archive.hpp"
#include "libdem/state/quaternion.hpp"
#include "support/running.hpp"

namespace dem::test {

inline Material stony_material() {
  return {.density = 2, .normal_stiffness = 1000, .tangential_stiffness = 700, .friction = 0.4, .restitution = 0.8};
}

/// Elastic constants instead of springs, about as stiff at the overlaps of these cases.
inline Case hertzian(Case c, const std::string& law) {
  c.contact.law = law;
  c.material.normal_stiffness = c.material.tangential_stiffness = 0;
  c.material.shear_modulus = 1500;
  c.material.poisson_ratio = 0.25;
  return c;
}

inline BodySpec sphere_at(Vec3 position, double radius) {
  return {.shape = ShapeKind::sphere, .radius = radius, .position = position};
}

inline WallSpec plane_wall(std::string name, Vec3 point, Vec3 normal) {
  return {.name = std::move(name), .shape = WallShape::plane, .point = point, .normal = normal};
}
inline WallSpec rectangle_wall(std::string name, Vec3 corner, Vec3 edge_1, Vec3 edge_2) {
  return {.name = std::move(name), .shape = WallShape::rectangle, .corner = corner, .edge_1 = edge_1, .edge_2 = edge_2};
}

/// A case of bodies in open space.
inline Case space_case(std::vector<BodySpec> bodies) {
  Case c;
  c.dimension = 3;
  c.material = stony_material();
  c.contact.elongation = Elongation::geometric;
  c.time.step = 1e-3;
  c.assembly.bodies = std::move(bodies);
  return c;
}

/// n³ spheres of radii 0.42 to 0.5 near the points of a cubic lattice, moving at random in a periodic cell. Contacts
/// form, slide and end. Every `clusters`-th body is a cluster of three spheres (0: none).
inline Case sphere_cloud(int n, int clusters, std::uint64_t seed = 5) {
  geometry::Random random(seed);
  const auto within = [&](double a) { return a * (2 * random.uniform() - 1); };
  Case c = space_case({});
  c.time.step = clusters > 0 ? 5e-4 : 8e-4;
  c.assembly.largest_start_overlap = 0.5;
  c.periodic = {true, true, true};
  c.cell_size = {0.92 * n, 0.92 * n, 0.92 * n};
  for (int k = 0; k < n * n * n; ++k) {
    const double radius = 0.46 + within(0.04);  // first, whatever the order of arguments
    BodySpec b = sphere_at(
        {0.92 * (k % n) + within(0.05), 0.92 * (k / n % n) + within(0.05), 0.92 * (k / n / n) + within(0.05)}, radius);
    b.velocity = {within(0.3), within(0.3), within(0.3)};
    b.angular_velocity = {within(0.5), within(0.5), within(0.5)};
    if (clusters > 0 && k % clusters == 0) {
      b.shape = ShapeKind::cluster;
      b.spheres = {{{0, 0, 0}, 0.4}, {{0.2, 0.05, 0}, 0.35}, {{-0.1, 0.2, 0.1}, 0.3}};
      b.orientation = normalised({1 + within(0.5), within(0.5), within(0.5), within(0.5)});
    }
    c.assembly.bodies.push_back(b);
  }
  return c;
}

/// Archive in memory, whose values can be changed.
struct MemoryArchive : ArchiveWriter, ArchiveReader {
  std::map<std::string, std::vector<double>, std::less<>> reals;
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> words;
  std::map<std::string, std::string, std::less<>> texts;

  void put(std::string_view name, std::span<const double> v) override {
    reals[std::string(name)] = {v.begin(), v.end()};
  }
  void put(std::string_view name, std::span<const std::uint64_t> v) override {
    words[std::string(name)] = {v.begin(), v.end()};
  }
  void put_text(std::string_view name, std::string_view text) override { texts[std::string(name)] = text; }
  std::vector<double> doubles(std::string_view name) const override { return at(reals, name); }
  std::vector<std::uint64_t> integers(std::string_view name) const override { return at(words, name); }
  std::string text(std::string_view name) const override { return at(texts, name); }
  bool has(std::string_view name) const override {
    return reals.contains(name) || words.contains(name) || texts.contains(name);
  }

 private:
  template <class Map>
  static typename Map::mapped_type at(const Map& map, std::string_view name) {
    const auto found = map.find(name);
    if (found == map.end()) throw std::runtime_error("no entry " + std::string(name));
    return found->second;
  }
};

}  // namespace dem::test
