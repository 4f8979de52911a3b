// Memory that is held back, so that a run whose memory is used up can still bring its step to an end and write a
// checkpoint.
#pragma once
#include <cstddef>

namespace dem {

/// The reserve of the program: one at a time. It is never touched, so no page of it is in use; what it takes is room in
/// the address space, and in what the system has promised. When `new` finds no memory the reserve is given up and `new`
/// tries again, on whatever thread.
class MemoryReserve {
 public:
  MemoryReserve();
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  /// Holds so many bytes at least, and more than asked for where it has to grow. False: they are not to be had; then it
  /// holds what it held.
  bool hold(std::size_t bytes);
  void give_up();
  std::size_t held() const;  ///< bytes; 0 once it was given up
};

}  // namespace dem
