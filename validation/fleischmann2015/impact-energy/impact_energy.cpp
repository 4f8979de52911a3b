// What an impact gains: kinetic energy made by a tangential spring whose stiffness changes during the contact
// (direct-shear reference, §1.2). All angles, friction up to 10, restitution 0.1 to 1, any spin (gains.hpp), the limit
// of both variants.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/random.hpp"
#include "libdem/case/case_file.hpp"
#include "validation/fleischmann2015/impact-energy/gains.hpp"
#include "validation/fleischmann2015/studies.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

using kuhn2020::verdict;

constexpr const char* section = "direct-shear reference §1.2";
constexpr std::array forms{Form::hooke, Form::displacement, Form::force_increment, Form::rescaled};
constexpr double of_beads = 0.22;  // ν of the reference's beads, which its impacts have
constexpr double soft = 4e7, hard = 4e10,
                 hardest = 4e12;  // Young's moduli (Pa); the first is that of the reference's impacts

struct Grid {
  std::vector<double> frictions, poisson_ratios;
  int per_decade = 24;
  double steps = 1000;
};
Grid grid_of(bool quick) {
  if (quick) return {{0.1, 0.5, 1, 3, 10}, {0, 0.22, 0.3, 0.5}, 8, 300};
  return {{0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10},
          {0, 0.05, 0.1, 0.15, 0.2, 0.22, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5},
          24,
          1000};
}

/// Over angles and frictions as well.
LargestGain top_of(const std::vector<Impact>& settings, const Grid& grid) {
  LargestGain top;
  for (Impact i : settings)
    for (const double friction : grid.frictions) {
      i.steps = grid.steps;
      i.friction = friction;
      if (const LargestGain found = largest_gain(i, grid.per_decade); found.gain > top.gain) top = found;
    }
  return top;
}

/// All springs, spins and limits of a form.
std::vector<Impact> settings_of(Form form, const std::vector<double>& poisson_ratios,
                                std::initializer_list<double> restitutions, double young = hard) {
  std::vector<Impact> all;
  const auto add = [&](Impact i) {
    i.young = young;
    for (const double e : restitutions)
      for (const double spin : {0.0, spin_of_largest_gain})
        for (const FrictionLimit limit : {FrictionLimit::total, FrictionLimit::spring}) {
          if (e == 1 && limit == FrictionLimit::spring) continue;  // without dashpots the two are one
          i.restitution = e, i.spin = spin, i.limit = limit;
          all.push_back(i);
        }
  };
  if (form == Form::hooke)
    for (const double ratio : {2.0 / 7, 1.0, 2.0}) add({.form = form, .stiffness_ratio = ratio});
  else
    for (const double nu : poisson_ratios) add({.form = form, .poisson_ratio = nu});
  return all;
}

std::string words_of(const LargestGain& top) {
  const Impact& t = top.impact;
  const std::string springs = t.form == Form::hooke ? fmt::format("k_t/k_n = {:.3g}", t.stiffness_ratio)
                                                    : fmt::format("ν = {:g}", t.poisson_ratio);
  return fmt::format("{}, μ = {:g}, {:.3g}° from the normal, R ω = {:g} v_x, e = {:g}", springs, t.friction, t.degrees,
                     t.spin, t.restitution);
}

/// With more steps, and what fewer made of it.
struct Refined {
  double gain, change;
};
Refined refined(Impact i) {
  i.steps *= 4;
  const double coarse = energy_of(i).gain;
  i.steps *= 4;
  const double fine = energy_of(i).gain;
  return {fine, std::abs(coarse - fine)};
}

/// Forms that are said never to gain: what they do gain must vanish with the time step.
void claim_never(StudyRun& run, const Grid& grid, Form form, const char* id, const char* published, const char* source,
                 const char* note) {
  Grid fine = grid;
  fine.steps *= 4;
  auto all = settings_of(form, grid.poisson_ratios, {1.0, 0.9, 0.5, 0.1});
  if (form != Form::hooke) {
    const auto of_soft = settings_of(form, grid.poisson_ratios, {1.0}, soft);
    all.insert(all.end(), of_soft.begin(), of_soft.end());
  }
  const LargestGain coarse = top_of(all, grid), finer = top_of(all, fine);
  const bool holds = finer.gain < 1e-9 || (finer.gain < 1e-5 && finer.gain < coarse.gain / 8);
  run.claim({id, source, published,
             fmt::format("{} settings, each at {} frictions and about {} angles: largest gain {:.1e} with {:g} steps a "
                         "contact, {:.1e} with {:g} ({})",
                         all.size(), grid.frictions.size(), 5 * grid.per_decade / 2, coarse.gain, grid.steps,
                         finer.gain, fine.steps, words_of(finer)),
             "what is left vanishes with the time step: less than 1e-9, or a quarter of the step leaves less than an "
             "eighth, and less than 1e-5",
             verdict(holds), note});
}

