// T4 of the direct-shear reference: a contact that holds its force while the normal turns from z towards x (axis y) or
// y (axis x), without slip.
#pragma once
#include <cmath>
#include <numbers>

#include "libdem/contacts/one_contact.hpp"

namespace dem::validation::fleischmann2015 {

/// The elongation at the end (m). By 90° in `steps` equal steps, law hooke-history, k_t 1000 N/m. `axis`: {1, 0, 0} or
/// {0, 1, 0}.
inline Vec3 turn_normal(int steps, Vec3 start, Vec3 axis, Transport transport) {
  ContactDrive drive;
  drive.law = "hooke-history";
  drive.friction = 1e3;
  drive.normal_stiffness = drive.tangential_stiffness = 1000;
  drive.transport = transport;
  drive.global = true;
  drive.start_overlap = 1e-5;
  drive.start_force = drive.tangential_stiffness * start;
  for (int k = 1; k <= steps; ++k) {
    const double angle = 0.5 * std::numbers::pi * k / steps;
    DriveRow row;
    row.overlap = drive.start_overlap;
    row.normal = std::cos(angle) * Vec3{0, 0, 1} + std::sin(angle) * cross(axis, Vec3{0, 0, 1});
    drive.rows.push_back(row);
  }
  return (1 / drive.tangential_stiffness) * drive_contact(drive).back().tangential;
}

}  // namespace dem::validation::fleischmann2015
