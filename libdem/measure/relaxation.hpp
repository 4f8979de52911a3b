// Relaxation time of a decaying vibration from its kinetic energy (polygon-dem reference, §5, "Measuring t_R").
#pragma once
#include <cstdint>
#include <vector>

namespace dem {

class FieldVisitor;

/// Takes the kinetic energy after each step and keeps its local maxima (three-point parabola).
class RelaxationFit {
 public:
  void add(double time, double kinetic_energy);

  struct Result {
    double time = 0;  ///< t_R = −1/slope of ln E_k over t (s); negative if the energy grows
    double r_squared = 0;
    std::size_t maxima = 0;  ///< used in the fit
    /// The reference's condition for a quotable number: at least 20 maxima and R² > 0.999.
    bool usable() const { return maxima >= 20 && r_squared > 0.999; }
  };
  /// Least squares over the maxima between `high` and `low` of the largest. The early stretch is left out because its
  /// modes decay at other rates. A growing vibration is fitted over the maxima above 1e-4 of the largest.
  Result fit(double high = 1e-3, double low = 1e-9) const;
  /// True if ten maxima in a row are below `low` of the largest maximum.
  bool decayed(double low = 1e-9) const;
  /// True if the last of at least 20 maxima is the largest and exceeds `factor` times the first. Such a vibration has
  /// left the small amplitudes for which a relaxation time exists.
  bool grown(double factor = 4) const;
  double largest() const { return largest_; }
  double last() const { return maxima_.empty() ? 0 : maxima_.back(); }  ///< last maximum
  void fields(FieldVisitor&);

 private:
  double time_[2] = {0, 0}, energy_[2] = {0, 0};
  std::uint64_t count_ = 0;
  double largest_ = 0;
  std::vector<double> times_, maxima_;
};

}  // namespace dem
