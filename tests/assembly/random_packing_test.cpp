// Random packings: sizes as asked for, no overlap, the void ratio asked for, the same from the same seed.

#include "building.hpp"
#include "geometry/broad_phase.hpp"
#include "libdem/assembly/generators.hpp"
#include "libdem/state/spatial_order.hpp"

namespace {

Case random_case(ShapeKind shape, std::size_t count, double void_ratio) {
  Case c = springy_case(is_solid(shape) ? 3 : 2);
  c.periodic = {true, true, is_solid(shape)};
  if (shape == ShapeKind::disc) c.contact.normal_force = NormalForce::overlap;
  RandomSpec& r = c.assembly.generator.emplace<RandomSpec>();
  r.shape = shape;
  r.count = count;
  r.spread = 0.1;
  r.void_ratio = void_ratio;
  r.cluster = {{{0, 0, 0}, 1}, {{0.9, 0.2, 0}, 0.6}};
  return c;
}

double void_ratio(const State& state) {
  double solid = 0;
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    solid += state.dimension == 2 ? state.shape_of(b).area() : state.shape_of(b).volume();
  const auto& v = state.cell.vectors;
  return std::abs(dot(v[0], cross(v[1], v[2]))) / solid - 1;
}

}  // namespace

const std::size_t many = most_bodies_in_random_order + 1;
// The void ratio e of n bodies: n roundings of the sum of volumes (4e-12 for 20 001), times (1 + e)/e ≤ 5.
const auto closely = tolerance(2e-11);

/// Few bodies, loose and dense, and more than are placed in random order.
BOOST_AUTO_TEST_CASE(void_ratio_of_random_packings_without_overlap) {
  for (const auto& [shape, few, loose, dense, of_many] : {std::tuple{ShapeKind::disc, 300ul, 1.5, 0.27, 0.4},
                                                          {ShapeKind::polygon, 200ul, 1.5, 0.8, 1.5},
                                                          {ShapeKind::sphere, 300ul, 3.0, 0.8, 1.0},
                                                          {ShapeKind::cluster, 150ul, 6.0, 4.0, 6.0}})
    for (const auto& [count, wanted] : {std::pair{few, loose}, {few, dense}, {many, of_many}}) {
      Case c = random_case(shape, count, wanted);
      c.assembly.largest_start_overlap = 0;
      const State state = build_assembly(c);  // refuses overlaps
      BOOST_TEST(state.bodies.size() == count);
      BOOST_TEST(void_ratio(state) == wanted, closely);
    }
}

// In an isotropic packing the mean of n nᵀ over near pairs is 1/3. Its error is about 0.3/√pairs = 0.0015.
BOOST_AUTO_TEST_CASE(many_random_spheres_are_isotropic) {
  const State state = build_assembly(random_case(ShapeKind::sphere, many, 0.9));
  const auto& at = state.bodies.position[0];
  std::vector<double> reach;
  for (std::size_t b = 0; b < at.size(); ++b) reach.push_back(1.05 * state.shape_of(b).radius());
  geometry::NeighbourList near;
  near.build({at.stored(), reach, &state.cell, 0, false, {}});
  Vec3 squares;
  for (const geometry::CandidatePair& pair : near.pairs()) {
    const Vec3 branch = at[pair.j] + state.cell.shift(pair.image) - at[pair.i];
    const Vec3 n = (1 / norm(branch)) * branch;
    squares += (1 / double(near.pairs().size())) * Vec3{n.x * n.x, n.y * n.y, n.z * n.z};
  }
  BOOST_TEST(near.pairs().size() > 2 * at.size());
  for (const double share : {squares.x, squares.y, squares.z}) BOOST_TEST(std::abs(share - 1.0 / 3) < 0.006);
}

BOOST_AUTO_TEST_CASE(too_dense_packings_are_refused_with_what_was_reached) {
  for (const std::size_t count : {std::size_t(100), many}) {
    const std::string text = refusal(random_case(ShapeKind::disc, count, 0.05));
    const auto at = text.find("down to about ");
    BOOST_TEST_REQUIRE(at != text.npos, text);
    const double reached = std::stod(text.substr(at + 14));
    BOOST_TEST((reached > 0.1 && reached < 0.4), text);
  }
  Case thin = random_case(ShapeKind::sphere, many, 1);
  thin.cell_size = {1.5, 400, 400};
  std::get<RandomSpec>(thin.assembly.generator).radius = 1;
  check_refused(thin, "a body could touch its own image");
}

BOOST_AUTO_TEST_CASE(many_random_bodies_are_numbered_by_place) {
  for (const std::size_t count : {most_bodies_in_random_order, many}) {
    const State state = build_assembly(random_case(ShapeKind::sphere, count, 3));
    const std::vector<std::uint32_t> order = spatial_order(state.bodies.position[0].stored(), state.cell);
    BOOST_TEST(std::ranges::is_sorted(order) == (count > most_bodies_in_random_order));
  }
}

