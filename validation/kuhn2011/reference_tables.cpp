#include "validation/kuhn2011/reference_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dem::validation::kuhn2011 {

const jaeger_tables::Table& table_named(std::string_view name) {
  for (const auto& table : jaeger_tables::tables)
    if (table.name == name) return table;
  throw std::runtime_error(fmt::format("there is no table {} of the Jäger contact", name));
}

JaegerPath path_of(const jaeger_tables::Table& t) {
  JaegerPath path{
      coefficients(t.shear_modulus, t.poisson_ratio, t.friction, laws::Hertz::radius_of(t.radius_p, t.radius_q))};
  path.c.merge_slope = t.merge_slope;
  return path;
}

TableMatch match(const jaeger_tables::Table& t) {
  TableMatch m{0, 0, 0, 0, 0, path_of(t)};
  double largest = 0, largest_stored = 0;
  for (const auto& row : t.rows) {
    largest = std::max(largest, row.normal);
    largest_stored = std::max(largest_stored, row.stored);
  }
  const auto& h = m.path.h;
  for (const auto& row : t.rows) {
    if (m.path.step(move_of(row)) != row.regime) ++m.regimes;
    if (int(h.legs()) != row.legs) ++m.legs;
    m.normal = std::max(m.normal, std::abs(h.normal_force / row.normal - 1));
    m.force = std::max(m.force, std::hypot(h.force_1 - row.force_1, h.force_2 - row.force_2) / (t.friction * largest));
    if (largest_stored > 0)
      m.stored = std::max(m.stored, std::abs(h.stored - row.stored) / (row.stored + 1e-4 * largest_stored));
  }
  return m;
}

}  // namespace dem::validation::kuhn2011
