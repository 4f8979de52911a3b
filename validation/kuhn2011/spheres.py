"""Packings of spheres that studies start from, and the laws that they compare.

A packing is made without friction, so that its contacts carry normal forces only. As a list of places and radii it is
in equilibrium for every law that is Hertz's along the normal, and each law starts from it without any history."""

import dem

# G and ν are those of quartz in Kuhn's papers on sands, f is that of the paper.
SHEAR_MODULUS, POISSON_RATIO, FRICTION = 29e9, 0.15, 0.5
PRESSURE = 1e5  # Pa: p/G = 3.4e-6
RADIUS = 1e-4  # m, mean; radii spread evenly by ± 20 %
STEP = 5e-8  # s; studies measure its margin

EXACT, BOUNDED, USUAL = "jaeger", "jaeger, error within 0.01", "hertz-mindlin, single reversal"
LAWS = {  # keys of [contact]
    EXACT: {"law": "jaeger"},
    "jaeger, merged 0.10 f": {"law": "jaeger", "merge_slope": 0.10 * FRICTION},
    "jaeger, merged 0.20 f": {"law": "jaeger", "merge_slope": 0.20 * FRICTION},
    BOUNDED: {"law": "jaeger", "merge_error": 0.01},
    USUAL: {"law": "hertz-mindlin", "memory": "single-reversal"},
    "hertz-mindlin, turning points": {"law": "hertz-mindlin", "memory": "turning-points"},
    "hertz-mindlin, no memory": {"law": "hertz-mindlin", "memory": "none"},
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
