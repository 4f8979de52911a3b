"""What one packing says about the admissible time step: theory from its normal modes beside runs of it. Times are in
t_c, rates in 1/t_c."""

import math
from functools import cache

import numpy as np

import dem
from driver.mt64 import uniform
from packed import T_C, make_packing

VELOCITY_STEPS = (1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2)  # Δt/t_c at which decays are run
GEOMETRIC_STEPS = (2e-2, 5e-2, 1e-1)
PERIODS = 12  # of a decay: 24 maxima
SMALL = 1e-2  # displacements over the depth of the lightest contact
GROWTH_STEPS, START_STEPS = 2000, 50  # in the first ones kinetic and stored energy are shared out


def moving(packing, velocity):
    """The case with the velocities (x, y, spin) of its bodies. What is stable is the question here, so that no limit is
    checked."""
    bodies = [body | {"velocity": v[:2], "spin": v[2]} for body, v in zip(packing.tables["body"], velocity.tolist())]
    return dem.Case(packing.tables | {"body": bodies, "time": {"step": T_C, "override_limit": True}})


def run_of(case, elongation, step, duration):
    """A run at a time step in t_c. The duration is in s."""
    dt = step * T_C
    return dem.Run(case.changed({"contact.elongation": elongation, "contact.velocity_source": "predicted",
                                 "time.step": dt, "time.limit_check_interval": 1e9 * dt,
                                 "stage[1].duration": math.ceil(duration / dt) * dt}))


def contact_count(run):
    with run.look() as now:
        return len(now.contacts)


def decay(run, high, low):
    """The fit to the maxima of the kinetic energy between these shares, and whether no contact was gained or lost."""
    before = contact_count(run)
    fit = run.relaxation(high=high, low=low, end_at=low, growth=math.inf)
    return fit, contact_count(run) == before


def grows(case, elongation, step):
    """Does the motion grow: tenfold kinetic energy, other contacts, or more energy in the last quarter of the steps
    than in the third?"""
    run = run_of(case, elongation, step, 2 * GROWTH_STEPS * step * T_C)
    before, kept = contact_count(run), run.record("kinetic_energy")
    for until in range(250, GROWTH_STEPS + 1, 250):
        if run(until).failure:
            return True
        energy = kept["kinetic_energy"][-until:]  # not of the start
        if energy[START_STEPS:].max() > 10 * energy[:START_STEPS].max():
            return True
    third, last = energy.reshape(4, -1)[2:].sum(axis=1)
    return contact_count(run) != before or not last < third  # contacts open when it has grown long ago


def largest_stable_step(unstable_at, stable, unstable):
    """By bisection to 0.5 %, between two steps that are moved where they are not what they should be."""
    while unstable_at(stable):
        stable, unstable = 0.9 * stable, stable
    while not unstable_at(unstable):
        stable, unstable = unstable, 1.1 * unstable
    while unstable - stable > 0.005 * unstable:
        middle = 0.5 * (stable + unstable)
        stable, unstable = (stable, middle) if unstable_at(middle) else (middle, unstable)
    return 0.5 * (stable + unstable)


def velocity_along(packing, shape, omega, largest):
    """Velocities such that no body is displaced by more than `largest` (m) at this angular frequency."""
    reach = np.array([b.get("radius") or np.hypot(*np.transpose(b["vertices"])).max() for b in packing.tables["body"]])
    size = (np.hypot(shape[:, 0], shape[:, 1]) + reach * abs(shape[:, 2])).max()
    return largest * omega / size * shape


@cache
def step_matrices():
    """One step of Gear's scheme on x″ = −w² ((1 − f) x + f ξ) − 2 ζ w x′, with ξ ← ξ + x′ Δt at the predicted state and
    Δt = 1. Its state is the terms of x and ξ. The step is the first matrix, and others times w² (1 − f), w² f, ζ w."""
    def step(of_place, of_elongation, of_velocity):
        columns = []
        for start in np.eye(7).tolist():
            xi = []

            def force(x, v):
                xi.append(start[6] + v)
                return -of_place * x - of_elongation * xi[0] - 2 * of_velocity * v

            end = dem.gear_steps(start[:6], 1.0, 1, force)
            columns.append([*end, xi[0]])
        return np.transpose(columns)

    still = step(0, 0, 0)
    return still, *(step(*parts) - still for parts in np.eye(3).tolist())


