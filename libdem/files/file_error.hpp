#pragma once
#include <stdexcept>

namespace dem {

/// A file that cannot be read or written: missing, truncated, of another format, disk full … One sentence, naming the file.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file that can be read, but what it says cannot be used: `file:line: found …, wanted …`. For the program it is bad input, like a wrong case.
struct ContentError : FileError {
  using FileError::FileError;
};

}  // namespace dem
