// Headers of LAMMPS name a function of fmt that fmt 9 no longer has. They do not call it here.
#pragma once
#include <fmt/format.h>

#include <type_traits>

namespace fmt {
template <typename... Args, typename S>
auto make_args_checked(const S&, const std::remove_reference_t<Args>&... args) {
  return fmt::make_format_args(args...);
}
}  // namespace fmt
