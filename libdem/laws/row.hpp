// Makes the catalogue row of a law from its header. A law is a struct with these members:
//
//   `static constexpr const char *name, *description;`   and, for dem help, `*example`.
//   `static constexpr Traits traits;`                    only what differs from Traits{}.
//   `struct Options, static std::vector<Key> keys();`    an option is a member and a key; neither is needed.
//   `struct History;`                                    doubles with names, all zero where a contact begins.
//   `static void pass(const Options&, const StepFlags&, Block&, History*);`
//   `static void elongation(const History&, const ContactSprings&, double out[2]);`   (with legs: LegPool).
// These are optional (LawEntry explains each):
//   `static double tangent(const Options&, const ContactSprings&);`
//   `static void start(History&, const double force_on_i[2], double tangent);`
//   `static void check(const Options&, const Setting&, const Refuse&);`
//   `static std::string_view why_spring(const Options&);`
#pragma once
#include <concepts>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "libdem/laws/catalogue.hpp"

namespace dem::laws {

/// Options of a law without any.
struct NoOptions {};

namespace of_row {

template <class Law>
auto options_of() {
  if constexpr (requires { typename Law::Options; })
    return std::type_identity<typename Law::Options>{};
  else
    return std::type_identity<NoOptions>{};
}
template <class Law>
using Options = typename decltype(options_of<Law>())::type;

using Pass = void (*)(const void*, const StepFlags&, Block&, double*);

// A pass exists for several instruction sets, the law inlined into each. All compute a contact by the same operations.
template <class Law>
void pass_generic(const void* options, const StepFlags& flags, Block& block, double* history) {
  Law::pass(*static_cast<const Options<Law>*>(options), flags, block,
            reinterpret_cast<typename Law::History*>(history));
}
#if defined(__x86_64__) && defined(__GNUC__)
template <class Law>
[[gnu::flatten, gnu::target("avx2")]] void pass_avx2(const void* options, const StepFlags& flags, Block& block,
                                                     double* history) {
  pass_generic<Law>(options, flags, block, history);
}
template <class Law>
[[gnu::flatten, gnu::target("avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512")]] void pass_avx512(
    const void* options, const StepFlags& flags, Block& block, double* history) {
  pass_generic<Law>(options, flags, block, history);
}
template <class Law>
Pass fastest() {
  // As in geometry/instructions.hpp, which no law includes.
  const char* const named = std::getenv("LIBDEM_INSTRUCTIONS");
  const auto most = [named](const char* set) { return named && std::strcmp(named, set) == 0; };
  if (!most("generic") && !most("avx2") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    return pass_avx512<Law>;
  return !most("generic") && __builtin_cpu_supports("avx2") ? pass_avx2<Law> : pass_generic<Law>;
}
#else
template <class Law>
Pass fastest() {
  return pass_generic<Law>;
}
#endif

template <class Law>
void elongation(const double* history, [[maybe_unused]] const LegPool* pool, const ContactSprings& springs,
                double out[2]) {
  const auto& h = *reinterpret_cast<const typename Law::History*>(history);
  if constexpr (Law::traits.legs >= 0)
    Law::elongation(h, *pool, springs, out);
  else
    Law::elongation(h, springs, out);
}
template <class Law>
double tangent(const void* options, const ContactSprings& springs) {
  if constexpr (requires(const Options<Law>& o) { Law::tangent(o, springs); })
    return Law::tangent(*static_cast<const Options<Law>*>(options), springs);
  return Law::traits.hertzian ? springs.normal / springs.ratio : springs.stiffness;
}
template <class Law>
double along_normal(const void* options, double held, const ContactSprings& springs) {
  alignas(typename Law::History) double history[sizeof(typename Law::History) / sizeof(double)] = {held};
  double out[2];
  elongation<Law>(history, nullptr, springs, out);
  return tangent<Law>(options, springs) * out[0];
}

}  // namespace of_row

template <class Law>
LawEntry row() {
  using Options = of_row::Options<Law>;
  using History = typename Law::History;
  static_assert(sizeof(History) % sizeof(double) == 0, "a history is stored as doubles");
  static_assert(std::is_trivially_copyable_v<History> && std::is_trivially_copyable_v<Options>,
                "histories and options are copied as bytes");
  static_assert(sizeof(Options) <= LawChoice::most_bytes && alignof(Options) <= alignof(std::max_align_t),
                "the options of a law are few");
  LawEntry entry{};
  static_cast<Traits&>(entry) = Law::traits;
  entry.name = Law::name;
  entry.description = Law::description;
  if constexpr (requires { Law::example; }) entry.example = Law::example;
  if constexpr (requires { Law::keys(); }) entry.keys = Law::keys();
  const Options fresh{};
  std::memcpy(entry.defaults.data(), &fresh, sizeof fresh);
  entry.options_mark = &mark_of<Options>;
  entry.history_size = int(sizeof(History) / sizeof(double));
  entry.pass = of_row::fastest<Law>();
  entry.elongation = of_row::elongation<Law>;
  entry.tangent = of_row::tangent<Law>;
  if constexpr (Law::traits.history_is_one_vector) {
    entry.transform = [](double* h, const double* m) {
      const double a = h[0], b = h[1];
      h[0] = m[0] * a + m[1] * b;
      h[1] = m[2] * a + m[3] * b;
    };
    if constexpr (!Law::traits.hertzian) entry.along_normal = of_row::along_normal<Law>;
  }
  if constexpr (requires(History h, const double* f) { Law::start(h, f, 1.0); })
    entry.start = [](double* h, const double* force, double tangent) {
      Law::start(*reinterpret_cast<History*>(h), force, tangent);
    };
  entry.check = [](const void* options, const Setting& setting, const Refuse& refuse) {
    if constexpr (requires(const Options& o) { Law::check(o, setting, refuse); })
      Law::check(*static_cast<const Options*>(options), setting, refuse);
  };
  entry.why_spring = [](const void* options) -> std::string_view {
    if constexpr (requires(const Options& o) { Law::why_spring(o); })
      return Law::why_spring(*static_cast<const Options*>(options));
    return {};
  };
  if constexpr (requires(Options o) {
                  { o.history } -> std::same_as<TangentialHistory&>;
                })
    entry.history = [](void* options) { return &static_cast<Options*>(options)->history; };
  return entry;
}

}  // namespace dem::laws
