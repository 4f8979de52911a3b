"""The Rendulic plane, and the circle of elastoplasticity in it. A response is a point of the plot: the direction of Δσ
in the plane, and |Δε_irr|/|Δσ| there. Source: linear-frictional-contact reference, §15.

Orthonormal components, compression positive: (x11 + x22 + x33)/√3, (2 x11 − x22 − x33)/√6, (x22 − x33)/√2. The first
two are the Rendulic axes."""

import math

import numpy as np

LOBE = math.radians(75)  # half of the large one


def rendulic(x11, x22, x33):
    axial = (2 * x11 - x22 - x33) / math.sqrt(6)
    return np.array([(x11 + x22 + x33) / math.sqrt(3), axial, (x22 - x33) / math.sqrt(2)])


def principal(r):
    v, d, t = r[0] / math.sqrt(3), r[1] / math.sqrt(6), r[2] / math.sqrt(2)
    return v + 2 * d, v - d + t, v - d - t


def in_plane(angles):
    return [(math.cos(a), math.sin(a), 0.0) for a in angles]


def apart(a, b):
    return np.abs((a - b + math.pi) % (2 * math.pi) - math.pi)


def fitted(points, lobe):
    """a + ib of r = a cos φ + b sin φ by least squares: the diameter of a circle, and its direction."""
    directions, radii = (p[lobe] for p in points)
    columns = np.column_stack([np.cos(directions), np.sin(directions)])
    return complex(*np.linalg.lstsq(columns, radii, rcond=None)[0])


def large_lobe(points):
    directions, radii = points
    direction = directions[np.argmax(radii)]
    for _ in range(4):
        lobe = np.flatnonzero(apart(directions, direction) < LOBE)
        if len(lobe) < 2:
            break
        direction = np.angle(fitted(points, lobe))
    return lobe


def circle(points):
    """The circle over the large lobe: its diameter is 1/H. The standard error is relative, by leaving out one point
    after the other; `opposite` is the largest radius more than 110° away, over the diameter."""
    lobe = large_lobe(points)
    if len(lobe) < 3:
        return {"diameter": 0.0, "direction": 0.0, "misfit": 0.0, "points": len(lobe),
                "text": f"no circle through {len(lobe)} points"}
    fit = fitted(points, lobe)
    size, direction = abs(fit), np.angle(fit)
    off = points[1][lobe] - size * np.cos(points[0][lobe] - direction)
    without = np.abs([fitted(points, np.delete(lobe, k)) for k in range(len(lobe))]) / size - 1
    error = math.sqrt((without**2).sum() * (len(lobe) - 1) / len(lobe))
    misfit = math.sqrt((off**2).mean()) / size
    opposite = (points[1][apart(points[0], direction) > math.radians(110)] / size).max(initial=0)
    text = (f"1/H = {size:.3g} 1/Pa (±{100 * error:.1g} %), φ_f = {math.degrees(direction):.1f}°, misfit "
            f"{100 * misfit:.1f} % of the diameter ({len(lobe)} points), opposite lobe {100 * opposite:.1f} %")
    return {"diameter": size, "direction": direction, "misfit": misfit, "points": len(lobe), "text": text}


def modulus_difference(reference, other):
    """H of `other` over H of `reference` − 1, from probes with equal strains, and its standard error."""
    lobe = large_lobe(reference)
    if len(lobe) < 4:
        return math.nan, math.nan

    def value(points):
        return abs(fitted(reference, points) / fitted(other, points)) - 1

    left_out = np.array([value(np.delete(lobe, k)) for k in range(len(lobe))])
    return value(lobe), math.sqrt(((left_out - left_out.mean()) ** 2).sum() * (len(lobe) - 1) / len(lobe))
