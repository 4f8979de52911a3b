#include "libdem/laws/parameters.hpp"

namespace dem::laws {
namespace {

using Kind = Parameter::Kind;

/// Spring, Coulomb limit and dashpots; the normal force is k_n ζ.
std::vector<Parameter> linear_parameters(std::string_view clip_by_default) {
  return {
      {"normal_stiffness", "N/m", "k_n: the normal force is k_n times the overlap", "required", Kind::number, 0, true, {}},
      {"tangential_stiffness", "N/m", "k_t of the tangential spring", "required", Kind::number, 0, true, {}},
      {"friction", "", "mu: the tangential force is at most mu times the normal force", "required", Kind::number, 0, false, {}},
      {"normal_damping", "kg/s", "of the normal dashpot, on the movement of a row over time_step", "0", Kind::number, 0, false, {}},
      {"tangential_damping", "kg/s", "of the tangential dashpot", "normal_damping k_t/k_n", Kind::number, 0, false, {}},
      {"damp_while_sliding", "", "keep the tangential dashpot at the Coulomb limit", "false", Kind::truth, 0, false, {}},
      {"clip_tension", "", "no attraction at the end of a damped contact", clip_by_default, Kind::truth, 0, false, {}},
      {"transport", "", "how the stored force follows the contact (frame = \"global\")", "exact", Kind::word, 0, false,
       {"none", "projection", "projection-twirl", "swing-twist", "exact"}},
  };
}

std::vector<Parameter> refined_parameters() {
  std::vector<Parameter> all = linear_parameters("true");
  all.push_back({"refinements", "", "those that are on; an empty list is the conventional model", "all", Kind::words, 0, false,
                 {"part-of-step", "onset", "direction"}});
  all.push_back({"sliding_work", "", "work while sliding: integral along the path, or mean force times movement", "exact", Kind::word, 0,
                 false, {"exact", "trapezoid"}});
  return all;
}

}  // namespace

std::span<const Parameter> parameters(std::string_view law) {
  static const std::vector<Parameter> linear = linear_parameters("false"), refined = refined_parameters();
  if (law == "linear") return linear;
  if (law == "linear-refined") return refined;
  return {};
}

}  // namespace dem::laws
