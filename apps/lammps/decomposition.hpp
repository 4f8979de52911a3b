// The grains of all ranks: who owns which, and copies near the borders. LAMMPS does the work.
//
// LAMMPS gets the grains at scaled coordinates: the fraction along each vector of the cell, times the distance of the
// faces at the start. So its box is rectangular, and never changes along periodic directions. A slab of ghosts lies
// between planes that are parallel to the faces.
//
// Grains go to neighbouring ranks only. So no share is thinner than a reach, and the box of a direction without periods
// follows the grains slowly where they come together.
//
// Positions of libdem are not wrapped. Each atom therefore has an image: where LAMMPS sees the grain, as shift from its
// position. Copies of one grain differ in their images only.
#pragma once
#include <mpi.h>

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "apps/lammps/grain.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// Distances between opposite faces of the cell (m).
std::array<double, 3> widths(const geometry::Cell&);

/// An error that all ranks have at once, so that one of them says it.
struct ErrorOfAllRanks : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Decomposition {
 public:
  /// Every rank has the whole assembly here, and keeps its share. `reach`: ghosts lie within this distance (m).
  Decomposition(MPI_Comm, const State& whole, double reach);
  ~Decomposition();
  Decomposition(const Decomposition&) = delete;
  Decomposition& operator=(const Decomposition&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }

  // Atoms: first the owned grains, then the ghosts. One grain may have several ghosts.
  std::size_t owned() const;
  std::size_t atoms() const;
  std::uint32_t number(std::size_t atom) const;  ///< of the body in the case
  Grain& grain(std::size_t atom);                ///< of a ghost: only what its contacts need
  Luggage& luggage(std::size_t owned);
  Image image(std::size_t atom) const;
  int owner(std::size_t ghost) const;  ///< its rank

  /// Takes grains to the ranks that own their places, and makes new ghosts. Atoms are renumbered. Throws
  /// ErrorOfAllRanks where grains got lost.
  void migrate(const State&, double reach);

  void sum(std::span<double>) const;      ///< over the ranks
  void largest(std::span<double>) const;  ///< over the ranks
  /// The same while other messages are on their way.
  void largest(std::span<double>, const std::function<void()>& meanwhile) const;

  /// Counted since the start.
  struct Traffic {
    double ghosts = 0, migration = 0;  ///< bytes
    std::uint64_t migrated = 0, ghosts_made = 0, renewals = 0;
  };
  const Traffic& traffic() const { return traffic_; }

  MPI_Comm world() const { return world_; }

 private:
  struct Lammps;
  void scale(const State&);
  void fit_box(double reach);

  MPI_Comm world_;
  int rank_ = 0, ranks_ = 1;
  std::size_t count_ = 0;  // of all grains
  bool plane_ = false;
  std::size_t directions() const { return plane_ ? 2 : 3; }
  Vec3 lengths_;  // of the scaled cell (m)
  std::array<bool, 3> periodic_{};
  std::unique_ptr<Lammps> lammps_;
  Traffic traffic_;
};

}  // namespace dem
