"""Fig. 10: relaxation time of a pair of polygons with both definitions of the contact plane, against the time step."""

import math

import dem
from driver.study import curve, panel
from plane_paths import share_interval
from polygon_pairs import ROUGH, has_left, pair_case, pair_ends, shapes_of

PLANES = ("area-gradient", "edge-mean")
USUAL = ("chord", "edge-mean", "edge-mean-unsigned")  # the plane through the crossings; two readings of Eq. 13
DT = 0.1  # t_c, of the pairs of hexagons: t_R with geometric elongation does not depend on it


def ends_of(run, name, numbers, dt, planes):
    """Where and how each pair comes to rest with each of the planes."""
    ends = iter(pair_ends(run, name, [(number, dt, 0, {"contact.contact_plane": plane})
                                      for number in numbers for plane in planes]))
    return [[next(ends) for _ in planes] for _ in numbers]


def chord_jumps(number, dt):
    """Persistent jumps of the chord (reference §6) before the fit begins: until ten maxima of the energy in a row are
    below 1e-3 of the largest."""
    run = dem.Run(pair_case(shapes_of(number), dt, keys={"contact.contact_plane": "chord"}))
    has_left(run)
    run.relaxation(end_at=1e-3, growth=math.inf)
    return run.plane_jump_count


def turns_while_fitted(number, dt, plane):
    """Largest turn of the plane in a step (degrees), and persistent jumps, from where the fit begins."""
    run = dem.Run(pair_case(shapes_of(number), dt, keys={"contact.contact_plane": plane}))
    before, largest = [math.nan], [0.0]
    leaves = has_left(run)
    run.relaxation(end_at=1e-3, growth=math.inf)
    if leaves() or run.finished:
        return 0.0, 0
    jumps = run.plane_jump_count

    @run.every(steps=1)
    def watch(now):
        alpha = now.contacts.plane_angle[0] if len(now.contacts) == 1 else math.nan
        turn = abs(math.remainder(alpha - before[0], math.pi))
        before[0], largest[0] = alpha, max(largest[0], turn)  # NaN is never the larger one

    run.relaxation(end_at=1e-6, growth=math.inf)  # of what is left
    return math.degrees(largest[0]), run.plane_jump_count - jumps


def faster_with_chord(ends, other):
    """Of pairs that decay cleanly with both planes: how many differ, in how many the chord relaxes faster, the 95 %
    interval of that share (%), and the ratios."""
    ratios = [pair[0].time / pair[other].time for pair in ends if pair[0].usable and pair[other].usable]
    differing = [ratio for ratio in ratios if abs(ratio - 1) > 1e-3]
    faster = sum(ratio < 1 for ratio in differing)
    low, high = (100 * end for end in share_interval(faster, len(differing)))
    return {"compared": len(ratios), "low": low, "high": high, "ratios": ratios,
            "text": f"{faster} of {len(differing)}, {low:.0f} to {high:.0f} %"}


def usual_plane(run, steps):
    """The chord against Eq. 13 in pairs whose chord jumps: in how many of those that differ it relaxes faster."""
    numbers = [ROUGH + k for k in range(1, 1 + (20 if run.quick else 300))]
    jumps = dict(zip(numbers, run.map("chord-jumps", chord_jumps, [(number, steps[0]) for number in numbers])))
    jumping = [number for number in numbers if jumps[number] > 0]
    ends = {dt: ends_of(run, f"rough-pairs-{dt}", jumping, dt, USUAL) for dt in steps}
    found = {dt: {plane: faster_with_chord(ends[dt], k) for k, plane in enumerate(USUAL) if k} for dt in steps}
    run.figure("Fig. 10: relaxation time with the usual contact plane and with that of Eq. 13",
               "Rough random pairs whose chord jumps before the fit begins. Below 1 the usual plane relaxes faster, as "
               "published.",
               [panel(f"Δt/t_c = {dt}", "pair", "t_R(chord)/t_R(Eq. 13)", [
                   curve(plane, range(1, 1 + len(of["ratios"])), of["ratios"], "points")
                   for plane, of in found[dt].items()], log="y") for dt in steps], "usual-plane",
               case=pair_case(shapes_of(numbers[0]), steps[0]).to_toml())
    signed, unsigned = ([found[dt][plane] for dt in steps] for plane in USUAL[1:])
    texts = ["; ".join(f"Δt = {dt} t_c: {of['text']}" for dt, of in zip(steps, side)) for side in (signed, unsigned)]
    return {
        "pairs": len(numbers), "jumping": len(jumping), "jumps": sum(jumps.values()),
        "lost": {plane: sum(bool(pair[k].lost) for pair in ends[steps[0]]) for k, plane in enumerate(USUAL)},
        "compared": ", ".join(str(of["compared"]) for of in signed), "signed": texts[0], "unsigned": texts[1],
        "low": min(of["low"] for of in signed), "high": max(of["high"] for of in signed)}


def study(run):
    usual = usual_plane(run, [0.1] if run.quick else [0.1, 0.05])
    numbers = [-k for k in range(1, 1 + (10 if run.quick else 100))]
    ends = ends_of(run, "random-pairs", numbers, DT, PLANES)
    of_planes = iter(run.map("turns-while-fitted", turns_while_fitted, [
        (number, DT, plane) for number in numbers for plane in PLANES]))
    turns = [(max(a[0], b[0]), a[1] + b[1]) for a, b in zip(of_planes, of_planes)]  # of either plane
    # Agreement within 1 %, largest turn and jumps of the pairs that decay cleanly with both planes.
    compared = [(abs(edge.time / gradient.time - 1) <= 0.01, *of) for (gradient, edge), of in zip(ends, turns)
                if gradient.usable and edge.usable]
    calm = [equal for equal, _, jumps in compared if jumps == 0]
    fixed = [equal for equal, turn, _ in compared if turn <= 1e-6]  # a corner on a face has the face as its plane
    return {"usual": usual, "pairs": len(numbers), "jumping": sum(jumps > 0 for _, jumps in turns),
            "calm": len(calm), "calm_equal": sum(calm), "fixed": len(fixed), "fixed_equal": sum(fixed),
            "turning": len(calm) - sum(calm)}
