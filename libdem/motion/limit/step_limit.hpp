// The largest stable time step: before a run from the stiffest possible contact, during a run from the contact network.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/motion/limit/network_modes.hpp"
#include "libdem/motion/limit/stability.hpp"
#include "libdem/state/bodies.hpp"
#include "libdem/state/contact_record.hpp"

namespace dem {

/// Ingredients of the a-priori limit. Stiffness N/m, damping kg/s, mass kg, moment kg m², lengths m.
struct StiffestContact {
  /// largest of a contact (polygons, area-over-length: k_n w/l_c, w the longest chord)
  double normal_stiffness = 0, tangential_stiffness = 0;
  double normal_damping = 0, tangential_damping = 0;
  double rotational_damping = 0;  ///< couple per relative spin (N m s)
  double mass = 0, moment = 0;    ///< of the lightest body
  double lever = 0;               ///< its largest distance from centroid to contact point
  double offset = 0;              ///< largest distance from its centroid to the normal's line of action (discs: 0)
  double mass_damping = 0;        ///< α (1/s)
  int coordination = 6;
  int dimension = 2;
};

struct AprioriLimit {
  enum class Mode { translation, rotation };
  double dt = 0;             ///< s; infinite without any stiffness or damping
  double omega = 0;          ///< bound of the angular frequency (1/s)
  double damping_ratio = 0;  ///< of the mode at that bound
  double omega_dt = 0;       ///< limit of the scheme at that damping ratio
  Mode mode = Mode::translation;
  StiffestContact contact;
  /// One sentence with the ingredients, for messages.
  std::string describe() const;
  std::string cause() const;  ///< the same without the limit itself
};

/// Bounds the limit of any network whose contacts are no stiffer and whose bodies are no lighter than the given ones.
///
/// The stiffness that resists body i alone is K_ii = Σ_c (k_n n⊗n + k_t t⊗t). Z evenly spread contacts give (Z/2)(k_n +
/// k_t) in each direction. The mode of largest frequency moves neighbours against each other, which at most doubles the
/// stiffness (Gershgorin: off-diagonal blocks have the same sum as the diagonal block). The dampings have the same
/// form.
///     ω² ≤ 2 (Z/2) (k_n + k_t)/m,   2ζω ≤ 2 (Z/2) (γ_n + γ_t)/m.
/// A contact resists rotation with k_t l² + k_n s² (l lever, s offset of the normal), again doubled.
///     ω² ≤ 2 Z (k_t l² + k_n s²)/I,   2ζω ≤ 2 Z (γ_t l² + γ_n s² + c_r)/I.
/// Space has one normal, two tangents and three directions. So translation has (Z/3)(k_n + 2 k_t), and rotation about
/// an axis (Z/3)(2 k_t l² + k_n s²), both doubled in the same way. Mass damping adds α to every 2ζω. The same holds
/// without c_r, which misses bodies that turn alike, and for normal or tangential springs alone with their own
/// dashpots. With elongations by velocity in the scheme, the share of k_t in each bound counts too. The smallest time
/// step counts. Z = 6 is the largest coordination of equal discs, 12 that of equal spheres. Clusters use 12 too, with
/// several contacts of a pair counted each (dense packings of real clusters have 9). The measured limit covers
/// exceptions.
///
/// The smallest of the limits of many bodies counts. It is found fast if the lightest body comes first.
class SmallestLimit {
 public:
  explicit SmallestLimit(Scheme scheme) : scheme_(scheme) {}
  void add(const StiffestContact&);
  const AprioriLimit& found() const { return smallest_; }  ///< after the first add()

 private:
  void add_modes(const StiffestContact&);
  void add(const StiffestContact&, AprioriLimit::Mode, double omega2, double rate, double tangential_share);

  struct Known {
    double omega2, rate, ratio, share;
  };
  // with more different damping ratios, comparisons would cost more than they save
  static constexpr std::size_t most_known = 64;
  Scheme scheme_;
  AprioriLimit smallest_;
  bool is_first_ = true;
  std::vector<Known> known_;  // modes with known limits
};

struct MeasuredLimit {
  double dt = 0;          ///< s; infinite if no contact resists a free coordinate
  double omega = 0;       ///< largest angular frequency of the network (1/s), at most 0.1 % below the Ritz value
  double soft_omega = 0;  ///< angular frequency of some of the springs alone (1/s), if they limit the step; 0 otherwise
  std::string_view soft_springs;  ///< which ones
  double damping_ratio = 0;       ///< of the mode that limits
  double damping_rate = 0;        ///< largest eigenvalue of M⁻¹C (1/s), which limits strongly damped runs
  double omega_dt = 0;            ///< ω · dt of the mode that limits
  double tangential_share = 0;    ///< of ω² in the mode that limits; counts with elongations by velocity
  ContactKey contact;  ///< with the largest strain energy in that mode, or in the most damped mode if that mode limits
  int iterations = 0;
  /// if false, tolerance was not reached, and the frequency is an upper estimate (Ritz value + residual)
  bool converged = true;
  std::string describe() const;
  std::string cause() const;  ///< the same without the limit itself and without the bodies
};

/// Measures the limit from the present contacts: stiffness k_n n⊗n + k_t (1 − n⊗n) with lever arms at the contact
/// point, and the rocking of faces. Only free coordinates count; clusters have moments about their axes. Sliding
/// contacts have no tangential spring, and a tangential dashpot only if requested. Lanczos from a fixed start vector
/// gives the largest eigenvalues of M⁻¹K and M⁻¹C. The measurement is serial, so its bits do not depend on the number
/// of threads. With elongations by velocity the tangential share of the stiffest mode counts, and so do the normal and
/// the tangential springs alone. In lattices and random networks the limit was right to 1 % then. With the velocity
/// source corrected it was up to 17 % too large. In the plane the meter keeps its memory and allocates only when bodies
/// or contacts increase. In space the meter frees its memory, which would be a large share of the memory per sphere.
class StepLimitMeter {
 public:
  struct Options {
    bool damp_while_sliding = false;
    double rotational_damping = 0;  ///< couple per relative spin of each contact (N m s)
    double mass_damping = 0;        ///< α (1/s)
    int dimension = 2;
    std::optional<double> spring_time;  ///< tangential springs are dashpots k_t times this (s)
  };
  MeasuredLimit measure(const Bodies& bodies, std::span<const ContactRecord> contacts, Scheme scheme,
                        const Options& options) {
    begin(bodies, contacts.size(), options);
    add(contacts);
    return finish(scheme);
  }
  MeasuredLimit measure(const Bodies& bodies, std::span<const ContactRecord> contacts, Scheme scheme) {
    return measure(bodies, contacts, scheme, Options{});
  }
  /// Same with contacts in parts, so that they need not all exist as records. The bodies must live until the end.
  void begin(const Bodies&, std::size_t contacts, const Options&);
  void add(std::span<const ContactRecord>);
  MeasuredLimit finish(Scheme);

 private:
  double limit(Scheme, double damping_ratio, double tangential_share);

  const Bodies* bodies_ = nullptr;
  Options options_;
  NetworkModes modes_;
  // Limits of the last scheme. Damping ratios hardly change, and are rounded to 0.2 % first, so reuse changes no
  // result.
  struct Known {
    Scheme scheme;
    double damping_ratio = -1, share = 0, limit = 0;
  };
  Known known_[8];
  int replace_ = 0;
};

}  // namespace dem
