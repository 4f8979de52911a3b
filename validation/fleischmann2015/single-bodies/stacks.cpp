// D2: pyramid of four spheres and plane wedge of three on a plane: who stands, and how much friction that takes.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "libdem/case/case_file.hpp"
#include "validation/fleischmann2015/single-bodies/bodies.hpp"
#include "validation/fleischmann2015/single-bodies/parts.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

using kuhn2020::agrees_with_print;
using kuhn2020::verdict;

constexpr const char *source = "direct-shear reference §4, case D2",
                     *statics = "direct-shear reference §4, case D2; T8";
constexpr double long_enough = 2;  // s, of the reference

/// The time at which the centre of the top sphere has gone half of the way to the ground (s).
double half_way(const Fate& f) {
  const double middle = 0.5 * (0.5 + std::sqrt(2.0 / 3) + 0.5);
  for (std::size_t k = 0; k < f.time.size(); ++k)
    if (f.heights[k] < middle) return f.time[k];
  throw std::runtime_error("a pyramid that should fall stands");
}

/// Least friction with which it stands, by bisection.
struct Threshold {
  bool wedge = false, of_ground = false;
  double slowly = 0, stiffer = 1;
  double known() const { return of_ground ? least_friction(wedge).ground : least_friction(wedge).contact; }
  Stack with(double friction) const {
    Stack s{.wedge = wedge, .slowly = slowly, .stiffer = stiffer};
    (of_ground ? s.ground_friction : s.friction) = friction;
    return s;
  }
  bool stands(double friction) const { return fate_of(with(friction), long_enough).fell_at == 0; }
  std::vector<double> find(double resolution) const {
    double falls = 0.97 * known(), stands_at = 1.07 * known();
    if (stands(falls) || !stands(stands_at))
      throw std::runtime_error("the least friction of a stack of spheres is not within 7 % of that of statics");
    while (stands_at - falls > resolution * known()) {
      const double middle = 0.5 * (falls + stands_at);
      (stands(middle) ? stands_at : falls) = middle;
    }
    return {falls, stands_at};
  }
};

void claim_heights(StudyRun& run, const Fate& whole, const Fate& none,
                   const std::vector<std::pair<double, Fate>>& pseudo) {
  run.claim({"pyramid-true", source, "with true history it stands: top height 1.3160 d after 2 s",
             fmt::format("{:.5f} d after 2 s; F_t/F_n = {:.5f} under the top sphere, {:.5f} on the ground",
                         whole.height, whole.contact_ratio, whole.ground_ratio),
             "the printed digits", verdict(whole.fell_at == 0 && agrees_with_print("1.3160", whole.height)),
             "Friction 0.5 between spheres and on the ground."});
  const double fine_none = fate_of({.history = TangentialHistory::none, .dt = 5e-6}, 0.5).fell_at;
  run.claim({"pyramid-none", source, "without history it collapses although friction would suffice",
             fmt::format("below half of its first height after {:.4f} s, at Δt = 5e-6 s after {:.4f} s", none.fell_at,
                         fine_none),
             "it falls, and a smaller step changes the time by less than 1 %",
             verdict(none.fell_at > 0 && std::abs(fine_none / none.fell_at - 1) < 0.01), "Friction 0.5, as above."});
  run.claim({"pyramid-none-time", source, "top below half height after 0.19 s",
             fmt::format("below half of its first height after {:.3f} s; half of the way to the ground after {:.3f} s",
                         none.fell_at, half_way(none)),
             "none: the reference does not say how height is measured", ClaimVerdict::not_comparable,
             "The first reading is 8 % later than published, the second has the printed digits."});
  std::string times;
  for (const auto& [dt, f] : pseudo)
    times += fmt::format("{}{:.4f} s at Δt = {:g} s", times.empty() ? "" : ", ", f.fell_at, dt);
  const double coarse = pseudo[0].second.fell_at - none.fell_at, middle = pseudo[1].second.fell_at - none.fell_at,
               fine = pseudo[2].second.fell_at - none.fell_at, left = 2 * fine - middle;
  run.claim(
      {"pyramid-pseudo", source, "pseudo-history collapses as well, after the same time",
       fmt::format("below half height after {}: 1/4 of the step delays it by {:.3f} of as much; extrapolated to no "
                   "step it falls {:.1f} % later than without history",
                   times, fine / coarse, 100 * left / none.fell_at),
       "delay in proportion to the step (10 %), the same time within 1 % in the limit",
       verdict(std::abs(4 * fine / coarse - 1) < 0.1 && std::abs(left / none.fell_at) < 0.01),
       "A dashpot of k_t Δt beside γ_t m. At Δt = 2e-5 s it falls much later than without history; the step of "
       "the reference is not known."});
}

struct Bracket {
  const char *id, *what;
  bool of_ground;
  double falls, stands;
};
constexpr Bracket brackets[] = {{"cold-contact", "friction between the spheres", false, 0.32, 0.33},
                                {"cold-ground", "friction of the ground", true, 0.08, 0.085}};

