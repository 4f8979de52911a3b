#pragma once
#include <stdexcept>
#include <string>

namespace dem {

/// A file that cannot be read or written: missing, truncated, of another format, disk full … One sentence, naming the
/// file.
struct FileError : std::runtime_error {
  explicit FileError(const std::string& sentence, int number = 0)
      : std::runtime_error(sentence), error_number(number) {}
  int error_number = 0;  ///< errno of the system where it refused; 0: it did not
};

/// A file that can be read, but what it says cannot be used: `file:line: found …, wanted …`. For the program it is bad
/// input, like a wrong case.
struct ContentError : FileError {
  using FileError::FileError;
};

}  // namespace dem
