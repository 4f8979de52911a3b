// What the study has measured, shared by its parts: runs, means over packings, what the reference says.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "validation/fleischmann2015/plane-shear/sand.hpp"
#include "validation/study.hpp"

namespace dem::validation::fleischmann2015 {

inline constexpr double start_friction = 0.2;  ///< of the compression: solid fraction about 0.63, that of the reference
inline constexpr double usual_rate = 2e-3, slow_rate = 5e-4, slowest_rate = 2e-4;  ///< inertial numbers
inline constexpr double full_strain = 1;
inline constexpr double block = 0.02;  ///< of strain, of a point of the figure
inline constexpr double uniformities[] = {1.0, 1.7, 2.5};

enum class Kind { standard, none, slow, stiff, dense, graded, frictionless };
struct Run {
  Kind kind;
  std::size_t packing;
  Shear shear;
  ShearPath path{};
};

struct Results {
  std::vector<Sand> sands;
  std::vector<Packing> packings;
  std::vector<Run> runs;

  std::vector<const Run*> of(Kind kind) const {
    std::vector<const Run*> out;
    for (const Run& r : runs)
      if (r.kind == kind) out.push_back(&r);
    return out;
  }
  /// Without history, by inertial number; slowest first.
  std::map<double, std::vector<const Run*>> none_by_rate() const {
    std::map<double, std::vector<const Run*>> out;
    for (const Run* r : of(Kind::none)) out[r->shear.inertial_number].push_back(r);
    return out;
  }
  /// True history, the standard grading included, by C_u.
  std::vector<const Run*> with_uniformity(double uniformity) const {
    std::vector<const Run*> out;
    for (const Run& r : runs)
      if ((r.kind == Kind::graded || r.kind == Kind::standard) && sands[r.packing].uniformity == uniformity)
        out.push_back(&r);
    return out;
  }
};

/// A mean over packings with its standard error; of a single one no error is known.
struct Mean {
  double value = 0, error = NAN;
  std::string text(int digits = 3) const {
    return std::isnan(error) ? fmt::format("{:.{}f}", value, digits)
                             : fmt::format("{:.{}f} ± {:.{}f}", value, digits, error, digits);
  }
};
template <class F>
Mean mean_of(const std::vector<const Run*>& runs, F f) {
  std::vector<double> v;
  for (const Run* r : runs) v.push_back(f(r->path));
  Mean m;
  for (const double x : v) m.value += x / double(v.size());
  double square = 0;
  for (const double x : v) square += (x - m.value) * (x - m.value);
  if (v.size() > 1) m.error = std::sqrt(square / double(v.size() * (v.size() - 1)));
  return m;
}
inline Mean ratio_of(const std::vector<const Run*>& runs, double from, double to) {
  return mean_of(runs,
                 [&](const ShearPath& p) { return p.mean(from, to, [](const ShearRow& r) { return r.ratio(); }); });
}

template <class F>
Curve curve_of(const std::string& label, const std::vector<const Run*>& runs, F value) {
  Curve c{label, {}, {}, {}, {}, Curve::Style::line};
  const double end = runs.front()->path.rows.back().strain;
  for (double from = 0; from < end - 0.5 * block; from += block) {
    const Mean m = mean_of(runs, [&](const ShearPath& p) { return p.mean(from, from + block, value); });
    c.x.push_back(from + 0.5 * block);
    c.y.push_back(m.value);
    if (runs.size() > 1) c.y_low.push_back(m.value - m.error), c.y_high.push_back(m.value + m.error);
  }
  return c;
}

struct Window {
  double from, to, published, published_error;
};
// True history at a constant solid fraction of 0.63, 1500 grains; 0.3765 ± 0.0035 stands for 0.373 to 0.380.
inline constexpr Window windows[] = {
    {0.1, 0.3, 0.435, 0.006}, {0.3, 0.6, 0.397, 0}, {0.6, full_strain, 0.3765, 0.0035}};
inline constexpr double accepted[] = {0.34, 0.42};  // of the reference, beyond a strain of 0.6

// The claims.
void judge_strength(StudyRun&, const Results&);        ///< with and without history: what both sets show
void judge_critical_state(StudyRun&, const Results&);  ///< stresses, angles and density
void judge_conditions(
    StudyRun&, const Results&);  ///< rate, stiffness, grading; how well the sand and the stress are what they should be

}  // namespace dem::validation::fleischmann2015
