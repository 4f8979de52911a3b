// The contact studies of Kuhn, Suzuki and Daouadji: one contact driven along a path, printed digits.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "validation/kuhn2020/claims.hpp"
#include "validation/kuhn2020/driven_contact.hpp"

using namespace dem;
using namespace dem::validation::kuhn2020;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(kuhn2020_contact)

BOOST_AUTO_TEST_CASE(printed_digits) {
  for (const auto& [print, good, bad] : {std::tuple{"1.23e-3", 1.2349e-3, 1.2351e-3},
                                         {"-84.2799475412", -84.27994754124, -84.2799475413},
                                         {"12", 12.4, 12.6}})
    BOOST_TEST((agrees_with_print(print, good) && !agrees_with_print(print, bad)), print);
  BOOST_TEST(log_slope({1, 2, 4}, {3, 12, 48}) == 2, tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(start_force_is_what_was_asked_for_with_every_law) {
  const ContactCoefficients material{1e5, 8e4, 0.5};
  for (const char* law : {"linear", "linear-refined"}) {
    ContactVariant variant;
    variant.law = law;
    const Vec3 n{0.6, 0, 0.8}, f{-0.8 * 20, 7, 0.6 * 20};
    const DrivenContact contact(variant, material, n, 1e-3, f);
    BOOST_TEST(norm(contact.force() - f) < 1e-13);
    BOOST_TEST(contact.normal_force() == 100);
    BOOST_TEST(contact.work() == 0);
    BOOST_TEST(contact.stored() == 0.5 * dot(f, f) / 8e4, tolerance(1e-12));
  }
  BOOST_CHECK_THROW(DrivenContact({.law = "no-such-law", .options = {}}, material, {0, 0, 1}, 1),
                    std::invalid_argument);
  BOOST_CHECK_THROW(DrivenContact({}, material, {0, 0, 1}, -1, {1, 0, 0}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(energy_of_a_lost_contact_is_accounted_for) {
  const ContactCoefficients material{1e5, 1e5, 0.5};
  for (const char* law : {"linear", "linear-refined"}) {
    ContactVariant variant;
    variant.law = law;
    DrivenContact contact(variant, material, {0, 0, 1}, 1e-3, {30, 0, 0});
    const double stored = contact.stored();
    contact.move({{0, 0, 1}, -1e-3, {1e-4, 2e-4, 0}, {}});
    BOOST_TEST(norm(contact.force()) == 0);
    BOOST_TEST(contact.stored() == 0);
    BOOST_TEST(contact.dissipated() == stored + contact.work(), tolerance(1e-12));
    // Regained: nothing is left of the old force.
    contact.move({{0, 0, 1}, 1e-3, {}, {}});
    BOOST_TEST(norm(contact.force()) == 0);
  }
}

BOOST_AUTO_TEST_CASE(vector_without_transport_stays_in_space) {
  ContactVariant variant;
  variant.transport = Transport::none;
  const Vec3 n{1, 0, 0}, f{0, 0.6, 0.8}, axis{0, 0, 1};
  DrivenContact contact(variant, {1, 1, 1e3}, n, 1, f);
  for (int k = 1; k <= 10; ++k) contact.move({rotated(quaternion_of(0.1 * k * axis), n), 1, {}, 0.1 * axis});
  BOOST_TEST(norm(contact.force() - f) < 1e-14);
}

BOOST_AUTO_TEST_CASE(rigid_motion_of_a_pair_makes_no_force) {
  const PairPath path = [](double s) {
    const Quaternion all = quaternion_of(1.5 * s * Vec3{0.6, 0, 0.8});
    return PairPose{{}, rotated(all, {0.9999, 0, 0}), all, all};
  };
  const ContactCoefficients material{1e5, 1e5, 0.5};
  const PathResult exact = follow(path, 100, {}, material);
  BOOST_TEST(norm(exact.force.back()) < 1e-9);  // of a limit of 5 N: 100 roundings of 1e-16 m
  ContactVariant ends;
  ends.mid_step_arms = ends.chord = false;
  const PathResult coarse = follow(path, 100, ends, material), fine = follow(path, 200, ends, material);
  BOOST_TEST(norm(coarse.force.back()) > 0.1);
  BOOST_TEST(largest_difference(fine, fine, 5) == 0);
  BOOST_TEST(largest_difference(coarse, fine, 5) > 0);
}

BOOST_AUTO_TEST_SUITE_END()
