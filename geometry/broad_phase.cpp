#include "geometry/broad_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "geometry/error.hpp"

namespace dem::geometry {
namespace {

/// Bodies larger than this times the median radius (plates, walls) stay out of the grid, because they would dictate its
/// spacing.
constexpr double large_over_median = 4;
constexpr std::size_t scratch_is_kept_for = 10000;  // bodies

void share(const WorkSharing& sharing, std::size_t n, const std::function<void(std::size_t, std::size_t, int)>& work) {
  if (sharing.run)
    sharing.run(n, work);
  else
    work(0, n, 0);
}

[[noreturn]] void throw_apart(std::size_t i, std::size_t j) {
  throw GeometryError(
      fmt::format("bodies {} and {} have moved more than {} periodic cells apart", i, j, largest_image));
}

}  // namespace

/// Cells of equal size in fractional coordinates, none narrower than the largest distance of a pair in the grid.
struct NeighbourList::Grid {
  std::array<int, 3> count{1, 1, 1};
  std::array<double, 3> origin{}, scale{};
  std::array<bool, 3> periodic{};

  int index(int axis, double s) const {
    double f = periodic[axis] ? (s - std::floor(s)) * count[axis] : (s - origin[axis]) * scale[axis];
    return f > 0 ? f < count[axis] ? int(f) : count[axis] - 1 : 0;
  }
  /// Cells at most one away from c along an axis. They are at most two runs [first, end), the second one wrapped round.
  int runs(int axis, int c, std::array<std::array<int, 2>, 2>& out) const {
    const int n = count[axis];
    if (!periodic[axis] || (c > 0 && c < n - 1)) return out[0] = {std::max(c - 1, 0), std::min(c + 2, n)}, 1;
    if (n <= 3) return out[0] = {0, n}, 1;
    if (c == 0) return out[0] = {0, 2}, out[1] = {n - 1, n}, 2;
    return out[0] = {n - 2, n}, out[1] = {0, 1}, 2;
  }
};

/// Chooses the bodies that are tested against all others. These are much larger than the median, or so wide that they
/// may meet two images of a body at once.
void NeighbourList::select_large(const BroadPhaseInput& in, const ReducedCell& lattice) {
  const std::size_t n = in.radii.size();
  sorted_radii_.assign(in.radii.begin(), in.radii.end());
  const auto middle = sorted_radii_.begin() + std::ptrdiff_t((n - 1) / 2);
  std::nth_element(sorted_radii_.begin(), middle, sorted_radii_.end());
  const double limit = std::min(large_over_median * *middle, lattice.narrowest / 4 - in.skin / 2);
  is_large_.assign(n, 0);
  large_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    const double r = in.radii[k];
    if (!(r <= limit)) {
      large_.push_back(std::uint32_t(k));
      is_large_[k] = 1;
    }
    if (2 * r > lattice.narrowest && (in.freedom.empty() || in.freedom[k] != 0))
      throw GeometryError(
          fmt::format("the periodic cell is {:.6g} m wide, but body {} could touch its own image: its bounding circle "
                      "needs a width of at least {:.6g} m",
                      lattice.narrowest, k, 2 * r));
  }
}

