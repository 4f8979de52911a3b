// The contacts of one block: which exist, how they moved, the law, the forces, the work.
#include <algorithm>
#include <cmath>
#include <limits>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/contacts/spheres/contacts.hpp"
#include "libdem/laws/normal/spring.hpp"
#include "libdem/state/quaternion.hpp"

namespace dem {

SphereInput SphereContacts::input(const SphereRows& rows) const {
  return {rows.rows.data(), rows.velocities.data(), pairs_.data(), image_rows_.data()};
}

/// Overlap at the end of the step, from the same numbers as in the kernels (m).
static double overlap_of(const SphereInput& in, const SpherePair& pair) {
  const SpherePlace p = in.rows[pair.p].place, q = in.rows[pair.q].place;
  const SphereMove shift = in.images[pair.image].shift;
  return p.radius + q.radius - norm(Vec3{q.x - p.x + shift.x, q.y - p.y + shift.y, q.z - p.z + shift.z});
}

/// Starts a contact that is new in this step. Normal, gap and frame are those of the last evaluation.
void SphereContacts::start_contact(const State& state, const SphereBlock& block, const SpherePair& pair,
                                   std::uint32_t facet, const SphereTile& tile, int lane) const {
  const Bodies& bodies = state.bodies;
  const std::uint32_t p = sphere_at(block, pair.p);
  const bool wall = block.is_wall(pair);
  const auto before = [&](std::uint32_t sphere) {
    const std::uint32_t b = spheres_.body[sphere];
    const Vec3 x = bodies.evaluated_position_before[b];
    return spheres_.single ? x : x + offset_of(state, sphere, bodies.evaluated_orientation_before[b]);
  };
  const Vec3 from = before(p);
  Vec3 branch;
  double reach = radius_[p];
  if (wall) {
    const std::size_t b = wall_body(wall_of(block, pair));
    const Vec3 in_wall = from - bodies.evaluated_position_before[b];
    branch = geometry::nearest_point(state.shape_of(b).facets()->facets()[facet], in_wall).point - in_wall;
  } else {
    const std::uint32_t q = sphere_at(block, pair.q);
    branch = before(q) - from + shift_before_[pair.image];
    reach += radius_[q];
  }
  const double length = norm(branch);
  const Vec3 normal = length > 0 ? (1 / length) * branch : Vec3{1, 0, 0}, direction = any_direction(normal);
  tile.normal_x[lane] = normal.x;
  tile.normal_y[lane] = normal.y;
  tile.normal_z[lane] = normal.z;
  tile.direction_x[lane] = direction.x;
  tile.direction_y[lane] = direction.y;
  tile.direction_z[lane] = direction.z;
  tile.overlap[lane] = std::min(reach - length, 0.0);
  set_damping(block, pair, tile, lane);
}

/// Moves the contacts of a tile to the lanes of their pairs, starts new ones and books lost ones.
void SphereContacts::change_contacts(const State& state, const SphereRows& rows, SphereBlock& block, TileHead& head,
                                     std::uint64_t touching, Scratch& scratch, BlockSums& sums) {
  const int held = head.contacts(), count = std::popcount(touching);
  // Contacts before the first pair that came or went stay where they are, unless the tile needs more room.
  const bool grows = count > int(head.width);
  const auto first_pair = grows ? 0u : std::uint32_t(std::countr_zero(touching ^ head.touching));
  const int first_lane = std::popcount(head.touching & ((std::uint64_t(1) << first_pair) - 1));
  TileRoom old(format_);
  const SphereTile stored = block.tile(format_, head);
  for (int lane = first_lane; lane < held; ++lane) old.tile.copy_lane(format_, lane, stored, lane);

  const auto for_each_lost = [&](auto&& f) {
    int lane = first_lane;
    for (std::uint32_t k = first_pair; k < head.pairs; ++k) {
      if (!(head.touching >> k & 1u)) continue;
      if (!(touching >> k & 1u)) f(k, lane);
      ++lane;
    }
  };
  // Laws that see lost contacts give their legs back themselves.
  if (law_->legs >= 0 && !(ledger_ && law_->sees_lost_contacts))
    for_each_lost([&](std::uint32_t, int lane) {
      law_->for_each_stack(history_of(old.tile, lane), [&](laws::LegPool::Stack& legs) { block.legs.clear(legs); });
    });
  if (ledger_ && (head.touching & ~touching) != 0) {
    TileRoom lost(format_);
    std::uint32_t pairs[tile_size];
    int n = 0;
    for_each_lost([&](std::uint32_t k, int lane) {
      lost.tile.copy_lane(format_, n, old.tile, lane);
      pairs[n++] = head.first_pair + k;
    });
    lost.tile.pad(format_, n);
    book_lost(rows, block, head, lost.tile, {pairs, std::size_t(n)}, sums);
  }
  if (grows) block.give_room(format_, head, count);
  const SphereTile tile = block.tile(format_, head);
  int from = first_lane, to = first_lane;
  for (std::uint32_t k = first_pair; k < head.pairs; ++k) {
    const bool was = head.touching >> k & 1u, is = touching >> k & 1u;
    if (was && is) {
      tile.copy_lane(format_, to, old.tile, from);
    } else if (is) {
      for (std::size_t c = 0; c < format_.columns(); ++c) tile.value(c, to) = 0;
      std::fill_n(history_of(tile, to), format_.history, 0.0);
      start_contact(state, block, pairs_[head.first_pair + k], scratch.facet[k], tile, to);
      // Moment of the step at which it touches, from the overlaps.
      const double gap = -tile.overlap[to], overlap = overlap_of(input(rows), pairs_[head.first_pair + k]);
      if (evaluated_ && gap + overlap > 0) scratch.block.made[to] = gap / (gap + overlap);
    }
    from += was;
    to += is;
  }
  tile.pad(format_, count);
  head.touching = touching;
}

/// Books contacts that ended in this step. Their forces end within it. A law that sees them books their stored energy;
/// otherwise it is an event loss beyond the work that the last movement took.
void SphereContacts::book_lost(const SphereRows& rows, SphereBlock& block, const TileHead& head, const SphereTile& lost,
                               std::span<const std::uint32_t> pairs, BlockSums& sums) const {
  Scratch scratch;
  SphereColumns& c = scratch.columns;
  laws::Block& b = scratch.block;
  set_damping_form(c);
  c.walls = block.is_wall(pairs_[head.first_pair]);
  b.legs = &block.legs;
  c.count = 0;
  for (const std::uint32_t pair : pairs) c.lane[c.count++] = std::uint8_t(pair - head.first_pair);
  for (int k = c.count; k < whole_lanes(c.count); ++k) c.lane[k] = c.lane[c.count - 1];
  kernels_->gather(input(rows), head, movement_, c);
  kernels_->normals(c);
  set_coefficients(c, b, whole_lanes(c.count));
  move(lost, c, b);
  for (int k = 0; k < whole_lanes(c.count); ++k) {
    const double end = std::min(c.overlap[k], 0.0);
    b.normal_end[k] = b.normal_viscous[k] = 0;
    b.made[k] = 0;
    b.lost[k] = lost.overlap[k] > end ? lost.overlap[k] / (lost.overlap[k] - end) : 1;
    b.damping[k] = 0;
  }
  if (law_->sees_lost_contacts) law_->pass(law_.data(), step_flags_, b, lost.history);
  for (int k = 0; k < c.count; ++k) {
    ContactWork& w = sums.lost;
    const double damping_n = 0.5 * lost.viscous_n[k] * (lost.overlap[k] - c.overlap[k]);
    const double damping_t = 0.5 * (lost.viscous_1[k] * b.shift_1[k] + lost.viscous_2[k] * b.shift_2[k]);
    const double damping_r = books_couples() ? 0.5 * dot(couple_at_start(block, c, k), c.turn_q[k] - c.turn_p[k]) : 0;
    const double pressed =
        (c.hertzian ? laws::Hertz::stored_share : laws::Spring::stored_share) * b.normal_start[k] * lost.overlap[k];
    w.viscous -= damping_n + damping_t + damping_r;
    double slid = 0;
    if (law_->sees_lost_contacts) {
      slid = b.work[k];
      w.friction += b.dissipated[k];
      w.circulation += b.work[k] + lost.stored[k] - b.stored[k] - b.dissipated[k];
      w.event_loss += b.stored[k];
    } else {
      slid = -0.5 * ((lost.force_1[k] - lost.viscous_1[k]) * b.shift_1[k] +
                     (lost.force_2[k] - lost.viscous_2[k]) * b.shift_2[k]);
      w.event_loss += lost.stored[k] + slid;
    }
    w.absolute += pressed + std::abs(damping_n) + std::abs(damping_t) + std::abs(damping_r) + std::abs(slid);
    if (lost.out_of_plane) {
      const double taken = 0.5 * push_along_normal(lost.out_of_plane[k], c, b, k) * (c.overlap[k] - lost.overlap[k]);
      w.circulation += taken;
      w.absolute += std::abs(taken);
    }
    if (cell_moves_) w.by_cell -= 0.5 * dot(lost.force_on_q(k), cell_moved_[c.pair(k).image]);
  }
}

/// Force of transport `none` along the normal, positive where the bodies push (N).
double SphereContacts::push_along_normal(double left, const SphereColumns& c, const laws::Block& b, int k) const {
  return -law_->along_normal(law_.data(), left, {b.stiffness[k], 0, 0, 0, c.stiffness[k]});
}

/// Adds the forces of transport `none` along the normals. No stored energy belongs to them: their work is circulation.
void SphereContacts::push_along_normals(const SphereTile& tile, const SphereColumns& c, laws::Block& b,
                                        const double* left_before, ContactWork& work) const {
  for (int k = 0; k < c.count; ++k) {
    const double push = push_along_normal(tile.out_of_plane[k], c, b, k);
    b.normal_viscous[k] += push;
    if (!ledger_) continue;
    const double taken = 0.5 * (push_along_normal(left_before[k], c, b, k) + push) * (c.overlap[k] - tile.overlap[k]);
    work.circulation += taken;
    work.absolute += std::abs(taken);
  }
}

/// Sets the coefficients of the first `count` contacts. Dampings may differ within a pair of materials (see move()).
void SphereContacts::set_coefficients(SphereColumns& c, laws::Block& b, int count) const {
  c.tangential_share = table_[0].tangential_ratio;
  c.more_tangential = table_[0].tangential_damping;
  for (int k = 0; k < count; ++k) {
    const PairValues& m = table_[table_.uniform() ? 0 : c.pair(k).coefficients];
    c.stiffness[k] = m.normal_stiffness;
    b.stiffness[k] = m.tangential_stiffness;
    b.modulus[k] = m.modulus;
    b.ratio[k] = m.ratio;
    b.friction[k] = table_.friction(m);
    c.own_damping[k] = m.damping;
  }
}

/// Sets dashpot and spring if they depend on the pair of bodies.
void SphereContacts::set_damping(const SphereBlock& block, const SpherePair& pair, const SphereTile& tile,
                                 int lane) const {
  if (!format_.damping && !format_.stiffness) return;
  const auto [i, j] = bodies_of(block, pair);
  const double root = table_.root_of_reduced_mass(i, j);
  const PairValues& m = table_[pair.coefficients];
  if (format_.stiffness) tile.stiffness[lane] = table_.stiffness(m, root, hertz_of(block, pair).radius);
  if (!format_.damping) return;
  const double of_mass = table_.damping_by_rate() ? root * root : root,
               of_spring = format_.stiffness && !table_.damping_by_rate() ? tile.stiffness[lane] : 1;
  tile.damping[lane] = m.damping * of_mass * std::sqrt(of_spring);
}

/// Sets the form of γ_n in the columns (SphereColumns::damping_by_stiffness).
void SphereContacts::set_damping_form(SphereColumns& c) const {
  c.hertzian = table_.hertzian();
  const bool by_mass = c.hertzian && table_.damping_by_mass(), by_rate = table_.damping_by_rate();
  c.damping_by_stiffness = by_mass && !by_rate;
  c.damping_by_radius = by_mass && by_rate;
}

/// Writes the movement of the contacts since the state of the tile, with the dampings for it.
void SphereContacts::move(const SphereTile& tile, SphereColumns& c, laws::Block& b) const {
  c.damping = format_.damping ? tile.damping : c.own_damping;
  if (format_.stiffness)
    for (int k = 0; k < whole_lanes(c.count); ++k) {
      c.stiffness[k] = tile.stiffness[k];
      b.stiffness[k] = table_.stiffness_ratio() * tile.stiffness[k];
    }
  if (c.hertzian) kernels_->hertz(tile, c, b);
  kernels_->move(movement_, tile, c, b);
  if (table_.uniform()) return;
  const int lanes = whole_lanes(c.count);
  for (int k = 0; k < lanes; ++k) {
    const PairValues& m = table_[c.pair(k).coefficients];
    b.damping[k] = m.tangential_ratio * c.damping[k] + m.tangential_damping;
  }
}

/// Applies transports other than the turn of the frame (contact_frame.hpp).
void SphereContacts::transport_histories(const SphereTile& tile, const SphereColumns& c) const {
  const bool carries = carries_force(law_);  // else the plane loses nothing to the normal
  for (int k = 0; k < c.count; ++k) {
    const Vec3 to{c.direction_x[k], c.direction_y[k], c.direction_z[k]}, w = 0.5 * (c.turn_p[k] + c.turn_q[k]);
    double none = 0;
    double& left = tile.out_of_plane && carries ? tile.out_of_plane[k] : none;
    transport_history(transport_matrix(choice_.transport, tile.normal(k), tile.direction_1(k), c.normal[k], to, w),
                      law_->transform, history_of(tile, k), left);
  }
}

/// Couple −c (ω_q − ω_p) on q of rotational damping, by the spins at the start of the step (N m). It differs in second
/// order from the couple of the last evaluation, which is not kept. In a step with other bodies on a rank these spins
/// are not known. Then they are such that the mean of start and end gives the turn.
Vec3 SphereContacts::couple_at_start(const SphereBlock& block, const SphereColumns& c, int k) const {
  const double per_turn = -table_.rotational_damping * movement_.per_dt;
  const auto [i, j] = bodies_of(block, c.pair(k));
  if (!start_turned_.empty()) return per_turn * (start_turned_[j] - start_turned_[i]);
  const Vec3 turn = c.turn_q[k] - c.turn_p[k];
  return per_turn * (movement_.own_velocity ? 2.0 * turn - (c.spin_q[k] - c.spin_p[k]) : turn);
}

/// Adds the couple −c (ω_q − ω_p) on q, and its opposite on p. Couples have sums of their own: among those of the
/// forces their place would depend on where the list is cut into tiles. Runs before the tile has the new overlaps.
void SphereContacts::damp_rotation(const SphereBlock& block, const SphereTile& tile, SphereColumns& c, Vec3* couples,
                                   BlockSums& sums) const {
  for (int k = 0; k < c.count; ++k) {
    const bool own = movement_.own_velocity;
    const Vec3 turn = c.turn_q[k] - c.turn_p[k];
    const Vec3 spin = own ? c.spin_q[k] - c.spin_p[k] : turn;
    const Vec3 couple = (-table_.rotational_damping * movement_.per_dt) * spin;
    couples[c.pair(k).p] -= couple;
    couples[c.pair(k).q] += couple;
    if (!ledger_) continue;
    const Vec3 before = tile.overlap[k] > 0 ? couple_at_start(block, c, k) : Vec3{};  // none of a new contact
    const double work = 0.5 * dot(before + couple, turn);
    sums.work.viscous -= work;
    sums.work.absolute += std::abs(work);
  }
}

/// Books half the work of a force on the movement by the cell; calls with forces before and after make the trapezoid.
void SphereContacts::book_cell_work(const TileHead& head, const SphereTile& tile, double& sum) const {
  for (std::uint64_t left = head.touching & head.by_image; left != 0; left &= left - 1) {
    const int pair = std::countr_zero(left), lane = std::popcount(head.touching & ((std::uint64_t(1) << pair) - 1));
    sum -= 0.5 * dot(tile.force_on_q(lane), cell_moved_[pairs_[head.first_pair + std::uint32_t(pair)].image]);
  }
}

EvaluationTimes SphereContacts::times() const {
  EvaluationTimes sum;
  for (const BlockSums& s : sums_) sum += s.times;
  return sum;
}

void SphereContacts::process(State& state, const BaseLoads& base, SphereBlock& block, BlockSums& sums) {
  // Data of the present block, in the cache of its thread. The memory is kept from block to block and step to step.
  thread_local SphereRows rows;
  thread_local std::vector<SphereLoad> loads;
  place_block(state, block, rows);
  loads.resize(rows.rows.size());
  static_assert(sizeof(SphereLoad) == 8 * sizeof(double));
  std::fill_n(&loads.data()->fx, 8 * loads.size(), 0.0);  // as one block of memory, much faster than load by load
  process_tiles(state, block, rows, loads.data(), sums);
  hand_over_loads(state.bodies, base, block, loads.data());
  if (wall_count_ > 0) hand_over_wall_loads(state, block, rows, loads.data());
}

void SphereContacts::ask_for_next(const SphereBlock& block, const TileHead& next, TileRequests& requests) const {
  const auto lines = [&](const std::vector<StoreLine>& store, std::size_t columns) {
    return std::span(store).subspan(next.at * columns, next.width / 8 * columns);
  };
  requests.begin_tile(lines(block.store, format_.stored_stride()),
                      format_.watched ? lines(block.seen, TileFormat::for_observers) : std::span<const StoreLine>());
}

void SphereContacts::begin_scratch(SphereBlock& block, Scratch& scratch) const {
  SphereColumns& c = scratch.columns;
  laws::Block& b = scratch.block;
  std::fill_n(b.made, tile_size, 0.0);
  std::fill_n(b.lost, tile_size, 1.0);
  std::fill_n(scratch.facet, tile_size, 0u);
  for (double* reply : {b.elastic_1, b.elastic_2, b.viscous_1, b.viscous_2, b.stored, b.forgotten, b.sliding})
    std::fill_n(reply, tile_size, 0.0);  // for laws that leave lanes out
  set_damping_form(c);
  b.legs = &block.legs;
  if (table_.uniform()) set_coefficients(c, b, int(tile_size));
}

void SphereContacts::process_tiles(const State& state, SphereBlock& block, SphereRows& rows, SphereLoad* loads,
                                   BlockSums& sums) {
  sums = {};
  // A law with pass_many gets all tiles of the block at once, any other law one tile after another.
  Scratch one;
  thread_local std::vector<Scratch> of_tiles;
  thread_local std::vector<laws::BlockPass> passes;
  thread_local std::vector<Vec3> couples;  // of rotational damping, by row
  if (table_.rotational_damping != 0) couples.assign(rows.rows.size(), Vec3{});
  std::span<Scratch> group(&one, 1);
  if (law_->pass_many) {
    of_tiles.resize(std::max<std::size_t>(of_tiles.size(), block.end_tile - block.first_tile));
    group = of_tiles;
  }
  for (Scratch& scratch : group) begin_scratch(block, scratch);
  const SphereInput in = input(rows);
  TileRequests requests;
  Lap lap(timed_);
  for (std::uint32_t first = block.first_tile, end; first < block.end_tile; first = end) {
    end = std::min(block.end_tile, first + std::uint32_t(group.size()));
    for (std::uint32_t t = first; t < end; ++t) {
      TileHead& head = heads_[t];
      Scratch& scratch = group[t - first];
      SphereColumns& c = scratch.columns;
      laws::Block& b = scratch.block;
      if (fetches_ahead_ && t + 1 < block.end_tile) ask_for_next(block, heads_[t + 1], requests);
      requests.portion();
      c.walls = t >= block.first_wall_tile;
      if (c.walls) meet_walls(state, block, head, rows, scratch, sums);
      scratch.changed = !kernels_->follow(in, head, movement_, c);
      requests.portion();
      if (scratch.changed) {
        const std::uint64_t touching = kernels_->find(in, head, c);
        if (touching != head.touching) change_contacts(state, rows, block, head, touching, scratch, sums);
        kernels_->gather(in, head, movement_, c);
        kernels_->normals(c);
      }
      if (lap) sums.times.geometry += lap.seconds();
      if (c.count == 0) {
        head.sliding = 0;
        continue;
      }
      const SphereTile tile = block.tile(format_, head);
      if (!table_.uniform()) set_coefficients(c, b, whole_lanes(c.count));
      move(tile, c, b);
      requests.portion();
      if (!evaluated_) {
        std::fill_n(b.shift_1, tile_size, 0.0);
        std::fill_n(b.shift_2, tile_size, 0.0);
      }
      if (tile.out_of_plane) std::copy_n(tile.out_of_plane, c.count, scratch.left_before);
      if (!follows_frame_) transport_histories(tile, c);
      if (!law_->pass_many) law_->pass(law_.data(), step_flags_, b, tile.history);
    }
    if (law_->pass_many) {
      passes.clear();
      for (std::uint32_t t = first; t < end; ++t)
        if (Scratch& scratch = group[t - first]; scratch.columns.count > 0)
          passes.push_back({&scratch.block, block.tile(format_, heads_[t]).history});
      law_->pass_many(law_.data(), step_flags_, passes);
    }
    for (std::uint32_t t = first; t < end; ++t) {
      TileHead& head = heads_[t];
      Scratch& scratch = group[t - first];
      SphereColumns& c = scratch.columns;
      laws::Block& b = scratch.block;
      if (c.count == 0) continue;
      const SphereTile tile = block.tile(format_, head);
      if (format_.damping) c.damping = tile.damping;  // a later tile may have moved the store
      if (!step_flags_.energies && tile.stored)
        std::fill_n(b.stored, whole_lanes(c.count), std::numeric_limits<double>::quiet_NaN());
      sums.merge_error = std::max(sums.merge_error, b.merge_error);
      head.sliding = kernels_->bits(b.sliding, c.count);

      if (ledger_) kernels_->book(b, tile, c, law_->legs >= 0, sums.lanes);
      const bool by_cell = ledger_ && cell_moves_;
      if (by_cell) book_cell_work(head, tile, sums.cell_before);
      if (tile.out_of_plane) push_along_normals(tile, c, b, scratch.left_before, sums.work);
      requests.portion();
      if (table_.rotational_damping != 0) damp_rotation(block, tile, c, couples.data(), sums);
      kernels_->force(b, tile, c, loads);
      if (by_cell) book_cell_work(head, tile, sums.cell_after);
      if (scratch.changed) std::fill_n(b.made, tile_size, 0.0);
      if (lap) sums.times.forces += lap.seconds();
    }
  }
  if (table_.rotational_damping != 0)
    for (std::size_t k = 0; k < couples.size(); ++k) {
      loads[k].tx += couples[k].x;
      loads[k].ty += couples[k].y;
      loads[k].tz += couples[k].z;
    }
  const WorkLanes& lanes = sums.lanes;
  sums.work += {lanes.total(lanes.friction), lanes.total(lanes.viscous), lanes.total(lanes.circulation),
                lanes.total(lanes.event_loss), lanes.total(lanes.absolute)};
  sums.work.by_cell = sums.cell_before + sums.cell_after;
}

}  // namespace dem
