// A run at one moment, as snapshots, ParaView files and pictures see it. Nothing is owned; nothing is changed.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/broad_phase.hpp"
#include "libdem/state/bodies.hpp"
#include "libdem/state/contact_record.hpp"
#include "libdem/state/tensor.hpp"

namespace dem {

struct AssemblyView {
  const Bodies& bodies;
  std::span<const Shape> shapes;        ///< bodies.shape points into it
  std::span<const std::string> groups;  ///< bodies.group points into it
  std::span<const ContactRecord> contacts;
  geometry::Cell cell;
  Vec3 cell_origin;      ///< m
  double time_step = 0;  ///< Δt (s): velocities are position[1] / Δt
  std::uint64_t step = 0;
  double time = 0;    ///< s
  double strain = 0;  ///< γ, dimensionless
  int dimension = 2;  ///< 3: spheres and clusters
};

/// What a run was made from; stored in every snapshot.
struct RunDescription {
  std::string title;
  std::string program_version, compiler, flags;
  std::uint64_t seed = 0;
  std::string case_text;                   ///< the resolved case, TOML
  std::uint64_t fingerprint = 0;           ///< case_fingerprint
  std::vector<std::uint64_t> file_sums{};  ///< sums_of_files
  std::vector<std::string> changes{};      ///< of the case, and of what was lost, before this moment; a sentence each
};
/// Version, compiler and flags of this build; the rest empty.
RunDescription this_build();

inline Vec3 velocity(const AssemblyView& v, std::size_t i) {
  return v.time_step > 0 ? (1 / v.time_step) * v.bodies.position[1][i] : Vec3{};
}
inline Vec3 angular_velocity(const AssemblyView& v, std::size_t i) {
  return v.time_step > 0 ? (1 / v.time_step) * v.bodies.rotation[1][i] : Vec3{};
}
/// From principal axes to space; of a sphere, whose turn is not kept, none.
inline Quaternion orientation(const AssemblyView& v, std::size_t i) {
  return v.bodies.has_orientations() ? v.bodies.orientation[0][i] : Quaternion{};
}
inline double spin(const AssemblyView& v, std::size_t i) {
  return v.time_step > 0 ? v.bodies.rotation[1][i].z / v.time_step : 0;
}
/// The polygon's outline where it stands (m); discs: 32 points on the circle; half planes and spheres: empty.
std::vector<Vec2> placed_outline(const AssemblyView&, std::size_t body);
/// Contacts of each body.
std::vector<std::uint32_t> coordination(const AssemblyView&);

/// A component sphere where it stands (m).
struct PlacedSphere {
  Vec3 centre;
  double radius = 0;
  std::size_t body = 0;
};
/// All spheres of an assembly in space, of a body one after the other.
std::vector<PlacedSphere> placed_spheres(const AssemblyView&);

/// Mean stress in a body from its contact forces, (1/A) Σ (x_c − R) ⊗ f_c, tension positive, N/m; in space over the
/// volume, Pa (Love–Weber, one body).
std::vector<Tensor3> body_stresses(const AssemblyView&);

/// A scalar a body, to colour by.
struct BodyScalar {
  std::vector<double> values;  ///< NaN: no value, drawn grey
  std::string label, unit;
  bool signed_values = false;  ///< true: diverging colours about zero
};
/// `what`: rotation (degrees), speed, spin, coordination, stress (mean pressure, compression positive). In space
/// rotation and spin are lengths of vectors: of the sum of the rotation vectors of all steps, and of the angular
/// velocity. Throws std::invalid_argument naming the allowed words.
BodyScalar body_scalar(const AssemblyView&, std::string_view what);

}  // namespace dem
