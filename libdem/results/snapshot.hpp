// Snapshots: bodies at one moment, with or without contacts, one self-describing HDF5 file each.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "libdem/state/view.hpp"

namespace dem {

void write_snapshot(const std::filesystem::path&, const AssemblyView&, const RunDescription&, bool contacts = true);

/// A snapshot as read back.
struct Snapshot {
  RunDescription run;
  std::uint64_t step = 0;
  double time = 0, strain = 0, time_step = 0;
  geometry::Cell cell;
  Vec3 cell_origin;
  std::vector<Vec3> position, velocity, force;
  std::vector<double> angle, spin, torque, mass, moment;
  std::vector<double> radius;  ///< equivalent (m); empty in files of earlier versions
  std::vector<std::uint8_t> freedom;
  std::vector<std::uint32_t> shape;
  std::vector<std::uint16_t> group;
  std::vector<std::string> name, groups;
  std::vector<geometry::Outline> outlines;  ///< of the shapes, in the body frame; empty for discs
  std::vector<double> shape_radius;         ///< of the shapes; 0 for polygons
  bool has_contacts = false;                ///< true if written with contacts, even if there were none
  std::vector<ContactRecord> contacts;
  int dimension = 2;
  // In space.
  std::vector<Vec3> angular_velocity, torques;
  std::vector<Quaternion> orientation;                    ///< from principal axes; spheres have none
  std::vector<std::vector<ClusterSphere>> shape_spheres;  ///< of the shapes, in principal axes about the centroid
};
/// Throws FileError if the file is missing, truncated, damaged or of another format.
Snapshot read_snapshot(const std::filesystem::path&);

}  // namespace dem
