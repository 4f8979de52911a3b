// A pool of legs that cannot grow: the step is not begun, and what is there can be saved and goes on with the same
// bits.
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "libdem/laws/hertz_mindlin.hpp"
#include "libdem/laws/jaeger.hpp"
#include "libdem/laws/leg_pool.hpp"
#include "sphere_cases.hpp"

using namespace dem;
using namespace dem::test;

namespace {

constexpr std::uint64_t steps = 240;

/// Pools may not grow beyond so many chunks, until the end of the scope.
struct PoolLimit {
  explicit PoolLimit(std::size_t chunks) { laws::LegPool::most_chunks = chunks; }
  ~PoolLimit() { laws::LegPool::most_chunks = std::numeric_limits<std::size_t>::max(); }
};

/// Spheres that are sheared to and fro, so that histories grow and shrink; contacts form and end, lists and order are
/// renewed.
Case shaken_cloud(const std::string& law, bool ledger) {
  Case c = sphere_cloud(5, 0);
  make_hertzian(c, law);
  if (law == "hertz-mindlin") c.contact.law.options<laws::HertzMindlin>().memory = MindlinMemory::turning_points;
  c.time.step = 2e-4;
  c.skin = 0.02;
  c.spatial_order_interval = 50;
  c.output.ledger = ledger;
  for (int k = 0; k < 6; ++k) {
    Stage s;
    s.cell = CellDrive{};
    s.cell->component[3].rate = k % 2 == 0 ? 0.4 : -0.4;
    s.duration = 40 * c.time.step;
    c.stages.push_back(s);
  }
  return c;
}

struct Whole {
  std::vector<std::uint64_t> hash;  // after each step
  std::vector<double> friction;
  std::size_t bytes = 0;  // of the histories at the end
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
  out.bytes = run.contact_engine().history_memory()->bytes;
  out.builds = run.list_builds();
  return out;
}

/// Where the run ends for want of room; what is left there is whole. Any other exception ends the test. Returns the
/// step, `steps` if it did not.
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

/// `least`: so many limits are met in the middle of the run.
void check(const Case& c, int least) {
  const Whole whole = run_whole(c);
  BOOST_TEST(whole.builds > 3u);
  std::vector<std::uint64_t> ends;
  for (std::size_t chunks = 20; ends.empty() || ends.back() < steps; chunks += chunks / 8) {
    const std::uint64_t end = check_limit(c, whole, chunks);
    if (!ends.empty()) BOOST_TEST(end >= ends.back());
    ends.push_back(end);
  }
  int within = 0;
  for (const std::uint64_t end : ends) within += end > 0 && end < steps;
  BOOST_TEST_MESSAGE(c.contact.law.name() << ": " << within << " of " << ends.size()
                                          << " limits met in the middle of the run, " << whole.bytes << " bytes");
  BOOST_TEST(within >= least);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(history_room)

BOOST_AUTO_TEST_CASE(exact_histories) { check(shaken_cloud("jaeger", true), 8); }

BOOST_AUTO_TEST_CASE(on_two_threads_without_ledger) {
  Case c = shaken_cloud("jaeger", false);
  c.threads = 2;
  check(c, 8);
}

BOOST_AUTO_TEST_CASE(two_histories_a_contact) {
  Case c = shaken_cloud("jaeger-checked", true);
  c.contact.law.options<laws::Jaeger>().merge_error = 0.01;
  check(c, 5);
}

BOOST_AUTO_TEST_CASE(turning_points) { check(shaken_cloud("hertz-mindlin", true), 1); }  // few turning points

BOOST_AUTO_TEST_SUITE_END()
