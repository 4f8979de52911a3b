// Picture of an assembly as SVG.
#pragma once
#include <string>
#include <string_view>

#include "libdem/state/view.hpp"

namespace dem {

/// Returns a well-formed SVG 1.1 document, with the title "libdem" if it has none of its own. The colours of the bodies
/// show a scalar, as body_scalar names it. Bodies are drawn inside the periodic cell, and those across its boundary on
/// both sides. In space: the front spheres, seen along +y, x to the right and z upwards, without forces.
std::string svg_frame(const AssemblyView&, const std::string& title, std::string_view colour_by);

}  // namespace dem
