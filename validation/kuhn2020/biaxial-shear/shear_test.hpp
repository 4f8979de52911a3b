// One test of the study: an assembly is packed, then sheared; what is measured on the way.
#pragma once
#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "libdem/run/simulation.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem::validation::kuhn2020 {

enum class Loading { biaxial, simple_shear };
enum class Bodies2D { discs, pentagons };

struct ShearTest {
  Loading loading = Loading::biaxial;
  Bodies2D bodies = Bodies2D::discs;
  std::string label() const;
};

/// Cases of the study's folder: discs.toml, pentagons.toml (biaxial); simple shear has another last stage: γ_xy at the
/// same shear rate with the width held and the normal stress on the planes of shear. `quick`: fewer bodies, faster,
/// less strain.
Case shear_case(const ShearTest&, const std::filesystem::path& sources, bool quick);

/// Where the strength comes from (Rothenburg and Bathurst, Géotechnique 39 (1989) 601; Azéma, Radjaï, Peyroux,
/// Saussine, Phys. Rev. E 76 (2007) 011301). The anisotropy of a tensor T is 2 (T_1 − T_2)/(T_1 + T_2), 1 along the
/// major compression of the stress and 2 across. contact: that of Σ n⊗n. normal: that of Σ f_n n⊗n less `contact`.
/// tangential: what Σ f⊗n has more than Σ f_n n⊗n. branch: that of Σ l⊗n less `contact`.
struct Anisotropies {
  double contact = 0, normal = 0, tangential = 0, branch = 0;
  double sum() const { return contact + normal + tangential + branch; }
};
/// `compression`: direction of the major compression of the stress (rad).
Anisotropies anisotropies(std::span<const ContactRecord>, double compression);

/// Stresses in N/m, tension positive; strains since the start of the shear, extension positive.
struct ShearRow {
  double gamma = 0;  ///< shear strain: ε_xx − ε_yy of the compression, γ_xy of the simple shear
  double xx = 0, yy = 0, xy = 0, yx = 0;  ///< stress
  double strain_xx = 0, strain_yy = 0, strain_xy = 0;
  double void_ratio = 0, servo = 0, inertial = 0, unbalanced = 0;
  double coordination = 0, backbone = 0,
         backbone_share = 0;  ///< by pairs; all bodies, without rattlers, share of the rest
  double sliding = 0;
  double fabric_xx = 0, fabric_xy = 0;
  Anisotropies a;
  static constexpr std::size_t numbers = 22;

  double sine() const;         ///< q/p = sin φ
  double compression() const;  ///< direction of the major compression, rad from x in (−π/2, π/2]
  double fabric_direction() const;
  double volume() const { return strain_xx + strain_yy; }  ///< dilation positive
};

inline constexpr std::size_t direction_bins = 18;  ///< of contact normals, of 10° each from the x axis

struct ShearPath {
  std::vector<ShearRow> rows;
  std::array<double, direction_bins> directions{};  ///< numbers of normals over the last tenth of the rows
  double residual = 0;                              ///< of the ledger, relative
  double circulation = 0;                           ///< relative
  double servo_mean = 0, servo_largest = 0;         ///< relative; of the shear
  double steps = 0;                                 ///< of the shear
  double pack_steps = 0;
  std::vector<double> pack() const;
  static ShearPath unpack(const std::vector<double>&);
};

/// Packs and shears; `rows` of them over the shear and one at its start.
ShearPath run_shear_test(const Case&, Loading, std::size_t rows, TaskProgress&);

/// Angle between two axes, each given by its direction (rad), in [0, π/2].
double between_axes(double a, double b);

}  // namespace dem::validation::kuhn2020
