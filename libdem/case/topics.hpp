// Pages of `dem help`, as text and in their parts: on generators, drivers and laws, the words of choices, whole cases.
// Texts of the schema and of the catalogues are taken from there.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/case/case_file.hpp"

namespace dem {

/// The page of a word: a key, a table, the last part of a key, a generator, driver or law, a value of a key. An empty
/// word gives the overview, "keys" the list of all keys. Other words are searched in names and descriptions. Empty if
/// nothing is found.
std::optional<std::string> case_help(std::string word);

/// The text of case/examples/NAME.toml, a whole case. `minimal` is the shortest one that shows something.
std::string example_case(std::string_view name);

/// A page. Its example is a whole case.
struct CaseTopic {
  enum class Kind { generator, driver, law };
  Kind kind = Kind::generator;
  std::string name;     ///< the word after dem help
  std::string summary;  ///< a sentence without full stop
  std::string text;     ///< more than the summary and the keys, in lines
  std::vector<const CaseKey*> keys;
  std::string example;
};

/// Generators, drivers, laws, each in the order of the schema.
const std::vector<CaseTopic>& case_topics();
/// By name, with '-' or '_'; null when there is none.
const CaseTopic* find_case_topic(std::string_view word);

/// A word that a key may have as its value.
struct CaseWord {
  const CaseKey* key;
  std::string word;
  std::string meaning;  ///< empty: the description of the key says it
};
/// All words of the keys with choices, in the order of the keys.
const std::vector<CaseWord>& case_words();

}  // namespace dem
