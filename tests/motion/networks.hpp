// Networks of contacts between bodies, without an engine.
#pragma once
#include <vector>

#include "libdem/state/contact_record.hpp"
#include "motion/make_bodies.hpp"

namespace dem::test {

/// Half-way between i and the image of j.
inline ContactRecord contact_between(const Bodies& b, std::uint32_t i, std::uint32_t j, Vec3 shift = {}) {
  ContactRecord c;
  c.key.i = i, c.key.j = j;
  c.branch = b.position[0][j] + shift - b.position[0][i];
  c.point = b.position[0][i] + 0.5 * c.branch;
  c.normal = (1 / norm(c.branch)) * c.branch;
  return c;
}

inline ContactRecord make_contact(const Bodies& b, std::uint32_t i, std::uint32_t j, double k_n, double k_t, double g_n,
                                  double g_t, Vec3 shift = {}) {
  ContactRecord c = contact_between(b, i, j, shift);
  c.normal_stiffness = k_n, c.tangential_stiffness = k_t, c.normal_damping = g_n, c.tangential_damping = g_t;
  return c;
}

/// Hexagonal lattice of discs (radius ½), periodic in x, contacts between nearest neighbours.
struct Lattice {
  Bodies bodies;
  std::vector<ContactRecord> contacts;
};
inline Lattice hexagonal(std::uint32_t columns, std::uint32_t rows) {
  Lattice l{make_bodies(columns * rows, 0.7, 0.7 / 8), {}};
  const double h = std::sqrt(0.75), width = columns;
  for (std::uint32_t r = 0; r < rows; ++r)
    for (std::uint32_t c = 0; c < columns; ++c) l.bodies.position[0][r * columns + c] = {c + 0.5 * (r % 2), r * h, 0};
  for (std::uint32_t i = 0; i < columns * rows; ++i)
    for (std::uint32_t j = i + 1; j < columns * rows; ++j)
      for (double shift : {-width, 0.0, width})
        if (norm(l.bodies.position[0][j] + Vec3{shift, 0, 0} - l.bodies.position[0][i]) < 1.01)
          l.contacts.push_back(make_contact(l.bodies, i, j, 100, 60, 1.5, 0.5, {shift, 0, 0}));
  return l;
}

}  // namespace dem::test
