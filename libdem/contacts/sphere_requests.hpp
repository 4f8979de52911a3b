// Asking early for what lies beyond the caches: while a tile is worked on, for the contacts of the next one and for a share of the bodies
// of the block that this thread will probably work on next. All at once a tile would ask for more than a core can wait for at a time
// (then it stands still); a portion before each kernel comes in beside the work. Only requests: no result depends on them.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "libdem/contacts/sphere_layout.hpp"

namespace dem {

class SphereRequests {
 public:
  static constexpr std::size_t portions = 5;  ///< of a tile

  /// Vectors of bodies that the next block reads, and those that it writes.
  void read(const std::vector<Vec3>& list) { lists_[lists_used_++] = list.data(); }
  void write(const std::vector<Vec3>& list) { written_[written_used_++] = list.data(); }
  /// Bodies of the next block, in the order of their places; those of other blocks, which are only read.
  void set_bodies(std::span<const std::uint32_t> own) { own_ = own; }

  /// Lines of the next tile; how many tiles there are to come, this one included.
  void begin_tile(std::span<const StoreLine> lines, std::size_t tiles) {
    lines_ = lines;
    line_portion_ = (lines.size() + portions - 1) / portions;
    body_portion_ = (own_.size() + tiles * portions - 1) / (tiles * portions);
  }
  void portion() {
    const std::size_t n = std::min(line_portion_, lines_.size());
    for (const StoreLine& line : lines_.first(n)) __builtin_prefetch(&line, 1, 2);
    lines_ = lines_.subspan(n);
    const std::size_t m = std::min(body_portion_, own_.size());
    for (const std::uint32_t b : own_.first(m)) {
      for (std::size_t k = 0; k < lists_used_; ++k) __builtin_prefetch(lists_[k] + b, 0, 2);
      for (std::size_t k = 0; k < written_used_; ++k) __builtin_prefetch(written_[k] + b, 1, 2);
    }
    own_ = own_.subspan(m);
  }

 private:
  std::array<const Vec3*, 6> lists_{};
  std::array<const Vec3*, 2> written_{};
  std::size_t lists_used_ = 0, written_used_ = 0, line_portion_ = 0, body_portion_ = 0;
  std::span<const std::uint32_t> own_;
  std::span<const StoreLine> lines_;
};

}  // namespace dem
