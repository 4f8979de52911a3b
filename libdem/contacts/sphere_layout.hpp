// How the sphere engine lays out its data: component spheres, candidate pairs and contacts.
//
// Bodies are stored in a spatial order and cut into blocks of a constant number. A pair belongs to the block of its earlier sphere.
// The pairs of a block are cut into tiles of 64; the contacts among them lie side by side in the columns of the tile, in the order of
// their pairs, so that a tile is at the same time a block of the force law. `TileHead::touching` says which pairs they are; only when it
// changes are contacts moved within the tile.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "geometry/vector.hpp"

namespace dem {

inline constexpr std::size_t bodies_per_block = 512;
inline constexpr std::size_t tile_size = 64;

/// Also with its sign turned, the radius not: the sum of two is branch and reach of a pair.
struct alignas(32) SpherePlace {
  double x = 0, y = 0, z = 0, radius = 0;  ///< m
};
/// Movement of a component sphere in a step and its radius (m), or turn of its body (rad) and chord_rotation()'s factor.
struct alignas(32) SphereMove {
  double x = 0, y = 0, z = 0, more = 0;
};
/// Force on a component sphere (N) and torque about its centre (N m).
struct alignas(64) SphereLoad {
  double fx = 0, fy = 0, fz = 0, unused_1 = 0, tx = 0, ty = 0, tz = 0, unused_2 = 0;
};

/// Two component spheres that may touch. p is of the body with the smaller number, so that the normal from p to q is that from i to j.
struct SpherePair {
  std::uint32_t p = 0, q = 0;      ///< places in the storage order
  std::uint32_t load_p = 0, load_q = 0;  ///< where the block adds up their loads
  std::uint16_t image = 0;         ///< of q: number in the list of images
  std::uint16_t coefficients = 0;  ///< number in the table of material pairs
};

/// Contacts of a tile: what is kept from one step to the next, beside the law's history. In columns.
struct alignas(64) SphereTile {
  using Column = double[tile_size];
  Column normal_x, normal_y, normal_z;           ///< unit, from p to q
  Column direction_x, direction_y, direction_z;  ///< direction_1 of the contact frame
  Column overlap;                                ///< ζ (m); a fresh contact's at the start of its first step: ≤ 0
  Column force_n, force_1, force_2;              ///< on q along n, direction 1, direction 2 (N), dashpots included
  Column stored;                                 ///< tangential elastic energy (J)
};
/// Dashpot forces on q at the last evaluation (N): the ledger's work is a trapezoid.
struct alignas(64) SphereTileViscous {
  using Column = double[tile_size];
  Column n, t_1, t_2;
};

struct TileHead {
  std::uint64_t touching = 0;  ///< bit k: pair k of the tile is in contact
  std::uint64_t sliding = 0;   ///< bit c: contact c of the tile is at the Coulomb limit
  std::uint32_t first_pair = 0, pairs = 0;
  int contacts() const { return std::popcount(touching); }
};

struct SphereBlock {
  std::uint32_t first_body = 0, end_body = 0;          ///< in storage order
  std::uint32_t first_sphere = 0, end_sphere = 0;
  std::uint32_t first_tile = 0, end_tile = 0;
  std::size_t first_load = 0, end_load = 0;            ///< own spheres, then those of other blocks
  std::size_t first_incoming = 0, end_incoming = 0;
};
/// A load that another block has added up for a sphere of this one.
struct IncomingLoad {
  std::uint32_t own = 0;   ///< place of the sphere
  std::uint32_t from = 0;  ///< place among all loads
};

}  // namespace dem
