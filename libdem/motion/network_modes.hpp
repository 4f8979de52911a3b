// Largest eigenvalues of a network of springs between bodies with N coordinates each (3 in the plane, 6 in space), by Lanczos.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dem {

template <int N>
class NetworkModes {
 public:
  struct Spring {  // one direction of one contact: u = b_i · q_i + b_j · q_j in mass-scaled coordinates
    std::uint32_t i, j, contact;
    double stiffness, damping;
    double b_i[N], b_j[N];
  };
  struct Largest { double value, vector_damping; std::uint32_t contact; int iterations; bool converged; };

  /// `springs` are coming; `room`: for as many, should memory be needed.
  void begin(std::size_t bodies, std::size_t springs, std::size_t room) {
    springs_.clear();
    if (springs_.capacity() < springs) springs_.reserve(room);
    coordinates_ = N * bodies;
  }
  void add(const Spring& spring) { springs_.push_back(spring); }

  /// Of Σ w b bᵀ, w = stiffness or damping. Lanczos in two passes from a fixed start vector: the first finds the largest Ritz value, the
  /// second repeats the recurrence (it is deterministic) and adds up the Ritz vector, so that the basis need not be stored. Lost orthogonality
  /// only repeats converged values.
  Largest largest_eigenvalue(double Spring::* weight);

 private:
  // result = Σ w b bᵀ q over the springs, in their order.
  void apply(double Spring::* weight, const std::vector<double>& q, std::vector<double>& result) const;

  std::vector<Spring> springs_;
  std::vector<double> v_, previous_, next_, ritz_;
  std::size_t coordinates_ = 0;
};

}  // namespace dem