def amplification(zeta, share, w):
    """Largest modulus of the eigenvalues of one step on a mode with the damping ratio ζ, of whose stiffness the share f
    is that of springs fed by velocity, w = ωΔt. One eigenvalue is 1 exactly: ξ − x is kept, a shift of the
    equilibrium."""
    still, place, elongation, velocity = step_matrices()
    a, b, c = (np.asarray(x)[..., None, None] for x in (w**2 * (1 - share), w**2 * share, zeta * w))
    moduli = np.sort(abs(np.linalg.eigvals(still + a * place + b * elongation + c * velocity)))
    neutral = abs(moduli - 1).argmin(axis=-1)
    return np.where(neutral == 6, moduli[..., 5], moduli[..., 6])


def stability_limits(zeta, share):
    """Largest ωΔt of each mode with a modulus below 1. The coupling of modes by the extra damping is left out."""
    low, high = np.full(zeta.shape, 0.01), np.full(zeta.shape, 4.0)
    while (high - low > 1e-5 * high).any():
        middle = 0.5 * (low + high)
        inside = amplification(zeta, share, middle) <= 1
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return low


def limits(packing, modes, elongation):
    """Predicted and measured stability limit. The run begins along the mode that is predicted to grow first, with a
    tenth of random motion for those that nobody predicted."""
    share = modes.tangential_share if elongation == "velocity" else np.zeros_like(modes.omega)
    predicted = stability_limits(modes.damping_ratio, share) / modes.omega / T_C
    first, depth = predicted.argmin(), SMALL * packing.smallest_depth
    draw = uniform(1)
    anything = np.array([[next(draw) - 0.5 for _ in range(3)] for _ in packing.tables["body"]])
    case = moving(packing, velocity_along(packing, modes.shape[first], modes.omega[first], depth)
                  + velocity_along(packing, anything, modes.omega[first], 0.1 * depth))
    at = float(predicted[first])
    return at, largest_stable_step(lambda step: grows(case, elongation, step), 0.97 * at, 1.03 * at)


def decays(packing, omega, shape, smallest_step):
    """Rates of one mode at the steps from the smallest on, NaN at the others, of `geometric` from twice as much on."""
    case = moving(packing, velocity_along(packing, shape, omega, SMALL * packing.smallest_depth))

    def rate(elongation, step):
        fit, same = decay(run_of(case, elongation, step, PERIODS * 2 * math.pi / omega), 2, 0)
        if not (fit.usable and same):
            raise ArithmeticError(f"decay at Δt/t_c = {step:g}: {fit.maxima} maxima, R² = {fit.r_squared:.5f}"
                                  + ("" if same else ", contacts changed"))
        return T_C / fit.time

    return {elongation: [rate(elongation, step) if step >= least else math.nan for step in steps]
            for elongation, steps, least in (("velocity", VELOCITY_STEPS, smallest_step),
                                             ("geometric", GEOMETRIC_STEPS, 2 * smallest_step))}


def measure(shape, particles, seed, smallest_step):
    """Makes the packing, works out its modes and runs it. Without a result there is a `failure`."""
    try:
        packing = make_packing(shape, particles, seed)
        modes = dem.small_motion(packing.tables, min(1e-7, 0.1 * packing.smallest_depth)).modes()
        k = modes.rate.argmin()
        rates = decays(packing, modes.omega[k], modes.shape[k], smallest_step)
        x, y = np.transpose([(x, y) for x, y in zip(VELOCITY_STEPS, rates["velocity"]) if y == y])
        slope, rate = np.polyfit(x, y, 1, w=1 / y)
        return {"particles": particles, "bodies": len(modes.shape[k]), "rates": rates, "fitted": [rate, slope],
                "mode": [modes.rate[k] * T_C, modes.rate_by_step[k] * T_C**2], "share": modes.tangential_share[k],
                "limit": {e: limits(packing, modes, e) for e in rates}}
    except (ArithmeticError, ValueError, dem.RunError) as error:
        return {"failure": f"{particles} {shape}s, seed {seed}: {error}"}
