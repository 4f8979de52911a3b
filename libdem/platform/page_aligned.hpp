// Memory that begins at a page, for large arrays that threads share out in whole pages.
//
// Caches fetch lines ahead of a core that reads in order, but not beyond the page. So with shares of whole pages no
// core takes lines away from the next one.
#pragma once
#include <cstddef>
#include <new>

namespace dem {

template <class T>
struct PageAligned {
  using value_type = T;
  static constexpr std::size_t page = 4096, large = 16 * page;  // bytes; smaller arrays begin anywhere

  PageAligned() = default;
  template <class U>
  PageAligned(const PageAligned<U>&) {}
  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    return static_cast<T*>(bytes < large ? ::operator new(bytes) : ::operator new (bytes, std::align_val_t{page}));
  }
  void deallocate(T* at, std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    if (bytes < large)  // not ?:, of which clang 14 runs both sides
      ::operator delete(at);
    else
      ::operator delete (at, std::align_val_t{page});
  }
  friend bool operator==(PageAligned, PageAligned) { return true; }
};

}  // namespace dem
