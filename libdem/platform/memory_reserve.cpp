#include "libdem/platform/memory_reserve.hpp"

#include <sys/mman.h>

#include <mutex>
#include <new>

namespace dem {
namespace {

std::mutex mutex;
MemoryReserve* first = nullptr;
unsigned times_given_up = 0;
std::new_handler handler_before = nullptr;

}  // namespace

// mmap, because unmapped memory is at once available to every thread and every way of allocating.
bool MemoryReserve::map(std::size_t bytes) {
  void* const found = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED) return false;
  block_ = found;
  size_ = bytes;
  return true;
}

/// False if there was nothing to free.
bool MemoryReserve::unmap() {
  if (size_ == 0) return false;
  munmap(block_, size_);
  size_ = 0;
  return true;
}

void MemoryReserve::give_up_all() {
  thread_local unsigned tried_after = 0;  // another thread may have freed the reserves after this one found no memory
  const std::lock_guard lock(mutex);
  bool any = false;
  for (MemoryReserve* r = first; r; r = r->next_) any |= r->unmap();
  if (any)
    ++times_given_up;
  else if (tried_after == times_given_up)
    throw std::bad_alloc();
  tried_after = times_given_up;
}

MemoryReserve::MemoryReserve() {
  const std::lock_guard lock(mutex);
  if (!first) handler_before = std::set_new_handler(give_up_all);
  next_ = first;
  first = this;
}

MemoryReserve::~MemoryReserve() {
  const std::lock_guard lock(mutex);
  unmap();
  MemoryReserve** place = &first;
  while (*place != this) place = &(*place)->next_;
  *place = next_;
  if (!first) std::set_new_handler(handler_before);
}

bool MemoryReserve::hold(std::size_t bytes) {
  const std::lock_guard lock(mutex);
  if (size_ >= bytes) return true;
  const std::size_t before = size_;
  unmap();
  if (map(bytes + bytes / 4) || map(bytes)) return true;
  if (before > 0) map(before);
  return false;
}

void MemoryReserve::give_up() {
  const std::lock_guard lock(mutex);
  unmap();
}

}  // namespace dem
