// The fix that owns grains and their contacts. LAMMPS calls it wherever atoms go to other ranks and ghosts are made.
#pragma once
#include "apps/lammps/fmt_of_lammps.hpp"
// After it
#include <lammps/atom.h>
#include <lammps/comm.h>
#include <lammps/fix.h>

#include <algorithm>
#include <span>
#include <vector>

#include "apps/lammps/grain.hpp"

namespace dem {

inline constexpr int ghost_doubles = 27;  // of the message of a ghost

class GrainFix final : public LAMMPS_NS::Fix {
 public:
  GrainFix(LAMMPS_NS::LAMMPS* lammps, int count, char** words) : Fix(lammps, count, words) {
    maxexchange_dynamic = 1;  // without it long histories overrun the buffers
    comm_forward = ghost_doubles;
    grow_arrays(atom->nmax);
    atom->add_callback(LAMMPS_NS::Atom::GROW);
  }
  ~GrainFix() override { atom->delete_callback(id, LAMMPS_NS::Atom::GROW); }
  int setmask() override { return 0; }

  void grow_arrays(int n) override {
    grains.resize(std::size_t(n));
    images.resize(std::size_t(n));
    owners.resize(std::size_t(n));
    luggage.resize(std::size_t(n));
  }
  void copy_arrays(int from, int to, int) override {
    grains[std::size_t(to)] = grains[std::size_t(from)];
    images[std::size_t(to)] = images[std::size_t(from)];
    owners[std::size_t(to)] = owners[std::size_t(from)];
    if (from != to) luggage[std::size_t(to)] = std::move(luggage[std::size_t(from)]);
  }
  int pack_exchange(int i, double* buffer) override {
    const auto at = std::size_t(i);
    double* next = buffer;
    std::copy_n(reinterpret_cast<const double*>(&grains[at]), grain_doubles, next);
    next += grain_doubles;
    for (const std::int16_t k : images[at]) *next++ = k;
    *next++ = double(luggage[at].size());
    next = std::ranges::copy(luggage[at], next).out;
    ++migrated;
    migrated_doubles += double(next - buffer);
    return int(next - buffer);
  }
  int unpack_exchange(int i, double* buffer) override {
    const auto at = std::size_t(i);
    const double* next = buffer;
    std::copy_n(next, grain_doubles, reinterpret_cast<double*>(&grains[at]));
    next += grain_doubles;
    for (std::int16_t& k : images[at]) k = std::int16_t(*next++);
    const auto count = std::size_t(*next++);
    luggage[at].assign(next, next + count);
    return int(next + count - buffer);
  }
  void announce_luggage() {
    std::size_t most = 0;
    for (std::size_t k = 0; k < std::size_t(atom->nlocal); ++k) most = std::max(most, luggage[k].size());
    maxexchange = int(grain_doubles + 4 + most);
  }

  // LAMMPS calls both once for each swap with a neighbour.
  int pack_forward_comm(int n, int* list, double* buffer, int shifted, int* shift) override {
    double* next = buffer;
    for (const int k : std::span(list, std::size_t(n))) {
      Grain& g = grains[std::size_t(k)];
      for (std::size_t a = 0; a < 3; ++a) *next++ = images[std::size_t(k)][a] + (shifted ? shift[a] : 0);
      *next++ = k < atom->nlocal ? comm->me : owners[std::size_t(k)];
      for_ghost(g, [&next](double& value) { *next++ = value; });
    }
    return int(next - buffer);
  }
  void unpack_forward_comm(int n, int first, double* buffer) override {
    for (auto at = std::size_t(first); at < std::size_t(first + n); ++at) {
      Grain& g = grains[at] = {};
      for (std::int16_t& k : images[at]) k = std::int16_t(*buffer++);
      owners[at] = int(*buffer++);
      for_ghost(g, [&buffer](double& value) { value = *buffer++; });
    }
  }

  std::vector<Grain> grains;
  std::vector<Image> images;
  std::vector<int> owners;  // ranks, of ghosts
  std::vector<Luggage> luggage;

  std::uint64_t migrated = 0;
  double migrated_doubles = 0;

 private:
  /// All that contacts of a ghost need.
  template <class F>
  static void for_ghost(Grain& g, F&& f) {
    for (double* value : {&g.radius, &g.mass, &g.material, &g.group, &g.freedom}) f(*value);
    for (Vec3* v :
         {&g.position[0], &g.position[1], &g.rotation[0], &g.rotation[1], &g.evaluated_position, &g.evaluated_rotation})
      for (double* value : {&v->x, &v->y, &v->z}) f(*value);
  }
};

}  // namespace dem
