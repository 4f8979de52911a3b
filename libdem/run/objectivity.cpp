#include "libdem/run/objectivity.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "geometry/contact_plane.hpp"
#include "geometry/random.hpp"
#include "libdem/drivers/shear_box.hpp"
#include "libdem/platform/file_error.hpp"

namespace dem {
namespace {

constexpr std::uint64_t samples = 20;  // compared moments of a run
// number of shifts that show the growth …
constexpr std::uint64_t few_shifts = 2;
// … and number before a difference counts as more than round-off
constexpr std::uint64_t many_shifts = 8;
constexpr double allowed_growth = 100;    // of the shift
constexpr double smallest_shift = 1e-16;  // of the largest coordinate

double shifted(double x, double by) {
  const double y = x + by;
  return y != x ? y : std::nextafter(x, std::copysign(INFINITY, by));
}

/// Every body is moved along each axis by a random ±by/2 to ±by (m), at least one unit in the last place.
Case with_small_shifts(const Case& given, double by, std::uint64_t seed) {
  Case c = given;
  geometry::Random random(seed);
  for (BodySpec& b : c.assembly.bodies) {
    const auto way = [&] { return (random.uniform() < 0.5 ? -by : by) * (0.5 + 0.5 * random.uniform()); };
    const Vec3 d{way(), way(), c.dimension == 3 ? way() : 0};
    for (Vec2& v : b.outline)
      if (b.outline_is_placed) v = {shifted(v.x, d.x), shifted(v.y, d.y)};
    b.position = {shifted(b.position.x, d.x), shifted(b.position.y, d.y),
                  d.z == 0 ? b.position.z : shifted(b.position.z, d.z)};
  }
  return c;
}

/// A folder for meshes that exist only in another frame. The last owner removes it.
std::shared_ptr<const std::filesystem::path> mesh_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "dem-objectivity-XXXXXX").string();
  if (!mkdtemp(name.data())) throw FileError(name + ": cannot make a folder for the meshes of walls");
  return {new std::filesystem::path(name), [](const std::filesystem::path* folder) {
            std::error_code ignored;
            std::filesystem::remove_all(*folder, ignored);
            delete folder;
          }};
}

struct Way {
  std::string how;
  FrameChange change;
};

/// Turns in the order of trial. The first possible one is taken; messages give the reason against earlier ones.
std::vector<Way> turns(const Case& c) {
  const double angle = 20 * std::numbers::pi / 180;
  const Way half{"by 180° about z", FrameChange::signs(-1, -1, 1)};
  if (const auto* box = c.driver_options<ShearBoxSpec>()) {
    const Vec3 middle{0.5 * box->length, 0.5 * box->full_width(), 0};
    return {{"by 20° about z", FrameChange::turn({0, 0, 1}, angle)},
            {"by 180° about its middle, sheared the other way", half.change.about(middle)}};
  }
  if (c.dimension == 2)
    return {{"by 20°", FrameChange::turn({0, 0, 1}, angle)},
            {"by 90°", FrameChange::quarter_turn()},
            {"by 180°", half.change}};
  return {{"by 20° about (1, 2, 3)", FrameChange::turn({1, 2, 3}, angle)},
          {"by 120° about (1, 1, 1)", FrameChange::cycle()},
          half};
}

Way shift(const Case& c, double way) {
  const Vec3 t = way * Vec3{2.3, -1.7, c.dimension == 3 ? 1.1 : 0};
  return {c.dimension == 3 ? fmt::format("by ({:.3g}, {:.3g}, {:.3g}) m", t.x, t.y, t.z)
                           : fmt::format("by ({:.3g}, {:.3g}) m", t.x, t.y),
          {FrameChange{}.rows, t}};
}

Way mirror(const Case& c) {
  const auto* box = c.driver_options<ShearBoxSpec>();
  if (!box) return {"x → −x", FrameChange::signs(-1, 1, 1)};
  return {"at the middle of y", FrameChange::signs(1, -1, 1).about({0, 0.5 * box->full_width(), 0})};
}

std::vector<std::size_t> shuffled(std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  geometry::Random random(2);
  for (std::size_t k = n; k > 1; --k) std::swap(order[k - 1], order[std::size_t(random.uniform() * double(k))]);
  if (n == 2) order = {1, 0};
  return order;
}

void raise(Difference& a, const Difference& b) {
  a.position = std::max(a.position, b.position);
  a.rotation = std::max(a.rotation, b.rotation);
  a.force = std::max(a.force, b.force);
}

}  // namespace