void claim_brackets(StudyRun& run) {
  for (const Bracket& b : brackets) {
    const Threshold t{.of_ground = b.of_ground};
    const Fate falls = fate_of(t.with(b.falls), long_enough), stands = fate_of(t.with(b.stands), long_enough);
    const double ratio = b.of_ground ? stands.ground_ratio : stands.contact_ratio;
    run.claim(
        {b.id, source,
         fmt::format("from a cold start the pyramid falls at {} ≤ {:g}, stands at ≥ {:g}", b.what, b.falls, b.stands),
         fmt::format(
             "falls at {:g} (half height after {:.2f} s); at {:g} it {} with F_t/F_n = {:.5f} there (statics {:.6f})",
             b.falls, falls.fell_at, b.stands, stands.fell_at == 0 ? "stands after 2 s" : "falls", ratio, t.known()),
         "falls and stands as published", verdict(falls.fell_at > 0 && stands.fell_at == 0),
         "Weight comes on at once, without compression: more than statics needs."});
  }
}

void claim_thresholds(StudyRun& run) {
  std::vector<Threshold> all;
  for (const bool wedge : {false, true})
    for (const bool of_ground : {false, true})
      for (const auto& [slowly, stiffer] : {std::pair{0.0, 1.0}, {0.2, 1.0}, {0.2, 10.0}})
        all.push_back({wedge, of_ground, slowly, stiffer});
  std::string what;
  std::vector<double> cost;
  constexpr double resolution = 1e-4;
  for (const Threshold& t : all)
    what += resolved_case(stack_case(t.with(t.known()))), cost.push_back(std::sqrt(t.stiffer));
  const auto found = run.tasks(
      "thresholds", all.size(), [&](std::size_t k, TaskProgress&) { return all[k].find(resolution); },
      what + fmt::format("{} {}", resolution, long_enough), cost);
  for (const TaskResult& r : found)
    if (!r.done) throw std::runtime_error("a threshold of friction was not found: " + r.message);
  for (std::size_t k = 0; k < all.size(); k += 3) {
    const Threshold& t = all[k];
    const auto text = [&](std::size_t at) {
      return fmt::format("{:.6f} to {:.6f}", found[at].numbers[0], found[at].numbers[1]);
    };
    const auto over = [&](std::size_t at) {
      return 0.5 * (found[at].numbers[0] + found[at].numbers[1]) / t.known() - 1;
    };
    const bool holds = std::abs(over(k + 1)) < 1e-3 && std::abs(over(k + 2)) < 3e-4;
    run.claim({fmt::format("threshold-{}-{}", t.wedge ? "wedge" : "pyramid", t.of_ground ? "ground" : "contact"),
               statics,
               fmt::format("{}: statics needs a friction {} of {:.6f}", t.wedge ? "planar wedge of 2 + 1" : "pyramid",
                           t.of_ground ? "of the ground" : "between spheres", t.known()),
               fmt::format("loaded slowly it falls at the first and stands at the second of {}, with springs ten times "
                           "as stiff {}; from a cold start {}, {:.1f} % more",
                           text(k + 1), text(k + 2), text(k), 100 * over(k)),
               "1e-3 for how far the spheres give way, δ/R = 1e-4 at the top sphere to 4e-4 on the ground; 3e-4 with a "
               "tenth of that, bisected to 1e-4",
               verdict(holds),
               "True history, 0.5 at the other contacts; loaded for 0.2 s under mass damping, then 2 s without."});
  }
}

}  // namespace

Panel stacks(StudyRun& run) {
  const Fate whole = fate_of({}, long_enough), none = fate_of({.history = TangentialHistory::none}, long_enough);
  std::vector<std::pair<double, Fate>> pseudo;
  for (const double dt : {2e-5, 1e-5, 5e-6, 1e-6})
    if (dt > 2e-6 || !run.quick())
      pseudo.emplace_back(dt, fate_of({.history = TangentialHistory::pseudo, .dt = dt}, long_enough));
  claim_heights(run, whole, none, pseudo);
  claim_brackets(run);
  if (!run.quick()) claim_thresholds(run);

  Panel panel{"pyramid of four spheres, μ = 0.5", "time (s)", "height of the top sphere z/d", false, false, {}, {}};
  const auto add = [&](const std::string& label, const Fate& f) {
    Curve line{label, {}, {}, {}, {}, Curve::Style::line};
    for (std::size_t k = 0; k < f.time.size() && f.time[k] < 0.4; ++k)
      line.x.push_back(f.time[k]), line.y.push_back(f.heights[k]);
    panel.curves.push_back(std::move(line));
  };
  add("true", whole);
  for (const auto& [dt, f] : pseudo)
    if (dt > 2e-6) add(fmt::format("pseudo, Δt = {:g} s", dt), f);
  add("none", none);
  add("true, μ = 0.32", fate_of({.friction = 0.32}, 0.4));
  panel.curves.push_back({"on the ground", {0, 0.4}, {0.5, 0.5}, {}, {}, Curve::Style::prediction});
  return panel;
}

}  // namespace dem::validation::fleischmann2015
