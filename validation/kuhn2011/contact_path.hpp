// One contact of two spheres taken along a prescribed path, without a frame and without integration, in the halves of
// the jaeger-contact reference: ζ is half of the overlap, ξ half of the tangential movement. For the contact studies of
// Kuhn (2011).
#pragma once
#include <vector>

#include "libdem/laws/hertz_mindlin.hpp"
#include "libdem/laws/jaeger_contact.hpp"

namespace dem::validation::kuhn2011 {

/// One straight movement.
struct Move {
  double z = 0;                     ///< ζ at its end (m)
  double shift_1 = 0, shift_2 = 0;  ///< Δξ (m)
};

/// Of two bodies of one material; radius: R = 2 r_i r_j/(r_i + r_j) (m).
laws::JaegerCoefficients coefficients(double shear_modulus, double poisson_ratio, double friction, double radius = 1);
/// Z(N): half-overlap at a normal force (m).
double indentation(const laws::Hertz&, double normal_force);

/// A contact of law `jaeger`.
struct JaegerPath {
  laws::JaegerCoefficients c;
  laws::LegPool pool{};
  laws::JaegerHistory<laws::LegPool> h{};
  double work =
      0;  ///< ∫ F_t · d(2ξ) by the trapezoid over each step (J): exact for none, of second order in their length

  laws::StepRegime step(const Move&);
  double limit() const { return c.friction * h.normal_force; }
  double lost() const { return work - h.stored; }  ///< dissipated (J), while the contact lasts
  std::vector<laws::Leg> legs() const;             ///< from the bottom up
};

/// The same of law `hertz-mindlin`.
struct MindlinPath {
  laws::JaegerCoefficients c;
  MindlinMemory memory = MindlinMemory::turning_points;
  laws::LegPool pool{};
  laws::HertzMindlin::History h{};

  laws::StepRegime step(const Move&);
  double limit() const { return c.friction * h.normal_force; }
};

/// The movement in `parts` equal ones.
template <class Path>
void step_in_parts(Path& path, const Move& m, int parts) {
  const double from = path.h.z;
  for (int k = 1; k <= parts; ++k)
    path.step({k == parts ? m.z : from + (m.z - from) * k / parts, m.shift_1 / parts, m.shift_2 / parts});
}

/// Oblique loading and unloading of a contact pressed to ζ_0: F_t = slope (F_n − F_0) from 0 to B, where F_t = share f
/// F_n, and back to D, where F_t = −share f F_n; slope > f. Closed forms of Mindlin and Deresiewicz (reference, §16,
/// U2).
class Proportional {
 public:
  Proportional(const laws::JaegerCoefficients&, double start_z, double slope, double share);

  double start() const { return start_; }  ///< F_0 (N)
  double turn() const { return turn_; }    ///< F_n at B
  double end() const { return end_; }      ///< F_n at D
  double force(double normal) const { return slope_ * (normal - start_); }
  double shift(double normal, bool back) const;  ///< ξ (m)

  /// The steps after the first one, which presses to ζ_0: two chords for each branch with equal steps of F_n, and
  /// `parts` for each chord.
  std::vector<Move> moves(int parts) const;

 private:
  double z_of(double normal) const { return indentation(c_, normal); }
  laws::JaegerCoefficients c_;
  double slope_, start_, turn_, end_, cone_;
};

/// U2 and the sequence at constant normal force of the reference, §14 and §16: decimal literals, ζ_0 = 0.01.
inline const std::vector<Move> chords_of_u2{{0.010418193080112775, 0.0027403851070898215},
                                            {0.010828154043800968, 0.0036310891231878697},
                                            {0.010085275021404837, -0.0048487929405154504},
                                            {0.009313937519367467, -0.007003164172349242}};
inline const std::vector<Move> to_and_fro{{0.01, 0.008}, {0.01, -0.005}, {0.01, -0.006},
                                          {0.01, 0.007}, {0.01, -0.003}, {0.01, 0.004}};

}  // namespace dem::validation::kuhn2011
