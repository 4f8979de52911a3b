// §6 of the polygon-dem reference: does the contact plane turn continuously while two polygons move, and is it free of
// the frame?
#include "validation/pena2008/continuity/continuity.hpp"

#include "validation/pena2008/studies.hpp"

namespace dem::validation::pena2008 {

void continuity(StudyRun& run) {
  using namespace continuity_study;
  const auto totals = count_jumps(run, run.quick() ? 40 : 500, 2000);
  const auto refined = refine(run, run.quick() ? 20 : 100, run.quick() ? 5 : 7);
  claim_ranking(run, totals);
  claim_frames(run, totals);
  claim_refinement(run, refined);
  claim_points(run, totals);
  claim_monitor(run);
  draw_shares(run, totals, refined);
  draw_pairs(run, totals);
}

}  // namespace dem::validation::pena2008