/// The smallest ν of the grid at which a form gains nothing.
void claim_poisson(StudyRun& run, const Grid& grid) {
  std::string text;
  for (const Form form : {Form::displacement, Form::force_increment}) {
    double none = -1, last = 0;
    for (const double nu : grid.poisson_ratios) {
      const double gain = top_of(settings_of(form, {nu}, {1.0}), grid).gain;
      if (gain < 1e-5 && none < 0) none = nu;
      if (gain >= 1e-5) last = nu, none = -1;
    }
    text += fmt::format("{}{}: gains up to ν = {:g}, {}", text.empty() ? "" : "; ", name_of(form), last,
                        none < 0 ? "no ν without" : fmt::format("none from ν = {:g} on", none));
  }
  run.claim({"poisson", section, "nothing on Poisson's ratio",
             fmt::format("hard spheres, e = 1, all μ, angles and spins: {}", text), "", ClaimVerdict::not_comparable,
             "k_t/k_n = 3(1 − ν)/(2 − ν) decides how often the tangential spring turns back during the contact."});
}

/// Over angles and spins, of which soft spheres need many (gains.hpp).
LargestGain over_spins(Impact i, int per_decade) {
  LargestGain most;
  for (const double spin : {-6.0, -4.0, -2.5, -1.75, -1.0, -0.5, 0.0, 0.5, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 20.0}) {
    i.spin = spin;
    if (const LargestGain found = largest_gain(i, per_decade); found.gain > most.gain) most = found;
  }
  return most;
}

void claim_published_form(StudyRun& run, const Grid& grid) {
  constexpr int per_decade = 24;  // the short set compares the same
  constexpr double steps = 2000;
  for (const auto& [friction, published, id] :
       {std::tuple{0.5, 6e-4, "displacement-half"}, {10.0, 0.022, "displacement-ten"}}) {
    const Impact i{
        .form = Form::displacement, .young = soft, .poisson_ratio = of_beads, .friction = friction, .steps = steps};
    LargestGain most = over_spins(i, per_decade);
    most.gain = refined(most.impact).gain;
    const auto with_spin = [&](double young, double spin) {
      Impact other = i;
      other.young = young, other.spin = spin;
      return 100 * refined(largest_gain(other, per_decade).impact).gain;
    };
    run.claim({id, section,
               fmt::format("at e = 1 the kinetic energy grows by {:g} % at μ = {:g}", 100 * published, friction),
               fmt::format("E = 4e7 Pa as there, largest over angles: {:.4f} % without spin, {:.4f} % with R ω = 2 "
                           "v_x, {:.4f} % with the worst spin ({}); hard spheres {:.3f} %",
                           with_spin(soft, 0), with_spin(soft, 2), 100 * most.gain, words_of(most),
                           with_spin(hardest, spin_of_largest_gain)),
               "10 %: two digits at most are published, without angle, spin and modulus; the largest over angles and "
               "spins is compared",
               verdict(std::abs(most.gain / published - 1) < 0.1),
               "It is the number of a sphere pressed by 5 % of its radius, whose lever shrinks on the way: the harder "
               "the sphere, the more is made."});
  }
  const LargestGain top = top_of(settings_of(Form::displacement, grid.poisson_ratios, {1.0}), grid);
  const Refined r = refined(top.impact);
  run.claim(
      {"displacement-most", section, "report the gain",
       fmt::format(
           "largest of all ν, μ, angles and spins: {:.2f} % ({}); it changes by {:.0e} with a quarter of the step",
           100 * r.gain, words_of(top), r.change),
       "", ClaimVerdict::not_comparable,
       "Where the contact just sticks from its first touch, s/v_n = μ k_n/k_t. Small ν, stiff against shear, makes the "
       "most."});
}

