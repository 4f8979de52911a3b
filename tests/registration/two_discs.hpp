// Two discs that collide obliquely, for laws that tests register.
#pragma once
#include "prelude.hpp"

namespace dem::test {

/// The case with these lines of [contact].
inline std::string two_discs(const std::string& contact, double friction) {
  return fmt::format(R"(format = 1
time.step = 2e-5
material = {{normal_stiffness = 1e5, tangential_stiffness_ratio = 0.5, friction = {}, restitution = 0.8}}
body = [{{shape = "disc", radius = 0.1, position = [0.0, 0.0]}},
        {{shape = "disc", radius = 0.1, position = [0.195, 0.06], velocity = [-1.0, 0.0]}}]
stage = [{{duration = 0.1}}]
[contact]
{}
)",
                     friction, contact);
}

}  // namespace dem::test
