"""Does the contact plane turn continuously while two polygons move, and is it free of the frame (polygon-dem reference,
§6)? Random pairs on random paths. README.md beside this file has the generator and the counting."""

import math

import numpy as np

import dem
from driver.digits import csv_rows
from driver.mt64 import uniform
from driver.study import curve, panel
from plane_paths import (LEAST_AREA, PLANES, SETS, drawn, percent, plane_angle, planes_drawn, random_pair,
                         share_interval, slide_case, wrapped)
from polygon_pairs import turned

STEPS, FRAMES = 2000, 20
SHOWN = ("edge-mean", "edge-mean-unsigned", "edge-mean-branch", "edge-axial", "chord", "area-gradient")
SHALLOW, DEEP, ROUGH, ROUGH_DEEP = 1, 2, 7, 8  # numbers of SETS


def frame_errors(pair, seed):
    """|wrap(α of the pair turned by β − α − β)| of each definition, a row for each component."""
    draw, rows = uniform(seed), []
    for k in range(FRAMES):
        s, beta = (k + 0.5) / FRAMES, -math.pi + 2 * math.pi * next(draw)
        plain, other = pair.overlap(s), dem.overlap(*(turned(o, beta) for o in pair.placed(s)))
        if len(plain) != len(other):
            continue  # a part as small as round-off
        for c in plain:
            if c.area > LEAST_AREA:
                same = min(other, key=lambda t: np.hypot(*(t.centroid - turned(c.centroid, beta))))
                rows.append([abs(wrapped(plane_angle(same, p) - plane_angle(c, p) - beta)) for p in PLANES])
    return np.array(rows)


def count(k, number):
    """The jumps of a path as [definition, degrees, merged], and its frame errors."""
    pair = random_pair(SETS[k], number)
    path = pair.walk(STEPS)
    errors = frame_errors(pair, number)
    frames = [[float(np.nanmean(e)), float((e[~np.isnan(e)] > 1e-6).mean())] for e in errors.T] if len(errors) else []
    return {"jumps": [[j.plane, math.degrees(j.size), j.merged] for j in path.jumps], "frames": frames,
            "frame_states": len(errors)}


class Totals:
    """What the paths of a set have together."""

    def __init__(self, found):
        self.found, self.paths = found, len(found)

    def sizes(self, plane, merged=False):
        """Jumps of a definition (degrees)."""
        return np.array([size for f in self.found for p, size, m in f["jumps"] if p == plane and m == merged])

    def with_jump(self, plane):
        return sum(any(p == plane and not m for p, _, m in f["jumps"]) for f in self.found)

    def share(self, plane):
        return percent(self.with_jump(plane), self.paths)

    def cell(self, plane):
        """Jumps per path, share of paths, mean size: a cell of the reference's table."""
        sizes = self.sizes(plane)
        return f"{len(sizes) / self.paths:.3f}, {self.share(plane)}, {sizes.mean():.0f}°" if len(sizes) else "0"

    def frame(self, plane):
        """Mean frame error (degrees) and share of states (%), with the standard errors of independent paths."""
        rows = np.array([f["frames"][PLANES.index(plane)][:2] for f in self.found if f["frames"]])
        return (rows.mean(axis=0) * (180 / math.pi, 100),
                rows.std(axis=0) / math.sqrt(len(rows) - 1) * (180 / math.pi, 100))


def contradictions(file, band, totals):
    """Pairs of definitions that the reference's table orders beyond its own 95 % intervals and that come out the other
    way round here, and whether they do beyond 1.96 standard errors."""
    of_500 = {row["plane"]: 5 * float(row[band]) for row in csv_rows(file)}
    out = []
    for a in PLANES:
        for b in PLANES:
            if share_interval(of_500[a], 500)[0] > share_interval(of_500[b], 500)[1]:
                p, q = (totals.with_jump(plane) / totals.paths for plane in (a, b))
                if p < q:
                    out.append((f"{a} {totals.share(a)} against {b} {totals.share(b)}",
                                q - p > 1.96 * math.sqrt((p * (1 - p) + q * (1 - q)) / totals.paths)))
    return out


def ranking(file, band, totals):
    against = contradictions(file, band, totals)
    differs, names = any(significant for _, significant in against), "; ".join(text for text, _ in against)
    return {
        "text": "; ".join(f"{p} {totals.cell(p)}" for p in PLANES) + f" ({totals.paths} paths)",
        "holds": True if not against else False if differs else None,
        "why": "every order that the published table holds beyond its own 95 % intervals comes out; the numbers depend "
               "on the generator" if not against else
               "two definitions stand the other way round, so the order of those two is not as robust as stated: "
               + names
               if differs else "these paths are too few to tell; the other way round stand " + names}


