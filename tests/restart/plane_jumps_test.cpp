// The list of plane jumps: the same for any number of threads, and without influence on the run.
#include "assembly_cases.hpp"
#include "libdem/run/observer.hpp"

namespace {

constexpr int steps = 900;

Case sheared(bool watch, int threads = 1) {
  Case c = polygon_shear();
  c.contact.plane = geometry::ContactPlane::edge_mean;
  c.output.plane_jumps = watch;
  c.threads = threads;
  return c;
}

struct Outcome {
  std::uint64_t hash = 0, jumps = 0;
  PerPlane each{};
  std::vector<std::vector<double>> rows;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run(const Case& c) {
  Simulation simulation(c);
  RunObserver observer(simulation);
  Outcome o;
  for (int k = 0; k < steps; ++k) {
    simulation.step();
    for (const auto& row : observer.jumps(simulation)) o.rows.push_back(row);
  }
  o.hash = simulation.hash();
  o.jumps = simulation.plane_watch()->plane_jumps();
  o.each = simulation.plane_watch()->jumps_of_each_plane();
  return o;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_list_does_not_depend_on_threads_and_the_run_not_on_the_list) {
  const Outcome quiet = run(sheared(false)), listed = run(sheared(true));
  BOOST_TEST(quiet.hash == listed.hash);
  BOOST_TEST(quiet.jumps == listed.jumps);
  BOOST_TEST(quiet.rows.empty());
  BOOST_TEST(listed.jumps > 20u);
  BOOST_TEST(listed.each[std::size_t(geometry::ContactPlane::edge_mean)] == listed.jumps);
  BOOST_TEST(listed.each[std::size_t(geometry::ContactPlane::area_gradient)] == 0u);
  BOOST_TEST(listed.rows.size() == std::accumulate(listed.each.begin(), listed.each.end(), std::uint64_t(0)));
  for (const int threads : {2, 3}) BOOST_TEST((run(sheared(true, threads)) == listed));
}
