// Messages of refused input.
#pragma once
#include "geometry/error.hpp"
#include "support/message_of.hpp"

namespace dem::geometry::testing {

/// The message of the GeometryError that an action throws, or "accepted".
template <class Action>
std::string refusal(Action&& action) {
  const std::string found = test::message_of<GeometryError>(action);
  return found.empty() ? "accepted" : found;
}

/// An action throws a GeometryError whose message has this part.
template <class Action>
void check_refused(const std::string& part, Action&& action) {
  const std::string found = refusal(action);
  BOOST_TEST((found != "accepted" && found.find(part) != found.npos), "found '" << found << "', not '" << part << "'");
}

}  // namespace dem::geometry::testing
