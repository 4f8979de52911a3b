// The resolved case says everything: reading it gives the same case.
#include <fmt/format.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "libdem/case/case_file.hpp"
#include "libdem/laws/hertz_history.hpp"
#include "libdem/laws/hertz_mindlin.hpp"
#include "libdem/laws/jaeger.hpp"
#include "libdem/platform/text_file.hpp"
#include "line_wall.hpp"

using dem::laws::HertzHistory, dem::laws::HertzMindlin, dem::laws::Jaeger;

namespace {

namespace fs = std::filesystem;
const fs::path examples = fs::path(LIBDEM_SOURCE_DIR) / "apps/examples";

/// The case read back from its resolved text; Case::file is where it came from, which differs.
dem::Case read_back(const dem::Case& c) {
  dem::Case again = dem::parse_case(dem::resolved_case(c), "/elsewhere/resolved.toml");
  BOOST_TEST(again.file == fs::path("/elsewhere/resolved.toml"));
  again.file = c.file;
  return again;
}

/// Every field away from its default, as far as one case allows.
dem::Case unusual_polygons() {
  dem::Case c;
  c.title = "quotes \" and \\ and\nlines, \u03b3";
  c.periodic = {true, false};
  c.cell_origin = {-1.25, 0.1};
  c.cell_size = {1.0 / 3, 7};
  c.gravity = {0.1, -9.81};
  c.skin = 0.037;
  c.threads = 3;
  c.material.density = 2.1;
  c.material.normal_stiffness = 1e5 / 3;
  c.material.tangential_stiffness = 1e4 / 7;
  c.material.friction = 0.3;
  c.material.normal_damping = 0.7;
  c.material.tangential_damping = 0.11;
  c.material.rotational_damping = 1e-3;
  c.contact.elongation = dem::Elongation::geometric;
  c.contact.geometric_form = dem::GeometricForm::centroid_displacement;
  c.contact.arc_correction = true;
  c.contact.lever = dem::Lever::contact_point;
  c.contact.normal_force = dem::NormalForce::area_potential;
  c.contact.potential_exponent = 1.5;
  c.contact.length = dem::CharacteristicLength::sqrt_area_over_pi;
  c.contact.fixed_mass = dem::FixedMass::infinite;
  c.contact.clip_tension = true;
  c.contact.damp_while_sliding = true;
  c.contact.geometry = dem::GeometryMethod::exact;
  c.time = {dem::Integrator::gear5, dem::GearCoefficients::position_only, 1e-5, true, 0.5};
  c.assembly.voronoi = dem::geometry::VoronoiInput{7, 9, 0.3, 0.1, 0.8, (1ull << 62) + 1, 1.7};
  c.assembly.largest_start_overlap = 0.2;
  dem::BodySpec body;
  body.name = "odd";
  body.outline = {{0.1, 0.2}, {1.0 / 3, 0.2}, {0.2, 0.7}};
  body.outline_is_placed = true;
  body.angle = 0.1;
  body.velocity = {1, -2};
  body.spin = 3;
  body.force = {4, 5};
  body.torque = 6;
  body.fix_x = body.fix_rotation = true;
  body.density = 7;
  body.group = "intruders";
  c.assembly.bodies.push_back(body);
  body.outline_is_placed = false;
  body.position = {-3, 1e-300};
  body.fix_y = true;
  body.name = "odder";
  c.assembly.bodies.push_back(body);
  c.assembly.walls.push_back(dem::test::line_wall("w", {0, -1}, {1, -1}, {0.5, 0.6}));
  c.plates = dem::PlatesSpec{false, 7, 0.2, 0.01};
  dem::Stage stage;
  stage.name = "a";
  stage.wall_velocities = {{"w", {0.25, -1e-3}}};
  stage.normal = dem::PlateNormal::move_to_height;
  stage.height = 3;
  stage.plate_speed = 0.1;
  stage.shear_rate = -0.2;
  stage.duration = 5;
  stage.strain = 0.3;
  stage.until_target = true;
  stage.quiet = 1e-9;
  c.stages.push_back(stage);
  stage = {};
  stage.normal = dem::PlateNormal::hold_stress;
  stage.normal_stress = 2;
  stage.plate_speed = 0.3;
  stage.until_target = true;
  stage.stress_tolerance = 0.2;
  stage.stress_hold_time = 4;
  stage.cycles = 7;
  stage.strain_amplitude = 0.002;
  stage.shear_rate = 0.1;
  c.stages.push_back(stage);
  c.output = {1, 2, 3, 4, "speed", false, true};
  return c;
}

dem::Case unusual_discs() {
  dem::Case c;
  c.material.normal_stiffness = 10;
  c.material.restitution = 0.25;
  c.material.tangential_damping_ratio = 0.9;
  c.contact.elongation = dem::Elongation::velocity;
  c.contact.velocity_source = dem::VelocitySource::trapezoid;
  c.contact.lever = dem::Lever::proportional;
  c.contact.normal_force = dem::NormalForce::overlap;
  c.time.integrator = dem::Integrator::velocity_verlet;
  c.time.step = 0.1 + 0.2;
  dem::LatticeSpec lattice;
  lattice.columns = 3;
  lattice.rows = 4;
  lattice.sides = 5;
  lattice.radius = 0.7;
  lattice.elongation = 1.2;
  lattice.spacing = 1.5;
  lattice.hexagonal = false;
  lattice.angle = 0.1;
  lattice.random_angle = 0.2;
  lattice.seed = 99;
  c.assembly.lattice = lattice;
  dem::Stage stage;
  stage.duration = 1;
  c.stages.push_back(stage);
  return c;
}

/// Spheres and clusters in a driven cell.
dem::Case unusual_clusters() {
  dem::Case c;
  c.dimension = 3;
  c.periodic = {true, true, true};
  c.cell_origin = {-1.25, 0.1, 0.7};
  c.cell_size = {4, 5, 1.0 / 3};
  c.cell_tilt = {0.1, 0.2, -1.0 / 7};
  c.gravity = {0, 0.1, -9.81};
  c.spatial_order_interval = 777;
  c.material.normal_stiffness = 1e5 / 3;
  c.material.tangential_stiffness = 1e4 / 7;
  c.material.friction = 0.3;
  c.material.normal_damping = 0.7;
  c.material.tangential_damping_ratio = 0.1;
  c.material.mass_damping = 0.01;
  c.materials = {{"glass", 2.5, 3e5, 1e5 / 3, 0.2}, {"steel", 7.8, 7e5, 4e5, 0.1}};
  c.material_pairs = {{"", "glass", 1e4, {}, 0.7}, {"steel", "glass", {}, 3e4, {}}};
  c.contact.lever = dem::Lever::contact_point;
  c.contact.normal_force = dem::NormalForce::overlap;
  c.contact.transport = dem::Transport::projection_twirl;
  c.contact.clip_tension = true;
  c.time.step = 1e-6;
  dem::BodySpec body;
  body.shape = dem::ShapeKind::cluster;
  body.spheres = {{{0, 0, 0}, 0.8}, {{0.64, 0.1, -1.0 / 3}, 0.6}};
  body.position = {1, 2, 3};
  body.orientation = {0.5, -0.5, 0.5, 0.5};
  body.velocity = {1, 2, -3};
  body.angular_velocity = {0.1, 0.2, 0.3};
  body.force = {0, 0, 1};
  body.applied_couple = {1, 0, 0.5};
  body.fix_x = body.fix_z = body.fix_rotation = true;
  body.material = "steel";
  body.density = 11;
  c.assembly.bodies.push_back(body);
  body = {};
  body.shape = dem::ShapeKind::sphere;
  body.radius = 0.3;
  body.material = "glass";
  c.assembly.bodies.push_back(body);
  using Mode = dem::CellComponent::Mode;
  dem::Stage stage;
  stage.cell.emplace();
  stage.cell->component = {{{Mode::mean_pressure},
                            {Mode::stress, 0, -1e5},
                            {Mode::rate, -0.01},
                            {Mode::stress, 0, 20.0},
                            {Mode::rate, 0.3},
                            {Mode::rate}}};
  stage.cell->mean_pressure = 1e5 / 3;
  stage.cell->largest_rate = 0.5;
  stage.cell->tolerance = 1e-4;
  stage.friction = 0.07;
  stage.mass_damping = 0;
  stage.unbalanced = 1e-5;
  stage.stress_ratio = 0.8;
  stage.void_ratio = 0.57;
  stage.strain = 0.1;
  stage.until_target = true;
  stage.stress_hold_time = 0.3;
  c.stages.push_back(stage);
  stage = {};
  stage.cell.emplace();
  stage.cell->turn_angle = 1.5;
  stage.cell->turn_axis = {1, 2, 3};
  stage.cell->turn_steps = 1000;
  c.stages.push_back(stage);
  stage = {};
  stage.duration = 1;
  c.stages.push_back(stage);
  c.output.ledger = false;
  return c;
}

/// The same keys where the plane has them.
dem::Case driven_discs() {
  dem::Case c = unusual_discs();
  c.assembly.lattice.reset();
  dem::RandomSpec random;
  random.count = 1000;
  random.distribution = "log-normal";
  random.radius = 0.01;
  random.spread = 0.3;
  random.smallest = 0.004;
  random.void_ratio = 0.4;
  random.seed = 5;
  c.assembly.random = random;
  c.periodic = {true, true, false};
  c.cell_tilt = {0.1, 0, 0};
  using Mode = dem::CellComponent::Mode;
  c.stages[0].cell.emplace();
  c.stages[0].cell->component[0] = {Mode::rate, -0.01, 0};
  c.stages[0].cell->component[1].mode = Mode::mean_pressure;
  c.stages[0].cell->component[3] = {Mode::stress, 0, 0};
  c.stages[0].cell->mean_pressure = 100;
  return c;
}

}  // namespace

