#include "libdem/laws/catalogue.hpp"

#include <array>

#include "libdem/laws/linear.hpp"

namespace dem::laws {

namespace {

template <class Law>
constexpr LawEntry row() {
  using History = typename Law::History;
  static_assert(sizeof(History) % sizeof(double) == 0, "a history is stored as doubles");
  return {Law::name, Law::description, int(sizeof(History) / sizeof(double)),
          [](const LawOptions& options, Block& block, double* history) {
            Law::pass(options, block, reinterpret_cast<History*>(history));
          },
          [](const double* history, double out[2]) { Law::elongation(*reinterpret_cast<const History*>(history), out); }};
}

constexpr std::array laws{row<Linear>()};

}  // namespace

std::span<const LawEntry> catalogue() { return laws; }

const LawEntry* find(std::string_view name) {
  for (const LawEntry& law : laws)
    if (law.name == name) return &law;
  return nullptr;
}

}  // namespace dem::laws
