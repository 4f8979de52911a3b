// Forces of the contacts of a tile on its spheres, and their works. For kernels.cpp.
#pragma once
#include "libdem/contacts/spheres/kernels/gather.hpp"
#include "libdem/laws/normal/hertz.hpp"
#include "libdem/laws/normal/spring.hpp"

namespace dem::sphere_loops {

using namespace lanes;

/// Four contacts at a time, so that their forces go from registers to the loads.
template <int lanes, bool seen>
LIBDEM_INLINE void force_with(const laws::Block& __restrict b, const SphereTile& of, SphereColumns& __restrict c,
                              SphereLoad* __restrict loads) {
  const SphereTile tile = of;
  for (int k = 0; k < c.count; k += 4) {
    const Four n_x = four(c.normal.x + k), n_y = four(c.normal.y + k), n_z = four(c.normal.z + k);
    const Four e1_x = four(c.direction_x + k), e1_y = four(c.direction_y + k), e1_z = four(c.direction_z + k);
    const Four e2_x = n_y * e1_z - n_z * e1_y, e2_y = n_z * e1_x - n_x * e1_z, e2_z = n_x * e1_y - n_y * e1_x;
    const Four normal = four(b.normal_end + k) + four(b.normal_viscous + k);
    const Four f1 = four(b.elastic_1 + k) + four(b.viscous_1 + k), f2 = four(b.elastic_2 + k) + four(b.viscous_2 + k);
    four(tile.normal_x + k) = n_x;
    four(tile.normal_y + k) = n_y;
    four(tile.normal_z + k) = n_z;
    four(tile.direction_x + k) = e1_x;
    four(tile.direction_y + k) = e1_y;
    four(tile.direction_z + k) = e1_z;
    four(tile.overlap + k) = four(c.overlap + k);
    if constexpr (seen) {
      four(tile.force_n + k) = normal;
      four(tile.force_1 + k) = f1;
      four(tile.force_2 + k) = f2;
      four(tile.stored + k) = four(b.stored + k);
    }
    const FourRows forces = transposed({normal * n_x + (f1 * e1_x + f2 * e2_x), normal * n_y + (f1 * e1_y + f2 * e2_y),
                                        normal * n_z + (f1 * e1_z + f2 * e2_z), Four{}});
    // n × e1 = e2, n × e2 = −e1
    const FourRows couples = transposed({f1 * e2_x - f2 * e1_x, f1 * e2_y - f2 * e1_y, f1 * e2_z - f2 * e1_z, Four{}});
    const auto add = [&](int lane, const Four& force, const Four& couple) {
      if (lane >= c.count) return;
      SphereLoad &p = loads[c.ends[lane].p], &q = loads[c.ends[lane].q];
      four(&p.fx) -= force;
      four(&p.tx) -= c.arm_p[lane] * couple;
      four(&q.fx) += force;
      four(&q.tx) -= c.arm_q[lane] * couple;
    };
    add(k, forces.a, couples.a);
    add(k + 1, forces.b, couples.b);
    add(k + 2, forces.c, couples.c);
    add(k + 3, forces.d, couples.d);
  }
}

template <int lanes>
LIBDEM_INLINE void force_body(const laws::Block& b, const SphereTile& tile, SphereColumns& c, SphereLoad* loads) {
  if (tile.force_n)
    force_with<lanes, true>(b, tile, c, loads);
  else
    force_with<lanes, false>(b, tile, c, loads);
}

template <int lanes, bool forgets>
LIBDEM_INLINE void book_with(const laws::Block& b, const SphereTile& of, const SphereColumns& c, WorkLanes& sums) {
  constexpr int wide = std::max(lanes, 4);
  using Wide = Numbers<wide>;
  const SphereTile tile = of;
  const double share = c.hertzian ? laws::Hertz::stored_share : laws::Spring::stored_share;  // stored share of F_n ζ
  Four friction = four(sums.friction), viscous = four(sums.viscous), circulation = four(sums.circulation),
       event_loss = four(sums.event_loss), absolutes = four(sums.absolute);
  for (int k = 0; k < c.count; k += wide) {
    const auto at = [k](const double* column) -> const Wide& { return numbers<wide>(column + k); };
    const auto keep = [k](double* column, const Wide& v) { *reinterpret_cast<Wide*>(column + k) = v; };
    const Wide before = at(tile.overlap), end = at(c.overlap);
    const Wide viscous_n = at(b.normal_viscous), viscous_1 = at(b.viscous_1), viscous_2 = at(b.viscous_2);
    const Wide damping_n = 0.5 * (at(tile.viscous_n) + viscous_n) * (before - end);
    const Wide damping_t =
        0.5 * ((at(tile.viscous_1) + viscous_1) * at(b.shift_1) + (at(tile.viscous_2) + viscous_2) * at(b.shift_2));
    const Wide work = at(b.work), dissipated = at(b.dissipated);
    // The limited force of a sliding contact counts as a whole, however spring and dashpot share it.
    const Wide tangential = at(b.sliding) != 0 ? absolute(work - damping_t) : absolute(damping_t) + absolute(work);
    const Wide elastic =
        absolute(share * (at(b.normal_end) * end - at(b.normal_start) * (before > 0 ? before : Wide{})));
    keep(tile.viscous_n, viscous_n);
    keep(tile.viscous_1, viscous_1);
    keep(tile.viscous_2, viscous_2);
    // Four lanes after another, so that the sums of all instruction sets are the same.
    const auto add = [left = c.count - k](Four& sum, const Wide& v) {
      const Wide kept = first_lanes(v, left);
      for (int half = 0; half < wide; half += 4) sum += four(reinterpret_cast<const double*>(&kept) + half);
    };
    add(friction, dissipated);
    add(viscous, -(damping_n + damping_t));
    Wide taken = work - (at(b.stored) - at(tile.stored)) - dissipated;
    if constexpr (forgets) {
      taken -= at(b.forgotten);
      add(event_loss, at(b.forgotten));
    }
    add(circulation, taken);
    add(absolutes, elastic + absolute(damping_n) + tangential);
  }
  const auto put = [n = c.count % 4](double* sum, const Four& v) { four(sum) = rotated_lanes(v, n); };
  put(sums.friction, friction);
  put(sums.viscous, viscous);
  put(sums.circulation, circulation);
  if constexpr (forgets) put(sums.event_loss, event_loss);
  put(sums.absolute, absolutes);
  sums.next = (sums.next + unsigned(c.count)) % 4;
}

/// `forgets`: the law merges legs (Block::forgotten).
template <int lanes>
LIBDEM_INLINE void book_body(const laws::Block& b, const SphereTile& tile, const SphereColumns& c, bool forgets,
                             WorkLanes& sums) {
  if (forgets)
    book_with<lanes, true>(b, tile, c, sums);
  else
    book_with<lanes, false>(b, tile, c, sums);
}

}  // namespace dem::sphere_loops
