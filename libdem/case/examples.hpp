// Whole cases that `dem help` shows: the files case/examples/*.toml, which the build puts into the library.
#pragma once
#include <string>
#include <string_view>

namespace dem {

/// The text of case/examples/NAME.toml. `minimal` is the shortest case that shows something.
std::string example_case(std::string_view name);

}  // namespace dem
