// The path of a driven contact: a CSV file with one row per step. contact_drive_file.hpp lists its columns.
#pragma once
#include <filesystem>
#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "libdem/contacts/one_contact.hpp"

namespace dem::contact_path {

inline constexpr double largest_shift = 1e4;                      // m; no grains move so far in contact
inline constexpr double largest_rotation = 2 * std::numbers::pi;  // rad
// Tolerance of unit vectors and of tangency, because files give decimals.
inline constexpr double unit_tolerance = 1e-6;

/// Appends the rows to those of the drive, and errors to `errors`.
void read_rows(const std::filesystem::path&, ContactDrive&, std::vector<std::string>& errors);
/// The same for rows of numbers, in the order of the columns. A path has `rows_in_path` of them, and the next path
/// begins at the start again. `place` names a row in an error.
void add_rows(std::span<const double> numbers, std::size_t rows_in_path,
              const std::function<std::string(std::size_t row)>& place, ContactDrive&,
              std::vector<std::string>& errors);

}  // namespace dem::contact_path
