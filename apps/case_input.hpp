// The case of a command: its file, and what --set changes in it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "libdem/case/case_file.hpp"

namespace CLI {
class App;
}

namespace dem {

/// Adds the option --set KEY=VALUE, which may be repeated.
void add_settings(CLI::App& command, std::vector<std::string>& settings);

/// Throws FileError, CaseErrors.
Case read_case(const std::string& file, const std::vector<std::string>& settings);

/// Whether --set has given the key of the last case that was read: "time.step", "stage[2].strain".
bool is_setting(std::string_view key);

}  // namespace dem
