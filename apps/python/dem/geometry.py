"""Overlap of two polygons and its contact planes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

import _dem

__all__ = ["Component", "Overlap", "contact_planes", "overlap"]


@dataclass(frozen=True)
class Component:
    """One connected part of an overlap.

    Attributes
    ----------
    area : float
        m^2, > 0.
    centroid : (2,) array
        m.
    perimeter : float
        m.
    crossings : int
        Vertices of the boundary where the owner changes: 2 in a simple contact, 0 in containment.
    gradient : (2,) array
        Half the sum of the edges of b minus that of the edges of a, boundary counter-clockwise (m). With two crossings
        it is the chord.
    planes : dict
        Angle of the contact plane (rad, in (-pi/2, pi/2]) by each definition; nan where undefined.
    normals : dict
        Unit normal from a to b, shape (2,), by each definition; zeros where undefined.
    vertices : (k, 2) array
        Boundary, counter-clockwise (m).
    edges : list of str
        Owner of the edge that starts at each vertex: "a", "b" or "both".
    """

    area: float
    centroid: NDArray[np.float64]
    perimeter: float
    crossings: int
    gradient: NDArray[np.float64]
    planes: dict[str, float]
    normals: dict[str, NDArray[np.float64]]
    vertices: NDArray[np.float64]
    edges: list[str]


class Overlap:
    """The components of an overlap, in the order of their centroids (x, y)."""

    def __init__(self, components: list[Component]) -> None:
        self.components = components

    @property
    def area(self) -> float:
        """Sum of the areas (m^2)."""
        return sum(c.area for c in self.components)

    def __len__(self) -> int:
        return len(self.components)

    def __iter__(self) -> Iterator[Component]:
        return iter(self.components)

    def __getitem__(self, number: int) -> Component:
        return self.components[number]

    def __repr__(self) -> str:
        return f"<dem.Overlap: {len(self)} component{'s' * (len(self) != 1)}, area {self.area:.9g} m^2>"


def overlap(polygon_a: ArrayLike, polygon_b: ArrayLike, *, exact: bool = False) -> Overlap:
    """Returns the overlap of two simple polygons in their places.

    Parameters
    ----------
    polygon_a, polygon_b : (n, 2) arrays
        Vertices in order, in any orientation; the first is not repeated (m).
    exact : bool
        Use exact numbers (CGAL) in place of doubles with exact decisions.

    Raises
    ------
    GeometryError
        An outline is not simple; the message names the vertex.
    """
    parts = _dem.overlap(np.asarray(polygon_a, dtype=float), np.asarray(polygon_b, dtype=float), exact)
    return Overlap(
        [
            Component(
                area,
                np.array(centroid),
                perimeter,
                crossings,
                np.array(gradient),
                planes,
                {name: np.array(n) for name, n in normals.items()},
                vertices,
                owners,
            )
            for area, centroid, perimeter, crossings, gradient, planes, normals, vertices, owners in parts
        ]
    )


def contact_planes() -> dict[str, str]:
    """Returns the definitions of the contact plane: name and sentence with its source."""
    return _dem.contact_planes()
