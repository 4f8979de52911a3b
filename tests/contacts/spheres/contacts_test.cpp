// Contacts of spheres and clusters: closed forms, several contacts of a pair, cells.
#include "libdem/contacts/spheres/contacts.hpp"

#include "libdem/assembly/assembly.hpp"
#include "sphere_cases.hpp"

namespace {

struct Placed {
  State state;
  std::unique_ptr<ContactEngine> contacts;

  explicit Placed(const Case& c) : state(build_assembly(c)), contacts(make_contact_engine(c, state)) { evaluate(); }
  ContactWork evaluate() {
    contacts->find_candidates(state);
    return contacts->evaluate(state, {});
  }
  void turn(std::size_t b, Vec3 rotation) {
    state.bodies.rotation[0][b] += rotation;
    if (state.bodies.has_orientations())
      state.bodies.orientation[0][b] = normalised(quaternion_of(rotation) * state.bodies.orientation[0][b]);
  }
  std::vector<ContactRecord> records() const {
    std::vector<ContactRecord> out;
    contacts->records(state, out);
    std::vector<ContactLoad> loads;
    contacts->loads(state, loads);
    std::vector<ContactForce> forces;
    contacts->forces(state, forces);
    BOOST_TEST_REQUIRE((loads.size() == out.size() && forces.size() == out.size()));
    for (std::size_t k = 0; k < out.size(); ++k) {
      BOOST_TEST((loads[k].key == out[k].key && loads[k].force == out[k].force));
      BOOST_TEST((forces[k].key == out[k].key && forces[k].force == out[k].force));
    }
    return out;
  }
};

double largest_difference(Vec3 a, Vec3 b) {
  return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_spheres_at_rest) {
  // Radii 0.5 and 0.3, centres 0.79 apart along (1,2,2)/3: overlap 0.01, force 10 N, contact point at R − δ/2.
  const Vec3 n = (1.0 / 3) * Vec3{1, 2, 2};
  Placed p(space_case({sphere_at({1, 1, 1}, 0.5), sphere_at(Vec3{1, 1, 1} + 0.79 * n, 0.3)}));
  const auto all = p.records();
  BOOST_REQUIRE(all.size() == 1u);
  const ContactRecord& c = all[0];
  BOOST_TEST((c.key.i == 0 && c.key.j == 1));
  BOOST_TEST(std::abs(c.overlap - 0.01) < 1e-15);
  BOOST_TEST(largest_difference(c.force, -10 * n) < 1e-12);
  BOOST_TEST(largest_difference(c.normal, n) < 1e-15);
  BOOST_TEST(largest_difference(c.point, Vec3{1, 1, 1} + 0.495 * n) < 1e-15);
  BOOST_TEST(largest_difference(c.branch, 0.79 * n) < 1e-15);
  BOOST_TEST(largest_difference(p.state.bodies.force[0], -10 * n) < 1e-12);
  BOOST_TEST(largest_difference(p.state.bodies.force[1], 10 * n) < 1e-12);
  BOOST_TEST(p.contacts->stored_normal() == 0.05, tolerance(1e-13));
  // Compression is negative: σV = force on i ⊗ branch.
  const Tensor3 virial = p.contacts->virial(p.state);
  BOOST_TEST(virial.m[0][1] == -10 * 0.79 * n.x * n.y, tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_cell_that_shrinks_brings_pairs_near_that_no_body_moved_to) {
  // A gap of 0.06 is more than the skin of 0.05: not listed. The cell then takes both along.
  Case c = space_case({sphere_at({1, 1, 1}, 0.5), sphere_at({2.06, 1, 1}, 0.5)});
  c.periodic = {true, true, true};
  c.cell_size = {4, 4, 4};
  c.skin = 0.05;
  Placed p(c);
  BOOST_TEST(p.contacts->size() == 0u);
  for (Vec3& v : p.state.cell.vectors) v = 0.93 * v;
  for (Vec3& x : p.state.bodies.position[0].stored()) x = p.state.cell_origin + 0.93 * (x - p.state.cell_origin);
  p.evaluate();
  BOOST_TEST(p.contacts->size() == 1u);
}

BOOST_AUTO_TEST_CASE(shear_of_two_spheres) {
  // j slides along y past i: the force on j is −k_t ξ, and the torques go through R − δ/2.
  Case c = space_case({sphere_at({0, 0, 0}, 0.5), sphere_at({0.99, 0, 0}, 0.5)});
  c.material.restitution.reset();
  for (const Transport transport : {Transport::exact, Transport::swing_twist, Transport::projection, Transport::none}) {
    c.contact.transport = transport;
    Placed p(c);
    const double shift = 1e-5;
    p.state.bodies.position[0][1].y += shift;
    p.evaluate();
    const auto all = p.records();
    BOOST_REQUIRE(all.size() == 1u);
    // The normal turns by ψ = shift/0.99 about z. With mid-step arms Δξ = shift cos(ψ/2).
    const double psi = std::atan2(shift, 0.99), force = 700 * shift * std::cos(psi / 2);
    BOOST_TEST(all[0].tangential_force == force, tolerance(1e-12));
    BOOST_TEST(p.state.bodies.torque[0].z == p.state.bodies.torque[1].z, tolerance(1e-12));
    const double arm = 0.5 - 0.5 * all[0].overlap;
    BOOST_TEST(p.state.bodies.torque[0].z == arm * force, tolerance(1e-9));
    BOOST_TEST(p.state.bodies.force[1].y < 0);
    BOOST_TEST(p.contacts->stored_tangential() == 0.5 * force * force / 700, tolerance(1e-9));
  }
}

// A pair that touches turns by 90° as one rigid body about an axis (unit) through the first sphere (direct-shear
// reference, §1.1 and T9). Slip is zero, or δ times the chords of the turn about any axis square to the branch.
BOOST_AUTO_TEST_CASE(a_pair_that_turns_as_one_body) {
  constexpr double radius = 3e-3, overlap = 2e-5;
  Case c = space_case({sphere_at({}, radius), sphere_at({0, 0, 2 * radius - overlap}, radius)});
  c.contact.law = "hooke-history";
  c.material = {.normal_stiffness = 2000, .tangential_stiffness = 1600, .friction = 1e6, .normal_damping = 0};
  c.time.step = 1;
  const auto elongation = [&](Lever lever, Vec3 axis) {
    c.contact.lever = lever;
    Placed p(c);
    const Vec3 start = p.state.bodies.position[0][1], step = (0.5 * pi / 50) * axis;
    for (int k = 1; k <= 50; ++k) {
      p.state.bodies.position[0][1] = rotated(quaternion_of(k * step), start);
      for (Vec3& rotation : p.state.bodies.rotation[0].stored()) rotation = k * step;
      p.evaluate();
      BOOST_TEST_REQUIRE(p.contacts->size() == 1u);
    }
    const ContactRecord record = p.records()[0];
    // Both feel the same couple.
    const double couple = (lever == Lever::radius ? radius : radius - 0.5 * overlap) * record.tangential_force;
    for (const Vec3& torque : p.state.bodies.torque.stored())
      BOOST_TEST(std::abs(norm(torque) - couple) <= 1e-9 * couple + 1e-20);
    return record.elongation;
  };
  for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0.6, -0.8, 0}}) {
    BOOST_TEST(elongation(Lever::contact_point, axis) < 1e-16);
    // The rounding of a hundred steps was 1.5e-14.
    BOOST_TEST(elongation(Lever::radius, axis) == overlap * 100 * std::sin(0.5 * pi / 100), tolerance(1e-13));
  }
  BOOST_TEST(elongation(Lever::radius, {0, 0, 1}) < 1e-16);
}

