#include "validation/pena2008/polygon_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/overlap.hpp"
#include "geometry/random.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/run/simulation_setup.hpp"
#include "validation/pena2008/two_discs.hpp"

namespace dem::validation::pena2008 {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

geometry::Outline turned(geometry::Outline outline, double angle) {
  for (Vec2& v : outline) v = Turn::by(angle)(v);
  return outline;
}

double overlap_area(const geometry::Outline& i, geometry::Outline j, Vec2 at) {
  for (Vec2& v : j) v += at;
  geometry::Overlap overlap;
  geometry::overlap_fast({i, geometry::bounding_box(i), false}, {j, geometry::bounding_box(j), false}, overlap);
  return overlap.area();
}

geometry::Outline random_hexagon(geometry::Random& random) {
  const auto between = [&](double low, double high) { return low + (high - low) * random.uniform(); };
  for (;;) {
    geometry::Outline outline;
    const double phase = between(0, std::numbers::pi / 3);
    for (int k = 0; k < 6; ++k) {
      const double angle = phase + (k + between(-0.25, 0.25)) * std::numbers::pi / 3;
      outline.push_back(between(0.45, 0.55) * Vec2{std::cos(angle), std::sin(angle)});
    }
    const geometry::Polygon polygon(outline);
    if (polygon.convex()) return {polygon.vertices().begin(), polygon.vertices().end()};
  }
}

struct Face {
  double length = 0, angle = 0, distance = 0;  // angle of its outward normal; distance from the centroid (m, rad)
};

/// The longest face above which the centroid lies (the polygon can rest on it).
Face longest_face(const geometry::Outline& outline) {
  Face longest;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const Vec2 a = outline[k], edge = outline[(k + 1) % outline.size()] - a;
    const double length = norm(edge), foot = -dot(a, edge) / length;  // of the centroid, from a
    const Vec2 outward = (1 / length) * Vec2{edge.y, -edge.x};
    if (foot > 0 && foot < length && length > longest.length)
      longest = {length, std::atan2(outward.y, outward.x), dot(a, outward)};
  }
  return longest;
}

}  // namespace

PairCase polygon_pair_case(const PairShapes& shapes, double dt_over_tc, double angle) {
  Case c;
  c.title = "Polygon pair";
  c.material.normal_stiffness = 1;
  c.material.tangential_stiffness = 1.0 / 3;
  c.material.friction = 500;
  c.material.restitution = reference_restitution;
  c.time.override_limit = true;
  BodySpec i, j;
  i.name = "held";
  j.name = "pushed";
  i.outline = turned(shapes.i, angle);
  j.outline = turned(shapes.j, angle);
  i.fix_x = i.fix_y = i.fix_rotation = j.fix_rotation = true;
  const double a_i = geometry::area_properties(i.outline).area, a_j = geometry::area_properties(j.outline).area;
  const double length = std::sqrt(a_i / (2 * std::numbers::pi)) + std::sqrt(a_j / (2 * std::numbers::pi));
  const double reduced = a_i * a_j / (a_i + a_j);
  const double t_c = contact_duration(damping_of_restitution(reference_restitution, 1, reduced), 1, reduced);
  j.position = spatial(Turn::by(angle)(shapes.start));
  j.force = spatial(Turn::by(angle)(Vec2{-0.01 * length, 0}));
  c.assembly.bodies = {i, j};
  c.time.step = dt_over_tc * t_c;
  return {c, t_c, angle};
}

PairCase with_velocity_elongation(PairCase pair) {
  pair.given = with_velocity_elongation(std::move(pair.given));
  return pair;
}

PairCase with_plane(PairCase pair, geometry::ContactPlane plane) {
  pair.given.contact.plane = plane;
  return pair;
}

PairCase with_rotation(PairCase pair, double rotational_damping) {
  pair.given.assembly.bodies[1].fix_rotation = false;
  pair.given.material.rotational_damping = rotational_damping;
  return pair;
}

PairCase guided(PairCase pair) {
  pair.given.assembly.bodies[1].fix_y = true;
  return pair;
}

PairCase seated(const PairShapes& shapes, double dt_over_tc) {
  PairShapes flat{turned(shapes.i, std::numbers::pi / 2 - longest_face(shapes.i).angle),
                  turned(shapes.j, -std::numbers::pi / 2 - longest_face(shapes.j).angle),
                  {},
                  {},
                  {}};
  // Overlap of 1e-9 m, 1e-7 of what the force presses in: the contact holds elongation from the start.
  flat.start = {0, longest_face(shapes.i).distance + longest_face(shapes.j).distance - 1e-9};
  PairCase pair = polygon_pair_case(flat, dt_over_tc);
  BodySpec& j = pair.given.assembly.bodies[1];
  j.force = {0, -norm(j.force)};
  return pair;
}

