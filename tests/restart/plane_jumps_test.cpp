// The list of plane jumps: the same for any number of threads, after an interruption, and without influence on the run.
#include "assembly_cases.hpp"
#include "libdem/results/folder.hpp"
#include "libdem/run/observer.hpp"
#include "results/results_test_tools.hpp"

using namespace dem;
using namespace dem::test;

namespace {

constexpr int steps = 900, stop = 601;

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

BOOST_AUTO_TEST_CASE(rows_after_the_checkpoint_are_dropped_and_written_again) {
  const TemporaryFolder temporary;
  const auto path = temporary.path / "run";
  const Case c = sheared(true);
  const Outcome whole = run(c);
  const auto advance = [](Simulation& simulation, const RunObserver& observer, ResultsFolder& folder, int to) {
    while (int(simulation.step_count()) < to) {
      simulation.step();
      for (const auto& row : observer.jumps(simulation)) folder.append(row, jump_rows);
    }
  };
  {
    Simulation simulation(c);
    RunObserver observer(simulation);
    ResultsFolder folder = ResultsFolder::create(path, {});
    folder.start_series({observer.columns().series, {}, observer.columns().jumps});
    advance(simulation, observer, folder, stop);
    folder.write_checkpoint({"test", simulation.step_count(), simulation.time()}, [&](ArchiveWriter& a) {
      simulation.save(a);
      observer.save(a);
    });
    advance(simulation, observer, folder, stop + 200);
    folder.flush();
    BOOST_TEST(folder.read_jumps().value().column("step").back() > double(stop));
  }
  Simulation simulation(c);
  RunObserver observer(simulation);
  ResultsFolder folder = ResultsFolder::open(path);
  const Checkpoint checkpoint = folder.read_checkpoint();
  simulation.load(checkpoint);
  observer.load(checkpoint);
  folder.resume_series({observer.columns().series, {}, observer.columns().jumps}, simulation.step_count());
  BOOST_TEST(folder.read_jumps().value().column("step").back() <= double(stop));
  advance(simulation, observer, folder, steps);
  folder.flush();
  BOOST_TEST(!whole.rows.empty());
  std::vector<double> flat;
  for (const auto& row : whole.rows) flat.insert(flat.end(), row.begin(), row.end());
  BOOST_TEST(folder.read_jumps().value().values == flat, tt::per_element());
  BOOST_TEST(simulation.hash() == whole.hash);
  BOOST_TEST(simulation.plane_watch()->plane_jumps() == whole.jumps);
  BOOST_TEST((simulation.plane_watch()->jumps_of_each_plane() == whole.each));
  const std::string verdict = judge(observer.numbers(simulation)).text();
  BOOST_TEST(verdict.find("In this run each definition jumped: area-gradient 0, chord ") != std::string::npos, verdict);
  BOOST_TEST(describe_results(path).find("plane_jumps: ") != std::string::npos);
}
