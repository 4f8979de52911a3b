// Properties that every law must keep, by default and with each option at another value. New rows need no line here.
#include "geometry/random.hpp"
#include "libdem/contacts/one_contact.hpp"
#include "support/resumed.hpp"
#include "tests/cases.hpp"

using laws::Key;
using laws::KeyForm;
using laws::StepRegime;

namespace {

constexpr double friction = 0.4, k_t = 3e4, k_n = 1e5, overlap = 1e-3;

/// Values of a key that are not its default; none where there is no other.
std::vector<Key::Value> other_values(const Key& key, const Key::Value& now) {
  std::vector<Key::Value> values;
  if (key.kind == KeyForm::Kind::truth) values.push_back(!std::get<bool>(now));
  if (key.kind == KeyForm::Kind::number) values.push_back(std::min(key.range.high, std::max(key.range.low, 0.01)));
  if (key.kind == KeyForm::Kind::words) values.push_back(std::vector<std::string>{});
  if (key.kind == KeyForm::Kind::word)
    for (const auto& [word, meaning] : key.words)
      if (word != std::get<std::string>(now)) values.push_back(word);
  return values;
}

struct Variant {
  laws::LawChoice law;
  std::string name;
  bool is_default = true;
};

/// All laws with all single changes of options that they accept.
std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const laws::LawEntry& law : laws::catalogue()) {
    all.push_back({laws::LawChoice(law.name), std::string(law.name), true});
    for (const Key& key : law.keys)
      for (const Key::Value& value : other_values(key, key.get(law.defaults.data()))) {
        laws::LawChoice choice(law.name);
        key.set(choice.data(), value);
        bool refused = false;
        laws::Setting setting;
        setting.friction = friction;
        choice->check(choice.data(), setting, [&](std::string_view, std::string_view) { refused = true; });
        if (!refused && !(choice == laws::LawChoice(law.name)))
          all.push_back({choice, std::string(law.name) + " with another " + key.name, false});
      }
  }
  return all;
}

ContactDrive drive_of(const Variant& variant) {
  return {.law = variant.law,
          .friction = friction,
          .normal_stiffness = k_n,
          .tangential_stiffness = k_t,
          .hertz = {laws::Hertz::modulus_of(1e9, 0.25), laws::Hertz::ratio_of(0.25), 0.1},
          .time_step = 1e-4,  // dashpots have no coefficients
          .start_overlap = overlap};
}
double start_force(const ContactDrive& drive) {
  return drive.law->hertzian ? drive.hertz.force(overlap) : k_n * overlap;
}

laws::ContactSprings springs_of(const ContactDrive& drive) {
  const double normal = drive.law->hertzian ? drive.hertz.tangent(overlap) : k_n;
  return {k_t, drive.hertz.modulus, drive.hertz.ratio, drive.hertz.radius, normal};
}

/// False: the tangential force is that of the dashpot alone, which has no coefficient here.
bool has_spring(const Variant& variant) { return variant.law.history() != TangentialHistory::none; }

/// A walk in the contact plane, with steps of up to the shift at which a contact that sticks would slide.
ContactDrive walk(const Variant& variant, std::uint64_t seed) {
  ContactDrive drive = drive_of(variant);
  geometry::Random random(seed);
  const double step = friction * start_force(drive) / drive.law->tangent(drive.law.data(), springs_of(drive));
  for (int k = 0; k < 200; ++k) {
    const double angle = 6.28 * random.uniform(), size = step * random.uniform();
    drive.rows.push_back(
        {overlap * (0.5 + random.uniform()), {size * std::cos(angle), size * std::sin(angle), 0}, {}, {}, {}});
  }
  return drive;
}

Case two_bodies(const Variant& variant, int dimension) {
  Case c = space_case({sphere_at({0, 0, 0}, 0.5), sphere_at({0.99, 0.1, 0.05}, 0.5)});
  c.assembly.bodies[1].velocity = {-1, 0.6, 0.3};
  c.assembly.bodies[1].angular_velocity = {2, 5, -3};
  if (dimension == 2) {
    c.dimension = 2;
    c.material.tangential_stiffness = 300;
    c.contact.normal_force = NormalForce::overlap;
    for (BodySpec& b : c.assembly.bodies) {
      b.shape = ShapeKind::disc;
      b.position.z = b.velocity.z = 0;
      b.angular_velocity = {};
    }
  }
  c.material.friction = friction;
  if (variant.law->hertzian) c = hertzian(c, std::string(variant.law.name()));
  c.contact.law = variant.law;
  c.assembly.largest_start_overlap = 0.5;
  c.time.override_limit = true;
  return c;
}

constexpr int stages_of_walk = 12, steps_of_stage = 5;
constexpr double radius = 0.5, walk_step = 1e-4;

