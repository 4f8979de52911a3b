// Cases from TOML text, as a user writes them. `format = 1` is put before the text.
#pragma once
#include "libdem/case/case_file.hpp"
#include "prelude.hpp"

namespace dem::test {

inline Case case_of(const std::string& text) { return parse_case("format = 1\n" + text, "test.toml"); }

}  // namespace dem::test