BOOST_AUTO_TEST_CASE(clusters_touch_at_several_places) {
  // Two flat triangles of spheres face to face: three contacts of one pair of bodies, told apart by their feature.
  BodySpec a;
  a.shape = ShapeKind::cluster;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2 * pi * k / 3;
    a.spheres.push_back({{0.6 * std::cos(angle), 0.6 * std::sin(angle), 0}, 0.4});
  }
  BodySpec b = a;
  b.position = {0, 0, 0.79};
  Case c = space_case({a, b});
  c.material.restitution.reset();
  Placed p(c);
  const auto all = p.records();
  BOOST_REQUIRE(all.size() == 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    BOOST_TEST(std::abs(all[k].overlap - 0.01) < 1e-14);
    BOOST_TEST((all[k].key.i == 0 && all[k].key.j == 1));
    if (k > 0) BOOST_TEST(all[k].key.feature > all[k - 1].key.feature);
  }
  BOOST_TEST(largest_difference(p.state.bodies.force[1], {0, 0, 30}) < 1e-11);
  BOOST_TEST(norm(p.state.bodies.torque[1]) < 1e-12);
  // b turns about z by φ. Each contact shifts by 0.6 φ, and its force of 10 N tilts with its branch of 0.79.
  const double phi = 1e-4;
  p.turn(1, {0, 0, phi});
  p.evaluate();
  BOOST_REQUIRE(p.records().size() == 3u);
  BOOST_TEST(p.state.bodies.torque[1].z == -3 * 0.6 * 0.6 * phi * (700 - 10 / 0.79), tolerance(1e-6));
  // The same tilted about x: the overlaps change, the couple is the moment of the forces at their points.
  p.turn(1, {2e-3, 0, 0});
  p.evaluate();
  Vec3 moment;
  for (const auto& r : p.records()) moment += cross(r.point - p.state.bodies.position[0][1], -r.force);
  BOOST_TEST(largest_difference(p.state.bodies.torque[1], moment) < 1e-10);
}

