"""Spheres under pressure with Hertz contacts or linear springs, and the shear stiffness of random packings of them by
probes. Unit: shear modulus of the spheres, and their diameter."""

import math

import numpy as np

import dem

LAWS = ("jaeger", "linear")
NU = 0.25
KAPPA, MODULUS = (2 - NU) / (2 * (1 - NU)), 8 / (3 * (1 - NU))
FRICTION, RADIUS, HALF_WIDTH = 0.3, 0.5, 0.1  # of the random packing
STRAIN = 2e-3  # shear strain of a probe over (p/G)^(2/3), the order of overlap over diameter


def hertz_stiffness(z):
    """K_n of a contact of diameter 1 at half the overlap z: dF/dδ."""
    return 0.75 * MODULUS * math.sqrt(RADIUS * z)


def stiffness_at(pressure):
    """K_n of a mean Hertz contact: p = z φ F/(π d²), z = 6, φ = 0.63."""
    force = math.pi * pressure / (0.63 * 6)
    return hertz_stiffness((force / (MODULUS * math.sqrt(RADIUS))) ** (2 / 3))


LINEAR = stiffness_at(1e-5)  # k_n of law linear


def contact(law, stiffness):
    """Keys of the material."""
    if law == "linear":
        return {"normal_stiffness": stiffness, "tangential_stiffness": stiffness / KAPPA}
    return {"shear_modulus": 1.0, "poisson_ratio": NU}


def stress_of(run):
    with run.look() as now:
        return np.array([[now.series[f"stress_{a}{b}"] for b in "xyz"] for a in "xyz"])


def still(duration):
    return {"rate_xx": 0.0, "rate_yy": 0.0, "rate_zz": 0.0, "duration": duration}


def packing(law, seed, spheres, pressures):
    """The time step, and tables of a case: radii 0.4 to 0.6, density 1, shear modulus 1. It is compressed to the first
    pressure without friction, which makes it dense. Then it has friction 0.3, and for each pressure a stage that ends
    when forces balance, and a rest."""
    stiffest = LINEAR if law == "linear" else stiffness_at(pressures[-1])
    step = 0.2 * math.sqrt(4 * math.pi / 3 * (RADIUS - HALF_WIDTH) ** 3 / stiffest)

    def pressed(pressure, damping, friction, unbalanced, steps):
        return {"stress_xx": -pressure, "stress_yy": -pressure, "stress_zz": -pressure,
                "largest_rate": 3e-5 / step, "mass_damping": damping / step, "friction": friction,
                "unbalanced": unbalanced, "duration": steps * step}

    rate = -1e-4 / step
    stages = [{"rate_xx": rate, "rate_yy": rate, "rate_zz": rate, "duration": 1e5 * step, "void_ratio": 0.75,
               "mass_damping": 0.003 / step, "friction": 0.0}, pressed(pressures[0], 0.003, 0.0, 1e-2, 25000)]
    for pressure in pressures:
        stages += [pressed(pressure, 0.02, FRICTION, 1e-4, 20000), still(20 * step)]
    material = {"density": 1.0, "friction": FRICTION, "normal_damping": 0.0, "tangential_damping": 0.0,
                "mass_damping": 0.05 / step} | contact(law, LINEAR)
    return step, {
        "title": f"{spheres} spheres, law {law}", "dimension": 3, "cell": {"periodic": ["x", "y", "z"]},
        "assembly": {"generator": "random", "shape": "sphere", "count": spheres, "radius": RADIUS, "spread": HALF_WIDTH,
                     "void_ratio": 1.2, "seed": seed},
        "material": material, "contact": {"law": law}, "output": {"ledger": False},
        "time": {"integrator": "velocity-verlet", "step": step, "override_limit": True}, "stage": stages}


def state(folder, law, seed, spheres, pressures, k):
    """Presses a packing to pressure k, from the start, and probes it: values of the state by name."""
    step, tables = packing(law, seed, spheres, pressures)
    place = f"{folder}/{law}-{seed}-{k}"
    path = [*tables["stage"][:2 * k + 3], still(step)]
    run = dem.Run(dem.Case(tables | {"stage": path}), place, threads=1, overwrite=True)
    run()
    with run.look() as now:
        c, series = now.contacts, now.series
        found = {"pressure": series["mean_pressure"], "coordination": series["backbone_coordination_pairs"],
                 "unbalanced": series["mean_unbalanced_force"], "slipping": series["fraction_at_limit"],
                 "stiffness": float(c.normal_stiffness.mean()), "overlap": float(c.overlap.mean())}

    def probe(gamma, plane):
        """(σ_xx − σ_yy)/2 and (σ_yy − σ_zz)/2 after a strain of one of them at constant volume, and a rest."""
        rates = {f"rate_{a}{a}": sign * 0.5 * gamma / (50 * step) for a, sign in zip("xyz"[plane:], (1, -1))}
        stages = [still(19 * step), still(50 * step) | rates, still(1500 * step)]
        after = dem.Run(dem.Case(tables | {"start_from": place, "stage": stages}), threads=1)
        after()
        return -0.5 * np.diff(stress_of(after).diagonal())

    gamma = STRAIN * pressures[k] ** (2 / 3)
    none, full, half = (probe(g, 0) for g in (0.0, gamma, 0.5 * gamma))
    first, second = (full - none)[0] / gamma, (probe(gamma, 1) - none)[1] / gamma
    return found | {"shear": 0.5 * (first + second), "spread": 0.5 * abs(first - second),
                    "half_strain": 2 * (half - none)[0] / gamma / first}
