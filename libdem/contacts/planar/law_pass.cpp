// The law pass: movement, law, forces and the work of the step, for the contacts of a chunk, four at a time. The
// last ones go one by one. Every set of instructions computes a contact by the same operations.
#pragma GCC diagnostic ignored "-Wpsabi"  // a helper that returns a vector is always inlined
#include <algorithm>
#include <cstddef>

#include "geometry/instructions.hpp"
#include "libdem/contacts/planar/movement.hpp"

namespace dem {
namespace {

constexpr PlanarContact no_contact{};
constexpr Four no_shift{0, 0, -0.0, -0.0};

}  // namespace

/// The pass over the contacts of a chunk, up to laws::block_size at a time.
struct PlanarContacts::LawPass {
  LIBDEM_INLINE LawPass(const PlanarContacts& engine, Scratch& scratch)
      : engine_(engine), scratch_(scratch), chunk_(*scratch.chunk) {}

  LIBDEM_INLINE void run() {
    const std::size_t count = chunk_.contacts.size(), history_size = std::size_t(engine_.law_->history_size);
    for (std::size_t first = 0; first < count; first += laws::block_size) {
      block_.count = int(std::min<std::size_t>(laws::block_size, count - first));
      begin(first);
      const int whole = block_.count / 4 * 4;
      for (int k = 0; k < whole; k += 4) move<Four>(first, k);
      for (int k = whole; k < block_.count; ++k) move<double>(first, k);
      if (engine_.discs_ && engine_.damps_movement()) refine_touch(first);
      engine_.law_->pass(engine_.law_.data(), engine_.step_flags_, block_,
                         chunk_.history.data() + first * history_size);
      for (int k = 0; k < whole; k += 4) book<Four>(first, k);
      for (int k = whole; k < block_.count; ++k) book<double>(first, k);
    }
  }

  static void run_generic(const PlanarContacts& engine, Scratch& scratch) { LawPass(engine, scratch).run(); }
#if defined(__x86_64__) && defined(__GNUC__)
  [[gnu::flatten, gnu::target("avx2")]] static void run_avx2(const PlanarContacts& engine, Scratch& scratch) {
    LawPass(engine, scratch).run();
  }
  static auto fastest() { return geometry::instructions() == geometry::Instructions::generic ? run_generic : run_avx2; }
#else
  static auto fastest() { return run_generic; }
#endif

  /// Tangential movement of two discs (m) from `before` to `now`, by the elongation of the case.
  static double shift_of_discs(const PlanarContacts& engine, PlanarContact now, const PlanarContact& before) {
    const BodyFrame &i = engine.frames_[now.key.i], &j = engine.frames_[now.key.j];
    const Four shift = image_shift_of(engine.image_shift(now.key.image));
    const Movement<double>::Rows rows{{&now}, {&before}, {&i}, {&j}, {&shift}};
    const Vec2 moved = engine.image_movement(now.key), velocity = engine.image_velocity(now.key);
    const Movement<double>::Images images{{moved.x, moved.y}, {velocity.x, velocity.y}};
    const Movement<double> movement(engine, rows, engine.is_wall_[now.key.j] != 0, images);
    return engine.choice_.elongation == Elongation::geometric ? movement.disc_shift()
                                                              : movement.velocity_shift(movement.tangential_line());
  }

 private:
  using Column = double[laws::block_size];

