// Parts of texts.
#pragma once
#include "prelude.hpp"

namespace dem::test {

inline bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// The text with a part of it replaced.
inline std::string with(std::string text, const std::string& part, const std::string& instead) {
  const auto at = text.find(part);
  BOOST_TEST_REQUIRE(at != text.npos, part);
  return text.replace(at, part.size(), instead);
}

}  // namespace dem::test
