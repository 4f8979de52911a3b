"""Points 1 to 8 of the polygon-dem reference, §6: statements on single configurations of two polygons."""

import math

import numpy as np

import dem
from plane_paths import SETS, plane_angle, random_pair, wrapped
from polygon_pairs import area_and_centroid, turned

SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
FLAT = np.array([[-3.0, -1], [3, -1], [3, 0], [-3, 0]])


def first(i, j):
    return dem.overlap(i, j)[0]


def degrees(i, j, plane):
    return math.degrees(plane_angle(first(i, j), plane))


def undefined(i, j, plane):
    return math.isnan(degrees(i, j, plane))


def gradient_of_area():
    """Largest relative difference of the gradient from central differences of the area, over random pairs."""
    h, worst, states = 1e-6, 0.0, 0
    for number in range(100):
        i, j = random_pair(SETS[2], number).placed(0.5)
        overlap = dem.overlap(i, j)
        if len(overlap) != 1:
            continue
        difference = [(dem.overlap(i, j + by).area - dem.overlap(i, j - by).area) / (2 * h) for by in h * np.eye(2)]
        g = overlap[0].gradient
        worst = max(worst, np.hypot(difference[0] - g[1], difference[1] + g[0]) / np.hypot(*g))
        states += 1
    return [worst, states]


def vertical(tilt):
    """Mean angle of the edges of an overlap (degrees), and 180° times the share of the edge of j."""
    c = first(SQUARE, turned([[0, -2], [3, -2], [3, 2], [0, 2]], tilt) + [0.9, 0.5])
    edges = np.roll(c.vertices, -1, axis=0) - c.vertices
    lengths, angles = np.hypot(*edges.T), wrapped(np.arctan2(edges[:, 1], edges[:, 0]))
    of_j = next(length for length, owner in zip(lengths[::-1], c.edges[::-1]) if owner == "b")
    return math.degrees(lengths @ angles / c.perimeter), 180 * of_j / c.perimeter


def points():
    h = 1e-9
    step = [[0.5, -0.5], [1.5, -0.5], [1.5, 0.5], [0.5, 0.5]]
    sides = [first(SQUARE, np.add(step, [x, 0])).gradient for x in (-0.5 - h, -0.5, -0.5 + h)]
    crossed = ([[-3, -0.5], [3, -0.5], [3, 0.5], [-3, 0.5]],
               [[49 / 52, -295 / 104], [97 / 52, -255 / 104], [-23 / 52, 321 / 104], [-71 / 52, 281 / 104]])
    inside = ([[0, 0], [4, 0], [4, 4], [0, 4]], [[1, 1], [2, 1], [1, 3]])
    u1 = (SQUARE, [[0.9, 0.6], [1.9, 0.6], [1.9, 1.6], [0.9, 1.6]])
    u2 = ([[0, 0], [0.8, 0.6], [0.2, 1.4], [-0.6, 0.8]], [[0.36, 1.02], [1.16, 1.62], [0.56, 2.42], [-0.24, 1.82]])

    def off(plane):
        """What is left of the turn between U1 and U2 (degrees)."""
        return math.degrees(wrapped(math.radians(degrees(*u2, plane) - degrees(*u1, plane)) - math.atan2(3, 4)))

    u5a = (SQUARE, [[0.987, -0.5], [2, -0.5], [2, 1.5], [0.999, 1.5]])
    u5b = (SQUARE, [[0.999, -0.5], [2, -0.5], [2, 1.5], [0.987, 1.5]])
    u11 = ([[0, 0], [1.25, -0.25], [2, 0.5], [1.75, 1.5], [0.5, 1.75], [-0.25, 1]],
           [[1.5, 1.25], [2.5, 0.75], [3.25, 1.5], [3, 2.5], [1.75, 2.25]])
    (left, expected), (right, _) = vertical(1e-9), vertical(-1e-9)
    s = math.sqrt(3)

    def corner(tilt):
        return (FLAT, turned([[0, 0], [1, s], [-1, s]], tilt) + [0, -0.1])

    tilted = [degrees(*corner(t), "edge-axial-unselected") for t in (1e-3, -1e-3)]
    regular = (FLAT, [[0, -0.1], [1, s - 0.1], [-1, s - 0.1]])
    # An L and a square whose centroids coincide although they only touch along the notch of the L.
    notch = np.array([[0.0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]])
    square = area_and_centroid(notch)[1] + 0.25 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    words = {True: "undefined", False: "defined"}
    return {
        "gradient": gradient_of_area(),
        "fails": [words[undefined(*pair, "area-gradient")] for pair in (crossed, inside)],
        "kink": [float(v) for g in (sides[0], sides[2], sides[1]) for v in g],
        "kink_off": float(np.hypot(*(sides[1] - 0.5 * (sides[0] + sides[2])))),
        "mean_off": abs(off("edge-mean")), "gradient_off": abs(off("area-gradient")),
        "u1": {p: degrees(*u1, p) for p in ("edge-mean", "area-gradient")},
        "u2": {p: degrees(*u2, p) for p in ("edge-mean", "area-gradient")},
        "vertical": [abs(left - right), expected],
        "mirror": {p: [degrees(*u5a, p), degrees(*u5b, p)] for p in ("edge-mean", "area-gradient")},
        "unsigned": degrees(FLAT, [[0.2, -0.1], [2.2, 0.9], [-1.8, 0.9]], "edge-mean-unsigned"),
        "corner": ("undefined" if undefined(*regular, "edge-axial-unselected") else
                   f"{degrees(*regular, 'edge-axial-unselected'):.3f}°"),
        "tilted": math.degrees(abs(wrapped(math.radians(tilted[0] - tilted[1])))),
        "overlap": words[undefined(SQUARE, SQUARE + 0.5, "edge-axial-unselected")],
        "deep": {p: degrees(*u11, p)
                 for p in ("edge-mean", "chord", "edge-mean-branch", "edge-axial", "area-gradient")},
        "branch": words[undefined(notch, square, "edge-mean")], "without": degrees(notch, square, "area-gradient"),
    }
