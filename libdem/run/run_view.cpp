#include "libdem/run/run_view.hpp"

namespace dem {

AssemblyView view_of(const Simulation& run) { return {run.state(), run.contacts(), run.strain()}; }

FrameChoice frame_of(const AssemblyView& view, const Case& c) {
  FrameChoice choice;
  choice.title = c.title.empty() ? "libdem" : c.title;
  choice.colour = body_scalar(view, c.output.colour_by);
  return choice;
}

}  // namespace dem
