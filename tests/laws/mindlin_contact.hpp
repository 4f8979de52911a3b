// One contact of law hertz-mindlin, the exact one of law jaeger on the same path, and paths for them.
#pragma once
#include "libdem/laws/hertz_mindlin.hpp"
#include "tests/laws/jaeger_paths.hpp"

namespace mindlin_contact {

using namespace dem::laws;
using enum dem::MindlinMemory;
inline constexpr MindlinMemory memories[] = {none, single_reversal, turning_points};

using dem::laws::jaeger_paths::Draw;
inline JaegerCoefficients material(double poisson_ratio, double friction = 0.5) {  // G = 1
  return jaeger_paths::of_material(1, poisson_ratio, friction);
}

/// One contact by way of the law's columns, in the halves of the reference: ζ and Δξ.
struct Single {
  Single(const JaegerCoefficients& given, MindlinMemory memory) : m(given) { options.memory = memory; }
  /// `made`: the part of the step before it is in contact.
  void step(double z, double shift_1, double shift_2 = 0, double made = 0) {
    const double before = b.stored[0];
    b.count = 1;
    b.legs = &pool;
    b.made[0] = made;
    b.lost[0] = 1;
    b.shift_1[0] = 2 * shift_1, b.shift_2[0] = 2 * shift_2;
    b.modulus[0] = m.modulus, b.ratio[0] = m.ratio, b.radius[0] = m.radius, b.friction[0] = m.friction;
    b.indentation[0] = z;
    HertzMindlin::pass(options, flags, b, &h);
    work += b.work[0];
    dissipated += b.dissipated[0];
    circulation += b.work[0] - (b.stored[0] - before) - b.dissipated[0];
  }
  double limit() const { return m.friction * h.normal_force; }
  double size() const { return std::hypot(h.force_1, h.force_2); }
  StepRegime regime() const { return b.regime[0]; }

  JaegerCoefficients m;
  HertzMindlin::Options options;
  StepFlags flags;
  LegPool pool;
  HertzMindlin::History h;
  Block b{};
  double work = 0, dissipated = 0, circulation = 0;
};

using Exact = jaeger_paths::Single<>;

struct Both {
  Both(double poisson_ratio, MindlinMemory memory) : s(material(poisson_ratio), memory), exact{s.m} {}
  void step(double z, double shift_1, double shift_2 = 0) {
    s.step(z, shift_1, shift_2);
    exact.step(z, shift_1, shift_2);
  }
  double apart() const { return jaeger_paths::distance(s.h, exact.h) / s.limit(); }

  Single s;
  Exact exact;
};

/// A straight movement in equal parts; `after` is called after each part.
template <class Contact, class After = decltype([] {})>
void chord(Contact& contact, double from, double to, double shift_1, double shift_2, int parts, After after = {}) {
  for (int p = 1; p <= parts; ++p) {
    contact.step(p == parts ? to : from + (to - from) * p / parts, shift_1 / parts, shift_2 / parts);
    after();
  }
}

/// U2: ζ and Δξ of four straight steps along F_t = 4 (F_n − F_n0). Two are loading chords, and two unloading ones.
inline constexpr double loading_and_unloading[][2] = {{0.010418193080112775, 0.0027403851070898215},
                                                      {0.010828154043800968, 0.0036310891231878697},
                                                      {0.010085275021404837, -0.0048487929405154504},
                                                      {0.009313937519367467, -0.007003164172349242}};

/// T/(f N) at the four ends of the chords, each cut into `parts`.
template <class Contact>
std::vector<double> proportional(Contact contact, int parts) {
  std::vector<double> at;
  double from = 0.01;
  contact.step(from, 0);
  for (const auto& [z, shift] : loading_and_unloading) {
    chord(contact, from, z, shift, 0, parts);
    from = z;
    at.push_back(contact.h.force_1 / (0.5 * contact.h.normal_force));
  }
  return at;
}

/// T/(f N) in the sequence at constant normal force: ζ = 0.01.
template <class Contact>
std::vector<double> to_and_fro(Contact& contact, int parts) {
  std::vector<double> at;
  contact.step(0.01, 0);
  for (const double shift : {0.008, -0.005, -0.006, 0.007, -0.003, 0.004}) {
    chord(contact, 0.01, 0.01, shift, 0, parts);
    at.push_back(contact.h.force_1 / (0.5 * contact.h.normal_force));
  }
  return at;
}

struct Movement {
  double z, shift_1, shift_2;
};
/// Any steps: growing, falling and resting normal force, small and large shifts, now and then a separation.
inline std::vector<Movement> any_movements(int count, const JaegerCoefficients& m, double largest_shift = 3) {
  Draw draw;
  std::vector<Movement> all;
  double z = 0.01, turn = 0;
  for (int k = 0; k < count; ++k) {
    const int kind = draw.one_of(100);
    if (kind == 0)
      z = -0.001;
    else if (kind < 3)
      z = draw.log_between(1e-8, 0.02);
    else if (kind < 70)
      z = std::clamp(std::abs(z) * (1 + draw.between(-0.03, 0.03)), 1e-6, 0.03);
    z = kind == 0 ? z : std::abs(z);
    if (draw.one_of(4) == 0)
      turn = draw.between(-pi, pi);
    else if (draw.one_of(3) == 0)
      turn += pi;
    const double far =
        draw.one_of(10) == 0 ? 0 : draw.log_between(1e-4, largest_shift) * m.ratio * m.friction * std::abs(z);
    all.push_back({z, far * std::cos(turn), far * std::sin(turn)});
  }
  return all;
}

}  // namespace mindlin_contact
