#include "libdem/measure/relaxation.hpp"

#include <algorithm>
#include <cmath>

#include "libdem/state/fields.hpp"

namespace dem {
namespace {
constexpr double growth_window = 1e-4;  // of the largest maximum; below it decaying modes still contribute
}

void RelaxationFit::add(double time, double energy) {
  if (count_ >= 2 && energy_[1] >= energy_[0] && energy_[1] > energy) {  // so the curvature is negative
    // Vertex of the parabola through three equidistant points.
    const double curvature = energy_[0] - 2 * energy_[1] + energy, slope = 0.5 * (energy - energy_[0]);
    times_.push_back(time_[1] - slope / curvature * (time - time_[1]));
    maxima_.push_back(energy_[1] - 0.5 * slope * slope / curvature);
    largest_ = std::max(largest_, maxima_.back());
  }
  time_[0] = time_[1];
  energy_[0] = energy_[1];
  time_[1] = time;
  energy_[1] = energy;
  ++count_;
}

bool RelaxationFit::decayed(double low) const {
  if (maxima_.size() < 10) return false;
  return std::all_of(maxima_.end() - 10, maxima_.end(), [&](double e) { return e < low * largest_; });
}

bool RelaxationFit::grown(double factor) const {
  return maxima_.size() >= 20 && maxima_.back() == largest_ && largest_ > factor * maxima_.front();
}

RelaxationFit::Result RelaxationFit::fit(double high, double low) const {
  const bool grows = !maxima_.empty() && maxima_.back() > high * largest_;
  double n = 0, st = 0, se = 0, stt = 0, ste = 0, see = 0;
  const double t0 = times_.empty() ? 0 : times_.front();
  for (std::size_t k = 0; k < maxima_.size(); ++k) {
    const double share = maxima_[k] / largest_;
    if (grows ? share < growth_window : share > high || share < low) continue;
    const double t = times_[k] - t0, e = std::log(share);
    n += 1;
    st += t;
    se += e;
    stt += t * t;
    ste += t * e;
    see += e * e;
  }
  Result result;
  result.maxima = std::size_t(n);
  if (n < 3) return result;
  const double covariance = ste - st * se / n, variance = stt - st * st / n, spread = see - se * se / n;
  result.time = -variance / covariance;
  result.r_squared = spread > 0 ? covariance * covariance / (variance * spread) : 0;
  return result;
}

void RelaxationFit::fields(FieldVisitor& f) {
  f.numbers("time", time_, Hashed::no);
  f.numbers("energy", energy_, Hashed::no);
  f("count", count_, Hashed::no);
  f("largest", largest_, Hashed::no);
  f.list("times", times_, Hashed::no);
  f.list("maxima", maxima_, Hashed::no);
}

}  // namespace dem
