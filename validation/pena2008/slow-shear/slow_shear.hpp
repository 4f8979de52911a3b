// What the parts of the slow-shear study share: its runs and how they are named.
#pragma once
#include <string>
#include <vector>

#include "validation/pena2008/slow-shear/shear_run.hpp"

namespace dem::validation::pena2008 {

struct ShearPoint {
  double rate = 1e-4;     ///< γ̇ t_c
  double elongation = 1;  ///< of the Voronoi cells
  geometry::ContactPlane plane = geometry::ContactPlane::area_gradient;
  std::uint64_t seed = 1;
  double strain = 1.5;  ///< at the end
  /// Strain up to which preshear_rate holds instead: what is discarded need not be sheared slowly. 0: none.
  double preshear = 0;

  bool same_but_seed(const ShearPoint& p) const {
    return rate == p.rate && elongation == p.elongation && plane == p.plane;
  }
  std::string label() const;  ///< "1e-04, elongation 2, area-gradient, seed 3"
};

/// Runs of one choice of rate, shape and contact plane: one a seed.
struct ShearGroup {
  ShearPoint point;  ///< its seed is that of the first
  std::vector<std::uint64_t> seeds;
  std::vector<ShearRecord> runs;
};

inline constexpr double contact_time = 0.0984359;  ///< t_c of the reference (s), by which published rates are measured
inline constexpr double preshear_rate = 1e-4;      ///< γ̇ t_c
inline constexpr double discarded_strain = 0.5;    ///< polygon-dem reference, §8

/// Mean over the seeds and its standard error (NaN for one seed).
struct SeedMean {
  double mean = 0, error = 0;
  std::size_t seeds = 0;
  std::string text(int digits = 3) const;  ///< "0.431 ± 0.012"
  /// Half of the interval of 95 % (Student's t, few seeds), so wide that of `comparisons` of its kind all hold with 95
  /// % (Bonferroni).
  double half_width(std::size_t comparisons = 1) const;
};
SeedMean seed_mean(const std::vector<double>&);

/// Rows that count: beyond the discarded strain.
std::size_t first_row(const ShearRecord&);
/// Mean over those rows of a quantity of a row.
template <class Value>
double window_mean(const ShearRecord& r, Value value) {
  double sum = 0, n = 0;
  for (std::size_t k = first_row(r); k < r.rows(); ++k) sum += value(k), n += 1;
  return sum / n;
}

// claims and figures
void add_stress_claims(StudyRun&, const std::vector<ShearGroup>&);
void add_avalanche_claims(StudyRun&, const std::vector<ShearGroup>&);
/// The group of that rate, shape and plane; nullptr where no run of it was finished.
const ShearGroup* find_group(const std::vector<ShearGroup>&, double rate, double elongation, geometry::ContactPlane);

inline constexpr double shapes[] = {1, 2};
std::string shape_word(double elongation);  ///< "isotropic", "elongated"
std::string case_behind(const StudyRun&);   ///< text of case.toml
std::string study_command(const StudyRun&);

}  // namespace dem::validation::pena2008
