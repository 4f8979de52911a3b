// Do two cases give bodies at the same places the same forces? For runs that go on with another case.
#pragma once
#include <cstddef>

#include "libdem/case.hpp"

namespace dem {

/// Bodies at the same places have the same masses, weights and damping, and contacts of the same overlap and elongation
/// the same elastic forces. The stages are those of the two moments.
bool has_forces_of(const Case&, std::size_t stage, const Case& other, std::size_t other_stage);

}  // namespace dem
