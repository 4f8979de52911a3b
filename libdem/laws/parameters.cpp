#include "libdem/laws/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dem::laws {
namespace {

using Kind = Parameter::Kind;
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Spring, Coulomb limit and dashpots; the normal force is k_n ζ.
std::vector<Parameter> linear_parameters(std::string_view clip_by_default) {
  return {
      {"normal_stiffness", "N/m", "k_n: the normal force is k_n times the overlap", "required", Kind::number, 1e-12, false, 1e18},
      {"tangential_stiffness", "N/m", "k_t of the tangential spring", "required", Kind::number, 1e-12, false, 1e18},
      {"friction", "", "mu: the tangential force is at most mu times the normal force", "required", Kind::number, 0, false, 1e6},
      {"normal_damping", "kg/s", "of the normal dashpot, on the movement of a row over time_step", "0", Kind::number, 0, false, 1e18},
      {"tangential_damping", "kg/s", "of the tangential dashpot", "normal_damping k_t/k_n", Kind::number, 0, false, 1e18},
      {"damp_while_sliding", "", "keep the tangential dashpot at the Coulomb limit", "false", Kind::truth, 0, false},
      {"clip_tension", "", "no attraction at the end of a damped contact", clip_by_default, Kind::truth, 0, false},
      {"transport", "", "how the stored force follows the contact (frame = \"global\")", "exact", Kind::word, 0, false,
       unbounded, {"none", "projection", "projection-rescaled", "projection-twirl", "swing-twist", "exact"}},
  };
}

std::vector<Parameter> refined_parameters() {
  std::vector<Parameter> all = linear_parameters("true");
  all.push_back({"refinements", "", "those that are on; an empty list is the conventional model", "all", Kind::words, 0, false, unbounded,
                 {"part-of-step", "onset", "direction"}});
  all.push_back({"sliding_work", "", "work while sliding: integral along the path, or mean force times movement", "exact", Kind::word, 0,
                 false, unbounded, {"exact", "trapezoid"}});
  return all;
}

/// Spheres of one elastic material.
std::vector<Parameter> hertzian_parameters() {
  return {
      {"shear_modulus", "Pa", "G of both bodies", "required", Kind::number, 1e-6, false, 1e18},
      {"poisson_ratio", "", "nu of both bodies", "required", Kind::number, -1, true, 0.5},
      {"friction", "", "f: the tangential force is at most f times the normal force", "required", Kind::number, 0, false, 1e6},
      {"radius_i", "m", "of body i", "required", Kind::number, 1e-12, false, 1e9},
      {"radius_j", "m", "of body j", "required", Kind::number, 1e-12, false, 1e9},
      {"normal_damping", "kg/s", "of the normal dashpot, on the movement of a row over time_step", "0", Kind::number, 0, false, 1e18},
      {"tangential_damping", "kg/s", "of the tangential dashpot", "normal_damping over kappa", Kind::number, 0, false, 1e18},
      {"damp_while_sliding", "", "keep the tangential dashpot at the Coulomb limit", "false", Kind::truth},
      {"clip_tension", "", "no attraction at the end of a damped contact", "false", Kind::truth},
      {"transport", "", "how the stored force follows the contact (frame = \"global\")", "exact", Kind::word, 0, false, unbounded,
       {"swing-twist", "exact"}},
  };
}

std::vector<Parameter> jaeger_parameters() {
  std::vector<Parameter> all = hertzian_parameters();
  all.push_back({"merge_slope", "", "legs whose slopes differ by no more become one: less memory; at most 2 f, 0: exact", "0", Kind::number, 0, false, 2e6});
  all.push_back({"merge_error", "", "legs become one within this error of the tangential force over f F_n, kept along a line and nearly where it turns; 0: exact", "0", Kind::number, 0, false, 1});
  all.push_back({"sliding_direction", "", "how the force of a sliding contact turns within a row", "radial-return", Kind::word, 0, false, unbounded,
                 {"radial-return", "closed-form"}});
  return all;
}

std::vector<Parameter> mindlin_parameters() {
  std::vector<Parameter> all = hertzian_parameters();
  all.push_back({"memory", "", "what is remembered of the path: no, one or all turning points", "single-reversal", Kind::word, 0, false, unbounded,
                 {"none", "single-reversal", "turning-points"}});
  return all;
}

/// Of laws with displacement history, whose friction_limit says what becomes of the dashpot at the limit.
std::vector<Parameter> with_displacement_history(std::vector<Parameter> all, std::string_view damping_by_default, std::string_view rate_unit) {
  std::erase_if(all, [](const Parameter& p) { return p.name == "damp_while_sliding"; });
  for (Parameter& p : all)
    if (p.name == "tangential_damping") p.default_text = damping_by_default;
  const auto after = std::ranges::find(all, std::string_view("tangential_damping"), &Parameter::name) + 1;
  all.insert(after, {{"normal_damping_rate", rate_unit, "instead of normal_damping, which is this times reduced_mass (Hertz: and contact radius)",
                      "none: normal_damping", Kind::number, 0, false, 1e18},
                     {"tangential_damping_rate", rate_unit, "the same of tangential_damping", "from normal_damping_rate as tangential_damping is", Kind::number, 0, false, 1e18},
                     {"reduced_mass", "kg", "m of the pair, with normal_damping_rate", "required with normal_damping_rate", Kind::number, 1e-36, false, 1e33}});
  all.push_back({"history", "", "what the tangential spring remembers: its elongation, that of a row (needs time_step), nothing", "true",
                 Kind::word, 0, false, unbounded, {"true", "pseudo", "none"}});
  all.push_back({"friction_limit", "", "what Coulomb's law limits with history = \"true\": spring and dashpot together, or the spring alone", "total",
                 Kind::word, 0, false, unbounded, {"total", "spring"}});
  return all;
}

std::vector<Parameter> hertz_history_parameters() {
  std::vector<Parameter> all = with_displacement_history(hertzian_parameters(), "normal_damping over the root of kappa", "1/(m s)");
  for (Parameter& p : all)
    if (p.name == "shear_modulus" || p.name == "poisson_ratio") p.default_text = "required without hertz_normal_stiffness";
  all.insert(all.begin() + 2, {{"hertz_normal_stiffness", "Pa", "k_n: the normal force is k_n times contact radius times overlap; instead of G and nu, of which it is 4 E*/3",
                                "none: from shear_modulus and poisson_ratio", Kind::number, 1e-6, false, 1e18},
                               {"hertz_tangential_stiffness", "Pa", "k_t: the spring is k_t times contact radius; 8 G* of a material",
                                "required with hertz_normal_stiffness", Kind::number, 1e-6, false, 1e18}});
  for (Parameter& p : all)
    if (p.name == "transport") p.choices = {"projection", "projection-rescaled", "projection-twirl", "swing-twist", "exact"};
  all.push_back({"hertz_variant", "",
                 "what stays where the stiffness changes: the elongation, the force, the force unless it has to fall with the stiffness",
                 "displacement", Kind::word, 0, false, unbounded, {"displacement", "force-increment", "rescaled"}});
  return all;
}

}  // namespace

