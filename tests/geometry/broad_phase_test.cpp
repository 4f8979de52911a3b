// Candidate pairs against all pairs and all images, by brute force.
#include "geometry/broad_phase.hpp"

#include "refusals.hpp"
#include "support/random.hpp"

using namespace dem::geometry;
using testing::check_refused;

namespace {

struct Packing {
  std::vector<Vec3> positions;
  std::vector<double> radii;
  Cell cell;
  double skin = 0;
  bool planar = true;
  BroadPhaseInput input() const { return {positions, radii, &cell, skin, planar, {}}; }
};

bool before(const CandidatePair& a, const CandidatePair& b) {
  return std::tie(a.i, a.j, a.image) < std::tie(b.i, b.j, b.image);
}

/// Every pair and every image within `reach` cells of the nearest one.
std::vector<CandidatePair> brute_force(const Packing& p, int reach = 3) {
  std::vector<CandidatePair> pairs;
  const auto& v = p.cell.vectors;
  const double volume = dot(v[0], cross(v[1], v[2]));
  for (std::uint32_t i = 0; i < p.positions.size(); ++i)
    for (std::uint32_t j = i + 1; j < p.positions.size(); ++j) {
      const Vec3 d = p.positions[j] - p.positions[i];
      std::array<int, 3> low{}, high{};
      for (int a = 0; a < 3; ++a) {
        if (!p.cell.periodic[a] || (p.planar && a == 2)) continue;
        const int k = int(std::lround(-dot(d, cross(v[(a + 1) % 3], v[(a + 2) % 3])) / volume));
        low[a] = k - reach;
        high[a] = k + reach;
      }
      for (int a = low[0]; a <= high[0]; ++a)
        for (int b = low[1]; b <= high[1]; ++b)
          for (int c = low[2]; c <= high[2]; ++c) {
            const std::array<std::int16_t, 3> image{std::int16_t(a), std::int16_t(b), std::int16_t(c)};
            Vec3 e = d + p.cell.shift(image);
            if (p.planar) e.z = 0;
            if (norm(e) < p.radii[i] + p.radii[j] + p.skin) pairs.push_back({i, j, image});
          }
    }
  std::sort(pairs.begin(), pairs.end(), before);
  return pairs;
}

using Random = std::mt19937_64;
Vec3 within(Random& random, double a, bool planar = false) {
  const double x = uniform(random, -a, a), y = uniform(random, -a, a);
  return {x, y, planar ? 0 : uniform(random, -a, a)};
}

Packing random_packing(Random& random, bool planar, std::array<bool, 3> periodic, bool triclinic, double far_cells) {
  Packing p;
  p.planar = planar;
  p.cell.periodic = periodic;
  const auto skew = [&] { return triclinic ? uniform(random, -5, 5) : 0.0; };
  p.cell.vectors = {Vec3{uniform(random, 10, 14), skew(), planar ? 0 : skew()},
                    Vec3{skew() / 2, uniform(random, 10, 14), planar ? 0 : skew()},
                    Vec3{planar ? 0 : skew() / 2, planar ? 0 : skew() / 2, uniform(random, 10, 14)}};
  p.skin = uniform(random, 0, 0.2);
  const int n = planar ? 150 : 300;
  for (int k = 0; k < n; ++k) {
    Vec3 x;
    for (const Vec3& v : p.cell.vectors) x += uniform(random, -0.1, 1.1) * v;
    for (int a = 0; a < 3; ++a)
      if (periodic[a]) x += std::floor(uniform(random, -far_cells, far_cells + 1)) * p.cell.vectors[a];
    p.positions.push_back(x);
    p.radii.push_back(uniform(random, 0.2, 0.6));
  }
  return p;
}

/// Shares as threads might work them off: the last one first.
WorkSharing in_shares(int shares) {
  return {shares, [shares](std::size_t n, const auto& work) {
            for (int k = shares; k-- > 0;)
              work(n * std::size_t(k) / std::size_t(shares), n * std::size_t(k + 1) / std::size_t(shares), k);
          }};
}

void check(const Packing& p, NeighbourList& list) {
  list.build(p.input(), in_shares(3));
  const std::vector<CandidatePair> shared(list.pairs().begin(), list.pairs().end());
  list.build(p.input());
  BOOST_TEST(std::ranges::equal(list.pairs(), shared));
  const auto expected = brute_force(p);
  BOOST_TEST(list.pairs().size() == expected.size());
  BOOST_TEST(std::ranges::equal(list.pairs(), expected));
}

}  // namespace

