#pragma once

namespace dem::geometry {

/// Sets of instructions for which the loops over pairs and contacts are compiled. All of them compute the same bits.
enum class Instructions { generic, avx2, avx512 };

/// Whether this processor has the set.
bool is_available(Instructions set);

/// The widest set of this processor, but no wider than the one that the environment variable LIBDEM_INSTRUCTIONS names
/// (generic, avx2, avx512). Throws std::runtime_error if it has another value.
Instructions instructions();

}  // namespace dem::geometry
