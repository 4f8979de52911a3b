"""Random pairs of polygons on random smooth paths (polygon-dem reference, §6, "Continuity metric"). The generator is
written down in continuity/README.md."""

import math
from dataclasses import dataclass, field
from itertools import product

import numpy as np

import dem
from driver.mt64 import uniform
from polygon_pairs import random_outline, turned

LEAST_AREA = 1e-9  # m², at a mean radius of 0.5 m: α has no limit as A → 0
PLANES = ("chord-first", "chord", "edge-mean", "edge-mean-unsigned", "edge-mean-branch", "edge-axial",
          "edge-axial-unselected", "area-gradient")  # in the order of the reference's table
LENGTH = 1.2  # m


def wrapped(angle):
    """The angle of a line in [−π/2, π/2]."""
    return angle - math.pi * np.round(angle / math.pi)


@dataclass(frozen=True)
class PathSet:
    convex: bool  # 4 to 8 vertices; else star-shaped with 6 to 12 and not convex
    straight: bool  # else with smooth deviations along both directions and of the rotation
    low: float  # penetration at the middle of the path (m)
    high: float
    seed: int

    @property
    def name(self):
        return (f"{'convex' if self.convex else 'non-convex'}, {'straight' if self.straight else 'curved'}, "
                f"{self.low:g}-{self.high:g} m")


SETS = [PathSet(convex, straight, low, high, n) for n, (convex, straight, (low, high)) in enumerate(
    product((True, False), (True, False), ((0.002, 0.01), (0.02, 0.1), (0.1, 0.4))), 1)]


@dataclass
class Pair:
    """Body i rests with its centroid at the origin, j moves; s in [0, 1] is the share of the path."""
    i: np.ndarray
    j: np.ndarray
    angle_i: float
    angle_j: float
    along: np.ndarray
    turn: float
    amplitude: list = field(default_factory=lambda: [0.0] * 3)
    phase: list = field(default_factory=lambda: [0.0] * 3)
    offset: float = 0.0  # of the middle of the path from the origin, to the left of `along` (m)

    def wave(self, k, s):
        return self.amplitude[k] * np.sin(2 * math.pi * s + self.phase[k])

    def position(self, s):
        left = np.array([-self.along[1], self.along[0]])
        return (np.multiply.outer((s - 0.5) * LENGTH + self.wave(0, s), self.along)
                + np.multiply.outer(self.offset + self.wave(1, s), left))

    def angle(self, s):
        return self.angle_j + s * self.turn + self.wave(2, s)

    def placed(self, s):
        return turned(self.i, self.angle_i), turned(self.j, self.angle(s)) + self.position(s)

    def overlap(self, s):
        return dem.overlap(*self.placed(s))

    def walk(self, steps, follow=True):
        s = np.arange(steps + 1) / steps
        return dem.plane_path(self.i, self.angle_i, self.j, self.position(s), self.angle(s), least_area=LEAST_AREA,
                              follow=follow)


def random_pair(paths, number):
    """The pair with this number of the set; always the same."""
    draw = uniform(paths.seed * 1_000_003 + number)
    i, j = random_outline(draw, paths.convex), random_outline(draw, paths.convex)
    angle_i, angle_j, direction = (2 * math.pi * next(draw) for _ in range(3))
    pair = Pair(i, j, angle_i, angle_j, np.array([math.cos(direction), math.sin(direction)]), next(draw) - 0.5)
    if not paths.straight:
        pair.amplitude = [0.1 * next(draw), 0.05 * next(draw), 0.2 * next(draw)]
        pair.phase = [2 * math.pi * next(draw) for _ in range(3)]

    def meet(offset):
        pair.offset = offset
        return pair.overlap(0.5).area > 0

    # Where the bodies just touch at the middle of the path.
    apart = together = sum(np.hypot(*outline.T).max() for outline in (i, j)) + 0.2
    while not meet(together):
        apart, together = together, together - 0.01
    for _ in range(40):
        middle = 0.5 * (apart + together)
        apart, together = (apart, middle) if meet(middle) else (middle, together)
    pair.offset = together - (paths.low + (paths.high - paths.low) * next(draw))
    return pair


def slide_case(pair, steps, plane):
    """A case that moves the pair along its straight path, with every definition watched."""
    held, (start, end) = ["x", "y", "rotation"], pair.position(np.array([0.0, 1.0]))
    return dem.Case({
        "title": "Two polygons slide over each other along a prescribed path",
        "material": {"normal_stiffness": 1.0, "tangential_stiffness_ratio": 1 / 3, "friction": 0.5,
                     "restitution": 0.9875},
        "contact": {"contact_plane": plane}, "time": {"step": 1 / steps}, "output": {"plane_jumps": True},
        "assembly": {"largest_start_overlap": 1.0},
        "body": [{"name": "i", "shape": "polygon", "vertices": pair.i.tolist(), "position": [0.0, 0.0],
                  "angle": pair.angle_i, "fixed": held},
                 {"name": "j", "shape": "polygon", "vertices": pair.j.tolist(), "position": start.tolist(),
                  "angle": float(pair.angle(0.0)), "fixed": held, "velocity": (end - start).tolist(),
                  "spin": pair.turn}],
        "stage": [{"name": "slide", "duration": 1.0}]})


def share_interval(count, of):
    """95 % interval of a share, by Wilson."""
    if not of > 0:
        return 0.0, 1.0
    z, p = 1.959964, count / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return 0.0 if count == 0 else middle - half, 1.0 if count == of else middle + half


def percent(count, of):
    low, high = share_interval(count, of)
    return f"{100 * count / of:.1f} % ({100 * low:.1f}-{100 * high:.1f})"


def drawn(points, role, label=""):
    x, y = np.asarray(points).T
    return {"x": x.tolist(), "y": y.tolist(), "label": label, "role": role}


def plane_angle(component, name):
    """Of a component of an overlap, by each of PLANES; NaN where undefined."""
    if name in component.planes:
        return component.planes[name]
    v, edges = component.vertices, component.edges
    if name == "chord-first":
        crossings = [v[k] for k in range(len(v)) if edges[k] != edges[k - 1]]
        if len(crossings) < 2:
            return math.nan
        x, y = crossings[1] - crossings[0]
        return float(wrapped(math.atan2(y, x)))
    x, y = (np.roll(v, -1, axis=0) - v).T
    length = np.hypot(x, y)
    used = length > 0
    cosine, sine = ((x * x - y * y)[used] / length[used]).sum(), (2 * x * y)[used] @ (1 / length[used])
    return math.nan if math.hypot(cosine, sine) <= 1e-13 * component.perimeter else 0.5 * math.atan2(sine, cosine)


def planes_drawn(component, planes, half):
    out = []
    for name in planes:
        angle = plane_angle(component, name)
        if not math.isnan(angle):
            along = half * np.array([math.cos(angle), math.sin(angle)])
            out.append(drawn([component.centroid - along, component.centroid + along], "plane",
                             f"{name} {math.degrees(angle):.1f}°"))
    return out