BOOST_AUTO_TEST_CASE(resolved_case_of_every_example_reads_back_equal) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(examples)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string text = dem::read_file(entry.path());
    if (text.find("\n[[axis]]") != std::string::npos || text.find("\n[path]") != std::string::npos)
      continue;  // a sweep, a driven contact
    BOOST_TEST_CONTEXT(entry.path()) {
      try {
        const dem::Case c = dem::read_case(entry.path());
        BOOST_TEST((read_back(c) == c));
        ++count;
      } catch (const dem::CaseErrors& error) {
        // The pebbles are data beside the project; without them that case cannot be read.
        const bool only_data = std::string(error.what()).find("which is not there") != std::string::npos;
        BOOST_TEST(only_data, error.what());
        BOOST_TEST_MESSAGE("skipped, data missing: " << error.what());
      }
    }
  }
  BOOST_TEST(count >= 5);
}

BOOST_AUTO_TEST_CASE(every_field_survives) {
  for (const dem::Case& c : {unusual_polygons(), unusual_discs(), unusual_clusters(), driven_discs()}) {
    const dem::Case again = read_back(c);
    BOOST_TEST((again.material == c.material));
    BOOST_TEST((again.contact == c.contact));
    BOOST_TEST((again.time == c.time));
    BOOST_TEST((again.assembly == c.assembly));
    BOOST_TEST((again.plates == c.plates));
    BOOST_TEST((again.stages == c.stages));
    BOOST_TEST((again.output == c.output));
    BOOST_TEST((again == c));
    BOOST_TEST(dem::resolved_case(again) == dem::resolved_case(c));
  }
}