BOOST_AUTO_TEST_CASE(materials_of_spheres_in_pairs) {
  Case c = space_case({sphere_at({0, 0, 0}, 0.5), sphere_at({0.99, 0, 0}, 0.5), sphere_at({0, 0.99, 0}, 0.5)});
  c.material.restitution.reset();
  c.materials = {{"rubber", 2, 250, 100, 0.9}};
  c.assembly.bodies[1].material = c.assembly.bodies[2].material = "rubber";
  c.assembly.bodies[2].material = "";
  const auto check = [&](double first, double second) {
    const auto all = Placed(c).records();
    BOOST_REQUIRE(all.size() == 2u);
    BOOST_TEST(norm(all[0].force) == first, tolerance(1e-12));
    BOOST_TEST(norm(all[1].force) == second, tolerance(1e-12));
  };
  check(4, 10);  // springs in series: 2·1000·250/1250 = 400
  c.material_pairs = {{"rubber", "", 600, {}, {}}};
  check(6, 10);
}

BOOST_AUTO_TEST_CASE(the_same_lattice_in_another_cell) {
  // Cells (a, b, c) and (a, b + a, c − a + b) are one periodic assembly, also with bodies a cell further.
  Case c = sphere_cloud(4, 0);
  c.contact.law = "linear";
  Case leaning = c;
  leaning.cell_tilt = {c.cell_size.x, -c.cell_size.x, c.cell_size.y};
  Case shifted = c;
  for (std::size_t k = 0; k < shifted.assembly.bodies.size(); k += 3)
    shifted.assembly.bodies[k].position.y += c.cell_size.y;
  Simulation run(c), other(leaning), third(shifted);
  for (int k = 0; k < 150; ++k) run.step(), other.step(), third.step();
  BOOST_TEST(run.contact_count() > 50u);
  BOOST_TEST(run.ledger().friction > 0);
  for (const Simulation* s : {&other, &third}) {
    BOOST_TEST(s->contact_count() == run.contact_count());
    BOOST_TEST(s->ledger().friction == run.ledger().friction, tolerance(1e-9));
    BOOST_TEST(s->ledger().kinetic == run.ledger().kinetic, tolerance(1e-10));
    const Tensor3 a = run.contact_engine().virial(run.state()), b = s->contact_engine().virial(s->state());
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t k = 0; k < 3; ++k) BOOST_TEST(std::abs(a.m[r][k] - b.m[r][k]) < 1e-8 * std::abs(a.m[0][0]));
  }
}