BOOST_AUTO_TEST_CASE(agrees_with_brute_force_in_every_cell) {
  Random random(11);
  NeighbourList list;  // reused, as in a run
  std::size_t total = 0, imaged = 0;
  for (int round = 0; round < 9; ++round)
    for (int bits = 0; bits < 8; ++bits)
      for (bool triclinic : {false, true})
        for (bool planar : {true, false}) {
          if (planar && (bits & 4)) continue;
          const double far_cells = round % 3 == 0 ? 0 : round % 3 == 1 ? 3 : 2000;
          Packing p =
              random_packing(random, planar, {bool(bits & 1), bool(bits & 2), bool(bits & 4)}, triclinic, far_cells);
          if (planar && round % 2)  // z does not matter
            for (Vec3& x : p.positions) x.z = uniform(random, -1e3, 1e3);
          check(p, list);
          total += list.pairs().size();
          for (const auto& pair : list.pairs()) imaged += pair.image != std::array<std::int16_t, 3>{0, 0, 0};
        }
  BOOST_TEST(total > 20000u);
  BOOST_TEST(imaged > 5000u);
}

BOOST_AUTO_TEST_CASE(large_bodies_and_small_cells) {
  Random random(13);
  NeighbourList list;
  for (int round = 0; round < 20; ++round) {
    // A few bodies more than four times the median, up to nearly half the cell.
    Packing p = random_packing(random, round % 2 == 0, {true, round % 4 < 2, false}, false, 5);
    for (int k : {0, 17, 18, 149}) p.radii[std::size_t(k)] = uniform(random, 2.5, 4.9);
    check(p, list);
    // A cell hardly wider than a body: several images of one body near another.
    p.cell.vectors = {Vec3{1.3, 0, 0}, Vec3{0.2, 1.4, 0}, Vec3{0, 0, 20}};
    p.positions.resize(6);
    p.radii.resize(6);
    for (auto& r : p.radii) r = std::min(r, 0.6);
    check(p, list);
  }
}

BOOST_AUTO_TEST_CASE(distances_at_the_limit_of_a_list) {
  // Two bodies at exactly r_i + r_j + skin are not listed, one step of the last digit nearer they are.
  Packing p{{Vec3{0.25, 0, 0}, Vec3{1.5, 0, 0}}, {0.5, 0.5}, {}, 0.25, true};
  NeighbourList list;
  list.build(p.input());
  BOOST_TEST(list.pairs().empty());
  p.positions[1].x = std::nextafter(1.5, 0);
  list.build(p.input());
  BOOST_TEST(list.pairs().size() == 1u);
}

BOOST_AUTO_TEST_CASE(far_scattered_and_coincident_bodies) {
  Random random(15);
  NeighbourList list;
  for (double size : {1e-9, 1.0, 1e12, 1e200}) {
    Packing p;
    for (int k = 0; k < 60; ++k) {
      p.positions.push_back({uniform(random, 0, size), uniform(random, 0, size), 0});
      p.radii.push_back(k % 3 == 0 ? 0 : 0.1);
    }
    p.positions[5] = p.positions[6];
    check(p, list);
  }
  Packing empty;
  list.build(empty.input());
  BOOST_TEST(list.pairs().empty());
}

/// Moves bodies for some steps. The list is renewed only when it asks for that, and has every pair that touches.
template <class Move>
void check_never_missed(Packing& p, int steps, int reach, const Cell* cell, std::size_t& touching, Move move) {
  NeighbourList list;
  int builds = 0;
  for (int step = 0; step < steps; ++step) {
    if (list.expired(p.positions, cell)) list.build(p.input()), ++builds;
    Packing touch = p;
    touch.skin = 0;
    for (const auto& pair : brute_force(touch, reach)) {
      ++touching;
      BOOST_REQUIRE(std::binary_search(list.pairs().begin(), list.pairs().end(), pair, before));
    }
    move();
  }
  BOOST_TEST(builds < steps / 6);
}