/// `test(variant, dimension)` for all variants; Hertzian contacts are in space only.
template <class Test>
void in_plane_and_space(Test test) {
  for (const int dimension : {2, 3})
    for (const Variant& variant : variants())
      if (dimension == 3 || !variant.law->hertzian)
        BOOST_TEST_CONTEXT(variant.name << " in " << dimension << " dimensions") test(variant, dimension);
}

/// A body too heavy to be moved by its contact. The wall under it moves, and the contact with it.
Case body_on_moving_wall(const Variant& variant, int dimension, const std::vector<Vec3>& velocities) {
  const bool space = dimension == 3;
  std::string text = fmt::format(
      "{}material = {{density = 1e12, friction = 0.4, normal_damping = 0, {}}}\ncontact.law = \"{}\"\n"
      "time = {{step = {}, override_limit = true}}\n[[wall]]\nname = \"w\"\n{}\n"
      "[[body]]\nradius = {}\nfixed = [\"rotation\"]\n{}{}]\n",
      space ? "dimension = 3\n" : "",
      variant.law->hertzian ? "shear_modulus = 1e9, poisson_ratio = 0.25"
                            : "normal_stiffness = 1e5, tangential_stiffness = 3e4",
      variant.law.name(), walk_step,
      space ? "shape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]" : "from = [0, 0]\nto = [1, 0]", radius,
      space ? "shape = \"sphere\"\nposition = [0, 0, " : "shape = \"disc\"\nposition = [0, ", radius - overlap);
  for (const Vec3& v : velocities)
    text += fmt::format("[[stage]]\nduration = {}\nwall_velocities = [[\"w\", [{}, {}{}]]]\n",
                        steps_of_stage * walk_step, v.x, v.y, space ? fmt::format(", {}", v.z) : "");
  Case c = case_of(text);
  c.contact.law = variant.law;
  return c;
}

/// Velocities of the wall under which the contact sticks and slides, x and y along the wall.
std::vector<Vec3> random_velocities(const ContactDrive& drive, std::uint64_t seed) {
  geometry::Random random(seed);
  const double step = 0.5 * friction * start_force(drive) / drive.law->tangent(drive.law.data(), springs_of(drive));
  std::vector<Vec3> all;
  double now = overlap;
  for (int k = 0; k < stages_of_walk; ++k) {
    const double angle = 6.28 * random.uniform(), size = step * random.uniform();
    const double next = overlap * (0.5 + random.uniform());
    all.push_back((1 / walk_step) *
                  Vec3{size * std::cos(angle), size * std::sin(angle), (next - now) / steps_of_stage});
    now = next;
  }
  return all;
}

}  // namespace

// The engines hand the law the movement that dem contact would, and keep what it answers.
BOOST_AUTO_TEST_CASE(records_of_a_run_are_those_of_the_law_alone) {
  in_plane_and_space([](const Variant& variant, int dimension) {
    ContactDrive drive = drive_of(variant);
    drive.hertz.radius = 2 * radius;  // of a sphere on a plane
    std::vector<Vec3> walk = random_velocities(drive, 11);
    double now = overlap;
    for (const Vec3& v : walk)
      for (int k = 0; k < steps_of_stage; ++k) {
        now += walk_step * v.z;
        drive.rows.push_back({now, walk_step * Vec3{v.x, dimension == 3 ? v.y : 0, 0}, {}, {}, {}});
      }
    const auto states = drive_contact(drive);

    if (dimension == 2)
      for (Vec3& v : walk) v = {v.x, v.z, 0};
    Simulation run(body_on_moving_wall(variant, dimension, walk));
    double most = 0;
    for (std::size_t k = 1; k < states.size(); ++k) {
      run.step();
      BOOST_TEST_REQUIRE(run.contacts().size() == 1u);
      const ContactRecord& record = run.contacts()[0];
      const DriveState& state = states[k];
      const double limit = friction * state.normal_force;
      BOOST_TEST_INFO("step " << k);
      BOOST_TEST(std::abs((dimension == 3 ? record.force.z : record.force.y) - state.normal_force) <=
                 1e-8 * state.normal_force);
      BOOST_TEST(std::abs(record.force.x - state.tangential.x) <= 1e-7 * limit);
      BOOST_TEST(record.stored_normal == state.stored_normal, tolerance(1e-7));
      const double tangent = variant.law->tangent(variant.law.data(), {k_t, drive.hertz.modulus, drive.hertz.ratio,
                                                                       drive.hertz.radius, record.normal_stiffness});
      BOOST_TEST(record.tangential_stiffness == (record.regime == Regime::slip ? 0 : tangent), tolerance(1e-9));
      if (k == 1 && variant.law.name().starts_with("jaeger"))  // what it holds is the movement while it does not slide
        BOOST_TEST(record.elongation == norm(drive.rows[0].shift), tolerance(1e-7));
      if (dimension == 3) BOOST_TEST(std::abs(record.force.y - state.tangential.y) <= 1e-7 * limit);
      if (!std::isnan(record.stored_tangential))
        BOOST_TEST(std::abs(record.stored_tangential - state.stored_tangential) <= 1e-7 * limit * overlap);
      most = std::max(most, std::abs(record.force.x) / limit);
    }
    if (variant.is_default) BOOST_TEST(most > 0.9);  // it slides
  });
}

