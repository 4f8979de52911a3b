// Files of `dem contact`: a drive (TOML), its path (CSV), the states along it (CSV).
#pragma once
#include <filesystem>
#include <span>
#include <string>

#include "libdem/contacts/one_contact.hpp"

namespace dem {

/// Reads a drive. Its keys are `law`, those of [parameters] (contact_parameters.hpp), and those of [path]: `file`
/// (relative to the TOML file), `frame` ("contact" or "global"), `time_step`, `start_overlap`, `start_force`,
/// `start_normal`. Columns of the path, in any order, where '#' starts a comment line:
///   contact: overlap, shift_1, shift_2
///   global:  overlap, normal_x … z, shift_x … z, rotation_i_x … z, rotation_j_x … z
/// Throws CaseErrors with everything that is wrong, and FileError for a file that cannot be read.
ContactDrive read_contact_drive(const std::filesystem::path&);

/// Header, row 0 with the start state, a row a step; 17 significant digits.
std::string contact_drive_table(const ContactDrive&, const std::vector<DriveState>&);

/// Tractions over the contact circle in the given rows of the table above, as CSV. Columns: step, radius (m), pressure
/// σ (Pa), shear τ on i (Pa) in the frame of the drive. Rows go from the centre outwards; one without contact has none.
/// Law jaeger. Throws CaseErrors for another law and for rows that are not there.
std::string traction_table(const ContactDrive&, const std::vector<DriveState>&, std::span<const std::size_t> rows);

}  // namespace dem
