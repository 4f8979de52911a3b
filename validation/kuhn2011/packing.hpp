// Packings of spheres that the studies start from, and the laws that they compare.
//
// A packing is made without friction, so that its contacts carry normal forces only: as a list of places and radii it
// is in equilibrium for every law that is Hertz's along the normal, and each law starts from it without any history.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "libdem/run/simulation.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem::validation::kuhn2011 {

// Quartz: G and ν of Kuhn's papers on sands; f of the paper.
inline constexpr double shear_modulus = 29e9;      ///< G (Pa)
inline constexpr double poisson_ratio = 0.15;      ///< ν
inline constexpr double friction = 0.5;            ///< f
inline constexpr double confining_pressure = 1e5;  ///< p (Pa): p/G = 3.4e-6
inline constexpr double mean_radius = 1e-4;        ///< m; radii spread evenly by ± 20 %
inline constexpr double time_step = 5e-8;          ///< s; studies measure its margin

struct Packing {
  std::vector<double> radius;  ///< m
  std::vector<Vec3> position;  ///< m
  Vec3 cell;                   ///< m, origin zero
  double unbalanced = 0, void_ratio = 0, steps = 0;

  std::vector<double> pack() const;
  static Packing unpack(const std::vector<double>&);
};

/// Spheres of the generator, without friction: pushed together, compressed to the confining pressure, relaxed.
Case packing_case(std::size_t count, std::uint64_t seed);
Packing make_packing(const Case&, TaskProgress&);

/// Velocities zero, no stages yet.
Case case_of(const Packing&);

/// A law and its options. Another one is another row.
struct LawVariant {
  const char* name;
  void (*choose)(Case&);
};
std::span<const LawVariant> law_variants();
/// Of the list above; throws std::runtime_error where there is none of that name.
std::size_t variant_named(std::string_view name);
inline constexpr const char* exact_law = "jaeger";
inline constexpr const char* bounded_law = "jaeger, error within 0.01";
inline constexpr double bound = 0.01;  ///< of the tangential force, over f F_n
inline constexpr const char* usual_law = "hertz-mindlin, single reversal";

/// CPU time of this thread (s): other work on the machine counts only by what it does to the caches.
double cpu_seconds();

double median(std::vector<double>);
/// Of a set of measurements: the median, and between which values half of them lie.
struct Quartiles {
  double low = 0, middle = 0, high = 0;
};
Quartiles quartiles(std::vector<double>);

}  // namespace dem::validation::kuhn2011
