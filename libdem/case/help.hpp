// Pages of `dem help`, as text: the same for the program and for Python.
#pragma once
#include <optional>
#include <string>

namespace dem {

/// The page of a word: a key, a table, the last part of a key, a generator, driver or law, a value of a key. An empty
/// word gives the overview, "keys" the list of all keys. Other words are searched in names and descriptions. Empty if
/// nothing is found.
std::optional<std::string> case_help(std::string word);

}  // namespace dem