BOOST_AUTO_TEST_CASE(hertzian_materials_survive) {
  dem::Case c = unusual_clusters();
  c.contact = {};
  c.contact.law = "jaeger";
  c.contact.normal_force = dem::NormalForce::overlap;
  c.contact.lever = dem::Lever::contact_point;
  c.contact.law.options<Jaeger>() = {0.0625, 0, dem::SlidingDirection::closed_form};
  c.contact.dissimilar_materials = dem::DissimilarMaterials::equivalent;
  c.material.normal_stiffness = c.material.tangential_stiffness = 0;
  c.material.shear_modulus = 2.5e10;
  c.material.poisson_ratio = 0.125;
  c.material.friction = 0.5;
  c.material.tangential_damping.reset();
  c.material.tangential_damping_ratio = -1;
  c.material_pairs.clear();
  for (auto& m : c.materials) {
    m.normal_stiffness = m.tangential_stiffness = 0;
    m.shear_modulus = 1e9;
    m.poisson_ratio = -0.25;
  }
  for (auto& stage : c.stages) stage.friction.reset();
  BOOST_TEST((read_back(c).material == c.material));
  BOOST_TEST((read_back(c).contact == c.contact));
  BOOST_TEST((read_back(c).materials == c.materials));
  BOOST_TEST((read_back(c) == c));
  c.contact.law = "jaeger-checked";
  c.contact.law.options<Jaeger>() = {0, 0.015625, dem::SlidingDirection::closed_form};
  BOOST_TEST((read_back(c) == c));
  c.contact.law = "hertz-mindlin";
  c.contact.law.options<HertzMindlin>().memory = dem::MindlinMemory::turning_points;
  BOOST_TEST((read_back(c) == c));
  c.contact.law = "hertz-history";
  c.contact.damp_while_sliding = false;
  auto& options = c.contact.law.options<HertzHistory>();
  options.friction_limit = dem::FrictionLimit::spring;
  for (const auto variant : {dem::HertzVariant::force_increment, dem::HertzVariant::rescaled}) {
    options.hertz_variant = variant;
    BOOST_TEST((read_back(c) == c));
  }
  options = {};
  for (const auto history : {dem::TangentialHistory::pseudo, dem::TangentialHistory::none}) {
    options.history = history;
    BOOST_TEST((read_back(c) == c));
  }
  c.contact.lever = dem::Lever::radius;
  c.contact.transport = dem::Transport::projection_rescaled;
  c.material.restitution.reset();
  c.material.normal_damping.reset();
  c.material.normal_damping_rate = 40;
  c.material.tangential_damping_ratio = 0.5;
  BOOST_TEST((read_back(c) == c));
  dem::Case speed = c;
  c.material.shear_modulus.reset();
  c.material.poisson_ratio.reset();
  c.material.hertz_normal_stiffness = 1e7;
  c.material.hertz_tangential_stiffness = 8e6;
  for (auto& m : c.materials) m.shear_modulus = m.poisson_ratio = std::nullopt;
  BOOST_TEST((read_back(c).material == c.material));
  BOOST_TEST((read_back(c).materials == c.materials));
  BOOST_TEST((read_back(c) == c));
  speed.contact.law = "hooke-history";
  speed.material.characteristic_speed = 0.0625;
  speed.material.tangential_stiffness_ratio = 0.25;
  BOOST_TEST((read_back(speed).material == speed.material));
  BOOST_TEST((read_back(speed) == speed));
}