void claim_increments(StudyRun& run, const Grid& grid) {
  const LargestGain there = top_of(settings_of(Form::force_increment, {of_beads}, {1.0}, soft), grid),
                    hard_there = top_of(settings_of(Form::force_increment, {of_beads}, {1.0}), grid),
                    top = top_of(settings_of(Form::force_increment, grid.poisson_ratios, {1.0}), grid);
  const Refined r = refined(top.impact), soft_one = refined(there.impact), hard_one = refined(hard_there.impact);
  run.claim(
      {"increments-never", section, "with force increments instead of displacements the kinetic energy does not grow",
       fmt::format("at ν = {:g}: {:.1e} (E = 4e7 Pa), {:.1e} (hard spheres) at the most; over all ν: {:.2f} % ({}); it "
                   "changes by {:.0e} with a quarter of the step",
                   of_beads, soft_one.gain, hard_one.gain, 100 * r.gain, words_of(top), r.change),
       "a gain above 1e-4 that a smaller step leaves is one", verdict(!(r.gain > 1e-4 && r.change < 0.1 * r.gain)),
       "The force stays where the contact is relieved, and its energy f²/(2 K_t) grows as K_t falls; what the "
       "reference saw is that of its ν."});
}

void claim_energy_balance(StudyRun& run, const Grid& grid) {
  double worst = 0, least = 0;
  for (const Form form : forms)
    for (const double nu : {0.0, of_beads})
      for (const double friction : {0.5, 10.0})
        for (const double degrees : {20.0, 50.0, 80.0}) {
          const ImpactEnergy e = energy_of({.form = form,
                                            .poisson_ratio = nu,
                                            .friction = friction,
                                            .spin = spin_of_largest_gain,
                                            .degrees = degrees,
                                            .steps = 4 * grid.steps});
          worst = std::max(worst, std::abs(e.gain + e.circulation + e.friction));
          least = std::min(least, e.circulation);
        }
  run.claim(
      {"circulation", section, "the gain comes from the tangential spring",
       fmt::format(
           "gain + friction + circulation of the ledger is {:.1e} of the energy at most; circulation down to {:.1f} %",
           worst, 100 * least),
       "1e-4: the time step", verdict(worst < 1e-4),
       "What a changing stiffness makes is a column of the ledger of its own, and never hidden in friction."});
}

void claim_program(StudyRun& run, const Grid& grid) {
  double held = 0, pair = 0;
  std::string gains;
  const double steps = 4 * grid.steps;
  const Impact shown[] = {{.form = Form::displacement, .poisson_ratio = 0, .friction = 10, .degrees = 60},
                          {.form = Form::displacement, .poisson_ratio = of_beads, .friction = 10, .degrees = 60},
                          {.form = Form::force_increment, .poisson_ratio = 0, .friction = 10, .degrees = 60},
                          {.form = Form::rescaled, .poisson_ratio = 0, .friction = 10, .degrees = 60},
                          {.form = Form::hooke, .friction = 0.5, .degrees = 60}};
  for (Impact i : shown)
    for (const double spin : {0.0, spin_of_largest_gain}) {
      i.spin = spin, i.steps = steps, i.young = hardest;
      const double wall = energy_of(i).gain;
      held = std::max(held, std::abs(energy_of_run(i, Partner::held).gain - wall));
      pair = std::max(pair, std::abs(energy_of_run(i, Partner::free).gain - wall));
    }
  run.claim({"program", section, "a wall is a sphere of infinite radius and mass; R̄ and m̄ enter",
             fmt::format("{} impacts with up to {:.0f} % gain by the program: gains differ from the flat wall's by "
                         "{:.1e} (held sphere of 10 m) and {:.1e} (two free spheres)",
                         2 * std::size(shown),
                         100 * energy_of({.form = Form::displacement,
                                          .young = hardest,
                                          .poisson_ratio = 0,
                                          .friction = 10,
                                          .spin = spin_of_largest_gain,
                                          .degrees = 60,
                                          .steps = steps})
                                   .gain,
                         held, pair),
             "5e-3: a pair of hard spheres still turns by some 0.002 during the contact, which changes s/v_n",
             verdict(held < 5e-3 && pair < 5e-3),
             "The same law through spheres, frames and integrator of a run, E = 4e12 Pa; its energies are those of the "
             "ledger."});
}

