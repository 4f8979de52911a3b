// Colour maps and round numbers for the scale beside a picture.
#pragma once
#include <array>
#include <string>
#include <vector>

namespace dem {

/// Colour of x in [0, 1] (clamped) as #rrggbb. Sequential: viridis (van der Walt and Smith; perceptually uniform).
/// Diverging: cool-warm (Moreland, ISVC 2009), grey at 0.5.
std::string map_colour(double x, bool diverging);

/// Round numbers (1, 2 or 5 times a power of ten apart) in [low, high], about `count` of them.
std::vector<double> round_ticks(double low, double high, int count = 5);

/// The number at a tick, four digits or as many as tell it from the next tick, `step` away.
std::string tick_text(double tick, double step);

/// The smallest range with round ends that includes [low, high]; never empty.
std::array<double, 2> round_range(double low, double high);

/// The largest 1, 2 or 5 times a power of ten that is ≤ x, x > 0.
double round_below(double x);

}  // namespace dem
