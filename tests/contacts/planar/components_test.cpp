// Pairs of polygons with several contacts: DESIGN §4, "Components". A comb with its teeth up, a slab pressed on it.
#include "contacts/planar/driven_pair.hpp"

namespace {

/// Teeth of the given widths (m) from x = 0 on, 1 m apart, their tops at y = 1 m, the gaps 0.5 m deep.
geometry::Outline comb(const std::vector<double>& widths) {
  geometry::Outline top;
  double x = 0;
  for (std::size_t k = 0; k < widths.size(); ++k) {
    if (k > 0) {
      top.insert(top.end(), {{x, 0.5}, {x + 1, 0.5}});
      x += 1;
    }
    top.insert(top.end(), {{x, 1}, {x + widths[k], 1}});
    x += widths[k];
  }
  geometry::Outline outline{{0, 0}, {x, 0}};
  outline.insert(outline.end(), top.rbegin(), top.rend());
  return outline;
}

/// Slab over [left, right], its lower face `depth` below the tops of the teeth. A tooth is always covered whole or not
/// at all, so that all planes are horizontal: n = ŷ, t = ẑ×n = −x̂. A slab that moved by +x has ξ = −x.
struct CombAndSlab {
  CombAndSlab(const std::vector<double>& widths, double left, double right,
              NormalForce law = NormalForce::area_over_length)
      : comb_(comb(widths)), slab_{{left, 1}, {right, 1}, {right, 3}, {left, 3}}, pair_(make(law)) {}

  ContactWork place(double x, double depth, Pose frame = {}) {
    const Turn turn = Turn::by(frame.angle);
    const auto placed = [&](Vec2 at) { return Pose{frame.position + turn(at), frame.angle}; };
    return pair_.move(placed(centroid(comb_)), placed(centroid(slab_) + Vec2{x, -depth}));
  }
  std::vector<ContactRecord> contacts() const { return pair_.records(); }