/// Random spins beside the two of the map.
void claim_spins(StudyRun& run, const Grid& grid) {
  geometry::Random random(11);
  const int count = run.quick() ? 100 : 1000;
  double beyond = -1;
  for (const Form form : {Form::displacement, Form::force_increment}) {
    double most = -1;
    for (const double friction : grid.frictions)
      most = std::max(most, largest_gain({.form = form,
                                          .young = hardest,
                                          .poisson_ratio = 0,
                                          .friction = friction,
                                          .spin = spin_of_largest_gain,
                                          .steps = grid.steps},
                                         48)
                                .gain);
    for (int k = 0; k < count; ++k) {
      Impact i{.form = form,
               .young = hardest,
               .poisson_ratio = 0,
               .friction = grid.frictions[std::size_t(random.uniform() * double(grid.frictions.size()))],
               .spin = 8 * random.uniform() - 5,
               .steps = grid.steps};
      i.degrees = degrees_of(i, sticking_limit(i) * (0.5 + 1.5 * random.uniform()));  // where gains are
      if (i.degrees < 89) beyond = std::max(beyond, energy_of(i).gain / most - 1);
    }
  }
  run.claim(
      {"spins", "balance of energy of a solid sphere",
       "the relative gain is largest with R ω = −5/2 v_x, where all tangential energy is that of the contact point",
       fmt::format("{} random spins, angles and frictions at ν = 0: the largest gain is {:.2f} % {} that of the map",
                   2 * count, 100 * std::abs(beyond), beyond > 0 ? "above" : "below"),
       "1 %: angles of the map are apart", verdict(beyond < 0.01),
       "So the two spins of the map leave nothing out where spheres are hard."});
}

void draw_map(StudyRun& run, const Grid& grid) {
  Figure figure;
  figure.id = "fleischmann2015/impact-energy";
  figure.title = "Kinetic energy that an elastic impact gains";
  figure.caption = fmt::format(
      "A hard sphere meets a flat wall at e = 1 with R ω = −5/2 v_x, the spin of the largest relative gain; s: "
      "velocity of the contact point along the wall. ν = {:g}, and ν = 0 for force "
      "increments, which gain nothing at the other. Below zero friction takes more than the spring makes; each curve "
      "ends where it takes 2 %.",
      of_beads);
  for (const Form form : forms) {
    Panel panel{std::string(name_of(form)) + (form == Form::force_increment ? ", ν = 0" : ""),
                "s/v_n before",
                "ΔE/E₀ (%)",
                true,
                false,
                {},
                {}};
    for (const double friction : {0.2, 0.5, 1.0, 3.0, 10.0}) {
      Curve c{fmt::format("μ = {:g}", friction), {}, {}, {}, {}, Curve::Style::line};
      Impact i{.form = form,
               .poisson_ratio = form == Form::force_increment ? 0 : of_beads,
               .friction = friction,
               .spin = spin_of_largest_gain,
               .steps = 4 * grid.steps};
      std::vector<double> slips{sticking_limit(i)};  // the tip of a curve
      for (double slip = 0.02; slip < 40; slip *= std::pow(10, 0.5 / grid.per_decade)) slips.push_back(slip);
      std::ranges::sort(slips);
      for (const double slip : slips) {
        i.degrees = degrees_of(i, slip);
        const double gain = energy_of(i).gain;
        if (gain < -0.02) break;
        c.x.push_back(slip), c.y.push_back(100 * gain);
      }
      panel.curves.push_back(std::move(c));
    }
    figure.panels.push_back(std::move(panel));
  }
  figure.case_text = resolved_case(case_of(
      {.form = Form::displacement, .friction = 10, .spin = spin_of_largest_gain, .degrees = 65}, Partner::held));
  figure.command = "dem validate fleischmann2015/impact-energy";
  run.figure(std::move(figure));
}

