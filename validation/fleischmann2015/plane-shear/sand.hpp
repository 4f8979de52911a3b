// A graded sand in a periodic cell: packed, then sheared at constant normal stress with or without displacement
// history. Without dimensions: D50 = 1, density 1, k_n = 1e5.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/sweep/tasks.hpp"
#include "validation/kuhn2011/packing.hpp"

namespace dem::validation::fleischmann2015 {

inline constexpr double normal_stiffness = 1e5;  ///< k_n

using kuhn2011::Packing;

struct Sand {
  double uniformity = 1.7;  ///< C_u
  double cut = 3;           ///< of the grading curve
  std::size_t count = 1500;
  std::uint64_t seed = 1;
  double stiffness = 1e3;       ///< κ = k_n/(σ D50)
  double packing_friction = 0;  ///< while it is compressed: what decides how dense it starts

  double stress() const { return normal_stiffness / stiffness; }
};

/// Grains of the generator pushed together, compressed to the stress on all sides, relaxed.
Case packing_case(const Sand&);

struct Shear {
  TangentialHistory history = TangentialHistory::whole;
  double inertial_number = 2e-3;  ///< I = γ̇ D50 √(ρ/σ)
  double strain = 1;
  double friction = 0.5;
};

/// A rest under the normal stress with the final friction and no displacement, then shear in x–z: xx, yy fixed, σ_zz
/// held.
Case shear_case(const Sand&, const Packing&, const Shear&);

/// Means over the interval of strain since the row before; compression positive.
struct ShearRow {
  double strain = 0;  ///< at its end
  double xx = 0, yy = 0, zz = 0, xz = 0;
  double solid = 0, coordination = 0, sliding = 0;  ///< at its end; coordination of the backbone, contacts at the limit
  static constexpr std::size_t numbers = 8;

  double ratio() const { return xz / zz; }
  /// sin φ of Mohr's circle in the plane of shear.
  double mohr_sine() const;
};

struct ShearPath {
  std::vector<ShearRow> rows;  ///< the first one at the start of the shear
  double steps = 0, seconds = 0, servo_mean = 0,
         margin = 0;  ///< relative error of σ_zz; time step over its measured limit, largest
  std::vector<double> pack() const;
  static ShearPath unpack(const std::vector<double>&);

  /// Mean of f(row) over rows with strain in (from, to].
  template <class F>
  double mean(double from, double to, F f) const {
    double sum = 0, n = 0;
    for (const ShearRow& r : rows)
      if (r.strain > from + 1e-9 && r.strain <= to + 1e-9) sum += f(r), n += 1;
    return sum / n;
  }
};

ShearPath run_shear(const Case&, TaskProgress&);

/// Diameters by mass of the packing: D10, D50, D60.
struct Grading {
  double d10 = 0, d50 = 0, d60 = 0, smallest = 0, largest = 0;
  double uniformity() const { return d60 / d10; }
};
Grading grading_of(const Packing&);

}  // namespace dem::validation::fleischmann2015
