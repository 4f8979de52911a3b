// One run of the shear cell for the slow-shear study: its series while shearing, a profile, its last picture.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/sweep/tasks.hpp"
#include "validation/study.hpp"

namespace dem::validation::pena2008 {

/// What a run of the shear cell leaves. A row every output.series_interval of the case while the plates shear; stresses
/// and energy are means over that interval, which takes out vibrations of a few contact times; counts are those at its
/// end.
struct ShearRecord {
  std::vector<double> strain;                         ///< at the end of the interval
  std::vector<double> shear_bottom, shear_top;        ///< N/m, positive as Plates has them
  std::vector<double> normal;                         ///< mean of both plates, compression positive (N/m)
  std::vector<double> kinetic;                        ///< of free coordinates (J), sampled every tenth step
  std::vector<double> sliding, coordination, height;  ///< 1, 1, m

  double start_height = 0;             ///< when shearing began (m)
  double inertial = 0, stiffness = 0;  ///< inertial number of the held stress and rate; smallest k_n/σ of a row
  double plane_jumps_per_million = 0;  ///< contact steps with a jump of the plane, whole run
  double ledger_residual = 0;          ///< relative
  double time_step = 0;                ///< s; 0: that of the case
  // Displacement along x between the strain `discard` and the end, in height layers of equal thickness from plate to
  // plate.
  std::vector<double> layer_height;    ///< of its middle, in H above the bottom plate
  std::vector<double> layer_shift;     ///< u_x/(Δγ H), 0 in the middle of a homogeneous shear; NaN: no body
  std::vector<double> layer_rotation;  ///< mean rotation/Δγ; −1/2 in a homogeneous shear
  std::vector<DrawnPolygon> picture;   ///< all bodies at the end

  double shear(std::size_t row) const { return 0.5 * (shear_bottom[row] + shear_top[row]); }
  double ratio(std::size_t row) const { return shear(row) / normal[row]; }
  std::size_t rows() const { return strain.size(); }
  std::vector<double> shear_stress() const;

  std::vector<double> pack() const;  ///< as numbers of a task
  static ShearRecord unpack(const std::vector<double>&);
};

struct ShearCheckpoint {
  std::filesystem::path file;         ///< empty: none is kept
  std::chrono::seconds interval{60};  ///< of wall-clock time
  std::function<void()> written;      ///< called after each
};

/// Runs the case to its end: its first stage compresses, the others shear to a strain; the inertial number is that of
/// the last. Goes on from the checkpoint if there is one, and removes it at the end.
ShearRecord run_shear(const Case&, double discard, const ShearCheckpoint&, TaskProgress&);

}  // namespace dem::validation::pena2008
