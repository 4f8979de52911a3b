#include "geometry/instructions.hpp"

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace dem::geometry {
namespace {

constexpr const char* names[] = {"generic", "avx2", "avx512"};

Instructions find_instructions() {
  int widest = int(Instructions::avx512);
  if (const char* named = std::getenv("LIBDEM_INSTRUCTIONS"); named && *named) {
    while (widest >= 0 && std::strcmp(named, names[widest]) != 0) --widest;
    if (widest < 0)
      throw std::runtime_error("environment variable LIBDEM_INSTRUCTIONS: found '" + std::string(named) +
                               "', allowed: generic, avx2, avx512");
  }
  while (!is_available(Instructions(widest))) --widest;
  return Instructions(widest);
}

}  // namespace

bool is_available(Instructions set) {
  if (set == Instructions::generic) return true;
#if defined(__x86_64__) && defined(__GNUC__)
  if (set == Instructions::avx2) return __builtin_cpu_supports("avx2");
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#else
  return false;
#endif
}

Instructions instructions() {
  static const Instructions found = find_instructions();
  return found;
}

}  // namespace dem::geometry
