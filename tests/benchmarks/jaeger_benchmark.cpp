// A step of the Jäger contact alone: many contacts with histories of a given mean length, in chunks of different size.
// README.md lists the comparisons.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "geometry/random.hpp"
#include "libdem/laws/hertz_mindlin.hpp"
#include "libdem/laws/jaeger.hpp"
#include "tests/benchmarks/counters.hpp"

namespace {

using namespace dem::laws;

template <class Round>
void time(benchmark::State& state, std::size_t contacts, Round round) {
  for (auto _ : state) round();
  state.counters["ns_per_contact"] = ns_for_each_of(contacts);
}

/// `contacts` on random walks: overlaps about 1 % of the radius, which vary by up to 5 % of that. `reach` is the
/// largest tangential movement of a step over the largest change of overlap. The smaller `reach` is, the longer
/// histories grow.
template <std::size_t legs_per_chunk>
void contact_step(benchmark::State& state) {
  using Pool = LegChunks<legs_per_chunk>;
  const auto contacts = std::size_t(state.range(0));
  const double reach = 1e-3 * double(state.range(1)), middle = 0.005, change = 1e-6;
  JaegerCoefficients c;
  c.modulus = Hertz::modulus_of(2.9e10, 0.2), c.ratio = Hertz::ratio_of(0.2), c.radius = 1e-3, c.friction = 0.5;
  dem::geometry::Random random(11);
  const auto up_to = [&](double a) { return a * (2 * random.uniform() - 1); };
  std::vector<JaegerHistory<Pool>> histories(contacts);
  std::vector<double> z(contacts, middle * c.radius);
  Pool pool;
  // Movements drawn before, so that their numbers cost nothing; small changes that come back to the middle.
  struct Movement {
    double dz, x, y;
  };
  std::vector<Movement> moves(4096);
  for (Movement& m : moves) m = {up_to(change), reach * up_to(change), reach * up_to(change)};
  std::size_t at = 0;
  const auto round = [&] {
    for (std::size_t k = 0; k < contacts; ++k, ++at) {
      const Movement& m = moves[at % moves.size()];
      z[k] += c.radius * (m.dz - 1e-4 * (z[k] / c.radius - middle));
      JaegerContact<Pool> contact(c, histories[k], pool);
      benchmark::DoNotOptimize(contact.step(z[k], {c.radius * m.x, c.radius * m.y}));
    }
    at += 7;  // another start in the list
  };
  for (int k = 0; k < 1500; ++k) round();
  time(state, contacts, round);
  double legs = 0;
  for (const auto& h : histories) legs += double(h.legs());
  state.counters["legs"] = legs / double(contacts);
  state.counters["bytes_per_leg"] = double(pool.bytes() + contacts * sizeof(histories[0])) / legs;
  state.counters["pool_bytes_per_leg"] = double(pool.used_bytes()) / legs;
}

/// The same walks through a law's pass, block by block, with energies or without. Runs without ledger and servo need
/// none.
template <class Law>
void law_pass(benchmark::State& state, const typename Law::Options& options) {
  constexpr std::size_t contacts = 80 * block_size;
  const StepFlags flags{.energies = state.range(0) != 0};
  const double middle = 0.005e-3, change = 1e-9;
  dem::geometry::Random random(11);
  std::vector<double> moves(3 * 4096), z(contacts, middle);
  for (double& m : moves) m = change * (2 * random.uniform() - 1);
  std::vector<typename Law::History> histories(contacts);
  LegPool pool;
  Block b{};
  b.legs = &pool;
  b.count = block_size;
  for (int c = 0; c < block_size; ++c) {
    b.lost[c] = 1, b.friction[c] = 0.5, b.radius[c] = 1e-3;
    b.modulus[c] = Hertz::modulus_of(2.9e10, 0.2), b.ratio[c] = Hertz::ratio_of(0.2);
  }
  std::size_t at = 0;
  const auto round = [&] {
    for (std::size_t k = 0; k < contacts; k += block_size) {
      for (std::size_t c = 0; c < block_size; ++c, ++at) {
        const double* m = &moves[3 * (at % 4096)];
        z[k + c] += m[0] - 1e-4 * (z[k + c] - middle);
        b.indentation[c] = z[k + c];
        b.shift_1[c] = 0.6 * m[1];
        b.shift_2[c] = 0.6 * m[2];
      }
      Law::pass(options, flags, b, &histories[k]);
      benchmark::DoNotOptimize(&b);
      benchmark::ClobberMemory();  // else the compiler leaves out what is never read
    }
    at += 7;
  };
  for (int k = 0; k < 500; ++k) round();
  time(state, contacts, round);
}

void jaeger_pass(benchmark::State& s, const Jaeger::Options& o) { law_pass<Jaeger>(s, o); }
void mindlin_pass(benchmark::State& s, const HertzMindlin::Options& o) { law_pass<HertzMindlin>(s, o); }

void rows(benchmark::internal::Benchmark* b) {
  for (const auto& [contacts, reach] : {std::pair{100, 1000}, {100, 300}, {100, 60}, {5000, 300}, {5000, 60}})
    b->Args({contacts, reach});
}

}  // namespace

BENCHMARK_TEMPLATE(contact_step, 1)->Apply(rows);
BENCHMARK_TEMPLATE(contact_step, 2)->Apply(rows);
BENCHMARK_TEMPLATE(contact_step, 5)->Apply(rows);
BENCHMARK_TEMPLATE(contact_step, 8)->Apply(rows);

BENCHMARK_CAPTURE(jaeger_pass, jaeger, Jaeger::Options{})->Arg(0)->Arg(1);
BENCHMARK_CAPTURE(jaeger_pass, jaeger_within_1_percent, Jaeger::Options{.merge_error = 0.01})->Arg(0)->Arg(1);
using enum dem::MindlinMemory;
BENCHMARK_CAPTURE(mindlin_pass, single_reversal, HertzMindlin::Options{single_reversal})->Arg(0)->Arg(1);
BENCHMARK_CAPTURE(mindlin_pass, turning_points, HertzMindlin::Options{turning_points})->Arg(0)->Arg(1);
BENCHMARK_CAPTURE(mindlin_pass, no_memory, HertzMindlin::Options{none})->Arg(0)->Arg(1);