NeighbourList::Grid NeighbourList::fill_grid(const BroadPhaseInput& in, const ReducedCell& lattice) {
  const std::size_t n = in.positions.size();
  double largest = 0;
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::array<double, 3> low{inf, inf, inf}, high{-inf, -inf, -inf};
  std::size_t members = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (is_large_[k]) continue;
    ++members;
    largest = std::max(largest, in.radii[k]);
    for (int a = 0; a < 3; ++a) {
      const double s = dot(lattice.row[a], in.positions[k]);
      low[a] = std::min(low[a], s);
      high[a] = std::max(high[a], s);
    }
  }
  Grid grid;
  grid.periodic = lattice.cell.periodic;
  // Slightly wider than the largest distance: round-off in an index cannot part a pair by two cells.
  const double spacing = (2 * largest + in.skin) * (1 + 1e-9);
  const int axes = in.planar ? 2 : 3;
  std::array<double, 3> count{1, 1, 1};
  if (members > 0)
    for (int a = 0; a < axes; ++a) {
      const double extent = (grid.periodic[a] ? 1 : high[a] - low[a]) * lattice.width[a];
      count[a] = spacing > 0 ? std::floor(extent / spacing) : extent > 0 ? inf : 1;
      count[a] = std::clamp(count[a], 1.0, 1e6);
    }
  // At most about two cells per body: a few bodies far away must not cost memory.
  while (count[0] * count[1] * count[2] > 2.0 * double(members) + 8) {
    double& c = *std::max_element(count.begin(), count.end());
    c = std::max(1.0, std::floor(c / 1.25));
  }
  for (int a = 0; a < 3; ++a) {
    grid.count[a] = int(count[a]);
    grid.origin[a] = low[a];
    grid.scale[a] = grid.count[a] > 1 ? count[a] / (high[a] - low[a]) : 0;
  }

  // Counting sort of the bodies by cell; within a cell they stay in order.
  cell_start_.assign(std::size_t(grid.count[0]) * std::size_t(grid.count[1]) * std::size_t(grid.count[2]) + 1, 0);
  cell_of_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    if (is_large_[k]) continue;
    std::array<int, 3> c{};
    for (int a = 0; a < axes; ++a) c[a] = grid.index(a, dot(lattice.row[a], in.positions[k]));
    cell_of_[k] = std::uint32_t((c[2] * grid.count[1] + c[1]) * grid.count[0] + c[0]);
    ++cell_start_[cell_of_[k]];
  }
  std::uint32_t sum = 0;
  for (auto& start : cell_start_) start = sum += start;  // end of each cell; filling backwards turns it into the start
  cell_bodies_.resize(members);
  cell_packed_.resize(members);
  for (std::size_t k = n; k-- > 0;) {
    if (is_large_[k]) continue;
    const std::uint32_t slot = --cell_start_[cell_of_[k]];
    cell_bodies_[slot] = std::uint32_t(k);
    cell_packed_[slot] = {in.positions[k], in.radii[k]};
  }
  return grid;
}