BOOST_AUTO_TEST_CASE(there_are_variants_of_laws) { BOOST_TEST(variants().size() > laws::catalogue().size()); }

BOOST_AUTO_TEST_CASE(friction_limits_the_force) {
  for (const Variant& variant : variants()) BOOST_TEST_CONTEXT(variant.name)
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto states = drive_contact(walk(variant, seed));
    double slid = 0;
    for (const DriveState& s : states) {
      const double force = std::hypot(s.tangential.x, s.tangential.y);
      BOOST_TEST(force <= friction * s.normal_force * (1 + 1e-9));
      slid += force >= friction * s.normal_force * (1 - 1e-9);
    }
    if (has_spring(variant)) BOOST_TEST(slid > 0);  // the walk meets the limit
  }
}

BOOST_AUTO_TEST_CASE(without_friction_there_is_no_force_and_no_energy) {
  for (const Variant& variant : variants()) BOOST_TEST_CONTEXT(variant.name) {
      ContactDrive drive = walk(variant, 7);
      drive.friction = 0;
      for (std::size_t k = 0; k < drive.rows.size(); k += 50) drive.rows[k].overlap = 0;
      const auto states = drive_contact(drive);
      for (std::size_t k = 0; k < drive.rows.size(); ++k) {
        const DriveState& s = states[k + 1];
        BOOST_TEST((s.tangential == Vec3{} && s.stored_tangential == 0 && s.dissipated == 0));
        BOOST_TEST((s.regime == (k % 50 == 0 ? StepRegime::separated : StepRegime::slide)));
      }
    }
}

BOOST_AUTO_TEST_CASE(work_is_stored_or_dissipated) {
  for (const Variant& variant : variants()) BOOST_TEST_CONTEXT(variant.name) {
      if (!variant.law->has_potential || (variant.law->legs >= 0 && !variant.is_default))
        continue;  // merging takes energy, told apart
      const auto states = drive_contact(walk(variant, 3));
      double work = 0, dissipated = 0, exchanged = 0;
      for (const DriveState& s : states) {
        work += s.work, dissipated += s.dissipated, exchanged += std::abs(s.work);
        BOOST_TEST(std::abs(work - dissipated - s.stored_tangential) <= 1e-9 * exchanged);
      }
      if (has_spring(variant)) BOOST_TEST(exchanged > 0);
    }
}

BOOST_AUTO_TEST_CASE(the_stated_tangent_is_the_largest) {
  for (const Variant& variant : variants()) BOOST_TEST_CONTEXT(variant.name) {
      ContactDrive drive = drive_of(variant);
      const double tangent = variant.law->tangent(variant.law.data(), springs_of(drive));
      const double shift = 1e-5 * friction * start_force(drive) / tangent;
      drive.rows = {{overlap, {shift, 0, 0}, {}, {}, {}}};
      const double quotient = std::abs(drive_contact(drive)[1].tangential.x) / shift;
      BOOST_TEST(quotient <= tangent * (1 + 1e-9));
      if (variant.is_default) BOOST_TEST(quotient == tangent, tolerance(1e-4));
    }
}

BOOST_AUTO_TEST_CASE(a_run_goes_on_after_each_step) {
  in_plane_and_space([](const Variant& variant, int dimension) {
    const Case c = two_bodies(variant, dimension);
    Simulation run(c);
    int in_contact = 0;
    for (int k = 0; k < 60; ++k) {
      Simulation resumed = resumed_from(run, c);
      BOOST_TEST_REQUIRE(resumed.hash() == run.hash());
      run.step(), resumed.step();
      BOOST_TEST_REQUIRE(resumed.hash() == run.hash());
      in_contact += run.contact_count() > 0;
    }
    BOOST_TEST(in_contact > 5);
  });
}

// The promise of the ledger for a shear run. There is no circulation where a law has a potential. Bodies start in
// contact and part: two steps have a first-order error.
BOOST_AUTO_TEST_CASE(the_ledger_of_every_law_closes) {
  in_plane_and_space([](const Variant& variant, int dimension) {
    Case c = two_bodies(variant, dimension);
    c.time.step = 2e-4;
    const Simulation run = at_time(c, 0.3);
    BOOST_TEST(run.ledger().absolute_work > 0);
    BOOST_TEST(run.ledger().relative_residual() < 1e-3);
    if (run.law_has_potential()) BOOST_TEST(std::abs(run.ledger().circulation) <= 1e-12 * run.ledger().absolute_work);
  });
}
