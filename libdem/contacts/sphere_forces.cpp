// The contacts of one block: which there are, how they moved, the law, the forces, the work.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/contacts/sphere_contacts.hpp"
#include "libdem/state/quaternion.hpp"

namespace dem {

namespace {

/// Copies one contact from a lane to another, of the same or another tile.
template <class Tile>
void copy_lane(Tile& to, int to_lane, const Tile& from, int from_lane) {
  static_assert(sizeof(Tile) % sizeof(typename Tile::Column) == 0);
  constexpr std::size_t columns = sizeof(Tile) / sizeof(typename Tile::Column);
  auto* const t = reinterpret_cast<double*>(&to);
  const auto* const f = reinterpret_cast<const double*>(&from);
  for (std::size_t c = 0; c < columns; ++c) t[c * tile_size + std::size_t(to_lane)] = f[c * tile_size + std::size_t(from_lane)];
}

/// Histories of a tile on the stack, unless they are long.
struct HistoryRoom {
  static constexpr std::size_t most = 8;
  double here[tile_size * most];
  std::vector<double> elsewhere;
  double* data = here;
  explicit HistoryRoom(std::size_t size) {
    if (size <= most) return;
    elsewhere.resize(tile_size * size);
    data = elsewhere.data();
  }
};

}  // namespace

SphereInput SphereContacts::input() const {
  return {place_.data(), opposite_.data(), moved_.data(), turned_.data(), speed_.data(), spin_.data(), pairs_.data(), shift_.data(), shift_moved_.data(), shift_speed_.data()};
}

/// A contact that is new in this step: its normal and gap are those of the last evaluation, its frame starts there.
void SphereContacts::start_contact(const State& state, const SpherePair& pair, SphereTile& tile, int lane) const {
  const Bodies& bodies = state.bodies;
  const auto before = [&](std::uint32_t sphere) {
    const std::uint32_t b = spheres_.body[sphere];
    const Vec3 x = bodies.evaluated_position_before[b];
    return spheres_.single ? x : x + offset_of(state, sphere, bodies.evaluated_orientation_before[b]);
  };
  const Vec3 branch = before(pair.q) - before(pair.p) + shift_before_[pair.image];
  const double length = norm(branch), reach = place_[pair.p].radius + place_[pair.q].radius;
  const Vec3 normal = length > 0 ? (1 / length) * branch : Vec3{1, 0, 0}, direction = any_direction(normal);
  tile.normal_x[lane] = normal.x;
  tile.normal_y[lane] = normal.y;
  tile.normal_z[lane] = normal.z;
  tile.direction_x[lane] = direction.x;
  tile.direction_y[lane] = direction.y;
  tile.direction_z[lane] = direction.z;
  tile.overlap[lane] = std::min(reach - length, 0.0);
  tile.force_n[lane] = tile.force_1[lane] = tile.force_2[lane] = tile.stored[lane] = 0;
}

/// Contacts of a tile move to the lanes of their pairs; new ones start, lost ones are booked.
void SphereContacts::change_contacts(const State& state, std::size_t t, std::uint64_t touching, Scratch& scratch, BlockSums& sums) {
  TileHead& head = heads_[t];
  const SphereTile old = tiles_[t];
  SphereTileViscous old_viscous;
  if (ledger_) old_viscous = viscous_[t];
  double old_left[tile_size];
  HistoryRoom old_history(history_size_);
  double* const kept = old_history.data;
  std::copy_n(history(t), tile_size * history_size_, kept);
  if (!out_of_plane_.empty()) std::copy_n(out_of_plane_.data() + t * tile_size, tile_size, old_left);

  if (ledger_ && (head.touching & ~touching) != 0) {
    SphereTile lost;
    SphereTileViscous lost_viscous;
    std::uint32_t pairs[tile_size];
    HistoryRoom lost_history(history_size_);
    int lane = 0, n = 0;
    for (std::uint32_t k = 0; k < head.pairs; ++k) {
      if (!(head.touching >> k & 1u)) continue;
      if (!(touching >> k & 1u)) {
        copy_lane(lost, n, old, lane);
        copy_lane(lost_viscous, n, old_viscous, lane);
        std::copy_n(kept + std::size_t(lane) * history_size_, history_size_, lost_history.data + std::size_t(n) * history_size_);
        pairs[n++] = head.first_pair + k;
      }
      ++lane;
    }
    book_lost(head, lost, lost_viscous, {pairs, std::size_t(n)}, lost_history.data, sums);
  }
  SphereTile& tile = tiles_[t];
  int from = 0, to = 0;
  for (std::uint32_t k = 0; k < head.pairs; ++k) {
    const bool was = head.touching >> k & 1u, is = touching >> k & 1u;
    double* const h = history(t) + std::size_t(to) * history_size_;
    if (was && is) {
      copy_lane(tile, to, old, from);
      if (ledger_) copy_lane(viscous_[t], to, old_viscous, from);
      std::copy_n(kept + std::size_t(from) * history_size_, history_size_, h);
      if (!out_of_plane_.empty()) out_of_plane_[t * tile_size + std::size_t(to)] = old_left[from];
    } else if (is) {
      start_contact(state, pairs_[head.first_pair + k], tile, to);
      if (ledger_) viscous_[t].n[to] = viscous_[t].t_1[to] = viscous_[t].t_2[to] = 0;
      std::fill_n(h, history_size_, 0.0);
      if (!out_of_plane_.empty()) out_of_plane_[t * tile_size + std::size_t(to)] = 0;
      // The part of this step in which it touches, from the overlaps.
      const double gap = -tile.overlap[to], overlap = scratch.columns.pair_branch[k][3] - norm(scratch.columns.vector(scratch.columns.pair_branch, int(k)));
      if (evaluated_ && gap + overlap > 0) scratch.block.made[to] = gap / (gap + overlap);
    }
    from += was;
    to += is;
  }
  head.touching = touching;
}

/// Contacts that ended in this step. Their forces end within it; what becomes of their stored energy a law that sees them says, otherwise
/// it is an event loss beyond the work that the last movement took.
void SphereContacts::book_lost(const TileHead& head, const SphereTile& lost, const SphereTileViscous& viscous,
                               std::span<const std::uint32_t> pairs, double* lost_history, BlockSums& sums) const {
  Scratch scratch;
  SphereColumns& c = scratch.columns;
  laws::Block& b = scratch.block;
  kernels_->find(input(), head, c);  // for the branches
  c.count = 0;
  for (const std::uint32_t pair : pairs) c.lane[c.count++] = std::uint8_t(pair - head.first_pair);
  kernels_->gather(input(), head, movement_, c);
  set_coefficients(c, b, c.count);
  set_dampings(c, b);
  kernels_->move(movement_, lost, c, b);
  for (int k = 0; k < c.count; ++k) {
    const double end = std::min(c.overlap[k], 0.0);
    b.normal_end[k] = 0;
    b.made[k] = 0;
    b.lost[k] = lost.overlap[k] > end ? lost.overlap[k] / (lost.overlap[k] - end) : 1;
    b.damping[k] = 0;
  }
  if (law_->sees_lost_contacts) law_->pass(law_options_, b, lost_history);
  for (int k = 0; k < c.count; ++k) {
    ContactWork& w = sums.lost;
    const double damping_n = 0.5 * viscous.n[k] * c.damped_n[k];
    const double damping_t = 0.5 * (viscous.t_1[k] * b.shift_1[k] + viscous.t_2[k] * b.shift_2[k]);
    const double pressed = 0.5 * c.stiffness[k] * lost.overlap[k] * lost.overlap[k];
    w.viscous -= damping_n + damping_t;
    double slid = 0;
    if (law_->sees_lost_contacts) {
      slid = b.work[k];
      w.friction += b.dissipated[k];
      w.circulation += b.work[k] + lost.stored[k] - b.stored[k] - b.dissipated[k];
      w.event_loss += b.stored[k];
    } else {
      slid = -0.5 * ((lost.force_1[k] - viscous.t_1[k]) * b.shift_1[k] + (lost.force_2[k] - viscous.t_2[k]) * b.shift_2[k]);
      w.event_loss += lost.stored[k] + slid;
    }
    w.absolute += pressed + std::abs(damping_n) + std::abs(damping_t) + std::abs(slid);
    if (cell_moves_) w.by_cell -= 0.5 * dot(force_on_q(lost, k), cell_moved_[pairs_[c.pair[k]].image]);
  }
}

/// Of the first `count` contacts, in which only the dampings may differ from pair to pair of the same materials.
void SphereContacts::set_coefficients(SphereColumns& c, laws::Block& b, int count) const {
  for (int k = 0; k < count; ++k) {
    const SphereCoefficients& m = materials_[materials_.uniform() ? 0 : pairs_[c.pair[k]].coefficients];
    c.stiffness[k] = m.normal_stiffness;
    b.stiffness[k] = m.tangential_stiffness;
    b.friction[k] = friction_override_ ? *friction_override_ : m.friction;
    if (!pair_damping_.empty()) continue;
    c.damping[k] = m.damping;
    b.damping[k] = m.tangential_ratio * m.damping + m.tangential_damping;
  }
}

void SphereContacts::set_dampings(SphereColumns& c, laws::Block& b) const {
  if (pair_damping_.empty()) return;
  for (int k = 0; k < c.count; ++k) c.damping[k] = pair_damping_[c.pair[k]];
  if (materials_.uniform()) {
    const SphereCoefficients m = materials_[0];
    for (int k = 0; k < c.count; ++k) b.damping[k] = m.tangential_ratio * c.damping[k] + m.tangential_damping;
  } else {
    for (int k = 0; k < c.count; ++k) {
      const SphereCoefficients& m = materials_[pairs_[c.pair[k]].coefficients];
      b.damping[k] = m.tangential_ratio * c.damping[k] + m.tangential_damping;
    }
  }
}

/// Transports other than the turn of the frame (contact_frame.hpp).
void SphereContacts::transport_histories(std::size_t t, const SphereColumns& c, laws::Block&) {
  const SphereTile& tile = tiles_[t];
  for (int k = 0; k < c.count; ++k) {
    const Vec3 n0{tile.normal_x[k], tile.normal_y[k], tile.normal_z[k]}, n1{c.normal_x[k], c.normal_y[k], c.normal_z[k]};
    const Vec3 from{tile.direction_x[k], tile.direction_y[k], tile.direction_z[k]}, to{c.direction_x[k], c.direction_y[k], c.direction_z[k]};
    const Vec3 w = 0.5 * (c.vector(c.turn_p, k) + c.vector(c.turn_q, k));
    double none = 0;
    double& left = out_of_plane_.empty() ? none : out_of_plane_[t * tile_size + std::size_t(k)];
    transport_history(transport_matrix(choice_.transport, n0, from, n1, to, w), law_->transform, history(t) + std::size_t(k) * history_size_, left);
  }
}

/// Couple −c (ω_q − ω_p) on q, its opposite on p.
void SphereContacts::damp_rotation(SphereColumns& c, SphereLoad* loads, BlockSums& sums) const {
  for (int k = 0; k < c.count; ++k) {
    const bool own = movement_.own_velocity;
    const Vec3 turn = c.vector(c.turn_q, k) - c.vector(c.turn_p, k);
    const Vec3 spin = own ? c.vector(c.spin_q, k) - c.vector(c.spin_p, k) : turn;
    const Vec3 couple = (-rotational_damping_ * movement_.per_dt) * spin;
    SphereLoad &p = loads[c.load_p[k]], &q = loads[c.load_q[k]];
    p.tx -= couple.x;
    p.ty -= couple.y;
    p.tz -= couple.z;
    q.tx += couple.x;
    q.ty += couple.y;
    q.tz += couple.z;
    const double work = dot(couple, turn);
    sums.work.viscous -= work;
    sums.work.absolute += std::abs(work);
  }
}

void SphereContacts::process(const State& state, const SphereBlock& block, BlockSums& sums) {
  sums = {};
  Scratch scratch;
  SphereColumns& c = scratch.columns;
  laws::Block& b = scratch.block;
  std::fill_n(b.made, tile_size, 0.0);
  std::fill_n(b.lost, tile_size, 1.0);
  SphereLoad* const loads = loads_.data() + block.first_load;
  std::fill(loads, loads_.data() + block.end_load, SphereLoad{});
  const SphereInput in = input();
  if (materials_.uniform()) set_coefficients(c, b, int(tile_size));
  for (std::uint32_t t = block.first_tile; t < block.end_tile; ++t) {
    TileHead& head = heads_[t];
    SphereTile& tile = tiles_[t];
    const std::uint64_t touching = kernels_->find(in, head, c);
    const bool changed = touching != head.touching;
    if (changed) change_contacts(state, t, touching, scratch, sums);
    if (c.count == 0) {
      head.sliding = 0;
      continue;
    }
    kernels_->gather(in, head, movement_, c);
    if (!materials_.uniform()) set_coefficients(c, b, c.count);
    set_dampings(c, b);
    kernels_->move(movement_, tile, c, b);
    if (!evaluated_) {
      std::fill_n(b.shift_1, c.count, 0.0);
      std::fill_n(b.shift_2, c.count, 0.0);
    }
    if (!follows_frame_) transport_histories(t, c, b);
    law_->pass(law_options_, b, history(t));
    head.sliding = kernels_->bits(b.sliding, c.count);

    Vec3 force_before[tile_size];
    if (ledger_) {
      SphereTileViscous& before = viscous_[t];
      ContactWork& w = sums.work;
      for (int k = 0; k < c.count; ++k) {
        const double start = std::max(tile.overlap[k], 0.0), end = c.overlap[k];
        const double damping_n = 0.5 * (before.n[k] + c.viscous_n[k]) * c.damped_n[k];
        const double damping_t = 0.5 * ((before.t_1[k] + b.viscous_1[k]) * b.shift_1[k] + (before.t_2[k] + b.viscous_2[k]) * b.shift_2[k]);
        w.friction += b.dissipated[k];
        w.viscous -= damping_n + damping_t;
        w.circulation += b.work[k] - (b.stored[k] - tile.stored[k]) - b.dissipated[k];
        w.absolute += std::abs(0.5 * c.stiffness[k] * (end * end - start * start)) + std::abs(damping_n) + std::abs(damping_t) + std::abs(b.work[k]);
        before.n[k] = c.viscous_n[k];
        before.t_1[k] = b.viscous_1[k];
        before.t_2[k] = b.viscous_2[k];
      }
      if (cell_moves_)
        for (int k = 0; k < c.count; ++k) force_before[k] = force_on_q(tile, k);
    }
    if (!out_of_plane_.empty())
      for (int k = 0; k < c.count; ++k) {
        double along[laws::block_size] = {out_of_plane_[t * tile_size + std::size_t(k)]}, elongation[2];  // as a history
        law_->elongation(along, b.stiffness[k], elongation);
        c.viscous_n[k] -= b.stiffness[k] * elongation[0];
      }
    kernels_->force(b, tile, c);
    kernels_->scatter(c, loads);
    if (rotational_damping_ != 0) damp_rotation(c, loads, sums);
    if (ledger_ && cell_moves_)
      for (int k = 0; k < c.count; ++k) {
        const std::uint16_t image = pairs_[c.pair[k]].image;
        if (image != 0) sums.work.by_cell -= 0.5 * dot(force_before[k] + force_on_q(tile, k), cell_moved_[image]);
      }
    if (changed) std::fill_n(b.made, tile_size, 0.0);
  }
}

}  // namespace dem
