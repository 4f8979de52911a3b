// Columns of a run that drives its cell: shape, strain, stress, and measures of its assembly. The plane has xx, xy, yx,
// yy.

#include <fmt/format.h>

#include <cmath>

#include "libdem/drivers/cell_drive.hpp"
#include "libdem/measure/dimensionless.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/stress.hpp"
#include "libdem/run/row_columns.hpp"

namespace dem {
namespace {

constexpr const char* axis = "xyz";
using Look = const RowLook&;

/// Calls f(row, column) for the entries of a tensor. With `upper` these are the ones on and above the diagonal.
template <class F>
void for_each_entry(int dimension, bool upper, F f) {
  for (int r = 0; r < dimension; ++r)
    for (int c = upper ? r : 0; c < dimension; ++c) f(std::size_t(r), std::size_t(c));
}

bool uses(std::size_t component, int dimension) {
  return dimension == 3 || (cell_component_axes[component][0] < 2 && cell_component_axes[component][1] < 2);
}

const CellDriver& cell(Look l) { return *l.run.driver<CellDriver>(); }
double pressure(Look l) { return mean_pressure(cell(l).stress(), l.state().dimension); }
double deviator(Look l) { return deviator_stress(cell(l).stress(), l.state().dimension); }

}  // namespace

double cell_inertial_number(const Simulation& run) {
  const CellDriver& driver = *run.driver<CellDriver>();
  return inertial_number(driver.deviatoric_rate(), run.scale().mean_diameter, run.scale().mean_density,
                         mean_pressure(driver.stress(), run.state().dimension));
}

RowColumns cell_columns(int dimension) {
  const char* stress = dimension == 2 ? "N/m" : "Pa";
  RowColumns all{
      {{"strain", "1",
        "strain of the stage: integral of the largest given rate of the cell, or of the volume's where none is given"},
       [](Look l) { return l.run.strain(); }}};
  for_each_entry(dimension, true, [&](std::size_t r, std::size_t c) {
    all.push_back(
        {{fmt::format("cell_{}{}", axis[r], axis[c]), "m", fmt::format("{} of the cell vector {}", axis[r], "abc"[c])},
         [r, c](Look l) { return component(l.state().cell.vectors[c], r); }});
  });
  for (std::size_t p = 0; p < 6; ++p)
    if (uses(p, dimension))
      all.push_back(
          {{fmt::format("strain_{}", cell_component_names[p]), "1",
            fmt::format("integral of the cell's rate {}: logarithmic strain since the start, extension positive",
                        cell_component_names[p])},
           [p](Look l) { return cell(l).strains()[p]; }});
  for_each_entry(dimension, false, [&](std::size_t r, std::size_t c) {
    all.push_back({{fmt::format("stress_{}{}", axis[r], axis[c]), stress,
                    fmt::format("mean stress of the contacts: force along {}, face normal along {}, tension positive",
                                axis[r], axis[c])},
                   [r, c](Look l) { return cell(l).stress().m[r][c]; }});
  });
  append(
      all,
      {
          {{"mean_pressure", stress, "minus the mean of the normal stresses, compression positive"}, pressure},
          {{"deviator_stress", stress,
            dimension == 2 ? "half the difference of the principal stresses"
                           : "q, sqrt(3/2) times the norm of the deviator"},
           deviator},
          {{"stress_ratio", "1",
            dimension == 2 ? "deviator stress over mean pressure: sine of the mobilised friction angle"
                           : "deviator stress over mean pressure"},
           [](Look l) { return pressure(l) > 0 ? deviator(l) / pressure(l) : NAN; }},
          {{"kinetic_pressure", stress, "mean pressure of the motion beyond the cell's, not part of the stress above"},
           [](Look l) { return mean_pressure(kinetic_stress_of_cell(l.state()), l.state().dimension); }},
          {{"void_ratio", "1", "volume of the voids over that of the bodies"},
           [](Look l) { return cell(l).void_ratio(); }},
          {{"porosity", "1", "volume of the voids over that of the cell"},
           [](Look l) { return cell(l).void_ratio() / (1 + cell(l).void_ratio()); }},
          {{"coordination_pairs", "1", "mean number of touching bodies of a body"},
           [](Look l) { return l.coordination().by_pairs; }},
          {{"backbone_share", "1",
            "share of bodies left when those with fewer than two partners are removed until none is left"},
           [](Look l) { return double(l.coordination().backbone) / double(l.coordination().bodies); }},
          {{"backbone_coordination", "1", "mean number of contacts within that backbone"},
           [](Look l) { return l.coordination().backbone_by_contacts; }},
          {{"backbone_coordination_pairs", "1", "mean number of touching bodies within that backbone"},
           [](Look l) { return l.coordination().backbone_by_pairs; }},
          {{"fraction_at_limit", "1",
            "share of contacts that slid in this step or are within 1e-5 of the friction limit"},
           [](Look l) { return fraction_at_limit(l.contacts(), l.free); }},
          {{"mean_unbalanced_force", "1", "mean resultant on a body over the mean contact force"},
           [](Look l) { return force_sums(l.contacts(), l.state().bodies).ratio(); }},
      });
  for_each_entry(dimension, true, [&](std::size_t r, std::size_t c) {
    all.push_back({{fmt::format("fabric_{}{}", axis[r], axis[c]), "1",
                    fmt::format("mean of n_{} n_{} over the contacts", axis[r], axis[c])},
                   [r, c](Look l) { return l.fabric().m[r][c]; }});
  });
  append(all, {
                  {{"fabric_deviator", "1", "norm of the deviator of the fabric tensor"},
                   [](Look l) { return deviator_norm(l.fabric(), l.state().dimension); }},
                  {{"inertial_number", "1",
                    "inertial number of the cell's deviatoric rate; inf unless the mean pressure is positive"},
                   [](Look l) { return l.inertial_number(); }},
                  {{"stiffness_number", "1", "normal stiffness (in space over the mean diameter) over mean pressure"},
                   [](Look l) { return l.stiffness_number(); }},
                  {{"servo_error", "1", "largest relative deviation of a held stress from its target; nan without one"},
                   [](Look l) { return cell(l).largest_servo_error(); }},
              });
  return all;
}

}  // namespace dem
