// The fix that owns grains and their contacts. LAMMPS calls it wherever atoms move and messages are made.
#pragma once
#include "apps/lammps/fmt_of_lammps.hpp"
// After it
#include <lammps/atom.h>
#include <lammps/fix.h>

#include <algorithm>
#include <span>
#include <vector>

#include "apps/lammps/grain.hpp"

namespace dem {

// Doubles per atom of each message. In the plane, motion and loads have three coordinates.
inline constexpr int motion_doubles = 12, load_doubles = 6, ghost_doubles = 17;
inline constexpr int plane_motion_doubles = 6, plane_load_doubles = 3;

class GrainFix final : public LAMMPS_NS::Fix {
 public:
  GrainFix(LAMMPS_NS::LAMMPS* lammps, int count, char** words) : Fix(lammps, count, words) {
    maxexchange_dynamic = 1;  // without it long histories overrun the buffers
    comm_forward = std::max(motion_doubles, ghost_doubles);
    comm_reverse = load_doubles;
    grow_arrays(atom->nmax);
    atom->add_callback(LAMMPS_NS::Atom::GROW);
  }
  ~GrainFix() override { atom->delete_callback(id, LAMMPS_NS::Atom::GROW); }
  int setmask() override { return 0; }

  void grow_arrays(int n) override {
    grains.resize(std::size_t(n));
    images.resize(std::size_t(n));
    luggage.resize(std::size_t(n));
  }
  void copy_arrays(int from, int to, int) override {
    grains[std::size_t(to)] = grains[std::size_t(from)];
    images[std::size_t(to)] = images[std::size_t(from)];
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

  // LAMMPS calls pack and unpack once for each swap with a neighbour, in the order of the swaps, or backwards with
  // loads.
  int pack_forward_comm(int n, int* list, double* buffer, int shifted, int* shift) override {
    if (message == Message::ghosts) return pack_ghosts({list, std::size_t(n)}, buffer, shifted ? shift : nullptr);
    double* next = buffer;
    for (const std::uint32_t p : sent[swap]) for_motion(p, [&next](double& value) { *next++ = value; });
    return int(next - buffer);
  }
  void unpack_forward_comm(int n, int first, double* buffer) override {
    if (message == Message::ghosts) return unpack_ghosts(first, n, buffer);
    for (const std::uint32_t p : received[swap]) for_motion(p, [&buffer](double& value) { value = *buffer++; });
    ++swap;
  }
  int pack_reverse_comm(int n, int first, double* buffer) override {
    if (message == Message::plan) {  // names the used ghosts to their owner
      received.emplace_back();
      for (int k = first; k < first + n; ++k) {
        *buffer++ = used[std::size_t(k)];
        if (used[std::size_t(k)]) received.back().push_back(place[std::size_t(k)]);
      }
      return n;
    }
    double* next = buffer;
    for (const std::uint32_t p : received[swap]) for_loads(p, [&next](double& value) { *next++ = value; });
    return int(next - buffer);
  }
  void unpack_reverse_comm(int n, int* list, double* buffer) override {
    if (message == Message::plan) {
      sent.emplace_back();
      for (int k = 0; k < n; ++k)
        if (buffer[k] != 0) sent.back().push_back(place[std::size_t(list[k])]);
      return;
    }
    for (const std::uint32_t p : sent[swap]) for_loads(p, [&buffer](double& value) { value += *buffer++; });
    --swap;
  }
  int motion_each() const { return plane ? plane_motion_doubles : turns ? motion_doubles : motion_doubles - 3; }
  int loads_each() const { return plane ? plane_load_doubles : load_doubles; }

  std::vector<Grain> grains;
  std::vector<Image> images;
  std::vector<Luggage> luggage;

  // By swap: places of the bodies that go to the neighbour, and of those that come from it.
  std::vector<std::vector<std::uint32_t>> sent, received;

  // Of the message in progress.
  enum class Message { ghosts, plan, bodies, numbers } message = Message::ghosts;
  std::size_t swap = 0;
  Bodies* bodies = nullptr;
  bool plane = false, turns = false;
  std::span<double> numbers;                 // by local number
  std::span<const std::uint32_t> number_at;  // local number, by place
  std::span<const std::uint32_t> place;      // by atom
  std::span<const std::uint8_t> used;        // by atom
  std::uint64_t migrated = 0;
  double migrated_doubles = 0;

 private:
  int pack_ghosts(std::span<const int> list, double* buffer, const int* shift) const {
    double* next = buffer;
    for (const int k : list) {
      const Grain& g = grains[std::size_t(k)];
      for (std::size_t a = 0; a < 3; ++a) *next++ = images[std::size_t(k)][a] + (shift ? shift[a] : 0);
      for (const double value : {g.radius, g.mass, g.material, g.group, g.freedom}) *next++ = value;
      for (const Vec3 v : {g.position[0], g.evaluated_position, g.evaluated_rotation})
        for (const double value : {v.x, v.y, v.z}) *next++ = value;
    }
    return int(next - buffer);
  }
  void unpack_ghosts(int first, int n, const double* next) {
    for (auto at = std::size_t(first); at < std::size_t(first + n); ++at) {
      Grain& g = grains[at];
      g = {};
      for (std::int16_t& k : images[at]) k = std::int16_t(*next++);
      for (double* value : {&g.radius, &g.mass, &g.material, &g.group, &g.freedom}) *value = *next++;
      for (Vec3* v : {&g.position[0], &g.evaluated_position, &g.evaluated_rotation})
        for (double* value : {&v->x, &v->y, &v->z}) *value = *next++;
    }
  }
  template <class F>
  void for_motion(std::uint32_t p, F&& f) const {
    Vec3 &x = bodies->position[0].stored()[p], &moves = bodies->position[1].stored()[p];
    Vec3 &angle = bodies->rotation[0].stored()[p], &turn = bodies->rotation[1].stored()[p];
    if (plane) {
      for (double* value : {&x.x, &x.y, &moves.x, &moves.y, &angle.z, &turn.z}) f(*value);
      return;
    }
    for (Vec3* v : {&x, &moves, &turn})
      for (double* value : {&v->x, &v->y, &v->z}) f(*value);
    if (turns)
      for (double* value : {&angle.x, &angle.y, &angle.z}) f(*value);
  }
  template <class F>
  void for_loads(std::uint32_t p, F&& f) const {
    if (message == Message::numbers) return f(numbers[number_at[p]]);
    Vec3 &push = bodies->force.stored()[p], &twist = bodies->torque.stored()[p];
    if (plane)
      for (double* value : {&push.x, &push.y, &twist.z}) f(*value);
    else
      for (Vec3* v : {&push, &twist})
        for (double* value : {&v->x, &v->y, &v->z}) f(*value);
  }
};

}  // namespace dem
