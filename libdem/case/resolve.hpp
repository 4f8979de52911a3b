// Between what the keys say (CaseDraft) and what the simulation sees (Case).
#pragma once
#include "libdem/case/draft.hpp"
#include "libdem/case/problems.hpp"

namespace dem::case_file {

/// What each key alone cannot tell: keys that exclude or need each other, and combinations that make no sense.
void check_combinations(const CaseDraft&, const std::filesystem::path& directory, Problems&);
// Its parts on stages and the driven cell (case_checks_stages.cpp), and on materials (case_checks_materials.cpp).
void check_stages(const CaseDraft&, Problems&);
void check_material(const CaseDraft&, Problems&);
void check_materials(const CaseDraft&, Problems&);
// On names (case_checks_names.cpp), and on numbers that are out of range together (case_checks_bounds.cpp).
void check_names(const CaseDraft&, Problems&);
void check_bounds(const CaseDraft&, Problems&);

/// Fills in the defaults that depend on other keys. `directory`: what file names in the case are relative to.
Case resolve(const CaseDraft&, const std::filesystem::path& directory);

/// The opposite: every key that the case can be told by.
CaseDraft draft_of(const Case&);

/// What the bodies are; polygons (in space: spheres) when there are none. A case with clusters has the shape cluster.
ShapeKind shape_of(const CaseDraft&);
ShapeKind kind_of(BodyShape);

}  // namespace dem::case_file
