// The assembly of sphere clusters that the studies load: the real one where its file is present, else a generated one
// of the same kind; its path to a stress ratio, and states on the way that runs start from with identical bits. Source:
// linear-frictional-contact reference, §14 (procedure, planning numbers).
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "libdem/run/simulation.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem::validation::kuhn2020 {

inline constexpr double cluster_stiffness =
    1e5 / 0.9058250162393092;                      ///< k_n = k_t (N/m): p = 100 kPa in the file as it is
inline constexpr double confining_pressure = 1e5;  ///< Pa
inline constexpr double cluster_friction = 0.55;

struct ClusterSource {
  std::filesystem::path file;  ///< empty: generated
  std::string sentence;        ///< which assembly this is, for the report
  bool real() const { return !file.empty(); }
};
/// `sources`: folder of a study. Quick sets use a small generated assembly.
ClusterSource cluster_source(const std::filesystem::path& sources, bool quick);

/// Case without stages: bodies, material, law linear-refined, velocity Verlet with mass damping of 5 % a step, a step
/// at about half the limit of its contacts as they are.
Case cluster_case(const ClusterSource&, bool quick);

/// Stages to q/p = `ratio` at constant mean pressure, compression along x: [compact, confine,] relax, compress, and
/// with `settle` one that holds the stress there until forces balance and one with the cell at rest. `strain_per_step`
/// of the compression.
struct PathChoice {
  double ratio = 0.8;
  double strain_per_step = 5e-8;
  bool settle = true;
};
void add_path(Case&, const ClusterSource&, bool quick, const PathChoice&);
/// A stage of the cell at rest: what a stored state waits in. Follows the path.
Stage rest(double duration);

/// The case as a file, with the assembly's file named instead of its bodies.
std::string case_text(Case, const ClusterSource&);

struct PathRow {
  double stage = 0, strain = 0;      ///< ε_1, compression positive, since the end of the relaxation
  double p = 0, q = 0;               ///< Pa
  double volume = 0;                 ///< ε_v, compression positive
  double sliding = 0, at_limit = 0;  ///< shares of the contacts: slid in this step; within 0.001 % of the limit
  double unbalanced = 0;             ///< mean resultant over mean contact force
  double void_ratio = 0, contacts = 0;
  double residual = 0;  ///< of the ledger, relative
  double friction = 0;  ///< J, dissipated by sliding since the start
  static constexpr std::size_t numbers = 12;
};
std::vector<double> packed(const std::vector<PathRow>&);
std::vector<PathRow> unpacked(const std::vector<double>&);

PathRow measure_row(const Simulation&, double strain_origin, double volume_origin);
/// Runs until no stage but the last `kept` ones is left; a row every `interval` steps and at the end of each stage.
std::vector<PathRow> follow_path(Simulation&, std::size_t kept, std::uint64_t interval, TaskProgress&);

/// State of a run, and back into a case whose stages begin alike.
void store(const Simulation&, const std::filesystem::path&);
void restore(Simulation&, const std::filesystem::path&);

/// (1/V) Σ f ⊗ l in kPa as text, row by row.
std::string shown(const Tensor3&, double unit = 1e3);

}  // namespace dem::validation::kuhn2020
