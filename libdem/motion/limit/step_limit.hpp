// The largest time step that is stable: before a run from the stiffest contact that may occur, during it from the
// contact network.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "libdem/motion/limit/network_modes.hpp"
#include "libdem/motion/limit/stability.hpp"
#include "libdem/state/bodies.hpp"
#include "libdem/state/contact_record.hpp"

namespace dem {

/// What the a-priori limit is made of. Stiffness N/m, damping kg/s, mass kg, moment kg m², lengths m.
struct StiffestContact {
  double normal_stiffness = 0, tangential_stiffness = 0;  ///< largest a contact can have (polygons, area-over-length:
                                                          ///< k_n w/l_c, w the longest chord)
  double normal_damping = 0, tangential_damping = 0;
  double rotational_damping = 0;  ///< couple per relative spin, N m s
  double mass = 0, moment = 0;    ///< of the lightest body
  double lever = 0;               ///< its largest distance from centroid to contact point
  double offset = 0;              ///< largest distance of the normal's line of action from its centroid (discs: 0)
  double mass_damping = 0;        ///< α (1/s)
  int coordination = 6;
  int dimension = 2;
};

struct AprioriLimit {
  enum class Mode { translation, rotation };
  double dt = 0;             ///< s; infinite without any stiffness or damping
  double omega = 0;          ///< bound of the angular frequency (1/s)
  double damping_ratio = 0;  ///< of that mode
  double omega_dt = 0;       ///< limit of the scheme at that damping ratio
  Mode mode = Mode::translation;
  StiffestContact contact;
  /// One sentence with the ingredients, for messages.
  std::string describe() const;
  std::string cause() const;  ///< the same without the limit itself
};

/// Bound for any network of contacts no stiffer than the given one between bodies no lighter than the given one.
///
/// In the network the stiffness that resists body i alone is K_ii = Σ_c (k_n n⊗n + k_t t⊗t); Z contacts around a body,
/// evenly spread, give (Z/2)(k_n + k_t) in each direction. The mode of largest frequency moves neighbours against each
/// other, which at most doubles it (Gershgorin: off-diagonal blocks have the same sum as the diagonal one):
///     ω² ≤ 2 (Z/2) (k_n + k_t)/m,   same for the dampings: 2ζω ≤ 2 (Z/2) (γ_n + γ_t)/m.
/// Rotation: each contact resists with k_t l² + k_n s² (l lever, s offset of the normal), again doubled by
/// counter-rotating neighbours:
///     ω² ≤ 2 Z (k_t l² + k_n s²)/I,   2ζω ≤ 2 Z (γ_t l² + γ_n s² + c_r)/I.
/// In space there is one normal and two tangents, and three directions to share them: (Z/3)(k_n + 2 k_t), and about an
/// axis (Z/3)(2 k_t l² + k_n s²), both doubled in the same way. Mass damping adds α to every 2ζω. The smaller time step
/// of the two counts. Z = 6 is the largest coordination of equal discs, 12 that of equal spheres, and is taken for
/// clusters as well, several contacts of one pair counted each (dense packings of real ones have 9); the measured limit
/// covers the rest.
AprioriLimit apriori_step_limit(const StiffestContact&, Scheme);

/// The smallest of the limits of many bodies. Quick where the lightest one comes first.
class SmallestLimit {
 public:
  explicit SmallestLimit(Scheme scheme) : scheme_(scheme) {}
  void add(const StiffestContact&);
  const AprioriLimit& found() const { return smallest_; }  ///< after the first add()

 private:
  void add(const StiffestContact&, AprioriLimit::Mode, double omega2, double rate);

  struct Known {
    double omega2, rate, ratio;
  };
  static constexpr std::size_t most_known =
      64;  // where every mode is damped otherwise, comparing with all of them would cost more than it saves
  Scheme scheme_;
  AprioriLimit smallest_;
  bool is_first_ = true;
  std::vector<Known> known_;  // modes that were worked out
};

struct MeasuredLimit {
  double dt = 0;     ///< s; infinite when no contact resists a free coordinate
  double omega = 0;  ///< largest angular frequency of the network (1/s), not below the Ritz value by more than 0.1 %
  double damping_ratio = 0;  ///< of that mode
  double damping_rate = 0;   ///< largest eigenvalue of M⁻¹C (1/s): what strong damping limits
  double omega_dt = 0;       ///< ω · dt
  ContactKey contact;  ///< with the largest strain energy in that mode (of the most damped mode, if that one limits)
  int iterations = 0;
  bool converged = true;  ///< false: tolerance not reached within the bounded number of iterations; the frequency is
                          ///< then an upper estimate (Ritz value plus residual)
  std::string describe() const;
  std::string cause() const;  ///< the same without the limit itself and without the bodies
};

/// Measures the limit from the contacts as they are: stiffness k_n n⊗n + k_t (1 − n⊗n) of each contact with lever arms
/// at the contact point, free coordinates only, the moments of a cluster about its axes. Sliding contacts have no
/// tangential spring (and no tangential dashpot unless told). Largest eigenvalues of M⁻¹K and M⁻¹C by Lanczos from a
/// fixed start vector; serial, so the same bits on any number of threads. In the plane it holds its memory: no
/// allocation while bodies and contacts are not more than before; in space, where it would be a good part of all that
/// is kept of a sphere, it gives it back.
class StepLimitMeter {
 public:
  struct Options {
    bool damp_while_sliding = false;
    double rotational_damping = 0;  ///< couple per relative spin of each contact (N m s)
    double mass_damping = 0;        ///< α (1/s)
    int dimension = 2;
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
  /// The same with the contacts handed over in parts, so that they need not exist as records all at once. The bodies
  /// stay until the end.
  void begin(const Bodies&, std::size_t contacts, const Options&);
  void add(std::span<const ContactRecord>);
  MeasuredLimit finish(Scheme);

 private:
  double limit(Scheme, double damping_ratio);

  const Bodies* bodies_ = nullptr;
  Options options_;
  NetworkModes modes_;
  // Limits of the scheme that were asked for last: damping ratios hardly change from one measurement to the next. They
  // are rounded to 0.2 % first, so that what is remembered cannot show in a result.
  struct Known {
    Scheme scheme;
    double damping_ratio = -1, limit = 0;
  };
  Known known_[4];
  int replace_ = 0;
};

}  // namespace dem
