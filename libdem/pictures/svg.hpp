// Picture of an assembly as SVG.
#pragma once
#include <string>

#include "libdem/state/view.hpp"

namespace dem {

struct FrameChoice {
  std::string title;
  BodyScalar colour;  ///< see body_scalar
};

/// Returns a well-formed SVG 1.1 document. Bodies are drawn inside the periodic cell, and those across its boundary on
/// both sides. In space: the front spheres, seen along +y, x to the right and z upwards, without forces.
std::string svg_frame(const AssemblyView&, const FrameChoice&);

}  // namespace dem
