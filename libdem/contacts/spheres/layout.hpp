// Layout of the data of the sphere engine: component spheres, candidate pairs and contacts.
//
// Bodies are stored in a spatial order and cut into blocks of a constant number. A pair belongs to the block of its
// earlier sphere. The pairs of a block are cut into tiles of 64. The contacts among them lie side by side in the
// columns of the tile, in the order of their pairs. So a tile is also a block of the law. `TileHead::touching` has the
// pairs in contact; contacts move within the tile only when it changes. A tile is as wide as its contacts need, in
// steps of eight. When contacts change, lanes behind the last contact become copies of it; ignore their values. So
// loops run over whole vectors without a remainder, which would cost more than these lanes.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "geometry/vector.hpp"
#include "libdem/laws/leg_pool.hpp"
#include "libdem/platform/parallel.hpp"

namespace dem {

inline constexpr std::size_t parts_per_block = 2, bodies_per_block = parts_per_block * bodies_per_part;
inline constexpr std::size_t tile_size = 64;
/// Lanes for `contacts`: whole vectors of `lanes` numbers, by default of the widest instruction set.
template <int lanes = 8>
constexpr int whole_lanes(int contacts) {
  return (contacts + lanes - 1) & ~(lanes - 1);
}

struct alignas(32) SpherePlace {
  double x = 0, y = 0, z = 0, radius = 0;  ///< m
};
/// Movement of a component sphere in a step, radius (m); or turn Δθ of its body (rad), tan(|Δθ|/2)/(|Δθ|/2). With that
/// factor and arms of mid-step, a finite rigid rotation moves nothing (linear-frictional reference, §2).
struct alignas(32) SphereMove {
  double x = 0, y = 0, z = 0, more = 0;
};
inline SpherePlace place_of(Vec3 v, double radius) { return {v.x, v.y, v.z, radius}; }
inline SphereMove move_of(Vec3 v, double more) { return {v.x, v.y, v.z, more}; }
/// Force on a component sphere (N) and torque about its centre (N m).
struct alignas(64) SphereLoad {
  double fx = 0, fy = 0, fz = 0, unused_1 = 0, tx = 0, ty = 0, tz = 0, unused_2 = 0;
};

/// Two component spheres that may touch. The body of p has the smaller number, so that the normal from p to q is that
/// from i to j. Numbers are those within the block: first its own spheres in storage order, then spheres of later
/// blocks that they may touch. Points of walls come last, as q only.
struct SphereEnds {
  std::uint32_t p = 0, q = 0;
};
struct SpherePair : SphereEnds {
  std::uint16_t image = 0;         ///< of q: number in the list of images
  std::uint16_t coefficients = 0;  ///< number in the table of material pairs
};

/// Columns that are kept for a contact, besides the law's history of `history` doubles.
struct TileFormat {
  static constexpr std::size_t always = 7, with_ledger = 7, for_observers = 4;
  bool ledger = false, out_of_plane = false, damping = false, stiffness = false;
  /// The forces of the last evaluation are kept for observers, in a store of their own. Not with the ledger, where
  /// these forces are part of the state.
  bool watched = false;
  std::size_t history = 0;
  /// Columns of the state. Columns of dampings and springs come after them and are not part of it.
  std::size_t columns() const { return always + (ledger ? with_ledger : 0) + (out_of_plane ? 1 : 0); }
  /// Doubles per contact: of its state, and in memory.
  std::size_t stride() const { return columns() + history; }
  std::size_t stored_stride() const { return stride() + (damping ? 1 : 0) + (stiffness ? 1 : 0); }
};

/// Contacts of a tile, as kept from one step to the next. `width` lanes: columns, then histories by contact.
struct SphereTile {
  double *normal_x = nullptr, *normal_y = nullptr, *normal_z = nullptr;           ///< unit, from p to q
  double *direction_x = nullptr, *direction_y = nullptr, *direction_z = nullptr;  ///< direction_1 of the contact frame
  double* overlap = nullptr;  ///< ζ (m); ≤ 0 for a fresh contact at the start of its first step
  // With the ledger or watched, else null: forces on q along n, direction 1, direction 2 (N), dashpots included.
  double *force_n = nullptr, *force_1 = nullptr, *force_2 = nullptr;
  double* stored = nullptr;  ///< tangential elastic energy (J)
  // With the ledger: dashpot forces on q at the last evaluation (N).
  double *viscous_n = nullptr, *viscous_1 = nullptr, *viscous_2 = nullptr;
  double* out_of_plane = nullptr;  ///< transport `none`: elongation along the normal (m)
  double* damping = nullptr;       ///< γ_n (kg/s), if it depends on the masses
  double* stiffness = nullptr;     ///< k_n (N/m), if it depends on masses and radii
  double* history = nullptr;
  std::size_t width = 0;

