#include "libdem/measure/verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace dem {
namespace {

/// Tolerable share of the work for a law whose circulation is not known.
constexpr double tolerable_circulation = 0.1;

constexpr Threshold thresholds[] = {
    {"time_step", 0.9, 1.0, false,
     "the limit is measured at intervals and the network may stiffen in between, so a tenth is kept as a margin; "
     "beyond 1 amplitudes grow. Reduce the time step"},
    {"network_overlap", 0.02, 0.05, false,
     "overlaps stand for deformation that the contact law does not model. Up to 2 % of a diameter loaded grains count "
     "as stiff; a start beyond 5 % would be refused. Raise the stiffness or lower the pressure"},
    {"largest_overlap", 0.1, 0.25, false,
     "a short impact does not change slow motion, but the law is made for small overlaps, not for a tenth of a "
     "diameter. At a quarter bodies may pass through each other. Raise the stiffness, or let bodies meet more slowly"},
    {"round_off", 1e-6, 1e-3, false,
     "an overlap is a difference of positions, which keeps fewer digits far from the origin. A smaller time step does "
     "not help. Move the assembly to the origin"},
    {"energy_residual", 1e-3, 1e-2, false,
     "the error of time integration must be small against the work done: 1e-3 is promised for shear runs. A smaller "
     "time step reduces the error"},
    {"inertial_number", 2.5e-3, 1e-1, false,
     "the stress ratio of a flow with friction rises about as μ_s + I, with μ_s at least 0.25 (da Cruz et al. 2005). "
     "Up to I = 2.5e-3 the rise is 1 % and the flow counts as quasi-static; beyond 0.1 the flow is not dense. Shear "
     "more slowly"},
    {"stiffness_number", 200, 20, true,
     "1/κ is about the mean overlap in diameters: 200 means 0.5 %, 20 means 5 %. Raise the stiffness or lower the "
     "pressure"},
    {"plane_jumps", 1e-6, 1e-3, false,
     "a jump of the contact plane turns a force without any movement. A turn counts as a jump if half a degree or more "
     "remains when the movement of the step is halved 30 times. area-gradient jumps only if parts of an overlap merge "
     "or split, or if parallel edges of two bodies pass through one line; output.plane_jumps lists the jumps. At 1e-3 "
     "a typical contact jumps once in a thousand steps"},
    {"undefined_planes", 0, 1e-4, false,
     "a body inside another, or passing through it, has no contact plane; the last plane was kept. Look at these "
     "contacts"},
    {"servo_error", 0.02, 0.1, false,
     "the mean of a held stress should be its target within twice the default tolerance of 1 %; at 10 % the reported "
     "stress is not that of the case. Raise the plate speed or shear more slowly"},
    {"servo_scatter", 0.1, 0.5, false,
     "avalanches unload a plate for a moment, which no servo prevents; but a stress that is usually off by a tenth is "
     "not held. Raise the plate speed or shear more slowly"},
    {"cell_servo_error", 1, 10, false,
     "a stress that the cell holds should stay within its tolerance; beyond ten times the tolerance the reported "
     "stress is not that of the case. Load more slowly, damp more strongly, or raise largest_rate if the assembly "
     "deforms faster than the cell"},
};

const Threshold& threshold(std::string_view name) {
  return *std::find_if(std::begin(thresholds), std::end(thresholds),
                       [&](const Threshold& t) { return t.name == name; });
}

// NaN is bad, because a requested quantity must be a number.
Judgement judgement_of(const Threshold& t, double value) {
  const bool good = t.larger_is_better ? value >= t.good : value <= t.good;
  const bool tolerable = t.larger_is_better ? value >= t.attention : value <= t.attention;
  return good ? Judgement::good : tolerable ? Judgement::attention : Judgement::bad;
}

std::string times(std::uint64_t count) { return count == 1 ? "once" : fmt::format("{} times", count); }

std::string of_stage(const std::string& stage) { return stage.empty() ? "" : fmt::format(" of {}", stage); }

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", int(c));
    else
      out += c;
  }
  return out + '"';
}

}  // namespace

const char* name_of(Judgement j) {
  return j == Judgement::good ? "good" : j == Judgement::attention ? "attention" : "bad";
}

std::span<const Threshold> verdict_thresholds() { return thresholds; }

