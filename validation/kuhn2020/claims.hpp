// Small tools that the studies of Kuhn, Suzuki and Daouadji share for their claims.
#pragma once
#include <string>
#include <string_view>

#include "validation/study.hpp"

namespace dem::validation::kuhn2020 {

inline ClaimVerdict verdict(bool holds) { return holds ? ClaimVerdict::agrees : ClaimVerdict::differs; }

/// Half a unit of the last printed digit of a number such as "1.23e-3" or "-84.2799475412".
double half_unit(std::string_view printed);
/// The value rounds to the printed number.
bool agrees_with_print(std::string_view printed, double value);

/// Least-squares slope of ln y over ln x.
double log_slope(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace dem::validation::kuhn2020
