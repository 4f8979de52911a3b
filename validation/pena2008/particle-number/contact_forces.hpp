// Contact forces of libdem on an assembly that is put into any configuration by hand: what packings are relaxed with
// and stiffness matrices are differentiated from. No time, no integrator.
#pragma once
#include "libdem/contacts/planar/contacts.hpp"
#include "libdem/state/state.hpp"

namespace dem::validation::pena2008::packed {

class ContactForces {
 public:
  /// Throws AssemblyError, GeometryError.
  explicit ContactForces(const Case&);

  /// Configuration: positions, rotations and velocities (position[1] is velocity · dt) may be changed before
  /// evaluate().
  State& state() { return state_; }
  const State& state() const { return state_; }
  std::size_t moving() const { return moving_; }  ///< bodies before the walls

  /// Forces and torques at the present configuration, into Bodies::force and torque (N, N m). Springs are moved on from
  /// the configuration of the call before; those of new contacts start unstrained.
  void evaluate();

  std::vector<ContactRecord> contacts() const;
  /// Contacts and springs as they are now, to come back to.
  struct Memory {
    PlanarContacts contacts;
    Bodies bodies;
  };
  Memory remember() const { return {contacts_, state_.bodies}; }
  void go_back(const Memory& memory) {
    contacts_ = memory.contacts;
    state_.bodies = memory.bodies;
  }

 private:
  void list_pairs();

  State state_;
  PlanarContacts contacts_;
  std::size_t moving_ = 0;
  std::vector<double> bounding_radii_;
  geometry::NeighbourList neighbours_;
  std::vector<geometry::CandidatePair> candidates_;
};

}  // namespace dem::validation::pena2008::packed
