// The path of a driven contact: a CSV file, a row a step. contact_drive_file.hpp says its columns.
#pragma once
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include "libdem/contacts/one_contact.hpp"

namespace dem::contact_path {

inline constexpr double largest_shift = 1e4;  // m: no grains are so large that they move so far in contact
inline constexpr double largest_rotation = 2 * std::numbers::pi;  // rad
inline constexpr double unit_tolerance = 1e-6;  // of a unit vector and of tangency, which files give in decimals

/// Appends the rows to those of the drive, and what is wrong with them to `errors`.
void read_rows(const std::filesystem::path&, ContactDrive&, std::vector<std::string>& errors);

}  // namespace dem::contact_path