std::vector<BoundChoice> bound_choices(const Case& c) {
  std::vector<BoundChoice> all;
  if (c.dimension == 3) return all;
  const bool polygons =
      std::ranges::any_of(c.assembly.bodies, [](const BodySpec& b) { return b.shape == ShapeKind::polygon; });
  const auto plane = std::ranges::find(geometry::contact_planes, c.contact.plane, &geometry::ContactPlaneEntry::plane);
  if (polygons && !plane->frame_free)
    all.push_back({"contact_plane", std::string(plane->name), "area-gradient", "frame"});
  // Both take the movement from the position of body i of a contact.
  const GeometricForm form = c.contact.geometric_form;
  if (c.contact.elongation == Elongation::geometric && form != GeometricForm::exact)
    all.push_back({"geometric_form",
                   form == GeometricForm::centroid_displacement ? "centroid-displacement" : "eq10-11-literal", "exact",
                   "numbering"});
  return all;
}

Case without_bound_choices(Case c) {
  c.contact.plane = geometry::ContactPlane::area_gradient;
  c.contact.geometric_form = GeometricForm::exact;
  return c;
}

FirstSteps::FirstSteps(Case listed, std::uint64_t steps, Progress progress)
    : case_(std::move(listed)), progress_(std::move(progress)) {
  const std::uint64_t count = std::min(samples, steps);
  for (std::uint64_t k = 1; k <= count; ++k) at_.push_back(steps * k / count);
  first_ = run(case_, "as it is", true);
  if (first_.end < steps) {  // earlier comparisons are repeated in finer steps
    failure_ = first_.failure;
    at_.clear();
    const std::uint64_t left = std::min(samples, first_.end);
    for (std::uint64_t k = 1; k <= left; ++k) at_.push_back(first_.end * k / left);
    first_ = run(case_, "as it is", true);
  }
  growth_.resize(at_.size());
  while (shifts_ < few_shifts) add_shift();
}

