// Law linear-refined on bodies in the plane: contacts made and lost within a step, dashpots on the movement, polygons.
#include "contacts/planar/driven_pair.hpp"
#include "geometry/random.hpp"
#include "libdem/laws/linear_refined.hpp"

namespace {

Case refined(Case c, double friction) {
  c.contact.law = "linear-refined";
  c.material.friction = friction;
  c.material.normal_stiffness = 100;
  c.material.tangential_stiffness = 70;
  return c;
}

/// Two discs, or a disc i above a wall in the x axis, placed by their gap and by the place along the other body.
struct Pass {
  Pass(const Case& c) : pair(c), wall(!c.assembly.walls.empty()) {}
  void place(double gap, double along, double angle) {
    const double away = (wall ? r_i : r_i + r_j) + gap;
    const ContactWork w =
        wall ? pair.move({{along, away}, angle}, wall_pose) : pair.move({{0, 0}, angle}, {{away, along}, 0.5 * angle});
    friction += w.friction;
    event_loss += w.event_loss;
  }
  double stored() { return pair.contacts().stored_tangential(); }
  double tangential() const { return record_of(pair).tangential_force; }

  DrivenPair pair;
  bool wall;
  double friction = 0, event_loss = 0;
};

/// j passes along a straight line through the first touch in n steps while both turn.
Pass touch(const Case& c, int n) {
  Pass pass(c);
  for (int k = 0; k <= n; ++k) {
    const double share = double(k) / n;
    pass.place(1e-4 - 4e-4 * share, 4e-4 * (share - 0.5), 2e-4 * share);
  }
  return pass;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_step_through_the_first_touch_is_as_good_as_many) {
  for (const bool wall : {false, true})
    for (const double friction : {500.0, 0.05}) {
      Case c = refined(wall ? with_wall(disc_pair_case()) : disc_pair_case(), friction);
      Pass once = touch(c, 1), many = touch(c, 4000);
      BOOST_TEST_CONTEXT((wall ? "wall" : "discs") << ", friction " << friction) {
        BOOST_TEST(std::abs(many.tangential()) > 1e-4);
        // The path is straight in space, not in the frame of the pair: the share of the movement in the radius is left.
        BOOST_TEST(std::abs(once.tangential() / many.tangential() - 1) < 2e-3);
        BOOST_TEST(std::abs(once.stored() / many.stored() - 1) < 4e-3);
        BOOST_TEST(std::abs(once.friction - many.friction) < 4e-3 * (many.friction + many.stored()));
        BOOST_TEST((many.friction > 0) == (friction < 1));
        // Without it the whole movement counts. The gap of discs is not quite in proportion (across²/8 over 0.8 m).
        c.contact.law.options<laws::LinearRefined>().part_of_step = false;
        if (friction > 1) BOOST_TEST(std::abs(touch(c, 1).tangential() / once.tangential() - 4.0 / 3) < 3e-4);
        // Law linear starts it unstrained.
        c.contact.law = "linear";
        BOOST_TEST(touch(c, 1).tangential() == 0);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_lost_contact_books_its_friction) {
  for (const bool wall : {false, true}) {
    Case c = refined(wall ? with_wall(disc_pair_case()) : disc_pair_case(), 0.3);
    double stored = 0;
    const auto leave = [&](int n) {  // loads, then parts
      Pass pass(c);
      pass.place(-1e-3, 0, 0);
      pass.place(-1e-3, 2e-4, 0);
      stored = pass.stored();
      pass.friction = pass.event_loss = 0;
      for (int k = 1; k <= n; ++k) pass.place(-1e-3 + 1.5e-3 * k / n, 2e-4 + 1e-4 * k / n, 0);
      BOOST_TEST(pass.pair.contacts().size() == 0u);
      return pass;
    };
    const Pass once = leave(1), many = leave(4000);
    BOOST_TEST_CONTEXT((wall ? "wall" : "discs") << ", stored " << stored) {
      BOOST_TEST(stored > 1e-7);
      BOOST_TEST(once.friction > stored);  // all that was stored, and what the movement supplied until it parted
      BOOST_TEST(std::abs(once.friction / many.friction - 1) < 2e-3);
      BOOST_TEST(std::abs(many.event_loss) < 1e-3 * many.friction);
      c.contact.law = "linear";
      const Pass dropped = leave(1);
      BOOST_TEST(dropped.friction == 0);
      BOOST_TEST(dropped.event_loss >= stored);
    }
  }
}

BOOST_AUTO_TEST_CASE(dashpots_take_the_movement_of_the_step) {
  Case c = refined(disc_pair_case(), 500);
  c.material.restitution.reset();
  c.material.normal_damping = 3;
  c.material.tangential_damping = 2;
  const auto forces = [&](const std::string& law, bool clip, double end) {
    c.contact.law = law;
    c.contact.clip_tension = clip;
    DrivenPair pair(c);
    pair.set_velocities({0, 0}, 0, {-0.5, 0.25}, 0);  // not those of the movement
    pair.move({{0, 0}, 0}, {{0.79, 0}, 0});
    pair.move({{0, 0}, 0}, {{end, 0}, 0.01});  // Δt is 1 s
    return record_of(pair);
  };
  BOOST_TEST(std::abs(forces("linear", false, 0.78).normal_force - (100 * 0.02 + 3 * 0.5)) < 1e-12);
  const ContactRecord r = forces("linear-refined", false, 0.78);
  BOOST_TEST(std::abs(r.normal_force - (100 * 0.02 + 3 * 0.01)) < 1e-12);
  // j turned by 0.01: its surface moves by −0.3 · 0.01 along t, with the lever of the elongation.
  BOOST_TEST(std::abs(r.tangential_force - (70 + 2) * 0.003 * (r_i + r_j) / 0.78) < 2e-2 * r.tangential_force);
  const ContactRecord tension = forces("linear-refined", false, 0.7999),
                      clipped = forces("linear-refined", true, 0.7999);
  BOOST_TEST(std::abs(tension.normal_force - (100 * 1e-4 - 3 * 0.0099)) < 1e-12);
  BOOST_TEST(clipped.normal_force == 0);
}

// In one dimension both laws are the same (§10) but for touch and parting, which polygons do not see.
BOOST_AUTO_TEST_CASE(polygons_as_with_law_linear) {
  Case c = refined(driven_pair_case(square, square, {0.95, 0.2}), 0.2);
  c.assembly.bodies[1].angle = 0.1;
  Case plain = c;
  plain.contact.law = "linear";
  DrivenPair a(c), b(plain);
  geometry::Random random(4);
  double x = 0.95, y = 0.2, turn = 0.1, largest = 0, friction = 0;
  std::uint64_t slid = 0;
  for (int n = 0; n < 400; ++n) {
    x += 4e-3 * (random.uniform() - 0.5);
    y += 4e-3 * (random.uniform() - 0.5);
    turn += 2e-3 * (random.uniform() - 0.5);
    x = std::min(x, 0.97);
    const ContactWork w = a.move({{0, 0}, 0}, {{x, y}, turn}), v = b.move({{0, 0}, 0}, {{x, y}, turn});
    const double f = record_of(a).tangential_force, g = record_of(b).tangential_force;
    largest = std::max(largest, std::abs(g));
    BOOST_TEST_REQUIRE(std::abs(f - g) < 1e-12, "step " << n << ": " << f << ", " << g);
    BOOST_TEST_REQUIRE((w.friction > -1e-16 && std::isfinite(v.friction)));
    friction += w.friction;
    slid += a.records()[0].regime == Regime::slip;
  }
  BOOST_TEST(largest > 0.1);
  BOOST_TEST(slid > 20U);
  BOOST_TEST(friction > 0);
}
