#pragma once
#include <stdexcept>

namespace dem {

/// A file that cannot be read or written: missing, truncated, of another format, disk full … One sentence, naming the file.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace dem