  /// Coefficients, histories and images of the block: what is looked up by body or pair. A loop of its own, because
  /// vectors that are read soon after their numbers were written one by one wait for them.
  LIBDEM_INLINE void begin(std::size_t first) {
    copy_histories(first);
    const PairTable& table = engine_.table_;
    for (int row = 0; row < block_.count; ++row) {
      const std::size_t k = first + std::size_t(row);
      const ContactKey& key = chunk_.contacts[k].key;
      const int continued = scratch_.continued[k];
      if (continued >= 0) {
        const PlanarContact& old = scratch_.before[std::size_t(continued)];
        before_[row] = &old;
        normal_damping_[row] = old.normal_damping;
        block_.damping[row] = old.tangential_damping;
      } else {
        before_[row] = &no_contact;
        normal_damping_[row] = table.normal_damping(key.i, key.j);
        block_.damping[row] = table.tangential_damping(normal_damping_[row], table.of(key.i, key.j));
      }
      fresh_[row] = -(continued < 0);
      wall_[row] = -(engine_.is_wall_[key.j] != 0);
      const PairValues& springs = table.of(key.i, key.j);
      block_.stiffness[row] = springs.tangential_stiffness;
      block_.friction[row] = table.friction(springs);
      if (!engine_.is_periodic_) continue;
      const auto set = [row](Column(&column)[2], Vec2 v) {
        column[0][row] = v.x;
        column[1][row] = v.y;
      };
      image_shift_[row] = image_shift_of(engine_.image_shift(key.image));
      if (!engine_.cell_moves_) continue;
      set(image_movement_, engine_.image_movement(key));
      set(image_velocity_, engine_.image_velocity(key));
    }
  }
  LIBDEM_INLINE void copy_histories(std::size_t first) {
    const std::size_t size = std::size_t(engine_.law_->history_size), last = first + std::size_t(block_.count);
    const int* const continued = scratch_.continued.data();
    for (std::size_t k = first, end = k; k < last; k = end) {  // contacts that follow each other, as they did before
      while (++end < last && continued[end] == continued[end - 1] + 1 && continued[k] >= 0) {
      }
      double* const history = chunk_.history.data() + k * size;
      if (continued[k] < 0)
        std::fill_n(history, size, 0.0);
      else
        std::copy_n(scratch_.history_before.data() + std::size_t(continued[k]) * size, (end - k) * size, history);
    }
  }
  /// Numbers k … of a column, one or four.
  template <class N>
  LIBDEM_INLINE static N& at(double* column, int k) {
    return *reinterpret_cast<N*>(column + k);
  }
  template <class N>
  LIBDEM_INLINE static Points<N> points_at(Column (&column)[2], int k) {
    return {at<N>(column[0], k), at<N>(column[1], k)};
  }
  template <class N>
  LIBDEM_INLINE static MaskOf<N> mask_at(const long long* column, int k) {
    if constexpr (contacts_of<N> == 1)
      return column[k] != 0;
    else
      return reinterpret_cast<const lanes::FourBits&>(column[k]);
  }
  template <class N>
  LIBDEM_INLINE typename Movement<N>::Rows rows_at(std::size_t first, int k) const {
    typename Movement<N>::Rows rows;
    for (int lane = 0; lane < contacts_of<N>; ++lane) {
      PlanarContact& c = chunk_.contacts[first + std::size_t(k + lane)];
      rows.now[lane] = &c;
      rows.before[lane] = before_[k + lane];
      rows.i[lane] = &engine_.frames_[c.key.i];
      rows.j[lane] = &engine_.frames_[c.key.j];
      rows.image_shift[lane] = engine_.is_periodic_ ? &image_shift_[k + lane] : &no_shift;
    }
    return rows;
  }

