// Events of series and the fits to them, on series and samples of which the answer is known.
#include "libdem/measure/avalanches.hpp"

#include "geometry/random.hpp"
#include "libdem/measure/power_law.hpp"
#include "prelude.hpp"

using geometry::Random;

namespace {

/// `inverse` of random numbers in [0, 1).
template <class Inverse>
std::vector<double> sample(std::size_t count, std::uint64_t seed, Inverse inverse) {
  Random random(seed);
  std::vector<double> x(count);
  for (double& value : x) value = inverse(1 - random.uniform());
  return x;
}
std::vector<double> power_law_sample(double exponent, double lower, std::size_t count, std::uint64_t seed) {
  return sample(count, seed, [=](double u) { return lower * std::pow(u, -1 / (exponent - 1)); });
}
std::vector<double> exponential_sample(double mean, double lower, std::size_t count, std::uint64_t seed) {
  return sample(count, seed, [=](double u) { return lower - mean * std::log(u); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(exponent_of_a_power_law_within_its_interval) {
  for (const double exponent : {1.6, 2.0, 3.0}) {
    int inside = 0, accepted = 0, favoured = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const PowerLawFit fit =
          fit_power_law(power_law_sample(exponent, 0.01, 400, seed), {.lower = 0.01, .samples = 100});
      BOOST_TEST(fit.count == 400u);
      BOOST_TEST(std::abs(fit.standard_error - (fit.exponent - 1) / 20) < 1e-15);
      inside += fit.low <= exponent && exponent <= fit.high;
      accepted += fit.goodness >= 0.1;
      favoured += fit.against_exponential > 0 && fit.against_exponential_chance < 0.05;
    }
    // Expected 38 of 40; fewer than 33 has a chance below 1 %.
    BOOST_TEST(inside >= 33);
    BOOST_TEST(accepted >= 30);
    BOOST_TEST(favoured >= (exponent <= 2 ? 40 : 30));  // the steeper, the more alike
  }
}

BOOST_AUTO_TEST_CASE(lower_end_of_a_power_law_is_found) {
  // Uniform below 1, power law above.
  int inside = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::vector<double> sizes = power_law_sample(2.2, 1, 800, seed);
    Random random(seed + 100);
    for (int k = 0; k < 800; ++k) sizes.push_back(0.05 + 0.95 * random.uniform());
    const PowerLawFit fit = fit_power_law(sizes);
    BOOST_TEST(fit.lower > 0.8);
    BOOST_TEST(fit.lower < 2.5);
    inside += fit.low <= 2.2 && 2.2 <= fit.high;
  }
  BOOST_TEST(inside >= 8);
}

BOOST_AUTO_TEST_CASE(an_exponential_is_told_from_a_power_law) {
  const PowerLawFit fit = fit_power_law(exponential_sample(1, 1, 500, 7), {.lower = 1});
  BOOST_TEST(fit.against_exponential < 0);
  BOOST_TEST(fit.against_exponential_chance < 0.01);
  BOOST_TEST(fit.goodness < 0.1);
}

BOOST_AUTO_TEST_CASE(refused_samples_of_power_laws) {
  BOOST_CHECK_THROW(fit_power_law(std::vector<double>{1, -1}), std::invalid_argument);
  BOOST_CHECK_THROW(fit_power_law(power_law_sample(2, 1, 49, 1)), std::invalid_argument);
  for (const double size : {1.0, 7.0, 1e-3, 2.5})  // sums of logarithms with and without round-off
    BOOST_CHECK_THROW(fit_power_law(std::vector<double>(100, size)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(cutoff_power_law) {
  // By rejection from the pure power law.
  const double exponent = 1.5, lower = 0.01, scale = 0.2;
  const auto cut_off = [=](std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> x;
    while (x.size() < count) {
      const double value = lower * std::pow(1 - random.uniform(), -1 / (exponent - 1));
      if (random.uniform() < std::exp(-(value - lower) / scale)) x.push_back(value);
    }
    return x;
  };
  int inside = 0, accepted = 0, scales = 0, told = 0;
  PowerLawChoice choice{.lower = 0.01, .samples = 60};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const CutoffPowerLawFit fit = fit_cutoff_power_law(cut_off(500, seed), choice);
    inside += std::abs(fit.exponent - 1.5) < 1.96 * fit.standard_error;
    scales += fit.scale > 0.1 && fit.scale < 0.4;
    accepted += fit.goodness >= 0.1;
    told += fit.exponential_chance < 0.01;
  }
  BOOST_TEST((inside >= 16 && scales >= 18 && accepted >= 15 && told == 20),  // 19 inside are expected
             inside << ", " << scales << ", " << accepted << ", " << told);
  // An exponential is one: α = 0 within its error, no reason to reject it.
  const CutoffPowerLawFit exponential = fit_cutoff_power_law(exponential_sample(0.2, 0.01, 800, 3), choice);
  BOOST_TEST(std::abs(exponential.exponent) < 2.6 * exponential.standard_error);
  BOOST_TEST(exponential.exponential_chance > 0.01);
  // Lower end found: uniform sizes below 0.01.
  std::vector<double> sizes = cut_off(800, 5);
  Random random(6);
  for (int k = 0; k < 300; ++k) sizes.push_back(0.01 * random.uniform());
  choice.lower.reset();
  const CutoffPowerLawFit found = fit_cutoff_power_law(sizes, choice);
  BOOST_TEST((found.lower > 0.005 && found.low < 1.5 && found.high > 1.5));
  std::vector<double> twins;
  for (int k = 0; k < 200; ++k)
    twins.push_back(0.02 * (1 + 0.1 * random.uniform())), twins.push_back(1 + 0.1 * random.uniform());
  choice.lower = 0.01;
  BOOST_TEST(fit_cutoff_power_law(twins, choice).goodness < 0.05);
}

BOOST_AUTO_TEST_CASE(cutoff_power_law_of_sizes_near_the_lower_end) {
  // At the largest likelihood the means of x and ln x are those of the sample. Here by a fine sum over the law.
  for (const double scale : {0.1, 1.0, 4.0}) {
    const std::vector<double> sizes = exponential_sample(scale, 10, 2000, 3);
    const CutoffPowerLawFit fit = fit_cutoff_power_law(sizes, {.lower = 10, .samples = 1});
    const auto means = [&](const auto& each) {
      double weights = 0, x_sum = 0, log_sum = 0;
      each([&](double x, double weight) {
        weights += weight, x_sum += weight * (x - fit.lower), log_sum += weight * std::log(x / fit.lower);
      });
      return std::pair{x_sum / weights, log_sum / weights};
    };
    const auto sample = means([&](const auto& add) {
      for (const double x : sizes) add(x, 1.0);
    });
    const auto law = means([&](const auto& add) {
      const double h = 1e-4 * scale;
      for (int k = 0; k < 300000; ++k) {
        const double x = fit.lower + (k + 0.5) * h;
        add(x, std::exp(-fit.exponent * std::log(x / fit.lower) - (x - fit.lower) / fit.scale));
      }
    });
    // The fit sums over 400 cells, whose error is below 1e-3 of the means. With the former grid it was far larger.
    BOOST_TEST(law.first == sample.first, tolerance(1e-3));
    BOOST_TEST(law.second == sample.second, tolerance(1e-3));
  }
}

BOOST_AUTO_TEST_CASE(aftershocks_are_counted_until_the_next_main_event) {
  const std::vector<double> times{1, 2, 3, 10, 11, 18}, sizes{1, 9, 1, 9, 1, 1};
  AftershockRate rate;
  rate.edges = {0.5, 2, 4, 16};
  add_aftershocks(rate, times, times, sizes, 5, 0, 20);
  BOOST_TEST(rate.mains == 2u);
  BOOST_TEST((rate.count == std::vector<double>{2, 0, 1}));
  // The first main event is followed for 8, the second for 10.
  BOOST_TEST((rate.exposure == std::vector<double>{3, 4, 4 + 6}));
  BOOST_TEST(rate.background() == 4.0 / 20);
}

BOOST_AUTO_TEST_CASE(decay_of_aftershocks_within_its_interval) {
  // Events after a main one with rate K t^−p between 0.1 and 100, one main event every 1000.
  for (const double p : {0.0, 0.7, 1.3}) {
    int inside = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random random(seed);
      std::vector<double> times, sizes;
      const auto primitive = [&](double t) { return p == 1 ? std::log(t) : std::pow(t, 1 - p) / (1 - p); };
      const auto inverse = [&](double q) { return std::pow(q * (1 - p), 1 / (1 - p)); };
      const double total = primitive(100) - primitive(0.1);
      for (int main = 0; main < 40; ++main) {
        times.push_back(1000.0 * main), sizes.push_back(10);
        double q = 0;  // Poisson process with six events on average
        while ((q -= std::log(1 - random.uniform()) / 6) < 1)
          times.push_back(1000.0 * main + inverse(primitive(0.1) + q * total)), sizes.push_back(1);
      }
      AftershockRate rate;
      for (int k = 0; k <= 12; ++k) rate.edges.push_back(0.1 * std::pow(10, 3.0 * k / 12));
      add_aftershocks(rate, times, times, sizes, 5, 0, 40000);
      const auto fit = fit_decay(rate);
      BOOST_TEST_REQUIRE(fit.has_value());
      inside += fit->low <= p && p <= fit->high;
    }
    BOOST_TEST(inside >= 16);  // of 20, 19 expected
  }
  const AftershockRate few{.edges = {1, 2, 4}, .count = {5, 4}, .exposure = {10, 10}};
  BOOST_TEST(!fit_decay(few).has_value());
}
