// No memory is taken in a step once the run is warm (`fast` geometry, while contacts stay below their largest count so
// far). The counting operator new below is that of the whole program, so this test is a program of its own.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <new>

#include "libdem/drivers/plates.hpp"
#include "libdem/run/simulation.hpp"

namespace {
std::atomic<long> allocations{0};

void* counted(std::size_t size, std::size_t alignment = 0) {
  ++allocations;
  void* p = alignment > alignof(std::max_align_t)
                ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                : std::malloc(size > 0 ? size : 1);
  if (!p) throw std::bad_alloc();
  return p;
}
}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, std::align_val_t a) { return counted(size, std::size_t(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return counted(size, std::size_t(a)); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

using namespace dem;

namespace {

/// Fast shear of small Voronoi cells, so that the neighbourhood changes often.
Case shear_case() {
  Case c;
  c.periodic = {true, false};
  c.assembly.voronoi = geometry::VoronoiInput{10, 12, 1, 0.6, 1, 5};
  c.use_driver(PlatesSpec{});
  c.material.normal_stiffness = 400;
  c.material.tangential_stiffness = 400.0 / 3;
  c.material.friction = 0.5;
  c.material.restitution = 0.8;
  c.time.step = 0.002;
  c.skin = 0.05;
  Stage press, shear;
  press.normal = shear.normal = PlateNormal::hold_stress;
  press.normal_stress = shear.normal_stress = 4;
  press.plate_speed = 0.2;
  press.duration = 4;
  shear.plate_speed = 1;
  shear.shear_rate = 0.05;
  shear.duration = 1000;
  c.stages = {press, shear};
  return c;
}

/// Crosses, which meet in several contacts at once, or discs of two sizes, poured into a box that is then tilted by its
/// gravity.
Case box_case(ShapeKind shape) {
  Case c;
  c.gravity = {3, -9.81};
  c.material.normal_stiffness = 1e4;
  c.material.tangential_stiffness = 3e3;
  c.material.friction = 0.3;
  c.material.restitution = 0.9;
  c.material.rotational_damping = 0.01;
  c.time.step = 1e-4;
  c.skin = 0.05;
  for (int k = 0; k < 36; ++k) {
    BodySpec b;
    b.shape = shape;
    b.radius = k % 2 == 0 ? 0.5 : 0.35;
    const double w = 0.2, l = 0.6;
    b.outline = {{w, w},   {w, l},   {-w, l}, {-w, w}, {-l, w}, {-l, -w},
                 {-w, -w}, {-w, -l}, {w, -l}, {w, -w}, {l, -w}, {l, w}};
    b.position = {0.75 + 1.4 * (k % 6), 0.75 + 1.4 * (k / 6)};
    b.angle = 0.37 * k;
    c.assembly.bodies.push_back(b);
  }
  for (const auto& [from, to] :
       {std::pair{Vec2{0, 0}, Vec2{8.5, 0}}, {Vec2{8.5, 0}, Vec2{8.5, 9}}, {Vec2{0, 9}, Vec2{0, 0}}}) {
    WallSpec wall;
    wall.from = from;
    wall.to = to;
    c.assembly.walls.push_back(wall);
  }
  Stage fall;
  fall.duration = 1000;
  c.stages = {fall};
  return c;
}

/// Allocations of steps in which the number of contacts stays within what was there before, and what happened
/// meanwhile.
struct Count {
  long quiet_steps = 0, rebuilds = 0, allocations = 0, steps_that_allocate = 0, first = -1;
};

Count count_steps(const Case& c, int warm_up, int steps) {
  Simulation run(c);
  std::size_t most = 0;
  for (int k = 0; k < warm_up; ++k) {
    run.step();
    most = std::max(most, run.contact_count());
  }
  Count count;
  const std::uint64_t builds_before = run.list_builds();
  for (int k = 0; k < steps; ++k) {
    const long before = allocations;
    run.step();
    const long taken = allocations - before;
    if (run.contact_count() > most) {
      most = run.contact_count();
      continue;
    }
    ++count.quiet_steps;
    count.allocations += taken;
    if (taken > 0) ++count.steps_that_allocate;
    if (taken > 0 && count.first < 0) count.first = long(run.step_count());
  }
  count.rebuilds = long(run.list_builds() - builds_before);
  return count;
}

void check(const Case& c, int warm_up, int steps, long rebuilds) {
  const Count found = count_steps(c, warm_up, steps);
  BOOST_TEST_CONTEXT(found.quiet_steps << " steps, " << found.rebuilds << " rebuilds, first allocation at step "
                                       << found.first << ", in " << found.steps_that_allocate << " steps") {
    BOOST_TEST(found.allocations == 0);
    BOOST_TEST(found.quiet_steps > steps * 9 / 10);
    BOOST_TEST(found.rebuilds >= rebuilds);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(allocation)

BOOST_AUTO_TEST_CASE(the_counter_counts) {
  const long before = allocations;
  delete new int(3);
  std::vector<double> v(100);
  BOOST_TEST(allocations - before == 2);
}

BOOST_AUTO_TEST_CASE(shear_of_polygons_between_plates) { check(shear_case(), 4000, 6000, 5); }

BOOST_AUTO_TEST_CASE(other_planes_and_elongations) {
  Case c = shear_case();
  c.contact.plane = geometry::ContactPlane::edge_mean;
  c.contact.elongation = Elongation::velocity;
  c.contact.velocity_source = VelocitySource::trapezoid;
  c.time.integrator = Integrator::velocity_verlet;
  check(c, 4000, 1000, 5);
}

BOOST_AUTO_TEST_CASE(crosses_with_several_contacts_a_pair) { check(box_case(ShapeKind::polygon), 9000, 6000, 3); }

BOOST_AUTO_TEST_CASE(discs_in_a_box) { check(box_case(ShapeKind::disc), 9000, 6000, 3); }

BOOST_AUTO_TEST_SUITE_END()
