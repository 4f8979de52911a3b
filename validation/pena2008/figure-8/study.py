"""Fig. 8: the angle of the contact plane while one polygon slides over another, for the chord, Eq. 13 and
area-gradient. Published is a smooth curve for Eq. 13 beside one with jumps for the chord. For which pairs does that
picture come out?"""

import math

import numpy as np

from driver.study import curve, panel
from plane_paths import LENGTH, SETS, drawn, percent, planes_drawn, random_pair, slide_case

STEPS = 2000
CHOSEN = [SETS[k] for k in (1, 2, 7, 8)]  # straight; convex, non-convex; shallow, deep
VISIBLE = 3e-4  # m²: an overlap that can be seen in a drawing
SHOWN = ("edge-mean", "chord", "area-gradient")
TEXTS = {"published": "as published", "reversed": "reversed", "both": "both jump", "neither": "neither"}


def picture(k, number):
    """Which planes jump on a slide: as published (the chord alone), reversed (Eq. 13 alone), both or neither. Nothing
    where parts of the overlap merge or split. And whether the slide can be drawn."""
    path = random_pair(CHOSEN[k], number).walk(STEPS)
    if any(jump.merged for jump in path.jumps):
        return ["", False]
    seen = {name: any(j.plane == name for j in path.jumps) for name in ("edge-mean", "chord")}
    visible = {name: any(j.plane == name and j.before.area > VISIBLE for j in path.jumps) for name in seen}
    kind = {(False, True): "published", (True, False): "reversed", (True, True): "both",
            (False, False): "neither"}[seen["edge-mean"], seen["chord"]]
    single = len(np.unique(path.sample)) == len(path.sample)  # one curve for one contact
    return [kind, bool(single and (visible["chord"] if kind == "published" else visible["edge-mean"]))]


def curves(path, title):
    """Angle against displacement, broken where the plane jumps so that a jump is not drawn as a steep line."""
    out = []
    for name in SHOWN:
        x, y = path.sample / STEPS * LENGTH, np.degrees(np.unwrap(path.angles[name], period=math.pi))
        breaks = [int(np.searchsorted(path.sample, j.step + 1)) for j in path.jumps if j.plane == name]
        out.append(curve("Eq. 13 (edge-mean)" if name == "edge-mean" else name, np.insert(x, breaks, x[breaks]),
                         np.insert(y, breaks, math.nan), "prediction" if name == "area-gradient" else "line"))
    return panel(title, "displacement (m)", "contact-plane angle α_c (degrees)", out)


def pair_picture(pair, s, title):
    i, j = pair.placed(s)
    polygons = [drawn(i, "body-i", "i"), drawn(j, "body-j", "j")]
    for component in pair.overlap(s):
        polygons += [drawn(component.vertices, "overlap"), *planes_drawn(component, SHOWN, 0.3)]
    return panel(title, "x (m)", "y (m)", [], polygons=polygons)


def study(run):
    paths = 40 if run.quick else 500
    points = [(k, number) for k in range(len(CHOSEN)) for number in range(paths)]
    found = dict(zip(points, run.map("slides", picture, points)))
    counts = [{kind: sum(found[k, n][0] == kind for n in range(paths)) for kind in TEXTS} for k in range(len(CHOSEN))]
    published, opposite = (sum(c[kind] for c in counts) for kind in ("published", "reversed"))

    panels, shown, case = [], None, ""
    for kind, name, sets, title, at in (("published", "chord", range(4), "a pair as published", "the chord"),
                                        ("reversed", "edge-mean", [0], "the more frequent contrast", "Eq. 13")):
        first = next(((k, n) for k in sets for n in range(paths) if found[k, n] == [kind, True]), None)
        if first is None:
            continue
        pair = random_pair(CHOSEN[first[0]], first[1])
        path = pair.walk(STEPS)
        jump = next(j for j in path.jumps if j.plane == name and j.before.area > VISIBLE)
        panels += [curves(path, f"{title}: {CHOSEN[first[0]].name}, number {first[1]}"),
                   pair_picture(pair, jump.step / STEPS, f"where {at} jumps, at {jump.step / STEPS * LENGTH:.3f} m")]
        case = slide_case(pair, STEPS, "edge-mean").to_toml()
        if kind == "published":
            gradient = "somewhere" if any(j.plane == "area-gradient" for j in path.jumps) else "nowhere"
            shown = (f"pair {first[1]} of the set \"{CHOSEN[first[0]].name}\": the chord jumps by "
                     f"{math.degrees(jump.size):.1f}° at {max(jump.before.crossings, jump.after.crossings)} crossings, "
                     f"Eq. 13 nowhere, area-gradient {gradient}")
    run.figure("Angle of the contact plane of a sliding pair",
               "Lines are broken at persistent jumps; angles are continued, so that they may leave ±90°. Dashed: "
               "area-gradient, which has none. The case is the slide of the last pair: dem run counts its jumps.",
               panels, case=case)
    return {
        "text": "; ".join(f"{s.name}: " + ", ".join(f"{text} {percent(c[kind], sum(c.values()))}"
                                                    for kind, text in TEXTS.items()) for s, c in zip(CHOSEN, counts)),
        "published": published, "opposite": opposite,
        "why": "more pairs show the published picture than the reverse" if published > opposite else
               "some pairs show the published picture, but more show the reverse",
        "pair": shown or "none among these slides that could be drawn", "drawn": True if shown else None,
        "pair_why": "found among the random pairs, not constructed" if shown else "more slides have to be looked at",
    }