 private:
  static Vec2 centroid(const geometry::Outline& outline) { return geometry::area_properties(outline).centroid; }
  Case make(NormalForce law) const {
    Case c = driven_pair_case(comb_, slab_, {});
    c.contact.normal_force = law;
    c.assembly.bodies[0].position = spatial(centroid(comb_));
    c.assembly.bodies[1].position = spatial(centroid(slab_));
    return c;
  }
  geometry::Outline comb_, slab_;
  DrivenPair pair_;
};

struct Expected {
  std::size_t number;
  double elongation;
  std::optional<double> x = {};  ///< of the contact point
};
std::vector<ContactRecord> check(const CombAndSlab& pair, const std::vector<Expected>& expected) {
  const auto c = pair.contacts();
  BOOST_REQUIRE_EQUAL(c.size(), expected.size());
  for (std::size_t k = 0; k < c.size(); ++k) BOOST_TEST_CONTEXT("contact " << k) {
      BOOST_TEST(c[k].key.feature == expected[k].number);
      BOOST_TEST(std::abs(c[k].elongation - expected[k].elongation) <=
                 1e-12 * std::abs(expected[k].elongation) + 1e-15);
      if (expected[k].x) BOOST_TEST(c[k].point.x == *expected[k].x, closely);
    }
  return c;
}
/// After the slab is placed.
std::vector<ContactRecord> check(CombAndSlab& pair, double x, double depth, const std::vector<Expected>& expected) {
  pair.place(x, depth);
  return check(pair, expected);
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_contact_has_its_own_history) {
  CombAndSlab pair({1, 2}, -0.5, 6);
  const auto c = check(pair, 0, 0.1, {{0, 0}, {1, 0}});
  for (std::size_t k = 0; k < 2; ++k) {
    BOOST_TEST(c[k].normal.y == 1, closely);
    BOOST_TEST(c[k].area == 0.1 * double(k + 1), closely);
  }
  const ContactRecord lost = check(pair, 0.3, 0.1, {{0, -0.3}, {1, -0.3}})[0];
  // The left contact closes, the right one keeps its number and its elongation.
  const ContactWork work = pair.place(2, 0.1);
  check(pair, {{1, -2}});
  // Lost: the stored energies, and the work that the lost tangential force still took in half of this step.
  BOOST_TEST(work.event_loss == lost.stored_normal + 0.5 * k_t * 0.3 * 0.3 + 0.5 * (k_t * 0.3) * 1.7, closely);
  // Back again: a new contact with the free number and without elongation.
  BOOST_TEST(check(pair, 0, 0.1, {{0, 0}, {1, 0}})[0].elongation == 0);
  check(pair, 0.1, 0.1, {{0, -0.1}, {1, -0.1}});
}

BOOST_AUTO_TEST_CASE(merge_keeps_the_history_of_the_larger) {
  // The nearest centroid is that of the larger: where two parts meet, the centroid of the whole is their weighted mean.
  for (const std::size_t larger : {1u, 0u})
    for (NormalForce law : {NormalForce::area_over_length, NormalForce::area_potential}) {
      CombAndSlab pair(larger == 1 ? std::vector<double>{1, 2} : std::vector<double>{2, 1}, -0.5, 9, law);
      pair.place(0, 0.45);
      pair.place(larger == 1 ? 2 : 3, 0.45);  // the left contact is gone, the right one sheared
      pair.place(0.1, 0.45);                  // the left one is new with 0, the right one has −0.1
      const auto c = check(pair, 0.3, 0.45, {{0, -0.2}, {1, -0.3}});
      const ContactRecord lost = c[1 - larger];
      BOOST_TEST(lost.stored_tangential == 0.5 * k_t * lost.elongation * lost.elongation, closely);
      const ContactWork work = pair.place(0.3, 0.55);  // past the bottom of the gap: one component
      check(pair, {{larger, c[larger].elongation}});
      // The other's energy is event loss; pressing down does no tangential work. Where the law has no potential this
      // includes its stored normal energy, and the work that its normal force took in half of the step.
      const double normal = lost.stored_normal + 0.5 * lost.normal_force * 0.1;
      BOOST_TEST(work.event_loss == lost.stored_tangential + (law == NormalForce::area_potential ? 0 : normal),
                 closely);
    }
}

BOOST_AUTO_TEST_CASE(merge_of_equals_keeps_the_older_number) {
  for (int step = 0; step < 20; ++step) {  // in any orientation
    const Pose frame{{0.1 * step, 0}, 0.3 * step};
    CombAndSlab pair({1, 1}, -0.5, 4);
    const auto place = [&](double depth, std::size_t count) {
      pair.place(0, depth, frame);
      BOOST_REQUIRE_EQUAL(pair.contacts().size(), count);
      BOOST_TEST(pair.contacts()[0].key.feature == 0);
      return Turn::by(frame.angle).back(planar(pair.contacts()[0].point) - frame.position).x;
    };
    const double older = place(0.45, 2);
    place(0.55, 1);
    BOOST_TEST(place(0.45, 2) == older, closely);  // split again: a tie too
  }
}

BOOST_AUTO_TEST_CASE(split_leaves_the_history_to_the_nearest) {
  CombAndSlab pair({1, 2}, -0.5, 6);
  pair.place(0, 0.55);
  check(pair, 0.2, 0.55, {{0, -0.2}});
  const ContactWork work = pair.place(0.2, 0.45);
  check(pair, {{0, -0.2, 3.0}, {1, 0}});  // the right part is the larger and nearer one
  BOOST_TEST(work.event_loss == 0);
}

BOOST_AUTO_TEST_CASE(numbers_stay_with_their_teeth_in_any_orientation) {
  // Components are found in the order of their global centroids, which half a turn reverses.
  CombAndSlab pair({1, 1, 1, 1}, -0.5, 8);
  pair.place(0, 0.1);
  pair.place(0.2, 0.1);
  for (int step = 1; step <= 40; ++step) {
    const double angle = step * pi / 20;
    const Vec2 at{0.3 * step, -0.1 * step};
    pair.place(0.2, 0.1, {at, angle});
    const auto c = pair.contacts();
    BOOST_REQUIRE_EQUAL(c.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {
      BOOST_TEST(c[k].key.feature == k);
      BOOST_TEST(Turn::by(angle).back(planar(c[k].point) - at).x == 2.0 * double(k) + 0.5, closely);
      BOOST_TEST(c[k].elongation == -0.2, closely);  // a rigid motion adds nothing
    }
  }
}

BOOST_AUTO_TEST_CASE(a_freed_number_is_given_again_and_records_stay_in_order) {
  CombAndSlab pair({1, 1, 1}, 1.5, 9);  // teeth 1 and 2
  check(pair, 0, 0.1, {{0, 0}, {1, 0}});
  check(pair, -2, 0.1, {{0, 2}, {1, 2}, {2, 0, 0.5}});            // reaches tooth 0 as well: it takes the next number
  check(pair, 2, 0.1, {{1, -2, 4.5}});                            // slab from 3.5 on: tooth 2 alone, number 1
  check(pair, -2, 0.1, {{0, 0, 0.5}, {1, 2, 4.5}, {2, 0, 2.5}});  // teeth 0 and 1 take the free numbers, from the left
}
