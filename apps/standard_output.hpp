// Standard output of the program. What cannot be written there is said once, at the end, and ends no work before that.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace dem {

/// Call first. The place of a stream that the caller has closed would be taken by the next file that is opened, and
/// text would go into results. So closed input is empty, closed standard output refuses what is written, closed
/// standard error takes it.
void hold_standard_streams();

/// Prints on standard output, and goes on where it cannot: a run is not lost with its messages. end_of_output() tells
/// of it.
void say_text(std::string_view);
template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  say_text(fmt::format(format, std::forward<T>(values)...));
}

/// Prints a line on standard error, where it can be written. What it repeats of files and of the command line reaches
/// no terminal as control characters.
void complain(std::string_view line);

/// fmt::print() throws where it cannot write. True: the error is of standard output, and is noted for end_of_output().
bool is_of_output(const std::system_error&);

/// Call last: writes what is left. Where standard output could not be written, standard error says so, and an exit code
/// of 0 becomes 3.
int end_of_output(int exit_code);

/// While it lives, nothing reaches standard output.
class SilentOutput {
 public:
  explicit SilentOutput(bool silent);
  ~SilentOutput();
  SilentOutput(const SilentOutput&) = delete;
  SilentOutput& operator=(const SilentOutput&) = delete;

 private:
  int kept_ = -1;  // standard output as it was
};

}  // namespace dem
