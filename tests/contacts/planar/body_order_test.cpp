// Places of bodies in a plane assembly: when they are not the numbers, and that no result depends on them.
#include "libdem/contacts/planar/body_order.hpp"

#include "cell_cases.hpp"
#include "contacts/planar/driven_pair.hpp"
#include "libdem/state/state_hash.hpp"

namespace {

/// Mean distance of neighbours in the order of places (m).
double mean_step(const State& state, const BodyOrder& order) {
  double sum = 0;
  for (std::size_t at = 1; at < state.bodies.size(); ++at)
    sum += norm(state.bodies.position[0][order.number(at)] - state.bodies.position[0][order.number(at - 1)]);
  return sum / double(state.bodies.size() - 1);
}

std::uint64_t hash_of(PlanarContacts& contacts) {
  StateHash hash;
  hash_fields(hash, [&](FieldVisitor& f) { contacts.fields(f); });
  return hash.value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(scattered_numbers_get_an_order) {
  State state = build_assembly(scattered_cloud(Grain::disc));
  const BodyOrder order(state);
  BOOST_TEST_REQUIRE(!order.is_by_number());
  BOOST_TEST(mean_step(state, order) < 2.2);
  BOOST_TEST(mean_step(state, {}) > 8);
  std::set<std::uint32_t> all(order.numbers().begin(), order.numbers().end());
  BOOST_TEST(all.size() == state.bodies.size());
  const ContactKey key{3, 500, {1, 0, -1}, 7};
  BOOST_TEST((order.named(order.placed(key)) == key));
  state.bodies.rearrange(order.places());
  state.step = 9;
  BOOST_TEST((BodyOrder(state).places() == order.places()));  // taken from the bodies, also later
}

BOOST_AUTO_TEST_CASE(other_numbers_are_places) {
  BOOST_TEST(BodyOrder(build_assembly(cloud(Grain::disc, 24, 1))).is_by_number());  // row by row
  Case few = scattered_cloud(Grain::disc);
  few.assembly.bodies.resize(500);
  BOOST_TEST(BodyOrder(build_assembly(few)).is_by_number());
  State later = build_assembly(scattered_cloud(Grain::disc));
  later.step = 1;
  BOOST_TEST(BodyOrder(later).is_by_number());
}

/// An engine that is made after the first step keeps the numbers. Both see the same movement.
BOOST_AUTO_TEST_CASE(places_change_no_bit_of_forces_and_contacts) {
  Case combs = scattered_cloud(Grain::comb), cell = plane_cell(ShapeKind::disc, 600, 0.3);
  combs.assembly.walls = {line_wall("floor", {-100, -14.6}, {100, -14.6})};
  combs.output.plane_jumps = true;
  Case pentagons = scattered_cloud(Grain::pentagon);
  pentagons.assembly.largest_start_overlap = 0.5;
  for (const Case& c : {combs, pentagons, scattered_cloud(Grain::disc), cell}) {
    State by_place = build_assembly(c), by_number = by_place;
    by_number.step = 1;
    PlanarContacts placed(c, by_place), numbered(c, by_number);
    std::size_t most = 0, wall_contacts = 0;
    for (int step = 0; step < 60; ++step) {
      ContactWork works[2];
      for (const auto& [state, contacts, work] :
           {std::tuple(&by_place, &placed, &works[0]), {&by_number, &numbered, &works[1]}}) {
        for (std::size_t b = 0; b < state->bodies.size(); ++b) {
          if (state->shape_of(b).is_half_plane()) continue;
          Vec3& x = state->bodies.position[0][b];
          state->bodies.position[1][b] = -0.004 * x - Vec3{0, 0.1, 0};  // closer, and down to the floor
          x += state->bodies.position[1][b];
          state->bodies.rotation[0][b].z += 0.01 * double(b % 7);
        }
        contacts->find_candidates(*state);
        *work = contacts->evaluate(*state, {});
      }
      BOOST_TEST_REQUIRE((by_place.bodies.force == by_number.bodies.force));
      BOOST_TEST_REQUIRE((by_place.bodies.torque == by_number.bodies.torque));
      BOOST_TEST_REQUIRE(hash_of(placed) == hash_of(numbered));
      const Tensor3 a = placed.virial(by_place), b = numbered.virial(by_number);
      BOOST_TEST((a.xx() == b.xx() && a.xy() == b.xy() && a.yx() == b.yx() && a.yy() == b.yy()));
      BOOST_TEST(placed.stored_normal() == numbered.stored_normal());
      // The order of these sums differs.
      BOOST_TEST(works[0].absolute == works[1].absolute, tolerance(1e-13));
      std::vector<ContactRecord> of_placed, of_numbered;
      placed.records(by_place, of_placed);
      numbered.records(by_number, of_numbered);
      BOOST_TEST_REQUIRE(of_placed.size() == of_numbered.size());
      for (std::size_t k = 0; k < of_placed.size(); ++k) {
        BOOST_TEST((of_placed[k].key == of_numbered[k].key && of_placed[k].force == of_numbered[k].force &&
                    of_placed[k].point == of_numbered[k].point && of_placed[k].branch == of_numbered[k].branch));
        wall_contacts += by_place.shape_of(of_placed[k].key.j).is_half_plane();
      }
      BOOST_TEST(placed.last_jumps().size() == numbered.last_jumps().size());
      for (std::size_t k = 0; k < placed.last_jumps().size(); ++k)
        BOOST_TEST((placed.last_jumps()[k].key == numbered.last_jumps()[k].key));
      most = std::max(most, of_placed.size());
    }
    BOOST_TEST((by_place.bodies.places() && !by_number.bodies.places()));
    BOOST_TEST(most > 300u);
    if (!c.assembly.walls.empty()) BOOST_TEST(wall_contacts > 10u);
    BOOST_TEST((placed.carried().contacts.size() == numbered.carried().contacts.size()));
  }
}
