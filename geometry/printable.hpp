// Text of a file or of a command line, as shown in messages.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace dem {

inline constexpr std::size_t longest_shown = 60;  ///< characters that a message repeats at most

/// The text on one line, without anything that a terminal would obey. Control characters, and bytes that are not UTF-8,
/// are shown as \n, \t or \xNN. A text of more than `most` characters is cut and ends in "...".
std::string printable(std::string_view, std::size_t most = longest_shown);

/// The same for whole messages. They are not cut and keep their line ends.
std::string printable_message(std::string_view);

}  // namespace dem
