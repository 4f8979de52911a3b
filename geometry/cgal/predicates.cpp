#include "geometry/predicates.hpp"

#include <CGAL/MP_Float.h>
#include <CGAL/Mpzf.h>

namespace dem::geometry {
namespace {

#ifdef CGAL_HAS_MPZF
using Exact = CGAL::Mpzf;  // keeps small numbers on the stack
#else
using Exact = CGAL::MP_Float;
#endif

}  // namespace

double orientation_exact(Vec2 a, Vec2 b, Vec2 c) {
  const Exact cx(c.x), cy(c.y);
  const Exact det = (Exact(a.x) - cx) * (Exact(b.y) - cy) - (Exact(a.y) - cy) * (Exact(b.x) - cx);
  if (CGAL::sign(det) == CGAL::ZERO) return 0;
  const double value = CGAL::to_double(det);
  // A determinant below the smallest double still has a sign.
  return value != 0 ? value : (CGAL::sign(det) == CGAL::POSITIVE ? 1 : -1) * 4.9406564584124654e-324;
}

}  // namespace dem::geometry
