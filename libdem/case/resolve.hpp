// Between what the keys say (CaseDraft) and what the simulation sees (Case).
#pragma once
#include "libdem/case/draft.hpp"
#include "libdem/case/problems.hpp"

namespace dem::case_file {

/// Keys that exclude or need each other, and combinations that make no sense.
void check_combinations(const CaseDraft&, const std::filesystem::path& directory, Problems&);
// Parts of it, each in its own file checks_*.cpp.
void check_stages(const CaseDraft&, Problems&);     ///< and the driven cell
void check_material(const CaseDraft&, Problems&);   ///< [material]
void check_materials(const CaseDraft&, Problems&);  ///< the other materials
void check_names(const CaseDraft&, Problems&);
void check_bounds(const CaseDraft&, Problems&);  ///< numbers that are out of range together

/// Fills in the defaults that depend on other keys. `directory`: what file names in the case are relative to.
Case resolve(const CaseDraft&, const std::filesystem::path& directory);

/// The opposite of resolve(): every key of the case.
CaseDraft draft_of(const Case&);

/// Shape of the bodies. Without bodies: polygons, in space spheres. A case with clusters has the shape cluster.
ShapeKind shape_of(const CaseDraft&);
ShapeKind kind_of(BodyShape);

}  // namespace dem::case_file
