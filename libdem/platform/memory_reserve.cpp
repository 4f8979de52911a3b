#include "libdem/platform/memory_reserve.hpp"

#include <sys/mman.h>

#include <atomic>
#include <mutex>
#include <new>
#include <stdexcept>

namespace dem {
namespace {

// mmap, because unmapped memory is at once available to every thread and every way of allocating.
std::mutex mutex;
void* block = nullptr;
std::atomic<std::size_t> size = 0;  // changed under the mutex, read without
unsigned times_given_up = 0;
bool exists = false;
std::new_handler handler_before = nullptr;

bool map(std::size_t bytes) {
  void* const found = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED) return false;
  block = found;
  size = bytes;
  return true;
}

void unmap() {
  if (size > 0) munmap(block, size);
  size = 0;
}

void give_up_for_new() {
  thread_local unsigned tried_after = 0;  // another thread may have freed the reserve after this one found no memory
  const std::lock_guard lock(mutex);
  if (size > 0) {
    unmap();
    ++times_given_up;
  } else if (tried_after == times_given_up) {
    throw std::bad_alloc();
  }
  tried_after = times_given_up;
}

}  // namespace

MemoryReserve::MemoryReserve() {
  const std::lock_guard lock(mutex);
  if (exists) throw std::logic_error("there is one memory reserve only");
  exists = true;
  handler_before = std::set_new_handler(give_up_for_new);
}

MemoryReserve::~MemoryReserve() {
  const std::lock_guard lock(mutex);
  unmap();
  std::set_new_handler(handler_before);
  exists = false;
}

bool MemoryReserve::hold(std::size_t bytes) {
  const std::lock_guard lock(mutex);
  if (size >= bytes) return true;
  const std::size_t before = size;
  unmap();
  if (map(bytes + bytes / 4) || map(bytes)) return true;
  if (before > 0) map(before);
  return false;
}

void MemoryReserve::give_up() {
  const std::lock_guard lock(mutex);
  unmap();
}

std::size_t MemoryReserve::held() const { return size.load(std::memory_order_relaxed); }

}  // namespace dem
