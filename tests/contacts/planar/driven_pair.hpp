// Two bodies, or a body and a wall, moved along prescribed paths through the contact pass, without any integration.
#pragma once
#include "libdem/assembly/assembly.hpp"
#include "libdem/contacts/planar/contacts.hpp"
#include "prelude.hpp"

namespace dem::test {

struct Pose {
  Vec2 position;
  double angle = 0;
};

inline Case driven_pair_case(const geometry::Outline& i, const geometry::Outline& j, Vec2 start) {
  Case c;
  c.material = {.normal_stiffness = 1, .tangential_stiffness = 1.0 / 3, .friction = 500, .restitution = 1};
  c.time.step = 1;
  c.assembly.largest_start_overlap = 1;
  c.assembly.bodies = {{.outline = i}, {.outline = j, .position = spatial(start)}};
  return c;
}

class DrivenPair {
 public:
  explicit DrivenPair(const Case& c) : state_(build_assembly(c)), contacts_(c, state_) {
    const geometry::CandidatePair pair{0, 1, {}};
    contacts_.set_candidates({&pair, 1});
  }
  ContactWork move(Pose i, Pose j) {
    Bodies& b = state_.bodies;
    b.position[0] = {{i.position.x, i.position.y, 0}, {j.position.x, j.position.y, 0}};
    b.rotation[0] = {{0, 0, i.angle}, {0, 0, j.angle}};
    return contacts_.evaluate(state_, {});
  }
  void set_velocities(Vec2 i, double spin_i, Vec2 j, double spin_j) {  // Δt is 1 s
    state_.bodies.position[1] = {{i.x, i.y, 0}, {j.x, j.y, 0}};
    state_.bodies.rotation[1] = {{0, 0, spin_i}, {0, 0, spin_j}};
  }
  std::vector<ContactRecord> records() const {
    std::vector<ContactRecord> r;
    contacts_.records(state_, r);
    return r;
  }
  Vec2 force_on_i() const { return planar(state_.bodies.force[0]); }
  double torque_on_i() const { return state_.bodies.torque[0].z; }
  Vec2 force_on_j() const { return planar(state_.bodies.force[1]); }
  double torque_on_j() const { return state_.bodies.torque[1].z; }
  State& state() { return state_; }
  PlanarContacts& contacts() { return contacts_; }

 private:
  State state_;
  PlanarContacts contacts_;
};

inline const auto closely = tolerance(1e-12);
inline constexpr double r_i = 0.5, r_j = 0.3;  // m
inline constexpr double k_t = 1.0 / 3;         // N/m, of driven_pair_case
inline const geometry::Outline square{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};

inline Case disc_pair_case() {
  Case c = driven_pair_case({}, {}, {0.7, 0});
  c.contact.normal_force = NormalForce::overlap;
  c.assembly.bodies[0].shape = c.assembly.bodies[1].shape = ShapeKind::disc;
  c.assembly.bodies[0].radius = r_i;
  c.assembly.bodies[1].radius = r_j;
  return c;
}

/// The first body of the case above a wall along x. The wall has its outward normal as x axis: angle π/2.
inline Case with_wall(Case c) {
  c.assembly.bodies.resize(1);
  c.assembly.walls = {{.from = {-1, 0}, .to = {1, 0}}};
  return c;
}
inline constexpr Pose wall_pose{{0, 0}, pi / 2};

inline ContactRecord record_of(const DrivenPair& pair) {
  BOOST_REQUIRE_EQUAL(pair.records().size(), 1u);
  return pair.records()[0];
}

}  // namespace dem::test
