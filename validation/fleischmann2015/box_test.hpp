// Direct shear tests of the direct-shear reference, §2: the case of a box, its packing, the shear test from that
// packing, and the curve.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "libdem/laws/hertz_history.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/sweep/tasks.hpp"
#include "validation/fleischmann2015/ordering.hpp"

namespace dem::validation::fleischmann2015 {

/// Spheres, box and preparation; SI.
struct BoxSetup {
  int per_layer = 6, layers = 50;  ///< spheres along x and y in a layer of the rain; layers
  double diameter = 5e-3, density = 2500, young = 8e6, poisson = 0.3, restitution = 0.9, friction = 0.5;
  double wall_friction = 0.5;
  double side = 0.06, depth = 0.025, gap = 2.5e-3, ledge = 0.012;
  std::optional<double> compaction_friction = 0.05;  ///< none: unchanged
  double rain = 0.3, compaction = 0.3, rest = 0.1;   ///< s
  double stress = 1000;                              ///< of the plate while it compacts (Pa)
  double servo_gain = 0.14;  ///< of the plate (m/s per N); 0: it falls as a weight, and hits what it falls on
  double step = 2e-5;        ///< s
  std::optional<SizeDistribution>
      sizes;             ///< instead of equal ones of `diameter`, which then is what lengths are compared with
  double largest = 0;    ///< diameter of the largest of them (m)
  double jitter = 0.99;  ///< of the rain, over the largest radius
  std::uint64_t seed = 1;
  bool ledger = false;  ///< keep the energy ledger, here and in the shear
  std::size_t count() const { return std::size_t(per_layer) * std::size_t(per_layer) * std::size_t(layers); }
};
/// 1800 spheres (Fig. 2) and 5000 glass beads (Fig. 3).
BoxSetup spheres_1800();
BoxSetup beads_5000(double young);

/// A shear test: what differs from the packing.
struct ShearTest {
  std::string label;
  TangentialHistory history = TangentialHistory::whole;
  std::string law = "hertz-history";
  double stress = 1000;                            ///< Pa
  std::optional<double> wall_friction;             ///< none: that of the packing
  double speed = 0.01, travel = 0.01;              ///< m/s, m
  double young_factor = 1;                         ///< of E: k_n and k_t
  std::optional<double> stiffness_ratio;           ///< Hooke only: k_t/k_n
  std::optional<double> servo_gain;                ///< none: that of the packing
  std::optional<double> restitution;               ///< γ_n, and γ_t with it
  std::optional<double> tangential_damping_ratio;  ///< γ_t/γ_n
  HertzVariant hertz_variant = HertzVariant::displacement;
  std::optional<Lever> lever;      ///< none: of the middle of the overlap
  std::optional<double> friction;  ///< of everything
};

/// One point of a curve: means over 0.1 mm of travel.
struct BoxRow {
  double displacement = 0;                 ///< m, in the middle
  double shear = 0, plate = 0, plane = 0;  ///< T, load of the plate, N (N)
  double above = 0, drag = 0;              ///< weight above the plane, drag of the upper walls (N)
  double rise = 0;                         ///< of the plate since the start of shear (m)
  double void_ratio = 0;
  static constexpr std::size_t numbers = 8;
};

struct BoxCurve {
  double area = 0, load = 0, diameter = 0;  ///< m², σA (N), m
  double porosity = 0, height = 0;          ///< before shear: 1; m
  double particle_steps = 0, seconds = 0;   ///< of the whole test
  double residual = 0, circulation = 0,
         absolute_work = 0;  ///< of the ledger since the packing (J); 0 where it is not kept
  std::vector<BoxRow> rows;

  double published(const BoxRow& r) const { return r.shear / load; }  ///< T/(σA)
  static double angle(const BoxRow& r);                               ///< atan(T/N), degrees
  const BoxRow& peak() const;                                         ///< largest T
  BoxRow mean(double from, double to) const;                          ///< of the rows between these displacements (m)
  std::vector<double> pack() const;
  static BoxCurve unpack(const std::vector<double>&);
};

/// The case with the stages that make the packing.
Case packing_case(const BoxSetup&);
/// The case with the stages that shear it.
Case shear_case(const BoxSetup&, const ShearTest&);

struct PackingReport {
  double porosity = 0, height = 0, particle_steps = 0, seconds = 0;
  double core = 0;          ///< solid fraction farther than 2.5 diameters from the walls
  double largest_load = 0;  ///< of the plate while it compacts, over σA
  WallProfile profile;
  std::vector<double> pack() const;
  static PackingReport unpack(const std::vector<double>&);
};
/// Makes the packing and keeps it in a file.
PackingReport make_packing(const BoxSetup&, const std::filesystem::path& file, TaskProgress&);
/// Shears the packing of that file.
BoxCurve shear(const BoxSetup&, const ShearTest&, const std::filesystem::path& packing, TaskProgress&);

}  // namespace dem::validation::fleischmann2015
