// In which keys two cases differ, and the fingerprint of a case.
#include "libdem/case/difference.hpp"

#include "case/error_checks.hpp"

namespace {

const std::string discs =
    with(good_disc, "[[body]]", "[[body]]\nshape = \"disc\"\nradius = 0.4\nposition = [2.0, 0.0]\n[[body]]");

Case parsed(const std::string& text) { return parse_case(text, "case.toml"); }
std::vector<CaseDifference> differences(const std::string& before, const std::string& now) {
  return case_differences(parsed(before), {}, parsed(now), {});
}

}  // namespace

/// A state that is there already cannot take up what only a start reads, nor a driver that it has no memory of.
BOOST_AUTO_TEST_CASE(what_a_state_cannot_take_up) {
  const auto none_can = [&](const std::string& before, const std::string& now, std::size_t over = 0) {
    const auto found = case_differences(parsed(before), {}, parsed(now), {}, over);
    return !found.empty() &&
           std::ranges::all_of(found, [](const auto& d) { return d.effect == ChangeEffect::none_can; });
  };
  BOOST_TEST(none_can(discs, with(discs, "position = [2.0, 0.0]", "position = [2.1, 0.0]")));
  BOOST_TEST(none_can(discs, with(discs, "position = [2.0, 0.0]", "position = [2.0, 0.0]\nvelocity = [1.0, 0.0]")));
  BOOST_TEST(none_can(discs, with(discs, "restitution = 0.9", "restitution = 0.9\nmass_damping = 1.0")));
  const std::string damped = with(discs, "restitution = 0.9", "restitution = 0.9\nmass_damping = 1.0");
  BOOST_TEST(!none_can(damped, with(damped, "mass_damping = 1.0", "mass_damping = 2.0")));
  BOOST_TEST(!none_can(discs, with(discs, "duration = 1.0", "duration = 2.0")));
  BOOST_TEST(none_can(discs, with(discs, "duration = 1.0", "duration = 2.0"), 1));
  const auto named = differences(discs, with(discs, "[[stage]]", "[[stage]]\nname = \"" + std::string(80, 'x') + "\""));
  BOOST_TEST_REQUIRE(named.size() == 1u);
  BOOST_TEST((named[0].effect == ChangeEffect::output));
}

BOOST_AUTO_TEST_CASE(the_fingerprint_follows_the_physics_alone) {
  const auto print = [](const std::string& text) { return case_fingerprint(parsed(text), {}); };
  for (const char* free : {"title = \"x\"\n", "threads = 3\n", "skin = 0.2\n"})
    BOOST_TEST(print(with(discs, "format = 1\n", std::string("format = 1\n") + free)) == print(discs), free);
  BOOST_TEST(print(discs + "[output]\nseries_interval = 0.01\ncsv = true\n") == print(discs));
  BOOST_TEST(print(with(discs, "0.9", "0.90000000000000002")) == print(discs));  // the same number
  BOOST_TEST(print(with(discs, "0.9", "0.9000000000000001")) != print(discs));
  BOOST_TEST(print(with(discs, "[2.0, 0.0]", "[2.0, 1e-9]")) != print(discs));
  BOOST_TEST(case_fingerprint(parsed(discs), {1}) != case_fingerprint(parsed(discs), {2}));
}
