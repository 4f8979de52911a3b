"""Oblique impact of an elastic sphere without restitution losses, solved with Coulomb's law on every ring of the
contact area: the method of N. Maw, J. R. Barber, J. N. Fawcett, The oblique impact of elastic spheres, Wear 38 (1976)
101. It knows neither histories nor laws of a contact and shares nothing with law `jaeger` but the half-space.

The contact radius takes the values a_j = a_max sin(πj/2n), up and down again; a step goes from one to the next.
Traction and pressure are sums of f_i(r) = √(a_i² − r²): the pressure of step j is f_j, the traction Σ q_i f_i. The
displacements of the half-spaces under f_i are known (K. L. Johnson, Contact Mechanics, §3.4 and §7.2). The mean of the
two tangential directions is κ times the normal one. Its dependence on the polar angle and the component across, both of
the order of ν, are left out, as by Cattaneo and Mindlin. On each ring in contact, either the surfaces move together or
the traction is μ times the pressure and acts against the slip. The error falls with 1/n² where the contact slides, with
1/n where it sticks at first.

Units: a_max, the radius of the sphere (so overlap = a²), the speed of approach; tangential displacement and velocity
over κ μ, traction over μ. `inertia` is 1/m* of the sphere over 1/m at the contact point: 7/2 on a heavy plate."""

import numpy as np


def displacement(a, r):
    """At r under √(a² − r²), κ and the elastic constants taken out. Inside it is a² − r²/2, the overlap of the sphere
    less its shape."""
    outside = np.maximum(r, a)
    beyond = (2 * a * a - outside**2) * np.arcsin(a / outside) + a * np.sqrt(outside**2 - a * a)
    return np.where(r <= a, a * a - 0.5 * r * r, beyond / np.pi)


def time_to(x):
    """From first touch to the overlap x = δ/δ_max ≤ 1 at speed 1: ∫ dx/√(1 − x^(5/2)), by Simpson's rule in an angle
    without singularities: x = sin^(4/5) φ, and φ = u⁵."""
    end = np.arcsin(min(x, 1.0) ** 1.25) ** 0.2
    u = end * np.arange(201) / 200
    values = np.concatenate([[0], 4 * u[1:] ** 4 / np.sin(u[1:] ** 5) ** 0.2]) if end > 0 else np.zeros(201)
    weight = np.where(np.arange(201) % 2, 4.0, 2.0)
    weight[[0, -1]] = 1
    return (weight * values).sum() * end / 600


def rebound(psi_1, ratio, n, inertia=3.5):
    """ψ_2 after an impact at ψ_1, by n rings."""
    a = np.sin(0.5 * np.pi * np.arange(n + 1) / n)  # narrow rings at the edge, for even steps near the largest overlap
    middle = 0.5 * (a[:-1] + a[1:])[:, None]
    u = displacement(a[None, 1:], middle)  # at the middle of ring k, of the traction that ends with ring i
    f = np.sqrt(np.maximum(a[None, 1:] ** 2 - middle**2, 0))
    volume = 2 * np.pi / 3 * a[1:] ** 3
    mobility = inertia / (ratio * 8 * np.pi / 15)  # change of velocity by a unit of force in a unit of time
    w, q, slips = psi_1, np.zeros(n), np.zeros(n, int)  # slips: 0 sticks, else the sign of the traction
    time = np.array([time_to(x * x) for x in a])

    def solve(m, dt, before, held):
        """q of the rings in contact, then the movement of the body in this step."""
        matrix, right = np.zeros((m + 1, m + 1)), np.zeros(m + 1)
        slip = slips[:m] != 0
        matrix[:m, :m] = np.where(slip[:, None], f[:m, :m], u[:m, :m])
        matrix[:m, m] = np.where(slip, 0, -1)
        right[:m] = np.where(slip, slips[:m] * f[:m, m - 1], held[:m])
        matrix[m, :m] = 0.25 * dt * dt * mobility * volume[:m]
        matrix[m, m] = 1
        right[m] = dt * w - 0.25 * dt * dt * mobility * before
        return np.linalg.solve(matrix, right)

    def revise(x, m, held, one):
        """Rings that stick with more than Coulomb's traction slip, those whose traction would drive the slip stick."""
        traction, most = f[:m, :m] @ x[:m], f[:m, m - 1]
        moved = (u[:, :m] @ x[:m])[:m] - held[:m]
        off = np.where(slips[:m] == 0, np.abs(traction) / most - 1, -slips[:m] * (x[m] - moved) * n)
        wrong = np.flatnonzero(off > 1e-12)
        if len(wrong) == 0:
            return False
        chosen = wrong[[np.argmax(off[wrong])]] if one else wrong
        slips[chosen] = np.where(slips[chosen] == 0, np.where(traction[chosen] > 0, 1, -1), 0)
        return True

    radii = [*range(n + 1), *range(n - 1, -1, -1)]
    for last, j in zip(radii, radii[1:]):
        dt, before = abs(time[j] - time[last]), volume @ q
        if j == 0:
            w -= 0.5 * dt * mobility * before
            break
        slips[j:] = 0  # a ring that comes into contact sticks, unless it is found not to
        held = u @ q
        for turn in range(6 * n + 20):  # one ring changes its mind at a time once all at once have not settled
            x = solve(j, dt, before, held)
            if not revise(x, j, held, turn > 12):
                break
        q = np.zeros(n)
        q[:j] = x[:j]
        w -= 0.5 * dt * mobility * (before + volume @ q)
    return w


def refined(psi_1, ratio, n, inertia=3.5):
    """ψ_2 with 2n rings, and the change from n to 2n rings: at least twice what is left."""
    coarse, fine = rebound(psi_1, ratio, n, inertia), rebound(psi_1, ratio, 2 * n, inertia)
    return fine, fine - coarse


def sliding(psi_1, ratio, inertia=3.5):
    """Of an impact that slides from beginning to end: ψ_2 = ψ_1 − 2·inertia/κ, from ψ_1 = 2·inertia/κ − 1 on."""
    return psi_1 - 2 * inertia / ratio


def sliding_from(ratio, inertia=3.5):
    return 2 * inertia / ratio - 1


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
