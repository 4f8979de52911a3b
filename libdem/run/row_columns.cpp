#include "libdem/run/row_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

#include "libdem/contacts/pair_table.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/measure/dimensionless.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/stress.hpp"

namespace dem {
namespace {

constexpr std::size_t most_tracked = 16;  // bodies with a name, and walls
constexpr const char* axes = "xyz";
using Look = const RowLook&;

double plates_width(const Simulation& run) {
  return run.state().cell.periodic[0] ? run.state().cell.vectors[0].x : run.given().cell_size.x;
}

RowColumns general_columns(int dimension) {
  return {
      {{"step", "1", "step number"}, [](Look l) { return double(l.run.step_count()); }},
      {{"time", "s", "time"}, [](Look l) { return l.run.time(); }},
      {{"stage", "1", "number of the stage, from 1"}, [](Look l) { return l.stage_number(); }},
      {{"contacts", "1", "contacts, overlap components counted singly"},
       [](Look l) { return double(l.counts().contacts); }},
      {{"coordination", "1", "mean number of contacts of a free body, rattlers included"},
       [](Look l) { return l.counts().coordination; }},
      {{"mechanical_coordination", "1", "mean number of contacts of a free body, over those with two or more contacts"},
       [](Look l) { return l.counts().mechanical_coordination; }},
      {{"rattlers", "1", "free bodies with fewer than two contacts"},
       [](Look l) { return double(l.counts().rattlers); }},
      {{"sliding_fraction", "1", "fraction of contacts at the Coulomb limit"},
       [](Look l) { return l.counts().sliding_fraction(); }},
      {{"largest_overlap", "1", "largest overlap, in diameters of the smaller body"},
       [](Look l) { return l.largest_overlap(); }},
      {{"mean_overlap", "m", "mean overlap of the contacts"}, [](Look l) { return mean_overlap(l.contacts()); }},
      {{"unbalanced_force", "1", "root mean square resultant on free bodies over that of the contact forces"},
       [](Look l) { return unbalanced_force_index(l.contacts(), l.state().bodies); }},
      {{"fabric_anisotropy", "1",
        dimension == 2 ? "difference of the principal values of the fabric tensor of contact normals"
                       : "norm of the deviator of the fabric tensor of contact normals"},
       [dimension](Look l) {
         if (dimension == 3) return deviator_norm(l.fabric(), dimension);
         const auto principal = planar_principal(l.fabric());
         return principal.first - principal.second;
       }},
  };
}

RowColumns history_columns(bool checked) {
  RowColumns all{
      {{"history_legs", "1", "legs of a contact's history, mean over the contacts"},
       [](Look l) { return l.histories().mean_length(); }},
      {{"history_bytes", "byte", "memory that all histories need, room that is kept for more not included"},
       [](Look l) { return double(l.histories().bytes); }},
  };
  if (checked)
    append(all, {
                    {{"history_exact_legs", "1", "legs of a contact's exact history, mean over the contacts"},
                     [](Look l) { return l.histories().exact_length(); }},
                    {{"history_merge_error", "1",
                      "largest difference of a tangential force from that of the exact history so far, over f F_n"},
                     [](Look l) { return l.histories().merge_error; }},
                });
  return all;
}

RowColumns energy_columns(bool own) {
  RowColumns all;
  for (const LedgerColumn& entry : ledger_columns())
    if (own || !entry.own)
      all.push_back({entry.column, [&entry](Look l) {
                       return entry.booked && !l.run.keeps_ledger() ? NAN : entry.value(l.ledger());
                     }});
  return all;
}

/// Columns of the first bodies that have a name.
RowColumns body_columns_of(const Simulation& run) {
  const State& state = run.state();
  RowColumns all;
  std::set<std::string> taken;
  for (const BodySpec& spec : run.given().assembly.bodies) {
    const auto at = std::ranges::find(state.bodies.name, spec.name);
    const std::string word = column_word(spec.name);
    if (spec.name.empty() || at == state.bodies.name.end() || taken.size() == most_tracked ||
        !taken.insert(word).second)
      continue;
    for (const BodyColumn& part : body_columns(state.dimension))
      all.push_back(
          {{fmt::format("{}_{}", word, part.part), part.unit, fmt::format("{} body '{}'", part.description, spec.name)},
           [value = part.value, b = std::size_t(at - state.bodies.name.begin())](Look l) {
             return value(l.state(), b);
           }});
  }
  return all;
}

/// A word for each wall, of letters, digits and underscores, no two alike.
std::vector<std::string> words_of(const State& state, const std::vector<std::size_t>& walls) {
  std::vector<std::string> words;
  for (const std::size_t wall : walls) {
    std::string name = state.bodies.name.empty() ? "" : state.bodies.name[wall];
    if (name.empty()) name = fmt::format("wall_{}", wall);
    name = column_word(name);
    std::string word = name;
    for (int k = 2; std::ranges::find(words, word) != words.end(); ++k) word = fmt::format("{}_{}", name, k);
    words.push_back(std::move(word));
  }
  return words;
}
/// Added to the moment on a wall, so that every contact counts at its image in the cell. Positions are never wrapped:
/// without this the moment would tell how often a body has crossed the cell.
Vec3 moment_of_images(Look look, std::size_t wall) {
  const State& state = look.state();
  const auto& periodic = state.cell.periodic;
  Vec3 sum;
  if (std::ranges::none_of(periodic, std::identity{})) return sum;
  const std::array<Vec3, 3> rows = state.cell.reciprocal();
  for (const ContactLoad& contact : look.contacts()) {
    if (contact.key.j != wall) continue;
    const Vec3 point = state.bodies.evaluated_position[contact.key.i] + contact.branch;
    Vec3 shift;
    for (std::size_t a = 0; a < 3; ++a)
      if (periodic[a]) shift -= std::floor(dot(rows[a], point - state.cell_origin)) * state.cell.vectors[a];
    sum -= cross(shift, contact.force);  // the force on the wall is the negative
  }
  return sum;
}

std::vector<std::size_t> recorded_walls(const State& state) {
  std::vector<std::size_t> walls;
  for (std::size_t b = 0; b < state.bodies.size() && walls.size() < most_tracked; ++b)
    if (state.shape_of(b).is_wall()) walls.push_back(b);
  return walls;
}

}  // namespace

const Tensor3& RowLook::stress_between_plates() const {
  return once(stress_, [&] { return contact_stress(contacts(), plates_width(run) * run.driver<Plates>()->height()); });
}

double RowLook::inertial_number() const {
  if (run.driver<CellDriver>()) return cell_inertial_number(run);
  const Plates* plates = run.driver<Plates>();  // when the run is over, the rate of the last stage
  return plates ? dem::inertial_number(plates->shear_rate(), run.scale().mean_diameter, run.scale().mean_density,
                                       plates->stress().normal())
                : NAN;
}

double RowLook::stiffness_number() const {
  if (run.driver<CellDriver>()) {
    const double p = mean_pressure(run.driver<CellDriver>()->stress(), state().dimension),
                 k = typical_stiffness(run.given(), state());
    return dem::stiffness_number(state().dimension == 2 ? k : k / run.scale().mean_diameter, p);
  }
  return run.driver<Plates>()
             ? dem::stiffness_number(typical_stiffness(run.given(), state()), run.driver<Plates>()->stress().normal())
             : NAN;
}

RowColumns plate_columns(const Simulation& run) {
  RowColumns all{
      {{"strain", "1", "shear strain, time integral of the shear rate"}, [](Look l) { return l.run.strain(); }},
      {{"height", "m", "distance of the plates, between the mean heights of their centroids"},
       [](Look l) { return l.run.driver<Plates>()->height(); }},
      {{"wall_normal_bottom", "N/m", "normal stress on the bottom plate, compression positive"},
       [](Look l) { return l.run.driver<Plates>()->stress().normal_bottom; }},
      {{"wall_normal_top", "N/m", "normal stress on the top plate, compression positive"},
       [](Look l) { return l.run.driver<Plates>()->stress().normal_top; }},
      {{"wall_shear_bottom", "N/m", "shear stress by the bottom plate, positive as in shear along +x at the top"},
       [](Look l) { return l.run.driver<Plates>()->stress().shear_bottom; }},
      {{"wall_shear_top", "N/m", "shear stress by the top plate, positive along +x on the assembly"},
       [](Look l) { return l.run.driver<Plates>()->stress().shear_top; }},
      {{"shear_ratio", "1",
        "mean wall shear stress over mean wall normal stress (compression positive); nan unless the normal stress is "
        "positive"},
       [](Look l) {
         const WallStress& wall = l.run.driver<Plates>()->stress();
         return wall.normal() > 0 ? wall.shear() / wall.normal() : NAN;
       }},
      {{"stress_xx", "N/m", "mean stress between the plates' mean heights (Love-Weber), tension positive"},
       [](Look l) { return l.stress_between_plates().xx(); }},
      {{"stress_xy", "N/m", "mean stress between the plates' mean heights: force along x, face normal along y"},
       [](Look l) { return l.stress_between_plates().xy(); }},
      {{"stress_yx", "N/m", "mean stress between the plates' mean heights: force along y, face normal along x"},
       [](Look l) { return l.stress_between_plates().yx(); }},
      {{"stress_yy", "N/m", "mean stress between the plates' mean heights, tension positive"},
       [](Look l) { return l.stress_between_plates().yy(); }},
      {{"inertial_number", "1", "inertial number of the mean wall normal stress; inf unless that is positive"},
       [](Look l) { return l.inertial_number(); }},
      {{"stiffness_number", "1", "normal stiffness over mean wall normal stress; inf unless that is positive"},
       [](Look l) { return l.stiffness_number(); }},
  };
  if (std::ranges::any_of(run.given().stages, [](const Stage& stage) { return stage.cycles.has_value(); }))
    all.push_back({{"cycles", "1", "strain cycles of the stage that are done"},
                   [](Look l) { return l.run.driver<Plates>()->cycles_done(); }});
  return all;
}

/// Moments are about the origin, which moves with the wall; in the plane about the middle of the wall's two points. In
/// periodic directions contacts count in the cell.
RowColumns wall_columns(const State& state) {
  RowColumns all;
  const auto& periodic = state.cell.periodic;
  const char* const where =
      periodic[0] || periodic[1] || periodic[2] ? "; contacts count at their images in the cell" : "";
  const std::vector<std::size_t> walls = recorded_walls(state);
  const std::vector<std::string> words = words_of(state, walls);
  const bool plane = state.dimension == 2;
  for (std::size_t k = 0; k < walls.size(); ++k) {
    for (std::size_t a = 0; a < std::size_t(state.dimension); ++a)
      all.push_back({{fmt::format("{}_force_{}", words[k], axes[a]), "N",
                      fmt::format("force of the contacts on wall '{}' along {}", words[k], axes[a])},
                     [wall = walls[k], a](const RowLook& l) { return component(l.state().bodies.force[wall], a); }});
    for (std::size_t a = plane ? 2 : 0; a < 3; ++a)
      all.push_back(
          {{fmt::format("{}_moment_{}", words[k], axes[a]), "N m",
            (plane ? "moment of these forces about the middle of `from` and `to`, which moves with the wall"
                   : fmt::format("moment of these forces about {} through the origin, which moves with the wall",
                                 axes[a])) +
                where},
           [wall = walls[k], a](const RowLook& l) {
             return component(l.state().bodies.torque[wall] + moment_of_images(l, wall), a);
           }});
  }
  return all;
}

RowColumns row_columns(const Simulation& run) {
  RowColumns all = general_columns(run.state().dimension);
  if (run.driver<Plates>()) append(all, plate_columns(run));
  if (run.driver<CellDriver>()) append(all, cell_columns(run.state().dimension));
  for (std::size_t k = 0; k < run.drivers().size(); ++k)
    for (const DriverColumn& of_driver : run.drivers()[k]->columns())
      all.push_back(
          {of_driver.column, [k, value = of_driver.value](Look l) { return value(*l.run.drivers()[k], l.state()); }});
  append(all, wall_columns(run.state()));
  if (const auto memory = run.contact_engine().history_memory()) append(all, history_columns(memory->checked));
  append(all, energy_columns(run.has_own_accounts()));
  append(all, body_columns_of(run));
  return all;
}

}  // namespace dem