PairEnd relax(const PairCase& pair, const PairRun& choice) {
  Simulation run(pair.given);
  RelaxationFit fit;
  PairEnd end;
  double plane_before = nan;
  const Vec2 start = planar(run.state().bodies.position[0][1]);
  const double limit = choice.limit_in_tc * pair.t_c;
  while (run.time() < limit) {
    run.step();
    fit.add(run.time(), kinetic_energy(run.state()));
    if (choice.each_step) choice.each_step(run);
    if (choice.watch_plane) {
      const double now = run.contacts().size() == 1 ? run.contacts()[0].plane_angle : nan;
      if (fit.last() < choice.high * fit.largest() && std::isfinite(now) && std::isfinite(plane_before))
        end.late_turn_deg = std::max(end.late_turn_deg,
                                     std::abs(geometry::wrap_line_angle(now - plane_before)) * 180 / std::numbers::pi);
      plane_before = now;
    }
    if (run.step_count() % 256 == 0 && fit.decayed(choice.end_at)) break;
    if (run.step_count() % 16 == 0 && run.contact_count() == 0) {
      const Vec2 away = planar(run.state().bodies.position[0][1]) - start;  // rebounds are a thousand times smaller
      if ((end.lost = norm(away) > 0.1)) break;
    }
    if (choice.progress && run.step_count() % 65536 == 0) choice.progress(run.time() / limit);
  }
  end.fit = fit.fit(choice.high, choice.low);
  end.fit.time /= pair.t_c;
  end.angle = run.state().bodies.rotation[0][1].z;
  end.duration = run.time() / pair.t_c;
  const Vec2 at = Turn::by(-pair.start_angle)(planar(run.state().bodies.position[0][1]));
  end.result = {at.x, at.y, nan, nan, end.fit.time};
  if (run.contacts().size() == 1) {
    const ContactRecord& k = run.contacts()[0];
    end.result.alpha_deg = k.plane_angle * 180 / std::numbers::pi;
    end.result.ratio = std::abs(k.tangential_force / k.normal_force);
  }
  return end;
}

std::vector<PairEnd> relax_all(StudyRun& study, std::string_view name, const std::vector<PairJob>& jobs) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  std::vector<double> cost;
  for (const PairJob& job : jobs) {
    for (const char c :
         fmt::format("{}{} {} {} {} {} {};", resolved_case(job.pair.given), job.pair.start_angle, job.run.limit_in_tc,
                     job.run.high, job.run.low, job.run.end_at, job.run.watch_plane))
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    cost.push_back(job.expected_tc * job.pair.t_c / job.pair.given.time.step);
  }
  const auto work = [&](std::size_t k, TaskProgress& progress) -> std::vector<double> {
    PairRun choice = jobs[k].run;
    choice.progress = [&](double share) { progress.done(share); };
    const PairEnd e = relax(jobs[k].pair, choice);
    return {e.result.x,           e.result.y, e.result.alpha_deg, e.result.ratio, e.fit.time,     e.fit.r_squared,
            double(e.fit.maxima), e.angle,    double(e.lost),     e.duration,     e.late_turn_deg};
  };
  std::vector<PairEnd> ends;
  for (const TaskResult& r :
       study.tasks(name, jobs.size(), work, fmt::format("polygon pairs 1: {} {:016x}", jobs.size(), hash), cost)) {
    PairEnd e;
    e.result = {nan, nan, nan, nan, nan};
    e.fit.time = e.angle = nan;
    if (r.done && r.numbers.size() == 11) {
      const auto& v = r.numbers;
      const double time = v[6] >= 3 ? v[4] : nan;
      e = {{v[0], v[1], v[2], v[3], time}, {time, v[5], std::size_t(v[6])}, v[7], v[9], v[10], v[8] != 0};
    }
    ends.push_back(e);
  }
  return ends;
}

PairShapes random_pair(std::uint64_t seed) {
  geometry::Random random(seed);
  PairShapes shapes{
      random_hexagon(random), random_hexagon(random), {}, {nan, nan, nan, nan, nan}, {nan, nan, nan, nan, nan}};
  const Vec2 along{std::sqrt(0.5), std::sqrt(0.5)};
  double inside = 0.3, outside = 2;  // m: distances at which they overlap, and do not
  for (int k = 0; k < 60; ++k) {
    const double middle = (inside + outside) / 2;
    (overlap_area(shapes.i, shapes.j, middle * along) > 0 ? inside : outside) = middle;
  }
  shapes.start = inside * along;
  return shapes;
}

}  // namespace dem::validation::pena2008
