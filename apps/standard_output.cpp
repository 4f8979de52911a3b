#include "apps/standard_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "apps/subcommands.hpp"
#include "geometry/printable.hpp"

namespace dem {
namespace {

int first_error = 0;  // of standard output
bool drops_remarks = false;

void note(int error) {
  if (first_error == 0) first_error = error;
}

}  // namespace

void hold_standard_streams() {
  // In this order, because an opened file takes the lowest free number.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF &&
        ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) != stream)
      return;
}

void say_text(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) note(errno);
}

void complain(std::string_view line) {
  const std::string text = printable_message(line);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fputc('\n', stderr);
}

void remark(std::string_view line) {
  if (!drops_remarks) complain(line);
}

bool is_of_output(const std::system_error& error) {
  if (!std::ferror(stdout)) return false;
  note(error.code().value());
  return true;
}

int end_of_output(int exit_code) {
  if (std::fflush(stdout) != 0) note(errno);
  if (!std::ferror(stdout)) return exit_code;
  complain(fmt::format("dem: standard output cannot be written{}",
                       first_error ? fmt::format(": {}", std::strerror(first_error)) : ""));
  return exit_code == exit_good ? exit_file : exit_code;
}

SilentOutput::SilentOutput(bool silent, bool no_remarks) {
  drops_remarks = no_remarks;
  if (!silent) return;
  std::fflush(stdout);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  kept_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (nowhere >= 0 && kept_ >= 0) ::dup2(nowhere, STDOUT_FILENO);
  if (nowhere >= 0) ::close(nowhere);
}

SilentOutput::~SilentOutput() {
  drops_remarks = false;
  if (kept_ < 0) return;
  std::fflush(stdout);
  ::dup2(kept_, STDOUT_FILENO);
  ::close(kept_);
}

}  // namespace dem
