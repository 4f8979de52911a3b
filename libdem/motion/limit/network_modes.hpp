// Largest eigenvalues of M⁻¹K and M⁻¹C of a network of contacts between bodies, by Lanczos.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "libdem/state/bodies.hpp"
#include "libdem/state/contact_record.hpp"

namespace dem {

/// Springs k_n n⊗n + k_t (1 − n⊗n) and dashpots of the contacts, on the relative displacement of the two material
/// points. Another spring and another dashpot act on the relative turn. A body has six coordinates. Those that are not
/// free do not move, so the plane needs no special case. The cost of a product with the matrix is the memory that it
/// reads. So a contact is stored once, not once per direction. Vectors are stored in m and rad with M as inner product,
/// not scaled by 1/√M.
class NetworkModes {
 public:
  struct Coefficients {
    double normal, tangential, rotational;
  };  ///< N/m, N/m, N m; or kg/s, kg/s, N m s
  struct Joint {
    ContactKey key;
    Vec3 normal, arm_i, arm_j;  ///< unit vector; from the centroids to the contact point (m)
    double k_n, k_t, c_n, c_t, rocking;
  };
  /// undamped: springs with hardly any dashpot beside them
  enum class Form { stiffness, normal_springs, tangential_springs, undamped, damping };
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Largest {
    double value = 0;             ///< 1/s², 1/s
    double vector_damping = 0;    ///< Rayleigh quotient of M⁻¹C in that mode (1/s)
    double tangential_share = 0;  ///< of the tangential coefficients in the form of that mode
    std::uint32_t joint = none;   ///< joint with the largest share of the form in that mode
    int iterations = 0;
    bool converged = true;  ///< if false, `value` is the Ritz value plus its residual
  };

  /// Removes all joints, and allocates for `room` joints if memory is needed. The bodies must live until the last call.
  void begin(const Bodies&, double rotational_damping, std::size_t joints, std::size_t room);
  void add(const Joint& joint) { joints_.push_back(joint); }
  std::span<const Joint> joints() const { return joints_; }
  /// Dashpots up to this share of their springs count as none in the form `undamped` (s); 0 by default.
  void set_smallest_damping(double share) { smallest_damping_ = share; }
  bool is_damped(double c, double k) const { return c > smallest_damping_ * k; }

  /// Lanczos from a fixed start vector. Lost orthogonality only repeats converged values.
  Largest largest(Form);
  /// Adds vector_damping, tangential_share and joint to the last result of largest(Form) by a second (deterministic)
  /// recurrence, without a stored basis.
  void find_mode(Form, Largest&);
  void release() { *this = {}; }

 private:
  static constexpr int largest_dimension = 96;  // of the Krylov space
  struct Twist {
    Vec3 shift, turn;
  };  // of a body; or force and couple on it
  struct Recurrence {
    double scale, before_scale, beta;
  };

  Coefficients coefficients(const Joint& j, Form form) const {
    if (form == Form::stiffness) return {j.k_n, j.k_t, j.rocking};
    if (form == Form::normal_springs) return {j.k_n, 0, 0};
    if (form == Form::tangential_springs) return {0, j.k_t, 0};
    if (form == Form::undamped)
      return {is_damped(j.c_n, j.k_n) ? 0 : j.k_n, is_damped(j.c_t, j.k_t) ? 0 : j.k_t,
              is_damped(rotational_damping_, j.rocking) ? 0 : j.rocking};
    return {j.c_n, j.c_t, rotational_damping_};
  }
  double apply(Form);  // force_ = K now_; returns now_ · K now_
  // before_ = a M⁻¹ force_ + b now_ + c before_; returns its norm.
  double combine(double of_force, double of_now, double of_before);
  Twist answer(std::size_t body, Twist force) const;  // M⁻¹ force, zero where not free
  double square(std::size_t body, Twist) const;       // x · M x
  void begin_recurrence(Form, Recurrence&);
  double advance(Form, Recurrence&);  // from v_k = scale · now_ to v_{k+1}; returns α_k and stores β_k

  const Bodies* bodies_ = nullptr;
  double rotational_damping_ = 0, smallest_damping_ = 0;
  std::vector<Joint> joints_;
  std::vector<Twist> now_, before_, force_, ritz_;
  std::array<double, largest_dimension> weights_;  // of the Ritz vector in the basis
  std::size_t dimension_ = 0;                      // of the basis
};

}  // namespace dem
