// Tables of the sweep file, one row per key.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "libdem/case/table_rows.hpp"
#include "libdem/sweep/sweep.hpp"

namespace dem {

/// The meaning begins the description of a column of the table.
case_file::Words<QuantityKind> words_of(QuantityKind);

namespace sweep_file {

inline constexpr int most_points = 1000000;
inline constexpr std::uint64_t largest_seed = 9007199254740992;  ///< 2^53, because the table holds seeds as numbers

enum class Spacing { linear, log };
enum class Keep { table, series };

struct RootDraft {
  int format = sweep_format;
  std::string title, case_file;
  Keep keep = Keep::table;
  std::vector<std::string> columns;
};
/// The table `start_from`.
struct PackingDraft {
  std::string case_file, by, key = "assembly.seed";
};
/// The table `range` of an axis.
struct RangeDraft {
  double from = 0, to = 0;
  std::optional<int> count, per_decade;
  std::optional<Spacing> spacing;
};
struct AxisDraft {
  std::optional<std::string> key, name;
  std::vector<std::string> keys, names;
  std::optional<case_file::Value> values;
};
/// [from, to] of a window.
struct WindowDraft {
  double from = 0, to = 0;
};
struct QuantityDraft : SweepQuantity {
  std::optional<WindowDraft> strain_window, time_window;
};

const case_file::Section<RootDraft>& root_section();
const case_file::Section<PackingDraft>& packing_section();
const case_file::Section<AxisDraft>& axis_section();
const case_file::Section<RangeDraft>& range_section();
const case_file::Section<QuantityDraft>& quantity_section();
const case_file::Section<SweepSpec>& replicates_section();

}  // namespace sweep_file

/// Checks of a sweep file beyond its tables: whether its names, keys, expressions and columns exist.
void inspect_sweep(const SweepSpec&, case_file::Problems&);

}  // namespace dem
