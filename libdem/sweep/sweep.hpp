// A sweep: one base case, many parameter values, and the quantities that each run leaves (`dem sweep`).
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "libdem/files/case_file.hpp"

namespace dem {

inline constexpr int sweep_format = 1;  ///< `format` of sweep files this version reads

/// A number, word or switch of a case key.
using SweepValue = std::variant<double, bool, std::string>;

/// One axis of the grid. Axis values of which several keys change together have one value a key.
struct SweepAxis {
  std::vector<std::string> names;  ///< columns of the table; key paths of the case, or free names used in `set`
  std::vector<bool> is_key;        ///< names[k] is a key of the case: the value goes straight there
  std::vector<std::vector<SweepValue>> values;  ///< [point][name]
};

enum class QuantityKind {
  relaxation,  ///< t_R of the kinetic energy, R², number of maxima (polygon-dem reference, §5); ends the run once it is decayed
  final,       ///< a column of the series at the end of the run
  mean, minimum, maximum, deviation,  ///< of a column over a window of rows; deviation: sample standard deviation
};

struct SweepQuantity {
  QuantityKind kind = QuantityKind::final;
  std::string name;    ///< of the column of the table; relaxation adds _r_squared and _maxima
  std::string column;  ///< of the series; empty for relaxation
  std::string stage;   ///< rows of this stage alone; empty: of all
  /// Rows with from ≤ strain (or time since the start of the run, where the case has no plates) ≤ to.
  double from = 0, to = 0;  ///< to = 0: to the end
  bool window_is_strain = false;
};

struct SweepSpec {
  std::string title;
  std::filesystem::path file;       ///< of the sweep; empty when it was made in memory
  std::filesystem::path case_file;
  std::string case_text;            ///< of the base case
  std::vector<SweepAxis> axes;      ///< grid: all combinations, the last axis fastest
  std::vector<std::pair<std::string, std::string>> set;  ///< case key → expression of axis names, `t_c`, `replicate`
  int replicates = 1;
  std::uint64_t first_seed = 1;
  std::string seed_key;             ///< gets first_seed + replicate; empty: replicates are refused
  std::vector<SweepQuantity> quantities;
  double row_interval = 0;          ///< s between the rows that mean, minimum … see; 0: that of the case

  std::size_t points() const;       ///< replicates included
};

/// Throws FileError, CaseErrors (messages `file:line: key: found …, allowed …`, all at once).
SweepSpec read_sweep(const std::filesystem::path&);

/// A row a point, in the order of the grid; replicates side by side.
struct SweepTable {
  struct Column {
    std::string name, unit, description;
  };
  std::vector<Column> parameters;                     ///< axes, then `replicate` where there are several
  std::vector<Column> results;
  std::vector<std::vector<SweepValue>> parameter;     ///< [point][column]
  std::vector<std::vector<double>> result;            ///< [point][column]; NaN: see message
  std::vector<std::string> message;                   ///< [point]
  std::vector<double> seconds;                        ///< [point] CPU time

  std::size_t rows() const { return parameter.size(); }
  std::size_t parameter_column(std::string_view name) const;  ///< std::out_of_range naming those there are
  std::size_t result_column(std::string_view name) const;
  double number(std::size_t row, std::string_view parameter_or_result) const;
  const std::string& word(std::size_t row, std::string_view parameter_name) const;
};

struct SweepRun {
  int workers = 0;                 ///< 0: one a core
  std::filesystem::path folder;    ///< holds journal, table.csv, table.h5, sweep.toml; empty: nothing is written
  bool show_progress = true;
};

/// Runs the points that the folder does not hold yet. A folder of another grid or case is refused (FileError).
SweepTable run_sweep(const SweepSpec&, const SweepRun&);

/// The case of one point: what `dem run` would be given for it.
std::string point_case_text(const SweepSpec&, std::size_t point);

}  // namespace dem
