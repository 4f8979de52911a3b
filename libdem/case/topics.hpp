// Pages of `dem help` on generators, drivers and laws, and the meanings of the words of choices. Texts of the schema
// and of the catalogues are taken from there.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "libdem/case/case_file.hpp"

namespace dem {

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
