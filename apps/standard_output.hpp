// Standard output of the program. A failure to write it is reported once, at the end, and does not stop any work.
#pragma once
#include <fmt/format.h>

#include <string_view>
#include <system_error>
#include <utility>

namespace dem {

/// Call first. Otherwise the next opened file would get the number of a closed stream, and text would go into results.
/// So closed input is empty, closed standard output refuses text, and closed standard error swallows it.
void hold_standard_streams();

/// Prints on standard output. Continues after a failure, so that a run is not lost; end_of_output() reports it.
void say_text(std::string_view);
template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  say_text(fmt::format(format, std::forward<T>(values)...));
}

/// Prints a line on standard error if possible. Control characters in names and words do not reach the terminal.
void complain(std::string_view line);

/// The same for a line that is no error, such as a note about a long task. SilentOutput may drop it.
void remark(std::string_view line);

/// fmt::print() throws if it cannot write. True if the error is of standard output; end_of_output() reports it.
bool is_of_output(const std::system_error&);

/// Call last: writes the remaining text. Reports a failure of standard output, which turns an exit code of 0 into 3.
int end_of_output(int exit_code);

/// During its life, nothing reaches standard output. With `no_remarks`, standard error gets nothing but errors.
class SilentOutput {
 public:
  SilentOutput(bool silent, bool no_remarks);
  ~SilentOutput();
  SilentOutput(const SilentOutput&) = delete;
  SilentOutput& operator=(const SilentOutput&) = delete;

 private:
  int kept_ = -1;  // the original standard output
};

}  // namespace dem
