// Uses a bit of everything that links with another library: CGAL's numbers, zlib, fmt, toml++, HDF5, threads.
#include <cmath>
#include <cstdio>
#include <vector>

#include "geometry/outlines.hpp"
#include "geometry/overlap.hpp"
#include "geometry/tessellation.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/results/hdf5.hpp"
#include "libdem/run/simulation.hpp"

using namespace dem;

namespace {

int failures = 0;
void expect(bool good, const char* what) {
  if (good) return;
  std::printf("failed: %s\n", what);
  ++failures;
}

void overlap_of_two_squares() {
  const geometry::Outline a{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, b{{0.75, 0.5}, {2, 0.5}, {2, 2}, {0.75, 2}};
  geometry::Overlap out;
  for (const auto overlap : {geometry::overlap_fast, geometry::overlap_exact}) {
    overlap({a, geometry::bounding_box(a)}, {b, geometry::bounding_box(b)}, out);
    expect(out.components.size() == 1 && out.area() == 0.125, "area of an overlap");
  }
}

void voronoi_assembly() {
  double area = 0;
  for (const auto& cell : geometry::periodic_voronoi({8, 6, 1, 0.6, 1, 1}))
    area += geometry::Polygon(cell.outline).area();
  expect(std::abs(area - 48) < 1e-12, "area of a Voronoi assembly");
}

void grains_from_a_file() {
  std::FILE* file = std::fopen("grains.tsv", "w");
  std::fputs("1\tPOLYGON((0 0,2 0,2 1,0 1,0 0))\n", file);
  std::fclose(file);
  const auto grains = geometry::read_grains("grains.tsv");
  expect(grains.size() == 1 && geometry::simplified(grains[0].outline, 0.01).size() == 4, "outlines from a file");
}

void hdf5_in_memory() {
  auto file = hdf5::File::create("memory.h5");
  const std::vector<double> values{1, 2, 3};
  file.root().write<double>("values", values);
  expect(hdf5::File::from_bytes("memory.h5", file.bytes()).root().read<double>("values") == values, "HDF5 in memory");
}

/// Two discs fly at each other without friction or damping: they part with their velocities exchanged.
void head_on_collision() {
  Simulation simulation(parse_case(R"(format = 1
material = { normal_stiffness = 1000.0, tangential_stiffness = 100.0, friction = 0.0, restitution = 1.0 }
time = { step = 1e-4 }
body = [
  { shape = "disc", radius = 0.5, position = [-0.55, 0.0], velocity = [0.1, 0.0] },
  { shape = "disc", radius = 0.5, position = [0.55, 0.0], velocity = [-0.1, 0.0] },
]
stage = [{ name = "fly", duration = 2.0 }]
)",
                                   "fly.toml"));
  while (!simulation.finished()) simulation.step();
  const double v = simulation.state().bodies.position[1][1].x / simulation.state().dt;
  std::printf("velocity after the collision: %.9f m/s\n", v);
  expect(std::abs(v - 0.1) < 1e-6, "a head-on collision");
}

void refused_case_file() {
  try {
    parse_case("format = 1\nno_such_key = 3\n", "none.toml");
    expect(false, "a case file with an unknown key was taken");
  } catch (const CaseErrors& e) {
    expect(!e.messages.empty(), "messages about a case file");
  }
}

}  // namespace

int main() {
  overlap_of_two_squares();
  voronoi_assembly();
  grains_from_a_file();
  hdf5_in_memory();
  refused_case_file();
  head_on_collision();
  return failures == 0 ? 0 : 1;
}
