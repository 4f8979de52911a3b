"""Two polygons, one pushed against the other (polygon-dem reference, §7, and the energy loop of §6): the literal recipe
of the elongation, work on a closed loop."""

import math

from driven_pair import loop_work
from polygon_pairs import pair_ends

SETTLED = 1e-12  # of the energy: final states are compared to 1e-5


def literal_recipe(run, exact):
    """The prose of the paper taken by its word: ξ is the displacement of the overlap's centroid."""
    keys = {"contact.geometric_form": "centroid-displacement"}
    ends = pair_ends(run, "literal", [(pair, 0.03, 0, keys, SETTLED) for pair in range(3)])
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


def study(run):
    exact = pair_ends(run, "table", [(pair, 0.03, 0, {}, SETTLED) for pair in range(3)])
    potential, exchanged = loop_work("area-potential", 20000 if run.quick else 200000)
    published, exchanged_published = loop_work("area-over-length", 20000 if run.quick else 200000)
    return {
        "literal": literal_recipe(run, exact), "potential": [potential, exchanged],
        "published": [published, 100 * abs(published) / exchanged_published, exchanged_published],
    }
