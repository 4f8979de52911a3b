"""Two polygons, one pushed against the other (polygon-dem reference, §7, and the energy loop of §6): the literal recipe
of the elongation, work on a closed loop."""

import math

import numpy as np

from polygon_pairs import cases, driven, pair_ends

SETTLED = 1e-12  # of the energy: final states are compared to 1e-5


def literal_recipe(run):
    """The prose of the paper taken by its word: ξ is the displacement of the overlap's centroid."""
    keys = {"contact.geometric_form": "centroid-displacement"}
    ends, exact = (pair_ends(run, name, [(pair, 0.03, 0, changes, SETTLED) for pair in range(3)])
                   for name, changes in (("literal", keys), ("table", {})))
    kept = [(e, x) for e, x in zip(ends, exact) if not e.lost]
    moved = [math.hypot(e.x - x.x, e.y - x.y) for e, x in kept]
    note = f"Taken by its word the recipe holds {len(kept)} of the three pairs"
    if kept:
        same = max(abs(e.time / x.time - 1) for e, x in kept)
        note += (f"; there t_R is that of (P) within {100 * same:.2g} %, but the place of rest differs by "
                 f"{max(moved):.1e} m: t_R does not reveal the error")
    return {"text": "; ".join("leaves its place and the contact is lost" if e.lost else
                              f"t_R = {e.time:.2f} t_c, at ({e.x:.5f}, {e.y:.5f}) m" for e in ends),
            "kept": len(kept), "holds": len(kept) == 3 and max(moved) <= 1e-4,
            "note": note + ". The paper must mean the migration of the contact point over the bodies, (P)."}


def loop_work(law, steps):
    """∮ F·dx + ∮ τ dθ over the closed path of the energy loop by the mid-point rule (J), and the sum of absolute
    works. The contact has no friction and no damping."""
    shapes = cases()["loop"]

    def pose(k):
        s = 2 * math.pi / steps * k
        return np.column_stack([shapes["start"][0] + 0.04 * np.cos(s), shapes["start"][1] + 0.03 * np.sin(s),
                                0.3 + 0.1 * np.sin(s + 1)])

    middles = pose(np.arange(0.5, steps))
    poses = np.hstack([np.zeros_like(middles), middles])
    contact = driven(shapes, poses, np.zeros_like(poses), {"normal_force": law}, friction=0.0)
    loads = np.column_stack([contact.force, contact.torque[:, 1]])
    works = (loads * np.diff(pose(np.arange(steps + 1.0)), axis=0)).sum(axis=1)
    return float(works.sum()), float(abs(works).sum())


def study(run):
    steps = 20000 if run.quick else 200000
    potential, exchanged = loop_work("area-potential", steps)
    published, exchanged_published = loop_work("area-over-length", steps)
    return {
        "literal": literal_recipe(run), "potential": [potential, exchanged],
        "published": [published, 100 * abs(published) / exchanged_published, exchanged_published],
    }
