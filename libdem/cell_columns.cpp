#include "libdem/cell_columns.hpp"

#include <fmt/format.h>

#include <cmath>

#include "libdem/contacts/pair_coefficients.hpp"
#include "libdem/measure/dimensionless.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/stress.hpp"

namespace dem {

namespace {

constexpr const char* axis = "xyz";

/// Calls f(row, column) for the entries of a tensor; `upper`: only those on and above the diagonal.
template <class F>
void for_each_entry(int dimension, bool upper, F f) {
  for (int r = 0; r < dimension; ++r)
    for (int c = upper ? r : 0; c < dimension; ++c) f(std::size_t(r), std::size_t(c));
}

double entry(const std::array<Vec3, 3>& vectors, std::size_t r, std::size_t c) {
  const Vec3 v = vectors[c];
  return r == 0 ? v.x : r == 1 ? v.y : v.z;
}

bool uses(int component, int dimension) {
  return dimension == 3 || (cell_component_axes[std::size_t(component)][0] < 2 && cell_component_axes[std::size_t(component)][1] < 2);
}

}  // namespace

double cell_inertial_number(const Simulation& run) {
  const double density = run.given().material.density;
  return inertial_number(run.cell()->deviatoric_rate(), run.mean_diameter(), density, mean_pressure(run.cell()->stress(), run.state().dimension));
}

double cell_stiffness_number(const Simulation& run) {
  const double p = mean_pressure(run.cell()->stress(), run.state().dimension), k = mean_springs(run.given(), run.state()).normal;
  return stiffness_number(run.state().dimension == 2 ? k : k / run.mean_diameter(), p);
}

std::vector<Column> cell_columns(int dimension) {
  const char* stress = dimension == 2 ? "N/m" : "Pa";
  std::vector<Column> all{{"strain", "1", "strain of the stage: integral of the largest given rate of the cell, or of the volume's where none is given"}};
  for_each_entry(dimension, true, [&](std::size_t r, std::size_t c) {
    all.push_back({fmt::format("cell_{}{}", axis[r], axis[c]), "m", fmt::format("{} of the cell vector {}", axis[r], "abc"[c])});
  });
  for (int p = 0; p < 6; ++p)
    if (uses(p, dimension))
      all.push_back({fmt::format("strain_{}", cell_component_names[std::size_t(p)]), "1",
                     fmt::format("integral of the cell's rate {}: logarithmic strain since the start, extension positive", cell_component_names[std::size_t(p)])});
  for_each_entry(dimension, false, [&](std::size_t r, std::size_t c) {
    all.push_back({fmt::format("stress_{}{}", axis[r], axis[c]), stress,
                   fmt::format("mean stress of the contacts: force along {}, face normal along {}, tension positive", axis[r], axis[c])});
  });
  const Column rest[] = {
      {"mean_pressure", stress, "minus the mean of the normal stresses, compression positive"},
      {"deviator_stress", stress, dimension == 2 ? "half the difference of the principal stresses" : "q, sqrt(3/2) times the norm of the deviator"},
      {"stress_ratio", "1", dimension == 2 ? "deviator stress over mean pressure: sine of the mobilised friction angle" : "deviator stress over mean pressure"},
      {"kinetic_pressure", stress, "mean pressure of the motion beyond the cell's, not part of the stress above"},
      {"void_ratio", "1", "volume of the voids over that of the bodies"},
      {"porosity", "1", "volume of the voids over that of the cell"},
      {"coordination_pairs", "1", "mean number of touching bodies of a body"},
      {"backbone_share", "1", "share of bodies left when those with fewer than two partners are removed until none is left"},
      {"backbone_coordination", "1", "mean number of contacts within that backbone"},
      {"backbone_coordination_pairs", "1", "mean number of touching bodies within that backbone"},
      {"fraction_at_limit", "1", "share of contacts that slid in this step or are within 1e-5 of the friction limit"},
      {"mean_unbalanced_force", "1", "mean resultant on a body over the mean contact force"},
  };
  all.insert(all.end(), std::begin(rest), std::end(rest));
  for_each_entry(dimension, true, [&](std::size_t r, std::size_t c) {
    all.push_back({fmt::format("fabric_{}{}", axis[r], axis[c]), "1", fmt::format("mean of n_{} n_{} over the contacts", axis[r], axis[c])});
  });
  all.push_back({"fabric_deviator", "1", "norm of the deviator of the fabric tensor"});
  all.push_back({"inertial_number", "1", "inertial number of the cell's deviatoric rate; inf unless the mean pressure is positive"});
  all.push_back({"stiffness_number", "1", "normal stiffness (in space over the mean diameter) over mean pressure"});
  all.push_back({"servo_error", "1", "largest relative deviation of a held stress from its target; nan without one"});
  return all;
}

std::vector<double> cell_row(const Simulation& run, BodySet free) {
  const State& state = run.state();
  const CellDriver& cell = *run.cell();
  const int dimension = state.dimension;
  const auto contacts = run.contacts();
  std::vector<double> row{run.strain()};
  for_each_entry(dimension, true, [&](std::size_t r, std::size_t c) { row.push_back(entry(state.cell.vectors, r, c)); });
  for (int p = 0; p < 6; ++p)
    if (uses(p, dimension)) row.push_back(cell.strain()[std::size_t(p)]);
  const Tensor3& stress = cell.stress();
  for_each_entry(dimension, false, [&](std::size_t r, std::size_t c) { row.push_back(stress.m[r][c]); });
  const double p = mean_pressure(stress, dimension), q = deviator_stress(stress, dimension), voids = cell.void_ratio();
  const Coordination z = coordination_of(contacts, state.bodies, free);
  row.insert(row.end(), {p, q, p > 0 ? q / p : NAN, mean_pressure(kinetic_stress_of_cell(state), dimension), voids, voids / (1 + voids), z.by_pairs,
                         double(z.backbone) / double(z.bodies), z.backbone_by_contacts, z.backbone_by_pairs, fraction_at_limit(contacts, free),
                         mean_unbalanced_force(contacts, state.bodies)});
  const Tensor3 fabric = fabric_tensor(contacts, free);
  for_each_entry(dimension, true, [&](std::size_t r, std::size_t c) { row.push_back(fabric.m[r][c]); });
  row.insert(row.end(), {deviator_norm(fabric, dimension), cell_inertial_number(run), cell_stiffness_number(run), cell.largest_servo_error()});
  return row;
}

}  // namespace dem
