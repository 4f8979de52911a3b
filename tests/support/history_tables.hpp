// The unit numbers T5 of the direct-shear reference (§5), for the laws alone and for spheres on walls.
#pragma once
#include "geometry/vector.hpp"
#include "libdem/laws/displacement_history.hpp"
#include "support/history_contact.hpp"
#include "support/study_tables.hpp"

namespace dem::test::history {

inline constexpr double degree = pi / 180;

struct TableRow : StudyRow {
  Vec3 vector(const std::string& name) const { return {number(name + "_x"), number(name + "_y"), number(name + "_z")}; }
  TangentialHistory history() const {
    return at("history") == "true"     ? TangentialHistory::whole
           : at("history") == "pseudo" ? TangentialHistory::pseudo
                                       : TangentialHistory::none;
  }
  FrictionLimit limit() const { return at("limit") == "spring" ? FrictionLimit::spring : FrictionLimit::total; }
};

// T5: oblique impacts on a flat wall.

struct ImpactRow {
  std::string name;
  Coefficients coefficients;
  bool midpoint;  ///< lever
  TangentialHistory history;
  FrictionLimit limit;
  double degrees, v_x, v_z, spin;
  double e_n = 0, impulses = 0;  ///< J_t/J_n. 0 if not given
};
/// Of the law alone.
inline Rebound rebound_of(const ImpactRow& row, SeenVelocity seen = SeenVelocity::of_mid_step) {
  Contact c(row.coefficients);
  c.options.history = row.history;
  c.options.friction_limit = row.limit;
  return meets_wall(c, 0.003, 1, row.degrees * degree, row.midpoint, 1e-6, 100000, 0, seen);
}
inline std::vector<ImpactRow> impact_rows() {
  Coefficients hertz = on_a_wall(glass), material = hertz;
  material.restitution = 0.87;
  const Coefficients hooke = on_a_wall({false, 2000, 1600, 400, 200, 0.18, 0, 0});
  std::vector<ImpactRow> all;
  for (const TableRow& r : study_rows<TableRow>("tests/support/tables/impacts.csv")) {
    const std::string& kind = r.at("coefficients");
    all.push_back({r.at("name"),
                   kind == "hertz"   ? hertz
                   : kind == "hooke" ? hooke
                                     : material,
                   r.at("lever") == "midpoint", r.history(), r.limit(), r.number("degrees"), r.number("v_x"),
                   r.number("v_z"), r.number("spin"), r.number("e_n"), r.number("impulses")});
  }
  return all;
}

}  // namespace dem::test::history
