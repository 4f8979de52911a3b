// Columns of the series: each is one row of a table with name, unit, sentence and value.
#pragma once
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
  std::span<const ContactRecord> contacts() const { return run.contacts(); }
  double stage_number() const;  ///< from 1
  const ContactCounts& counts() const;
  const std::optional<LargestOverlap>& overlap() const;
  double largest_overlap() const;  ///< in diameters of the smaller body; 0 without contacts
  const Tensor3& fabric() const;
  const Coordination& coordination() const;
  const Tensor3& stress_between_plates() const;  ///< N/m, tension positive
  const EnergyLedger& ledger() const;
  const HistoryMemory& histories() const;
  /// Of the motion of plates or cell; NaN without either.
  double inertial_number() const;
  double stiffness_number() const;

 private:
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
