// What the study of biaxial compression computes, and what becomes of it: figures and claims.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "validation/kuhn2011/biaxial/compression.hpp"
#include "validation/kuhn2011/biaxial/cost.hpp"
#include "validation/kuhn2011/biaxial/movement.hpp"
#include "validation/study.hpp"

namespace dem::validation::kuhn2011 {

inline constexpr double memory_peak = 0.005;  ///< strain at which the paper has its most memory
inline constexpr double early = 0.001;  ///< strain up to which two runs that differ by nothing but chance are still one
inline constexpr double paper_legs[] = {260, 171, 107};  ///< mean lengths of histories: exact, Δp_max = 0.10 f, 0.20 f
/// Laws whose cost is compared; the first is the exact one, the second the usual one.
inline constexpr const char* timed_laws[] = {exact_law, usual_law, "hertz-mindlin, no memory", bounded_law};

struct BiaxialResults {
  Packing packing, small;
  std::vector<Compression> laws;  ///< in the order of law_variants()
  Compression shifted, slow;      ///< the exact law from a start shifted by next to nothing; at half the rate
  Compression checked;            ///< bounded_law with the exact histories beside
  CostComparison cost;
  Movement movement;
  double strain = 0;

  const Compression& exact() const { return laws[variant_named(exact_law)]; }
  const Compression& law(const char* name) const { return laws[variant_named(name)]; }
  /// Difference of q/p from the exact law: the largest up to a strain, the mean over the run.
  double largest_off(const Compression&, double to) const;
  double mean_off(const Compression&) const;
};

void draw_biaxial(StudyRun&, const BiaxialResults&);
void claim_biaxial(StudyRun&, const BiaxialResults&);

}  // namespace dem::validation::kuhn2011
