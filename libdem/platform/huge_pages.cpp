#include "libdem/platform/huge_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace dem {

namespace {

constexpr int collapse = 25;  // MADV_COLLAPSE, which the headers of Debian 12 lack

struct Range {
  std::uintptr_t first, end;
};

/// Size in bytes; 0 if there are none or they are not allowed.
std::uintptr_t huge_page_size() {
  const std::string folder = "/sys/kernel/mm/transparent_hugepage/";
  std::string enabled;
  std::uintptr_t size = 0;
  std::getline(std::ifstream(folder + "enabled"), enabled);
  std::ifstream(folder + "hpage_pmd_size") >> size;
  return enabled.empty() || enabled.find("[never]") != std::string::npos ? 0 : size;
}

/// Writable private memory without a file (heap, arrays), except ranges larger than the machine's, which are reserved.
std::vector<Range> anonymous_memory() {
  const auto memory = std::uintptr_t(sysconf(_SC_PHYS_PAGES)) * std::uintptr_t(sysconf(_SC_PAGESIZE));
  std::vector<Range> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    Range range{};
    std::array<char, 5> access{};
    std::array<char, 65> name{};
    unsigned long inode = 0;
    const int read = std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %lu %64s", &range.first,
                                 &range.end, access.data(), &inode, name.data());
    const std::string of(name.data());
    if (read >= 4 && range.end - range.first <= memory && inode == 0 && std::string(access.data()) == "rw-p" &&
        (of.empty() || of == "[heap]"))
      found.push_back(range);
  }
  return found;
}

}  // namespace

std::size_t use_huge_pages() {
  const std::uintptr_t huge_page = huge_page_size();
  if (huge_page == 0) return 0;
  std::vector<unsigned char> present(huge_page / std::size_t(sysconf(_SC_PAGESIZE)));
  std::size_t count = 0;
  for (const Range& range : anonymous_memory())
    for (std::uintptr_t at = (range.first + huge_page - 1) / huge_page * huge_page; at + huge_page <= range.end;
         at += huge_page) {
      void* const window = reinterpret_cast<void*>(at);
      if (mincore(window, huge_page, present.data()) != 0) continue;
      if (!std::ranges::all_of(present, [](unsigned char page) { return (page & 1) != 0; })) continue;
      count += madvise(window, huge_page, collapse) == 0;
    }
  return count;
}

}  // namespace dem
