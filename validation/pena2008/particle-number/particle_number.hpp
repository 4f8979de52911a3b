// Parts of the study on the number of particles.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "validation/pena2008/particle-number/measurement.hpp"
#include "validation/study.hpp"

namespace dem::validation::pena2008::packed {

/// All packings of one kind of body.
struct Ensemble {
  std::string name;                   ///< "discs", "polygons"
  std::vector<Measurement> measured;  ///< in the order of N
  std::vector<std::string> failures;  ///< packings without a result, and why
  std::vector<double> numbers(double (*of)(const Measurement&)) const;
};

/// y ~ N^exponent: least squares of ln y on ln N, 95 % interval (Student) of the exponent. NaN for fewer than three
/// points.
struct PowerLaw {
  double exponent = 0, half_width = 0;
  bool contains(double e) const { return std::abs(e - exponent) <= half_width; }
};
PowerLaw power_law(const std::vector<double>& n, const std::vector<double>& y);

void add_claims(StudyRun&, const Ensemble& discs, const Ensemble& polygons);
void add_figures(StudyRun&, const Ensemble& discs, const Ensemble& polygons);

}  // namespace dem::validation::pena2008::packed
