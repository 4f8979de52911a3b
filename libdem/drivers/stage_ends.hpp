// The ways in which a stage ends: one row each in stage_ends.cpp. Checks, plan, step, progress and verdict read the
// table.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "libdem/drivers/driver.hpp"
#include "libdem/platform/every.hpp"

namespace dem {

inline constexpr Every looks_at_bodies{16};  ///< steps: for what costs a pass over bodies or contacts

/// Memory of an end of the present stage from look to look.
struct EndMemory {
  double start = 0;         ///< a quantity at the start of the stage
  double largest = 0;       ///< its largest value so far
  double now = 0;           ///< its value at the last look
  std::uint64_t count = 0;  ///< looks in a row that found the condition met
  bool flag = false;
};

/// The present stage as its ends see it.
struct EndInput {
  const Stage& stage;
  const World& world;
  const Drivers& drivers;
  double start_time = 0, start_strain = 0;  ///< of the stage (s, 1)

  double elapsed() const { return world.state.time - start_time; }  ///< s
  double strain() const { return imposed_strain(drivers).strain; }
  double strain_rate() const { return imposed_strain(drivers).rate; }
  template <class D>
  D* driver() const {
    return find_driver<D>(drivers);
  }
};

struct StageEnd {
  std::string_view key;                      ///< of [[stage]]
  bool (*given)(const Stage&);               ///< the stage names this end
  double (*target)(const Stage&) = nullptr;  ///< for messages; null for an end without a number
  /// Time of the end after the start of the stage, where the case alone gives it (s). Null for other ends.
  double (*time)(const Stage&) = nullptr;
  /// After each step of a stage that names this end.
  bool (*reached)(const EndInput&, EndMemory&);
  /// Share of the way that is done, for progress displays. Targets and rest are guessed from the way made so far:
  /// linear towards heights, void ratios and stresses, by the logarithm towards rest and balance.
  double (*share)(const EndInput&, const EndMemory&);
  /// False: the end cannot come with the next step, so that step need not work out forces for it. Null: it always may.
  bool (*may_come)(const EndInput&) = nullptr;
  void (*begin)(const EndInput&, EndMemory&) = nullptr;  ///< at the start of the stage; may be null
  /// Its count and flag decide when the stage ends, and are part of the state hash.
  bool count_hashed = false, flag_hashed = false;
};

std::span<const StageEnd> stage_ends();

/// Ends the stage whatever else it names; a stage that it cuts short is told in the verdict.
inline constexpr std::string_view duration_end = "duration";

}  // namespace dem
