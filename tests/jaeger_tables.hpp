// Tables U1 to U7 of the jaeger-contact reference, §16, from validation/kuhn2011/tables.csv. The forces are those of a
// 60-digit evaluation by bisection, U_t is in double precision.
#pragma once
#include <ranges>

#include "libdem/contacts/one_contact.hpp"
#include "support/csv.hpp"

namespace jaeger_tables {

struct Row {
  double z, shift_1, shift_2;  ///< half-overlap (m), half of the tangential movement of the step (m)
  double normal, force_1, force_2;
  dem::laws::StepRegime regime;
  int legs;
  double stored;
};
struct Table {
  std::string name;
  double shear_modulus, poisson_ratio, radius_p, radius_q, friction, merge_slope;
  std::vector<Row> rows;
};

inline dem::laws::StepRegime regime_named(const std::string& name) {
  using enum dem::laws::StepRegime;
  for (const auto regime : {separated, unchanged, stick, slip, slide, retrace})
    if (dem::name_of(regime) == name) return regime;
  throw std::runtime_error("no regime " + name);
}

inline std::vector<Table> read() {
  std::ifstream file(LIBDEM_SOURCE_DIR "/validation/kuhn2011/tables.csv");
  std::vector<Table> tables;
  for (const auto& cells : dem::test::lines_of(file) | std::views::drop(1)) {
    const auto number = [&](std::size_t k) { return std::stod(cells.at(k)); };
    if (tables.empty() || tables.back().name != cells[0])
      tables.push_back({cells[0], number(1), number(2), number(3), number(4), number(5), number(6), {}});
    tables.back().rows.push_back({number(7), number(8), number(9), number(10), number(11), number(12),
                                  regime_named(cells.at(13)), std::stoi(cells.at(14)), number(15)});
  }
  if (tables.empty()) throw std::runtime_error("no tables of the Jäger contact");
  return tables;
}
inline const std::vector<Table> tables = read();

}  // namespace jaeger_tables
