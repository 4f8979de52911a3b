"""Does the contact plane turn continuously while two polygons move, and is it free of the frame (polygon-dem reference,
§6)? Random pairs on random paths. README.md beside this file has the generator and the counting."""

import math
from itertools import product

import numpy as np

import dem
from driver.digits import csv_rows
from driver.mt64 import uniform
from driver.study import curve, panel
from plane_paths import LEAST_AREA, PLANES, SETS, percent, plane_angle, random_pair, share_interval, wrapped
from polygon_pairs import turned

STEPS, FRAMES = 2000, 20
SHOWN = ("edge-mean", "edge-mean-unsigned", "edge-mean-branch", "edge-axial", "chord", "area-gradient")
BANDS = {"shallow": 1, "deep": 2, "rough": 7, "rough_deep": 8}  # numbers of SETS


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
        """Mean frame error (degrees) and share of states (%), then the standard errors of independent paths."""
        rows = np.array([f["frames"][PLANES.index(plane)] for f in self.found if f["frames"]]) * (180 / math.pi, 100)
        return [*rows.mean(axis=0), *rows.std(axis=0) / math.sqrt(len(rows) - 1)]


def contradictions(published, totals):
    """Pairs of definitions that the reference's table orders beyond its own 95 % intervals and that come out the other
    way round here, and whether they do beyond 1.96 standard errors."""
    out = []
    for a, b in product(PLANES, repeat=2):
        if share_interval(5 * published[a], 500)[0] > share_interval(5 * published[b], 500)[1]:
            p, q = (totals.with_jump(plane) / totals.paths for plane in (a, b))
            if p < q:
                out.append((f"{a} {totals.share(a)} against {b} {totals.share(b)}",
                            q - p > 1.96 * math.sqrt((p * (1 - p) + q * (1 - q)) / totals.paths)))
    return out


def ranking(published, totals):
    """`published` has the shares of 500 paths (%)."""
    against = contradictions(published, totals)
    holds, names = True, "; ".join(text for text, _ in against)
    why = "every order that the published table holds beyond its own 95 % intervals comes out; the numbers depend on " \
          "the generator"
    if any(significant for _, significant in against):
        holds, why = False, ("two definitions stand the other way round, so the order of those two is not as robust as "
                             f"stated: {names}")
    elif against:
        holds, why = None, f"these paths are too few to tell; the other way round stand {names}"
    return {"text": "; ".join(f"{p} {totals.cell(p)}" for p in PLANES) + f" ({totals.paths} paths)", "holds": holds,
            "why": why}


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


def study(run):
    paths = 40 if run.quick else 500
    found = run.map("paths", count, [(k, number) for k in range(len(SETS)) for number in range(paths)])
    totals = [Totals(found[paths * k:paths * (k + 1)]) for k in range(len(SETS))]
    draw(run, totals)
    of = {band: totals[k] for band, k in BANDS.items()}
    sizes, rows = of["shallow"].sizes("edge-mean"), csv_rows(run.folder / "shares.csv")
    return {
        "shares": {p: {band: t.share(p) for band, t in of.items()} for p in PLANES},
        "jumping": {p: of["shallow"].with_jump(p) for p in PLANES},
        "per_path": len(sizes) / paths, "mean_size": sizes.mean() if len(sizes) else 0.0,
        "ranking": {band: ranking({row["plane"]: float(row[band]) for row in rows}, of[band])
                    for band in ("shallow", "deep")},
        "paths": len(found), "bound": 100 * share_interval(0, len(found))[1],
        "jumps": sum(len(t.sizes("area-gradient")) for t in totals),
        "merging": sum(len(t.sizes("area-gradient", merged=True)) for t in totals),
        "frames": {p: [*of["shallow"].frame(p), *of["deep"].frame(p)] for p in ("edge-mean", "edge-mean-unsigned")},
        "states": sum(f["frame_states"] for f in of["shallow"].found),
        "with_states": sum(bool(f["frames"]) for f in of["shallow"].found),
    }
