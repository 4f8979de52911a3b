// A law as a C function (laws/law_plugin.h): the same bits as law linear, refusals, replacement.
#include "libdem/laws/plugin.hpp"

#include "cases.hpp"
#include "registration/two_discs.hpp"
#include "support/message_of.hpp"

namespace {

/// Law linear in the plane, with its friction times a parameter.
int spring(const dem_law_block* b, void* calls) {
  if (b->version != DEM_LAW_VERSION || b->history_size != 2) return 1;
  ++*static_cast<int*>(calls);
  for (int c = 0; c < b->count; ++c) {
    double* const xi = b->history + 2 * c;
    const double k = b->stiffness[c], start = xi[0], trial = start + b->shift_1[c];
    const double limit = b->parameters[0] * b->friction[c] * (b->normal_end[c] > 0 ? b->normal_end[c] : 0);
    const bool slides = k * std::abs(trial) > limit || limit == 0;
    const double share = slides ? limit / (trial != 0 ? k * std::abs(trial) : 1) : 1;
    xi[0] = share * trial;
    b->elastic_1[c] = -k * xi[0];
    b->viscous_1[c] = -(slides ? 0 : b->damping[c]) * b->velocity_1[c];
    b->stored[c] = 0.5 * k * xi[0] * xi[0];
    b->work[c] = 0.5 * k * (start + xi[0]) * b->shift_1[c];
    b->dissipated[c] = b->work[c] - (b->stored[c] - 0.5 * k * start * start);
    b->sliding[c] = slides;
  }
  return 0;
}

int fails(const dem_law_block*, void*) { return 1; }

int calls = 0;
const char* const names[] = {"friction_factor"};
const char* const units[] = {""};
const dem_law good{DEM_LAW_VERSION, "c-spring", "law linear in C", 2, 1, names, units, 1, spring, &calls};

Case case_with(const std::string& contact) { return parse_case(two_discs(contact, 0.1), "case.toml"); }
std::uint64_t hash_of(const std::string& contact) { return advanced(case_with(contact), 250).hash(); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_bits_of_the_library_and_required_parameters) {
  laws::add_plugin(good);
  BOOST_TEST(hash_of("law = \"c-spring\"\nfriction_factor = 1.0") == hash_of("law = \"linear\""));
  BOOST_TEST(calls > 20);
  BOOST_TEST(hash_of("law = \"c-spring\"\nfriction_factor = 0.5") != hash_of("law = \"linear\""));
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
