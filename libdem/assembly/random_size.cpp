#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

#include "libdem/assembly/assembly.hpp"
#include "libdem/assembly/generators.hpp"

namespace dem {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw AssemblyError("assembly: " + what); }

double normal(geometry::Random& random) {
  const double size = std::sqrt(-2 * std::log(1 - random.uniform()));
  return size * std::cos(2 * std::numbers::pi * random.uniform());
}

/// Draws until the radius lies in [low, high]. high ≤ 0 means no bound. `keys` names the keys of the bounds in the
/// message.
double log_normal(double median, double width, double low, double high, geometry::Random& random, const char* keys) {
  for (int attempt = 0; attempt < 10000; ++attempt) {
    const double r = median * std::exp(width * normal(random));
    if (r >= low && (high <= 0 || r <= high)) return r;
  }
  refuse(
      fmt::format("{}: found radii of {:g} to {:g} m, between which a log-normal distribution about {:g} m has next to "
                  "nothing by number",
                  keys, low, high, median));
}

}  // namespace

double log_normal_width(double uniformity) {
  constexpr double z60 = 0.25334710313579972, z10 = -1.2815515655446004;
  return std::log(uniformity) / (z60 - z10);
}

double random_radius(const SizeDistribution& spec, geometry::Random& random, int dimension) {
  if (spec.distribution == "uniform") {
    if (!(spec.radius > spec.spread) || spec.spread < 0)
      refuse(fmt::format("spread: found {:g} m, allowed 0 to below the radius, {:g} m", spec.spread, spec.radius));
    return spec.radius + spec.spread * (2 * random.uniform() - 1);
  }
  if (spec.distribution == "grades") {
    double sum = 0;
    for (const double share : spec.grade_shares) sum += share;
    if (spec.grade_radii.empty() || spec.grade_radii.size() != spec.grade_shares.size() || !(sum > 0))
      refuse(fmt::format(
          "grade_radii and grade_shares: found {} and {} numbers, allowed as many shares as radii, with a positive sum",
          spec.grade_radii.size(), spec.grade_shares.size()));
    double rest = sum * random.uniform();
    for (std::size_t k = 0; k + 1 < spec.grade_radii.size(); ++k)
      if ((rest -= spec.grade_shares[k]) < 0) return spec.grade_radii[k];
    return spec.grade_radii.back();
  }
  const double low = spec.smallest, high = spec.largest;
  if (spec.distribution == "power-law") {
    if (!(low > 0) || !(high >= low))
      refuse(fmt::format("smallest and largest: found {:g} and {:g} m, allowed 0 < smallest ≤ largest", low, high));
    const double u = random.uniform(), power = 1 - spec.exponent;
    if (std::abs(power) < 1e-9) return low * std::pow(high / low, u);
    return std::pow(std::pow(low, power) + u * (std::pow(high, power) - std::pow(low, power)), 1 / power);
  }
  if (spec.distribution == "log-normal")
    return log_normal(spec.radius, spec.spread, low, high, random, "smallest and largest");
  if (spec.distribution == "log-normal-by-mass") {
    if (!(spec.median_diameter > 0) || !(spec.uniformity >= 1) || !(spec.cut > 0))
      refuse(fmt::format(
          "median_diameter, uniformity and cut: found {:g} m, {:g} and {:g}, allowed numbers > 0, >= 1 and > 0",
          spec.median_diameter, spec.uniformity, spec.cut));
    const double median = 0.5 * spec.median_diameter, s = log_normal_width(spec.uniformity);
    if (s == 0) return median;
    // The distribution by number has the same width. Its mean logarithm is lower by s² for each power of the size in
    // the mass.
    return log_normal(median * std::exp(-dimension * s * s), s, median * std::exp(-spec.cut * s),
                      median * std::exp(spec.cut * s), random, "uniformity and cut");
  }
  refuse(fmt::format("distribution: found '{}', allowed uniform, log-normal, log-normal-by-mass, power-law, grades",
                     spec.distribution));
}

}  // namespace dem
