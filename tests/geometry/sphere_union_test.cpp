// Volume, centroid and inertia of unions of spheres: closed forms, real templates, invariances, a quadrature.
#include "geometry/sphere_union.hpp"

#include "geometry/random.hpp"
#include "refusals.hpp"
#include "support/turned.hpp"

using geometry::Sphere, geometry::sphere_union;

namespace {

using Spheres = std::vector<Sphere>;

double relative(double found, double expected) { return std::abs(found - expected) / std::abs(expected); }

Spheres octahedron(double satellite, double central, double offset) {
  Spheres s{{{0, 0, 0}, central}};
  for (const double d : {-offset, offset})
    s.insert(s.end(), {{{d, 0, 0}, satellite}, {{0, d, 0}, satellite}, {{0, 0, d}, satellite}});
  return s;
}

Spheres random_cluster(std::size_t count, std::uint64_t seed, double spread = 1.0) {
  geometry::Random random(seed);
  Spheres s;
  for (std::size_t k = 0; k < count; ++k) {
    const double x = random.uniform(), y = random.uniform(), z = random.uniform();
    s.push_back({spread * Vec3{2 * x - 1, 2 * y - 1, 2 * z - 1}, 0.3 + 0.5 * random.uniform()});
  }
  return s;
}

double component(Vec3 a, std::size_t k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }

// Slices x = const cut into lines y = const with exact z intervals. The error goes with the slice width to the 1.5.
geometry::SolidProperties by_lines(const Spheres& spheres, int slices) {
  Vec3 low{1e9, 1e9, 1e9}, high = -low;
  for (const Sphere& s : spheres) {
    low = {std::min(low.x, s.centre.x - s.radius), std::min(low.y, s.centre.y - s.radius), 0};
    high = {std::max(high.x, s.centre.x + s.radius), std::max(high.y, s.centre.y + s.radius), 0};
  }
  double v = 0, first[3] = {}, second[3][3] = {};
  const double dx = (high.x - low.x) / slices, dy = (high.y - low.y) / slices;
  std::vector<std::pair<double, double>> covered;
  for (int i = 0; i < slices; ++i)
    for (int j = 0; j < slices; ++j) {
      const double x = low.x + (i + 0.5) * dx, y = low.y + (j + 0.5) * dy;
      covered.clear();
      for (const auto& [c, r] : spheres)
        if (const double h2 = r * r - (x - c.x) * (x - c.x) - (y - c.y) * (y - c.y); h2 > 0)
          covered.emplace_back(c.z - std::sqrt(h2), c.z + std::sqrt(h2));
      std::sort(covered.begin(), covered.end());
      double reached = -1e9;
      for (auto [a, b] : covered) {
        a = std::max(a, reached);
        if (b <= a) continue;
        reached = b;
        const double l = dx * dy * (b - a), z = (a + b) / 2, at[3] = {x, y, z};
        v += l;
        for (int p = 0; p < 3; ++p) {
          first[p] += l * at[p];
          for (int q = 0; q < 3; ++q) second[p][q] += l * at[p] * at[q];
        }
        second[2][2] += l * (b - a) * (b - a) / 12;  // of the line about its middle
      }
    }
  geometry::SolidProperties p;
  p.volume = v;
  p.centroid = {first[0] / v, first[1] / v, first[2] / v};
  double trace = 0;
  for (int k = 0; k < 3; ++k) trace += second[k][k] - first[k] * first[k] / v;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) p.inertia[a][b] = (a == b ? trace : 0) - second[a][b] + first[a] * first[b] / v;
  return p;
}

using Tensor = std::array<std::array<double, 3>, 3>;

double largest_difference(const Tensor& a, const Tensor& b) {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) worst = std::max(worst, std::abs(a[i][j] - b[i][j]));
  return worst;
}
Tensor isotropic(double moment) { return {{{moment, 0, 0}, {0, moment, 0}, {0, 0, moment}}}; }
double trace(const Tensor& t) { return t[0][0] + t[1][1] + t[2][2]; }

}  // namespace

