// A law as a C function (laws/law_plugin.h): parameters, refusals, replacement. tests/python/law_test.py has its bits.
#include "libdem/laws/plugin.hpp"

#include "cases.hpp"
#include "registration/two_discs.hpp"
#include "support/message_of.hpp"

namespace {

int rests(const dem_law_block*, void*) { return 0; }
int fails(const dem_law_block*, void*) { return 1; }

const char* const names[] = {"friction_factor"};
const char* const units[] = {""};
const dem_law good{DEM_LAW_VERSION, "c-spring", "a law in C", 2, 1, names, units, 1, rests, nullptr};

Case case_with(const std::string& contact) { return parse_case(two_discs(contact, 0.1), "case.toml"); }

}  // namespace

BOOST_AUTO_TEST_CASE(parameters_of_plugins_are_required_and_theirs_alone) {
  laws::add_plugin(good);
  BOOST_CHECK_THROW(case_with("law = \"c-spring\""), CaseErrors);
  BOOST_CHECK_THROW(case_with("law = \"linear\"\nfriction_factor = 2.0"), CaseErrors);
}

BOOST_AUTO_TEST_CASE(a_new_one_replaces_it_and_old_cases_keep_theirs) {
  const Case before = case_with("law = \"c-spring\"\nfriction_factor = 1.0");
  dem_law other = good;
  other.pass = fails;
  laws::add_plugin(other);
  advanced(before, 250);
  BOOST_CHECK_THROW(advanced(case_with("law = \"c-spring\"\nfriction_factor = 1.0"), 250), laws::LawFailed);
  laws::add_plugin(good);
}

BOOST_AUTO_TEST_CASE(refused_plugins) {
  const auto refused = [](const char* message, auto change) {
    dem_law law = good;
    change(law);
    BOOST_TEST(message_of<std::invalid_argument>([&] { laws::add_plugin(law); }) == message);
  };
  refused("law 'c-spring': found version 7, allowed version 1", [](dem_law& law) { law.version = 7; });
  refused("law 'linear': found the name of a law of the library, allowed another name",
          [](dem_law& law) { law.name = "linear"; });
  refused("law 'C spring': found this name, allowed small letters, digits and hyphens",
          [](dem_law& law) { law.name = "C spring"; });
  refused("law 'c-spring': found 0 numbers of history, allowed 1 to 16", [](dem_law& law) { law.history_size = 0; });
  refused("law 'c-spring': found 9 parameters, allowed at most 8", [](dem_law& law) { law.parameter_count = 9; });
  refused("law 'c-spring': found no pass, allowed a function", [](dem_law& law) { law.pass = nullptr; });
  // A name that the case file of the results could not have, so that no run could be resumed.
  static const char* const spaced[] = {"friction factor"};
  static const char* const double_named[] = {"softness", "softness"};
  static const char* const of_jaeger[] = {"merge_error"};
  static const char* const two_units[] = {"", ""};
  static const char* const metres[] = {"m"};
  laws::add_plugin(good);
  refused("law 'c-spring': found the key 'friction factor', allowed letters, digits and _",
          [](dem_law& law) { law.parameter_names = spaced; });
  refused("law 'c-spring': found the key 'softness' twice, allowed each once", [](dem_law& law) {
    law.parameter_count = 2, law.parameter_names = double_named, law.parameter_units = two_units;
  });
  refused("key 'merge_error' of law 'c-spring' has another form than that of law 'jaeger'",
          [](dem_law& law) { law.parameter_names = of_jaeger, law.parameter_units = metres; });
  BOOST_TEST(laws::find("c-spring") != nullptr);  // the one that was there stays
}
