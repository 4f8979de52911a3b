// How the contacts of a rank's grains are computed, and how they travel. One for the plane and one for spheres.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "apps/lammps/grain.hpp"
#include "apps/lammps/memory_archive.hpp"
#include "geometry/broad_phase.hpp"
#include "libdem/contacts/contact_engine.hpp"

namespace dem {

class Decomposition;

class PartEngine {
 public:
  virtual ~PartEngine() = default;
  virtual ContactEngine& contacts() = 0;
  const ContactEngine& contacts() const { return const_cast<PartEngine*>(this)->contacts(); }

  /// Gives the contacts of an engine to their lower bodies. `luggage_of` a body: null where it is not owned here.
  virtual void pack(const ContactEngine&, const std::function<Luggage*(std::uint32_t body)>& luggage_of,
                    const std::function<std::uint32_t(std::uint32_t body)>& number_of) = 0;
  void pack(const std::function<Luggage*(std::uint32_t)>& luggage_of,
            const std::function<std::uint32_t(std::uint32_t)>& number_of) {
    pack(contacts(), luggage_of, number_of);
  }

  /// Calls f with the number of the other body of each contact of a luggage.
  virtual void for_each_partner(const Luggage&, const std::function<void(std::uint32_t)>& f) const = 0;

  /// Bodies by their places. The first `own` of the state are owned, then come ghosts.
  virtual std::vector<std::uint32_t> order(const State&, std::size_t own, std::size_t ghosts) const = 0;
  struct Delivery {
    std::vector<std::uint32_t> order;
    std::size_t own = 0;
    std::vector<geometry::CandidatePair> pairs;  ///< of places, sorted, without walls
    std::vector<Luggage*> luggage;               ///< of owned bodies; it is taken
  };
  /// Takes the bodies of the state with their contacts. `local_of` finds a body by its number in the case.
  virtual void take(const Case&, State&, Delivery, const std::function<std::uint32_t(std::uint32_t)>& local_of) = 0;

  /// Brings counts of all ranks to rank 0, before it collects.
  virtual void share_counts(const Decomposition&) = 0;
  /// Puts the contacts of all grains into the archive of a simulation, whose bodies are already there.
  using Carried = std::pair<std::size_t, std::span<const double>>;  ///< number of a grain, its luggage
  virtual void collect(MemoryArchive&, std::span<const Carried>, std::size_t first_wall) const = 0;
};

/// `whole` is the engine of the whole assembly.
std::unique_ptr<PartEngine> make_sphere_engine(const Case&, const State&, const ContactEngine& whole);
std::unique_ptr<PartEngine> make_planar_engine(const Case&, const State&, const ContactEngine& whole, int rank);

}  // namespace dem
