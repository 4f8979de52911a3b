"""Packings for studies of several papers."""

import math

import dem


def face_centred_cubic(cubic, spacing):
    """Tables of a case: spheres of diameter and mass 1, whose neighbours are `spacing` apart, in a periodic cell.

    They have no contact law, friction or time step. `cubic`: 3 × 3 × 3 cubes of four spheres; else 4 × 4 × 3 cells of
    two with x and y along [110]."""
    cube = math.sqrt(2) * spacing
    counts, unit = ((3, 3, 3), (cube,) * 3) if cubic else ((4, 4, 3), (spacing, spacing, cube))
    basis = [(0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5)] if cubic else [(0, 0, 0), (0.5, 0.5, 0.5)]
    places = [[(n + b + 0.25) * u for n, b, u in zip((i, j, k), base, unit)] for i in range(counts[0])
              for j in range(counts[1]) for k in range(counts[2]) for base in basis]
    return {"dimension": 3, "cell": {"size": [n * u for n, u in zip(counts, unit)], "periodic": ["x", "y", "z"]},
            "material": {"density": 6 / math.pi}, "body": dem.spheres(places, 0.5)}
