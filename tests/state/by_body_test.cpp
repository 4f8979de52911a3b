// Numbers of bodies that are stored in the order of places (libdem/state/by_body.hpp).
#include "libdem/state/by_body.hpp"

#include "libdem/state/bodies.hpp"
#include "libdem/state/fields.hpp"
#include "prelude.hpp"
#include "tests/motion/make_bodies.hpp"

namespace {
Places random_places(std::size_t n, std::mt19937& random) {
  std::vector<std::uint32_t> places(n);
  std::iota(places.begin(), places.end(), 0u);
  std::ranges::shuffle(places, random);
  return std::make_shared<const std::vector<std::uint32_t>>(places);
}
}  // namespace

/// Whatever the places: what is read by number stays, and storage has number b at its place.
BOOST_AUTO_TEST_CASE(numbers_stay_and_places_change) {
  std::mt19937 random(5);
  std::vector<int> values(100);
  for (int& v : values) v = int(random() % 1000);
  ByBody<int> by_body;
  by_body.set_by_number(values);
  for (int round = 0; round < 5; ++round) {
    const Places places = round == 3 ? nullptr : random_places(values.size(), random);
    by_body.rearrange(places);
    BOOST_TEST(by_body.by_number() == values);
    for (std::size_t b = 0; b < values.size(); ++b) {
      BOOST_TEST(by_body[b] == values[b]);
      BOOST_TEST(by_body.stored()[places ? (*places)[b] : b] == values[b]);
    }
    const std::size_t changed = random() % values.size();
    by_body[changed] = values[changed] = int(random() % 1000);
    ByBody<int> copy = by_body;
    std::vector<int> others = values;
    std::ranges::reverse(others);
    copy.set_by_number(others);
    BOOST_TEST(copy.by_number() == others);
    BOOST_TEST((copy == by_body) == (others == values));
    BOOST_TEST(by_body.by_number() == values);  // a copy shares the places, not the values
  }
}

/// Shares of 512 bodies are whole pages, so that threads meet in no page.
BOOST_AUTO_TEST_CASE(large_arrays_begin_at_a_page) {
  for (const std::size_t n : {3000, 100000}) {
    ByBody<Vec3> vectors;
    vectors.resize(n);
    vectors.rearrange(nullptr);
    const ByBody<Vec3> copy = vectors;
    for (const auto* array : {std::as_const(vectors).stored().data(), copy.stored().data()})
      BOOST_TEST(reinterpret_cast<std::uintptr_t>(array) % PageAligned<Vec3>::page == 0u);
  }
}

/// Bodies move as a whole; arrays without elements stay empty and take the order when they get elements again.
BOOST_AUTO_TEST_CASE(bodies_are_rearranged_together) {
  std::mt19937 random(7);
  Bodies bodies = make_bodies(50);
  for (std::size_t b = 0; b < 50; ++b) {
    bodies.position[0][b] = {double(b), 0, 0};
    bodies.mass[b] = 1 + double(b);
  }
  const Places places = random_places(50, random);
  bodies.rearrange(places);
  BOOST_TEST((bodies.places() == places));
  for (std::size_t b = 0; b < 50; ++b) {
    BOOST_TEST(bodies.mass[b] == 1 + double(b));
    BOOST_TEST(bodies.position[0].stored()[(*places)[b]].x == double(b));
  }
  BOOST_TEST(bodies.orientation[0].empty());
  bodies.orientation[0].set_by_number(std::vector<Quaternion>(50, Quaternion{0, 1, 0, 0}));
  BOOST_TEST(bodies.orientation[0].size() == 50u);
}

/// Parts of any size: each place without a copy comes once, in its order.
BOOST_AUTO_TEST_CASE(copies_are_left_out) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random() % 40;
    Bodies bodies;
    bodies.first_copy = random() % (n + 1);
    bodies.last_copy = bodies.first_copy + random() % (n + 1 - bodies.first_copy);
    std::vector<std::size_t> expected, found;
    for (std::size_t at = 0; at < n; ++at)
      if (at < bodies.first_copy || at >= bodies.last_copy) expected.push_back(at);
    for (std::size_t first = 0; first < n;) {
      const std::size_t last = std::min(n, first + 1 + random() % 10);
      bodies.without_copies(first, last, [&](std::size_t from, std::size_t to) {
        BOOST_TEST(from <= to);
        for (std::size_t at = from; at < to; ++at) found.push_back(at);
      });
      first = last;
    }
    BOOST_TEST(found == expected, tt::per_element());
  }
}
