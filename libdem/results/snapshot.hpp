// Snapshots: bodies at one moment, with or without contacts, one self-describing HDF5 file each.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "libdem/state/view.hpp"

namespace dem {

void write_snapshot(const std::filesystem::path&, const AssemblyView&, const RunDescription&, bool contacts = true);

/// The description of a snapshot in its file. The arrays are read as HDF5, for example by dem.Snapshot in Python.
struct Snapshot {
  RunDescription run;
  std::uint64_t step = 0;
  double time = 0, strain = 0, time_step = 0;
  int dimension = 2;
  std::vector<std::string> groups;
  std::size_t bodies = 0, shapes = 0, contacts = 0;  ///< their numbers
  bool has_contacts = false;                         ///< true if written with contacts, even if there were none
};
/// Throws FileError if the file is missing, truncated, damaged or of another format.
Snapshot read_snapshot(const std::filesystem::path&);

}  // namespace dem
