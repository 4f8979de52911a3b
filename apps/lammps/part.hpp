// A rank's part of an assembly: its grains, copies of those near by, all walls, and the step.
//
// Bodies of a part are numbered: owned grains by their number in the case, then ghosts the same way, then walls. A
// contact that this rank computes has an owned grain of the lower number. So the order of its two bodies, and with it
// every sign, is that of one process.
//
// Cell, walls, stages and servos are computed by every rank alike, from sums over all ranks.
#pragma once
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/lammps/decomposition.hpp"
#include "apps/lammps/memory_archive.hpp"
#include "apps/lammps/part_contacts.hpp"
#include "libdem/motion/motion.hpp"
#include "libdem/run/energy_books.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/run/stages.hpp"

namespace dem {

/// A rank asks for a pause after the step: for nothing, a checkpoint, or the end of the run.
enum class Wish { none, checkpoint, stop };

class Part {
 public:
  /// Takes its share of a simulation that every rank has.
  Part(MPI_Comm, const Simulation&);

  /// One step of all ranks. Returns the largest wish of any of them.
  Wish step(bool watched, Wish);
  /// True if this step ended the stage. Then change_stage() follows before the next step.
  bool stage_is_over() const { return stage_over_; }
  void change_stage();
  /// True on all ranks where a grain of any of them ran away or went through a wall. The next step finds it, or
  /// gather().
  bool trouble() const { return ran_away_ > 0 || through_ > 0 || !unfit_cell_.empty(); }
  /// On all ranks alike: the number of a body that ran away.
  std::optional<std::size_t> ran_away() const {
    return ran_away_ > 0 ? std::optional(std::size_t(ran_away_) - 1) : std::nullopt;
  }
  /// On all ranks alike: a sentence where a grain could touch its own image, or is too many images away.
  const std::string& unfit_cell() const { return unfit_cell_; }
  /// On rank 0 after gather(): numbers of a body and of the wall that it went through.
  std::optional<std::pair<std::size_t, std::size_t>> went_through() const;
  /// Like Simulation.
  std::uint64_t step_count() const { return state_.step; }
  bool finished() const { return stages_.is_over(case_); }
  std::size_t contact_count() const { return contacts_.size(); }  ///< of this rank

  /// Brings the state of all ranks to rank 0, as the archive of a simulation, for Simulation::load. `archive` has the
  /// entries of such an archive; those of other ranks' archives are ignored.
  void gather(MemoryArchive& archive);

  const Decomposition& ranks() const { return ranks_; }
  /// Bytes of the messages of steps since the start: motion that this rank got, loads that it sent. Copies in them.
  struct Traffic {
    double motion = 0, loads = 0;
    std::uint64_t copies = 0;
  };
  const Traffic& traffic() const { return traffic_; }
  /// Times of this rank's steps (s).
  struct Times {
    double all = 0;             ///< from the first step on, with rows
    double fastest = INFINITY;  ///< a step of the fastest `together` in a row
    double waited = 0;          ///< for motion and loads of other ranks
    static constexpr int together = 200;
  };
  Times times() const;

 private:
  /// Findings of a rank among its grains before each evaluation.
  struct Look {
    bool far = false;  ///< a pair outside the list may touch
    double ran_away =
        0;  ///< 1 + the number of a grain that moves farther than its radius, or whose motion is no number
  };
  World world() { return {case_, state_, contacts_, state_.dimension == 2 || case_.output.ledger}; }
  Watch needs();
  Look look() const;
  void find_contacts();
  void note_time();
  void note_traffic();
  void check_cell();
  void stow();
  void unpack();
  void fill_bodies();
  std::vector<geometry::CandidatePair> candidates();
  void choose_bodies(std::span<const geometry::CandidatePair> atoms);
  void renew_books();
  void take_damping();
  std::uint32_t local_of(std::uint32_t number) const;
  void fields_of_run(FieldVisitor&);
  void collect_bodies(MemoryArchive&, std::span<const double> grains) const;
  void collect_held_forces(MemoryArchive&) const;

  Case case_;
  State state_;  // local numbers
  Decomposition ranks_;
  Exchange exchange_;
  Traffic traffic_;
  std::uint64_t timed_steps_ = 0;
  double first_step_at_ = 0, block_at_ = 0, fastest_ = INFINITY;  // s
  PartContacts contacts_;
  Drivers drivers_;
  Motion motion_;
  EnergyBooks books_;
  StageClock stages_;
  bool stage_over_ = false;
  std::size_t widest_ = 0;  // the largest grain that moves: its number, and its bounding radius (m)
  double widest_radius_ = 0;
  std::string unfit_cell_;
  double skin_ = 0, reach_ = 0;          // reach: the largest sum of two bounding radii (m)
  std::size_t first_wall_ = 0;           // its number in the case
  std::vector<std::uint32_t> shape_of_;  // in the plane, of the grains by number; every rank keeps all shapes
  std::vector<std::size_t> held_;        // of the books of the whole, by number
  std::vector<Vec3> held_base_;          // constant loads on them: force, torque
  std::vector<Grain> walls_;
  std::vector<Shape> wall_shapes_;
  std::vector<std::string> wall_names_;
  bool turns_ = false;  // rotations of the previous evaluation are kept

  std::size_t own_ = 0, ghosts_ = 0;
  std::vector<std::uint32_t> number_of_;  // in the case, by local number
  std::vector<std::uint32_t> atom_of_;    // by local number of a grain
  std::vector<std::uint32_t> body_at_;    // local number, by place
  std::vector<Vec3> base_force_, base_torque_;
  bool books_are_open_ = false;
  double ran_away_ = 0;  // 1 + the number of a body that ran away
  Wish wish_ = Wish::none;
  // A body that went through a wall: 1 + its number times the number of walls + the number of the wall.
  double through_ = 0, through_here_ = 0;  // of any rank, known to all; of this rank
  std::array<std::uint64_t, 2> health_{};  // of the simulation on rank 0
  // At the last renewal: positions and bounding radii of owned grains by place, positions of walls, and the cell.
  std::vector<Vec3> built_at_, built_walls_;
  std::vector<double> radius_at_;
  geometry::Cell built_cell_;
};

/// Images have numbers of 16 bits; a contact names the difference of two.
inline constexpr int most_images = 16000;
/// One of the first bodies that is more periodic cells than that away from the cell.
std::optional<std::size_t> body_beyond_images(const State&, std::size_t bodies);

/// How much farther apart than `reach` two of the first bodies may be that the last evaluation found in contact (m).
/// One that leaves with more than the skin must still be found by its partner, which books the end of the contact.
double parting(const State&, std::size_t bodies, double reach);

/// Throws CaseErrors with a sentence for each choice of the case that the ranks do not carry.
void check_carried(const Case&);
/// The same for the bodies of the assembly.
void check_carried(const Case&, const State&);

}  // namespace dem
