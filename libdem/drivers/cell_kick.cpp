#include "libdem/drivers/cell_kick.hpp"

#include <algorithm>

#include "libdem/motion/coordinates.hpp"
#include "libdem/platform/parallel.hpp"
#include "libdem/platform/vector_clones.hpp"

namespace dem {
namespace {

/// One body at x, whose v is velocity · Δt. Returns the work per mass.
[[gnu::always_inline]] inline double kick_one(Vec3& v, Vec3 x, unsigned freedom, const CellKick& kick) {
  const auto& [k_x, k_y, k_z] = kick.rows;
  const Vec3 r = x - kick.origin, more = free_part({dot(k_x, r), dot(k_y, r), dot(k_z, r)}, freedom);
  const double done = dot(more, (1 / kick.dt) * v + 0.5 * more);
  v += kick.dt * more;
  return done;
}

LIBDEM_VECTOR_CLONES void kick_free(Vec3* __restrict v, const Vec3* __restrict x, std::size_t n, const CellKick& kick) {
  for (std::size_t at = 0; at < n; ++at) kick_one(v[at], x[at], free_in_space, kick);
}
LIBDEM_VECTOR_CLONES void kick_free(Vec3* __restrict v, const Vec3* __restrict x, const double* __restrict mass,
                                    double* __restrict work, std::size_t n, const CellKick& kick) {
  for (std::size_t at = 0; at < n; ++at) work[at] = mass[at] * kick_one(v[at], x[at], free_in_space, kick);
}

}  // namespace

double kick_bodies(const World& world, const CellKick& kick, std::vector<double>& works) {
  Bodies& bodies = world.state.bodies;
  Vec3* const v = bodies.position[1].stored().data();
  const Vec3* const x = bodies.position[0].stored().data();
  const double* const mass = bodies.mass.stored().data();
  const auto freedom = bodies.freedom.stored();
  works.resize(bodies.size());
  const auto kick_share = [&](std::size_t first, std::size_t last) {
    if (!all_free(freedom.data() + first, last - first))
      for (std::size_t at = first; at < last; ++at) works[at] = mass[at] * kick_one(v[at], x[at], freedom[at], kick);
    else if (world.books)
      kick_free(v + first, x + first, mass + first, works.data() + first, last - first, kick);
    else
      kick_free(v + first, x + first, last - first, kick);
  };
  parallel_parts(
      world.given.threads, bodies.size(),
      [&](std::size_t first, std::size_t last) { bodies.without_copies(first, last, kick_share); },
      bodies.share_begins);
  if (!world.books) return 0;
  std::fill(works.begin() + std::ptrdiff_t(bodies.first_copy), works.begin() + std::ptrdiff_t(bodies.last_copy), 0.0);
  double work = 0;
  const Places& places = bodies.places();
  for (std::size_t b = 0; b < works.size(); ++b) work += works[places ? (*places)[b] : b];
  return work;
}

}  // namespace dem
