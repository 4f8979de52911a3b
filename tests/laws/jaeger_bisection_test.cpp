// Random histories of one Jäger contact against Eq. M by bisection in long double.
#include "tests/laws/jaeger_paths.hpp"

using namespace dem::laws;
using namespace dem::laws::jaeger_paths;

namespace {

/// Eq. M: p(z) as pieces, and the front where g(c) = f(ζ − c) − |X(c)| changes its sign, with the cases of §5 alone.
class Bisection {
 public:
  using Real = long double;
  explicit Bisection(const JaegerCoefficients& c) : c_(c) {}

  void step(Move m) {
    if (!(m.z > 0)) return pieces_.clear();
    const Real z = m.z, f = c_.friction, kappa = c_.ratio, z_old = pieces_.empty() ? 0 : pieces_.back().z;
    const auto at = [&](Real c) {  // X(c)
      Pair x{m.x / kappa, m.y / kappa};
      Real below = 0;
      for (const Piece& piece : pieces_) {
        const Real part = std::max(Real(0), piece.z - std::max(below, c));
        x = {x.x + part * piece.p.x, x.y + part * piece.p.y};
        below = piece.z;
      }
      return x;
    };
    const auto g = [&](Real c) {
      const Pair x = at(c);
      return f * (z - c) - std::sqrt(x.x * x.x + x.y * x.y);
    };
    if (z > z_old && g(z_old) > 0) {
      pieces_.push_back({z, {m.x / (kappa * (z - z_old)), m.y / (kappa * (z - z_old))}});
      return;
    }
    Real front = 0, high = std::min(z, z_old);
    if (g(0) > 0) {
      for (int turn = 0; turn < 200; ++turn) {
        const Real middle = front + (high - front) / 2;
        if (middle <= front || middle >= high) break;
        (g(middle) > 0 ? front : high) = middle;
      }
    }
    const Pair x = at(front);
    const Real size = std::sqrt(x.x * x.x + x.y * x.y);
    while (pieces_.size() > 1 && pieces_[pieces_.size() - 2].z >= front) pieces_.pop_back();
    if (!pieces_.empty()) pieces_.back().z = std::min(pieces_.back().z, front);
    if (front <= 0) pieces_.clear();
    pieces_.push_back({z, size > 0 ? Pair{f * x.x / size, f * x.y / size} : Pair{0, 0}});
  }
  struct Pair {
    Real x, y;
  };
  Pair force() const {
    Pair sum{0, 0};
    Real below = 0;
    for (const Piece& piece : pieces_) {
      const Real df = normal(piece.z) - normal(below);
      sum = {sum.x + df * piece.p.x, sum.y + df * piece.p.y};
      below = piece.z;
    }
    return sum;
  }
  Real normal(Real z) const { return c_.modulus * std::sqrt(c_.radius * z) * z; }

 private:
  struct Piece {
    Real z;
    Pair p;
  };
  JaegerCoefficients c_;
  std::vector<Piece> pieces_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(forces_by_bisection) {
  Draw draw{geometry::Random(5)};
  Largest apart;
  std::array<int, 6> seen{};
  for (const Overlap overlap : overlaps)
    for (const bool plane : {true, false})
      for (const double friction : {0.1, 0.6, 1.5}) {
        Single<> s{coefficients(draw, friction)};
        Bisection oracle(s.c);
        Path path(draw.seed(), s.c, overlap, plane, 0.5, 0.01);
        double largest = 0;
        for (int k = 0; k < 300; ++k) {
          const Move m = path.next();
          ++seen[std::size_t(s.step(m))];
          oracle.step(m);
          largest = std::max(largest, s.h.normal_force);
          const auto force = oracle.force();
          apart.see(double(std::hypot(s.h.force_1 - force.x, s.h.force_2 - force.y)) / (friction * largest), k);
        }
      }
  within(apart, 1e-13, "F_t over f max F_n");
  for (const int n : seen) BOOST_TEST(n > 20);
}
