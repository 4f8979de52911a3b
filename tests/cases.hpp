// Cases from TOML text, as a user writes them, and walls in the plane. `format = 1` is put before the text.
#pragma once
#include "libdem/case/case_file.hpp"
#include "support/running.hpp"

namespace dem::test {

inline Case case_of(const std::string& text) { return parse_case("format = 1\n" + text, "test.toml"); }

inline WallSpec line_wall(const std::string& name, Vec2 from, Vec2 to, Vec2 velocity = {}) {
  return {.name = name, .from = from, .to = to, .velocity = spatial(velocity)};
}

}  // namespace dem::test
