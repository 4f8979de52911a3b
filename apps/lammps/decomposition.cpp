#include "apps/lammps/decomposition.hpp"

#include "apps/lammps/grain_fix.hpp"
// After it
#include <lammps/comm.h>
#include <lammps/domain.h>
#include <lammps/lammps.h>
#include <lammps/library.h>
#include <lammps/modify.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libdem/contacts/spheres/candidates.hpp"

namespace dem {
namespace {

LAMMPS_NS::Fix* make_fix(LAMMPS_NS::LAMMPS* lammps, int count, char** words) {
  return new GrainFix(lammps, count, words);  // LAMMPS owns it
}

double& component(Vec3& v, std::size_t a) { return a == 0 ? v.x : a == 1 ? v.y : v.z; }

/// Ranks along each direction with the smallest borders between their shares. A share is at least one reach thick,
/// where that is possible; else all ranks lie along the longest direction.
std::array<int, 3> grid_of_ranks(int ranks, Vec3 lengths, bool plane, double reach) {
  const std::array<double, 3> length{lengths.x, lengths.y, lengths.z};
  std::array<int, 3> best{1, 1, 1};
  best[std::size_t(std::max_element(length.begin(), length.end() - (plane ? 1 : 0)) - length.begin())] = ranks;
  double least = INFINITY;
  for (int x = 1; x <= ranks; ++x)
    for (int y = 1; x * y <= ranks; ++y) {
      const int z = ranks / (x * y);
      const std::array grid{x, y, z};
      if (x * y * z != ranks || (plane && z > 1)) continue;
      double border = 0;
      bool thick = true;
      for (std::size_t a = 0; a < (plane ? 2u : 3u); ++a) {
        border += grid[a] / length[a];
        thick &= grid[a] == 1 || length[a] >= grid[a] * reach;
      }
      if (thick && border < least) least = border, best = grid;
    }
  return best;
}

}  // namespace

std::array<double, 3> widths(const geometry::Cell& cell) {
  const auto rows = cell.reciprocal();
  return {1 / norm(rows[0]), 1 / norm(rows[1]), 1 / norm(rows[2])};
}

struct Decomposition::Lammps {
  void* handle = nullptr;
  LAMMPS_NS::LAMMPS* program = nullptr;
  GrainFix* fix = nullptr;
  explicit Lammps(MPI_Comm world) {
    std::array words{std::string("dem-lammps"), std::string("-log"), std::string("none"), std::string("-screen"),
                     std::string("none")};
    std::array<char*, 5> pointers{};
    for (std::size_t k = 0; k < words.size(); ++k) pointers[k] = words[k].data();
    program = new LAMMPS_NS::LAMMPS(int(pointers.size()), pointers.data(), world);
    handle = program;
  }
  ~Lammps() { delete program; }
  Lammps(const Lammps&) = delete;
  Lammps& operator=(const Lammps&) = delete;
  void command(const std::string& text) {
    lammps_command(handle, text.c_str());
    if (!lammps_has_error(handle)) return;
    std::array<char, 500> message{};
    lammps_get_last_error_message(handle, message.data(), int(message.size()));
    throw std::runtime_error(fmt::format("LAMMPS refuses '{}': {}", text, message.data()));
  }
};

Decomposition::Decomposition(MPI_Comm world, const State& whole, double reach) : world_(world) {
  MPI_Comm_rank(world, &rank_);
  MPI_Comm_size(world, &ranks_);
  count_ = bodies_without_walls(whole);
  periodic_ = whole.cell.periodic;
  const auto width = widths(whole.cell);
  plane_ = whole.dimension == 2;
  lengths_ = {width[0], width[1], plane_ ? 1 : width[2]};
  // Places of all grains. A direction without periods gets a box close around them.
  const auto rows = whole.cell.reciprocal();
  std::vector<double> x;
  x.reserve(3 * count_);
  Vec3 low, high = lengths_;
  for (std::size_t a = 0; a < directions(); ++a)
    if (!whole.cell.periodic[a]) component(low, a) = INFINITY, component(high, a) = -INFINITY;
  if (plane_) low.z = -0.5, high.z = 0.5;
  const double margin = 1e-3 * reach;
  for (std::size_t b = 0; b < count_; ++b)
    for (std::size_t a = 0; a < 3; ++a) {
      if (a == 2 && plane_) {
        x.push_back(0);
        continue;
      }
      double s = dot(rows[a], whole.bodies.position[0][b] - whole.cell_origin) * width[a];
      if (whole.cell.periodic[a]) {
        s -= width[a] * std::floor(s / width[a]);
        if (!(s < width[a])) s = 0;
      } else {
        component(low, a) = std::min(component(low, a), s - margin);
        component(high, a) = std::max(component(high, a), s + margin);
      }
      x.push_back(s);
    }
  const Vec3 sides = high - low;
  const auto grid = grid_of_ranks(ranks_, sides, plane_, reach);
  for (std::size_t a = 0; a < directions(); ++a)  // few grains for many ranks
    if (!periodic_[a]) component(high, a) = std::max(component(high, a), component(low, a) + grid[a] * reach);
  lammps_ = std::make_unique<Lammps>(world);
  (*lammps_->program->modify->fix_map)["dem/grains"] = make_fix;
  const auto boundary = [&](std::size_t a) { return whole.cell.periodic[a] || (a == 2 && plane_) ? "p" : "f"; };
  for (const std::string& text :
       {std::string("units si"), fmt::format("dimension {}", whole.dimension), std::string("atom_style atomic"),
        std::string("atom_modify sort 0 0.0"), fmt::format("boundary {} {} {}", boundary(0), boundary(1), boundary(2)),
        std::string("newton on"), fmt::format("processors {} {} {}", grid[0], grid[1], grid[2]),
        fmt::format("region cell block {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} units box", low.x, high.x, low.y,
                    high.y, low.z, high.z),
        std::string("create_box 1 cell"), std::string("mass 1 1.0"), std::string("neighbor 0.0 bin"),
        fmt::format("comm_modify mode single cutoff {:.17g}", reach), std::string("fix grains all dem/grains")})
    lammps_->command(text);
  LAMMPS_NS::Modify& modify = *lammps_->program->modify;
  const int at = modify.find_fix("grains");
  lammps_->fix = at < 0 ? nullptr : dynamic_cast<GrainFix*>(modify.fix[at]);
  if (!lammps_->fix) throw std::runtime_error("this version of LAMMPS does not take the fix of dem-lammps");
  std::vector<LAMMPS_NS::tagint> tags(count_);
  std::vector<int> types(count_, 1);
  for (std::size_t b = 0; b < count_; ++b) tags[b] = LAMMPS_NS::tagint(b + 1);
  lammps_create_atoms(lammps_->handle, int(count_), tags.data(), types.data(), x.data(), nullptr, nullptr, 0);
  const Bodies& bodies = whole.bodies;
  for (std::size_t k = 0; k < owned(); ++k) {
    const std::size_t b = number(k);
    Grain& g = grain(k);
    g = {};
    g.radius = whole.shape_of(b).bounding_radius();
    g.mass = bodies.mass[b];
    g.moment = bodies.moment[b];
    g.material = bodies.material[b];
    g.group = bodies.group[b];
    g.freedom = bodies.freedom[b];
    for (std::size_t t = 0; t < std::size_t(gear_terms); ++t) {
      g.position[t] = bodies.position[t][b];
      g.rotation[t] = bodies.rotation[t][b];
    }
    const auto known = [b](const ByBody<Vec3>& from) { return from.empty() ? Vec3{} : from[b]; };
    g.evaluated_position = known(bodies.evaluated_position);
    g.evaluated_rotation = known(bodies.evaluated_rotation);
    g.evaluated_position_before = known(bodies.evaluated_position_before);
    g.evaluated_rotation_before = known(bodies.evaluated_rotation_before);
    g.force = known(bodies.force);
    g.torque = known(bodies.torque);
    g.applied_force = bodies.applied_force_on(b);
    g.applied_torque = bodies.applied_torque_on(b);
  }
  lammps_->program->init();
}

Decomposition::~Decomposition() = default;

std::size_t Decomposition::owned() const { return std::size_t(lammps_->program->atom->nlocal); }
std::size_t Decomposition::atoms() const {
  return std::size_t(lammps_->program->atom->nlocal + lammps_->program->atom->nghost);
}
std::uint32_t Decomposition::number(std::size_t atom) const {
  return std::uint32_t(lammps_->program->atom->tag[atom] - 1);
}
Grain& Decomposition::grain(std::size_t atom) { return lammps_->fix->grains[atom]; }
Luggage& Decomposition::luggage(std::size_t atom) { return lammps_->fix->luggage[atom]; }
Image Decomposition::image(std::size_t atom) const { return lammps_->fix->images[atom]; }
int Decomposition::owner(std::size_t ghost) const { return lammps_->fix->owners[ghost]; }

/// Gives LAMMPS the scaled coordinates of the owned grains, wrapped into the cell.
void Decomposition::scale(const State& state) {
  const auto rows = state.cell.reciprocal();
  double** const x = lammps_->program->atom->x;
  Vec3 lengths = lengths_;
  for (std::size_t k = 0; k < owned(); ++k) {
    const Vec3 from_origin = grain(k).position[0] - state.cell_origin;
    Image& image = lammps_->fix->images[k];
    image = {};
    for (std::size_t a = 0; a < directions(); ++a) {
      const double s = dot(rows[a], from_origin), length = component(lengths, a);
      double wrapped = s;
      if (state.cell.periodic[a]) {
        const double cells = std::floor(s);
        image[a] = std::int16_t(-cells);
        wrapped = s - cells;
      }
      wrapped *= length;
      if (state.cell.periodic[a] && !(wrapped < length)) wrapped = std::nextafter(length, 0.0);
      x[k][a] = wrapped;
    }
  }
}

/// Moves the borders of the box along directions without periods. It takes in all grains, and shrinks by a hundredth of
/// the reach at most, but not below one reach for each rank.
void Decomposition::fit_box(double reach) {
  double** const x = lammps_->program->atom->x;
  std::array<double, 6> ends;  // of the grains: −lowest and highest of each direction
  ends.fill(-INFINITY);
  for (std::size_t k = 0; k < owned(); ++k)
    for (std::size_t a = 0; a < directions(); ++a) {
      ends[2 * a] = std::max(ends[2 * a], -x[k][a]);
      ends[2 * a + 1] = std::max(ends[2 * a + 1], x[k][a]);
    }
  largest(ends);
  LAMMPS_NS::Domain& domain = *lammps_->program->domain;
  const double margin = 1e-3 * reach, slow = 1e-2 * reach;
  for (std::size_t a = 0; a < directions(); ++a) {
    if (periodic_[a]) continue;
    double &low = domain.boxlo[a], &high = domain.boxhi[a];
    const double lowest = -ends[2 * a] - margin, highest = ends[2 * a + 1] + margin;
    const double thin = lammps_->program->comm->procgrid[a] * reach;
    const double new_low = std::min(lowest, low + slow), new_high = std::max(highest, high - slow);
    const bool shrinks = new_high - new_low >= thin;
    low = shrinks ? new_low : std::min(lowest, low);
    high = shrinks ? new_high : std::max(highest, high);
  }
  domain.set_global_box();
  domain.set_local_box();
}

void Decomposition::migrate(const State& state, double reach) {
  LAMMPS_NS::LAMMPS& program = *lammps_->program;
  scale(state);
  const auto width = widths(state.cell);
  Vec3 lengths = lengths_;
  double scaled = 0;
  for (std::size_t a = 0; a < directions(); ++a) scaled = std::max(scaled, reach * component(lengths, a) / width[a]);
  program.comm->cutghostuser = scaled;
  program.atom->nghost = 0;
  if (!(periodic_[0] && periodic_[1] && (plane_ || periodic_[2]))) fit_box(reach);
  program.comm->setup();
  GrainFix& fix = *lammps_->fix;
  fix.announce_luggage();
  program.comm->exchange();
  program.comm->borders();
  program.comm->forward_comm_fix(&fix, ghost_doubles);
  double count = double(owned());
  sum({&count, 1});
  if (count != double(count_))
    throw ErrorOfAllRanks(
        fmt::format("grains got lost between the ranks: found {:.0f}, expected {}; they move farther than a rank's "
                    "share of the cell between two lists; go on with fewer ranks",
                    count, count_));
  ++traffic_.renewals;
  traffic_.migrated = fix.migrated;
  traffic_.migration = 8 * fix.migrated_doubles;
  traffic_.ghosts_made += atoms() - owned();
  traffic_.ghosts = 8.0 * ghost_doubles * double(traffic_.ghosts_made);
}

void Decomposition::sum(std::span<double> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_DOUBLE, MPI_SUM, world_);
}
void Decomposition::largest(std::span<double> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_DOUBLE, MPI_MAX, world_);
}
void Decomposition::largest(std::span<double> values, const std::function<void()>& meanwhile) const {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_DOUBLE, MPI_MAX, world_, &request);
  meanwhile();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace dem
