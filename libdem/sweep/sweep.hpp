// A sweep: one base case, many parameter values, and the quantities that each run leaves (`dem sweep`).
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "libdem/case/case_file.hpp"
#include "libdem/measure/series.hpp"

namespace dem {

inline constexpr int sweep_format = 1;  ///< `format` of sweep files this version reads

/// A number, switch or word of a case key.
using SweepValue = std::variant<double, bool, std::string>;

/// One axis of the grid. Axis values of which several keys change together have one value a key.
struct SweepAxis {
  /// Columns of the table, and names in the expressions of `set`. Expressions may also use the last part of a key.
  std::vector<std::string> names;
  /// keys[k]: where the value of names[k] goes: `material.friction`, `body.NAME.force[0]`, `stage.NAME.duration` …;
  /// empty: nowhere, it is for use in `set`.
  std::vector<std::string> keys;
  std::vector<std::vector<SweepValue>> values;  ///< [point][name]
};

enum class QuantityKind {
  relaxation,  ///< t_R of the kinetic energy, R², number of maxima (polygon-dem reference, §5)
  final,       ///< a column of the series at the end of the run, or of the stage
  mean,
  minimum,
  maximum,
  deviation,  ///< of a column over a window of rows; deviation: sample standard deviation
};

struct SweepQuantity {
  QuantityKind kind = QuantityKind::final;
  std::string name;    ///< of the column of the table; relaxation adds NAME_r_squared, NAME_maxima and NAME_over_t_c
  std::string column;  ///< of the series; empty for relaxation
  std::string stage;   ///< rows of this stage alone; empty: of all
  /// Rows at which from ≤ x − x_0 ≤ to, x: shear strain or time, x_0: its value at the start of the stage or of the
  /// run.
  double from = 0, to = 0;  ///< to = 0: to the end
  bool window_is_strain = false;
};

struct SweepSpec {
  std::string title;
  std::filesystem::path file;       ///< of the sweep; empty when it was made in memory
  std::string text;                 ///< of that file
  std::filesystem::path case_file;  ///< base of relative file names in the case
  std::string case_text;            ///< of the base case
  std::vector<SweepAxis> axes;      ///< grid: all combinations, the last axis fastest
  /// Case key → expression of names of axes, `t_c`, `replicate`, `seed`, and numbers of the case by their keys. In this
  /// order, but those with t_c after the others: t_c is that of the case which these leave.
  std::vector<std::pair<std::string, std::string>> set;
  int replicates = 1;
  std::uint64_t first_seed = 1;
  std::string seed_key;  ///< gets first_seed + replicate; empty: the seed is for use in `set`
  std::vector<SweepQuantity> quantities;

  std::size_t points() const;  ///< replicates included, which are the fastest
};

/// Throws FileError, CaseErrors (messages `file:line: key: found …, allowed …`, all at once).
SweepSpec read_sweep(const std::filesystem::path&);

/// A row a point, in the order of the grid; replicates side by side.
struct SweepTable {
  std::string title;
  std::vector<Column> parameters;                  ///< axes, then `replicate` and `seed` where there are several
  std::vector<Column> results;                     ///< t_c, steps, then the quantities
  std::vector<std::vector<SweepValue>> parameter;  ///< [point][column]
  std::vector<std::vector<double>> result;         ///< [point][column]; NaN: see message
  std::vector<std::string> message;                ///< [point]
  std::vector<double> seconds;                     ///< [point] CPU time

  std::size_t rows() const { return parameter.size(); }
  /// Points that have no results at all.
  std::size_t failed() const;
  std::size_t parameter_column(std::string_view name) const;  ///< std::out_of_range naming those there are
  std::size_t result_column(std::string_view name) const;
  double number(std::size_t row, std::string_view parameter_or_result) const;
  const std::string& word(std::size_t row, std::string_view parameter_name) const;
};

struct SweepRun {
  int workers = 0;  ///< 0: one a core
  std::filesystem::path
      folder;  ///< gets journal, table.csv, table.h5, sweep.toml, case.toml; empty: nothing is written
  bool show_progress = true;
  bool overwrite = false;  ///< replace another sweep in the folder instead of refusing it
};

/// Runs the points that the folder does not hold yet, each in a process and on one core (the case's `threads` is not
/// used). A point that cannot be run has a message in the table. Relaxation alone ends a run once the energy has
/// decayed or grown. A folder of another grid, case or program is refused (FileError), as is one that holds anything
/// else. Throws FileError, CaseErrors, TasksInterrupted.
SweepTable run_sweep(const SweepSpec&, const SweepRun&);

/// The case of one point: what `dem run` would be given for it. Throws CaseErrors, std::invalid_argument.
std::string point_case_text(const SweepSpec&, std::size_t point);
/// Its values, a column of SweepTable::parameters each.
std::vector<SweepValue> point_values(const SweepSpec&, std::size_t point);

/// "3.5e-05", "true" or the word.
std::string text_of(const SweepValue&);

/// table.csv: a header of names, then a row a point (RFC 4180); `nan` where there is no number.
std::string table_csv(const SweepTable&);
/// table.h5: groups `parameters` and `results` with a dataset a column (attributes unit, description), the order of the
/// columns, messages and CPU seconds.
void write_table_hdf5(const std::filesystem::path&, const SweepTable&, const std::string& sweep_text,
                      const std::string& case_text);

}  // namespace dem