// Templates of two assemblies of DEMPLA (M. R. Kuhn). In the directions with x ≥ y ≥ z ≥ 0 one satellite alone is seen.
// So V = 48 ∫∫ r³/3 dΩ and I = 48 (2/3) ∫∫ r⁵/5 dΩ, by quadrature with 25 digits. The README of the data prints the
// last two numbers of each row, which agree to 5e-10.
BOOST_AUTO_TEST_CASE(templates_of_real_assemblies) {
  const double rows[][5] = {{0.64, 4.616634138545418829, 2.121113278579268706, 4.616634136363135, 2.121113277648092},
                            {0.74, 5.261841274232012891, 2.733484628103123351, 5.261841274706041, 2.7334846283053307}};
  for (const auto& [offset, volume, unit_moment, printed_volume, printed_moment] : rows)
    for (const double scale : {1.0, 5.4846e-5}) {
      Spheres s = octahedron(0.6, 0.8, offset);
      for (Sphere& each : s) each = {scale * each.centre, scale * each.radius};
      const auto p = sphere_union(s);
      const double s3 = scale * scale * scale, s5 = s3 * scale * scale, moment = unit_moment * s5;
      BOOST_TEST(relative(p.volume, volume * s3) < 1e-14);
      BOOST_TEST(norm(p.centroid) < 1e-14 * scale);
      BOOST_TEST(largest_difference(p.inertia, isotropic(moment)) < 1e-14 * moment);
      BOOST_TEST(relative(p.volume, printed_volume * s3) < 1e-9);
      BOOST_TEST(relative(p.inertia[0][0], printed_moment * s5) < 1e-9);
    }
}

// Two spheres at distance d: volume and moments of two segments each, ∫ A(x) x^k dx with A = π (R² − x²).
BOOST_AUTO_TEST_CASE(two_spheres_in_closed_form) {
  const Vec3 axis = (1 / std::sqrt(14.0)) * Vec3{1, -2, 3};
  const double pairs[][3] = {{1, 1, 1},          {1, 0.6, 0.9},       {1, 0.6, 0.5},
                             {0.2, 1, 1.199999}, {1, 0.5, 0.5000001}, {1, 1, 1e-3}};
  for (const auto& [a, b, d] : pairs) {
    const double cut = (d * d + a * a - b * b) / (2 * d);
    // a from −a to the cut, b from there to d + b. Volume, first and second moment along the axis, ∫ A²/4π across.
    double v = 0, first = 0, second = 0, across = 0;
    const auto segment = [&](double centre, double radius, double from, double to) {
      const auto power = [&](int n) { return (std::pow(to, n + 1) - std::pow(from, n + 1)) / (n + 1); };
      const double r2 = radius * radius;
      const double m0 = r2 * power(0) - power(2), m1 = r2 * power(1) - power(3), m2 = r2 * power(2) - power(4);
      v += pi * m0, first += pi * (m1 + centre * m0), second += pi * (m2 + 2 * centre * m1 + centre * centre * m0);
      across += pi / 4 * (r2 * r2 * power(0) - 2 * r2 * power(2) + power(4));
    };
    segment(0, a, -a, cut);
    segment(d, b, cut - d, b);
    const double centre = first / v, along = 2 * across, other = across + second - v * centre * centre;
    Tensor expected = isotropic(other);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) expected[i][j] += (along - other) * component(axis, i) * component(axis, j);
    const Vec3 at{0.3, 0.4, -0.5};
    const auto p = sphere_union(Spheres{{at, a}, {at + d * axis, b}});
    BOOST_TEST_CONTEXT("radii " << a << ", " << b << ", distance " << d) {
      BOOST_TEST(relative(p.volume, v) < 1e-12);
      BOOST_TEST(norm(p.centroid - (at + centre * axis)) < 1e-12);
      BOOST_TEST(largest_difference(p.inertia, expected) < 1e-12 * other);
    }
  }
}

BOOST_AUTO_TEST_CASE(degenerate_arrangements_of_spheres) {
  const double unit = 4 * pi / 3;
  const std::tuple<const char*, Spheres, double, double> rows[] = {
      {"identical", Spheres(5, {{1, 2, 3}, 1}), 1, 1e-13},
      {"identical but for round-off", {{{0, 0, 0}, 1}, {{0, 0, 0}, 1 + 1e-16}, {{1e-17, 0, 0}, 1}}, 1, 1e-13},
      {"almost identical", {{{0, 0, 0}, 1}, {{1e-9, 0, 0}, 1}}, 1, 1e-8},
      {"contained", {{{0.2, 0, 0}, 0.5}, {{0, 0, 0}, 1}}, 1, 1e-13},
      {"concentric", {{{0, 0, 0}, 0.5}, {{0, 0, 0}, 1}}, 1, 1e-13},
      {"touching from within", {{{0.5, 0, 0}, 0.5}, {{0, 0, 0}, 1}}, 1, 1e-13},
      {"touching", {{{0, 0, 0}, 1}, {{0, 0, 2}, 1}}, 2, 1e-13}};
  for (const auto& [name, spheres, volume, tolerance] : rows)
    BOOST_TEST(relative(sphere_union(spheres).volume, volume * unit) < tolerance, name);
  const auto apart = sphere_union(Spheres{{{0, 0, 0}, 1}, {{0, 0, 10}, 1}});
  BOOST_TEST(relative(apart.volume, 2 * unit) < 1e-12);
  BOOST_TEST(relative(apart.inertia[0][0], 2 * unit * (0.4 + 25)) < 1e-12);
  // Four circles through one point of a sphere, and six spheres whose circles touch each other.
  const Spheres common{{{0, 0, 0}, 1}, {{1, 0, 1}, 1}, {{-1, 0, 1}, 1}, {{0, 1, 1}, 1}, {{0, -1, 1}, 1}};
  const auto exact = sphere_union(common);
  Spheres nudged = common;
  for (std::size_t k = 0; k < nudged.size(); ++k)
    nudged[k].centre += 1e-11 * Vec3{std::sin(3.0 * double(k)), std::cos(5.0 * double(k)), 0.3};
  BOOST_TEST(relative(sphere_union(nudged).volume, exact.volume) < 1e-10);
}

