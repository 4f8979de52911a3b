// A run at one moment, as snapshots, ParaView files and pictures see it. The view owns and changes nothing.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "libdem/state/contact_record.hpp"
#include "libdem/state/state.hpp"
#include "libdem/state/tensor.hpp"

namespace dem {

struct AssemblyView {
  const State& state;
  std::span<const ContactRecord> contacts;
  double strain = 0;  ///< γ, dimensionless
};

/// The origin of a run, stored in every snapshot.
struct RunDescription {
  std::string title;
  std::string program_version, compiler, flags;
  std::uint64_t seed = 0;
  std::string case_text;                   ///< the resolved case, TOML
  std::uint64_t fingerprint = 0;           ///< case_fingerprint
  std::vector<std::uint64_t> file_sums{};  ///< sums_of_files
  std::vector<std::string> changes{};      ///< one sentence per change of the case and per loss so far
};
/// Version, compiler and flags of this build. The rest is empty.
RunDescription this_build();

/// Rotation from principal axes to space. The identity for spheres, whose rotation is not kept.
inline Quaternion orientation(const State& s, std::size_t i) {
  return s.bodies.has_orientations() ? s.bodies.orientation[0][i] : Quaternion{};
}
/// The placed outline of a polygon (m). 32 points on the circle for discs. Empty for half planes and spheres.
std::vector<Vec2> placed_outline(const State&, std::size_t body);
/// Number of contacts of each body.
std::vector<std::uint32_t> coordination(const AssemblyView&);

/// A component sphere in its place (m).
struct PlacedSphere {
  Vec3 centre;
  double radius = 0;
  std::size_t body = 0;
};
/// All spheres of an assembly in space, body by body.
std::vector<PlacedSphere> placed_spheres(const State&);

/// Mean stress in each body from its contact forces, (1/A) Σ f_c ⊗ (x_c − R), tension positive (N/m). As in
/// contact_stress the force comes first. In space the divisor is the volume (Pa). (Love–Weber, one body.)
std::vector<Tensor3> body_stresses(const AssemblyView&);

/// One scalar per body, to colour by.
struct BodyScalar {
  std::vector<double> values;  ///< NaN: no value, drawn grey
  std::string label, unit;
  bool signed_values = false;  ///< true: diverging colours about zero
};
/// `what` is rotation (degrees), speed, spin, coordination or stress (mean pressure, compression positive). In space
/// rotation and spin are lengths of vectors: the sum of the rotation vectors of all steps, and the angular velocity.
/// Throws std::invalid_argument naming the allowed words.
BodyScalar body_scalar(const AssemblyView&, std::string_view what);

}  // namespace dem
