// Memory held back for a run without free memory, to complete its step and write a checkpoint.
#pragma once
#include <atomic>
#include <cstddef>

namespace dem {

/// The reserve of one run. It is never touched, so it costs address space and overcommit, not physical memory. When
/// `new` finds no memory on any thread, the reserves of all runs are freed and `new` tries again.
class MemoryReserve {
 public:
  MemoryReserve();
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  /// Holds at least so many bytes, and more if it has to grow. Returns false and keeps its size without enough memory.
  bool hold(std::size_t bytes);
  void give_up();
  /// bytes; 0 after it was freed
  std::size_t held() const { return size_.load(std::memory_order_relaxed); }

 private:
  static void give_up_all();  // the handler of `new`
  bool map(std::size_t bytes);
  bool unmap();

  void* block_ = nullptr;
  std::atomic<std::size_t> size_ = 0;  // changed under the mutex, read without
  MemoryReserve* next_;                // of all reserves
};

}  // namespace dem
