// Texts of cases, changed texts and their errors.
#pragma once
#include "libdem/case/case_file.hpp"
#include "support/text.hpp"

namespace dem::test {

/// A disc at rest.
inline const std::string good_disc = R"(format = 1
[material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.5
friction = 0.5
restitution = 0.9
[time]
step = 0.001
[[body]]
shape = "disc"
radius = 0.5
position = [0.0, 0.0]
[[stage]]
duration = 1.0
)";

inline std::vector<std::string> errors_of(const std::string& text) {
  try {
    dem::parse_case(text, "case.toml");
  } catch (const dem::CaseErrors& errors) {
    return errors.messages;
  }
  return {};
}

/// The case has exactly one error; it names the key and contains both parts.
inline void check_one(const std::string& text, const std::string& key, const std::string& found,
                      const std::string& allowed) {
  const auto errors = errors_of(text);
  BOOST_TEST_REQUIRE(errors.size() == 1, errors.size() << " errors, first: " << (errors.empty() ? "" : errors[0])
                                                       << ", expected one of " << key);
  BOOST_TEST(errors[0].find(": " + key + ": found " + found) != std::string::npos, errors[0]);
  BOOST_TEST(errors[0].find(allowed, errors[0].find("allowed")) != std::string::npos, errors[0]);
}

}  // namespace dem::test
