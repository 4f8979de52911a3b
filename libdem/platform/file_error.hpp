#pragma once
#include <stdexcept>
#include <string>

namespace dem {

/// A file that cannot be read or written (missing, truncated, other format, disk full, …). The message names the file.
struct FileError : std::runtime_error {
  explicit FileError(const std::string& sentence, int number = 0)
      : std::runtime_error(sentence), error_number(number) {}
  int error_number = 0;  ///< errno of the system; 0 if the system did not refuse
};

/// A readable file with unusable content: `file:line: found …, wanted …`. It is bad input, like a wrong case.
struct ContentError : FileError {
  using FileError::FileError;
};

}  // namespace dem
