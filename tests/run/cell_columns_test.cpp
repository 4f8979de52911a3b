// Series columns of a driven cell: names that fit their values, and values that fit each other.
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "cell_cases.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/measure/stress.hpp"
#include "libdem/run/observer.hpp"
#include "libdem/run/row_columns.hpp"

using namespace dem;
using namespace dem::test;

namespace {

std::map<std::string, double> named(const std::vector<Column>& columns, const std::vector<double>& row) {
  BOOST_TEST_REQUIRE(columns.size() == row.size());
  std::map<std::string, double> all;
  for (std::size_t k = 0; k < row.size(); ++k) all[columns[k].name] = row[k];
  BOOST_TEST(all.size() == row.size());  // no name twice
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cell_columns_test)

BOOST_AUTO_TEST_CASE(plane) {
  Case c = plane_cell(ShapeKind::disc, 48, 0.25);
  Stage press = cell_stage(at_rate(-0.05), at_rate(-0.05));
  press.void_ratio = 0.19;
  Stage load = cell_stage(at_stress(-20), at_rate(-0.02), at_rate(0.01));
  load.strain = 0.01;
  c.stages = {press, load};
  Simulation run(c);
  RunObserver observer(run);
  while (run.stage() == 0) run.step();
  const double before = run.driver<CellDriver>()->strains()[1];
  for (int k = 0; k < 300; ++k) run.step();
  const auto row = named(observer.columns(), observer.row(run));
  const auto value = [&](const char* name) { return row.at(name); };
  BOOST_TEST(value("strain") == -0.02 * 300 * c.time.step,
             boost::test_tools::tolerance(1e-10));  // of the stage, along the axis with the largest rate
  BOOST_TEST(value("strain_yy") == before + value("strain"), boost::test_tools::tolerance(1e-10));
  BOOST_TEST(value("strain_xy") == 0.01 * 300 * c.time.step, boost::test_tools::tolerance(1e-10));
  BOOST_TEST(value("cell_yy") == run.state().cell.vectors[1].y);
  BOOST_TEST(value("cell_xy") == run.state().cell.vectors[1].x);
  // Stress from the records, another way than by the engine's sum.
  const Tensor3 stress = contact_stress(run.contacts(), run.state().bodies, cell_volume(run.state().cell));
  BOOST_TEST(value("stress_xx") == stress.xx(), boost::test_tools::tolerance(1e-10));
  BOOST_TEST(value("stress_xy") == stress.xy(), boost::test_tools::tolerance(1e-10));
  BOOST_TEST(value("stress_yx") == stress.yx(), boost::test_tools::tolerance(1e-10));
  const Principal p = planar_principal(stress);
  BOOST_TEST(value("mean_pressure") == -0.5 * (p.first + p.second), boost::test_tools::tolerance(1e-10));
  BOOST_TEST(value("deviator_stress") == 0.5 * (p.first - p.second), boost::test_tools::tolerance(1e-10));
  BOOST_TEST(value("stress_ratio") == value("deviator_stress") / value("mean_pressure"),
             boost::test_tools::tolerance(1e-12));
  double solid = 0;
  for (std::size_t b = 0; b < run.state().bodies.size(); ++b) solid += run.state().shape_of(b).area();
  BOOST_TEST(value("void_ratio") == cell_volume(run.state().cell) / solid - 1, boost::test_tools::tolerance(1e-10));
  BOOST_TEST(value("porosity") == 1 - solid / cell_volume(run.state().cell), boost::test_tools::tolerance(1e-10));
  BOOST_TEST(value("coordination_pairs") == value("coordination"),
             boost::test_tools::tolerance(1e-12));  // discs touch once
  BOOST_TEST(value("backbone_coordination") >= value("mechanical_coordination") * (1 - 1e-12));
  BOOST_TEST(value("fraction_at_limit") >= value("sliding_fraction"));
  BOOST_TEST(value("fabric_xx") + value("fabric_yy") == 1, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(value("fabric_deviator") == value("fabric_anisotropy") / std::sqrt(2.0),
             boost::test_tools::tolerance(1e-10));
  BOOST_TEST(value("servo_error") == std::abs(stress.xx() + 20) / 20, boost::test_tools::tolerance(1e-10));
  BOOST_TEST(value("kinetic_pressure") > 0);
  BOOST_TEST(value("inertial_number") > 0);
  while (!run.finished()) run.step();
  observer.row(run);
  const RunNumbers numbers = observer.numbers(run);
  BOOST_TEST(numbers.cell_servo.has_value());
  BOOST_TEST(numbers.inertial_number.has_value());
  BOOST_TEST(numbers.stiffness_number.has_value());
}

BOOST_AUTO_TEST_CASE(space) {
  Case c = space_cell(ShapeKind::sphere, 60, 0.8);
  Stage press = space_stage(at_rate(-0.1), at_rate(-0.1), at_rate(-0.1));
  press.duration = 2;
  c.stages = {press};
  Simulation run(c);
  RunObserver observer(run);
  for (int k = 0; k < 1000; ++k) run.step();
  const auto row = named(observer.columns(), observer.row(run));
  const Tensor3 stress = contact_stress(run.contacts(), run.state().bodies, cell_volume(run.state().cell));
  BOOST_TEST(run.contact_count() > 50u);
  for (const auto& [name, r, k] :
       {std::tuple{"stress_xx", 0u, 0u}, {"stress_xz", 0u, 2u}, {"stress_zy", 2u, 1u}, {"stress_zz", 2u, 2u}})
    BOOST_TEST(std::abs(row.at(name) - stress.m[r][k]) < 1e-10 * std::abs(stress.m[2][2]));
  BOOST_TEST(row.at("mean_pressure") == -(stress.m[0][0] + stress.m[1][1] + stress.m[2][2]) / 3,
             boost::test_tools::tolerance(1e-10));
  BOOST_TEST(row.at("fabric_xx") + row.at("fabric_yy") + row.at("fabric_zz") == 1, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(row.at("strain") == -0.1 * 1000 * c.time.step, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(row.count("cell_yz") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
