// A folder for a test of sweeps, removed at the end.
#pragma once
#include "tests/apps/cli_tools.hpp"

namespace sweep_test {

struct Folder : cli::Folder {
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    cli::Folder::write(name, text);
    return path() / name;
  }
};

/// A test with such a folder.
struct InFolder {
  const Folder folder;
};

using cli::has;

}  // namespace sweep_test