Verdict judge(const RunNumbers& n) {
  Verdict v;
  const auto add = [&v](const char* key, double value, std::string sentence) {
    const Threshold& t = threshold(key);
    v.items.push_back({key, value, judgement_of(t, value), std::move(sentence), t.reason});
  };
  if (n.blow_up)
    v.items.push_back({"blow_up", n.blow_up->time, Judgement::bad,
                       fmt::format("The run blew up at step {}, t = {:.6g} s: {}.", n.blow_up->step, n.blow_up->time,
                                   n.blow_up->cause),
                       "results after that time are meaningless"});
  if (!n.interrupted.empty())
    v.items.push_back(
        {"interrupted", std::numeric_limits<double>::quiet_NaN(), Judgement::attention,
         fmt::format("The run ended before its time: {}.", n.interrupted),
         n.kept ? "it can be resumed from its checkpoint" : "nothing was written, so it cannot be resumed"});

  if (!n.changes.empty())
    v.items.push_back({"changed_on_the_way", double(n.changes.size()), Judgement::attention,
                       fmt::format("The case was changed on the way: {}.", fmt::join(n.changes, "; ")),
                       "no single case repeats this run, and the lines above hold for both parts together. Look at "
                       "each part by itself, or run the changed case from its start"});
  if (!n.losses.empty())
    v.items.push_back(
        {"rows_lost", double(n.losses.size()), Judgement::attention,
         fmt::format("Rows of the results were lost on the way: {}.", fmt::join(n.losses, "; ")),
         "the state of the run is whole, but the series has gaps. Means and sums leave out the lost rows"});

  if (!n.cut_short.empty())
    v.items.push_back({"stages_cut_short", double(n.cut_short.size()), Judgement::attention,
                       fmt::format("Ended by their duration: {}.", fmt::join(n.cut_short, "; ")),
                       "later stages start from another state than the case asks for. Give these stages more time, or "
                       "goals that they reach"});
  if (!n.never_held.empty())
    v.items.push_back(
        {"stress_never_held", double(n.never_held.size()), Judgement::attention,
         fmt::format("The plates had the stress of their case in no row of {}.", fmt::join(n.never_held, " and of ")),
         "rows count for the held stress once one was within stress_tolerance. Give these stages more "
         "time, raise the plate speed, or shear more slowly"});

  if (n.time_step && n.smallest_step_limit) {
    const double ratio = *n.time_step / *n.smallest_step_limit;
    add("time_step", ratio,
        fmt::format("The time step, {:.4g} s, was {:.3g} of the stable one{}{}.", *n.time_step, ratio,
                    n.step_limit_source.empty() ? "" : ": ", n.step_limit_source));
  }
  if (n.lost) {
    const RunNumbers::Lost& l = *n.lost;
    // The case is wrong if half of the bodies are outside from the start. Later, bodies may leave on purpose.
    const bool misplaced = l.has_holder && 2 * l.from_start >= l.movable;
    const std::string from_start =
        l.from_start == 0        ? ""
        : l.from_start < l.count ? fmt::format("; nothing could stop {} of them from the start", l.from_start)
                                 : fmt::format("; nothing could stop {} from the start", l.count == 1 ? "it" : "them");
    v.items.push_back({"lost_bodies", double(l.count), misplaced ? Judgement::bad : Judgement::attention,
                       fmt::format("{} of {} bodies {} lost, the first since t = {:.6g} s{}: {}.", l.count, l.movable,
                                   l.count == 1 ? "is" : "are", l.since, from_start, l.which),
                       "nothing lies in the direction in which these bodies fall or fly, and measurements miss them. "
                       "Put them into the container, close it, or give the case a wall that catches them"});
  }
  if (n.network_overlap)
    add("network_overlap", *n.network_overlap,
        fmt::format("The largest overlap of contacts that carry load was {:.3g} % of a diameter, in the mean{}.",
                    100 * *n.network_overlap, of_stage(n.network_overlap_stage)));
  if (n.largest_overlap)
    add("largest_overlap", *n.largest_overlap,
        fmt::format("The largest overlap of any contact at any time was {:.3g} % of a diameter{}{}.",
                    100 * *n.largest_overlap, n.largest_overlap_where.empty() ? "" : ", ", n.largest_overlap_where));
  if (n.round_off && judgement_of(threshold("round_off"), *n.round_off) != Judgement::good)
    add("round_off", *n.round_off,
        fmt::format("At {:.3g} m from the origin positions are rounded by {:.1g} of an overlap.", n.distance,
                    *n.round_off));
  if (n.ledger) {
    const EnergyLedger& e = *n.ledger;
    // Without work a share is meaningless, so only an exact balance is good.
    const auto share = [&e](double x) { return x == 0 ? 0.0 : std::abs(x) / e.absolute_work; };
    add("energy_residual", share(e.residual()),
        fmt::format("The energy ledger closes to {:.2g} of the work exchanged ({:.3g} J of {:.4g} J).",
                    share(e.residual()), e.residual(), e.absolute_work));
    // A law with a potential has no circulation by definition; errors of its program show in the residual. Circulation
    // of another law is reported, and judged only if it exceeds the known value of that law.
    if (!n.law_has_potential) {
      const double value = share(e.circulation);
      const double largest = n.known_circulation ? n.known_circulation->largest : tolerable_circulation;
      v.items.push_back(
          {"circulation", value, value <= largest ? Judgement::good : Judgement::attention,
           fmt::format("Elastic forces {} {:.3g} J that their stored energy does not account for, {:.2g} of the work "
                       "exchanged: a property of the law.",
                       e.circulation < 0 ? "created" : "took", std::abs(e.circulation), value),
           !std::isfinite(value) ? std::string("it is not a number")
           : n.known_circulation
               ? fmt::format("on closed loops {} was measured at up to {:g} % of the work, and this is more. Compare "
                             "with a law that has a potential (contact.normal_force = \"area-potential\")",
                             n.known_circulation->of, 100 * n.known_circulation->largest)
               : fmt::format("more than {:g} % of the work has no source in the law's stored energy; compare with "
                             "another contact.transport or law",
                             100 * tolerable_circulation)});
    }
  }
  if (n.inertial_number)
    add("inertial_number", *n.inertial_number,
        fmt::format("The inertial number was {:.3g}, in the mean{}.", *n.inertial_number,
                    of_stage(n.inertial_number_stage)));
  if (n.stiffness_number)
    add("stiffness_number", *n.stiffness_number,
        fmt::format("The stiffness number k_n/σ was {:.4g}, of the mean stress{}.", *n.stiffness_number,
                    of_stage(n.stiffness_number_stage)));
  if (n.histories) {
    const RunNumbers::Histories& h = *n.histories;
    std::string sentence = fmt::format(
        "At the end the histories of the contacts held {} legs (pieces of the remembered path), {:.3g} per contact, in "
        "{:.3g} MB{}.",
        h.legs, h.mean_length, 1e-6 * double(h.bytes), h.exact_length ? " with the exact ones for comparison" : "");
    if (h.mean_length > 100 && !h.merged && !h.exact_length)
      sentence += " contact.merge_error = 0.01 would keep them short.";
    v.items.push_back({"history_legs", h.mean_length, Judgement::good, std::move(sentence), ""});
    if (h.exact_length) {
      const bool beyond = h.allowed_error > 0 && !(h.merge_error <= h.allowed_error);
      v.items.push_back({"merge_error", h.merge_error, beyond ? Judgement::attention : Judgement::good,
                         h.merged ? fmt::format("Under the same movement, merging changed no tangential force by more "
                                                "than {:.3g} f F_n; the exact histories have {:.3g} legs per contact.",
                                                h.merge_error, *h.exact_length)
                                  : std::string("Nothing was merged: the exact histories were kept twice."),
                         beyond ? fmt::format("contact.merge_error allows {:g}, and the law keeps this bound only for "
                                              "movement along a line. Choose a smaller value",
                                              h.allowed_error)
                                : ""});
    }
  }
  const auto per_contact_step = [&n](std::uint64_t count) {
    return count == 0 ? 0.0 : double(count) / double(std::max<std::uint64_t>(n.contact_steps, 1));
  };
  if (n.plane_jumps) {
    std::string sentence = "No contact plane jumped.";
    if (*n.plane_jumps > 0)
      sentence = fmt::format("Contact planes jumped {}, {:.2g} per contact and step{}.", times(*n.plane_jumps),
                             per_contact_step(*n.plane_jumps),
                             n.merging_plane_jumps > 0 ? fmt::format("; {} because parts of an overlap merged or split",
                                                                     times(n.merging_plane_jumps))
                                                       : "");
    if (!n.jumps_of_each_plane.empty()) {
      sentence += " In this run each definition jumped:";
      for (const auto& [plane, jumps] : n.jumps_of_each_plane)
        sentence += fmt::format("{} {} {}", &plane == &n.jumps_of_each_plane.front().first ? "" : ",", plane, jumps);
      sentence += ".";
    }
    add("plane_jumps", per_contact_step(*n.plane_jumps - std::min(*n.plane_jumps, n.merging_plane_jumps)),
        std::move(sentence));
  }
  if (n.undefined_planes)
    add("undefined_planes", per_contact_step(*n.undefined_planes),
        *n.undefined_planes == 0 ? "Every contact had a contact plane."
                                 : fmt::format("The contact plane was undefined {} times, {:.2g} per contact and step.",
                                               *n.undefined_planes, per_contact_step(*n.undefined_planes)));
  if (n.servo_error) {
    add("servo_error", std::abs(*n.servo_error),
        fmt::format("The held stress was in the mean {:.3g} % {} its target.", 100 * std::abs(*n.servo_error),
                    *n.servo_error < 0 ? "below" : "above"));
    add("servo_scatter", n.servo_scatter,
        fmt::format("Row by row it was off by {:.3g} % (root mean square), at most {:.3g} %{}.", 100 * n.servo_scatter,
                    100 * n.largest_servo_error,
                    n.largest_servo_error_stage.empty() ? "" : fmt::format(", in {}", n.largest_servo_error_stage)));
  }
  if (n.cell_servo) {
    const ServoRecord& servo = *n.cell_servo;
    const std::string stage =
        n.cell_servo_stage.empty() ? "the worst stage" : fmt::format("{}, the worst", n.cell_servo_stage);
    add("cell_servo_error", servo.held ? servo.mean() / servo.tolerance : std::numeric_limits<double>::infinity(),
        servo.held
            ? fmt::format("The stresses that the cell held were off their targets by {:.3g} % (root mean square of "
                          "{}), at most {:.3g} %, where {:.3g} % is tolerated.",
                          100 * servo.mean(), stage, 100 * servo.largest, 100 * servo.tolerance)
            : fmt::format(
                  "In {} the cell never held its stresses within {:.3g} %: the largest deviation was {:.3g} % (late "
                  "steps count most unless a rate is given).",
                  n.cell_servo_stage.empty() ? "a stage" : n.cell_servo_stage, 100 * servo.tolerance,
                  100 * servo.largest));
  }
  if (n.phases)
    v.items.push_back({"time_per_step", n.phases->total() / double(std::max<std::uint64_t>(n.phases->steps, 1)),
                       Judgement::good, phase_sentence(*n.phases), ""});
  for (const VerdictItem& item : v.items) v.overall = std::max(v.overall, item.judgement);
  return v;
}

