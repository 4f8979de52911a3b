#include "libdem/run/recorder.hpp"

namespace dem {

AssemblyView view_of(const Simulation& run) {
  const State& s = run.state();
  return {s.bodies, s.shapes, s.groups, run.contacts(), s.cell,     s.cell_origin,
          s.dt,     s.step,   s.time,   run.strain(),   s.dimension};
}

FrameChoice frame_of(const AssemblyView& view, const Case& c) {
  FrameChoice choice;
  choice.title = c.title.empty() ? "libdem" : c.title;
  choice.colour = body_scalar(view, c.output.colour_by);
  return choice;
}

Recorder::Recorder(const Simulation& run, RunObserver& observer, ResultsFolder* folder)
    : observer_(observer),
      folder_(folder),
      plan_(run.given(), run.state().dt, observer.first_step()),
      stage_(run.stage()) {}

bool Recorder::looks_at_next(const Simulation& run) const {
  const std::uint64_t step = run.step_count() + 1;
  return !observer_.jump_columns().empty() || plan_.row_at(step) || plan_.snapshot_at(step) || plan_.frame_at(step) ||
         (run.given().output.contacts && run.may_end_stage());  // the snapshot then has their energies
}

void Recorder::after_step(const Simulation& run) {
  PhaseTimes* const times = run.phase_times();
  Lap lap(times != nullptr);
  const std::uint64_t step = run.step_count();
  const bool stage_over = run.stage() != stage_;
  stage_ = run.stage();
  if (folder_ && !observer_.jump_columns().empty())
    for (const auto& row : observer_.jumps(run)) folder_->append_jump(row);
  if (run.finished() || plan_.row_at(step)) {
    const std::vector<double> row = observer_.row(run);
    if (times) times->add(Phase::measuring, lap.seconds());
    if (folder_) folder_->append(row);
  }
  if (!folder_) return;
  if (stage_over || plan_.snapshot_at(step)) write_snapshot(run);
  if (plan_.frame_at(step) || (stage_over && plan_.draws())) write_frame(run);
  if (times) times->add(Phase::output, lap.seconds());
}

void Recorder::checkpoint(const Simulation& run) {
  if (!folder_) return;
  PhaseTimes* const times = run.phase_times();
  Lap lap(times != nullptr);
  folder_->write_checkpoint({this_build().program_version, run.step_count(), run.time()}, [&](ArchiveWriter& archive) {
    run.save(archive);
    observer_.save(archive);
  });
  if (times) times->add(Phase::output, lap.seconds());
}

void Recorder::write_snapshot(const Simulation& run) {
  const AssemblyView view = view_of(run);
  const OutputChoice& output = run.given().output;
  folder_->write_snapshot(view, output.contacts);
  if (output.vtk) folder_->write_paraview(view, output.contacts);
  if (!observer_.profile_columns().empty())
    folder_->append_profiles(run.step_count(), run.time(), run.strain(), observer_.profiles(run));
}

void Recorder::write_frame(const Simulation& run) {
  const AssemblyView view = view_of(run);
  folder_->write_frame(view, frame_of(view, run.given()));
}

void CheckpointRoom::checkpoint() {
  reserve_.give_up();
  recorder_.checkpoint(run_);
}

void CheckpointRoom::hold_or_end() {
  constexpr std::size_t for_a_step = std::size_t{8} << 20;
  if (!reserve_.hold(3 * recorder_.checkpoint_bytes(run_) + for_a_step)) end();
}

void CheckpointRoom::end() {
  checkpoint();
  throw NoRoomForStep();
}

}  // namespace dem
