"""Pairs of polygons, one pushed against the other (Figs. 6a, 9 and 10; polygon-dem reference, §7): the case, its run
until it has decayed, and random pairs like the published ones."""

import math
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import dem
from driver.mt64 import uniform
from step_map import contact_duration

FOLDER = Path(__file__).parent
ROUGH = 1_000_000  # numbers of pairs of rough polygons begin here: their chord jumps more often than that of others


@cache
def cases():
    """Shapes and results of the reference."""
    return tomllib.loads((FOLDER / "polygon_cases.toml").read_text(encoding="utf-8"))


def turned(points, angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(points) @ np.array([[c, s], [-s, c]])


def area_and_centroid(outline):
    x, y = np.asarray(outline).T
    parts = x * np.roll(y, -1) - y * np.roll(x, -1)
    area = parts.sum() / 2
    return area, np.array([((v + np.roll(v, -1)) * parts).sum() for v in (x, y)]) / (6 * area)


def is_convex(outline):
    edges = np.roll(outline, -1, axis=0) - outline
    following = np.roll(edges, -1, axis=0)
    return bool((edges[:, 0] * following[:, 1] > edges[:, 1] * following[:, 0]).all())


def random_hexagon(draw):
    def between(low, high):
        return low + (high - low) * next(draw)

    while True:
        phase, outline = between(0, math.pi / 3), []
        for k in range(6):
            angle, radius = phase + (k + between(-0.25, 0.25)) * math.pi / 3, between(0.45, 0.55)
            outline.append([radius * math.cos(angle), radius * math.sin(angle)])
        if is_convex(np.array(outline)):
            return np.array(outline) - area_and_centroid(outline)[1]


def random_outline(draw, convex, rough=False):
    """Of 4 to 8 corners, or star-shaped and not convex: with 6 to 12 corners, rough with 20 to 39 and radii within
    10 %. Mean radius 0.5 m, about its centroid."""
    spread = 0.1 if convex else 0.05 if rough else 0.25
    least, more = (4, 5) if convex else (20, 20) if rough else (6, 7)
    while True:
        n = least + int(more * next(draw))
        outline = []
        for k in range(n):
            angle = 2 * math.pi * (k + 0.7 * next(draw) - 0.35) / n
            radius = 0.5 - spread + 2 * spread * next(draw)
            outline.append([radius * math.cos(angle), radius * math.sin(angle)])
        if is_convex(np.array(outline)) == convex:
            return np.array(outline) - area_and_centroid(outline)[1]


def rough_outline(draw):
    return random_outline(draw, convex=False, rough=True)


@cache
def random_pair(seed, outline=random_hexagon):
    """Two random polygons of mean radius 0.5 m about their centroids, branch at 45°, just touching."""
    draw = uniform(seed)
    i, j = outline(draw), outline(draw)
    along, inside, outside = np.full(2, math.sqrt(0.5)), 0.3, 2.0
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if dem.overlap(i, j + middle * along).area > 0 else (inside, middle)
    return {"i": i, "j": j, "start": inside * along}


def shapes_of(number):
    """A pair of the reference (0 to 2), a random one (from 3 on, and −seed), or one of rough polygons."""
    if number >= ROUGH:
        return random_pair(number, rough_outline)
    return cases()["pair"][number] if 0 <= number < 3 else random_pair(abs(number))


def duration_of(shapes):
    """t_c of the reduced mass of the two (s)."""
    a, b = (area_and_centroid(shapes[name])[0] for name in "ij")
    return contact_duration(1.0, a * b / (a + b))


def pair_case(shapes, dt_over_tc, angle=0.0, keys=(), duration=8000):
    """i fixed with its material mass in m_r; j starts at rest and is pushed with F = 0.01 k_n l_c along −x, free in x
    and y and without rotation. Everything is turned by the angle (rad). The duration is in t_c."""
    t_c = duration_of(shapes)
    length = sum(math.sqrt(area_and_centroid(shapes[name])[0] / (2 * math.pi)) for name in "ij")
    i, j, start, force = (turned(v, angle).tolist() for v in (shapes["i"], shapes["j"], shapes["start"],
                                                              [-0.01 * length, 0.0]))
    return dem.Case({
        "title": "Two polygons, one pushed against the other",
        "material": {"density": 1.0, "normal_stiffness": 1.0, "tangential_stiffness_ratio": 1 / 3, "friction": 500.0,
                     "restitution": 0.9875},
        "contact": {"elongation": "geometric", "velocity_source": "predicted", "contact_plane": "area-gradient",
                    "normal_force": "area-over-length", "length": "sqrt-area-over-2pi", "fixed_mass": "material"},
        "time": {"step": dt_over_tc * t_c, "override_limit": True},
        "body": [{"name": "held", "shape": "polygon", "vertices": i, "position": [0.0, 0.0],
                  "fixed": ["x", "y", "rotation"]},
                 {"name": "pushed", "shape": "polygon", "vertices": j, "position": start, "fixed": ["rotation"],
                  "force": force}],
        "stage": [{"name": "rest", "duration": duration * t_c}]}).changed(dict(keys))


def driven(shapes, poses, rates, contact, friction=500.0):
    """The contact of two polygons on a prescribed path, of dem.driven_pair: k_n = 1 N/m and no damping. A row of the
    path has x, y and θ of i, then of j. The rates are those of a step. `contact` is the table of the case."""
    bodies = [{"shape": "polygon", "vertices": shapes[name], "position": poses[0, k:k + 2].tolist(),
               "angle": float(poses[0, k + 2])} for name, k in (("i", 0), ("j", 3))]
    return dem.driven_pair(dem.Case({
        "material": {"normal_stiffness": 1.0, "tangential_stiffness_ratio": 1 / 3, "friction": friction,
                     "restitution": 1.0},
        "contact": contact, "time": {"step": 1.0, "override_limit": True}, "assembly": {"largest_start_overlap": 1.0},
        "body": bodies, "stage": [{"duration": 1.0}]}), poses, rates)


VELOCITY = {"contact.elongation": "velocity"}


class PairEnd(NamedTuple):
    """Where a pushed polygon comes to rest, in the frame before the turn, and how it gets there."""
    x: float
    y: float
    alpha: float  # degrees; NaN where the contact is lost
    ratio: float  # |F_t/F_n|
    time: float  # t_R/t_c
    r_squared: float
    maxima: int
    angle: float  # of j (rad)
    lost: bool  # the pushed polygon has left the other one and does not come back: there is no final state

    @property
    def usable(self):
        return self.maxima >= 20 and self.r_squared > 0.999


def has_left(run):
    """Stops a run once the pushed polygon has left the other one. Returns a function that says whether it has."""
    with run.look() as now:
        start = now.bodies.position[1, :2].copy()

    def left(now):  # rebounds are a thousand times smaller
        return len(now.contacts) == 0 and bool(np.hypot(*(now.bodies.position[1, :2] - start)) > 0.1)

    @run.every(steps=16)
    def watch(now):
        if left(now):
            now.stop("the contact is lost")

    def at_the_end():
        with run.look() as now:
            return left(now)

    return at_the_end


def pair_end(number, dt_over_tc, degrees=0.0, keys=(), end_at=1e-9):
    """Runs a pair until its kinetic energy has decayed. Returns a PairEnd as a list of numbers, for StudyRun.map.
    Pairs are numbered as in shapes_of()."""
    shapes, angle = shapes_of(number), math.radians(degrees)
    run = dem.Run(pair_case(shapes, dt_over_tc, angle, keys))
    leaves = has_left(run)
    fit = run.relaxation(end_at=end_at)
    lost, contact = leaves(), [math.nan, math.nan]
    with run.look() as now:
        if len(now.contacts) == 1:
            contact = [math.degrees(now.contacts.plane_angle[0]),
                       abs(now.contacts.tangential_force[0] / now.contacts.normal_force[0])]
        end = PairEnd(*turned(now.bodies.position[1, :2], -angle), *contact, fit.time / duration_of(shapes),
                      fit.r_squared, fit.maxima, now.bodies.angle[1], lost)
    return [float(v) for v in end]


def pair_ends(run, name, points):
    return [PairEnd(*found) for found in run.map(name, pair_end, points)]
