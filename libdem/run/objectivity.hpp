// Frame-independence of a case. Its first steps run again: turned, shifted, mirrored, renumbered, with another number
// of threads. Each result is brought back and compared with the first run. Differences may be round-off and its growth.
//
// The measure of growth is the same case with every body shifted at random by 1e-16 of the largest coordinate (at least
// one unit in the last place). A difference counts as round-off up to 100 times that growth. Sums round in free flight
// too, which no shift shows: half a unit in the last place per step, in either run. That much is allowed in addition.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "libdem/run/frame_change.hpp"
#include "libdem/run/simulation.hpp"

namespace dem {

/// Largest difference of any body between two runs.
struct Difference {
  double position = 0;  ///< in mean diameters of free bodies
  double rotation = 0;  ///< rad
  double force = 0;     ///< sum of forces on a body, in mean contact forces; 0 before anything touches
  bool within(const Difference& bound) const {
    return position <= bound.position && rotation <= bound.rotation && force <= bound.force;
  }
};

struct FrameResult {
  Difference at_end;
  std::optional<std::uint64_t> beyond_from;  ///< first compared step with more than round-off
  std::string failure;                       ///< reason why the other run ended before the first, if it did
  bool is_round_off() const { return !beyond_from && failure.empty(); }
};

/// The first steps of a case, for comparison with others.
class FirstSteps {
 public:
  /// Called every few steps. `run` is for example "turned". Exceptions derived from std::runtime_error are failures of
  /// the run; any other exception ends the check.
  using Progress = std::function<void(const std::string& run, std::uint64_t step)>;

  /// Runs the case (bodies listed) and its shifts. Ends before `steps` if the case does. Throws like Simulation.
  FirstSteps(Case listed, std::uint64_t steps, Progress = {});

  const Case& given() const { return case_; }
  const Progress& progress() const { return progress_; }
  std::uint64_t steps() const { return at_.empty() ? 0 : at_.back(); }  ///< number of compared steps
  const std::string& failure() const { return failure_; }  ///< reason why the case itself ends there, if it does
  std::size_t most_contacts() const { return first_.contacts; }
  std::uint64_t start_hash() const { return start_hash_; }
  double extent() const { return extent_; }                   ///< of the assembly (m)
  double diameter() const { return diameter_; }               ///< mean (m)
  Difference shift_growth() const { return growth_.back(); }  ///< at the last step

  /// Compares the other case, which is this case in another frame, or with its body order[k] as body k.
  FrameResult compare(const Case& other, const std::string& name, const FrameChange& = {},
                      const std::vector<std::size_t>& order = {});
  /// First compared step at which the hash with so many threads differs.
  std::optional<std::uint64_t> other_bits(int threads);

 private:
  struct Sample {
    std::vector<Vec3> position, rotation, force;
    double mean_force = 0, largest_stiffness = 0;  // of the last contacts (N, N/m)
    std::uint64_t hash = 0;
  };
  struct Path {
    std::vector<Sample> at;
    std::size_t contacts = 0;  // most of any step
    std::uint64_t end = 0;     // last good step
    std::string failure;
  };
  Path run(const Case&, const std::string& name, bool first = false);
  std::vector<Difference> differences(const Path&, const FrameChange&, const std::vector<std::size_t>& order) const;
  void add_shift();
  Difference bound(std::size_t sample) const;
  void judge(FrameResult&, const std::vector<Difference>&) const;

  Case case_;
  Progress progress_;
  std::vector<std::uint64_t> at_;  // the compared steps
  Path first_;
  std::vector<std::uint8_t> is_wall_;
  double diameter_ = 1, extent_ = 0, size_ = 0;  // size_: largest coordinate in any of the frames
  std::uint64_t start_hash_ = 0, shifts_ = 0;
  std::string failure_;
  std::vector<Difference> growth_;
};

/// A choice that makes the case depend on its frame or numbering, for comparison with published results.
struct BoundChoice {
  std::string key, value, instead;  ///< "contact_plane", "edge-mean", "area-gradient"
  std::string on;                   ///< "frame" or "numbering", on which it depends
};
/// Bound choices with an effect in the case, whose bodies are listed.
std::vector<BoundChoice> bound_choices(const Case&);
/// The case with the replacements of bound_choices.
Case without_bound_choices(Case);

/// One change of the case, and its result.
struct ObjectivityItem {
  std::string name;     ///< "turned"
  std::string how;      ///< "by 20°"; empty if it was not done
  std::string why_not;  ///< reason why it was not done, or not in the general way
  FrameResult found;
  Difference shift;                          ///< growth of the 1e-16 shift
  std::optional<FrameResult> without_bound;  ///< without bound_choices, where more than round-off was found
  Difference shift_without_bound;
  bool explained() const { return without_bound && without_bound->is_round_off(); }
  bool is_good() const { return how.empty() || found.is_round_off() || explained(); }
};

/// Runs all checks. `tell` gets each item as soon as it is known.
void check_objectivity(FirstSteps&, const std::function<void(const ObjectivityItem&)>& tell);

}  // namespace dem
