// The manual page of the program, made from its options and the schema of the case file.
#pragma once
#include <string>

namespace CLI {
class App;
}

namespace dem {

/// Language: man(7), ASCII.
std::string manual_page(const CLI::App&);

}  // namespace dem
