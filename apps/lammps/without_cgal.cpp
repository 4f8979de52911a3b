// The program contains LAMMPS, which is under GPL-2 only, so it must not contain CGAL, which is under GPL-3. These are
// the functions of geometry/cgal; voronoi.cpp has one more. The linker takes them from here and leaves that room out.
#include <gmp.h>

#include <limits>
#include <string>

#include "geometry/error.hpp"
#include "geometry/outlines.hpp"
#include "geometry/overlap.hpp"
#include "geometry/predicates.hpp"

namespace dem::geometry {
namespace {

[[noreturn]] void refuse(const char* what) {
  throw GeometryError(std::string(what) + " is not in dem-lammps: prepare the assembly with dem, or use dem run");
}

}  // namespace

/// By fractions of GMP, which is under GPL-2 or later. Rounded towards zero, which no decision can see.
double orientation_exact(Vec2 a, Vec2 b, Vec2 c) {
  class Fraction {
   public:
    explicit Fraction(double value) {
      mpq_init(q_);
      mpq_set_d(q_, value);
    }
    ~Fraction() { mpq_clear(q_); }
    Fraction(const Fraction&) = delete;
    Fraction& operator=(const Fraction&) = delete;
    void subtract(const Fraction& other) { mpq_sub(q_, q_, other.q_); }
    void multiply(const Fraction& other) { mpq_mul(q_, q_, other.q_); }
    int sign() const { return mpq_sgn(q_); }
    double value() const { return mpq_get_d(q_); }

   private:
    mpq_t q_;
  };
  const Fraction cx(c.x), cy(c.y);
  Fraction ax(a.x), ay(a.y), bx(b.x), by(b.y);
  for (Fraction* x : {&ax, &bx}) x->subtract(cx);
  for (Fraction* y : {&ay, &by}) y->subtract(cy);
  ax.multiply(by);
  ay.multiply(bx);
  ax.subtract(ay);
  const double value = ax.value();
  // A determinant below the smallest double still has a sign.
  return value != 0 ? value : ax.sign() * std::numeric_limits<double>::denorm_min();
}
Outline simplified(const Outline& outline, double tolerance) {
  if (tolerance == 0 || outline.size() == 3) return outline;
  refuse("simplification of outlines");
}
void overlap_exact(const PlacedPolygon&, const PlacedPolygon&, Overlap&) { refuse("exact overlap"); }
double boolean_area_exact(const PlacedPolygon&, const PlacedPolygon&) { refuse("exact overlap"); }

}  // namespace dem::geometry
