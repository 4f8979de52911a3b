// Uniform random numbers that are the same everywhere. The standard fixes the engine, but not its distributions.
#pragma once
#include <cstdint>
#include <random>

namespace dem::geometry {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  /// In [0, 1), 53 random bits.
  double uniform() { return double(engine_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace dem::geometry
