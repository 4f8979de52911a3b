// [parameters] of `dem contact`: the coefficients that a law reads of a contact, then its own keys.
#pragma once
#include <string>
#include <vector>

#include "libdem/laws/catalogue.hpp"

namespace dem {

struct ContactParameter : laws::KeyForm {
  std::string default_text = "required";
  const laws::Key* option = nullptr;  ///< the key of the law; null: a coefficient of the contact
  std::string allowed() const;        ///< what it may be, in words
  bool required() const { return default_text == "required"; }
};

/// In the order of dem help.
std::vector<ContactParameter> contact_parameters(const laws::LawEntry&);

}  // namespace dem
