// A folder for a test of sweeps, removed at the end.
#pragma once
#include "libdem/sweep/quantities.hpp"
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

/// A result of a point.
inline double number(const dem::SweepTable& table, std::size_t row, const std::string& column) {
  return table.result.at(row).at(dem::column_of(table.results, column));
}

}  // namespace sweep_test
