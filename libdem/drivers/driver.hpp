// Drivers load the assembly: plates, walls, the servo of the cell, the shear box, damping of the motion. Each is one
// pair of files and one row in catalogue.cpp. The simulation holds a list of drivers and names none.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/contacts/contact_engine.hpp"
#include "libdem/measure/series.hpp"
#include "libdem/motion/rigid_turn.hpp"
#include "libdem/state/fields.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// The parts of a run that a driver acts on.
struct World {
  const Case& given;
  State& state;
  ContactEngine& contacts;
  bool books = true;  ///< works are booked in the energy ledger
};

/// The strain that a driver imposes, and the rate that the present stage gives it (1/s).
struct ImposedStrain {
  double strain = 0, rate = 0;
};

/// The page of a driver in dem help, beside the description and the keys of its table.
struct DriverTopic {
  std::string summary, text;                ///< a sentence without full stop; lines
  std::vector<std::string_view> more_keys;  ///< of other tables
  std::string example = {};                 ///< a whole case. Empty: case/examples/TABLE.toml of the library
};

class Driver;
/// A column of the series: name, unit, sentence and value.
struct DriverColumn {
  Column column;
  double (*value)(const Driver&, const State&);
};

class Driver {
 public:
  virtual ~Driver() = default;
  /// Names its part of a checkpoint.
  virtual std::string name() const = 0;

  /// A stage begins; `number` counts from 1.
  virtual void begin(const Stage&, std::size_t, const World&) {}
  /// The run goes on within this stage from a checkpoint. The saved fields are loaded after this call.
  virtual void resume(const Stage& stage, std::size_t number, const World& world) { begin(stage, number, world); }
  /// All stages are over.
  virtual void end(const World&) {}
  /// True: a run that starts from the results of this one loads the fields of this driver. Such a run must have the
  /// driver as well.
  virtual bool outlives_run() const { return false; }

  /// Prescribes the velocities of the start configuration, at which the contacts are evaluated first. The first drive()
  /// follows, so start() advances nothing.
  virtual void start(const World&) {}
  /// Prescribes the motion of the next step. Returns the work that this did on bodies (J), 0 where nothing is booked.
  virtual double drive(const World&) { return 0; }
  /// After drive(): the rigid turn that takes the place of this step's motion.
  virtual std::optional<RigidTurn> turn() const { return {}; }
  /// Adds loads to Bodies::force and torque after the contacts. Returns the work of the movement since the last
  /// evaluation.
  virtual ContactWork apply(const World&) { return {}; }
  /// True for code of a caller outside the case: its works have accounts of their own in the ledger.
  virtual bool has_own_accounts() const { return false; }
  /// Held bodies that the driver moves. The work of their motion has its own account, own_motion_work.
  virtual std::vector<std::size_t> held_apart() const { return {}; }
  /// Work of its own forces in apply(), for the account own_force_work (J); not in what apply() returns.
  virtual double own_work() const { return 0; }
  /// Reads the forces of an evaluation. `start`: that of the start configuration, at which no time has passed.
  virtual void measure(const World&, bool /*start*/) {}
  /// Works out what observers read and a step does not need.
  virtual void update(const World&) const {}

  /// Quantities that the driver reads after the next step. Force and torque of bodies are there with each of them.
  virtual Watch needs() const { return Watch::motion; }
  virtual bool needs_rotations() const { return false; }  ///< it reads the rotations of the previous evaluation
  virtual std::optional<ImposedStrain> strain() const { return {}; }
  /// A sentence where the assembly has left what the driver can hold: the run ends.
  virtual std::optional<std::string> trouble(const State&) const { return {}; }
  virtual std::vector<DriverColumn> columns() const { return {}; }
  /// Values that a step changes. They are saved, loaded and hashed.
  virtual void fields(FieldVisitor&, State&) {}

  /// In a part of an assembly other bodies come and go: the driver finds its bodies again. It moves, and adds up, only
  /// those among the first `owned` ones; ContactEngine::add_other_parts adds those of other parts.
  virtual void take_part(const State&, std::size_t /*owned*/) {}
};

using Drivers = std::vector<std::unique_ptr<Driver>>;

/// That of the first driver that imposes one: by plates of all stages, by the cell of the present stage. Zeros without.
inline ImposedStrain imposed_strain(const Drivers& drivers) {
  for (const auto& driver : drivers)
    if (const auto imposed = driver->strain()) return *imposed;
  return {};
}

/// The driver of this type; null when the run has none.
template <class D>
D* find_driver(const Drivers& drivers) {
  for (const auto& driver : drivers)
    if (D* found = dynamic_cast<D*>(driver.get())) return found;
  return nullptr;
}

}  // namespace dem
