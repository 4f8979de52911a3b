// Files of `dem contact`: a drive (TOML), its path (CSV) and the states along it (CSV).
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "libdem/contacts/one_contact.hpp"

namespace dem {

/// Reads a drive. Its keys are `law`, those of [parameters] (contact_parameters.hpp), and those of [path]: `file`
/// (relative to the TOML file), `frame` ("contact" or "global"), `time_step`, `start_overlap`, `start_force`,
/// `start_normal`. The path has these columns in any order. '#' starts a comment line.
///   contact: overlap, shift_1, shift_2.
///   global:  overlap, normal_x … z, shift_x … z, rotation_i_x … z, rotation_j_x … z.
/// Throws CaseErrors with all errors, and FileError for a file that cannot be read.
ContactDrive read_contact_drive(const std::filesystem::path&);
/// The same for a drive in memory, whose [path] names no file. `name` is the file in errors. `numbers` has the columns
/// above in this order, row by row. It holds one or more paths of `rows_in_path` rows, and the drive gets all of them.
/// An error names its row as "path[row]", and as "path[path, row]" with more paths.
ContactDrive parse_contact_drive(std::string_view text, const std::string& name, std::span<const double> numbers,
                                 std::size_t rows_in_path);

/// Header, row 0 with the start state, then one row per step, with 17 significant digits.
std::string contact_drive_table(const ContactDrive&, const std::vector<DriveState>&);

/// Tractions over the contact circle in the given rows of the table above, as CSV. The columns are step, radius (m),
/// pressure σ (Pa), and shear τ on i (Pa) in the frame of the drive. Lines go from the centre outwards. A row without
/// contact has no lines. For law jaeger. Throws CaseErrors for another law and for missing rows.
std::string traction_table(const ContactDrive&, const std::vector<DriveState>&, std::span<const std::size_t> rows);

}  // namespace dem
