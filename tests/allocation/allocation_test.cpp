// No memory is taken in a step once the run is warm (`fast` geometry, while contacts stay below their largest count so
// far). The counting operator new below is that of the whole program, so this test is a program of its own.
#include <atomic>
#include <new>

#include "cases.hpp"

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

namespace {

/// Crosses, which meet in several contacts at once, or discs of two sizes, poured into a box that is then tilted by its
/// gravity.
Case box_case(ShapeKind shape) {
  Case c = case_of(R"(
gravity = [3, -9.81]
material = {normal_stiffness = 1e4, tangential_stiffness = 3e3, friction = 0.3, restitution = 0.9}
time.step = 1e-4
skin = 0.05
wall = [{name = "a", from = [0, 0], to = [8.5, 0]}, {name = "b", from = [8.5, 0], to = [8.5, 9]},
        {name = "c", from = [0, 9], to = [0, 0]}]
body = [{shape = "disc", radius = 1, position = [4, 4]}]
stage = [{duration = 1000}]
)");
  c.material.rotational_damping = 0.01;
  c.contact = {};
  c.assembly.bodies.clear();
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
  return c;
}

/// Counts allocations in steps in which the number of contacts stays below its largest so far.
void check(const Case& c, int warm_up, int steps, std::uint64_t rebuilds) {
  Simulation run(c);
  std::size_t most = 0;
  for (int k = 0; k < warm_up; ++k) {
    run.step();
    most = std::max(most, run.contact_count());
  }
  long quiet_steps = 0, taken = 0;
  std::uint64_t first = 0;
  const std::uint64_t builds_before = run.list_builds();
  for (int k = 0; k < steps; ++k) {
    const long before = allocations;
    run.step();
    const long now = allocations - before;
    if (run.contact_count() > most) {
      most = run.contact_count();
      continue;
    }
    ++quiet_steps;
    taken += now;
    if (now > 0 && first == 0) first = run.step_count();
  }
  BOOST_TEST(taken == 0, taken << " allocations, the first one at step " << first);
  BOOST_TEST(quiet_steps > steps * 9 / 10);
  BOOST_TEST(run.list_builds() - builds_before >= rebuilds);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_counter_counts) {
  const long before = allocations;
  delete new int(3);
  std::vector<double> v(100);
  BOOST_TEST(allocations - before == 2);
}

/// Fast shear of small Voronoi cells, so that the neighbourhood changes often.
BOOST_AUTO_TEST_CASE(shear_of_polygons_between_plates) {
  Case c = case_of(R"(
material = {normal_stiffness = 400, tangential_stiffness = 133.33333333333334, friction = 0.5, restitution = 0.8}
assembly = {generator = "voronoi", columns = 10, rows = 12, disorder = 0.6, solid_fraction = 1, seed = 5}
plates = {}
time.step = 0.002
skin = 0.05
stage = [{normal = "hold-stress", normal_stress = 4, plate_speed = 0.2, duration = 4},
         {normal = "hold-stress", normal_stress = 4, plate_speed = 1, shear_rate = 0.05, duration = 1000}]
)");
  check(c, 4000, 6000, 5);
  c.contact.plane = geometry::ContactPlane::edge_mean;
  c.contact.elongation = Elongation::velocity;
  c.contact.velocity_source = VelocitySource::trapezoid;
  c.time.integrator = Integrator::velocity_verlet;
  check(c, 4000, 1000, 5);
}

BOOST_AUTO_TEST_CASE(crosses_with_several_contacts_a_pair_and_discs_in_a_box) {
  for (const ShapeKind shape : {ShapeKind::polygon, ShapeKind::disc}) check(box_case(shape), 9000, 6000, 3);
}