FirstSteps::Path FirstSteps::run(const Case& c, const std::string& name, bool first) {
  Path path;
  try {
    Simulation run(c);
    if (first) {
      const State& state = run.state();
      is_wall_.clear();
      start_hash_ = run.hash();
      if (run.scale().mean_diameter > 0) diameter_ = run.scale().mean_diameter;
      Vec3 low{INFINITY, INFINITY, INFINITY}, high = -low;
      double largest = 0;
      for (std::size_t b = 0; b < state.bodies.size(); ++b) {
        is_wall_.push_back(state.shape_of(b).is_wall());
        if (is_wall_.back()) continue;
        const Vec3 x = state.bodies.position[0][b];
        low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
        high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
        largest = std::max({largest, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
      }
      extent_ = norm(high - low) + diameter_;
      size_ = largest + 2.3 * extent_;
    }
    double mean_force = 0, largest_stiffness = 0;  // without contacts those of the last ones: still a scale
    for (const std::uint64_t sample : at_) {
      while (run.step_count() < sample) {
        if (first && run.finished() && !c.stages.empty()) return path;
        run.step(run.step_count() + 1 == sample);
        path.end = run.step_count();
        path.contacts = std::max(path.contacts, run.contact_count());
        if (progress_ && path.end % 8 == 0) progress_(name, path.end);
      }
      const Bodies& bodies = run.state().bodies;
      if (first && run.contact_count() > 0) {
        mean_force = largest_stiffness = 0;
        for (const ContactRecord& contact : run.contacts()) {
          mean_force += norm(contact.force) / double(run.contact_count());
          largest_stiffness = std::max({largest_stiffness, contact.normal_stiffness, contact.tangential_stiffness});
        }
      }
      path.at.push_back({bodies.position[0].by_number(), bodies.rotation[0].by_number(), bodies.force.by_number(),
                         mean_force, largest_stiffness, run.hash()});
    }
  } catch (const std::runtime_error& error) {
    if (first && path.end == 0) throw;
    path.failure = error.what();
  }
  return path;
}

std::vector<Difference> FirstSteps::differences(const Path& other, const FrameChange& change,
                                                const std::vector<std::size_t>& order) const {
  std::vector<Difference> all;
  for (std::size_t k = 0; k < other.at.size() && k < first_.at.size(); ++k) {
    const Sample &here = first_.at[k], &there = other.at[k];
    Difference& d = all.emplace_back();
    for (std::size_t b = 0; b < is_wall_.size(); ++b) {
      const std::size_t old = b < order.size() ? order[b] : b;
      if (here.mean_force > 0)
        d.force = std::max(d.force, norm(there.force[b] - change.vector(here.force[old])) / here.mean_force);
      if (is_wall_[b]) continue;  // its motion is prescribed
      d.position = std::max(d.position, norm(there.position[b] - change.point(here.position[old])) / diameter_);
      d.rotation = std::max(d.rotation, norm(there.rotation[b] - change.axial(here.rotation[old])));
    }
  }
  return all;
}

void FirstSteps::add_shift() {
  ++shifts_;
  const std::vector<Difference> found = differences(
      run(with_small_shifts(case_, smallest_shift * size_, shifts_), fmt::format("1e-16 shift {}", shifts_)), {}, {});
  Difference so_far;
  for (std::size_t k = 0; k < growth_.size(); ++k) {
    if (k < found.size()) raise(so_far, found[k]);
    raise(growth_[k], so_far);
  }
}

/// Bound of round-off after so many steps: that of the sums plus the growth of the shift.
Difference FirstSteps::bound(std::size_t k) const {
  const Sample& s = first_.at[k];
  double turned = 1;
  for (const Vec3 r : s.rotation) turned = std::max(turned, norm(r));
  const double rounding = double(at_[k]) * 0x1p-52, moved = rounding * size_;
  const Difference& g = growth_[k];
  return {allowed_growth * g.position + moved / diameter_,
          allowed_growth * g.rotation + rounding * turned + moved / diameter_,
          allowed_growth * g.force + (s.mean_force > 0 ? s.largest_stiffness * moved / s.mean_force : 0)};
}

void FirstSteps::judge(FrameResult& result, const std::vector<Difference>& found) const {
  result.beyond_from.reset();
  for (std::size_t k = 0; k < found.size() && !result.beyond_from; ++k)
    if (!found[k].within(bound(k))) result.beyond_from = at_[k];
}

FrameResult FirstSteps::compare(const Case& other, const std::string& name, const FrameChange& change,
                                const std::vector<std::size_t>& order) {
  const Path path = run(other, name);
  const std::vector<Difference> found = differences(path, change, order);
  FrameResult result;
  result.failure = path.failure;
  if (!found.empty()) result.at_end = found.back();
  judge(result, found);
  // A difference counts as more than round-off only after several shifts have shown how far round-off goes.
  while (result.beyond_from && shifts_ < many_shifts) {
    add_shift();
    judge(result, found);
  }
  return result;
}

std::optional<std::uint64_t> FirstSteps::other_bits(int threads) {
  Case c = case_;
  c.threads = threads;
  const Path path = run(c, fmt::format("{} threads", threads));
  for (std::size_t k = 0; k < at_.size(); ++k)
    if (k >= path.at.size() || path.at[k].hash != first_.at[k].hash) return at_[k];
  return std::nullopt;
}

void check_objectivity(FirstSteps& steps, const std::function<void(const ObjectivityItem&)>& tell) {
  const Case& listed = steps.given();
  const bool any =
      std::ranges::find(listed.assembly.walls, WallShape::mesh, &WallSpec::shape) != listed.assembly.walls.end();
  const auto meshes = any ? mesh_folder() : std::make_shared<const std::filesystem::path>();
  std::optional<FirstSteps> unbound;  // the first steps without bound choices

  const auto add = [&](ObjectivityItem item, const Case& other, const FrameChange& change,
                       const std::vector<std::size_t>& order) {
    item.found = steps.compare(other, item.name, change, order);
    if (!item.found.is_round_off() && !bound_choices(listed).empty()) {
      if (!unbound) unbound.emplace(without_bound_choices(listed), steps.steps(), steps.progress());
      item.without_bound = unbound->compare(without_bound_choices(other), item.name, change, order);
      item.shift_without_bound = unbound->shift_growth();
    }
    item.shift = steps.shift_growth();
    tell(item);
  };
  const auto try_ways = [&](const std::string& name, const std::vector<Way>& ways) {
    ObjectivityItem item;
    item.name = name;
    for (const Way& way : ways) {
      const std::string reason = cannot_change_frame(listed, way.change);
      if (reason.empty()) {
        item.how = way.how;
        return add(item, in_frame(listed, way.change, *meshes), way.change, {});
      }
      if (item.why_not.empty()) item.why_not = reason;
    }
    tell(item);
  };

  try_ways("turned", turns(listed));
  try_ways("shifted", {shift(listed, steps.extent())});
  try_ways("mirrored", {mirror(listed)});
  ObjectivityItem item;
  item.name = "renumbered";
  const std::size_t n = listed.assembly.bodies.size();
  if (n > 1) {
    const std::vector<std::size_t> order = shuffled(n);
    item.how = "in another order";
    add(item, renumbered(listed, order), {}, order);
  } else {
    item.why_not = "there is one body";
    tell(item);
  }
}

}  // namespace dem
