// Memory held back for a run without free memory, to complete its step and write a checkpoint.
#pragma once
#include <cstddef>

namespace dem {

/// The single reserve of the program. It is never touched, so it costs address space and overcommit, not physical
/// memory. When `new` finds no memory on any thread, the reserve is freed and `new` tries again.
class MemoryReserve {
 public:
  MemoryReserve();
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  /// Holds at least so many bytes, and more if it has to grow. Returns false and keeps its size without enough memory.
  bool hold(std::size_t bytes);
  void give_up();
  std::size_t held() const;  ///< bytes; 0 after it was freed
};

}  // namespace dem
