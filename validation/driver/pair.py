"""One contact of two spheres on a prescribed motion, as rows of a path of `dem.contact` in space. Arrays hold a vector
or quaternion (w, x, y, z) in each row. Source: linear-frictional-contact reference, §2 and §3."""

import numpy as np

import dem

RADIUS = 0.5  # m, of both spheres


def dot(a, b):
    return (a * b).sum(axis=-1, keepdims=True)


def unit(v):
    v = np.asarray(v, dtype=float)
    return v / np.sqrt(dot(v, v))


def quaternion(rotation):
    """Of a rotation vector (rad)."""
    half = 0.5 * np.sqrt(dot(rotation, rotation))
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * rotation], axis=-1)


def product(a, b):
    w = a[..., :1] * b[..., :1] - dot(a[..., 1:], b[..., 1:])
    v = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return np.concatenate([w, v], axis=-1)


def conjugate(q):
    return q * [1, -1, -1, -1]


def rotated(q, v):
    t = 2 * np.cross(q[..., 1:], v)
    return v + q[..., :1] * t + np.cross(q[..., 1:], t)


def rotation_vector(q):
    q = np.where(q[..., :1] < 0, -q, q)
    size = np.sqrt(dot(q[..., 1:], q[..., 1:]))
    angle = 2 * np.arctan2(size, q[..., :1])
    return np.where(size > 0, angle / np.where(size > 0, size, 1), 2) * q[..., 1:]


def tan_over(x_squared):
    """tan(x)/x."""
    series = 1 + x_squared * (1 / 3 + x_squared * (2 / 15 + x_squared * (17 / 315 + x_squared * 62 / 2835)))
    x = np.sqrt(np.maximum(x_squared, 1e-3))
    return np.where(x_squared < 1e-3, series, np.tan(x) / x)


def chord(rotation):
    """Δθ tan(|Δθ|/2)/(|Δθ|/2). With it the movement of a finite rigid rotation is zero to rounding (§2)."""
    return tan_over(0.25 * dot(rotation, rotation)) * rotation


def movement(moved, turn_i, turn_j, arm_i, arm_j):
    """Of j relative to i at the contact: `moved` is that of the centres (m)."""
    return moved + np.cross(turn_j, arm_j) - np.cross(turn_i, arm_i)


def swing(v, n0, n1):
    return v - dot(v, n1) / (1 + dot(n0, n1)) * (n0 + n1)


def in_the_plane(moved, n0, n1, w, exact):
    """The tangential part in the plane of mid-step, carried on by the rest of the swing and half the twist (§3)."""
    middle = unit(n0 + n1)
    half = 0.5 * dot(w, n1)
    t = half * tan_over(0.25 * dot(w, w) if exact else half * half)
    v = swing(moved - dot(moved, middle) * middle, middle, n1)
    return (v + t * np.cross(n1, v)) / np.sqrt(1 + t * t)


def rows(normals, overlaps, shifts, turns_i, turns_j):
    """A path of `dem.contact`."""
    count = len(normals)
    columns = (np.reshape(overlaps, (-1, 1)), normals, shifts, turns_i, turns_j)
    return np.concatenate([np.broadcast_to(c, (count, np.shape(c)[-1])) for c in columns], axis=1)


def follow(path, steps, material, law="linear-refined", transport="exact", before=(), **options):
    """The states of the contact along `steps` equal steps of path(s), s from 0 to 1. The path gives centres and
    orientations of i and j. `before` has movements of j (m) that come before the path, while nothing turns."""
    i, j, turned_i, turned_j = path(np.arange(steps + 1)[:, None] / steps)
    branch = j - i
    length = np.sqrt(dot(branch, branch))
    normal, overlap = branch / length, 2 * RADIUS - length
    arm = (RADIUS - 0.5 * overlap) * normal
    turn_i, turn_j = (rotation_vector(product(q[1:], conjugate(q[:-1]))) for q in (turned_i, turned_j))
    arms = 0.5 * (arm[:-1] + arm[1:])
    moved = movement(np.diff(j, axis=0) - np.diff(i, axis=0), chord(turn_i), chord(turn_j), arms, -arms)
    n0, n1 = normal[:-1], normal[1:]
    shift = in_the_plane(moved, n0, n1, 0.5 * (turn_i + turn_j), transport == "exact")
    moves = rows(n1, overlap[1:], shift, turn_i, turn_j)
    if len(before):
        first = rows(len(before) * [normal[0]], overlap[0, 0], before, np.zeros(3), np.zeros(3))
        moves = np.concatenate([first, moves])
    return dem.contact(law, {**material, "transport": transport, **options}, moves, start_overlap=overlap[0, 0],
                       start_normal=normal[0])


def difference(coarse, fine):
    """Of the tangential forces at the times that two results share, one row each (N)."""
    ratio = (len(fine) - 1) // (len(coarse) - 1)
    return coarse.tangential[1:] - fine.tangential[ratio::ratio]
