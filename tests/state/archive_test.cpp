// The state hash and the way through an archive.
#include <bit>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <stdexcept>

#include "libdem/drivers/plates.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/state/state_hash.hpp"

using namespace dem;

namespace {

/// Keeps what is written to it; individual values can be changed.
struct Memory : ArchiveWriter, ArchiveReader {
  std::map<std::string, std::vector<double>, std::less<>> reals;
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> words;
  std::map<std::string, std::string, std::less<>> texts;

  void put(std::string_view name, std::span<const double> v) override {
    reals[std::string(name)].assign(v.begin(), v.end());
  }
  void put(std::string_view name, std::span<const std::uint64_t> v) override {
    words[std::string(name)].assign(v.begin(), v.end());
  }
  void put_text(std::string_view name, std::string_view v) override { texts[std::string(name)] = v; }
  std::vector<double> doubles(std::string_view name) const override { return at(reals, name); }
  std::vector<std::uint64_t> integers(std::string_view name) const override { return at(words, name); }
  std::string text(std::string_view name) const override { return at(texts, name); }
  bool has(std::string_view name) const override {
    return reals.contains(name) || words.contains(name) || texts.contains(name);
  }

 private:
  template <class Map>
  static typename Map::mapped_type at(const Map& map, std::string_view name) {
    const auto found = map.find(name);
    if (found == map.end()) throw std::runtime_error("no entry " + std::string(name));
    return found->second;
  }
};

Case small_shear() {
  Case c;
  c.periodic = {true, false};
  c.assembly.voronoi = geometry::VoronoiInput{5, 6, 1, 0.6, 1, 3};
  c.use_driver(PlatesSpec{});
  c.material.normal_stiffness = 400;
  c.material.tangential_stiffness = 130;
  c.material.friction = 0.5;
  c.material.restitution = 0.8;
  c.time.step = 0.002;
  Stage press, shear;
  press.normal = PlateNormal::hold_stress;
  press.normal_stress = 2;
  press.plate_speed = 0.05;
  press.duration = 1;
  shear.normal = PlateNormal::hold_stress;
  shear.normal_stress = 2;
  shear.plate_speed = 1;
  shear.shear_rate = 0.05;
  shear.duration = 10;
  c.stages = {press, shear};
  return c;
}

Memory saved(const Simulation& run) {
  Memory memory;
  run.save(memory);
  return memory;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_hash)

BOOST_AUTO_TEST_CASE(any_bit_of_any_word_changes_it) {
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
      changed[k] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(changed[k]) ^ (std::uint64_t(1) << bit));
      seen.push_back(hash(changed));
    }
  std::swap(values[4], values[5]);  // order counts
  seen.push_back(hash(values));
  seen.push_back(hash({}));
  std::sort(seen.begin(), seen.end());
  BOOST_TEST((std::adjacent_find(seen.begin(), seen.end()) == seen.end()));
  BOOST_TEST(hash({0.0}) != hash({-0.0}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(archive)

BOOST_AUTO_TEST_CASE(a_restored_run_goes_on_with_the_same_bits) {
  const Case c = small_shear();
  Simulation whole(c);
  for (int k = 0; k < 700; ++k) whole.step();  // in the second stage
  BOOST_TEST(whole.stage() == 1u);
  BOOST_TEST(whole.contact_count() > 20u);
  const Memory memory = saved(whole);
  Simulation restored(c);
  BOOST_TEST(restored.hash() != whole.hash());
  restored.load(memory);
  BOOST_TEST(restored.hash() == whole.hash());
  BOOST_TEST(restored.time() == whole.time());
  BOOST_TEST(restored.ledger().residual() == whole.ledger().residual());
  const Memory again = saved(restored);
  BOOST_TEST((again.reals == memory.reals));
  BOOST_TEST((again.words == memory.words));
  for (int k = 0; k < 300; ++k) {
    whole.step();
    restored.step();
    BOOST_REQUIRE(restored.hash() == whole.hash());
  }
  // What observers see is the same too, though it is not hashed.
  BOOST_TEST(restored.ledger().residual() == whole.ledger().residual());
  BOOST_TEST(restored.ledger().friction == whole.ledger().friction);
  BOOST_TEST(restored.driver<Plates>()->stress().normal() == whole.driver<Plates>()->stress().normal());
}

BOOST_AUTO_TEST_CASE(the_hash_sees_every_entry_of_the_state) {
  const Case c = small_shear();
  Simulation run(c);
  for (int k = 0; k < 300; ++k) run.step();
  const Memory memory = saved(run);
  const auto hash_with = [&](const Memory& m) {
    Simulation other(c);
    other.load(m);
    return other.hash();
  };
  const std::uint64_t hash = hash_with(memory);
  BOOST_TEST(hash == run.hash());
  // One bit of each array. What follows from other entries (of plates: whether the target is reached), or only from
  // observers, is not hashed.
  const std::set<std::string> of_plates{"plates/height", "plates/strain", "plates/vertical_speed",
                                        "plates/within_since", "plates/stress"};
  const std::set<std::string> of_run{"run/time", "run/stage_start_time", "run/stage_start_strain"};
  std::size_t hashed = 0;
  for (const auto& [name, values] : memory.reals) {
    if (values.empty() || name == "run/dt") continue;  // another time step is refused
    Memory changed = memory;
    double& value = changed.reals[name][values.size() / 2];
    value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ 1u);
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
    Memory changed = memory;
    changed.words[name][values.size() / 2] ^= 1;
    const bool state = name.starts_with("contacts/records/") || name == "run/step" || name == "run/ends/quiet/flag";
    BOOST_TEST((hash_with(changed) != hash) == state, name);
    words += state;
  }
  BOOST_TEST(words == 3u);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const Case c = small_shear();
  Simulation run(c);
  for (int k = 0; k < 100; ++k) run.step();
  const Memory memory = saved(run);
  const auto refused = [&](const Case& given, const Memory& m) {
    Simulation other(given);
    BOOST_CHECK_THROW(other.load(m), std::runtime_error);
  };
  Case other = c;
  other.assembly.voronoi->columns = 6;
  refused(other, memory);
  other = c;
  other.time.step = 0.001;
  refused(other, memory);
  for (const auto& [name, values] : memory.reals) {
    if (values.empty()) continue;
    Memory shorter = memory;
    shorter.reals[name].pop_back();
    BOOST_TEST_CONTEXT(name) refused(c, shorter);
    Memory without = memory;
    without.reals.erase(name);
    BOOST_TEST_CONTEXT(name) refused(c, without);
  }
  for (const auto& [name, values] : memory.words) {
    if (values.empty()) continue;
    Memory shorter = memory;
    shorter.words[name].pop_back();
    BOOST_TEST_CONTEXT(name) refused(c, shorter);
  }
}

BOOST_AUTO_TEST_SUITE_END()