  SphereTile() = default;
  /// `seen` points to columns for observers; null if there are none.
  SphereTile(const TileFormat& format, double* data, std::size_t lanes, double* seen = nullptr) : width(lanes) {
    const auto take = [lanes](double*& from, std::initializer_list<double**> columns) {
      for (double** column : columns) {
        *column = from;
        from += lanes;
      }
    };
    take(data, {&normal_x, &normal_y, &normal_z, &direction_x, &direction_y, &direction_z, &overlap});
    if (format.ledger || seen) take(format.ledger ? data : seen, {&force_n, &force_1, &force_2, &stored});
    if (format.ledger) take(data, {&viscous_n, &viscous_1, &viscous_2});
    if (format.out_of_plane) take(data, {&out_of_plane});
    if (format.damping) take(data, {&damping});
    if (format.stiffness) take(data, {&stiffness});
    history = data;
  }
  Vec3 normal(int lane) const { return {normal_x[lane], normal_y[lane], normal_z[lane]}; }
  Vec3 direction_1(int lane) const { return {direction_x[lane], direction_y[lane], direction_z[lane]}; }
  Vec3 force_on_q(int lane) const {
    const Vec3 n = normal(lane), e = direction_1(lane);
    return force_n[lane] * n + force_1[lane] * e + force_2[lane] * cross(n, e);
  }
  double& value(std::size_t column, int lane) const { return normal_x[column * width + std::size_t(lane)]; }

  /// Copies one contact from a lane of another tile.
  void copy_lane(const TileFormat& format, int to, const SphereTile& from, int lane) const {
    const std::size_t columns = format.stored_stride() - format.history;
    for (std::size_t c = 0; c < columns; ++c) value(c, to) = from.value(c, lane);
    std::copy_n(from.history + std::size_t(lane) * format.history, format.history,
                history + std::size_t(to) * format.history);
  }
  /// Copies the last of `contacts` to the lanes behind it.
  void pad(const TileFormat& format, int contacts) const {
    for (int lane = contacts; contacts > 0 && lane < whole_lanes(contacts); ++lane)
      copy_lane(format, lane, *this, contacts - 1);
  }
};

/// A tile of 64 lanes beside the stored ones. It is on the stack unless the histories are long.
struct TileRoom {
  // Enough for all laws; otherwise every change of contacts would allocate.
  static constexpr std::size_t longest_history = 26;
  alignas(64) double here[tile_size * (TileFormat::always + TileFormat::with_ledger + 3 + longest_history)];
  std::vector<double> elsewhere;
  SphereTile tile;
  TileRoom(const TileRoom&) = delete;
  TileRoom& operator=(const TileRoom&) = delete;
  explicit TileRoom(const TileFormat& format) {
    if (format.history > longest_history) elsewhere.resize(tile_size * format.stored_stride());
    tile = SphereTile(format, format.history > longest_history ? elsewhere.data() : here, tile_size);
  }
};

struct TileHead {
  std::uint64_t touching = 0;  ///< bit k: pair k of the tile is in contact
  std::uint64_t sliding = 0;   ///< bit c: contact c of the tile is at the Coulomb limit
  std::uint32_t first_pair = 0, pairs = 0;
  /// Where its columns begin, in lines that one column of all earlier tiles takes; number of lanes.
  std::uint32_t at = 0, width = 0;
  std::uint64_t by_image = 0;  ///< bit k: pair k meets an image of q
  int contacts() const { return std::popcount(touching); }
};

/// Eight doubles, aligned for the widest vectors.
struct alignas(64) StoreLine {
  double values[8];
};

struct SphereBlock {
  std::uint32_t first_body = 0, end_body = 0;  ///< in storage order
  std::uint32_t first_sphere = 0, end_sphere = 0;
  std::uint32_t first_tile = 0, first_wall_tile = 0, end_tile = 0;  ///< tiles of contacts with walls come last
  /// Spheres of other blocks that its own may touch, in the list of all blocks.
  std::uint32_t first_outside = 0, end_outside = 0;
  std::uint32_t end_near = 0;  ///< outside spheres from here on belong to blocks of other threads
  /// Places for points of walls, numbered behind the spheres, in the list of all blocks.
  std::uint32_t first_slot = 0, end_slot = 0;
  std::size_t first_incoming = 0, end_incoming = 0;
  std::vector<StoreLine> store;  ///< contacts of its tiles
  std::vector<StoreLine> seen;   ///< columns for observers alone; empty unless watched
  laws::LegPool legs;            ///< of laws whose histories have no fixed length

