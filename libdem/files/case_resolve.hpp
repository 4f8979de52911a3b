// Between what the keys say (CaseDraft) and what the simulation sees (Case).
#pragma once
#include "libdem/files/case_draft.hpp"
#include "libdem/files/case_problems.hpp"

namespace dem::case_file {

/// What each key alone cannot tell: keys that exclude or need each other, and combinations that make no sense.
void check_combinations(const CaseDraft&, const std::filesystem::path& directory, Problems&);

/// Fills in the defaults that depend on other keys. `directory`: what file names in the case are relative to.
Case resolve(const CaseDraft&, const std::filesystem::path& directory);

/// The opposite: every key that the case can be told by.
CaseDraft draft_of(const Case&);

/// Whether the bodies are discs or polygons; polygons when there are none.
ShapeKind shape_of(const CaseDraft&);

}  // namespace dem::case_file