BOOST_AUTO_TEST_CASE(central_impact_has_the_restitution_of_the_material) {
  for (const double restitution : {1.0, 0.9, 0.5})
    for (const Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
      Case c = space_case({sphere_at({0, 0, 0}, 0.5), sphere_at({0.7, 0.75, 0.1}, 0.5)});
      c.material.restitution = restitution;
      c.time.integrator = integrator;
      c.time.step = 2e-4;
      const Vec3 n = (1 / norm(Vec3{0.7, 0.75, 0.1})) * Vec3{0.7, 0.75, 0.1};
      c.assembly.bodies[1].velocity = -0.2 * n;
      const Simulation run = at_time(c, 0.6);
      BOOST_TEST(run.contact_count() == 0u);
      const Vec3 after = run.state().velocity(1) - run.state().velocity(0);
      BOOST_TEST(dot(after, n) == 0.2 * restitution, tolerance(2e-3));
      BOOST_TEST(std::abs(run.ledger().residual()) < 2e-4 * run.ledger().initial);
      BOOST_TEST(run.ledger().viscous == (1 - restitution * restitution) * 0.5 * run.ledger().initial, tolerance(4e-3));
    }
}

BOOST_AUTO_TEST_CASE(rotational_damping_closes_the_ledger) {
  for (const bool cluster : {false, true})
    for (const Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
      Case c = space_case({sphere_at({0, 0, 0}, 0.5), sphere_at({0.98, 0, 0}, 0.5)});
      if (cluster) {
        c.assembly.bodies[1].shape = ShapeKind::cluster;
        c.assembly.bodies[1].spheres = {{{0, 0, 0}, 0.5}, {{0.4, 0.1, 0}, 0.4}};
      }
      for (BodySpec& b : c.assembly.bodies) b.fix_x = b.fix_y = b.fix_z = true;
      c.assembly.bodies[1].velocity = {1, 0, 0};  // the pair parts
      c.assembly.largest_start_overlap = 1;
      c.material.friction = 0;
      c.material.restitution = 1;
      c.material.rotational_damping = 0.2;
      c.time.integrator = integrator;
      c.time.step = 4e-4;
      const auto parted = [&](Vec3 spin) {
        c.assembly.bodies[0].angular_velocity = spin;
        const Simulation run = at_time(c, 0.1);
        BOOST_TEST(run.contact_count() == 0u);
        return run.ledger();
      };
      const EnergyLedger still = parted({}), e = parted({0, 2, 1});
      BOOST_TEST(e.viscous > 0.05 * (e.initial - still.initial));
      // The work of the couple at the end of each step alone leaves 1e-2 of it.
      BOOST_TEST(std::abs(e.residual() - still.residual()) < 1e-4 * e.viscous);
    }
}

BOOST_AUTO_TEST_CASE(a_new_spatial_order_changes_no_motion) {
  using enum VelocitySource;
  for (const VelocitySource source : {predicted, corrected, trapezoid}) {
    Case c = sphere_cloud(5, 3);
    c.contact.elongation = Elongation::velocity;
    c.contact.velocity_source = source;
    const auto moved = [&](std::uint64_t interval) {
      c.spatial_order_interval = interval;
      const Simulation run = advanced(c, 100);
      BOOST_TEST(run.ledger().friction > 0);
      return std::pair(run.state().bodies.position[0].by_number(), run.state().bodies.rotation[0].by_number());
    };
    const auto [position, rotation] = moved(1000);
    const auto [position_2, rotation_2] = moved(20);
    double apart = 0;
    for (std::size_t b = 0; b < position.size(); ++b)
      apart = std::max({apart, norm(position_2[b] - position[b]), norm(rotation_2[b] - rotation[b])});
    BOOST_TEST(apart < 1e-11);
  }
}
