// Columns of the series: each is one row of a table with name, unit, sentence and value.
#pragma once
#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "libdem/measure/body_columns.hpp"
#include "libdem/measure/body_set.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/measure/series.hpp"
#include "libdem/run/simulation.hpp"

namespace dem {

/// Source of the values of one row. Quantities of several columns are computed once, on the first request.
class RowLook {
 public:
  /// `free`: bodies for coordination and fabric.
  RowLook(const Simulation& simulation, BodySet of_free) : run(simulation), free(of_free) {}

  const Simulation& run;
  const BodySet free;

  const State& state() const { return run.state(); }
  std::span<const ContactLoad> contacts() const { return run.loads(); }
  /// From 1.
  double stage_number() const { return double(std::min(run.stage() + 1, run.given().stages.size())); }
  const ContactCounts& counts() const {
    return once(counts_, [&] { return count_contacts(contacts(), state().bodies, free); });
  }
  const std::optional<LargestOverlap>& overlap() const {
    return once(overlap_, [&] { return dem::largest_overlap(contacts(), state().bodies, state().shapes); });
  }
  /// In diameters of the smaller body; 0 without contacts.
  double largest_overlap() const { return overlap() ? overlap()->relative : 0; }
  const Tensor3& fabric() const {
    return once(fabric_, [&] { return fabric_tensor(contacts(), free); });
  }
  const Coordination& coordination() const {
    return once(coordination_, [&] { return coordination_of(contacts(), state().bodies, free); });
  }
  const Tensor3& stress_between_plates() const;  ///< N/m, tension positive
  const EnergyLedger& ledger() const {
    return once(ledger_, [&] { return run.ledger(); });
  }
  const HistoryMemory& histories() const {
    return once(histories_, [&] { return *run.contact_engine().history_memory(); });
  }
  /// Of the motion of plates or cell; NaN without either.
  double inertial_number() const;
  double stiffness_number() const;

 private:
  template <class T, class F>
  static const T& once(std::optional<T>& kept, const F& work_out) {
    if (!kept) kept = work_out();
    return *kept;
  }

  mutable std::optional<ContactCounts> counts_;
  mutable std::optional<std::optional<LargestOverlap>> overlap_;
  mutable std::optional<Tensor3> fabric_, stress_;
  mutable std::optional<Coordination> coordination_;
  mutable std::optional<EnergyLedger> ledger_;
  mutable std::optional<HistoryMemory> histories_;
};

struct RowColumn {
  Column column;
  std::function<double(const RowLook&)> value;
};
using RowColumns = std::vector<RowColumn>;
inline void append(RowColumns& all, const RowColumns& more) { all.insert(all.end(), more.begin(), more.end()); }

inline double component(Vec3 v, std::size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// All columns of a run, in their order: general ones, drivers, walls, histories, ledger, named bodies.
RowColumns row_columns(const Simulation&);

/// Parts of these columns. Only the 16 walls of lowest body number have columns.
RowColumns plate_columns(const Simulation&);
RowColumns cell_columns(int dimension);
RowColumns wall_columns(const State&);

/// Inertial number from the cell's deviatoric rate, the contacts' mean pressure and the mean diameter.
double cell_inertial_number(const Simulation&);

}  // namespace dem
