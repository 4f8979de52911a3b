"""The vibrations of the two-disc test as the steps of Gear's scheme leave them (polygon-dem reference, §5).

An eigenvalue λ = 1 + u of one step about the equilibrium, sticking. A coordinate q has the Gear terms r with
λ r = P r + g d, P being Pascal's triangle. So r follows from d by back substitution, and the equations of the
coordinates become one of order two for the movements of the contact along n and t. In u it keeps all digits where |λ|
differs from 1 by 1e-8."""

import cmath
import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

MASS = math.pi / 4  # kg, of a disc of radius 0.5 m and density 1 kg/m²
REDUCED = MASS / 2  # the held disc counts with its own mass
RESTITUTION = 0.9875
GEAR = (3 / 16, 251 / 360, 1, 11 / 18, 1 / 6, 1 / 60)
# Coordinates of the pushed disc: mass, movement of the contact along n and along t.
S = math.sqrt(0.5)
X, Y, TURN = (MASS, S, -S), (MASS, S, S), (MASS / 2, 0, -1)
READINGS = {"guided": (X, TURN), "guided no rotation": (X,), "free no rotation": (X, Y),
            "free no rotation, tangential": ((MASS, 0, 1),)}  # the one of its two vibrations that is along t


def damping(restitution, stiffness, reduced=REDUCED):
    log = -math.log(restitution)
    return 2 * math.sqrt(reduced * stiffness) * log / math.hypot(math.pi, log)


def contact_duration(stiffness=4e8, reduced=REDUCED):
    eta = damping(RESTITUTION, stiffness, reduced) / (2 * reduced)
    return math.pi / math.sqrt(stiffness / reduced - eta**2)


@dataclass(frozen=True)
class TwoDiscs:
    reading: str = "guided"
    dt_over_tc: float = 1e-2
    elongation: str = "geometric"  # or the source of the velocity: predicted, corrected, trapezoid; or a variant of
    # the geometric one: from corrected (to predicted place), literal (Eqs. 10, 11 word by word)
    stiffness_ratio: float = 1 / 3
    restitution_ratio: float | None = None  # ε_t/ε_n; None: damping in the ratio of the stiffnesses
    friction: float = 500
    stiffness: float = 4e8
    reduced: float = REDUCED  # of the damping and of t_c

    def coefficients(self):
        """k_n, γ_n, k_t, γ_t."""
        gamma = damping(RESTITUTION, self.stiffness, self.reduced)
        if self.friction == 0:
            return self.stiffness, gamma, 0.0, 0.0
        k_t = self.stiffness_ratio * self.stiffness
        if self.restitution_ratio is None:
            return self.stiffness, gamma, k_t, gamma * self.stiffness_ratio
        return self.stiffness, gamma, k_t, damping(self.restitution_ratio * RESTITUTION, k_t, self.reduced)


def sums(case):
    """Σ 1/m of movements along n and n, n and t, t and t, and of the elongation's movement with n and with t."""
    rows = [(*q, q[2] * (0.5 if case.elongation == "literal" and q[1] else 1)) for q in READINGS[case.reading]]
    return [sum(q[a] * q[b] / q[0] for q in rows) for a, b in ((1, 1), (1, 2), (2, 2), (3, 1), (3, 2))]


def equation(case, dt):
    """The function of u that is zero at an eigenvalue."""
    k_n, gamma_n, k_t, gamma_t = case.coefficients()
    nn, nt, tt, en, et = (0.5 * dt * dt * s for s in sums(case))

    def of(u):
        r = [0j] * 6
        for k in range(5, -1, -1):
            r[k] = (GEAR[k] + sum(math.comb(m, k) * r[m] for m in range(k + 1, 6))) / u
        place, speed = (1 + u) * r[0] - GEAR[0], (1 + u) * r[1] - GEAR[1]  # predicted
        shift = {"predicted": speed, "corrected": r[1], "trapezoid": 0.5 * (r[1] + speed),
                 "from corrected": place - r[0]}
        # Elongation at the end of the step. A sum of shifts grows by u of itself, and then it is λ times as large.
        xi = shift[case.elongation] * (1 + u) / u if case.elongation in shift else place
        c = (1 + u) * r[2]
        a = (k_n * place + gamma_n * speed / dt) / c
        spring, dashpot = k_t * xi / c, gamma_t * speed / dt / c
        return (1 + a * nn) * (1 + dashpot * tt + spring * et) - a * nt * (dashpot * nt + spring * en)

    return of


