// Motions and forces that are written in Python: a driver with the table [python].
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/python/bind.hpp"
#include "libdem/drivers/catalogue.hpp"

namespace dem::python {

/// Python functions of a run, and their source text.
struct OwnCode {
  struct Function {
    std::string target;  ///< wall, group or body
    /// A motion's call(t) returns velocity and spin: 6 numbers. A point about which all bodies turn may follow: 9. A
    /// force's call(t, bodies, indices) returns forces and torques, (n, 6).
    py::object call;
  };
  std::vector<Function> motions, forces;
  std::string source;
};

/// The driver of the functions. The options hold the source text, so that it is part of the case, of every checkpoint
/// and snapshot, and of the comparison of cases.
class OwnCodeDriver final : public Driver {
 public:
  static constexpr const char* table = "python";
  static constexpr const char* description = "Motions and forces written in Python. Only Python can run the case.";
  struct Options {
    std::string source;
    std::shared_ptr<OwnCode> code;
  };
  static std::vector<laws::Key> keys();

  OwnCodeDriver(const Options&, const Case&, const State&);
  std::string name() const override { return table; }
  void start(const World& world) override;
  double drive(const World&) override;
  ContactWork apply(const World&) override;
  bool has_own_accounts() const override { return !motions_.empty() || !forces_.empty(); }
  std::vector<std::size_t> held_apart() const override;
  double own_work() const override { return work_; }
  bool needs_rotations() const override { return has_own_accounts(); }
  Watch needs() const override { return Watch::motion; }
  void fields(FieldVisitor&, State&) override;

  bool has_motions() const { return !motions_.empty(); }
  /// Asks the motions for the velocities of the next step, with the interpreter lock. Called before a step is begun, so
  /// that a function that fails leaves a whole state.
  void ask_motions(const State&);

 private:
  struct Motion {
    std::vector<std::size_t> bodies;
    Vec3 velocity, spin;  // of the next step (m/s, rad/s)
    std::optional<Vec3> about;
  };
  struct Force {
    std::vector<std::size_t> bodies;
    std::shared_ptr<const py::object> indices;  // array of bodies, dropped under the interpreter lock
    std::vector<double> load;  // at the last evaluation: six numbers a body (N, N m), of free coordinates
  };
  std::shared_ptr<OwnCode> code_;
  std::vector<Motion> motions_;
  std::vector<Force> forces_;
  double work_ = 0;  // of the last evaluation (J)
};

/// The state of the engine as a function sees it, while it is called.
struct StateView {
  const State* state = nullptr;
};

/// The bodies of a wall, a group or a name. Throws AssemblyError with what there is.
std::vector<std::size_t> bodies_named(const State&, const std::string& target);

}  // namespace dem::python