BOOST_AUTO_TEST_CASE(sizes_follow_their_distribution) {
  geometry::Random random(3);
  RandomSpec spec;
  const auto mean_of = [&](auto f) {
    double sum = 0;
    for (int k = 0; k < 100000; ++k) sum += f(random_radius(spec, random, 3));
    return sum / 100000;
  };
  const auto share = [&](auto in) { return mean_of([&](double r) { return double(in(r)); }); };
  spec.radius = 2, spec.spread = 0.5;
  BOOST_TEST(std::abs(mean_of([](double r) { return r; }) - 2) < 0.005);
  BOOST_TEST(std::abs(share([](double r) { return r < 1.75; }) - 0.25) < 0.005);
  spec.distribution = "log-normal";
  BOOST_TEST(std::abs(mean_of([](double r) { return std::log(r); }) - std::log(2)) < 0.01);
  // One σ below the median.
  BOOST_TEST(std::abs(share([](double r) { return std::log(r / 2) < -0.5; }) - 0.158655) < 0.005);
  spec.smallest = 1.5, spec.largest = 3;
  BOOST_TEST(share([](double r) { return r < 1.5 || r > 3; }) == 0);
  spec.distribution = "power-law";
  spec.exponent = 3;  // P(r < x) = (1.5⁻² − x⁻²)/(1.5⁻² − 3⁻²)
  BOOST_TEST(std::abs(share([](double r) { return r < 2; }) - (1 / 2.25 - 0.25) / (1 / 2.25 - 1.0 / 9)) < 0.005);
  spec.distribution = "grades";
  spec.grade_radii = {1, 2, 4};
  spec.grade_shares = {5, 3, 2};
  BOOST_TEST(std::abs(share([](double r) { return r == 2; }) - 0.3) < 0.005);
  spec.grade_shares = {1};
  BOOST_CHECK_THROW(random_radius(spec, random, 3), AssemblyError);
  spec.uniformity = 100;  // by number next to no sphere is that large
  for (const char* distribution : {"log-normal-by-mass", "gamma"}) {
    spec.distribution = distribution;
    BOOST_CHECK_THROW(random_radius(spec, random, 3), AssemblyError);
  }
}

// Case C of the direct-shear reference, by mass: s = 0.34571, D10 = 0.2247 mm, D60 = 0.3820 mm, median 0.2445 mm.
BOOST_AUTO_TEST_CASE(grading_curve_by_mass) {
  SizeDistribution sand;
  sand.distribution = "log-normal-by-mass";
  sand.median_diameter = 0.35e-3;
  sand.uniformity = 1.7;
  BOOST_TEST(std::abs(log_normal_width(1.7) - 0.34571) < 0.5e-5);

  const auto phi = [](double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); };
  const auto quantile = [&](double share, double cut) {  // D over D50, ln D normal between ± cut
    double low = -cut, high = cut;
    for (int k = 0; k < 60; ++k) {
      const double z = 0.5 * (low + high);
      ((phi(z) - phi(-cut)) / (phi(cut) - phi(-cut)) < share ? low : high) = z;
    }
    return std::exp(log_normal_width(1.7) * low);
  };
  for (const int dimension : {2, 3})
    for (const double cut : {8.0, 3.0, 1.5}) {
      sand.cut = cut;
      geometry::Random random(7);
      std::vector<double> diameters(400000);
      for (double& d : diameters) d = 2 * random_radius(sand, random, dimension);
      std::ranges::sort(diameters);
      if (cut == 8 && dimension == 3) BOOST_TEST(std::abs(diameters[diameters.size() / 2] / 0.2445e-3 - 1) < 3e-3);
      const double s = log_normal_width(1.7);
      BOOST_TEST(diameters.front() >= 0.35e-3 * std::exp(-cut * s) * (1 - 1e-12));
      BOOST_TEST(diameters.back() <= 0.35e-3 * std::exp(cut * s) * (1 + 1e-12));
      double all = 0;
      for (const double d : diameters) all += std::pow(d, dimension);
      const auto at = [&](double share) {
        double sum = 0;
        for (const double d : diameters)
          if ((sum += std::pow(d, dimension)) >= share * all) return d;
        return diameters.back();
      };
      const double d10 = at(0.1), d50 = at(0.5), d60 = at(0.6), q10 = quantile(0.1, cut), q60 = quantile(0.6, cut);
      // The mass scatters like that of N e^(−p² s²) equal bodies: standard errors below 0.2 %, of C_u below 0.3 %.
      BOOST_TEST(std::abs(d10 / (0.35e-3 * q10) - 1) < 6e-3);
      BOOST_TEST(std::abs(d50 / 0.35e-3 - 1) < 6e-3);
      BOOST_TEST(std::abs(d60 / (0.35e-3 * q60) - 1) < 6e-3);
      BOOST_TEST(std::abs(d60 / d10 / (q60 / q10) - 1) < 9e-3);
      if (cut != 8) continue;
      BOOST_TEST(std::abs(d10 / 0.2247e-3 - 1) < 6e-3);
      BOOST_TEST(std::abs(d60 / 0.3820e-3 - 1) < 6e-3);
      BOOST_TEST(std::abs(d60 / d10 / 1.7 - 1) < 9e-3);
    }
  sand.uniformity = 1;
  geometry::Random random(7);
  BOOST_TEST(random_radius(sand, random, 3) == 0.175e-3);
}