def refined(of, u):
    """The root beside u, by the secant method."""
    before, value_before = u * (1 + 1e-4), of(u * (1 + 1e-4))
    for _ in range(100):
        value = of(u)
        if value == value_before or abs(u - before) <= 4e-16 * abs(u):
            return u
        u, before, value_before = u - value * (u - before) / (value - value_before), u, value
    raise ArithmeticError("the eigenvalue of the two-disc step did not converge")


def relaxation_times(case):
    """t_R/t_c = −Δt/(2 t_c ln|λ|) of each vibration, the slowest first, those that grow before."""
    t_c = contact_duration(case.stiffness, case.reduced)
    dt = case.dt_over_tc * t_c
    k_n, gamma_n, k_t, gamma_t = case.coefficients()
    nn, nt, tt, en, et = sums(case)
    # The equation of motion without steps gives the first guess.
    n_part, square = np.poly1d([gamma_n, k_n]), np.poly1d([1, 0, 0])
    motion = ((square + nn * n_part) * (square + np.poly1d([tt * gamma_t, et * k_t]))
              - nt * n_part * np.poly1d([nt * gamma_t, en * k_t]))
    of, rates = equation(case, dt), []
    for root in motion.roots:
        if root.imag > 1e-9 * math.sqrt(k_n / MASS):
            u = refined(of, cmath.exp(root * dt) - 1)
            rates.append(-0.5 * math.log1p(2 * u.real + abs(u) ** 2) * 2 / case.dt_over_tc)
    return [1 / rate for rate in sorted(rates)]


def slowest(case=TwoDiscs(), **changes):
    """t_R/t_c of the slowest vibration."""
    return relaxation_times(replace(case, **changes))[0]


def threshold(case, limit, tolerance, largest=0.1):
    """Largest Δt/t_c at which t_R of the slowest vibration is within the tolerance of its limit. It is infinite if t_R
    is there at the largest step. Damping is only added by larger steps, so that t_R falls with Δt."""
    def within(step):
        return slowest(case, dt_over_tc=step) >= (1 - tolerance) * limit

    if within(largest):
        return math.inf
    low, high = 1e-6, largest
    for _ in range(40):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if within(middle) else (low, middle)
    return math.sqrt(low * high)


class Mode(NamedTuple):
    """A vibration of the two discs with exact time integration, to first order in the damping."""
    time: float  # t_R/t_c
    share: float  # f_t: the tangential share of the strain energy
    delay: float  # τ = γ/k (t_c), the mean over normal and tangential weighted by strain energy


def modes(case):
    """The slowest first."""
    k_n, gamma_n, k_t, gamma_t = case.coefficients()
    t_c = contact_duration()
    coordinates = [q for q in READINGS[case.reading] if q[1] or k_t > 0]
    movement = np.array([[n, t] for _, n, t in coordinates]).T / np.sqrt([m for m, _, _ in coordinates])

    def matrix(normal, tangential):
        return movement.T @ np.diag([normal, tangential]) @ movement

    # A trace of the damping at a small step: of vibrations with equal frequency (free, k_t = k_n) those come out that
    # decay by themselves.
    trace = 1e-6 * k_n / (gamma_n + gamma_t)
    squares, shapes = np.linalg.eigh(matrix(k_n, k_t) + trace * matrix(gamma_n, gamma_t + 0.5e-4 * k_t * t_c))
    found = []
    for square, (n, t) in zip(squares, (movement @ shapes).T ** 2):
        strain, loss = k_n * n + k_t * t, gamma_n * n + gamma_t * t
        if square > 1e-12 * max(squares) and loss > 0:  # else a movement without a spring
            found.append(Mode(1 / loss / t_c, k_t * t / strain, loss / strain / t_c))
    return sorted(found, reverse=True)


def predicted_threshold(found, tolerance):
    """2·tol·τ/f_t of the mode that is slowest for Δt → 0."""
    first = found[0]
    return math.inf if first.share < 1e-9 else 2 * tolerance * first.delay / first.share


def predicted_threshold_of_all(found, tolerance):
    """The same without the first order in tol, and with every mode: where a second one decays hardly faster, it is the
    slowest before the first has left the limit by the tolerance."""
    largest = 0.0
    for mode in found:
        excess = mode.time / (found[0].time * (1 - tolerance)) - 1
        if excess <= 0:
            break
        if mode.share < 1e-9:
            return math.inf
        largest = max(largest, 2 * mode.delay / mode.share * excess)
    return largest
