// What `dem contact` reads and prints: a drive (TOML), its path (CSV), the states along it (CSV).
#pragma once
#include <filesystem>
#include <span>
#include <string>

#include "libdem/contacts/one_contact.hpp"

namespace dem {

/// Keys: law; [parameters] of the law (contact_parameters.hpp); [path] with file (relative to the TOML), frame
/// ("contact" | "global"), and optionally time_step, start_overlap, start_force, start_normal (required with frame =
/// "global"). Columns of the path:
///   contact: overlap, shift_1, shift_2
///   global:  overlap, normal_x … z, shift_x … z, rotation_i_x … z, rotation_j_x … z
/// in any order; '#' starts a comment line. Throws CaseErrors with everything that is wrong, FileError for a file that
/// cannot be read.
ContactDrive read_contact_drive(const std::filesystem::path&);

/// Header, row 0 with the start state, a row a step; 17 significant digits.
std::string contact_drive_table(const ContactDrive&, const std::vector<DriveState>&);

/// Tractions over the contact circle in the given rows of the table above, as CSV: step, radius (m), pressure σ (Pa),
/// shear τ on i (Pa) in the frame of the drive, from the centre outwards; a row without contact has none. Law jaeger.
/// Throws CaseErrors for another law and for rows that are not there.
std::string traction_table(const ContactDrive&, const std::vector<DriveState>&, std::span<const std::size_t> rows);

}  // namespace dem
