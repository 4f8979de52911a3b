// Elongations kept for comparison (polygon-dem reference, §3): literal Eqs. 10 and 11, sources of the velocity.
#include "contacts/planar/driven_pair.hpp"

// With absolute angles: a_i/(a_i + a_j) ΔD·t − a_i Δθ_i − a_j Δθ_j, which a rigid turn does not leave at zero.
BOOST_AUTO_TEST_CASE(eq10_11_word_by_word) {
  Case c = disc_pair_case();
  c.contact.geometric_form = GeometricForm::eq10_11_literal;
  DrivenPair pair(c);
  pair.move({}, {{0.7, 0}, 0});
  pair.move({{0, 0}, 0.02}, {{0.7, 0.01}, 0.05});
  const Vec2 tangent = turned_left((1 / norm(Vec2{0.7, 0.01})) * Vec2{0.7, 0.01});
  BOOST_TEST(record_of(pair).elongation == r_i / (r_i + r_j) * 0.01 * tangent.y - r_i * 0.02 - r_j * 0.05, closely);
}

BOOST_AUTO_TEST_CASE(velocity_sources) {
  // Velocities before the prediction (v_t = 0.2 m/s) and after it (0.5 m/s); Δt = 1 s.
  for (const auto& [source, expected] : {std::pair{VelocitySource::predicted, 0.5},
                                         {VelocitySource::corrected, 0.2},
                                         {VelocitySource::trapezoid, 0.35}}) {
    Case c = disc_pair_case();
    c.contact.elongation = Elongation::velocity;
    c.contact.velocity_source = source;
    DrivenPair pair(c);
    pair.move({}, {{0.7, 0}, 0});
    BOOST_TEST(record_of(pair).elongation == 0);
    pair.set_velocities({}, 0, {0.3, 0.2}, 0);  // the normal part does not count
    pair.contacts().note_start_velocities(pair.state());
    pair.set_velocities({}, 0, {-0.1, 0.5}, 0);
    pair.move({}, {{0.7, 0}, 0});
    BOOST_TEST(record_of(pair).elongation == expected, closely);
    // Spins count with the distance to the contact point, r − δ/2.
    pair.set_velocities({}, 0.1, {}, 0.2);
    pair.contacts().note_start_velocities(pair.state());
    pair.move({}, {{0.7, 0}, 0});
    BOOST_TEST(record_of(pair).elongation == expected - 0.1 * (r_i - 0.05) - 0.2 * (r_j - 0.05), closely);
  }
}
