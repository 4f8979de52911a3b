#include "libdem/laws/catalogue.hpp"

#include <array>

#include "libdem/laws/hertz_history.hpp"
#include "libdem/laws/hertz_mindlin.hpp"
#include "libdem/laws/hooke_history.hpp"
#include "libdem/laws/jaeger.hpp"
#include "libdem/laws/linear.hpp"
#include "libdem/laws/linear_refined.hpp"

namespace dem::laws {

namespace {

using Pass = void (*)(const LawOptions&, Block&, double*);

// A pass exists for several instruction sets, the law inlined into each; a contact is worked out by the same operations in all of them.
template <class Law>
void pass_generic(const LawOptions& options, Block& block, double* history) {
  Law::pass(options, block, reinterpret_cast<typename Law::History*>(history));
}
#if defined(__x86_64__) && defined(__GNUC__)
template <class Law>
[[gnu::flatten, gnu::target("avx2")]] void pass_avx2(const LawOptions& options, Block& block, double* history) {
  Law::pass(options, block, reinterpret_cast<typename Law::History*>(history));
}
template <class Law>
[[gnu::flatten, gnu::target("avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512")]] void pass_avx512(const LawOptions& options, Block& block,
                                                                                                         double* history) {
  Law::pass(options, block, reinterpret_cast<typename Law::History*>(history));
}
template <class Law>
Pass fastest() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    return pass_avx512<Law>;
  return __builtin_cpu_supports("avx2") ? pass_avx2<Law> : pass_generic<Law>;
}
#else
template <class Law>
Pass fastest() {
  return pass_generic<Law>;
}
#endif

// What a law does not say of itself it is not.
template <class Law>
constexpr bool is_hertzian() {
  if constexpr (requires { Law::hertzian; }) return Law::hertzian;
  return false;
}
template <class Law>
constexpr bool tells_regime() {
  if constexpr (requires { Law::tells_regime; }) return Law::tells_regime;
  return false;
}
template <class Law>
constexpr bool has_potential() {
  if constexpr (requires { Law::has_potential; }) return Law::has_potential;
  return true;
}
template <class Law>
constexpr bool has_displacement_history() {
  if constexpr (requires { Law::has_displacement_history; }) return Law::has_displacement_history;
  return false;
}
template <class Law>
constexpr int legs_of() {
  if constexpr (requires { Law::legs; }) return Law::legs;
  return -1;
}

template <class Law>
constexpr int exact_legs_of() {
  if constexpr (requires { Law::exact_legs; }) return Law::exact_legs;
  return -1;
}

template <class Law>
constexpr LawEntry row() {
  using History = typename Law::History;
  static_assert(sizeof(History) % sizeof(double) == 0, "a history is stored as doubles");
  void (*transform)(double*, const double*) = nullptr;
  if constexpr (Law::history_is_one_vector)
    transform = [](double* h, const double* m) {
      const double a = h[0], b = h[1];
      h[0] = m[0] * a + m[1] * b;
      h[1] = m[2] * a + m[3] * b;
    };
  void (*start)(double*, const double*, double) = nullptr;
  if constexpr (requires(History h, const double* f) { Law::start(h, f, 1.0); })
    start = [](double* h, const double* force, double stiffness) { Law::start(*reinterpret_cast<History*>(h), force, stiffness); };
  return {Law::name, Law::description, int(sizeof(History) / sizeof(double)),
          [](const LawOptions& options, Block& block, double* history) {
            static const Pass pass = fastest<Law>();
            pass(options, block, history);
          },
          [](const double* history, [[maybe_unused]] const LegPool* pool, const ContactSprings& springs, double out[2]) {
            const History& h = *reinterpret_cast<const History*>(history);
            if constexpr (legs_of<Law>() >= 0) Law::elongation(h, *pool, springs, out);
            else Law::elongation(h, springs.stiffness, out);
          },
          transform, Law::sees_lost_contacts, start, is_hertzian<Law>(), legs_of<Law>(), exact_legs_of<Law>(), tells_regime<Law>(), has_potential<Law>(),
          has_displacement_history<Law>()};
}

constexpr std::array laws{row<Linear>(),       row<LinearRefined>(), row<Jaeger>(),      row<JaegerChecked>(),
                          row<HertzMindlin>(), row<HookeHistory>(), row<HertzHistory>()};

}  // namespace

std::span<const LawEntry> catalogue() { return laws; }

const LawEntry* find(std::string_view name) {
  for (const LawEntry& law : laws)
    if (law.name == name) return &law;
  return nullptr;
}

}  // namespace dem::laws
