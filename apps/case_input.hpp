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

/// The message with the case file, and with the line of the key if the message begins with a key.
CaseErrors located(const Case&, const std::string& message);
/// Rethrows the exception at hand. An error of the assembly, the start or the time step becomes one of the case file.
/// `automatic`: the case file leaves its time step open.
[[noreturn]] void rethrow_located(const Case&, bool automatic);

}  // namespace dem