BOOST_AUTO_TEST_CASE(grains_survive) {
  dem::Case c = unusual_polygons();
  c.assembly.voronoi.reset();
  c.assembly.grains =
      dem::GrainsSpec{fs::path(LIBDEM_SOURCE_DIR) / "tests/case/roundtrip_test.cpp", 0.1, 2, 0.9, true, true, true};
  BOOST_TEST((read_back(c) == c));
}

BOOST_AUTO_TEST_CASE(random_and_imported_assemblies_keep_their_generator) {
  dem::Case c = unusual_clusters();
  c.assembly.bodies.clear();
  dem::RandomSpec random;
  random.shape = dem::ShapeKind::cluster;
  random.count = 50;
  random.distribution = "grades";
  random.grade_radii = {1e-4, 1.0 / 3};
  random.grade_shares = {3, 1};
  random.cluster = {{{0, 0, 0.1}, 1}, {{0, 0, -0.1}, 0.5}};
  c.assembly.random = random;
  BOOST_TEST((read_back(c) == c));
  random = {};
  random.shape = dem::ShapeKind::sphere;
  random.count = 5;
  random.distribution = "power-law";
  random.smallest = 0.1;
  random.largest = 0.2;
  random.exponent = 2.5;
  c.assembly.random = random;
  BOOST_TEST((read_back(c) == c));
  random = {};
  random.shape = dem::ShapeKind::sphere;
  random.count = 5;
  random.distribution = "log-normal-by-mass";
  random.median_diameter = 0.35e-3;
  random.uniformity = 1.7;
  random.cut = 2.5;
  c.assembly.random = random;
  BOOST_TEST((read_back(c) == c));
  c.assembly.random.reset();
  dem::RainSpec rain;
  static_cast<dem::SizeDistribution&>(rain) = random;
  rain.count = 50;
  rain.columns = 6;
  rain.rows = 7;
  rain.layers = 2;
  rain.pitch = 0.01;
  rain.layer_spacing = 0.0051;
  rain.jitter = 0.3;
  rain.centre = {0.1, -0.2};
  rain.lowest = -0.025;
  rain.width = {0.06, 0.08};
  rain.seed = 9;
  c.assembly.rain = rain;
  BOOST_TEST((read_back(c) == c));
  rain = {};
  rain.columns = rain.rows = 3;
  rain.layers = 5;
  c.assembly.rain = rain;
  BOOST_TEST((read_back(c) == c));
  c.assembly.rain.reset();
  c.assembly.import = dem::ImportSpec{fs::path(LIBDEM_SOURCE_DIR) / "tests/case/roundtrip_test.cpp", 1e-3};
  BOOST_TEST((read_back(c) == c));
}