std::string Parameter::range() const {
  if (!std::isfinite(high)) return std::isinf(low) ? "a number" : fmt::format("a number {} {}", low_open ? ">" : ">=", low);
  if (high > 1e5 && low == 0) return fmt::format("a number {} 0, at most {:g}", low_open ? ">" : ">=", high);
  if (high > 1e5 && low > 0) return fmt::format("a number > 0, from {:g} to {:g}", low, high);
  return fmt::format("a number in {}{}, {}]", low_open ? "(" : "[", low, high);
}

std::span<const Parameter> parameters(std::string_view law) {
  static const std::vector<Parameter> linear = linear_parameters("false"), refined = refined_parameters();
  static const std::vector<Parameter> jaeger = jaeger_parameters(), mindlin = mindlin_parameters();
  static const std::vector<Parameter> hooke_history =
      with_displacement_history(linear_parameters("false"), "normal_damping times the root of k_t/k_n", "1/s");
  static const std::vector<Parameter> hertz_history = hertz_history_parameters();
  if (law == "linear") return linear;
  if (law == "linear-refined") return refined;
  if (law == "jaeger" || law == "jaeger-checked") return jaeger;
  if (law == "hertz-mindlin") return mindlin;
  if (law == "hooke-history") return hooke_history;
  if (law == "hertz-history") return hertz_history;
  return {};
}

}  // namespace dem::laws
