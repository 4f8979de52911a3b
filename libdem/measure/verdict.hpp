// A run judges itself: numbers in, sentences with a judgement out (DESIGN, promise 6).
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "libdem/measure/ledger.hpp"
#include "libdem/measure/servo_record.hpp"
#include "libdem/platform/phase_times.hpp"

namespace dem {

enum class Judgement { good, attention, bad };
const char* name_of(Judgement);

/// Numbers of a run at its end. An empty optional is neither judged nor mentioned.
struct RunNumbers {
  struct BlowUp {
    std::uint64_t step = 0;
    double time = 0;    ///< s
    std::string cause;  ///< a sentence without full stop: the finding, with the contact or body
  };
  std::optional<BlowUp> blow_up;
  /// stages that ended at their duration before their goal: "stage 2 'press' at 3 s, before until_target"
  std::vector<std::string> cut_short;
  /// Stages whose plates were to hold a stress and had it within the tolerance in no row: "stage 2 'shear'".
  std::vector<std::string> never_held;
  /// Changes of the case during the run, and lost rows: "material.friction from 0.5 to 0.3 at step 400".
  std::vector<std::string> changes, losses;
  std::optional<PhaseTimes> phases;  ///< of the steps since the program began; reported, not judged
  std::string interrupted;           ///< why the run ended early ("interrupted by Ctrl-C", …); empty if it did not
  bool kept = true;                  ///< its end is in a checkpoint

  std::optional<double> time_step;            ///< Δt (s)
  std::optional<double> smallest_step_limit;  ///< smallest limit met, a-priori or measured (s)
  std::string step_limit_source;              ///< one sentence: MeasuredLimit::describe() or AprioriLimit::describe()
  /// Largest overlap per row in the network (bodies with two or more contacts), mean over a stage, of the worst stage.
  std::optional<double> network_overlap;  ///< in diameters of the smaller body
  std::string network_overlap_stage;      ///< "stage 2 'shear'"
  std::optional<double> largest_overlap;  ///< largest of the run, of any contact, in diameters of the smaller body
  std::string largest_overlap_where;      ///< "bodies 12 and 34 at t = 3.1 s"
  /// Round-off of the positions at the end: half of the bodies are farther from the origin. Over network_overlap.
  std::optional<double> round_off;
  double distance = 0;  ///< of these bodies from the origin (m)
  std::optional<EnergyLedger> ledger;
  bool law_has_potential = false;  ///< if true, there is no circulation to judge
  /// Known circulation of this law over the work exchanged. Without it, circulation is reported but not judged.
  struct KnownCirculation {
    double largest = 0;
    std::string of;  ///< "area-over-length with the plane area-gradient"
  };
  std::optional<KnownCirculation> known_circulation;
  std::optional<double> inertial_number;  ///< mean over a shearing stage, worst stage
  std::string inertial_number_stage;
  std::optional<double> stiffness_number;  ///< k_n over the mean of σ over a stage, worst stage
  std::string stiffness_number_stage;
  /// Bodies at the end that nothing can stop any more (LostBodies).
  struct Lost {
    std::size_t count = 0, movable = 0;
    std::size_t from_start = 0;  ///< bodies of these that nothing could stop from the start
    bool has_holder = false;     ///< the case has something to stop them
    double since = 0;            ///< time of the first row with a lost body (s)
    std::string which;           ///< the first few, with their places
  };
  std::optional<Lost> lost;
  /// Histories at the end, for laws with histories of variable length: legs per contact, legs, bytes.
  struct Histories {
    double mean_length = 0;
    std::uint64_t legs = 0, bytes = 0;
    std::optional<double> exact_length;  ///< law jaeger-checked: legs per contact without merging
    double merge_error = 0;    ///< largest difference of a tangential force from the exact one so far, over f F_n
    double allowed_error = 0;  ///< contact.merge_error
    bool merged = false;       ///< true if legs are merged by any rule
  };
  std::optional<Histories> histories;
  std::uint64_t contact_steps = 0;           ///< sum over steps of the number of contacts
  std::optional<std::uint64_t> plane_jumps;  ///< contact planes that turned more than continuous movement explains
  /// jumps of these where parts of an overlap merged or split: reported, not judged
  std::uint64_t merging_plane_jumps = 0;
  /// Definition of the plane and its jumps in this run; empty unless all definitions were watched.
  std::vector<std::pair<std::string, std::uint64_t>> jumps_of_each_plane;
  std::optional<std::uint64_t> undefined_planes;  ///< contact steps without a plane (containment)
  std::optional<double> servo_error;              ///< mean of (σ − target)/target while a stress was held
  double servo_scatter = 0;               ///< root mean square, including moments in which avalanches unload a plate
  double largest_servo_error = 0;         ///< largest of a row; reported, not judged
  std::string largest_servo_error_stage;  ///< "stage 2 'shear'"
  std::optional<ServoRecord> cell_servo;  ///< of the stage with the worst held stresses of the cell
  std::string cell_servo_stage;           ///< "stage 1 'load'"
};

/// A quantity is good up to `good`, needs attention up to `attention`, and is bad beyond (larger_is_better: reversed).
struct Threshold {
  const char* name;  ///< snake_case, the key in the machine-readable form
  double good, attention;
  bool larger_is_better;
  const char* reason;  ///< reason for these numbers, and advice
};
/// All thresholds, in the order in which a verdict lists them.
std::span<const Threshold> verdict_thresholds();

struct VerdictItem {
  std::string name;
  double value = std::numeric_limits<double>::quiet_NaN();
  Judgement judgement = Judgement::good;
  std::string sentence;
  std::string reason;  ///< of the threshold; printed unless the judgement is good
};

struct Verdict {
  std::vector<VerdictItem> items;
  Judgement overall = Judgement::good;  ///< worst of the items

  std::string text() const;  ///< lines for people to read
  /// JSON with format (1), overall ("good" …) and items: name, value (null if not finite), judgement and sentence.
  std::string json() const;
};

Verdict judge(const RunNumbers&);
/// One sentence with the time of the steps and the share of each phase.
std::string phase_sentence(const PhaseTimes&);

}  // namespace dem
