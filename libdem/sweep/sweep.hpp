// A sweep (`dem sweep`): one base case, many parameter values, and the quantities of each run.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "libdem/case/case_file.hpp"
#include "libdem/measure/series.hpp"

namespace dem {

inline constexpr int sweep_format = 1;  ///< `format` of sweep files that this version reads

/// A number, switch or word of a case key.
using SweepValue = std::variant<double, bool, std::string>;

/// One axis of the grid. If several keys change together, each axis value has one value per key.
struct SweepAxis {
  /// Columns of the table, and names in the expressions of `set`. Expressions may also use the last part of a key.
  std::vector<std::string> names;
  /// keys[k] is the place for the value of names[k]: `material.friction`, `body.NAME.force[0]`, `stage.NAME.duration` …
  /// . An empty place is only for use in `set`.
  std::vector<std::string> keys;
  std::vector<std::vector<SweepValue>> values;  ///< [point][name]
};

enum class QuantityKind {
  relaxation,  ///< t_R of the kinetic energy, R², number of maxima (polygon-dem reference, §5)
  final,       ///< a column of the series at the end of the run or stage
  mean,
  minimum,
  maximum,
  deviation,  ///< sample standard deviation (the last four kinds are over a window of rows)
};

struct SweepQuantity {
  QuantityKind kind = QuantityKind::final;
  std::string name;    ///< column of the table; relaxation adds NAME_r_squared, NAME_maxima and NAME_over_t_c
  std::string column;  ///< of the series; empty for relaxation
  std::string stage;   ///< count only rows of this stage; empty for all
  /// Rows with from ≤ x − x_0 ≤ to count. x is shear strain or time, x_0 its value at the start of the stage or run.
  double from = 0, to = 0;  ///< to = 0 means to the end
  bool window_is_strain = false;
};

/// A case that is run once for each value of an axis or each seed, and whose results the points start from.
struct SweepPacking {
  std::filesystem::path case_file;
  std::string case_text;
  std::string by;   ///< name of an axis, or "seed"; empty: one packing for all points
  std::string key;  ///< place in that case that gets the value
};

struct SweepSpec {
  std::string title;
  std::filesystem::path file;       ///< of the sweep; empty for a sweep made in memory
  std::string text;                 ///< of that file
  std::filesystem::path case_file;  ///< base of relative file names in the case
  std::string case_text;            ///< of the base case
  std::vector<SweepAxis> axes;      ///< grid: all combinations, the last axis fastest
  /// Case key → expression of names of axes, `t_c`, `replicate`, `seed`, and numbers of the case by their keys. They
  /// are set in this order, except that expressions with t_c come last. t_c belongs to the case after the other
  /// expressions.
  std::vector<std::pair<std::string, std::string>> set;
  int replicates = 1;
  std::uint64_t first_seed = 1;
  std::string seed_key;  ///< gets first_seed + replicate; if empty, the seed is only for use in `set`
  std::vector<SweepQuantity> quantities;
  bool keep_series = false;          ///< the rows of each point are written, too
  std::vector<std::string> columns;  ///< of these rows; empty for all
  std::optional<SweepPacking> packing;
  std::filesystem::path folder;  ///< of the sweep's results; packings lie in it

  std::size_t points() const;  ///< with replicates, which are the fastest
};

/// Throws FileError and CaseErrors (all messages at once, `file:line: key: found …, allowed …`).
SweepSpec read_sweep(const std::filesystem::path&);

/// One row per point, in the order of the grid, with replicates side by side.
struct SweepTable {
  std::string title;
  std::vector<Column> parameters;                  ///< axes, then `replicate` and `seed` if there are several
  std::vector<Column> results;                     ///< t_c, steps, then the quantities
  std::vector<std::vector<SweepValue>> parameter;  ///< [point][column]
  std::vector<std::vector<double>> result;         ///< [point][column]; `message` explains NaN
  std::vector<std::string> message;                ///< [point]
  std::vector<double> seconds;                     ///< [point] CPU time

  std::size_t rows() const { return parameter.size(); }
  /// Number of points without any result.
  std::size_t failed() const;
};

struct SweepRun {
  int workers = 0;  ///< 0 for one per core
  /// Gets journal, table.csv, table.h5, sweep.toml and case.toml, and parts/ with checkpoints of points that are not
  /// finished. Also series/ and packings/, if the sweep has them. Empty: nothing is written.
  std::filesystem::path folder;
  bool show_progress = true;
  bool overwrite = false;  ///< replace another sweep in the folder
};

/// Runs the points that the folder does not have yet, each in a process on one core (`threads` of the case is not
/// used). A point that cannot be run has a message in the table. A run only for relaxation ends once the energy has
/// decayed or grown. SIGTERM, SIGHUP and Ctrl-C leave checkpoints of the running points in the folder and throw
/// TasksInterrupted; the same call goes on there. A folder of another grid, case or program, of changed input files, or
/// with files of something else, is refused (FileError). Throws FileError, CaseErrors, TasksInterrupted, and
/// std::invalid_argument if the sweep keeps series or makes packings without a folder.
SweepTable run_sweep(const SweepSpec&, const SweepRun&);

/// The case of one point, as `dem run` would read it. Throws CaseErrors, std::invalid_argument.
std::string point_case_text(const SweepSpec&, std::size_t point);
/// Values of a point, one per column of SweepTable::parameters.
std::vector<SweepValue> point_values(const SweepSpec&, std::size_t point);

/// "3.5e-05", "true" or the word.
std::string text_of(const SweepValue&);

/// The text of table.csv (RFC 4180): a header of names, then one row per point. `nan` stands for a missing number.
std::string table_csv(const SweepTable&);
/// Writes table.h5: groups `parameters` and `results` with one dataset per column (attributes unit, description), the
/// order of the columns, messages and CPU seconds.
void write_table_hdf5(const std::filesystem::path&, const SweepTable&, const std::string& sweep_text,
                      const std::string& case_text);

}  // namespace dem
