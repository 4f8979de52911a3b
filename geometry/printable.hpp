// Text of a file or of a command line, as messages show it.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace dem {

inline constexpr std::size_t longest_shown = 60;  ///< characters of what a message repeats

/// The text on one line, without anything that a terminal would obey: control characters, and bytes that are not UTF-8,
/// are shown as \n, \t or \xNN. A text of more than `most` characters is cut and ends in "...".
std::string printable(std::string_view, std::size_t most = longest_shown);

/// The same for whole messages, which are not cut and keep their line ends.
std::string printable_message(std::string_view);

}  // namespace dem
