// A run that goes on from an archive in memory.
#pragma once
#include "sphere_cases.hpp"

namespace dem::test {

inline MemoryArchive saved(const Simulation& run) {
  MemoryArchive archive;
  run.save(archive);
  return archive;
}
inline Simulation resumed_from(const Simulation& run, const Case& c) {
  Simulation resumed(c);
  resumed.load(saved(run));
  return resumed;
}

}  // namespace dem::test
