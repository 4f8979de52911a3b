// Random pairs on random paths: the property that area-gradient is there for, on other pairs than those of the study.
#include "validation/pena2008/plane_paths.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "libdem/run/simulation.hpp"
#include "validation/pena2008/continuity/continuity.hpp"

using namespace dem;
using namespace dem::validation::pena2008;

namespace {

struct Counts {
  std::array<long, plane_count> jumps{}, merging{};
};

Counts count(const PathSet& set, int pairs, int steps) {
  Counts c;
  for (int k = 0; k < pairs; ++k)
    for (const JumpEvent& e : walk(random_pair(set, std::uint64_t(k)), steps).jumps)
      ++(e.turn.merged_or_split ? c.merging : c.jumps)[e.plane];
  return c;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plane_paths)

BOOST_AUTO_TEST_CASE(area_gradient_never_jumps) {
  for (const bool convex : {true, false})
    for (const bool straight : {true, false}) {
      const PathSet set{convex, straight, 0.05, 0.4, 20261120};
      const Counts c = count(set, 60, 400);
      BOOST_TEST_CONTEXT(set.name()) {
        BOOST_TEST(c.jumps[area_gradient] == 0);
        BOOST_TEST(c.jumps[edge_axial_unselected] == 0);
        // The others do, so that the zero is not that of a test that sees nothing.
        for (const std::size_t p :
             {edge_mean, edge_mean_unsigned, edge_mean_branch, edge_axial, chord_far, chord_first})
          BOOST_TEST(c.jumps[p] > 0);
        BOOST_TEST((c.merging[area_gradient] > 0) == !convex);  // a convex pair has one part
      }
    }
}

BOOST_AUTO_TEST_CASE(largest_turn_falls_with_the_step) {
  const PathSet set{true, true, 0.1, 0.4, 3};
  int halved = 0, kept = 0;
  for (int k = 0; k < 20; ++k) {
    const MovingPair pair = random_pair(set, std::uint64_t(k));
    const PathWalk coarse = walk(pair, 1000, false), fine = walk(pair, 4000, false);
    halved += fine.planes[area_gradient].largest_turn < 0.5 * coarse.planes[area_gradient].largest_turn;
    kept += fine.planes[edge_mean].largest_turn > 0.5;
    BOOST_TEST(fine.two_crossings_split < 1e-9);
  }
  BOOST_TEST(halved >= 17);
  BOOST_TEST(kept >= 5);
}

BOOST_AUTO_TEST_CASE(pairs_are_what_is_written_of_them) {
  for (const PathSet& set : continuity_study::path_sets())
    for (std::uint64_t k = 0; k < 5; ++k) {
      const MovingPair pair = random_pair(set, k), again = random_pair(set, k);
      BOOST_TEST((pair.i == again.i && pair.offset == again.offset));
      BOOST_TEST(geometry::Polygon(pair.i).convex() == set.convex);
      const std::size_t n = pair.j.size();
      BOOST_TEST((set.convex ? n >= 4 && n <= 8 : n >= 6 && n <= 12));
      BOOST_TEST(norm(geometry::area_properties(pair.j).centroid) < 1e-14);
      BOOST_TEST(std::abs(pair.turn) <= 0.5);
      BOOST_TEST(overlap_at(pair, 0.5).area() > 0);
      MovingPair apart = pair;
      apart.offset += set.high + 1e-9;
      BOOST_TEST(overlap_at(apart, 0.5).area() == 0);
      if (set.straight)
        BOOST_TEST(norm(pair.position(1) - pair.position(0)) == 1.2, boost::test_tools::tolerance(1e-12));
    }
}

BOOST_AUTO_TEST_CASE(frame_errors_tell_the_definitions_apart) {
  const MovingPair pair = random_pair({true, true, 0.02, 0.1, 5}, 1);
  const auto errors = frame_errors(pair, 40, 7);
  BOOST_REQUIRE(errors.size() > 10u);
  double signed_mean = 0;
  for (const auto& e : errors) {
    for (const std::size_t p :
         {chord_first, chord_far, edge_mean_branch, edge_axial, edge_axial_unselected, area_gradient})
      BOOST_TEST(e[p] < 1e-9);
    signed_mean = std::max(signed_mean, e[edge_mean]);
  }
  BOOST_TEST(signed_mean > 0.1);
}

// The monitor of a run and the walk of the study, on one path each: the same jumps in the same steps.
BOOST_AUTO_TEST_CASE(a_run_counts_what_the_study_counts) {
  const PathSet set{true, true, 0.1, 0.4, 11};
  const std::array index{area_gradient, chord_far, edge_mean, edge_mean_unsigned, edge_mean_branch, edge_axial};
  // The run takes the mean spin out before it looks whether a turn exceeds 0.01 rad. Jumps of just that size may
  // differ.
  constexpr double small = 0.02;
  long total = 0;
  for (std::uint64_t k = 0; k < 8; ++k) {
    const MovingPair pair = random_pair(set, k);
    std::vector<std::pair<int, std::size_t>> study, run;  // step, plane
    for (const JumpEvent& e : walk(pair, 1000).jumps)
      if (e.plane != chord_first && e.plane != edge_axial_unselected && e.turn.size > small)
        study.push_back({e.step, e.plane});
    Simulation simulation(continuity_study::slide_case(pair, 1000, geometry::ContactPlane::edge_mean));
    while (!simulation.finished()) {
      simulation.step();
      for (const PlaneJump& jump : simulation.plane_watch()->last_jumps())
        if (jump.size > small && jump.size < 3)
          run.push_back({int(simulation.step_count()) - 1, index[std::size_t(jump.plane)]});
    }
    std::ranges::sort(study);
    std::ranges::sort(run);
    BOOST_TEST((study == run), "path " << k << ": " << study.size() << " and " << run.size() << " jumps");
    total += long(run.size());
  }
  BOOST_TEST(total > 5);
}

// A normal that turns round while its plane stays is a jump of 180°. Edge-mean does this in some pairs.
BOOST_AUTO_TEST_CASE(a_reversed_normal_is_a_jump) {
  long reversed = 0;
  for (std::uint64_t k = 0; k < 60 && reversed == 0; ++k) {
    Simulation run(continuity_study::slide_case(random_pair(continuity_study::path_sets()[8], k), 1000,
                                                geometry::ContactPlane::edge_mean_branch));
    while (!run.finished()) {
      Vec3 before;
      if (run.contact_count() == 1) before = run.contacts()[0].normal;
      run.step();
      for (const PlaneJump& jump : run.plane_watch()->last_jumps()) {
        if (jump.size < 3 || run.contact_count() != 1) continue;
        ++reversed;
        BOOST_TEST(jump.size == std::numbers::pi);
        BOOST_TEST(dot(run.contacts()[0].normal, before) < -0.99);
      }
    }
  }
  BOOST_TEST(reversed > 0);
}

BOOST_AUTO_TEST_SUITE_END()
