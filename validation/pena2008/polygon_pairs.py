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
    return dem.Case.read(FOLDER / "figure-6" / "case.toml").changed({
        "body.held.vertices": turned(shapes["i"], angle).tolist(),
        "body.pushed.vertices": turned(shapes["j"], angle).tolist(),
        "body.pushed.position": turned(shapes["start"], angle).tolist(),
        "body.pushed.force": turned([-0.01 * length, 0.0], angle).tolist(),
        "time.step": dt_over_tc * t_c, "stage.rest.duration": duration * t_c, **dict(keys)})


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


def relaxed(case, t_c, angle=0.0, end_at=1e-9):
    """Runs a case until its kinetic energy has decayed."""
    run = dem.Run(case)
    leaves = has_left(run)
    fit = run.relaxation(end_at=end_at)
    lost = leaves()
    with run.look() as now:
        contacts, state = now.contacts, (math.nan, math.nan)
        if len(contacts) == 1:
            state = (math.degrees(contacts.plane_angle[0]),
                     abs(contacts.tangential_force[0] / contacts.normal_force[0]))
        return PairEnd(*turned(now.bodies.position[1, :2], -angle), *state, fit.time / t_c, fit.r_squared, fit.maxima,
                       float(now.bodies.angle[1]), lost)


def pair_end(number, dt_over_tc, degrees=0.0, keys=(), end_at=1e-9, duration=8000):
    """A PairEnd as a list of numbers, for StudyRun.map. Pairs are numbered as in shapes_of()."""
    shapes, angle = shapes_of(number), math.radians(degrees)
    end = relaxed(pair_case(shapes, dt_over_tc, angle, keys, duration), duration_of(shapes), angle, end_at)
    return [float(v) for v in end]


def pair_ends(run, name, points):
    return [PairEnd(*found) for found in run.map(name, pair_end, points)]
