// The case of a command: its file and its changes by --set.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "libdem/case/case_file.hpp"

namespace CLI {
class App;
}

namespace dem {

/// Adds the repeatable option --set KEY=VALUE.
void add_settings(CLI::App& command, std::vector<std::string>& settings);

/// Throws FileError and CaseErrors.
Case read_case(const std::string& file, const std::vector<std::string>& settings);

/// True if --set gave the key ("time.step", "stage[2].strain") of the case that was read last.
bool is_setting(std::string_view key);

}  // namespace dem
