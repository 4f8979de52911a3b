// Prefetches the contacts of the next tile if they lie beyond the caches. A core that has too many requests open stops.
// So each kernel follows a portion, which arrives beside the work. No result depends on it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "libdem/contacts/spheres/layout.hpp"

namespace dem {

class TileRequests {
 public:
  static constexpr std::size_t portions = 4;  ///< of a tile, as many as process_tiles() asks for

  /// Sets the lines of the next tile: of its contacts, and of their columns for observers.
  void begin_tile(std::span<const StoreLine> lines, std::span<const StoreLine> seen) {
    lines_ = {lines, (lines.size() + portions - 1) / portions};
    seen_ = {seen, (seen.size() + portions - 1) / portions};
  }
  void portion() {
    lines_.ask();
    seen_.ask();
  }

 private:
  struct Requests {
    std::span<const StoreLine> lines;
    std::size_t portion = 0;
    void ask() {
      const std::size_t n = std::min(portion, lines.size());
      for (const StoreLine& line : lines.first(n)) __builtin_prefetch(&line, 1, 2);
      lines = lines.subspan(n);
    }
  };
  Requests lines_, seen_;
};

}  // namespace dem
