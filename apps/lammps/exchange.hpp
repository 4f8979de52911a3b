// The messages of a step: motion of grains goes to their copies on other ranks, loads on copies go back. Each pair of
// ranks has one message per direction, whatever lies between them, and all are on their way at once.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "libdem/state/bodies.hpp"

namespace dem {

class Exchange {
 public:
  Exchange(MPI_Comm world, bool plane) : world_(world), plane_(plane) {}

  /// A copy that contacts of this rank need. It has the rank that owns the grain, the number of the grain in the case,
  /// and the place of the copy in Bodies.
  struct Copy {
    int owner;
    std::uint32_t number, place;
  };
  /// Sends the owners the numbers of their grains. `place_of` is that of an owned grain, by its number. All ranks call
  /// it together.
  void plan(std::vector<Copy> copies, const std::function<std::uint32_t(std::uint32_t)>& place_of);

  void send_motion(Bodies&);  ///< position, velocity, and what contacts need of turns
  void add_loads(Bodies&);    ///< on copies, to those of their grains
  /// The same with a number of each body. `number_at` is the index of a place in the numbers.
  void add_to_owners(std::span<double> numbers, std::span<const std::uint32_t> number_at);

  std::size_t copies() const { return copies_; }
  double waited() const { return waited_; }  ///< for motion and loads, since the start (s)

 private:
  struct Neighbour {
    int rank;
    std::vector<std::uint32_t> grains, copies;  // places, in the order of their messages
    std::vector<double> out, in;
  };
  using Places = std::vector<std::uint32_t> Neighbour::*;
  /// `values_of(place, f)` calls f for each of the `each` numbers of a place. `take(number, sent)` is what becomes of
  /// it.
  template <class ValuesOf, class Take>
  void pass(Places from, Places to, std::size_t each, ValuesOf&& values_of, Take&& take);

  MPI_Comm world_;
  bool plane_;
  std::size_t copies_ = 0;
  double waited_ = 0;
  std::vector<Neighbour> neighbours_;  // by rank
  std::vector<MPI_Request> requests_;
};

/// Doubles of a grain in the messages.
std::size_t motion_doubles(const Bodies&, bool plane);
constexpr std::size_t load_doubles(bool plane) { return plane ? 3 : 6; }

}  // namespace dem
