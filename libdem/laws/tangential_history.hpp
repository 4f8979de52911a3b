#pragma once
#include <cstdint>

namespace dem {

/// Memory of a tangential spring: its whole elongation, that of the step (v_t Δt), or nothing. An option `history` of a
/// law; a stage may have its own (direct-shear reference, §1.2).
enum class TangentialHistory : std::uint8_t { whole, pseudo, none };

namespace laws {
/// A value of an option, its name in files and its meaning.
template <class E>
struct Word {
  E value;
  const char *name, *meaning;
};
}  // namespace laws

inline constexpr laws::Word<TangentialHistory> tangential_histories[] = {
    {TangentialHistory::whole, "true", "the elongation of the spring from its first touch"},
    {TangentialHistory::pseudo, "pseudo", "the movement of the step, v_t Δt: a dashpot that depends on the time step"},
    {TangentialHistory::none, "none", "no spring, the dashpot alone"}};

}  // namespace dem
