// The contents of memory and the amount in use do not change. Where the system has huge pages there are some.
#include "libdem/platform/huge_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "prelude.hpp"

namespace {

constexpr std::size_t huge = std::size_t{2} << 20, windows = 8, length = windows * huge;
const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));

/// Memory of its own, by whole huge pages; one small page of each is not in use yet. While the others are touched, that
/// page is out of bounds, or the system might give huge pages at once. (MADV_NOHUGEPAGE would forbid them for good, and
/// with MADV_HUGEPAGE the system would give them by itself.)
class Mapping {
 public:
  Mapping() : all_(mmap(nullptr, length + 2 * huge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    BOOST_REQUIRE(all_ != MAP_FAILED);
    data = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(all_) / huge + 1) * huge);
    // Out of bounds on both sides, so it never becomes one with its neighbours.
    mprotect(data - page, length + page, PROT_READ | PROT_WRITE);
    data[-std::ptrdiff_t(page)] = 1;  // parts that are touched later join again only if some memory was in use
    for (std::size_t k = 0; k < windows; ++k) mprotect(hole(k), page, PROT_NONE);
    for (std::size_t k = 0; k < length; k += page)
      if (k % huge != 7 * page) data[k] = 1;
    for (std::size_t k = 0; k < windows; ++k) mprotect(hole(k), page, PROT_READ | PROT_WRITE);
  }
  ~Mapping() { munmap(all_, length + 2 * huge); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  void fill_holes() {
    for (std::size_t k = 0; k < windows; ++k) *hole(k) = 1;
  }
  std::size_t pages_in_use() const {
    std::vector<unsigned char> present(length / page);
    BOOST_REQUIRE_EQUAL(mincore(data, length, present.data()), 0);
    return std::size_t(std::ranges::count_if(present, [](unsigned char p) { return p & 1u; }));
  }
  /// kB of huge pages, by the system's own account.
  long huge_kilobytes() const {
    std::ifstream maps("/proc/self/smaps");
    bool here = false;
    long found = 0;
    for (std::string line; std::getline(maps, line);) {
      std::uintptr_t first = 0, end = 0;
      if (std::sscanf(line.c_str(), "%lx-%lx", &first, &end) == 2)
        here = first <= reinterpret_cast<std::uintptr_t>(data) && reinterpret_cast<std::uintptr_t>(data) < end;
      long kilobytes = 0;
      if (here && std::sscanf(line.c_str(), "AnonHugePages: %ld kB", &kilobytes) == 1) found += kilobytes;
    }
    return found;
  }

  char* data = nullptr;

 private:
  char* hole(std::size_t window) const { return data + window * huge + 7 * page; }
  void* all_;
};

/// The system makes huge pages, and shows the files that the module reads.
bool system_has_them() {
  std::string enabled;
  std::getline(std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"), enabled);
  if (enabled.empty() || enabled.find("[never]") != std::string::npos || !std::ifstream("/proc/self/smaps"))
    return false;
  Mapping probe;
  probe.fill_holes();
  return madvise(probe.data, huge, 25) == 0;  // MADV_COLLAPSE
}

}  // namespace

BOOST_AUTO_TEST_CASE(huge_pages_keep_the_contents) {
  Mapping memory;
  memory.fill_holes();
  std::uint32_t x = 1;
  for (std::size_t k = 0; k < length; ++k) memory.data[k] = char((x = 1664525 * x + 1013904223) >> 24);
  const std::vector<char> before(memory.data, memory.data + length);
  const std::size_t count = use_huge_pages();
  BOOST_TEST(std::memcmp(before.data(), memory.data, length) == 0);
  BOOST_TEST(memory.pages_in_use() == length / page);
  if (!system_has_them()) {
    BOOST_TEST_MESSAGE("this system makes no huge pages on request, or does not say so: skipped");
    return;
  }
  BOOST_TEST(count > 0u);  // not all, perhaps, where free memory lies in pieces
  BOOST_TEST(memory.huge_kilobytes() > 0);
}

// Where huge pages are given to all, the system might do so by itself just now: three attempts.
BOOST_AUTO_TEST_CASE(huge_pages_add_no_memory) {
  bool added = true;
  for (int attempt = 0; attempt < 3 && added; ++attempt) {
    Mapping memory;
    BOOST_TEST(memory.pages_in_use() == length / page - windows);
    use_huge_pages();
    added = memory.pages_in_use() != length / page - windows || memory.huge_kilobytes() != 0;
  }
  BOOST_TEST(!added);
}
