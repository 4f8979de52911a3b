// Health of a run: its time step against the limits, and signs of a blow-up.
#pragma once
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "libdem/case.hpp"
#include "libdem/motion/limit/step_limit.hpp"
#include "libdem/state/fields.hpp"
#include "libdem/state/state.hpp"

namespace dem {

class Simulation;

/// The time step is above its limit, a priori or measured. The message gives limit, contact and key.
struct StepTooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The numbers blew up: the message names step, contact or body, and the likely cause.
struct BlowUp : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Health {
 public:
  Health(const Case&, const State&);

  const AprioriLimit& apriori() const { return apriori_; }
  const std::optional<MeasuredLimit>& measured() const { return measured_; }  ///< last measurement

  /// Throws StepTooLarge where the step is above the a-priori limit, unless the case overrides it.
  void check_step(const Case&, const State&) const;
  /// A stage begins, so load or damping may change. The limit is measured again soon.
  void begin_stage(const Case&, std::uint64_t step);
  /// After each step. Throws StepTooLarge, BlowUp.
  void check(const Simulation&);
  /// Measures the limit from the contacts. Throws StepTooLarge.
  void measure(const Simulation&);
  /// Makes the next step measure and check.
  void check_soon() { next_measurement_ = next_look_ = 0; }

  void fields(FieldVisitor&);

 private:
  std::uint64_t steps_to_next_measurement(const Simulation&) const;

  AprioriLimit apriori_;
  double smallest_radius_;  // m
  std::optional<MeasuredLimit> measured_;
  StepLimitMeter meter_;
  std::uint64_t next_measurement_ = 0, next_look_ = 0;  // steps
};

/// Empty while the run is healthy. Otherwise a sentence with step, body or contact, and cause. Causes are a number that
/// is not finite, a body that moves farther than its radius in one step, and energy without a source.
std::string blow_up_message(const Simulation&);

/// The sentence about a body whose centre went through a wall, both by their numbers.
std::string went_through_message(const State&, std::pair<std::size_t, std::size_t> body_and_wall);

}  // namespace dem