void draw_largest(StudyRun& run, const Grid& grid) {
  Figure figure;
  figure.id = "fleischmann2015/impact-energy-largest";
  figure.title = "Largest gain of all angles";
  figure.caption =
      "Largest gain of an impact over all angles with R ω = −5/2 v_x, hard spheres unless said. Against Poisson's "
      "ratio at μ = 10; against friction at ν = 0; against the coefficient of "
      "restitution at ν = 0, μ = 10; and of the published form at ν = 0.22 against the overlap of a head-on impact at "
      "1 m/s, with dots for the reference's 0.06 % and 2.2 %, which come with no "
      "overlap and are drawn at that of its modulus. No gain is drawn at 1e-6.";
  Panel by_nu{"Poisson's ratio", "ν", "largest ΔE/E₀", false, true, {}, {}},
      by_friction{"friction", "μ", "largest ΔE/E₀", true, true, {}, {}};
  Panel by_restitution{"restitution", "e", "largest ΔE/E₀", false, true, {}, {}},
      by_overlap{"overlap, published form", "largest overlap over radius, δ/R", "largest ΔE/E₀", true, true, {}, {}};
  const auto most = [&](Impact i) {
    i.spin = spin_of_largest_gain, i.steps = grid.steps;
    return std::max(largest_gain(i, grid.per_decade).gain, 1e-6);
  };
  for (const Form form : {Form::displacement, Form::force_increment, Form::rescaled}) {
    Curve a{name_of(form), {}, {}, {}, {}, Curve::Style::line_and_points}, b = a, c = a;
    for (const double nu : grid.poisson_ratios)
      a.x.push_back(nu), a.y.push_back(most({.form = form, .poisson_ratio = nu, .friction = 10}));
    for (const double friction : grid.frictions)
      b.x.push_back(friction), b.y.push_back(most({.form = form, .poisson_ratio = 0, .friction = friction}));
    for (const double e :
         {1.0, 0.998, 0.996, 0.994, 0.992, 0.99, 0.988, 0.986, 0.984, 0.982, 0.98, 0.975, 0.97, 0.96, 0.95})
      c.x.push_back(e), c.y.push_back(most({.form = form, .poisson_ratio = 0, .friction = 10, .restitution = e}));
    by_nu.curves.push_back(std::move(a));
    by_friction.curves.push_back(std::move(b));
    by_restitution.curves.push_back(std::move(c));
  }
  for (const auto& [friction, published] : {std::pair{0.5, 6e-4}, {10.0, 0.022}}) {
    Curve line{fmt::format("μ = {:g}, largest of spins", friction), {}, {}, {}, {}, Curve::Style::line_and_points},
        dot{fmt::format("reference, μ = {:g}", friction), {}, {}, {}, {}, Curve::Style::points};
    for (const double young : {1e7, 4e7, 4e8, 4e9, 4e10, 4e11, 4e12}) {
      const Impact i{.form = Form::displacement,
                     .young = young,
                     .poisson_ratio = of_beads,
                     .friction = friction,
                     .steps = grid.steps};
      line.x.push_back(overlap_of(i)), line.y.push_back(std::max(over_spins(i, grid.per_decade / 2).gain, 1e-6));
      if (young == soft) dot.x = {line.x.back()}, dot.y = {published};
    }
    by_overlap.curves.push_back(std::move(line));
    by_overlap.curves.push_back(std::move(dot));
  }
  figure.panels = {std::move(by_nu), std::move(by_friction), std::move(by_restitution), std::move(by_overlap)};
  figure.command = "dem validate fleischmann2015/impact-energy";
  run.figure(std::move(figure));
}

void claim_restitution(StudyRun& run, const Grid& grid) {
  // From e = 1 down until the published form gains nothing, whatever μ, ν, angle and spin.
  std::string text;
  double last = 1;
  for (const double e : {0.99, 0.985, 0.98, 0.975, 0.97, 0.96, 0.95, 0.9, 0.8, 0.7, 0.5, 0.3, 0.1}) {
    const LargestGain top = top_of(settings_of(Form::displacement, grid.poisson_ratios, {e}), grid);
    text += fmt::format("{}e = {:g}: {:.2f} %", text.empty() ? "" : ", ", e, 100 * top.gain);
    last = e;
    if (top.gain <= 0) break;
  }
  run.claim({"restitution", section, "nothing on e < 1",
             fmt::format("largest gain of the published form: {}; none from e = {:g} down", text, last), "",
             ClaimVerdict::not_comparable, "Dashpots hide what the spring makes; it is made all the same."});
}

}  // namespace

void impact_energy(StudyRun& run) {
  const Grid grid = grid_of(run.quick());
  claim_never(run, grid, Form::hooke, "hooke-never", "Hooke is free of it", section,
              "The spring has a potential; what is left is the time step.");
  claim_published_form(run, grid);
  claim_increments(run, grid);
  claim_poisson(run, grid);
  claim_never(run, grid, Form::rescaled, "rescaled-never",
              "the force falls with the stiffness where the contact is relieved, so that no energy is made",
              "C. Thornton, S. J. Cummins, P. W. Cleary, Powder Technology 233 (2013) 30",
              "The stored energy at rest never rises: pressed it falls as 1/K_t, relieved as K_t.");
  claim_energy_balance(run, grid);
  claim_program(run, grid);
  claim_spins(run, grid);
  claim_restitution(run, grid);
  draw_map(run, grid);
  draw_largest(run, grid);
}

}  // namespace dem::validation::fleischmann2015