template <bool is_planar, bool is_periodic>
void NeighbourList::list_pairs(const BroadPhaseInput& in, const ReducedCell& lattice, const Grid& grid,
                               const WorkSharing& sharing) {
  const std::uint32_t n = std::uint32_t(in.positions.size());
  const auto periodic = lattice.cell.periodic;
  // Differences are formed first and shifted afterwards, so that the test is symmetric in i and j to the last bit.
  const auto nearer = [](Vec3 d, double range) {
    const double square = d.x * d.x + d.y * d.y + (is_planar ? 0 : d.z * d.z);
    return square < range * range;
  };
  // For the large bodies: every image of j that is near enough.
  const auto test_images = [&](std::uint32_t i, std::uint32_t j) {
    const Vec3 d = in.positions[j] - in.positions[i];
    const double range = in.radii[i] + in.radii[j] + in.skin;
    std::array<int, 3> first{}, last{};
    for (int a = 0; a < 3; ++a) {
      if (!periodic[a]) continue;
      const double s = dot(lattice.row[a], d), reach = range / lattice.width[a] * (1 + 1e-9);
      if (std::abs(s) + reach >= largest_image) throw_apart(i, j);
      first[a] = int(std::ceil(-s - reach));
      last[a] = int(std::floor(-s + reach));
    }
    for (int a = first[0]; a <= last[0]; ++a)
      for (int b = first[1]; b <= last[1]; ++b)
        for (int c = first[2]; c <= last[2]; ++c) {
          const std::array<std::int16_t, 3> image{std::int16_t(a), std::int16_t(b), std::int16_t(c)};
          if (nearer(d + lattice.cell.shift(image), range)) found_.back().pairs.push_back({i, j, image});
        }
  };
  // The cell is at least two ranges wide for bodies in the grid: only the nearest image can be near enough.
  std::array<Vec3, 3> row{};
  for (int a = 0; a < 3; ++a)
    if (periodic[a]) row[a] = lattice.row[a];
  const auto v = lattice.cell.vectors;
  const double skin = in.skin;
  const auto nearest_image = [=](Vec3 d) {
    if constexpr (is_planar)
      return Vec3{-nearest_integer(dot(planar(row[0]), planar(d))), -nearest_integer(dot(planar(row[1]), planar(d))),
                  0};
    else
      return -Vec3{nearest_integer(dot(row[0], d)), nearest_integer(dot(row[1], d)), nearest_integer(dot(row[2], d))};
  };
  const auto shifted = [=](Vec3 d, Vec3 k) {
    if constexpr (is_planar)
      return d + (k.x * v[0] + k.y * v[1]);
    else
      return d + (k.x * v[0] + k.y * v[1] + k.z * v[2]);
  };
  // No branch here: most neighbours in the grid are not near enough, at random, and a branch would be mispredicted.
  // Returns the number of neighbours so far.
  const auto filter = [&](std::vector<std::uint32_t>& near, std::size_t count, const Packed& body, std::uint32_t slot,
                          std::uint32_t end) {
    if (near.size() < count + (end - slot)) near.resize(2 * (count + (end - slot)) + 256);
    std::uint32_t* out = near.data() + count;
    for (; slot < end; ++slot) {
      const Packed& other = cell_packed_[slot];
      Vec3 d = other.position - body.position;
      if constexpr (is_periodic) d = shifted(d, nearest_image(d));
      *out = slot;
      out += nearer(d, body.radius + other.radius + skin);
    }
    return std::size_t(out - near.data());
  };
  const auto list_for = [&](std::uint32_t slot, Found& found) {
    const Packed body = cell_packed_[slot];
    const std::uint32_t i = cell_bodies_[slot];
    const int c = int(cell_of_[i]), cx = c % grid.count[0], cy = c / grid.count[0] % grid.count[1];
    std::array<std::array<int, 2>, 2> xs, ys, zs{{{0, 1}}};
    const int nx = grid.runs(0, cx, xs), ny = grid.runs(1, cy, ys);
    const int nz = is_planar ? 1 : grid.runs(2, c / (grid.count[0] * grid.count[1]), zs);
    std::size_t count = 0;
    for (int rz = 0; rz < nz; ++rz)
      for (int z = zs[rz][0]; z < zs[rz][1]; ++z)
        for (int ry = 0; ry < ny; ++ry)
          for (int y = ys[ry][0]; y < ys[ry][1]; ++y)
            for (int rx = 0; rx < nx; ++rx) {
              const int line = (z * grid.count[1] + y) * grid.count[0];
              // Only the bodies behind this one in the order of the cells, so that each pair is found once.
              const std::uint32_t start = std::max(cell_start_[std::size_t(line) + std::size_t(xs[rx][0])], slot + 1);
              const std::uint32_t end = cell_start_[std::size_t(line) + std::size_t(xs[rx][1])];
              if (start < end) count = filter(found.near, count, body, start, end);
            }
    for (std::size_t m = 0; m < count; ++m) {
      const std::uint32_t near = found.near[m], j = cell_bodies_[near];
      Vec3 k;
      if constexpr (is_periodic) k = nearest_image(cell_packed_[near].position - body.position);
      if (std::abs(k.x) > largest_image || std::abs(k.y) > largest_image || std::abs(k.z) > largest_image)
        throw_apart(i, j);
      if (j < i) k = -k;
      found.pairs.push_back(
          {std::min(i, j), std::max(i, j), {std::int16_t(k.x), std::int16_t(k.y), std::int16_t(k.z)}});
    }
  };

  share(sharing, cell_bodies_.size(), [&](std::size_t first, std::size_t last, int number) {
    Found& found = found_[std::size_t(number)];
    try {
      for (std::size_t slot = first; slot < last; ++slot) list_for(std::uint32_t(slot), found);
    } catch (...) {
      found.failure = std::current_exception();
    }
  });
  for (Found& found : found_)  // the first in the order of the bodies, whatever the shares
    if (found.failure) std::rethrow_exception(found.failure);
  for (const std::uint32_t i : large_)
    for (std::uint32_t j = 0; j < n; ++j)
      if (j > i || !is_large_[j]) test_images(std::min(i, j), std::max(i, j));
}

