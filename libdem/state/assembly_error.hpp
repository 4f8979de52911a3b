#pragma once
#include <stdexcept>

namespace dem {

/// The case asks for an assembly that cannot be made or used; the message says which body and why.
struct AssemblyError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace dem
