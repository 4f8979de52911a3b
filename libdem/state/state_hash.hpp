// 64-bit hash of the state, printed at the end of a run. The same bits give the same hash (DESIGN, promise 1).
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace dem {

/// FNV-1a over 64-bit words with a final mix. Words suffice, because all hashed data are doubles and 64-bit integers.
class StateHash {
 public:
  template <class T>
  requires(std::is_trivially_copyable_v<T> && sizeof(T) % 8 == 0) void add(std::span<const T> values) {
    for (const T& value : values) {
      std::uint64_t words[sizeof(T) / 8];
      std::memcpy(words, &value, sizeof(T));
      for (std::uint64_t w : words) add_word(w);
    }
  }
  template <class T>
  void add(const T& value) {
    add(std::span<const T>(&value, 1));
  }

  std::uint64_t value() const {  // finaliser of splitmix64 (Steele, Lea, Flood 2014)
    std::uint64_t z = sum_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  void add_word(std::uint64_t w) { sum_ = (sum_ ^ w) * 0x100000001b3u + (sum_ >> 47); }
  std::uint64_t sum_ = 0xcbf29ce484222325u;
};

}  // namespace dem
