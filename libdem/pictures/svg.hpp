// Picture of an assembly as SVG.
#pragma once
#include <array>
#include <optional>
#include <string>

#include "libdem/state/view.hpp"

namespace dem {

struct FrameChoice {
  std::string title;
  BodyScalar colour;                           ///< see body_scalar
  std::optional<std::array<double, 2>> range;  ///< colour bar; default is the range of the values, rounded outwards
  double force_scale = 0;                      ///< force of the widest line (N); 0 means the largest of this frame
  bool forces = true;   ///< contact forces as lines from centre to centre through the contact point; width by force
  double width = 1000;  ///< of the picture, pixels
  /// Bodies in groups of these names are drawn dark with a strong outline instead of coloured.
  std::vector<std::string> plates{"bottom-plate", "top-plate", "wall"};
};

/// Returns a well-formed SVG 1.1 document. Bodies are drawn inside the periodic cell, and those across its boundary on
/// both sides. In space: the front spheres, seen along +y, x to the right and z upwards, without forces.
std::string svg_frame(const AssemblyView&, const FrameChoice&);

}  // namespace dem
