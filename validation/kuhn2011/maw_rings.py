"""Tangential force of an elastic contact of spheres with Coulomb's law on every ring of the contact area: the method of
N. Maw, J. R. Barber, J. N. Fawcett, The oblique impact of elastic spheres, Wear 38 (1976) 101. It knows neither
histories nor laws of a contact and shares nothing with law `jaeger` but the half-space.

The traction of the rings is a sum of f_i(r) = √(a_i² − r²). The displacements of the half-spaces under f_i are known
(K. L. Johnson, Contact Mechanics, §3.4 and §7.2). The mean of the two tangential directions is κ times the normal one.
Its dependence on the polar angle and the component across, both of the order of ν, are left out, as by Cattaneo and
Mindlin.

Units: the contact radius, the radius of the sphere (so overlap = a²); tangential displacement over κ μ, traction over
μ."""

import numpy as np


def displacement(a, r):
    """At r under √(a² − r²), κ and the elastic constants taken out. Inside it is a² − r²/2, the overlap of the sphere
    less its shape."""
    outside = np.maximum(r, a)
    beyond = (2 * a * a - outside**2) * np.arcsin(a / outside) + a * np.sqrt(outside**2 - a * a)
    return np.where(r <= a, a * a - 0.5 * r * r, beyond / np.pi)


def turning(path, n, parts):
    """Tangential forces over μ times the normal force, which is constant, at the stations of a path of tangential
    movements in the plane over the one that slides (κ μ δ), with Coulomb's law on each of n rings: the slip of a ring
    goes against its traction at the end of each of the parts of a movement."""
    a = np.sin(0.5 * np.pi * np.arange(n + 1) / n)
    middle = 0.5 * (a[:-1] + a[1:])[:, None]
    shares = np.linalg.inv(np.sqrt(np.maximum(a[None, 1:] ** 2 - middle**2, 0)))  # traction to Σ q_i f_i
    moved = displacement(a[None, 1:], middle) @ shares
    limit, diagonal = np.sqrt(1 - middle[:, 0] ** 2), moved.diagonal()
    traction, at, forces = np.zeros((n, 2)), np.zeros(2), []
    for station in np.asarray(path, dtype=float):
        for _ in range(parts):
            start, change = moved @ traction + (station - at) / parts, 1.0
            while change > 1e-9:  # ring after ring, until none changes
                change = 0.0
                for k in range(n):
                    trial = traction[k] + (start[k] - moved[k] @ traction) / diagonal[k]
                    trial *= min(1.0, limit[k] / max(np.hypot(*trial), 1e-300))
                    change = max(change, np.abs(trial - traction[k]).max())
                    traction[k] = trial
        at = station
        forces.append(a[1:] ** 3 @ shares @ traction)
    return np.array(forces)
