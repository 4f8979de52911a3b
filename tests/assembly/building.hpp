// Bases of cases, and refusals of `build_assembly`.
#pragma once
#include "libdem/assembly/assembly.hpp"
#include "libdem/assembly/start_check.hpp"
#include "support/message_of.hpp"

namespace dem::test {

inline Case springy_case(int dimension = 2) {
  return {.dimension = dimension,
          .material = {.density = 2, .normal_stiffness = 400, .restitution = 0.9},
          .time = {.step = 1e-3}};
}

/// A disc, or a sphere in space.
inline BodySpec ball(double radius, Vec3 position, ShapeKind shape = ShapeKind::disc) {
  return {.shape = shape, .radius = radius, .position = position};
}

/// The message of the error, or "accepted".
template <class Error = AssemblyError>
std::string refusal(const Case& c) {
  const std::string found = message_of<Error>([&] { build_assembly(c); });
  return found.empty() ? "accepted" : found;
}

/// Building the case throws an error of this kind whose message has this part.
template <class Error = AssemblyError>
void check_refused(const Case& c, const std::string& part) {
  const std::string found = refusal<Error>(c);
  BOOST_TEST((found != "accepted" && found.find(part) != found.npos), "found '" << found << "', not '" << part << "'");
}

/// The deepest overlap at the start, in smaller diameters.
inline double deepest_overlap(const Case& c) { return deepest_start_overlap(build_assembly(c)).relative; }

}  // namespace dem::test
