#pragma once
#include <stdexcept>

namespace dem::geometry {

/// A shape that cannot be used: what is wrong with it and where (vertex numbers count from 1, as users do).
struct GeometryError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace dem::geometry
