// Huge pages (2 MB on x86-64) for what is in memory. A step of a large assembly goes through all of it, block by block
// in no order of addresses; with pages of 4 kB it waits for their translations as well, and what the processor fetches
// ahead ends at each of them.
#pragma once
#include <cstddef>

namespace dem {

/// Makes one page of every aligned 2 MB of the program's memory that is in use throughout, so that nothing is added to
/// it; what it holds stays. Returns how many such pages there are now. 0, and nothing happens, where the system cannot
/// do it (Linux before 6.1) or may not
/// (/sys/kernel/mm/transparent_hugepage/enabled says never).
std::size_t use_huge_pages();

}  // namespace dem
