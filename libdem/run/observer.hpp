// The observer of a run makes rows of the series, profiles over the height, and the numbers of the verdict. It only
// reads the state. Its sums go into the checkpoint, so that a resumed run ends with the same verdict.
#pragma once
#include <string>
#include <vector>

#include "libdem/assembly/lost_bodies.hpp"
#include "libdem/measure/profiles.hpp"
#include "libdem/measure/verdict.hpp"
#include "libdem/platform/file_error.hpp"
#include "libdem/results/series.hpp"
#include "libdem/run/row_columns.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/state/fields.hpp"

namespace dem {

class RunObserver {
 public:
  /// Takes the simulation at its start: before a checkpoint is loaded, and after start_from_results().
  explicit RunObserver(const Simulation&);

  /// Without plates there are no profiles. Plane jumps are listed if the case asks for it (output.plane_jumps,
  /// polygons).
  const OutputColumns& columns() const { return columns_; }

  /// First step of the run; not 0 if it started from the results of another run.
  std::uint64_t first_step() const { return first_step_; }

  /// After every step.
  void count_step(const Simulation& run) { contact_steps_ += run.contact_count(); }
  /// The same for several steps.
  void count_contacts(std::uint64_t sum) { contact_steps_ += sum; }
  /// Makes a row of the series and updates the numbers of the verdict.
  std::vector<double> row(const Simulation&);
  std::vector<double> profiles(const Simulation&) const;  ///< a row of them
  /// A row for each persistent jump of the last step.
  std::vector<std::vector<double>> jumps(const Simulation&) const;

  RunNumbers numbers(const Simulation&) const;
  const LostBodies& lost_bodies() const { return lost_; }
  void save(ArchiveWriter&) const;
  void load(const ArchiveReader&);

 private:
  /// Mean over the rows of a stage, and that of the worst earlier stage.
  struct StageMean {
    double stage = 0, sum = 0, rows = 0;  // stage: its number, from 1
    double worst = -1, worst_stage = 0;   // negative: none yet
    void add(double stage_number, double value) {
      if (stage != stage_number) {
        *this = with_this_stage();
        stage = stage_number, sum = rows = 0;
      }
      sum += value;
      rows += 1;
    }
    StageMean with_this_stage() const {
      StageMean all = *this;
      if (rows > 0 && !(sum / rows <= worst)) all.worst = sum / rows, all.worst_stage = stage;
      return all;
    }
  };
  void make_profile_columns();
  void note_stage(const Simulation&, double stage_number, double inertial, double stiffness);
  std::vector<std::uint64_t> stages_never_held() const;
  void fields(FieldVisitor&);

  RowColumns row_columns_;
  OutputColumns columns_;  // its series: of them
  std::vector<std::uint8_t> free_;
  // With plates, for the profiles. They follow from the case, unless the run started from the results of another one.
  ProfileBins bins_;
  double bin_height_ = 0;
  std::vector<Vec3> start_position_, start_rotation_;
  bool started_elsewhere_ = false;

  // Sums over the run.
  std::uint64_t contact_steps_ = 0, first_step_;
  double largest_overlap_ = 0, overlap_i_ = 0, overlap_j_ = 0, overlap_time_ = 0;
  double smallest_limit_ = 0;
  std::string limit_source_;
  StageMean network_overlap_, any_overlap_, inertial_, softness_;  // softness: σ/k_n
  double held_stage_ = 0, held_ = 0;       // number (from 1) of the stage whose stress is held; 1 once within tolerance
  std::vector<std::uint64_t> never_held_;  // earlier stages without a row within tolerance
  double servo_sum_ = 0, servo_squares_ = 0, servo_rows_ = 0;  // relative errors while a stress was held
  double largest_servo_error_ = 0, largest_servo_stage_ = 0;
  LostBodies lost_;
  double lost_since_ = -1;  // negative: none is lost yet
};

}  // namespace dem
