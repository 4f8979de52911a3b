#pragma once
#include <stdexcept>

namespace dem {

/// The assembly of a case cannot be made or used. The message names the body and the reason.
struct AssemblyError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace dem
