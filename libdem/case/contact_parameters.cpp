#include "libdem/case/contact_parameters.hpp"

#include <fmt/format.h>

#include "libdem/case/ranges.hpp"

namespace dem {
namespace {

using laws::KeyForm;
using namespace case_file;

struct Parameters {
  std::vector<ContactParameter> all;
  void number(std::string name, std::string unit, Range range, std::string text, std::string by_default = "required") {
    all.push_back({{std::move(name), std::move(unit), std::move(text), KeyForm::Kind::number, range}, by_default});
  }
  ContactParameter& truth(std::string name, std::string text, bool by_default) {
    return all.emplace_back(
        ContactParameter{{std::move(name), "", std::move(text), KeyForm::Kind::truth}, by_default ? "true" : "false"});
  }
};

/// The value as in [parameters], without quotes.
std::string plain(const laws::Key& key, const laws::Key::Value& value) {
  if (const auto* x = std::get_if<double>(&value)) return fmt::format("{}", *x);
  if (const auto* n = std::get_if<int>(&value)) return fmt::format("{}", *n);
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  const auto& list = std::get<std::vector<std::string>>(value);
  return list.size() == key.words.size() ? "all" : fmt::format("[{}]", fmt::join(list, ", "));
}

/// Adds springs, or spheres of one elastic material.
void add_elasticity(const laws::LawEntry& law, Parameters& all) {
  if (!law.hertzian) {
    all.number("normal_stiffness", "N/m", within::stiffness, "k_n: the normal force is k_n times the overlap");
    all.number("tangential_stiffness", "N/m", within::stiffness, "k_t of the tangential spring",
               law.tangential_spring ? "required" : "0");
    all.number("friction", "", within::friction, "mu: the tangential force is at most mu times the normal force");
    return;
  }
  const std::string needed = law.takes_hertz_stiffness ? "required without hertz_normal_stiffness" : "required";
  all.number("shear_modulus", "Pa", within::modulus, "G of both bodies", needed);
  all.number("poisson_ratio", "", within::poisson_ratio, "nu of both bodies", needed);
  if (law.takes_hertz_stiffness) {
    all.number("hertz_normal_stiffness", "Pa", within::modulus,
               "k_n: the normal force is k_n times contact radius times overlap; instead of G and nu, which give 4 "
               "E*/3",
               "none: from shear_modulus and poisson_ratio");
    all.number("hertz_tangential_stiffness", "Pa", within::modulus,
               "k_t: the spring is k_t times contact radius; 8 G* of a material",
               "required with hertz_normal_stiffness");
  }
  all.number("friction", "", within::friction, "f: the tangential force is at most f times the normal force");
  all.number("radius_i", "m", within::length, "of body i");
  all.number("radius_j", "m", within::length, "of body j");
}

void add_damping(const laws::LawEntry& law, Parameters& all) {
  all.number("normal_damping", "kg/s", within::damping,
             "of the normal dashpot, on the movement of a row over time_step", "0");
  const std::string_view ratio = law.hertzian       ? (law.root_damping ? "over the root of kappa" : "over kappa")
                                 : law.root_damping ? "times the root of k_t/k_n"
                                                    : "k_t/k_n";
  all.number("tangential_damping", "kg/s", within::damping, "of the tangential dashpot",
             fmt::format("normal_damping {}", ratio));
  if (law.root_damping) {
    const std::string unit = law.hertzian ? "1/(m s)" : "1/s";
    all.number("normal_damping_rate", unit, within::damping,
               "instead of normal_damping, which is this times reduced_mass (Hertz: and contact radius)",
               "none: normal_damping");
    all.number("tangential_damping_rate", unit, within::damping, "the same for tangential_damping",
               "from normal_damping_rate as tangential_damping is");
    all.number("reduced_mass", "kg", within::mass, "m of the pair, with normal_damping_rate",
               "required with normal_damping_rate");
  }
  if (!law.limits_dashpot) all.truth("damp_while_sliding", "keep the tangential dashpot at the Coulomb limit", false);
  all.truth("clip_tension", "no attraction at the end of a damped contact", law.clips_tension);
}

void add_transport(const laws::LawEntry& law, Parameters& all) {
  auto& p = all.truth("transport", "how the stored force follows the contact (frame = \"global\")", false);
  p.kind = KeyForm::Kind::word;
  p.default_text = "exact";
  for (const auto& word : words_of(Transport{})) {
    const bool follows = word.value == Transport::swing_twist || word.value == Transport::exact;
    if (follows || (law.transform && (word.value != Transport::none || law.along_normal)))
      p.words.emplace_back(word.name, word.meaning);
  }
}

}  // namespace

std::string ContactParameter::allowed() const {
  if (words.empty()) return describe_key(*this).allowed;
  std::vector<std::string_view> names;
  for (const auto& [word, meaning] : words) names.push_back(word);
  return (kind == Kind::words ? "a list of " : "") + listed(names);
}

std::vector<ContactParameter> contact_parameters(const laws::LawEntry& law) {
  Parameters own;
  add_elasticity(law, own);
  add_damping(law, own);
  add_transport(law, own);
  for (const laws::Key& key : law.keys) own.all.push_back({key, plain(key, key.get(law.defaults.data())), &key});
  return own.all;
}

}  // namespace dem
