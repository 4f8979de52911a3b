// Fig. 9: tractions over the contact area at three stages of oblique loading and unloading (U2), and after nine steps
// (U3): the digits of the reference, the limit of friction at every point, and their integrals. jaeger-contact
// reference, §10 and §16.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libdem/laws/jaeger_traction.hpp"
#include "validation/kuhn2011/reference_tables.hpp"
#include "validation/kuhn2011/studies.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::kuhn2011 {

namespace {

using kuhn2020::verdict;
constexpr double pi = std::numbers::pi;

struct Stage {
  const char *id, *name, *table;
  std::size_t steps;
  double a;                       // m
  std::vector<double> radii;      // of the fronts, outermost last (m)
  std::vector<double> at, shear;  // ρ/a, τ (Pa)
};
const std::vector<double> shares{0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99};
const std::vector<Stage> stages{
    {"U2-B",
     "after loading (B)",
     "U2",
     3,
     0.10405841649670135,
     {0.04829963840545164, 0.10405841649670135},
     shares,
     {0.07099428123189172, 0.0764694632152361, 0.11474082365293428, 0.0876347516151918, 0.057751614769750124,
      0.041370392306962614, 0.018690196595713617}},
    {"U2-between",
     "halfway back",
     "U2",
     4,
     0.10042546998348993,
     {0.04829963840545164, 0.0849952110744635, 0.10042546998348993},
     shares,
     {0.02707583841041423, 0.030439226907785256, 0.06389612487328107, 0.015719190188576898, -0.05573535760792077,
      -0.0399260456837701, -0.018037673841287634}},
    {"U2-D",
     "after unloading (D)",
     "U2",
     5,
     0.09650874322758259,
     {0.0447953904911149, 0.09650874322758259},
     shares,
     {-0.065843485694909, -0.07092143085248902, -0.10641611760441692, -0.08127665234759388, -0.05356160461050989,
      -0.03836887685585313, -0.017334180596395566}},
    {"U3",
     "after nine steps (U3)",
     "U3",
     9,
     0.07141428428542851,
     {},
     {0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.97, 0.99},
     {0.0359282540519547, 0.03488939333740592, 0.02904289524363495, 0.05063307905768274, 0.008987840112237055,
      0.007635593530164481, -0.019060634317545545, -0.009229192206044498, 0.012826901061666162}},
};

JaegerPath path_to(const Stage& s) {
  const auto& table = table_named(s.table);
  JaegerPath path = path_of(table);
  for (std::size_t k = 0; k < s.steps; ++k) path.step(move_of(table.rows[k]));
  return path;
}

/// ∫ (σ, τ) 2πρ dρ by Simpson's rule between the radii of the legs, ρ = r + (r' − r) sin θ, which takes away the root
/// at the edge of a ring.
struct Integral {
  double normal = 0, shear = 0;
};
Integral integral(const laws::JaegerTractions& t, std::size_t rings, int intervals) {
  Integral sum;
  double inner = 0;
  for (std::size_t ring = 0; ring < rings; ++ring) {
    const double outer = t.ring_radius(ring), width = outer - inner, step = 0.5 * pi / intervals;
    for (int k = 0; k <= intervals; ++k) {
      const double angle = k * step, rho = inner + width * std::sin(angle),
                   weight = (k == 0 || k == intervals ? 1
                             : k % 2                  ? 4
                                                      : 2) *
                            step / 3;
      const double area = weight * width * std::cos(angle) * 2 * pi * rho;
      sum.normal += area * t.pressure(rho);
      sum.shear += area * t.shear(rho).x;
    }
    inner = outer;
  }
  return sum;
}

/// ρ from 0 to a, dense at the edges of the rings.
std::vector<double> radii_of(const laws::JaegerTractions& t, std::size_t rings, int in_a_ring) {
  std::vector<double> all;
  double inner = 0;
  for (std::size_t ring = 0; ring < rings; ++ring) {
    const double outer = t.ring_radius(ring);
    for (int k = 0; k < in_a_ring; ++k)
      all.push_back(inner + (outer - inner) * 0.5 * (1 - std::cos(pi * k / in_a_ring)));
    inner = outer;
  }
  all.push_back(inner);
  return all;
}

void claims(StudyRun& run) {
  for (const Stage& s : stages) {
    const JaegerPath path = path_to(s);
    const auto legs = path.legs();
    const laws::JaegerTractions t(path.c, legs);
    const double f = path.c.friction, top = f * t.pressure(0), a = t.radius();
    double digits = 0, fronts = std::abs(a / s.a - 1);
    for (std::size_t k = 0; k < s.at.size(); ++k)
      digits = std::max(digits, std::abs(t.shear(s.at[k] * s.a).x - s.shear[k]) / top);
    for (std::size_t k = 0; k < s.radii.size(); ++k)
      fronts = std::max(fronts, std::abs(t.ring_radius(k) / s.radii[k] - 1));
    const bool same_rings = s.radii.empty() || legs.size() == s.radii.size();
    run.claim({fmt::format("{}-digits", s.id), "jaeger-contact reference §16, tractions of U2 and U3",
               fmt::format("a = {}, τ at {} radii from {} to {}", s.a, s.at.size(), s.shear.front(), s.shear.back()),
               fmt::format("τ off by at most {:.1e} f σ(0), a and the radii of the fronts by {:.1e}, {} rings", digits,
                           fronts, legs.size()),
               "1e-12 (the reference gives 16 digits and this for its integrals)",
               verdict(digits <= 1e-12 && fronts <= 1e-12 && same_rings),
               "Radii of rings of U3 are not printed; its legs are in the study of Fig. 4."});
    // The sums of σ over the legs round; the ring that slipped last is at the limit.
    double beyond = -1, slipped = 0, inside = 1;
    const double inner = legs.size() > 1 ? t.ring_radius(legs.size() - 2) : 0;
    std::size_t points = 0;
    for (const double rho : radii_of(t, legs.size(), 2000)) {
      const double limit = f * t.pressure(rho), tau = std::abs(t.shear(rho).x);
      if (!(limit > 0)) continue;
      ++points;
      beyond = std::max(beyond, tau / limit - 1);
      if (rho > inner)
        slipped = std::max(slipped, std::abs(tau / limit - 1));
      else
        inside = std::min(inside, tau / limit);
    }
    run.claim({fmt::format("{}-limit", s.id), "Kuhn 2011, Fig. 9; jaeger-contact reference §10",
               "|τ| ≤ f σ everywhere, equality in the ring that slips",
               fmt::format("{} radii: |τ|/(f σ) is above 1 by at most {:.1e}, differs from 1 by at most {:.1e} in the "
                           "outermost ring, and falls to {:.3f} "
                           "inside",
                           points, std::max(beyond, 0.0), slipped, inside),
               "1e-14: rounding of a sum of at most seven legs",
               verdict(beyond <= 1e-14 && slipped <= 1e-14 && inside < 1), "The last step of every stage slips."});
    const Integral coarse = integral(t, legs.size(), 2000), fine = integral(t, legs.size(), 4000);
    const double limit = path.limit(), off = std::abs(fine.shear - path.h.force_1) / limit,
                 off_normal = std::abs(fine.normal / path.h.normal_force - 1);
    run.claim(
        {fmt::format("{}-integral", s.id), "jaeger-contact reference §10 and checklist of §16",
         "the integral of τ is F_t",
         fmt::format(
             "{:.1e} f F_n from F_t, σ {:.1e} from F_n; quadrature: {:.1e} between 2000 and 4000 intervals a ring", off,
             off_normal, std::abs(fine.shear - coarse.shear) / limit),
         "1e-12", verdict(off <= 1e-12 && off_normal <= 1e-12),
         "Ring by ring, which takes away the roots at the edges."});
  }
}

void draw(StudyRun& run) {
  Figure figure;
  figure.id = "kuhn2011/figure-9";
  figure.title = "Tangential tractions over the contact area";
  figure.caption =
      "Oblique loading to F_t = 0.9 f F_n, halfway back, and back to −0.9 f F_n (chords of Fig. 8), and the nine steps "
      "of Fig. 4. Tractions over f "
      "σ(0) of "
      "the stage, distances over its contact radius; dashed: the limit of friction ±f σ. Points: values of the "
      "reference from 16 printed digits. "
      "Kinks "
      "are the ends of the legs of the stored history.";
  for (const Stage& s : stages) {
    const JaegerPath path = path_to(s);
    const auto legs = path.legs();
    const laws::JaegerTractions t(path.c, legs);
    const double scale = path.c.friction * t.pressure(0), a = t.radius();
    Curve tau{"τ", {}, {}, {}, {}, Curve::Style::line}, upper{"f σ", {}, {}, {}, {}, Curve::Style::prediction},
        lower = upper;
    lower.label = "−f σ";
    for (const double rho : radii_of(t, legs.size(), 120)) {
      const double limit = path.c.friction * t.pressure(rho) / scale;
      for (Curve* c : {&tau, &upper, &lower}) c->x.push_back(rho / a);
      tau.y.push_back(t.shear(rho).x / scale);
      upper.y.push_back(limit);
      lower.y.push_back(-limit);
    }
    Curve printed{"reference", s.at, s.shear, {}, {}, Curve::Style::points};
    for (double& y : printed.y) y /= scale;
    figure.panels.push_back({fmt::format("{}: F_t = {:.3f} f F_n", s.name, path.h.force_1 / path.limit()),
                             "ρ/a",
                             "τ/(f σ(0))",
                             false,
                             false,
                             {tau, printed, upper, lower},
                             {}});
  }
  figure.command = "dem validate kuhn2011/figure-9";
  run.figure(std::move(figure));
}

}  // namespace

void figure_9(StudyRun& run) {
  claims(run);
  draw(run);
}

}  // namespace dem::validation::kuhn2011
