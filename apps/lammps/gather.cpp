// The state of all ranks as the archive of one simulation.
#include <fmt/format.h>

#include <algorithm>

#include "apps/lammps/part.hpp"
#include "libdem/drivers/mass_damping.hpp"

namespace dem {
namespace {

/// Numbers of all ranks, one rank after another, on rank 0.
std::vector<double> to_rank_0(const Decomposition& ranks, const std::vector<double>& own) {
  const int count = int(own.size());
  std::vector<int> counts(std::size_t(ranks.ranks())), starts(std::size_t(ranks.ranks()) + 1, 0);
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, ranks.world());
  for (std::size_t k = 0; k < counts.size(); ++k) starts[k + 1] = starts[k] + counts[k];
  std::vector<double> all(ranks.rank() == 0 ? std::size_t(starts.back()) : 0);
  MPI_Gatherv(own.data(), count, MPI_DOUBLE, all.data(), counts.data(), starts.data(), MPI_DOUBLE, 0, ranks.world());
  return all;
}

void sum_on_rank_0(const Decomposition& ranks, std::vector<double>& values) {
  std::vector<double> sum(values.size());
  MPI_Reduce(values.data(), sum.data(), int(values.size()), MPI_DOUBLE, MPI_SUM, 0, ranks.world());
  values = std::move(sum);
}

void put_vector(std::vector<double>& all, std::size_t b, Vec3 v) {
  if (all.empty()) return;
  all[3 * b] = v.x;
  all[3 * b + 1] = v.y;
  all[3 * b + 2] = v.z;
}

Grain& grain_at(const double* from, Grain& grain) {
  std::copy_n(from, grain_doubles, reinterpret_cast<double*>(&grain));
  return grain;
}

/// Calls f(number, grain, luggage) for each grain of a message.
template <class F>
void for_each_grain(std::span<const double> message, F&& f) {
  Grain grain;
  for (const double* at = message.data(); at < message.data() + message.size();) {
    const auto number = std::size_t(*at++);
    grain_at(at, grain);
    at += grain_doubles;
    const auto count = std::size_t(*at++);
    f(number, grain, std::span(at, count));
    at += count;
  }
}

}  // namespace

void Part::gather(MemoryArchive& archive) {
  for (const auto& driver : drivers_) driver->update(world());  // what rank 0 could only work out from all contacts
  std::array through{through_here_};
  ranks_.largest(through);
  through_ = through[0];
  stow();
  std::vector<double> message;
  for (std::size_t k = 0; k < ranks_.owned(); ++k) {
    message.push_back(ranks_.number(k));
    const auto* const grain = reinterpret_cast<const double*>(&ranks_.grain(k));
    message.insert(message.end(), grain, grain + grain_doubles);
    Luggage& luggage = ranks_.luggage(k);
    message.push_back(double(luggage.size()));
    message.insert(message.end(), luggage.begin(), luggage.end());
    luggage.clear();
  }
  message = to_rank_0(ranks_, message);

  // Books and loads of walls are those of the contacts of each rank.
  MemoryArchive books;
  save_fields(books, "books", [this](FieldVisitor& f) { books_.fields(f); });
  for (auto& [name, entry] : books.entries)
    if (auto* const sums = std::get_if<std::vector<double>>(&entry); sums && !name.starts_with("books/held_"))
      sum_on_rank_0(ranks_, *sums);
  std::vector<double> of_walls;
  for (std::size_t w = 0; w < walls_.size(); ++w)
    for (const auto* loads : {&state_.bodies.force, &state_.bodies.torque}) {
      const Vec3 v = (*loads)[own_ + ghosts_ + w];
      of_walls.insert(of_walls.end(), {v.x, v.y, v.z});
    }
  sum_on_rank_0(ranks_, of_walls);
  contacts_.part->share_counts(ranks_);
  if (ranks_.rank() != 0) return;

  for (auto& [name, entry] : books.entries)
    if (!name.starts_with("books/held_")) archive.entries[name] = std::move(entry);
  collect_bodies(archive, message);
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    const double* const loads = of_walls.data() + 6 * w;
    put_vector(archive.numbers("bodies/force"), first_wall_ + w, {loads[0], loads[1], loads[2]});
    put_vector(archive.numbers("bodies/torque"), first_wall_ + w, {loads[3], loads[4], loads[5]});
  }
  collect_held_forces(archive);
  std::vector<PartEngine::Carried> luggage;
  for_each_grain(message, [&](std::size_t b, const Grain&, std::span<const double> all) {
    luggage.push_back({b, all});
  });
  contacts_.part->collect(archive, luggage, first_wall_);
  const auto put_cell = [&](const char* name, std::array<Vec3, 3> vectors) {
    archive.put(name, std::span<const double>(&vectors[0].x, 9));
  };
  put_cell("cell/vectors", state_.cell.vectors);
  put_cell("cell/evaluated_vectors", state_.evaluated_cell.vectors);
  put_cell("cell/evaluated_vectors_before", state_.evaluated_cell_before.vectors);
  put_cell("cell/rate", state_.cell_rate);
  for (const auto& driver : drivers_)
    if (!dynamic_cast<MassDamping*>(driver.get()))
      save_fields(archive, driver->name(), [&](FieldVisitor& f) { driver->fields(f, state_); });
  health_ = {archive.integers("run/next_limit_measurement").at(0), archive.integers("run/next_look").at(0)};
  save_fields(archive, "run", [this](FieldVisitor& f) { fields_of_run(f); });
}

