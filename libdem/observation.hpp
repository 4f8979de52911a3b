// What is seen of a run at constant state: a row of the series, profiles over the height, the numbers of its verdict. Observers
// never change the simulation.
#pragma once
#include <vector>

#include "libdem/files/results_series.hpp"
#include "libdem/files/results_view.hpp"
#include "libdem/measure/verdict.hpp"
#include "libdem/simulation.hpp"

namespace dem {

/// The run at this moment, as snapshots, pictures and ParaView files take it. Valid until the next step.
AssemblyView view_of(const Simulation&);

/// Columns of the series and one row of it, in the same order. Stresses are those of the free bodies (Love–Weber, tension
/// positive) and of the plates (compression and shear along +x at the top positive).
std::vector<Column> series_columns(const Simulation&);
void series_row(const Simulation&, std::vector<double>& row);

/// Profiles over the height between the plates (empty without plates): velocity and shear rate of free bodies by bins of about one
/// mean diameter, fixed at the start of the run.
std::vector<SeriesColumn> profile_columns(const Simulation&);
void profile_row(const Simulation&, std::vector<double>& values);

/// Extremes of a run, for its verdict. Looks at the run at every row of the series; saved and restored with the checkpoint, so that
/// an interrupted run judges itself as one that was not.
class RunMonitor {
 public:
  void look(const Simulation&);
  RunNumbers numbers(const Simulation&) const;
  void save(ArchiveWriter&) const;
  void load(const ArchiveReader&);

 private:
  double largest_overlap_ = 0, overlap_i_ = 0, overlap_j_ = 0, overlap_time_ = 0;
  double smallest_limit_ = 0;     // 0: none yet
  double largest_inertial_number_ = 0, smallest_stiffness_number_ = 0;
  double largest_servo_error_ = -1;  // while the stress had been reached; negative: none held
  double contact_steps_ = 0, last_step_ = 0;
  double servo_reached_ = 0;
};

}  // namespace dem
