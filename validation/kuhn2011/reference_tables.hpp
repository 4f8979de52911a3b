// Tables U1 to U7 of the jaeger-contact reference, §16, beside what the contact does: forces of a 60-digit evaluation
// by bisection.
#pragma once
#include <string_view>

#include "validation/kuhn2011/contact_path.hpp"
#include "validation/kuhn2011/jaeger_tables.hpp"

namespace dem::validation::kuhn2011 {

/// Throws std::runtime_error where there is no such table.
const jaeger_tables::Table& table_named(std::string_view name);
/// A contact of the table's material, without any step.
JaegerPath path_of(const jaeger_tables::Table&);
inline Move move_of(const jaeger_tables::Row& row) { return {row.z, row.shift_1, row.shift_2}; }

/// The path of a table after all of its rows, and the largest differences on the way.
struct TableMatch {
  double normal = 0;  ///< F_n, relative
  double force = 0;   ///< F_t over f times the largest F_n
  double stored = 0;  ///< U_t, over U_t + 1e-4 of the largest
  int regimes = 0;    ///< rows with another regime
  int legs = 0;       ///< rows with another number of legs
  JaegerPath path;

  /// What the reference asks for: 1e-12 of the forces (§7), 1e-11 of U_t (§16).
  bool holds() const { return normal <= 1e-12 && force <= 1e-12 && stored <= 1e-11 && regimes == 0; }
};
inline constexpr const char* table_tolerance =
    "1e-12 of F_n and of f max F_n (reference, §7), 1e-11 of U_t (§16), all regimes";
TableMatch match(const jaeger_tables::Table&);

}  // namespace dem::validation::kuhn2011