// Relative speeds are below √3, the drift is five times that: without its mean every third step would build a list.
BOOST_AUTO_TEST_CASE(a_particle_on_collision_course_is_never_missed) {
  Random random(16);
  std::size_t touching = 0;
  for (int round = 0; round < 4; ++round) {
    Packing p = random_packing(random, round != 3, {true, round != 1, false}, round % 2 == 0, 0);
    p.skin = 0.3;
    const Vec3 drift = within(random, 5, true);
    std::vector<Vec3> velocities(p.positions.size());
    for (Vec3& v : velocities) v = drift + within(random, 1);
    check_never_missed(p, 300, 0, nullptr, touching, [&] {
      for (std::size_t k = 0; k < velocities.size(); ++k) p.positions[k] += 0.01 * velocities[k];
    });
  }
  BOOST_TEST(touching > 10000u);
}

// The cell shrinks, stretches, leans over and turns: bodies at its rim move by 0.024 m a step with it. By themselves
// they need 100 steps for half a skin.
BOOST_AUTO_TEST_CASE(nothing_is_missed_in_a_deforming_cell) {
  Random random(18);
  std::size_t touching = 0;
  for (int round = 0; round < 6; ++round) {
    Packing p = random_packing(random, round % 2 == 0, {true, true, round % 2 == 1}, round > 2, 0);
    p.skin = 0.3;
    const double pull = round < 2 ? -2e-3 : 1e-3, shear = 4e-3, turn = round == 4 ? 0.01 : 0;
    const auto carried = [&](Vec3 v) {
      return Vec3{(1 + pull) * v.x + (shear - turn) * v.y, turn * v.x + (1 - pull) * v.y,
                  p.planar ? v.z : (1 - pull) * v.z};
    };
    std::vector<Vec3> own(p.positions.size());
    for (Vec3& v : own) v = within(random, 1, p.planar);
    check_never_missed(p, 200, 2, &p.cell, touching, [&] {
      for (std::size_t k = 0; k < own.size(); ++k) p.positions[k] = carried(p.positions[k]) + 1e-3 * own[k];
      for (Vec3& v : p.cell.vectors) v = carried(v);
      if (p.planar) p.cell.vectors[2] = {0, 0, 1};
    });
  }
  BOOST_TEST(touching > 10000u);
}

BOOST_AUTO_TEST_CASE(expiry_of_a_list) {
  Packing p{{Vec3{0, 0, 0}, Vec3{3, 0, 0}, Vec3{0, 3, 0}, Vec3{3, 3, 0}}, {1, 1, 1, 1}, {}, 0.5, true};
  NeighbourList list;
  BOOST_TEST(list.expired(p.positions));  // nothing built
  list.build(p.input());
  BOOST_TEST(!list.expired(p.positions));
  auto moved = p.positions;
  for (auto& x : moved) x += Vec3{100, -7, 0};
  BOOST_TEST(!list.expired(moved));  // uniform motion is free
  for (const double by : {0.24, 0.26}) {
    moved = p.positions;
    moved[0].x += by, moved[1].x -= by;
    BOOST_TEST(list.expired(moved) == (by > 0.25));
    BOOST_TEST(list.look(moved).holds(0, 2) == (by < 0.25));  // the threads that look at these bodies see it
    BOOST_TEST(list.look(moved).holds(2, 4));
  }
  moved = p.positions;
  moved[2].x = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(list.expired(moved));
  moved.pop_back();
  BOOST_TEST(list.expired(moved));
  p.skin = 0;
  list.build(p.input());
  BOOST_TEST(list.expired(p.positions));  // without a skin every step is a build
}

