// A circle or sphere without further properties.
#pragma once
#include "geometry/vector.hpp"

namespace dem {

struct Ball {
  Vec3 position;      ///< m
  double radius = 0;  ///< m
};

}  // namespace dem