  std::uint32_t own_spheres() const { return end_sphere - first_sphere; }
  std::uint32_t outside_spheres() const { return end_outside - first_outside; }
  std::uint32_t spheres() const { return own_spheres() + outside_spheres(); }
  bool is_wall(const SpherePair& pair) const { return pair.q >= spheres(); }
  SphereTile tile(const TileFormat& format, const TileHead& head) {
    if (head.width == 0) return {};
    return SphereTile(format, store[head.at * format.stored_stride()].values, head.width,
                      format.watched ? seen[head.at * TileFormat::for_observers].values : nullptr);
  }
  /// For reading.
  SphereTile tile(const TileFormat& format, const TileHead& head) const {
    return const_cast<SphereBlock*>(this)->tile(format, head);
  }
  /// Gives the tile room for `contacts`. Contents are lost, the old room until the next list. May move the stores.
  void give_room(const TileFormat& format, TileHead& head, int contacts) {
    head.width = std::uint32_t(whole_lanes(contacts));
    head.at = std::uint32_t(store.size() / format.stored_stride());
    const std::size_t column = head.at + head.width / 8, lines = column * format.stored_stride();
    if (lines > store.capacity()) store.reserve(lines + lines / 8);  // not doubled: contacts are most of the memory
    store.resize(lines);
    if (format.watched) seen.resize(column * TileFormat::for_observers);
  }
  /// Begins or ends to keep the columns for observers, from the next evaluation on.
  void watch(const TileFormat& format) {
    if (format.watched)
      seen.resize(store.size() / format.stored_stride() * TileFormat::for_observers);
    else
      std::vector<StoreLine>().swap(seen);
  }
};
/// Sum of the loads of a block on a sphere of another block: force (N), torque about its centre (N m).
struct OutsideLoad {
  Vec3 force, torque;
};
/// A load of another block on a sphere of this one.
struct IncomingLoad {
  std::uint32_t sphere = 0;  ///< its place
  std::uint32_t from = 0;    ///< number in the list of outside spheres
};

/// Data of a sphere that its contacts read, side by side.
struct SphereRow {
  SpherePlace place;
  SphereMove moved, turned;
};
/// Velocities times Δt.
struct SphereVelocity {
  SphereMove speed, spin;
};
/// Rows of spheres, one after another.
struct SphereRows {
  std::vector<SphereRow> rows;
  std::vector<SphereVelocity> velocities;  ///< only if dashpots see velocities of their own
  void resize(std::size_t n, bool own_velocity) {
    rows.resize(n);
    if (own_velocity) velocities.resize(n);
  }
};
/// Copies of the spheres that blocks of other threads read, made once a step by the owner. So the lines of the bodies
/// themselves stay in the cache of their core.
struct SphereBorder {
  std::vector<std::uint32_t> spheres;  ///< by place
  std::vector<std::uint32_t> copy_of;  ///< by number in the list of outside spheres; only for those of other threads
  SphereRows rows;
  bool is_far = false;  ///< no cache is common to the cores of all threads
};
/// Differences of an image from its sphere: place, movement, velocity times Δt (m).
struct ImageRow {
  SphereMove shift, moved, speed;
};

}  // namespace dem
