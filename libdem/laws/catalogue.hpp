// Name → law. Adding a law: one header beside this file, one row in catalogue.cpp, one closed-form test, one line in NOTATION.md.
#pragma once
#include <span>
#include <string_view>

#include "libdem/laws/block.hpp"

namespace dem::laws {

struct LawEntry {
  std::string_view name;
  std::string_view description;
  int history_size;  ///< doubles a contact
  /// Updates `count` histories (contiguous, history_size doubles each) and fills the reply columns. One indirect call a block.
  void (*pass)(const LawOptions&, Block&, double* history);
  /// Elongation ξ (m) in directions 1 and 2, for observers.
  void (*elongation)(const double* history, double out[2]);
};

std::span<const LawEntry> catalogue();
/// Null when there is no such law.
const LawEntry* find(std::string_view name);

}  // namespace dem::laws