BOOST_AUTO_TEST_CASE(turning_and_shifting_a_union_change_nothing) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const Spheres s = random_cluster(3 + 4 * seed, seed);
    const auto p = sphere_union(s);
    const Vec3 axis = (1 / 3.0) * Vec3{2, -1, 2}, shift{100, -30, 7};
    Spheres moved = s;
    for (Sphere& each : moved) each.centre = shift + turned(each.centre, axis, 0.7 * double(seed));
    const auto q = sphere_union(moved);
    BOOST_TEST(relative(q.volume, p.volume) < 1e-12);
    BOOST_TEST(norm(q.centroid - (shift + turned(p.centroid, axis, 0.7 * double(seed)))) < 1e-12);
    Tensor expected{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {  // a·R I Rᵀ b = (Rᵀ a)·I (Rᵀ b)
        const Vec3 e[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const Vec3 a = turned(e[i], axis, -0.7 * double(seed)), b = turned(e[j], axis, -0.7 * double(seed));
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t l = 0; l < 3; ++l) expected[i][j] += component(a, k) * p.inertia[k][l] * component(b, l);
      }
    BOOST_TEST(largest_difference(q.inertia, expected) < 1e-12 * trace(p.inertia));
  }
}

BOOST_AUTO_TEST_CASE(random_unions_against_lines_through_them) {
  for (const std::uint64_t seed : {11, 12, 13}) {
    const Spheres s = random_cluster(seed == 13 ? 40 : 12, seed);
    const auto p = sphere_union(s), coarse = by_lines(s, 300), fine = by_lines(s, 1200);
    const auto worst = [&p](const geometry::SolidProperties& q) {
      return std::max({relative(q.volume, p.volume), norm(q.centroid - p.centroid),
                       largest_difference(q.inertia, p.inertia) / trace(p.inertia)});
    };
    BOOST_TEST(worst(fine) < 3e-6);
    BOOST_TEST(worst(fine) < 0.5 * worst(coarse));  // it is the lines that err
  }
}

// The order changes nothing, and neither does a sphere that lies within the union.
BOOST_AUTO_TEST_CASE(union_of_a_hundred_spheres) {
  Spheres s = random_cluster(100, 21, 2.0);
  const auto p = sphere_union(s);
  std::reverse(s.begin(), s.end());
  BOOST_TEST(relative(sphere_union(s).volume, p.volume) < 1e-12);
  s.push_back({s[5].centre, 0.9 * s[5].radius});
  BOOST_TEST(relative(sphere_union(s).volume, p.volume) < 1e-12);
}

BOOST_AUTO_TEST_CASE(bad_spheres_are_named) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const char* const not_finite = "sphere 1 of 1: a coordinate or the radius is not a finite number";
  const std::pair<const char*, Spheres> rows[] = {
      {"a cluster needs at least one sphere, found none", {}},
      {"sphere 2 of 2: the radius must be positive, found -2", {{{0, 0, 0}, 1}, {{0, 0, 0}, -2}}},
      {"sphere 1 of 1: the radius must be positive, found 0", {{{0, 0, 0}, 0}}},
      {not_finite, {{{0, nan, 0}, 1}}},
      {not_finite, {{{0, 0, inf}, 1}}},
      {not_finite, {{{0, 0, 0}, nan}}},
      {not_finite, {{{0, 0, 0}, inf}}}};
  for (const auto& [message, bad] : rows)
    BOOST_TEST(geometry::testing::refusal([&bad = bad] { sphere_union(bad); }) == message);
}
