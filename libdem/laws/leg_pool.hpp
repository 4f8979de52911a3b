// Pool of legs of many contact histories, which grow and shrink at their end (jaeger-contact reference, §13).
//
// A contact keeps its last leg itself and gives those below to the pool, in chunks of five. A full chunk takes 25.6
// bytes per leg, less than the 36 bytes of single linked entries. It leaves out F*, which follows from ζ* by one root,
// and has one link. The leg below lies beside the one above (tests/benchmarks/README.md). Chunks show in no result.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

namespace dem::laws {

/// Slope (dF_t/dF_n) between the end of the leg below and half-overlap z (m).
struct Leg {
  double z = 0, p_1 = 0, p_2 = 0;
};

template <std::size_t legs_per_chunk>
class LegChunks {
 public:
  /// Legs of a contact: `count` of them, the last in `chunk`. Zero: none.
  struct Stack {
    std::uint32_t chunk = 0, count = 0;
  };

  const Leg& top(Stack s) const { return chunks_[s.chunk].legs[(s.count - 1) % legs_per_chunk]; }

  /// Prefetches the last legs of a history, which in long ones come from far away.
  void ask_for(Stack s) const {
    if (s.count > 0) __builtin_prefetch(&top(s), 1);
  }

  /// May move the chunks. Throws std::bad_alloc, with nothing changed.
  void push(Stack& s, Leg leg) {
    const std::size_t at = s.count % legs_per_chunk;
    if (at == 0) {
      const std::uint32_t fresh = take();
      chunks_[fresh].below = s.chunk;
      s.chunk = fresh;
    }
    chunks_[s.chunk].legs[at] = leg;
    ++s.count;
  }
  void pop(Stack& s) {
    if (--s.count % legs_per_chunk != 0) return;
    const std::uint32_t below = chunks_[s.chunk].below;
    give(s.chunk);
    s.chunk = below;
  }
  void clear(Stack& s) {
    while (s.chunk != 0) {
      const std::uint32_t below = chunks_[s.chunk].below;
      give(s.chunk);
      s.chunk = below;
    }
    s = {};
  }
  /// Calls f(leg) from the top down.
  template <class F>
  void walk(Stack s, F&& f) const {
    for (std::uint32_t k = s.count; k-- > 0;) {
      f(chunks_[s.chunk].legs[k % legs_per_chunk]);
      if (k % legs_per_chunk == 0) s.chunk = chunks_[s.chunk].below;
    }
  }

  /// True if the next push() on it takes a chunk.
  static bool is_full(Stack s) { return s.count % legs_per_chunk == 0; }
  /// Chunks that are available without more memory.
  std::size_t room() const { return chunks_.capacity() > 0 ? chunks_.capacity() - 1 - used_ : 0; }
  /// Reserves room for so many chunks at least. Throws std::bad_alloc, with nothing changed.
  void make_room(std::size_t chunks) {
    if (chunks > room()) grow(1 + used_ + chunks);
  }
  /// For tests: a pool that would grow to more chunks throws std::bad_alloc.
  static inline std::atomic<std::size_t> most_chunks = std::numeric_limits<std::size_t>::max();

  std::size_t used_bytes() const { return used_ * sizeof(Chunk); }
  /// Memory of the chunks of such a stack: a function of the history, whatever the pool keeps free.
  static std::size_t bytes_of(Stack s) { return (s.count + legs_per_chunk - 1) / legs_per_chunk * sizeof(Chunk); }
  std::size_t bytes() const { return chunks_.capacity() * sizeof(Chunk); }

 private:
  struct Chunk {
    Leg legs[legs_per_chunk];
    std::uint32_t below = 0;  ///< of the same contact, or the next free one; 0 if none
  };

  std::uint32_t take() {
    if (free_ != 0) {
      const std::uint32_t found = free_;
      free_ = chunks_[found].below;
      ++used_;
      return found;
    }
    if (chunks_.size() == chunks_.capacity()) grow(chunks_.empty() ? 2 : chunks_.size() + 1);
    if (chunks_.empty()) chunks_.emplace_back();  // chunk 0 means none
    chunks_.emplace_back();
    ++used_;
    return std::uint32_t(chunks_.size() - 1);
  }
  void grow(std::size_t least) {
    const std::size_t most = most_chunks;
    if (least > most) throw std::bad_alloc();
    // Not doubled: histories are most of the memory.
    chunks_.reserve(std::min(most, std::max(least, chunks_.size() + chunks_.size() / 8 + 16)));
  }
  void give(std::uint32_t chunk) {
    --used_;
    chunks_[chunk].below = free_;
    free_ = chunk;
  }

  std::vector<Chunk> chunks_;
  std::uint32_t free_ = 0;
  std::size_t used_ = 0;
};

using LegPool = LegChunks<5>;  // 128 bytes per chunk

}  // namespace dem::laws
