// Tractions of a driven contact as a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libdem/case/case_file.hpp"
#include "libdem/case/contact_drive_file.hpp"
#include "libdem/laws/jaeger_traction.hpp"

namespace dem {

std::string traction_table(const ContactDrive& drive, const std::vector<DriveState>& states,
                           std::span<const std::size_t> rows) {
  if (!drive.law->keeps_jaeger_history) {
    std::string names;
    for (const laws::LawEntry& law : laws::catalogue())
      if (law.keeps_jaeger_history) names += fmt::format("{}\"{}\"", names.empty() ? "" : " and ", law.name);
    throw CaseErrors(
        {fmt::format("--tractions: found law = \"{}\", allowed {}: only their histories say where on the contact area "
                     "the force acts",
                     drive.law.name(), names)});
  }
  for (const std::size_t row : rows)
    if (row >= states.size())
      throw CaseErrors({fmt::format("--tractions: found row {}, allowed 0 (the start) to {}", row, states.size() - 1)});
  if (std::ranges::all_of(rows, [&](std::size_t row) { return states[row].legs.empty(); }))
    throw CaseErrors(
        {fmt::format("--tractions: found row {} without a contact, allowed rows in which there is one", rows.front())});
  laws::JaegerCoefficients coefficients;
  static_cast<laws::Hertz&>(coefficients) = drive.hertz;
  coefficients.friction = drive.friction;
  std::string text =
      drive.global ? "step,radius,pressure,shear_x,shear_y,shear_z\n" : "step,radius,pressure,shear_1,shear_2\n";
  for (const std::size_t row : rows) {
    const DriveState& s = states[row];
    const laws::JaegerTractions tractions(coefficients, s.legs);
    const auto add = [&](double radius) {
      const auto shear = tractions.shear(radius);
      const Vec3 v = drive.global ? shear.x * s.direction_1 + shear.y * s.direction_2 : Vec3{shear.x, shear.y, 0};
      text += fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g}", row, radius, tractions.pressure(radius), v.x + 0.0,
                          v.y + 0.0);
      text += drive.global ? fmt::format(",{:.17g}\n", v.z + 0.0) : "\n";
    };
    // Each ring has its own points, denser towards its outer edge, where the tractions have a square root.
    const std::size_t rings = s.legs.size(), points = std::clamp<std::size_t>(rings == 0 ? 0 : 400 / rings, 4, 100);
    double inner = 0;
    for (std::size_t k = 0; k < rings; ++k) {
      const double outer = tractions.ring_radius(k);
      for (std::size_t n = 0; n < points; ++n)
        add(inner + (outer - inner) * std::sin(0.5 * std::numbers::pi * double(n) / double(points)));
      inner = outer;
    }
    if (rings > 0) add(inner);
  }
  return text;
}

}  // namespace dem
