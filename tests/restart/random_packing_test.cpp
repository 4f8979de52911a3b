// A checkpoint of many random bodies belongs to the packing that its case makes. Another one is refused.
#include "cell_cases.hpp"
#include "libdem/assembly/generators.hpp"
#include "libdem/state/fields.hpp"
#include "results/results_test_tools.hpp"
#include "support/resumed.hpp"

namespace {

Case random_spheres(std::size_t count, std::uint64_t seed) {
  Case c = space_cell(ShapeKind::sphere, count, 3);
  c.contact.elongation = Elongation::velocity;
  std::get<RandomSpec>(c.assembly.generator).seed = seed;
  c.stages = {lasting(1)};
  return c;
}

}  // namespace

BOOST_AUTO_TEST_CASE(another_packing_is_refused) {
  const Case c = random_spheres(most_bodies_in_random_order + 1, 1);
  const Simulation run(c);
  MemoryArchive archive = saved(run);
  Simulation same(c);
  same.load(archive);
  BOOST_TEST(same.hash() == run.hash());
  Simulation other(random_spheres(most_bodies_in_random_order + 1, 2));
  BOOST_CHECK_EXCEPTION(other.load(archive), LayoutError, says("belongs to another random packing"));
  BOOST_CHECK_EXCEPTION(other.take_over(archive, true), LayoutError, says("belongs to another random packing"));
  archive.words.erase("packing/radii");  // as in checkpoints of earlier versions
  BOOST_CHECK_EXCEPTION(same.load(archive), LayoutError, says("belongs to another random packing"));
  BOOST_TEST(same.hash() == run.hash());
  // Packings of few bodies are the same in all versions, and so are their checkpoints.
  BOOST_TEST(!saved(Simulation(random_spheres(100, 1))).has("packing/radii"));
}
