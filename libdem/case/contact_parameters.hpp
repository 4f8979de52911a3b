// [parameters] of `dem contact`: the coefficients of a contact that a law reads, then its own keys.
#pragma once
#include <string>
#include <vector>

#include "libdem/laws/catalogue.hpp"

namespace dem {

struct ContactParameter : laws::KeyForm {
  std::string default_text = "required";
  const laws::Key* option = nullptr;  ///< key of the law, or null for a coefficient
  std::string allowed() const;        ///< allowed values in words
  bool required() const { return default_text == "required"; }
};

/// All parameters, in the order of `dem help`.
std::vector<ContactParameter> contact_parameters(const laws::LawEntry&);

}  // namespace dem
