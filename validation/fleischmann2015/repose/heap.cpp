#include "validation/fleischmann2015/repose/heap.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace dem::validation::fleischmann2015 {

namespace {

constexpr std::size_t faces = 4;
constexpr const char *tube_name = "tube", *smooth = "smooth";

WallSpec rectangle(const char* name, Vec3 corner, Vec3 edge_1, Vec3 edge_2) {
  WallSpec w;
  w.name = name;
  w.shape = WallShape::rectangle;
  w.corner = corner;
  w.edge_1 = edge_1;
  w.edge_2 = edge_2;
  return w;
}

/// Four upright walls around the middle.
void add_ring(std::vector<WallSpec>& walls, const char* name, double width, double low, double high,
              const char* material = "") {
  const double a = 0.5 * width;
  const Vec3 up{0, 0, high - low};
  for (const double x : {-a, a}) walls.push_back(rectangle(name, {x, -a, low}, {0, width, 0}, up));
  for (const double y : {-a, a}) walls.push_back(rectangle(name, {-a, y, low}, {width, 0, 0}, up));
  for (std::size_t k = walls.size() - faces; k < walls.size(); ++k) walls[k].material = material;
}

/// Heights of the surface over the faces' middles, in rings of half a diameter.
struct Surface {
  double spacing = 0;
  std::vector<double> of_face[faces];
};

Surface surface_of(const Simulation& run, const HeapSetup& setup) {
  Surface s;
  s.spacing = 0.5 * setup.diameter;
  const auto rings = std::size_t(0.5 * setup.dish / s.spacing);
  const double grid = 0.1 * setup.diameter;
  for (std::size_t f = 0; f < faces; ++f)
    for (std::size_t k = 0; k < rings; ++k) {
      // Points of a strip across the direction, no wider than the wedge of the face.
      double sum = 0, points = 0;
      const double from = double(k) * s.spacing, half = std::min(from + 0.5 * s.spacing, 2.5 * setup.diameter);
      for (double along = from + 0.5 * grid; along < from + s.spacing; along += grid)
        for (double across = -half + 0.5 * grid; across < half; across += grid) {
          const double x = f == 0 ? along : f == 1 ? -along : across, y = f == 2 ? along : f == 3 ? -along : across;
          double top = 0;
          for (std::size_t b = 0; b < run.state().bodies.size(); ++b) {
            if (run.state().shape_of(b).is_wall()) continue;
            const Vec3 at = run.state().bodies.position[0][b];
            const double r = run.state().shape_of(b).radius(), d2 = (at.x - x) * (at.x - x) + (at.y - y) * (at.y - y);
            if (d2 < r * r) top = std::max(top, at.z + std::sqrt(r * r - d2));
          }
          sum += top;
          ++points;
        }
      s.of_face[f].push_back(sum / points);
    }
  return s;
}

double slope_angle(const std::vector<double>& height, const Surface& s, const HeapSetup& setup) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < height.size(); ++k) {
    const double x = (double(k) + 0.5) * s.spacing;
    if (x < 1.5 * setup.diameter || x > 0.5 * setup.dish - 2 * setup.diameter) continue;
    ++n, sx += x, sy += height[k], sxx += x * x, sxy += x * height[k];
  }
  return std::atan(-(n * sxy - sx * sy) / (n * sxx - sx * sx)) * 180 / std::numbers::pi;
}

std::vector<double> angles_of(const Surface& s, const HeapSetup& setup) {
  std::vector<double> angles;
  for (const auto& height : s.of_face) angles.push_back(slope_angle(height, s, setup));
  return angles;
}

double mean(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0) / double(v.size()); }

}  // namespace

