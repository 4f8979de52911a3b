// Words of a shell command.
#pragma once
#include <string>

namespace dem {

/// Quotes the text for a shell if necessary.
std::string shell_word(const std::string&);

}  // namespace dem
