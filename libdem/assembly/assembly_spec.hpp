// The assembly of a case: one generator or import, listed bodies, walls.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "geometry/tessellation.hpp"
#include "libdem/assembly/body_spec.hpp"
#include "libdem/drivers/wall_spec.hpp"

namespace dem {

struct GrainsSpec {
  std::filesystem::path file;
  double scale = 1;     ///< m per unit of the file
  double simplify = 0;  ///< tolerance in the file's unit
  double shrink = 1;    ///< factor about each centroid
  /// All outlines go on shrinking (by 1 %) until no overlap exceeds largest_start_overlap.
  bool shrink_until_free = false;
  bool fill_holes = false;
  bool flip_y = false;  ///< files in pixels count y downwards
  friend bool operator==(const GrainsSpec&, const GrainsSpec&) = default;
};

/// Equal discs or regular polygons on a square or hexagonal lattice.
struct LatticeSpec {
  ShapeKind shape = ShapeKind::disc;
  int columns = 0, rows = 0, sides = 6;
  double radius = 0.5;  ///< disc. Polygon: radius of the circle of equal area (m)
  double elongation = 1;
  double spacing = 1;  ///< centre to centre (m)
  bool hexagonal = true;
  double angle = 0, random_angle = 0;  ///< rad. random_angle: uniform within ± this
  std::uint64_t seed = 1;
  friend bool operator==(const LatticeSpec&, const LatticeSpec&) = default;
};

/// Sizes of bodies, by their equivalent radius.
struct SizeDistribution {
  std::string distribution = "uniform";  ///< uniform | log-normal | log-normal-by-mass | power-law | grades
  double radius = 0.5, spread = 0;       ///< mean and half width (uniform), median and σ of ln r (log-normal), m
  double smallest = 0, largest = 0;      ///< m; bounds of log-normal and power-law
  double exponent = 0;                   ///< power-law: density of radii ~ r^−exponent
  std::vector<double> grade_radii, grade_shares;  ///< grades: radii (m) and shares by number
  double median_diameter = 1;  ///< log-normal-by-mass: D50, half of the mass is in smaller bodies (m)
  double uniformity = 1;       ///< the same: C_u = D60/D10 by mass
  double cut = 3;              ///< the same: no diameter beyond D50 e^(± cut s), s = ln C_u/(z60 − z10) that of ln D
  friend bool operator==(const SizeDistribution&, const SizeDistribution&) = default;
};

/// Bodies of random size and place in the cell, without overlap. They are loose; a stage compresses them.
struct RandomSpec : SizeDistribution {
  ShapeKind shape = ShapeKind::disc;
  std::size_t count = 0;
  int sides = 6;                       ///< polygons
  double elongation = 1;               ///< polygons: stretch along x before a random turn
  std::vector<ClusterSphere> cluster;  ///< clusters: spheres of a particle of scaling radius 1
  double void_ratio = 1;  ///< at the start; the cell takes the size that gives it, unless cell.size is given
  std::uint64_t seed = 1;
  friend bool operator==(const RandomSpec&, const RandomSpec&) = default;
};

/// Spheres at rest in layers above a floor, to fall under gravity along −z. R is the largest radius that was drawn.
struct RainSpec : SizeDistribution {
  std::size_t count = 0;      ///< of spheres; the last layer may be incomplete. 0: `layers` full ones
  int columns = 0, rows = 0;  ///< places of a layer along x and y
  int layers = 0;             ///< 0: as many as `count` needs
  double pitch = 0;           ///< between neighbouring places of a layer (m). 0: 4 R
  double layer_spacing = 0;   ///< between layers (m). 0: 2.04 R
  double jitter = 0.99;  ///< each sphere is moved along x and along y, evenly within ± this share of R; never along z
  Vec2 centre;           ///< of the layers in plan (m)
  double lowest = 0;     ///< height z of the centres of the lowest layer (m)
  /// Of the area in plan, about `centre`, that must hold all spheres (m). 0: that of a periodic cell, or any.
  Vec2 width;
  std::uint64_t seed = 1;
  friend bool operator==(const RainSpec&, const RainSpec&) = default;
};

/// Bodies from a start file: DEMPLA's format, or a table of centres and radii.
struct ImportSpec {
  std::filesystem::path file;
  double scale = 1;  ///< m per unit of the file
  friend bool operator==(const ImportSpec&, const ImportSpec&) = default;
};

struct Assembly {
  /// Makes bodies beside the listed ones. std::monostate: there is none. The order is that of case_file::Generator.
  std::variant<std::monostate, geometry::VoronoiInput, GrainsSpec, LatticeSpec, RandomSpec, RainSpec, ImportSpec>
      generator;
  std::vector<BodySpec> bodies;
  std::vector<WallSpec> walls;
  /// Of the smaller body's equivalent diameter. Larger overlaps at the start are refused.
  double largest_start_overlap = 0.05;

  /// The generator, if it is of this type; else null.
  template <class G>
  const G* made_by() const {
    return std::get_if<G>(&generator);
  }
  /// The file that the generator reads; null where it reads none.
  std::filesystem::path* file() {
    if (auto* grains = std::get_if<GrainsSpec>(&generator)) return &grains->file;
    auto* import = std::get_if<ImportSpec>(&generator);
    return import ? &import->file : nullptr;
  }
  const std::filesystem::path* file() const { return const_cast<Assembly*>(this)->file(); }
  friend bool operator==(const Assembly&, const Assembly&) = default;
};

}  // namespace dem