  /// Movement writer of the next rows from k on, and the works that do not wait for the law. The movement of a step is
  /// taken along the lines of action at its two ends, for a trapezoid of force over movement.
  template <class N>
  LIBDEM_INLINE void move(std::size_t first, int k) {
    const PlanarContacts& of = engine_;
    const auto rows = rows_at<N>(first, k);
    typename Movement<N>::Images images{};
    if (of.cell_moves_) {
      images.moved = points_at<N>(image_movement_, k);
      images.velocity = points_at<N>(image_velocity_, k);
    }
    const Movement<N> movement(of, rows, mask_at<N>(wall_, k), images);
    N shift = of.discs_ ? N{} : movement.follow_points();
    const Lines<N> elastic = movement.elastic_line(), viscous = movement.viscous_line(),
                   tangential = movement.tangential_line();
    if (of.choice_.elongation == Elongation::velocity)
      shift = movement.velocity_shift(tangential);
    else if (of.discs_)
      shift = movement.disc_shift();
    const N press_now = movement.along(elastic), damp_now = movement.along(viscous),
            slide_now = movement.along(tangential);
    const N per_dt = N{} + (of.damps_movement() ? 1 / of.elongation_dt_ : 0);
    const N rate = of.damps_movement() ? per_dt * damp_now : movement.rate_along(viscous),
            slip_rate = of.damps_movement() ? per_dt * slide_now : movement.rate_along(tangential);
    const N elastic_now = columns<N>(rows.now, LIBDEM_AT(normal_elastic)).a,
            stored_now = columns<N>(rows.now, LIBDEM_AT(stored_normal)).a;
    N viscous_now = -at<N>(normal_damping_, k) * rate;
    if (of.choice_.clip_tension) viscous_now = elastic_now + viscous_now < 0 ? -elastic_now : viscous_now;
    const N couple = -of.table_.rotational_damping * (movement.spin_j - movement.spin_i);

    // The contact before the step.
    const Columns<N> a = columns<N>(rows.before, LIBDEM_AT(elastic_line)),
                     b = columns<N>(rows.before, LIBDEM_AT(elastic_line) + 32),
                     c = columns<N>(rows.before, LIBDEM_AT(elastic_line) + 64),
                     d = columns<N>(rows.before, LIBDEM_AT(elastic_line) + 96),
                     e = columns<N>(rows.before, LIBDEM_AT(elastic_line) + 128),
                     f = columns<N>(rows.before, LIBDEM_AT(stored_normal));
    const Lines<N> old_elastic{{a.a, a.b}, a.c, a.d, b.a}, old_viscous{{b.b, b.c}, b.d, c.a, c.b},
        old_tangential{{c.c, c.d}, d.a, d.b, d.c};
    const N elastic_then = d.d, viscous_then = e.a, couple_then = e.d;
    const N press_then = movement.along(old_elastic), damp_then = movement.along(old_viscous);

    at<N>(block_.normal_start, k) = elastic_then;
    at<N>(block_.normal_end, k) = elastic_now;
    at<N>(block_.normal_viscous, k) = viscous_now;
    at<N>(block_.velocity_1, k) = slip_rate;
    at<N>(block_.velocity_2, k) = at<N>(block_.shift_2, k) = at<N>(block_.made, k) = N{};
    at<N>(block_.lost, k) = N{} + 1;
    // A new contact starts unstrained; refine_touch() has the exception.
    at<N>(block_.shift_1, k) = mask_at<N>(fresh_, k) ? N{} : shift;

    const auto keep = [k](Column & column, const N& v) __attribute__((always_inline)) { at<N>(column, k) = v; };
    keep(elastic_work_, 0.5 * (elastic_then * press_then + elastic_now * press_now));
    keep(viscous_work_, 0.5 * (viscous_then * damp_then + viscous_now * damp_now));
    keep(couple_work_, 0.5 * (couple_then + couple) * (movement.turned_j - movement.turned_i));
    keep(slide_then_, movement.along(old_tangential));
    keep(slide_now_, slide_now);
    keep(tangential_then_, e.b);
    keep(damper_then_, e.c);
    keep(stored_tangential_then_, f.b);
    keep(stored_change_, stored_now - f.a);
    keep(stored_normal_, stored_now);
    keep(normal_viscous_, viscous_now);
    keep(couple_, couple);
    const Points<N> pressing = elastic_now * elastic.direction + viscous_now * viscous.direction;
    keep(pressing_[0], pressing.x);
    keep(pressing_[1], pressing.y);
    keep(pressing_torque_i_, elastic_now * elastic.arm_i + viscous_now * viscous.arm_i);
    keep(pressing_torque_j_, elastic_now * elastic.arm_j + viscous_now * viscous.arm_j);
    const Lines<N>& t = tangential;
    keep(tangent_[0], t.direction.x);
    keep(tangent_[1], t.direction.y);
    keep(tangent_scale_, t.scale);
    keep(arm_i_, t.arm_i);
    keep(arm_j_, t.arm_j);
    if (of.cell_moves_) {
      const N tangential_then = e.b + e.c;
      const Points<N> force = elastic_then * old_elastic.direction + viscous_then * old_viscous.direction +
                              (tangential_then * old_tangential.scale) * old_tangential.direction;
      keep(force_then_[0], force.x);
      keep(force_then_[1], force.y);
    }
    const Lines<N>& v = viscous;
    write_columns<N>(rows.now, LIBDEM_AT(viscous_line), {v.direction.x, v.direction.y, v.scale, v.arm_i});
    write_columns<N>(rows.now, LIBDEM_AT(viscous_line) + 32, {v.arm_j, t.direction.x, t.direction.y, t.scale});
    write_columns<N>(rows.now, LIBDEM_AT(tangential_line) + 24, {t.arm_i, t.arm_j, elastic_now, viscous_now});
  }

  /// The gap of new contacts of discs before touch is known, and this law uses it.
  void refine_touch(std::size_t first) {
    for (int row = 0; row < block_.count; ++row) {
      if (!fresh_[row]) continue;
      PlanarContact& c = chunk_.contacts[first + std::size_t(row)];
      const Vec2 branch = engine_.branch_of(c.key), moved = engine_.relative_movement(c.key);
      const PlanarContact apart = engine_.discs_at(c.key, branch - moved);
      if (apart.overlap > 0) continue;
      block_.made[row] = -apart.overlap / (c.overlap - apart.overlap);
      block_.shift_1[row] = shift_of_discs(engine_, c, apart);
    }
  }

