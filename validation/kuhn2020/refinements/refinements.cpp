// What each refinement of the linear-frictional contact is worth: random histories with each of them switched off by
// itself, and the property behind it, that a step is a flow (linear-frictional-contact reference, §3-§5, §10, §17).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geometry/random.hpp"
#include "validation/kuhn2020/claims.hpp"
#include "validation/kuhn2020/driven_contact.hpp"
#include "validation/kuhn2020/studies.hpp"

namespace dem::validation::kuhn2020 {

namespace {

const ContactCoefficients material{1e5, 1e5, 0.5};
constexpr double mean_overlap = 1e-4;  // m
constexpr Vec3 plane_normal{0, 0, 1};

struct Named {
  const char *id, *name;
  ContactVariant variant;
};

/// All refinements, each one off, all off, and the conventional law.
std::vector<Named> named_variants() {
  std::vector<Named> v{{"full", "all refinements", {}},
                       {"part-of-step", "without the part of the step", {}},
                       {"onset", "without the onset", {}},
                       {"direction", "without the turning of the sliding force", {}},
                       {"transport", "projection and Eq. 23 for swing and twist", {}},
                       {"conventional", "law linear, swing and twist", {}},
                       {"published-transport", "law linear, projection and Eq. 23", {}}};
  v[1].variant.options.part_of_step = false;
  v[2].variant.options.onset = false;
  v[3].variant.options.direction = false;
  v[4].variant.transport = Transport::projection_twirl;
  v[5].variant.law = v[6].variant.law = "linear";
  v[6].variant.transport = Transport::projection_twirl;
  return v;
}

class Random : public geometry::Random {
 public:
  using geometry::Random::Random;
  double between(double low, double high) { return low + (high - low) * uniform(); }
};

/// A step of the plane: movement and overlap at its end (m).
struct PlaneStep {
  Vec2 movement;
  double overlap;
};

/// Random steps; the overlap changes by up to its mean and is a gap now and then.
std::vector<PlaneStep> random_steps(Random& random, int count, double size) {
  std::vector<PlaneStep> steps;
  for (int k = 0; k < count; ++k) {
    const double length = size * random.between(0, 2), angle = random.between(0, 2 * std::numbers::pi);
    steps.push_back({{length * std::cos(angle), length * std::sin(angle)}, mean_overlap * random.between(-0.25, 2)});
  }
  return steps;
}

/// Every step in `parts` equal parts.
struct Ridden {
  std::vector<Vec2> force;
  double work = 0, dissipated = 0;
};
Ridden ride(const std::vector<PlaneStep>& steps, int parts, const ContactVariant& variant) {
  DrivenContact contact(variant, material, plane_normal, mean_overlap);
  Ridden out;
  double before = mean_overlap;
  for (const PlaneStep& s : steps) {
    for (int k = 1; k <= parts; ++k) {
      const Vec3 d = contact.direction_1(), d2 = cross(plane_normal, d);
      contact.move({plane_normal,
                    k == parts ? s.overlap : before + (s.overlap - before) * k / parts,
                    (s.movement.x / parts) * d + (s.movement.y / parts) * d2,
                    {}});
    }
    before = s.overlap;
    out.force.push_back(contact.force_in_frame());
  }
  out.work = contact.work();
  out.dissipated = contact.dissipated();
  return out;
}

/// rms over the steps of the difference in force, over the mean limit; relative difference in dissipation.
struct Worth {
  double force, dissipation;
};
Worth worth(const std::vector<Ridden>& found, const std::vector<Ridden>& exact) {
  double sum = 0, n = 0, lost = 0, all = 0;
  for (std::size_t h = 0; h < found.size(); ++h) {
    for (std::size_t k = 0; k < found[h].force.size(); ++k) {
      const Vec2 off = found[h].force[k] - exact[h].force[k];
      sum += dot(off, off), n += 1;
    }
    lost += found[h].dissipated - exact[h].dissipated;
    all += exact[h].dissipated;
  }
  const double limit = material.friction * material.normal_stiffness * mean_overlap;
  return {std::sqrt(sum / n) / limit, lost / all};
}

void claim_flow(StudyRun& run) {
  const double limit = material.friction * material.normal_stiffness * mean_overlap,
               energy = limit * limit / material.tangential_stiffness;
  Random random(17);
  const int count = run.quick() ? 2000 : 20000;
  double force[2]{}, work[2]{}, dissipation[2]{}, least = 0, ledger = 0, collinear = 0;
  for (int k = 0; k < count; ++k) {
    // A step from a random state within the limit, of any size against it, whole and in two proportional parts.
    const double start = mean_overlap * (k % 4 == 0 ? random.between(-1, 0) : random.between(0.2, 2)),
                 end = mean_overlap * (k % 5 == 0 ? random.between(-1, 0) : random.between(0.2, 2));
    const double limit_start = material.friction * material.normal_stiffness * std::max(start, 0.0);
    const double a = random.between(0, 2 * std::numbers::pi), b = random.between(0, 2 * std::numbers::pi),
                 size = 2e-5 * std::pow(10, random.between(-2, 1.5));
    const double f = limit_start * (k % 3 == 0 ? 1 : random.between(0, 1)), part = random.between(0.05, 0.95);
    const Vec3 force_start{f * std::cos(a), f * std::sin(a), 0}, movement{size * std::cos(b), size * std::sin(b), 0};
    for (int law = 0; law < 2; ++law) {
      ContactVariant variant;
      if (law == 1) variant.law = "linear";
      DrivenContact whole(variant, material, plane_normal, start, force_start), parts = whole;
      const double stored = whole.stored();
      whole.move({plane_normal, end, movement, {}});
      parts.move({plane_normal, start + part * (end - start), part * movement, {}});
      parts.move({plane_normal, end, (1 - part) * movement, {}});
      force[law] = std::max(force[law], norm(whole.force() - parts.force()) / limit);
      work[law] = std::max(work[law], std::abs(whole.work() - parts.work()) / energy);
      dissipation[law] = std::max(dissipation[law], std::abs(whole.dissipated() - parts.dissipated()) / energy);
      if (law == 0) {
        least = std::min(least, whole.dissipated() / energy);
        ledger = std::max(ledger, std::abs(whole.work() - whole.dissipated() - (whole.stored() - stored)) / energy);
      }
    }
    if (k % 4 != 0 && k % 5 != 0) {  // §10: along the force both laws are the same
      ContactVariant conventional;
      conventional.law = "linear";
      const Vec3 along = (size / std::max(f, 1e-300)) * force_start;
      DrivenContact one({}, material, plane_normal, start, force_start),
          other(conventional, material, plane_normal, start, force_start);
      const ContactMove move{plane_normal, end, k % 2 ? along : -along, {}};
      one.move(move);
      other.move(move);
      collinear = std::max(collinear, norm(one.force() - other.force()) / limit);
    }
  }
  run.claim({"flow", "linear-frictional-contact reference §17, property 3",
             "splitting a step at any α into two proportional parts gives the same f1, W and D; the conventional model "
             "fails it",
             fmt::format("{} random steps: force {:.1e} of the limit, work {:.1e} and dissipation {:.1e} of F²/k_t at "
                         "most; conventional: {:.2g}, {:.2g}, {:.2g}",
                         count, force[0], work[0], dissipation[0], force[1], work[1], dissipation[1]),
             "1e-11, as printed; at movements up to 100 times the limit's the sizes compared are up to 1e2 F²/k_t",
             verdict(force[0] <= 1e-11 && work[0] <= 1e-9 && dissipation[0] <= 1e-9 && force[1] > 1e-3),
             "With touching, separation, and starts on the limit among them."});
  run.claim({"energy", "linear-frictional-contact reference §5 and §17", "work = stored + dissipated, and D ≥ 0",
             fmt::format("the balance is off by {:.1e}, the least D is {:.1e} of F²/k_t", ledger, least),
             "1e-12 relative to the largest term, which is up to 1e2 F²/k_t; D ≥ −1e-14 of it",
             verdict(ledger <= 1e-10 && least >= -1e-12), "The same random steps."});
  run.claim({"collinear", "linear-frictional-contact reference §10",
             "for collinear movement the two models are identical",
             fmt::format("forces differ by {:.1e} of the limit at most", collinear), "1e-12: round-off",
             verdict(collinear <= 1e-12), "Random steps along the force or against it, in contact at both ends."});
}

/// Random histories in the plane, straight between random points: all refinements give the same force whatever the
/// step, so that what is left is the law's.
void straight_histories(StudyRun& run) {
  const auto variants = named_variants();
  const int histories = run.quick() ? 40 : 400, length = 50;
  const std::vector<double> parts{1, 2, 5, 10, 30, 100};
  std::vector<std::vector<PlaneStep>> steps;
  Random random(4);
  for (int h = 0; h < histories; ++h) steps.push_back(random_steps(random, length, 2e-5));
  Figure figure;
  figure.id = "kuhn2020/refinements/straight";
  figure.title = "Error of random histories with one refinement switched off";
  figure.caption = fmt::format(
      "{} random histories of {} straight movements of 0.4 limits on average, k_t = k_n, with loss and return of the "
      "contact; each movement in n "
      "equal steps. "
      "rms of the force over the limit of the mean overlap, dissipation relative to all of it; against all refinements "
      "in one step.",
      histories, length);
  Panel force{"force", "steps per movement", "rms error / limit", true, true, {}, {}},
      lost{"dissipation", "steps per movement", "|relative error|", true, true, {}, {}};
  std::vector<Ridden> exact;
  for (const auto& s : steps) exact.push_back(ride(s, 1, {}));
  std::array<std::vector<Worth>, 6> found;
  for (std::size_t v = 0; v < found.size(); ++v) {
    if (v == 4) continue;  // nothing turns
    Curve f{variants[v].name, parts, {}, {}, {}, Curve::Style::line_and_points}, d = f;
    for (double n : parts) {
      std::vector<Ridden> runs;
      for (const auto& s : steps) runs.push_back(ride(s, int(n), variants[v].variant));
      found[v].push_back(worth(runs, exact));
      f.y.push_back(std::max(found[v].back().force, 1e-16));
      d.y.push_back(std::max(std::abs(found[v].back().dissipation), 1e-16));
    }
    force.curves.push_back(std::move(f));
    lost.curves.push_back(std::move(d));
  }
  figure.panels = {std::move(force), std::move(lost)};
  figure.command = "dem validate kuhn2020/refinements";
  run.figure(std::move(figure));

  const auto line = [&](std::size_t v) {
    return fmt::format("force {:.2g}, {:.2g}, {:.2g} of the limit, dissipation {:+.2g}, {:+.2g}, {:+.2g} of itself",
                       found[v][0].force, found[v][2].force, found[v][4].force, found[v][0].dissipation,
                       found[v][2].dissipation, found[v][4].dissipation);
  };
  double rest = 0;
  for (const Worth& w : found[0]) rest = std::max({rest, w.force, std::abs(w.dissipation)});
  run.claim({"independent-of-step", "linear-frictional-contact reference §4",
             "under the assumption that overlap and movement grow in proportion the step is exact",
             fmt::format("any number of steps: {:.1e} at most", rest), "1e-11 (§8)", verdict(rest <= 1e-11),
             "So the error of the other variants is what their refinement is worth."});
  for (const std::size_t v : {1u, 2u, 3u, 5u}) {
    const bool matters = std::max(found[v][0].force, std::abs(found[v][0].dissipation)) > 1e-3;
    run.claim({std::string("worth-") + variants[v].id,
               "Kuhn, Suzuki, Daouadji, the refinements; linear-frictional-contact reference §4, §5, §10",
               v == 5 ? "the conventional model needs smaller steps" : "each refinement matters",
               fmt::format("{}, in 1, 5, 30 steps per movement: {}", variants[v].name, line(v)),
               "0.1 % of the limit or of the dissipation in single steps of 0.4 limits", verdict(matters),
               v == 2 ? "Only in the steps in which sliding begins: what it is worth falls with the square of the step "
                        "or faster."
               : v == 1 ? "Only in steps in which the contact is made or lost: a fifth of these."
               : v == 3 ? "What Fig. 4 shows; of first order over a history, so that it decides at small steps."
                        : "All three off; nothing turns here."});
  }
}

/// Smooth random motions of two spheres: shear, overlap with loss and return, and the pair turns.
PairPath random_path(std::uint64_t seed) {
  Random random(seed);
  std::array<std::array<std::array<double, 2>, 4>, 6>
      wave;  // overlap, shear y, z, turn x, y, z: amplitude and phase of four harmonics
  for (auto& w : wave)
    for (auto& h : w) h = {random.between(-1, 1), random.between(0, 2 * std::numbers::pi)};
  return [wave](double s) {
    const auto value = [&](std::size_t which) {
      double sum = 0;
      for (std::size_t h = 0; h < 4; ++h)
        sum += wave[which][h][0] *
               (std::sin(2 * std::numbers::pi * double(h + 1) * s + wave[which][h][1]) - std::sin(wave[which][h][1]));
      return sum;
    };
    const double overlap = mean_overlap * (1 + 0.5 * value(0));
    const Quaternion all = quaternion_of(0.5 * Vec3{value(3), value(4), value(5)});
    const Vec3 branch{1, 2e-4 * value(1), 2e-4 * value(2)};
    return PairPose{{}, rotated(all, ((1 - overlap) / norm(branch)) * branch), all, all};
  };
}

void turning_histories(StudyRun& run) {
  const auto variants = named_variants();
  const int histories = run.quick() ? 8 : 60, fine = run.quick() ? 12800 : 51200;
  const std::vector<double> steps{50, 100, 200, 400, 800, 1600};
  const double limit = material.friction * material.normal_stiffness * mean_overlap;
  std::vector<PathResult> reference;
  for (int h = 0; h < histories; ++h)
    reference.push_back(follow(random_path(std::uint64_t(100 + h)), fine, {}, material));
  Figure figure;
  figure.id = "kuhn2020/refinements/turning";
  figure.title = "Error on smooth random motions of a pair";
  figure.caption = fmt::format(
      "{} smooth random motions of two spheres that slide, separate, touch again and turn by about a radian. rms of "
      "the tangential force over the "
      "limit of the mean overlap, against {} steps with all refinements.",
      histories, fine);
  Panel panel{"", "steps", "rms error / limit", true, true, {}, {}};
  std::vector<std::vector<double>> errors;
  for (const Named& v : variants) {
    Curve curve{v.name, steps, {}, {}, {}, Curve::Style::line_and_points};
    for (double n : steps) {
      double sum = 0, all = 0;
      for (int h = 0; h < histories; ++h) {
        const PathResult found = follow(random_path(std::uint64_t(100 + h)), int(n), v.variant, material);
        const std::size_t ratio = std::size_t(fine) / std::size_t(n);
        for (std::size_t k = 0; k < found.force.size(); ++k) {
          const Vec3 off = found.force[k] - reference[std::size_t(h)].force[(k + 1) * ratio - 1];
          sum += dot(off, off), all += 1;
        }
      }
      curve.y.push_back(std::sqrt(sum / all) / limit);
    }
    errors.push_back(curve.y);
    panel.curves.push_back(std::move(curve));
  }
  figure.panels = {std::move(panel)};
  run.figure(std::move(figure));
  const auto at = [&](std::size_t v) {
    return fmt::format("{:.2g}, {:.2g}, {:.2g}", errors[v][1], errors[v][3], errors[v][5]);
  };
  std::string text;
  for (std::size_t v = 0; v < variants.size(); ++v)
    text += fmt::format("{}{}: {}", v ? "; " : "", variants[v].name, at(v));
  bool least = true;
  for (std::size_t v = 1; v < variants.size(); ++v) least = least && errors[0].back() <= 1.01 * errors[v].back();
  run.claim({"worth-turning", "Kuhn, Suzuki, Daouadji, the refinements; linear-frictional-contact reference §3, §12",
             "all four refinements together are the most accurate",
             fmt::format("rms error over the limit at 100, 400, 1600 steps: {}", text),
             "no variant has an error smaller by more than 1 % at 1600 steps", verdict(least),
             "Steps here are curved, so that the full form has an error too; it falls with the square of the step. On "
             "smooth motions of many small "
             "steps the turning of the sliding force and the transport are what counts."});
  const auto order = [&](std::size_t v) {
    return -log_slope({steps.end() - 3, steps.end()}, {errors[v].end() - 3, errors[v].end()});
  };
  const double full = order(0), projected = order(4);
  run.claim({"transport-order", "linear-frictional-contact reference §3",
             "project and Eq. 23 is of first order, swing and twist of second or better",
             fmt::format("rms error falls as n^−{:.2f} with swing and twist, n^−{:.2f} with projection and Eq. 23",
                         full, projected),
             "exponents above 1.5 and below 1.3, from 400 to 1600 steps", verdict(full > 1.5 && projected < 1.3),
             "Loss and return of the contact within a curved step limit the full form."});
}

}  // namespace

void refinements(StudyRun& run) {
  claim_flow(run);
  straight_histories(run);
  turning_histories(run);
}

}  // namespace dem::validation::kuhn2020