def draw(run, totals):
    panels = []
    for first in range(0, len(SETS), 3):
        curves, sets = [], SETS[first:first + 3]
        x = [math.sqrt(s.low * s.high) for s in sets]
        for p in SHOWN:
            n = [(t.with_jump(p), t.paths) for t in totals[first:first + 3]]
            low, high = zip(*(share_interval(*v) for v in n))
            curves.append(curve(p, x, [100 * a / b for a, b in n], low=[100 * v for v in low],
                                high=[100 * v for v in high]))
        if first == 0:
            curves += [curve(f"reference, {name}", x[1:], y, "prediction")
                       for name, y in (("Eq. 13", (43.8, 65.2)), ("chord", (0.6, 9.6)))]
        kind = sets[0].name.rsplit(",", 1)[0]
        panels.append(panel(f"{kind} paths", "penetration at the middle of the path (m)", "paths with a jump (%)",
                            curves, log="x"))
    run.figure("Paths on which the contact plane jumps",
               "Share of random paths with at least one persistent jump (more than half a degree left after 30 "
               f"bisections), {totals[0].paths} paths a set, bars: 95 %. Dashed: table of the reference (§6). Jumps "
               "where parts of an overlap merge or split are left out.", panels)


def draw_jump(run, k, plane, wanted, name, title):
    """A pair, and its overlap just before and just after the first jump that is wanted."""
    for number in range(500):
        pair = random_pair(SETS[k], number)
        path = pair.walk(STEPS)
        jump = next((j for j in path.jumps if j.plane == plane and not j.merged and wanted(j)), None)
        if jump is None or any(j.plane == "area-gradient" for j in path.jumps):
            continue
        panels = []
        for side, word in ((None, "the pair"), (jump.before, "overlap just before the jump"),
                           (jump.after, "overlap just after the jump")):
            s = (jump.step + (side or jump.before).at) / STEPS
            at = turned(jump.before.centroid, pair.angle_i)
            component = min(pair.overlap(s), key=lambda c: np.hypot(*(c.centroid - at)))
            polygons = [drawn(component.vertices, "overlap")]
            if side is None:
                i, j = pair.placed(s)
                polygons = [drawn(i, "body-i", "i"), drawn(j, "body-j", "j"), *polygons]
            else:
                polygons += planes_drawn(component, (plane, "area-gradient"), 0.3 * component.perimeter)
            panels.append(panel(word, "x (m)", "y (m)", [], polygons=polygons))
        run.figure(title, f"Pair {number} of the set \"{SETS[k].name}\", at the share "
                   f"{(jump.step + jump.before.at) / STEPS:.6f} of its path. The plane turns by "
                   f"{math.degrees(jump.size):.1f}° at {jump.before.crossings} crossings before and "
                   f"{jump.after.crossings} after.", panels, name=name,
                   case=slide_case(pair, STEPS, plane).to_toml())
        return


def study(run):
    paths = 40 if run.quick else 500
    found = run.map("paths", count, [(k, number) for k in range(len(SETS)) for number in range(paths)])
    totals = [Totals(found[paths * k:paths * (k + 1)]) for k in range(len(SETS))]
    slight, shallow, deep, rough, rough_deep = (totals[k] for k in (0, SHALLOW, DEEP, ROUGH, ROUGH_DEEP))
    draw(run, totals)
    draw_jump(run, DEEP, "edge-mean", lambda j: j.size > math.radians(60) and j.before.area > 0.04, "eq13",
              "A pair in which Eq. 13 jumps and area-gradient does not")
    draw_jump(run, ROUGH_DEEP, "chord", lambda j: j.size > math.radians(20) and j.before.area > 0.03 and
              {j.before.crossings, j.after.crossings} == {2, 4}, "chord",
              "A pair in which the chord jumps and area-gradient does not")

    frames = {p: (*shallow.frame(p), deep.frame(p)[0]) for p in ("edge-mean", "edge-mean-unsigned")}
    shares = {name: [t.share(p) for t in (slight, shallow, deep, rough, rough_deep)]
              for name, p in (("mean", "edge-mean"), ("chord", "chord"))}
    jumping = {name: shallow.with_jump(p) for name, p in (("mean", "edge-mean"), ("chord", "chord"))}
    of_mean = shallow.sizes("edge-mean")
    return {
        "shares": shares, "per_path": len(of_mean) / shallow.paths,
        "mean_size": of_mean.mean() if len(of_mean) else 0.0,
        "jumping": jumping, "jumps": {"area-gradient": sum(len(t.sizes("area-gradient")) for t in totals)},
        "shallow": ranking(run.folder / "shares.csv", "shallow", shallow),
        "deep": ranking(run.folder / "shares.csv", "deep", deep),
        "paths": len(found), "bound": 100 * share_interval(0, len(found))[1],
        "merging": sum(len(t.sizes("area-gradient", merged=True)) for t in totals),
        "frames": {p: {"text": f"0.02-0.1 m: {m[0]:.1f} ± {e[0]:.1f}°, {m[1]:.1f} ± {e[1]:.1f} %; deeper, 0.1-0.4 m: "
                               f"{d[0]:.1f}°, {d[1]:.1f} %", "found": [*m, *e]} for p, (m, e, d) in frames.items()},
        "frame_states": [sum(f["frame_states"] for f in shallow.found), sum(bool(f["frames"]) for f in shallow.found)],
    }