void Part::collect_bodies(MemoryArchive& archive, std::span<const double> grains) const {
  std::vector<std::pair<std::vector<double>*, Vec3 Grain::*>> vectors;
  std::array<std::vector<double>*, gear_terms> positions{}, rotations{};
  for (std::size_t k = 0; k < std::size_t(gear_terms); ++k) {
    positions[k] = &archive.numbers(fmt::format("bodies/position_{}", k));
    rotations[k] = &archive.numbers(fmt::format("bodies/rotation_{}", k));
  }
  for (const auto& [name, member] : {std::pair("evaluated_position", &Grain::evaluated_position),
                                     std::pair("evaluated_rotation", &Grain::evaluated_rotation),
                                     std::pair("evaluated_position_before", &Grain::evaluated_position_before),
                                     std::pair("evaluated_rotation_before", &Grain::evaluated_rotation_before),
                                     std::pair("force", &Grain::force), std::pair("torque", &Grain::torque)})
    vectors.push_back({&archive.numbers(std::string("bodies/") + name), member});
  const bool damped = archive.has("mass_damping/force");
  if (damped) {
    vectors.push_back({&archive.numbers("mass_damping/force"), &Grain::damping_force});
    vectors.push_back({&archive.numbers("mass_damping/torque"), &Grain::damping_torque});
  }
  const auto put = [&](std::size_t b, const Grain& g) {
    for (std::size_t k = 0; k < std::size_t(gear_terms); ++k) {
      put_vector(*positions[k], b, g.position[k]);
      put_vector(*rotations[k], b, g.rotation[k]);
    }
    for (const auto& [all, member] : vectors) put_vector(*all, b, g.*member);
  };
  for_each_grain(grains, [&](std::size_t b, const Grain& g, std::span<const double>) { put(b, g); });
  for (std::size_t w = 0; w < walls_.size(); ++w) put(first_wall_ + w, walls_[w]);
}

/// Forces of contacts on bodies that are held, from which the next trapezoid of their work begins.
void Part::collect_held_forces(MemoryArchive& archive) const {
  for (std::size_t k = 0; k < 2; ++k) {
    const std::vector<double>& loads = archive.numbers(k == 0 ? "bodies/force" : "bodies/torque");
    std::vector<double>& held = archive.numbers(k == 0 ? "books/held_force" : "books/held_torque");
    for (std::size_t h = 0; h < held_.size(); ++h) {
      const double* const load = loads.data() + 3 * held_[h];
      put_vector(held, h, Vec3{load[0], load[1], load[2]} - held_base_[2 * h + k]);
    }
  }
}

}  // namespace dem
