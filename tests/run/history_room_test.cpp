// A pool of legs that cannot grow. The step is not begun; the state can be saved and goes on with the same bits.
#include "cell_cases.hpp"
#include "libdem/laws/hertz_mindlin.hpp"
#include "libdem/laws/jaeger.hpp"
#include "libdem/laws/leg_pool.hpp"
#include "sphere_cases.hpp"

namespace {

constexpr std::uint64_t steps = 240;

/// Pools may not grow beyond so many chunks, until the end of the scope.
struct PoolLimit {
  explicit PoolLimit(std::size_t chunks) { laws::LegPool::most_chunks = chunks; }
  ~PoolLimit() { laws::LegPool::most_chunks = std::numeric_limits<std::size_t>::max(); }
};

/// Spheres sheared to and fro: histories grow and shrink, contacts form and end, lists and order are renewed.
Case shaken_cloud(const std::string& law, bool ledger) {
  Case c = hertzian(sphere_cloud(5, 0), law);
  if (law == "hertz-mindlin") c.contact.law.options<laws::HertzMindlin>().memory = MindlinMemory::turning_points;
  c.time.step = 2e-4;
  c.skin = 0.02;
  c.spatial_order_interval = 50;
  c.output.ledger = ledger;
  for (const double rate : {0.4, -0.4, 0.4, -0.4, 0.4, -0.4})
    c.stages.push_back(lasting(40 * c.time.step, cell_stage({}, {}, at_rate(rate))));
  return c;
}

struct Whole {
  std::vector<std::uint64_t> hash;  // after each step
  std::vector<double> friction;
  std::uint64_t builds = 0;
};
Whole run_whole(const Case& c) {
  Whole out;
  Simulation run(c);
  while (run.step_count() <= steps) {
    out.hash.push_back(run.hash());
    out.friction.push_back(run.ledger().friction);
    if (run.step_count() == steps) break;
    run.step();
  }
  out.builds = run.list_builds();
  return out;
}

/// Returns the step at which the run ends for want of room, `steps` if it does not; the rest is whole there.
std::uint64_t check_limit(const Case& c, const Whole& whole, std::size_t chunks) {
  Simulation run(c);
  MemoryArchive archive;
  std::uint64_t end = steps;
  {
    const PoolLimit limit(chunks);
    while (run.step_count() < steps && end == steps) {
      try {
        run.step(run.step_count() % 3 == 0);
      } catch (const NoRoomForStep&) {
        end = run.step_count();
      }
      BOOST_TEST_REQUIRE(run.hash() == whole.hash[run.step_count()]);
    }
    if (end == steps) return steps;
    BOOST_CHECK_THROW(run.step(), NoRoomForStep);
    BOOST_TEST(run.step_count() == end);
    BOOST_TEST(run.hash() == whole.hash[end]);
    if (c.output.ledger) BOOST_TEST(run.ledger().friction == whole.friction[end]);
    run.save(archive);
  }
  Simulation resumed(c);
  resumed.load(archive);
  for (Simulation* later : {&run, &resumed})
    while (later->step_count() < steps) {
      later->step();
      BOOST_TEST_REQUIRE(later->hash() == whole.hash[later->step_count()]);
      if (c.output.ledger) BOOST_TEST_REQUIRE(later->ledger().friction == whole.friction[later->step_count()]);
    }
  return end;
}

/// At least so many limits are met in the middle of the run.
void check(const Case& c, int least) {
  BOOST_TEST_INFO_SCOPE(c.contact.law.name() << " on " << c.threads << " threads");
  const Whole whole = run_whole(c);
  BOOST_TEST(whole.builds > 3u);
  std::vector<std::uint64_t> ends;
  for (std::size_t chunks = 20; ends.empty() || ends.back() < steps; chunks += chunks / 8) {
    const std::uint64_t end = check_limit(c, whole, chunks);
    if (!ends.empty()) BOOST_TEST(end >= ends.back());
    ends.push_back(end);
  }
  BOOST_TEST(std::ranges::count_if(ends, [](std::uint64_t end) { return end > 0 && end < steps; }) >= least);
}

}  // namespace

BOOST_AUTO_TEST_CASE(pool_of_legs_that_cannot_grow) {
  check(shaken_cloud("jaeger", true), 8);
  Case threads = shaken_cloud("jaeger", false), checked = shaken_cloud("jaeger-checked", true);
  threads.threads = 2;
  check(threads, 8);
  checked.contact.law.options<laws::Jaeger>().merge_error = 0.01;
  check(checked, 5);
  check(shaken_cloud("hertz-mindlin", true), 1);  // few turning points
}