Case heap_case(const HeapSetup& s) {
  Case c;
  c.dimension = 3;
  c.gravity = {0, 0, -9.81};
  RainSpec rain;
  const double radius = 0.5 * s.largest;
  if (s.sizes)
    static_cast<SizeDistribution&>(rain) = *s.sizes;
  else
    rain.radius = radius;
  rain.jitter = s.jitter;
  rain.columns = rain.rows = s.per_layer;
  rain.layers = s.layers;
  rain.pitch = s.tube / s.per_layer;
  rain.layer_spacing = 2.04 * radius;
  rain.lowest = 1.02 * radius;
  rain.seed = s.seed;
  c.assembly.rain = rain;
  auto& walls = c.assembly.walls;
  walls.push_back(rectangle("dish", {-0.5 * s.dish, -0.5 * s.dish, 0}, {s.dish, 0, 0}, {0, s.dish, 0}));
  add_ring(walls, "dish", s.dish, 0, s.rim);
  add_ring(walls, tube_name, s.tube, 0, s.layers * rain.layer_spacing + s.largest, smooth);
  const double basin = 3 * s.dish, depth = 4 * s.diameter;
  walls.push_back(rectangle("basin", {-0.5 * basin, -0.5 * basin, -depth}, {basin, 0, 0}, {0, basin, 0}));
  add_ring(walls, "basin", basin, -depth, 0.5 * s.dish);
  c.material.density = 2500;
  c.material.shear_modulus = 8e6 / 2.6;
  c.material.poisson_ratio = 0.3;
  c.material.friction = 0.5;
  c.material.restitution = 0.9;
  NamedMaterial tube;
  tube.name = smooth;
  tube.density = c.material.density;
  tube.shear_modulus = c.material.shear_modulus;
  tube.poisson_ratio = c.material.poisson_ratio;
  tube.friction = 0;
  c.materials.push_back(tube);
  c.contact.law = "hertz-history";
  c.contact.elongation = Elongation::velocity;
  c.contact.velocity_source = VelocitySource::trapezoid;  // of the middle of the step, as the codes of the reference
                                                          // take it; no damping of its own
  *c.contact.law.history() = s.history;
  c.time.integrator = Integrator::velocity_verlet;
  c.time.step = s.step;
  c.output.ledger = false;
  Stage fill, lift, rest;
  fill.name = "fill";
  fill.duration = s.fill;
  lift.name = "lift";
  lift.duration = s.lift;
  lift.wall_velocities = {{tube_name, {0, 0, s.speed}}};
  rest.name = "rest";
  rest.duration = s.rest;
  c.stages = {fill, lift, rest};
  return c;
}

HeapReport pour_heap(const HeapSetup& s, TaskProgress& progress) {
  Simulation run(heap_case(s));
  const double end = s.fill + s.lift + s.rest;
  double before = 0;
  bool measured = false;
  while (!run.finished()) {
    run.step(false);
    if (run.step_count() % 1000 == 0) progress.done(run.time() / end);
    if (measured || run.time() < end - 0.25 * s.rest) continue;
    measured = true;
    before = mean(angles_of(surface_of(run, s), s));
  }
  const Surface surface = surface_of(run, s);
  HeapReport r;
  r.angles = angles_of(surface, s);
  r.creep = mean(r.angles) - before;
  for (std::size_t k = 0; k < surface.of_face[0].size(); ++k) {
    r.distance.push_back((double(k) + 0.5) * surface.spacing);
    double sum = 0;
    for (const auto& face : surface.of_face) sum += face[k] / double(faces);
    r.height.push_back(sum);
  }
  for (std::size_t b = 0; b < run.state().bodies.size(); ++b)
    if (!run.state().shape_of(b).is_wall() && run.state().bodies.position[0][b].z > 0) ++r.spheres;
  return r;
}

double HeapReport::angle() const { return mean(angles); }

std::vector<double> HeapReport::pack() const {
  std::vector<double> out{creep, spheres};
  out.insert(out.end(), angles.begin(), angles.end());
  for (std::size_t k = 0; k < distance.size(); ++k) out.insert(out.end(), {distance[k], height[k]});
  return out;
}

HeapReport HeapReport::unpack(const std::vector<double>& n) {
  HeapReport r;
  r.creep = n.at(0);
  r.spheres = n.at(1);
  r.angles.assign(n.begin() + 2, n.begin() + 2 + faces);
  for (std::size_t k = 2 + faces; k + 1 < n.size(); k += 2) {
    r.distance.push_back(n[k]);
    r.height.push_back(n[k + 1]);
  }
  return r;
}

}  // namespace dem::validation::fleischmann2015
