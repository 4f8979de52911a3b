#pragma once
#include <cstdint>

namespace dem {

/// What law hertz-mindlin remembers of the path of a contact (jaeger-contact reference, §14).
enum class MindlinMemory : std::uint8_t { none, single_reversal, turning_points };

}  // namespace dem