/// Turns images of the reduced cell into those of the given one.
void NeighbourList::number_images(const ReducedCell& lattice) {
  if (!lattice.reduced) return;
  for (Found& found : found_)
    for (auto& pair : found.pairs) {
      const auto of_reduced = pair.image;
      for (std::size_t k = 0; k < 3; ++k) {
        int image = 0;
        for (std::size_t a = 0; a < 3; ++a) image += of_reduced[a] * lattice.of_given[a][k];
        if (std::abs(image) > largest_image) throw_apart(pair.i, pair.j);
        pair.image[k] = std::int16_t(image);
      }
    }
}

/// Sorts by counting over i, then each row by (j, image).
void NeighbourList::sort_pairs(std::size_t bodies, const WorkSharing& sharing) {
  row_start_.assign(bodies + 1, 0);
  for (const Found& found : found_)
    for (const auto& pair : found.pairs) ++row_start_[pair.i];
  std::uint32_t sum = 0;
  for (auto& start : row_start_) start = sum += start;  // end of each row; filling it turns it into the start
  pairs_.resize(sum);
  for (const Found& found : found_)
    for (const auto& pair : found.pairs) pairs_[--row_start_[pair.i]] = pair;
  share(sharing, bodies, [this](std::size_t first, std::size_t last, int) {
    for (std::size_t i = first; i < last; ++i)
      std::sort(
          pairs_.begin() + row_start_[i], pairs_.begin() + row_start_[i + 1],
          [](const CandidatePair& a, const CandidatePair& b) { return a.j != b.j ? a.j < b.j : a.image < b.image; });
  });
}

void NeighbourList::build(const BroadPhaseInput& in, const WorkSharing& sharing) {
  const std::size_t n = in.positions.size();
  if (in.radii.size() != n || (!in.freedom.empty() && in.freedom.size() != n))
    throw GeometryError("broad phase: positions, radii and freedom differ in number");
  if (!(in.skin >= 0) || !std::isfinite(in.skin))
    throw GeometryError(fmt::format("the skin must be at least 0 m, found {}", in.skin));
  for (std::size_t k = 0; k < n; ++k) {
    if (!is_finite(in.positions[k])) throw GeometryError(fmt::format("the position of body {} is not finite", k));
    if (!(in.radii[k] >= 0) || !std::isfinite(in.radii[k]))
      throw GeometryError(fmt::format("the bounding radius of body {} is {}, not a length", k, in.radii[k]));
  }
  skin_ = in.skin;
  planar_ = in.planar;
  complete_ = false;
  built_cell_ = in.cell ? *in.cell : Cell{};
  double largest = 0, second = 0;
  for (const double r : in.radii) {
    second = std::max(second, std::min(r, largest));
    largest = std::max(largest, r);
  }
  longest_reach_ = largest + second;
  built_at_.assign(in.positions.begin(), in.positions.end());
  pairs_.clear();
  // Reserves memory for later builds, so that a step takes no memory when the neighbourhood changes a little.
  cell_start_.reserve(2 * n + 9);
  found_.resize(std::size_t(std::max(sharing.shares, 1)));
  for (Found& found : found_) {
    found.pairs.clear();
    found.failure = nullptr;
    found.pairs.reserve(8 * n / found_.size());
  }
  pairs_.reserve(8 * n);
  if (n == 0) return;
  const ReducedCell lattice(built_cell_, in.planar);
  select_large(in, lattice);
  const Grid grid = fill_grid(in, lattice);
  if (in.planar)
    lattice.any_periodic ? list_pairs<true, true>(in, lattice, grid, sharing)
                         : list_pairs<true, false>(in, lattice, grid, sharing);
  else
    lattice.any_periodic ? list_pairs<false, true>(in, lattice, grid, sharing)
                         : list_pairs<false, false>(in, lattice, grid, sharing);
  number_images(lattice);
  sort_pairs(n, sharing);
  // The scratch is a good part of the memory of a large assembly. Its renewal costs little compared with a build.
  if (n > scratch_is_kept_for) {
    const auto give_back = [](auto&... v) { (std::remove_reference_t<decltype(v)>().swap(v), ...); };
    give_back(found_, cell_packed_, cell_start_, cell_bodies_, cell_of_, sorted_radii_);
  }
  complete_ = !lattice.any_periodic && pairs_.size() == n * (n - 1) / 2;
}

}  // namespace dem::geometry
