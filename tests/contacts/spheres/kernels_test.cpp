// The loops over contacts against contact_frame.hpp, for each instruction set that the processor has.
#include "libdem/contacts/spheres/kernels.hpp"

#include "geometry/random.hpp"
#include "libdem/contacts/contact_frame.hpp"
#include "prelude.hpp"

/// Turns from far below to far above the limit of the series, small and large in one tile. One normal turns over.
BOOST_AUTO_TEST_CASE(frames_follow_swing_and_twist) {
  geometry::Random random(5);
  const auto any = [&](double size) {
    return size * Vec3{random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5};
  };
  const auto unit = [](Vec3 v) { return (1 / norm(v)) * v; };
  TileFormat format;
  format.history = 2;
  constexpr int count = 51, over = 17;
  using geometry::Instructions;
  for (const Instructions set : {Instructions::generic, Instructions::avx2, Instructions::avx512}) {
    const SphereKernels* const kernels = sphere_kernels(set);
    if (!kernels) continue;
    for (const bool exact : {false, true})
      for (const double largest : {1e-6, 0.01, 0.3, 1.5}) {
        const auto columns = std::make_unique<SphereColumns>();
        const auto block = std::make_unique<laws::Block>();
        std::vector<StoreLine> store(std::size_t(whole_lanes(count)) / 8 * format.stored_stride());
        const SphereTile tile(format, store.data()->values, std::size_t(whole_lanes(count)));
        SphereColumns& c = *columns;
        c.count = count;
        for (int k = 0; k < whole_lanes(count); ++k) {
          const Vec3 n0 = unit(any(1)), n1 = k == over ? -n0 : unit(n0 + any(k % 2 ? 1e-3 : 1)), e0 = any_direction(n0);
          const Vec3 p = any(k % 3 ? 1e-7 : largest), q = any(largest);
          const auto put = [k](SphereColumns::Vectors& to, Vec3 v, double more) {
            to.x[k] = v.x, to.y[k] = v.y, to.z[k] = v.z, to.more[k] = more;
          };
          put(c.normal, n1, 2e-3);
          put(c.moved, {}, 0);
          put(c.turn_p, p, 1);
          put(c.turn_q, q, 1);
          tile.normal_x[k] = n0.x, tile.normal_y[k] = n0.y, tile.normal_z[k] = n0.z;
          tile.direction_x[k] = e0.x, tile.direction_y[k] = e0.y, tile.direction_z[k] = e0.z;
          c.overlap[k] = tile.overlap[k] = 1e-5;
          c.stiffness[k] = block->stiffness[k] = 1;
          c.own_damping[k] = 0;
        }
        c.damping = c.own_damping;
        SphereChoices choices;
        choices.geometric = false;
        choices.exact_twist = exact;
        choices.per_dt = 1;
        kernels->move(choices, tile, c, *block);
        for (int k = 0; k < count; ++k) {
          BOOST_TEST_CONTEXT("set of instructions " << int(set) << ", exact " << exact << ", turns " << largest
                                                    << ", contact " << k) {
            const Vec3 n0{tile.normal_x[k], tile.normal_y[k], tile.normal_z[k]},
                n1 = c.normal[k], e0{tile.direction_x[k], tile.direction_y[k], tile.direction_z[k]};
            const Vec3 found{c.direction_x[k], c.direction_y[k], c.direction_z[k]};
            const Vec3 expected =
                carried_direction(e0, n0, n1, twist_half_tangent(0.5 * (c.turn_p[k] + c.turn_q[k]), n1, exact));
            BOOST_TEST(norm(found - expected) < 3e-15 / (k == over ? 1 : 1 + dot(n0, n1)));
            if (k == over) continue;
            const Vec3 shift = -cross((1e-3 - 0.5 * c.overlap[k]) * (c.turn_p[k] + c.turn_q[k]), n1);
            BOOST_TEST(std::abs(block->shift_1[k] - dot(shift, expected)) < 1e-17 / (1 + dot(n0, n1)));
            BOOST_TEST(std::abs(block->shift_2[k] - dot(shift, cross(n1, expected))) < 1e-17 / (1 + dot(n0, n1)));
          }
        }
      }
  }
}
