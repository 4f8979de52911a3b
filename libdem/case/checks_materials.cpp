// Coefficients of materials that exclude or need each other. Materials have names of their own, each pair comes once.
#include <fmt/format.h>

#include <algorithm>

#include "libdem/case/schema.hpp"

namespace dem::case_file {
namespace {

/// Why the law needs a tangential stiffness other than 0; empty where it does not.
std::string spring_needed(const CaseDraft& draft) {
  return std::string(draft.contact.law->why_spring(draft.contact.law.data()));
}

/// Exactly one of some keys of a table, or with `needed` false at most one.
void exactly_one(Problems& problems, const std::string& table, const std::vector<std::string>& keys,
                 bool needed = true) {
  const auto given = [&](const std::string& key) { return problems.is_given(table + "." + key); };
  const auto first = std::ranges::find_if(keys, given);
  if (first == keys.end() && !needed) return;
  if (first == keys.end())
    return problems.add(table + "." + keys[0], fmt::format("neither {}", fmt::join(keys, " nor ")),
                        "exactly one of them");
  const auto second = std::find_if(first + 1, keys.end(), given);
  if (second != keys.end())
    problems.add(table + "." + *second, "this key beside " + *first, fmt::format("one of {} and {}", *first, *second));
}

/// Hertzian laws, and springs of a characteristic speed: elastic constants instead of stiffnesses.
void check_elastic(const CaseDraft& draft, Problems& problems) {
  const bool own = draft.contact.law->takes_hertz_stiffness &&
                   (draft.material.hertz_normal_stiffness || draft.material.hertz_tangential_stiffness);
  const bool speed = problems.is_given("material.characteristic_speed");
  const std::string law = speed ? "characteristic_speed" : fmt::format("law = \"{}\"", draft.contact.law.name());
  const std::string remedy =
      speed ? "remove this key, or characteristic_speed" : "remove this key, or choose another contact.law";
  const auto refuse = [&](const std::string& table, std::initializer_list<const char*> keys, std::string_view why) {
    for (const char* key : keys)
      if (problems.is_given(table + "." + key)) problems.add(table + "." + key, "this key", why);
  };
  if (own) {
    const std::string_view why_not =
        "only without hertz_normal_stiffness and hertz_tangential_stiffness: these two hold for all contacts; remove "
        "this key, or both of them";
    refuse("material", {"shear_modulus", "poisson_ratio"}, why_not);
    for_each_entry(draft.own_materials, "other_material", [&](const auto&, const std::string& table) {
      refuse(table, {"shear_modulus", "poisson_ratio"}, why_not);
    });
    for (const char* key : {"material.hertz_normal_stiffness", "material.hertz_tangential_stiffness"})
      if (!problems.is_given(key))
        problems.add(key, "nothing",
                     "a number (required: both hertz_normal_stiffness and hertz_tangential_stiffness, or none)");
    if (const auto reason = spring_needed(draft); draft.material.hertz_tangential_stiffness == 0.0 && !reason.empty())
      problems.add("material.hertz_tangential_stiffness", "0", fmt::format("a number > 0: {}", reason));
  } else {
    for (const char* key : {"shear_modulus", "poisson_ratio"})
      if (const std::string path = std::string("material.") + key; !problems.is_given(path))
        problems.add(path, "nothing",
                     fmt::format("a number {} (required with {})",
                                 key == std::string("shear_modulus") ? "> 0" : "in (-1, 0.5]", law));
  }
  const std::string why = fmt::format(
      "only without {}: the stiffness follows from {}; {}", law,
      own ? "hertz_normal_stiffness and hertz_tangential_stiffness" : "shear_modulus and poisson_ratio", remedy);
  refuse("material", {"normal_stiffness", "tangential_stiffness"}, why);
  if (!speed) refuse("material", {"tangential_stiffness_ratio"}, why);
  for_each_entry(draft.material_pairs, "material_pair", [&](const auto&, const std::string& table) {
    refuse(table, {"normal_stiffness", "tangential_stiffness"}, why);
  });
  for_each_entry(draft.own_materials, "other_material", [&](const OtherMaterialDraft& m, const std::string& table) {
    refuse(table, {"normal_stiffness", "tangential_stiffness"}, why);
    const bool differs = !own && (m.shear_modulus.value_or(draft.material.shear_modulus.value_or(0)) !=
                                      draft.material.shear_modulus.value_or(0) ||
                                  m.poisson_ratio.value_or(draft.material.poisson_ratio.value_or(0)) !=
                                      draft.material.poisson_ratio.value_or(0));
    if (differs && draft.contact.dissimilar_materials == DissimilarMaterials::refuse)
      problems.refuse(
          table + (m.shear_modulus ? ".shear_modulus" : ".poisson_ratio"),
          fmt::format(
              "that of [material]: {} holds for contacts of one elastic material, since of two the normal and the "
              "tangential problem "
              "are coupled; contact.dissimilar_materials = \"equivalent\" takes equivalent constants, an approximation",
              law));
  });
}

void check_damping(const CaseDraft& draft, Problems& problems) {
  exactly_one(problems, "material", {"restitution", "normal_damping", "normal_damping_rate"});
  if (problems.is_given("material.tangential_damping") && problems.is_given("material.tangential_damping_ratio"))
    problems.add("material.tangential_damping_ratio", "this key beside tangential_damping", "one of the two");
  const auto rate = draft.own_tangential_damping_rate;
  if (!rate) return;
  for (const char* key : {"tangential_damping", "tangential_damping_ratio"})
    if (problems.is_given(std::string("material.") + key))
      problems.add("material.tangential_damping_rate", std::string("this key beside ") + key, "one of the two");
  if (!(draft.material.normal_damping_rate.value_or(0) > 0))
    problems.refuse(
        "material.tangential_damping_rate",
        "only beside a normal_damping_rate > 0: the two are worked out together; tangential_damping is one by itself");
}

}  // namespace

void check_material(const CaseDraft& draft, Problems& problems) {
  check_damping(draft, problems);
  if (problems.has("contact.law")) return;  // it decides which keys are wanted
  const laws::LawEntry& law = *draft.contact.law;
  const auto only_with = [&](bool laws::Traits::*trait, std::initializer_list<const char*> keys,
                             std::string_view what) {
    if (law.*trait) return;
    for (const char* key : keys)
      if (problems.is_given(key))
        problems.add(key, "this key",
                     fmt::format("only without law = \"{}\": only {}; remove this key, or choose another contact.law",
                                 law.name, laws_that_have([&](const auto& other) { return other.*trait; }, what)));
  };
  if (draft.dimension == 3) {
    only_with(&laws::Traits::takes_hertz_stiffness,
              {"material.hertz_normal_stiffness", "material.hertz_tangential_stiffness"}, "stiffnesses in Pa");
    only_with(&laws::Traits::takes_characteristic_speed, {"material.characteristic_speed"},
              "springs of a characteristic speed");
  }
  const std::string why_spring = spring_needed(draft);
  if (law.hertzian) {
    if (draft.dimension == 3) check_elastic(draft, problems);
    return;
  }
  if (problems.is_given("material.characteristic_speed")) {
    if (draft.own_stiffness_ratio == 0.0 && !why_spring.empty())
      problems.add("material.tangential_stiffness_ratio", "0", fmt::format("a number > 0: {}", why_spring));
    if (draft.dimension == 3) check_elastic(draft, problems);
    return;
  }
  if (!problems.is_given("material.normal_stiffness"))
    problems.add("material.normal_stiffness", "nothing", "a number > 0 (required)");
  const auto refuse_elastic = [&](const std::string& table) {
    for (const char* key : {".shear_modulus", ".poisson_ratio"})
      if (problems.is_given(table + key))
        problems.add(table + key, "this key",
                     fmt::format("only without law = \"{}\": its contacts are springs; remove this key, or choose "
                                 "another contact.law",
                                 law.name));
  };
  refuse_elastic("material");
  for_each_entry(draft.own_materials, "other_material",
                 [&](const auto&, const std::string& table) { refuse_elastic(table); });
  exactly_one(problems, "material", {"tangential_stiffness", "tangential_stiffness_ratio"}, law.tangential_spring);
  const bool no_spring =
      (problems.is_given("material.tangential_stiffness") && draft.own_tangential_stiffness == 0.0) ||
      (problems.is_given("material.tangential_stiffness_ratio") && draft.own_stiffness_ratio == 0.0);
  if (no_spring && !why_spring.empty())
    problems.add(problems.is_given("material.tangential_stiffness") ? "material.tangential_stiffness"
                                                                    : "material.tangential_stiffness_ratio",
                 "0", fmt::format("a number > 0 with law = \"{}\": {}", law.name, why_spring));
  else if (no_spring && !law.limits_dashpot && draft.material.tangential_damping.value_or(0) > 0)
    problems.refuse(
        "material.tangential_damping",
        "0 without a tangential stiffness: the Coulomb limit acts on the spring, a dashpot alone would have none");
}

void check_materials(const CaseDraft& draft, Problems& problems) {
  const auto& others = draft.own_materials;
  std::string names = "that of [material]";
  for (const auto& m : others) names += ", " + encode(m.name);
  const auto known = [&](const std::string& name) {
    return name.empty() || std::ranges::any_of(others, [&](const auto& m) { return m.name == name; });
  };
  for_each_entry(others, "other_material", [&](const OtherMaterialDraft& m, const std::string& path) {
    if (problems.is_given(path + ".name") && m.name.empty())
      problems.add(path + ".name", "\"\"", "a name: the material without one is [material]");
  });
  for_each_entry(draft.own_bodies, "body", [&](const BodyDraft& body, const std::string& path) {
    if (!known(body.material)) problems.refuse(path + ".material", "a name of an [[other_material]]: " + names);
  });
  const auto& pairs = draft.material_pairs;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::string path = fmt::format("material_pair[{}]", k + 1);
    if (!known(pairs[k].first)) problems.refuse(path + ".first", "one of " + names);
    if (!known(pairs[k].second)) problems.refuse(path + ".second", "one of " + names);
    const auto same = [&](const MaterialPair& p) {
      return std::minmax(p.first, p.second) == std::minmax(pairs[k].first, pairs[k].second);
    };
    const auto first = std::find_if(pairs.begin(), pairs.begin() + std::ptrdiff_t(k), same);
    if (first == pairs.begin() + std::ptrdiff_t(k)) continue;
    const std::string before = fmt::format("material_pair[{}]", first - pairs.begin() + 1);
    problems.add(path, fmt::format("a pair that was listed before, as {} (line {})", before, problems.line_of(before)),
                 "each pair once");
  }
}

}  // namespace dem::case_file
