// Time of the phases of a step, measured only when asked for (dem run --profile).
#pragma once
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dem {

enum class Phase : std::uint8_t { search, geometry, forces, motion, measuring, output };
inline constexpr std::array<std::string_view, 6> phase_names{"search", "geometry",  "forces",
                                                             "motion", "measuring", "output"};

/// Thread seconds of an evaluation of the contacts, for geometry and for forces.
struct EvaluationTimes {
  double geometry = 0, forces = 0;
  EvaluationTimes& operator+=(const EvaluationTimes& t) {
    geometry += t.geometry;
    forces += t.forces;
    return *this;
  }
};

struct PhaseTimes {
  std::array<double, phase_names.size()> seconds{};  ///< wall time of each phase
  std::uint64_t steps = 0;

  void add(Phase phase, double time) { seconds[std::size_t(phase)] += time; }
  /// Adds the wall time of an evaluation, shared among phases like the time of its threads.
  void add_evaluation(double time, const EvaluationTimes& threads) {
    const double all = threads.geometry + threads.forces;
    const double share = all > 0 ? threads.geometry / all : 0;
    add(Phase::geometry, share * time);
    add(Phase::forces, (1 - share) * time);
  }
  double total() const {
    double sum = 0;
    for (const double s : seconds) sum += s;
    return sum;
  }
};

/// Time since the last call (s). Reads the clock only if it is on.
class Lap {
 public:
  explicit Lap(bool on) : on_(on) {
    if (on_) last_ = std::chrono::steady_clock::now();
  }
  explicit operator bool() const { return on_; }
  double seconds() {
    if (!on_) return 0;
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    return passed.count();
  }

 private:
  bool on_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace dem
