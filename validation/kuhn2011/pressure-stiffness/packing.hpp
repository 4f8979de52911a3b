// Shear stiffness of a random packing of spheres as the pressure rises: preparation, and probes of stored states.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem::validation::kuhn2011::stiffness {

struct PackingChoice {
  std::string law = "jaeger";
  std::uint64_t seed = 1;
  std::size_t spheres = 600;
  std::vector<double> pressures;  ///< over the shear modulus of the spheres, rising
  double normal_stiffness = 0;    ///< law linear
  double strain = 2e-3;           ///< shear strain of a probe over (p/G)^(2/3), the order of overlap over diameter
  int rest_steps = 1500;          ///< after the strain
};

/// Of one state.
struct StateModuli {
  double pressure = 0;     ///< in units of the modulus of the spheres, as the stress of the cell gives it
  double shear = 0;        ///< modulus, mean of two planes
  double spread = 0;       ///< half of their difference
  double half_strain = 0;  ///< of the first plane by half the strain, over that by the full one
  double affine = 0;       ///< sum over contacts as if all moved with the cell
  double coordination = 0, backbone = 0,
         solid = 0;  ///< contacts of a sphere that is no rattler, share of such spheres; solid fraction
  double stiffness = 0, overlap = 0;  ///< mean K_n and mean overlap of the contacts
  double unbalanced = 0;              ///< mean resultant over mean contact force
  double slipping = 0;                ///< share of contacts at the limit of friction
  static constexpr std::size_t numbers = 12;
};

/// K_n of a mean Hertz contact at this pressure.
double hertz_stiffness_at(double pressure);

/// Radii 0.4 to 0.6, density 1, shear modulus 1. Compressed to the first pressure without friction, which makes it
/// dense; then friction 0.3, and a stage that ends when forces balance for each pressure.
Case packing_case(const PackingChoice&);

/// Loads the packing step by step; `folder` takes the states that probes start from. Numbers of StateModuli in a row.
std::vector<double> measure_packing(const PackingChoice&, const std::filesystem::path& folder, TaskProgress&);
std::vector<StateModuli> unpack_moduli(const std::vector<double>&);

struct Estimate {
  double value = 0, error = 0;
};
/// Mean of samples and the half width of its 95 % interval (Student).
Estimate mean_of(const std::vector<double>& samples);

}  // namespace dem::validation::kuhn2011::stiffness