  /// Forces of the next rows from k on, and their work.
  template <class N>
  LIBDEM_INLINE void book(std::size_t first, int k) {
    const auto of = [k](Column & column) __attribute__((always_inline))->const N& { return at<N>(column, k); };
    const auto rows = rows_at<N>(first, k);
    const N spring = of(block_.elastic_1), damper = of(block_.viscous_1), stored = of(block_.stored),
            friction = of(block_.dissipated), couple = of(couple_);
    const N slides = of(block_.sliding);
    const N tangential_force = spring + damper;
    const Points<N> force =
        points_at<N>(pressing_, k) + (tangential_force * of(tangent_scale_)) * points_at<N>(tangent_, k);
    const N torque_i = of(pressing_torque_i_) + tangential_force * of(arm_i_) - couple,
            torque_j = of(pressing_torque_j_) + tangential_force * of(arm_j_) + couple;

    const N then = of(slide_then_), now = of(slide_now_);
    const N elastic = of(elastic_work_), viscous_normal = of(viscous_work_), viscous_couple = of(couple_work_);
    const N tangential = 0.5 * (of(tangential_then_) * then + spring * now);
    const N viscous_tangential = 0.5 * (of(damper_then_) * then + damper * now);
    N circulation = {};
    if (!engine_.has_potential_) circulation -= elastic + of(stored_change_);
    if (!engine_.tangential_conjugate_) circulation -= tangential + (stored - of(stored_tangential_then_)) + friction;
    // The limited force of a sliding contact counts as a whole, however spring and dashpot share it.
    const N slid =
        slides != 0 ? absolute(tangential + viscous_tangential) : absolute(tangential) + absolute(viscous_tangential);
    const N absolute_work = absolute(elastic) + absolute(viscous_normal) + slid + absolute(viscous_couple);
    N by_cell = {};
    if (engine_.cell_moves_)
      by_cell = -0.5 * dot(points_at<N>(force_then_, k) + force, points_at<N>(image_movement_, k));

    write_columns<N>(rows.now, LIBDEM_AT(normal_viscous), {of(normal_viscous_), spring, damper, couple});
    write_columns<N>(rows.now, LIBDEM_AT(stored_normal),
                     {of(stored_normal_), stored, of(normal_damping_), of(block_.damping)});
    Load* loads[contacts_of<N>];
    ContactWork* works[contacts_of<N>];
    for (int lane = 0; lane < contacts_of<N>; ++lane) {
      loads[lane] = &chunk_.loads[first + std::size_t(k + lane)];
      works[lane] = &chunk_.work[first + std::size_t(k + lane)];
      rows.now[lane]->sliding = block_.sliding[k + lane] != 0;
      loads[lane]->i = rows.now[lane]->key.i;
      loads[lane]->j = rows.now[lane]->key.j;
    }
    static_assert(offsetof(Load, torque_j) == 24 && offsetof(ContactWork, event_loss) == 24);
    write_columns<N>(loads, 0, {force.x, force.y, torque_i, torque_j});
    static_assert(offsetof(ContactWork, circulation) == 16 && offsetof(ContactWork, by_cell) == 40);
    write_columns<N>(works, 16, {circulation, N{}, absolute_work, by_cell});
    write_columns<N>(works, 0, {friction, -(viscous_normal + viscous_tangential + viscous_couple), circulation, N{}});
  }

  const PlanarContacts& engine_;
  Scratch& scratch_;
  Chunk& chunk_;
  laws::Block block_;
  const PlanarContact* before_[laws::block_size];
  alignas(64) long long wall_[laws::block_size], fresh_[laws::block_size];  // all bits or none
  Four image_shift_[laws::block_size];
  alignas(64) Column image_movement_[2], image_velocity_[2];
  // From move() to book().
  alignas(64) Column normal_damping_, normal_viscous_, couple_, stored_normal_;
  alignas(64) Column pressing_[2], pressing_torque_i_, pressing_torque_j_;  // normal forces: on j, torques
  alignas(64) Column tangent_[2], tangent_scale_, arm_i_, arm_j_;           // line of the tangential forces
  alignas(64) Column elastic_work_, viscous_work_, couple_work_, slide_then_, slide_now_;
  alignas(64) Column tangential_then_, damper_then_, stored_tangential_then_, stored_change_, force_then_[2];
};

void PlanarContacts::apply_law(Scratch& scratch) {
  Chunk& chunk = *scratch.chunk;
  const std::size_t count = chunk.contacts.size();
  chunk.history.resize(count * std::size_t(law_->history_size));
  chunk.work.resize(count);
  chunk.loads.resize(count);
  static const auto pass = LawPass::fastest();
  pass(*this, scratch);
}

double PlanarContacts::shift_of_discs(const PlanarContact& now, const PlanarContact& before) const {
  return LawPass::shift_of_discs(*this, now, before);
}

}  // namespace dem
