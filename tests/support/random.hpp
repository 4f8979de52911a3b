// Numbers drawn the same everywhere.
#pragma once
#include <random>

namespace dem::test {

/// In [low, high), 53 random bits.
inline double uniform(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * (double(random() >> 11) * 0x1p-53);
}

}  // namespace dem::test
