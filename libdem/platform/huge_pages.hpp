// Huge pages (2 MB on x86-64) for memory in use. A step of a large assembly reads all of it, in blocks without order of
// addresses. With 4 kB pages the step also waits for address translations, and prefetching ends at each page.
#pragma once
#include <cstddef>

namespace dem {

/// Turns each fully used, aligned 2 MB range of the program's memory into one huge page. Memory use and contents do not
/// change. Returns the present number of such pages. Returns 0 and does nothing if the system cannot do it (Linux
/// before 6.1) or forbids it (/sys/kernel/mm/transparent_hugepage/enabled is "never").
std::size_t use_huge_pages();

}  // namespace dem