BOOST_AUTO_TEST_CASE(plane_cases_do_not_mention_what_they_do_not_use) {
  dem::Case c = unusual_polygons();
  const std::string text = dem::resolved_case(c);
  for (const char* key : {"dimension", "tilt", "mass_damping", "transport", "refinements", "sliding_work", "ledger",
                          "rate_xx", "orientation", "couple", "unbalanced", "material", "spatial_order_interval"})
    BOOST_TEST(text.find(fmt::format("\n{} = ", key)) == std::string::npos, key);
  BOOST_TEST(text.find("is not given\n# mean_pressure") == std::string::npos);
  // Spheres have other units, and no contact plane to choose.
  const std::string space = dem::resolved_case(unusual_clusters());
  BOOST_TEST(space.find("density = 11.0  # kg/m³") != std::string::npos);
  BOOST_TEST(space.find("stress_yy = -100000.0  # Pa") != std::string::npos);
  BOOST_TEST(space.find("contact_plane") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(quaternions_become_of_unit_length_once) {
  const std::string text =
      "format = 1\ndimension = 3\n[material]\nnormal_stiffness = 3\nfriction = 0\nrestitution = "
      "1\ntangential_stiffness = 0\n"
      "[time]\nstep = 1e-3\n[[stage]]\nduration = 1\n[[body]]\nshape = \"cluster\"\nspheres = [[0, 0, 0, 1], [0, 0, 1, "
      "0.5]]\n"
      "position = [0, 0, 0]\norientation = [0.8000003, 0.6, 0, 0]\n";
  const dem::Case c = dem::parse_case(text, "case.toml");
  const auto q = c.assembly.bodies[0].orientation;
  BOOST_TEST(std::abs(q.w * q.w + q.x * q.x - 1) < 1e-15);
  BOOST_TEST(q.x / q.w == 0.6 / 0.8000003, boost::test_tools::tolerance(1e-15));
  BOOST_TEST((read_back(c) == c));
  BOOST_TEST(c.assembly.bodies[0].spheres[1].position.z == 1);
}

BOOST_AUTO_TEST_CASE(materials_take_what_they_do_not_say_from_the_first) {
  const dem::Case c = dem::parse_case(
      "format = 1\ndimension = 3\n[material]\ndensity = 2\nnormal_stiffness = 4\nfriction = 0.5\nrestitution = 1\n"
      "tangential_stiffness_ratio = 0.25\n[[other_material]]\nname = \"soft\"\nnormal_stiffness = "
      "2\n[[other_material]]\nname = \"slick\"\n"
      "friction = 0.1\n[[material_pair]]\nsecond = \"soft\"\nfriction = 0\n[time]\nstep = 1e-3\n[[stage]]\nduration = "
      "1\n"
      "[[body]]\nshape = \"sphere\"\nradius = 1\nposition = [0, 0, 0]\nmaterial = \"soft\"\n",
      "case.toml");
  BOOST_TEST_REQUIRE(c.materials.size() == 2);
  BOOST_TEST((c.materials[0] == dem::NamedMaterial{"soft", 2, 2, 0.5, 0.5}));
  BOOST_TEST((c.materials[1] == dem::NamedMaterial{"slick", 2, 4, 1, 0.1}));
  BOOST_TEST((c.material_pairs[0] == dem::MaterialPair{"", "soft", {}, {}, 0.0}));
  BOOST_TEST(c.assembly.bodies[0].material == "soft");
}

BOOST_AUTO_TEST_CASE(what_a_stage_does_not_say_of_the_cell) {
  const std::string head =
      "format = 1\ndimension = 3\n[material]\nnormal_stiffness = 3\nfriction = 0\nrestitution = "
      "1\ntangential_stiffness = 0\n[time]\nstep = 1e-3\n"
      "[assembly]\ngenerator = \"random\"\nshape = \"sphere\"\ncount = 10\n[[stage]]\nduration = 1\n";
  BOOST_TEST(!dem::parse_case(head, "case.toml").stages[0].cell.has_value());
  const auto cell =
      *dem::parse_case(head + "mean_pressure = 10\nrate_zz = -1\nstress_xy = 3\n", "case.toml").stages[0].cell;
  using Mode = dem::CellComponent::Mode;
  const std::array<Mode, 6> modes{Mode::mean_pressure, Mode::mean_pressure, Mode::rate,
                                  Mode::stress,        Mode::rate,          Mode::rate};
  for (std::size_t k = 0; k < 6; ++k) BOOST_TEST((cell.component[k].mode == modes[k]), dem::cell_component_names[k]);
  BOOST_TEST(cell.component[2].rate == -1);
  BOOST_TEST(cell.component[3].stress == 3);
  BOOST_TEST(cell.mean_pressure == 10);
  BOOST_TEST(cell.tolerance == 1e-3);
  BOOST_TEST(!cell.turns());
}

BOOST_AUTO_TEST_CASE(defaults_that_depend_on_other_keys) {
  const std::string head = "format = 1\n[material]\nnormal_stiffness = 300\nfriction = 0.5\nrestitution = 1\n";
  const std::string tail = "[time]\nstep = 1e-3\n[[stage]]\nduration = 1\n";
  const dem::Case discs = dem::parse_case(head + "tangential_stiffness_ratio = 0.25\n" + tail +
                                              "[[body]]\nshape = \"disc\"\nradius = 1\nposition = [0, 0]\n",
                                          "case.toml");
  BOOST_TEST((discs.contact.lever == dem::Lever::conjugate));
  BOOST_TEST((discs.contact.normal_force == dem::NormalForce::overlap));
  BOOST_TEST(discs.material.tangential_stiffness == 75);
  BOOST_TEST(discs.material.tangential_damping_ratio == 0.25);
  BOOST_TEST((discs.periodic == std::array{false, false, false}));

  const dem::Case polygons =
      dem::parse_case(head + "tangential_stiffness = 100\n" + tail +
                          "[plates]\n[assembly]\ngenerator = \"voronoi\"\ncolumns = 12\nspacing = 0.5\n",
                      "case.toml");
  BOOST_TEST((polygons.contact.lever == dem::Lever::contact_point));
  BOOST_TEST((polygons.contact.normal_force == dem::NormalForce::area_over_length));
  BOOST_TEST(polygons.material.tangential_damping_ratio == 100.0 / 300.0);
  BOOST_TEST((polygons.periodic == std::array{true, false, false}));
  BOOST_TEST(polygons.cell_size.x == 6);
  BOOST_TEST(polygons.plates->from_rows);
}

BOOST_AUTO_TEST_CASE(shapes_become_outlines) {
  const dem::Case c = dem::parse_case(
      "format = 1\n[material]\nnormal_stiffness = 3\nfriction = 0\nrestitution = 1\ntangential_stiffness = 0\n"
      "[time]\nstep = 1e-3\n[[stage]]\nduration = 1\n"
      "[[body]]\nshape = \"regular-polygon\"\nsides = 5\nradius = 2\nposition = [1, 2]\nfixed = [\"y\"]\n"
      "[[body]]\nshape = \"rectangle\"\nwidth = 2\nheight = 3\nposition = [5, 2]\n"
      "[[body]]\nshape = \"polygon\"\nvertices = [[0, 0], [1, 0], [0, 1]]\n",
      "case.toml");
  const auto& bodies = c.assembly.bodies;
  BOOST_TEST_REQUIRE(bodies.size() == 3);
  BOOST_TEST(bodies[0].outline.size() == 5);
  BOOST_TEST(dem::geometry::area_properties(bodies[0].outline).area == 4 * 3.14159265358979323846,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(!bodies[0].fix_x);
  BOOST_TEST(bodies[0].fix_y);
  BOOST_TEST(dem::geometry::area_properties(bodies[1].outline).area == 6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(!bodies[1].outline_is_placed);
  BOOST_TEST(bodies[2].outline_is_placed);
}

BOOST_AUTO_TEST_CASE(file_names_are_relative_to_the_case_file) {
  const fs::path here = fs::path(LIBDEM_SOURCE_DIR) / "tests/case";
  const dem::Case c = dem::parse_case(
      "format = 1\n[material]\nnormal_stiffness = 3\nfriction = 0\nrestitution = 1\ntangential_stiffness = 0\n"
      "[time]\nstep = 1e-3\n[[stage]]\nduration = 1\n[assembly]\ngenerator = \"grains\"\nfile = \"../main.cpp\"\n",
      here / "case.toml");
  BOOST_TEST(c.assembly.grains->file == here.parent_path() / "main.cpp");
}