BOOST_AUTO_TEST_CASE(refused_input_of_the_broad_phase) {
  NeighbourList list;
  const auto cell = [](bool along_x, Vec3 a, Vec3 b) {
    return Cell{.vectors = {a, b, Vec3{0, 0, 1}}, .periodic = {along_x, false, false}};
  };
  const auto pair = [](Vec3 second, double radius, double skin, Cell periodic = {}) {
    return Packing{{Vec3{0, 0, 0}, second}, {radius, 0.8}, periodic, skin, true};
  };
  const Packing narrow = pair({1, 0, 0}, 0.3, 0.1, cell(true, {1.5, 0, 0}, {0, 1, 0}));
  const std::pair<const char*, Packing> rows[] = {
      {"body 1 could touch its own image", narrow},
      {"at least 1.6 m", narrow},
      {"not linearly independent", pair({1, 0, 0}, 0.3, 0.1, cell(true, {0, 1, 0}, {0, 2, 0}))},
      {"position of body 1 is not finite", pair({1, NAN, 0}, 0.3, 0.1)},
      {"radius of body 0", pair({1, 0, 0}, -1, 0.1)},
      {"skin must be at least 0", pair({1, 0, 0}, 1, -1)},
      {"more than 32767 periodic cells apart", pair({5e6, 0, 0}, 1, 0.1, cell(true, {10, 0, 0}, {0, 1, 0}))}};
  for (const auto& [part, p] : rows) check_refused(part, [&list, &p = p] { list.build(p.input()); });
  // With several shares it is the same pair that is named.
  Packing apart = rows[6].second;
  for (const double x : {3.0, 5e6 + 3, 6.0, 9e6}) {
    apart.positions.push_back({x, 0, 0});
    apart.radii.push_back(0.8);
  }
  const auto refused = [&](const WorkSharing& sharing) {
    return testing::refusal([&] { list.build(apart.input(), sharing); });
  };
  BOOST_TEST(refused(in_shares(3)) == refused({}));
  BOOST_TEST(refused({}) != "accepted");
  // A fixed body may span the cell: both its images are near the other one.
  const std::vector<std::uint8_t> freedom{7, 0};
  BroadPhaseInput in = narrow.input();
  in.freedom = freedom;
  list.build(in);
  BOOST_TEST(list.pairs().size() == 2u);
}

// A list of many bodies gives its scratch back after each build.
BOOST_AUTO_TEST_CASE(a_large_list_is_the_same_whatever_was_built_before) {
  Random random(11);
  Packing p{.cell = {.vectors = {Vec3{25, 0, 0}, Vec3{0, 25, 0}, Vec3{0, 0, 25}}, .periodic = {true, true, true}},
            .skin = 0.02,
            .planar = false};
  for (int k = 0; k < 12000; ++k) {
    p.positions.push_back({uniform(random, 0, 25), uniform(random, 0, 25), uniform(random, 0, 25)});
    p.radii.push_back(uniform(random, 0.3, 0.5));
  }
  const Packing first = p;
  for (Vec3& x : p.positions) x += within(random, 1);
  NeighbourList list, fresh;
  list.build(p.input());
  fresh.build(first.input());
  const std::vector<CandidatePair> expected(fresh.pairs().begin(), fresh.pairs().end());
  BOOST_TEST(expected.size() > 10000u);
  BOOST_TEST(!std::ranges::equal(list.pairs(), expected));
  list.build(first.input());
  BOOST_TEST(std::ranges::equal(list.pairs(), expected));
  Packing few = first;
  few.positions.resize(300);
  few.radii.resize(300);
  std::vector<CandidatePair> found;
  std::ranges::copy_if(expected, std::back_inserter(found), [](const CandidatePair& pair) { return pair.j < 300; });
  BOOST_TEST(std::ranges::equal(found, brute_force(few)));
  BOOST_TEST(!found.empty());
}

BOOST_AUTO_TEST_CASE(a_leaning_cell_is_as_wide_as_its_lattice) {
  Cell cell{.vectors = {Vec3{2, 0, 0}, Vec3{20, 2, 0}, Vec3{-6, 4, 2}}, .periodic = {true, true, true}};
  for (const double width : reduced_widths(cell, false)) BOOST_TEST(width == 2.0);
  cell.periodic = {true, false, false};  // no vector can be replaced
  BOOST_TEST(reduced_widths(cell, true)[0] < 0.21);
}
