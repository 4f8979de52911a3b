#pragma once
#include <stdexcept>

namespace dem::geometry {

/// A shape that cannot be used. The message names the fault and its place; vertex numbers count from 1.
struct GeometryError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace dem::geometry
