// A run at one moment, as snapshots, ParaView files and pictures see it. Nothing is owned; nothing is changed.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/broad_phase.hpp"
#include "libdem/state/bodies.hpp"
#include "libdem/state/contact_record.hpp"

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
};

/// What a run was made from; stored in every snapshot.
struct RunDescription {
  std::string title;
  std::string program_version, compiler, flags;
  std::uint64_t seed = 0;
  std::string case_text;  ///< the resolved case, TOML
};
/// Version, compiler and flags of this build; the rest empty.
RunDescription this_build();

inline Vec2 velocity(const AssemblyView& v, std::size_t i) {
  return v.time_step > 0 ? (1 / v.time_step) * planar(v.bodies.position[1][i]) : Vec2{};
}
inline double spin(const AssemblyView& v, std::size_t i) {
  return v.time_step > 0 ? v.bodies.rotation[1][i].z / v.time_step : 0;
}
/// The polygon's outline where it stands (m); discs: 32 points on the circle; half planes: empty.
std::vector<Vec2> placed_outline(const AssemblyView&, std::size_t body);
/// Contacts of each body.
std::vector<std::uint32_t> coordination(const AssemblyView&);

/// Mean stress in a body from its contact forces, (1/A) Σ (x_c − R) ⊗ f_c, tension positive, N/m (Love–Weber, one
/// body).
struct BodyStress {
  double xx = 0, xy = 0, yx = 0, yy = 0;
};
std::vector<BodyStress> body_stresses(const AssemblyView&);

/// A scalar a body, to colour by.
struct BodyScalar {
  std::vector<double> values;  ///< NaN: no value, drawn grey
  std::string label, unit;
  bool signed_values = false;  ///< true: diverging colours about zero
};
/// `what`: rotation (degrees), speed, spin, coordination, stress (mean pressure, compression positive).
/// Throws std::invalid_argument naming the allowed words.
BodyScalar body_scalar(const AssemblyView&, std::string_view what);

}  // namespace dem
