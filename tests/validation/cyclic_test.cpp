// The study of cyclic loading: closed loops of two bodies, and cycles of a packing.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "libdem/case/case_file.hpp"
#include "libdem/run/simulation.hpp"
#include "validation/pena2008/cyclic/loops.hpp"
#include "validation/pena2008/cyclic/packings.hpp"

using namespace dem;
using namespace dem::validation::pena2008;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(cyclic)

BOOST_AUTO_TEST_CASE(form_G_comes_back_with_nothing_and_makes_no_work) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const LoopResult r = disc_loop({.lever = Lever::conjugate, .seed = seed});
    BOOST_TEST(r.amplitude > 0.01);
    BOOST_TEST(std::abs(r.relative()) < 1e-12);
    BOOST_TEST(std::abs(r.work) < 1e-13 * r.exchanged);
    BOOST_TEST(r.couple < 1e-13);
    // Forces of another lever are not the derivative of the elongation.
    BOOST_TEST(std::abs(disc_loop({.lever = Lever::proportional, .seed = seed}).work) > 1e-5 * r.exchanged);
    // Arms a_i + a_j longer than the distance by δ, of which the largest is 0.018 m.
    const double couple = disc_loop({.lever = Lever::radius, .seed = seed}).couple;
    BOOST_TEST(couple > 1e-3);
    BOOST_TEST(couple < 0.0181);
  }
}

BOOST_AUTO_TEST_CASE(velocity_leaves_the_same_in_every_loop_and_in_proportion_to_the_overlap) {
  const LoopChoice choice{.elongation = Elongation::velocity, .loops = 3};
  const LoopResult r = disc_loop(choice);
  BOOST_TEST(std::abs(r.relative()) > 1e-3);
  for (const std::size_t k : {1, 2}) BOOST_TEST(r.left[k] == double(k + 1) * r.left[0], tolerance(1e-9));
  LoopChoice deeper = choice, finer = choice, wider = choice;
  deeper.overlap = 0.03;
  BOOST_TEST(disc_loop(deeper).left[0] == 3 * r.left[0], tolerance(1e-6));
  finer.steps = 4000;
  BOOST_TEST(disc_loop(finer).left[0] == r.left[0], tolerance(1e-6));
  wider.amplitude = 2;
  BOOST_TEST(disc_loop(wider).relative() == r.relative(), tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(polygons_depend_on_the_path_with_either_elongation) {
  const double geometric = polygon_loop({.steps = 4000}).left[0],
               velocity = polygon_loop({.elongation = Elongation::velocity, .steps = 4000}).left[0];
  BOOST_TEST(geometric == velocity, tolerance(1e-4));
  BOOST_TEST(std::abs(geometric) > 1e-3);
}

BOOST_AUTO_TEST_CASE(cycles_of_a_packing) {
  const Case base = read_case(LIBDEM_SOURCE_DIR "/validation/pena2008/cyclic/case.toml");
  for (const Grains grains : {Grains::discs, Grains::polygons}) {
    CyclicChoice choice{.grains = grains, .amplitude = 2e-4, .cycles = 2};
    const Case geometric = cyclic_case(base, choice);
    choice.elongation = Elongation::velocity;
    choice.step_share = 0.5;
    const Case velocity = cyclic_case(base, choice);
    BOOST_TEST((geometric.assembly.bodies == velocity.assembly.bodies));  // the same packing, to the last bit
    BOOST_TEST(velocity.time.step == geometric.time.step / 2);
    const CyclicResult r = run_cycles(geometric);
    BOOST_TEST(r.densification.size() == 2U);
    BOOST_TEST(r.strain_error == 0);
    BOOST_TEST(r.coordination > 2.5);
    BOOST_TEST(r.loss > 0);  // friction and viscosity take energy
    BOOST_TEST(std::abs(r.densification[0]) < 1e-3);
    BOOST_TEST(std::abs(r.first_strain[23] - -2e-4) < 0.1e-4);  // half way: the lower turning point
    BOOST_TEST(CyclicResult::from(r.numbers()).numbers() == r.numbers(), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()
