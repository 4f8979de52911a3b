#include "libdem/pictures/svg_colour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dem {
namespace {

using Stops = std::array<std::uint32_t, 17>;
constexpr Stops viridis{0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d, 0x2c728e, 0x26828e, 0x21918c,
                        0x1fa088, 0x28ae80, 0x3fbc73, 0x5ec962, 0x84d44b, 0xaddc30, 0xd8e219, 0xfde725};
constexpr Stops cool_warm{0x3b4cc0, 0x4e68d8, 0x6282ea, 0x779af7, 0x8db0fe, 0xa3c2fe, 0xb9d0f9, 0xccd9ed, 0xdddcdc,
                          0xecd3c5, 0xf5c4ac, 0xf7b093, 0xf4987a, 0xeb7d62, 0xdd5f4b, 0xca3b37, 0xb40426};

}  // namespace

std::string map_colour(double x, bool diverging) {
  const Stops& stops = diverging ? cool_warm : viridis;
  const double position = std::clamp(x, 0.0, 1.0) * (stops.size() - 1);
  const std::size_t k = std::min(static_cast<std::size_t>(position), stops.size() - 2);
  const double t = position - static_cast<double>(k);
  std::uint32_t colour = 0;
  for (const int shift : {16, 8, 0}) {
    const double a = (stops[k] >> shift) & 255, b = (stops[k + 1] >> shift) & 255;
    colour |= static_cast<std::uint32_t>(std::lround(a + t * (b - a))) << shift;
  }
  return fmt::format("#{:06x}", colour);
}

double round_below(double x) {
  const double power = std::pow(10, std::floor(std::log10(x))), digit = x / power * (1 + 1e-12);
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

std::vector<double> round_ticks(double low, double high, int count) {
  std::vector<double> ticks;
  if (!(high > low) || !std::isfinite(high - low)) return ticks;
  const double step = round_below((high - low) / count * 1.5);
  const double tolerance = 1e-9 * step;
  for (double k = std::ceil((low - tolerance) / step); k * step <= high + tolerance; ++k)
    ticks.push_back(k == 0 ? 0.0 : k * step);
  return ticks;
}

std::string tick_text(double tick, double step) {
  const auto power = [](double x) { return std::floor(std::log10(std::abs(x))); };
  const double digits = tick != 0 && step != 0 ? std::clamp(1 + power(tick) - power(step), 4.0, 15.0) : 4;
  return fmt::format("{:.{}g}", tick, int(digits));
}

std::array<double, 2> round_range(double low, double high) {
  if (!(high > low)) {
    const double half = low == 0 ? 1 : std::abs(low) / 2;
    return {low - half, low + half};
  }
  const double step = round_below((high - low) / 4);
  return {std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step};
}

}  // namespace dem
