#include "libdem/laws/catalogue.hpp"

#include <array>

#include "libdem/laws/linear.hpp"
#include "libdem/laws/linear_refined.hpp"

namespace dem::laws {

namespace {

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
            Law::pass(options, block, reinterpret_cast<History*>(history));
          },
          [](const double* history, double stiffness, double out[2]) {
            Law::elongation(*reinterpret_cast<const History*>(history), stiffness, out);
          },
          transform, Law::sees_lost_contacts, start};
}

constexpr std::array laws{row<Linear>(), row<LinearRefined>()};

}  // namespace

std::span<const LawEntry> catalogue() { return laws; }

const LawEntry* find(std::string_view name) {
  for (const LawEntry& law : laws)
    if (law.name == name) return &law;
  return nullptr;
}

}  // namespace dem::laws