std::string phase_sentence(const PhaseTimes& times) {
  const double total = times.total();
  std::string shares;
  for (std::size_t k = 0; k < phase_names.size(); ++k)
    shares += fmt::format("{}{} {:.1f} %", k > 0 ? ", " : "", phase_names[k],
                          total > 0 ? 100 * times.seconds[k] / total : 0.0);
  return fmt::format("{} steps took {:.3g} s, {:.3g} s each: {}.", times.steps, total,
                     total / double(std::max<std::uint64_t>(times.steps, 1)), shares);
}

std::string Verdict::text() const {
  std::string out;
  for (const VerdictItem& item : items) {
    out += fmt::format("{:<10} {}\n", name_of(item.judgement), item.sentence);
    if (item.judgement != Judgement::good) out += fmt::format("{:<10} Why: {}.\n", "", item.reason);
  }
  const char* summary = overall == Judgement::good ? "good: nothing speaks against this run"
                        : overall == Judgement::attention
                            ? "attention: read the lines marked so before using this run"
                            : "bad: do not use this run before the lines marked so are understood";
  return out + fmt::format("Verdict: {}.\n", summary);
}

std::string Verdict::json() const {
  std::string out = fmt::format("{{\n  \"format\": 1,\n  \"overall\": \"{}\",\n  \"items\": [", name_of(overall));
  for (std::size_t k = 0; k < items.size(); ++k) {
    const VerdictItem& item = items[k];
    out += fmt::format("{}\n    {{\"name\": {}, \"value\": {}, \"judgement\": \"{}\", \"sentence\": {}}}",
                       k > 0 ? "," : "", json_string(item.name),
                       std::isfinite(item.value) ? fmt::format("{:.17g}", item.value) : "null", name_of(item.judgement),
                       json_string(item.sentence));
  }
  return out + "\n  ]\n}\n";
}

}  // namespace dem
