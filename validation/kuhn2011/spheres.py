"""Packings of spheres that studies start from, their contacts and stiffness, and the laws that they compare.

A packing is made without friction, so that its contacts carry normal forces only. As a list of places and radii it is
in equilibrium for every law that is Hertz's along the normal, and each law starts from it without any history."""

import math

import numpy as np

import dem

# G and ν are those of quartz in Kuhn's papers on sands, f is that of the paper.
SHEAR_MODULUS, POISSON_RATIO, FRICTION = 29e9, 0.15, 0.5
PRESSURE = 1e5  # Pa: p/G = 3.4e-6
RADIUS = 1e-4  # m, mean; radii spread evenly by ± 20 %
STEP = 5e-8  # s; studies measure its margin
STRAIN_A_STEP = 1e-6  # of biaxial compression, as in the paper

EXACT, BOUNDED, USUAL = "jaeger", "jaeger, error within 0.01", "hertz-mindlin, single reversal"
TENTH, FIFTH, NONE = "jaeger, merged 0.10 f", "jaeger, merged 0.20 f", "hertz-mindlin, no memory"
LAWS = {  # keys of [contact]
    EXACT: {"law": "jaeger"},
    TENTH: {"law": "jaeger", "merge_slope": 0.10 * FRICTION},
    FIFTH: {"law": "jaeger", "merge_slope": 0.20 * FRICTION},
    BOUNDED: {"law": "jaeger", "merge_error": 0.01},
    USUAL: {"law": "hertz-mindlin", "memory": "single-reversal"},
    "hertz-mindlin, turning points": {"law": "hertz-mindlin", "memory": "turning-points"},
    NONE: {"law": "hertz-mindlin", "memory": "none"},
}


def stone(restitution):
    """Tables of a case without bodies and stages. The limit of the time step before a run supposes overlaps of 1 %, a
    hundred times those of a stone."""
    return {"dimension": 3, "cell": {"periodic": ["x", "y", "z"]}, "contact": {"law": "jaeger"},
            "material": {"density": 2650.0, "shear_modulus": SHEAR_MODULUS, "poisson_ratio": POISSON_RATIO,
                         "friction": FRICTION, "restitution": restitution},
            "time": {"integrator": "velocity-verlet", "step": STEP, "override_limit": True}}


def packing_case(count, seed):
    """Spheres of the generator, without friction: pushed together, compressed to the confining pressure, relaxed."""
    held = {"stress_xx": -PRESSURE, "stress_yy": -PRESSURE, "stress_zz": -PRESSURE, "friction": 0.0}
    rate = -5e-5 / STEP
    stages = [{"name": "compact", "rate_xx": rate, "rate_yy": rate, "rate_zz": rate, "friction": 0.0,
               "void_ratio": 0.7},
              held | {"name": "confine", "largest_rate": 1e-5 / STEP, "unbalanced": 1e-2, "duration": 40000 * STEP},
              # Without friction only dashpots of the normals take energy. Movement along the contacts needs another.
              held | {"name": "relax", "mass_damping": 0.01 / STEP, "unbalanced": 5e-4, "duration": 15000 * STEP}]
    return dem.Case(stone(0.6) | {
        "title": f"{count} spheres, compressed without friction", "output": {"ledger": False},
        "assembly": {"generator": "random", "shape": "sphere", "count": count, "radius": RADIUS, "spread": 0.2 * RADIUS,
                     "void_ratio": 1.2, "seed": seed}, "stage": stages})


def make_packing(count, seed):
    """Edges of the cell, radii, positions, and void ratio."""
    run = dem.Run(packing_case(count, seed), threads=1)
    run()
    with run.look() as now:
        return [now.cell_vectors.diagonal().tolist(), now.bodies.radius.tolist(), now.bodies.position.tolist(),
                now.series["void_ratio"]]


def tables_of(packing, restitution=0.8):
    """Tables of a case without stages: the packing at rest. At a restitution of 0.6 the dashpots halve the largest time
    step."""
    cell, radii, positions, _ = packing
    return stone(restitution) | {"cell": {"periodic": ["x", "y", "z"], "size": cell},
                                 "body": dem.spheres(positions, radii), "output": {"ledger": True}}


def contacts_of(packing):
    """Overlaps (m) and normal forces (N) of a packing at rest."""
    run = dem.Run(dem.Case(tables_of(packing) | {"stage": [{"duration": STEP}]}), threads=1)
    with run.look() as now:
        return now.contacts.overlap.copy(), now.contacts.normal_force.copy()


def springs(packing):
    """Of law linear: the normal stiffness that carries the pressure of the packing, and the tangential one without slip
    (N/m)."""
    overlap, force = contacts_of(packing)
    normal = float(force.sum() / overlap.sum())
    return {"normal_stiffness": normal, "tangential_stiffness": normal * 2 * (1 - POISSON_RATIO) / (2 - POISSON_RATIO)}


def walton_modulus(packing):
    """Shear modulus of Walton's effective medium of perfectly rough equal spheres (J. Mech. Phys. Solids 35 (1987)
    213), in which all spheres move as the mean does, and contacts a sphere."""
    contacts = 2 * len(contacts_of(packing)[0]) / len(packing[1])
    lame = 2 * SHEAR_MODULUS * POISSON_RATIO / (1 - 2 * POISSON_RATIO)
    a, b = ((1 / SHEAR_MODULUS + sign / (SHEAR_MODULUS + lame)) / (4 * math.pi) for sign in (-1, 1))
    solid = 1 / (1 + packing[3])
    bulk = np.cbrt(3 * solid**2 * contacts**2 * PRESSURE / (math.pi**4 * b**2)) / 6
    return 0.6 * bulk * (5 * b + a) / (2 * b + a), contacts
