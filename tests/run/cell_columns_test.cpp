// Series columns of a driven cell: names that fit their values, and values that fit each other.
#include "cell_cases.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/measure/stress.hpp"
#include "support/series_row.hpp"

namespace {

/// Stress from the records, another way than by the engine's sum.
Tensor3 stress_of(const Simulation& run) { return contact_stress(run.contacts(), cell_volume(run.state().cell)); }

/// The row after one step of two discs in a cell that is sheared. They overlap by 0.01 m.
SeriesRow row_of_pair(const std::string& material, const std::string& first, const std::string& second) {
  return row_of(advanced(case_of(fmt::format(R"(
cell = {{periodic = ["x", "y"], size = [4.0, 4.0]}}
material = {{{}, tangential_stiffness_ratio = 0.5, friction = 0.5, restitution = 0.8}}
other_material = [{{name = "heavy", density = 4.0}}, {{name = "soft", normal_stiffness = 1e3}},
                  {{name = "stiff", normal_stiffness = 3e3}}]
time.step = 1e-4
body = [{{shape = "disc", radius = 0.5, position = [0.5, 0.5], {}}},
        {{shape = "disc", radius = 0.5, position = [1.49, 0.5], {}}}]
stage = [{{rate_xy = 0.01, duration = 1.0}}]
)",
                                             material, first, second)),
                         1));
}

}  // namespace

BOOST_AUTO_TEST_CASE(columns_of_a_plane_cell) {
  Case c = plane_cell(ShapeKind::disc, 48, 0.25);
  Stage press = cell_stage(at_rate(-0.05), at_rate(-0.05));
  press.void_ratio = 0.19;
  Stage load = cell_stage(at_stress(-20), at_rate(-0.02), at_rate(0.01));
  load.strain = 0.01;
  c.stages = {press, load};
  Simulation run(c);
  RunObserver observer(run);
  run_to(run, 1);
  const double before = run.driver<CellDriver>()->strains()[1];
  advance(run, 300);
  const SeriesRow row = row_of(observer, run);
  const auto value = [&](const char* name) { return row.at(name); };
  const Tensor3 stress = stress_of(run);
  const Principal p = planar_principal(stress);
  const auto& cell = run.state().cell;
  double solid = 0;
  for (std::size_t b = 0; b < run.state().bodies.size(); ++b) solid += run.state().shape_of(b).area();
  check(row, 0, {{"cell_yy", cell.vectors[1].y}, {"cell_xy", cell.vectors[1].x}});
  check(row, 1e-10,
        {{"strain", -0.02 * 300 * c.time.step},  // of the stage, along the axis with the largest rate
         {"strain_yy", before + value("strain")},
         {"strain_xy", 0.01 * 300 * c.time.step},
         {"stress_xx", stress.xx()},
         {"stress_xy", stress.xy()},
         {"stress_yx", stress.yx()},
         {"mean_pressure", -0.5 * (p.first + p.second)},
         {"deviator_stress", 0.5 * (p.first - p.second)},
         {"void_ratio", cell_volume(cell) / solid - 1},
         {"porosity", 1 - solid / cell_volume(cell)},
         {"fabric_deviator", value("fabric_anisotropy") / std::sqrt(2.0)},
         {"servo_error", std::abs(stress.xx() + 20) / 20}});
  check(row, 1e-12,
        {{"stress_ratio", value("deviator_stress") / value("mean_pressure")},
         {"coordination_pairs", value("coordination")},  // discs touch once
         {"fabric_yy", 1 - value("fabric_xx")}});
  BOOST_TEST(value("backbone_coordination") >= value("mechanical_coordination") * (1 - 1e-12));
  BOOST_TEST(value("fraction_at_limit") >= value("sliding_fraction"));
  BOOST_TEST(value("kinetic_pressure") > 0);
  BOOST_TEST(value("inertial_number") > 0);
  finish(run);
  observer.row(run);
  const RunNumbers numbers = observer.numbers(run);
  BOOST_TEST(numbers.cell_servo.has_value());
  BOOST_TEST(numbers.inertial_number.has_value());
  BOOST_TEST(numbers.stiffness_number.has_value());
}

// The inertial number has the density of the bodies, whether [material], another material or the body gives it.
BOOST_AUTO_TEST_CASE(inertial_numbers_have_the_density_of_the_bodies) {
  const auto number_of = [](const std::string& of_material, const std::string& body) {
    return row_of_pair("normal_stiffness = 1e3, density = " + of_material, body, body).at("inertial_number");
  };
  // γ̇ d √(ρ/p) with d = 1 m. Half the force 10 N times the branch 0.99 m over 16 m² is p, but for the dashpot.
  const double four = number_of("4", "density = 4.0");
  BOOST_TEST(four == 0.01 * std::sqrt(4 / (0.5 * 10 * 0.99 / 16)), tolerance(0.02));
  for (const char* body : {"density = 4.0", R"(material = "heavy")"})
    BOOST_TEST(number_of("1", body) == four, tolerance(1e-12));
}

// The stiffness number has the stiffness of the contacts of the bodies, whether [material] or another material gives
// it.
BOOST_AUTO_TEST_CASE(stiffness_numbers_have_the_stiffness_of_the_bodies) {
  const std::string soft = R"(material = "soft")", stiff = R"(material = "stiff")", first = R"(material = "")";
  for (const auto& [of_material, i, j, expected] :
       {std::tuple{"1e3", first, first, 1e3},
        {"1e5", soft, soft, 1e3},
        {"1e5", soft, stiff, 1.5e3},
        {"3e3", soft, first, 1.5e3}}) {  // 1/k is the mean of 1/k_a and 1/k_b
    const SeriesRow row = row_of_pair(std::string("density = 1, normal_stiffness = ") + of_material, i, j);
    BOOST_TEST(row.at("stiffness_number") * row.at("mean_pressure") == expected, tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(columns_of_a_cell_in_space) {
  Case c = space_cell(ShapeKind::sphere, 60, 0.8);
  c.stages = {lasting(2, space_stage(at_rate(-0.1), at_rate(-0.1), at_rate(-0.1)))};
  Simulation run(c);
  RunObserver observer(run);
  advance(run, 1000);
  const SeriesRow row = row_of(observer, run);
  const auto& m = stress_of(run).m;
  BOOST_TEST(run.contact_count() > 50u);
  for (const auto& [name, r, k] :
       {std::tuple{"stress_xx", 0u, 0u}, {"stress_xz", 0u, 2u}, {"stress_zy", 2u, 1u}, {"stress_zz", 2u, 2u}})
    BOOST_TEST(std::abs(row.at(name) - m[r][k]) < 1e-10 * std::abs(m[2][2]));
  check(
      row, 1e-12,
      {{"fabric_zz", 1 - row.at("fabric_xx") - row.at("fabric_yy")}, {"fabric_anisotropy", row.at("fabric_deviator")}});
  check(row, 1e-10, {{"mean_pressure", -(m[0][0] + m[1][1] + m[2][2]) / 3}, {"strain", -0.1 * 1000 * c.time.step}});
  BOOST_TEST(row.count("cell_yz") == 1u);
}
