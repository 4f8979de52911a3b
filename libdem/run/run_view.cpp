#include "libdem/run/run_view.hpp"

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

}  // namespace dem
