// The state hash and the way through an archive.
#include "libdem/state/state_hash.hpp"
#include "tests/assembly_cases.hpp"
#include "tests/support/resumed.hpp"

namespace {

double flipped(double value, int bit) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ (std::uint64_t(1) << bit));
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_bit_of_any_word_changes_the_hash) {
  std::vector<double> values{0.0, 1.0, -3.5, 1e-300, 7, 8, 9};
  const auto hash = [](const std::vector<double>& v) {
    StateHash h;
    h.add(std::span<const double>(v));
    return h.value();
  };
  std::vector<std::uint64_t> seen{hash(values)};
  for (std::size_t k = 0; k < values.size(); ++k)
    for (int bit = 0; bit < 64; ++bit) {
      std::vector<double> changed = values;
      changed[k] = flipped(changed[k], bit);
      seen.push_back(hash(changed));
    }
  std::swap(values[4], values[5]);  // order counts
  seen.push_back(hash(values));
  seen.push_back(hash({}));
  std::sort(seen.begin(), seen.end());
  BOOST_TEST((std::adjacent_find(seen.begin(), seen.end()) == seen.end()));
  BOOST_TEST(hash({0.0}) != hash({-0.0}));
}

BOOST_AUTO_TEST_CASE(the_hash_sees_every_entry_of_the_state) {
  const Case c = small_shear();
  const Simulation run = advanced(c, 300);
  const MemoryArchive memory = saved(run);
  const auto hash_with = [&](const MemoryArchive& m) {
    Simulation other(c);
    other.load(m);
    return other.hash();
  };
  const std::uint64_t hash = hash_with(memory);
  BOOST_TEST(hash == run.hash());
  // One bit of each array. Entries that follow from others, or only from observers, are not hashed.
  const std::set<std::string> of_plates{"plates/height", "plates/strain", "plates/vertical_speed",
                                        "plates/within_since", "plates/stress"};
  const std::set<std::string> of_run{"run/time", "run/stage_start_time", "run/stage_start_strain"};
  std::size_t hashed = 0;
  for (const auto& [name, values] : memory.reals) {
    if (values.empty() || name == "run/dt") continue;  // another time step is refused
    MemoryArchive changed = memory;
    double& value = changed.reals[name][values.size() / 2];
    value = flipped(value, 0);
    const bool state = name.starts_with("bodies/position_") || name.starts_with("bodies/rotation_") ||
                       name == "bodies/evaluated_position" || name == "bodies/evaluated_rotation" ||
                       name.starts_with("contacts/history/") || of_plates.contains(name) || of_run.contains(name);
    BOOST_TEST((hash_with(changed) != hash) == state, name);
    hashed += state;
  }
  BOOST_TEST(hashed == 12 + 2 + 1 + of_plates.size() + of_run.size());
  std::size_t words = 0;
  for (const auto& [name, values] : memory.words) {
    if (name.ends_with("/layout") || name == "run/stage" || name == "run/cut_short")
      continue;  // another stage: tested with the stages
    MemoryArchive changed = memory;
    changed.words[name][values.size() / 2] ^= 1;
    const bool state = name.starts_with("contacts/records/") || name == "run/step" || name == "run/ends/quiet/flag";
    BOOST_TEST((hash_with(changed) != hash) == state, name);
    words += state;
  }
  BOOST_TEST(words == 3u);
}

/// Another case is refused in restart/round_trip_test.cpp.
BOOST_AUTO_TEST_CASE(archives_that_do_not_fit_are_refused) {
  const Case c = small_shear();
  const Simulation run = advanced(c, 100);
  const MemoryArchive memory = saved(run);
  const auto refused = [&](const MemoryArchive& m, const std::string& what) {
    Simulation other(c);
    BOOST_TEST_CONTEXT(what) BOOST_CHECK_THROW(other.load(m), std::runtime_error);
  };
  const auto arrays = [&](auto MemoryArchive::*kind, bool without) {
    for (const auto& [name, values] : memory.*kind) {
      if (values.empty()) continue;
      MemoryArchive changed = memory;
      (changed.*kind)[name].pop_back();
      refused(changed, name + " shorter");
      (changed.*kind).erase(name);
      if (without) refused(changed, "without " + name);
    }
  };
  arrays(&MemoryArchive::reals, true);
  arrays(&MemoryArchive::words, false);
}
