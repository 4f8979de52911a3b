"""Overlap of two polygons and its contact planes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

import _dem

from .checks import numbers, table

__all__ = ["Component", "Overlap", "PlaneJump", "PlanePath", "PlaneSample", "contact_planes", "overlap", "plane_path"]


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
        it is the chord. Turned clockwise by a right angle it is the derivative of the area by the place of b.
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
    ValueError
        An array has another shape, or a number that is not finite.
    """
    parts = _dem.overlap(table("overlap: polygon_a", polygon_a, 2), table("overlap: polygon_b", polygon_b, 2), exact)
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
    """Returns the definitions of the contact plane: name and sentence, which has the source of published ones."""
    return _dem.contact_planes()


@dataclass(frozen=True)
class PlaneSample:
    """One side of a jump: share of the step done, area of the component (m^2), crossings, centroid in the frame of i
    (m)."""

    at: float
    area: float
    crossings: int
    centroid: tuple[float, float]


@dataclass(frozen=True)
class PlaneJump:
    """A contact plane that turned more than continuous movement explains.

    Attributes
    ----------
    plane : str
        Definition of the plane.
    step : int
        Between samples step and step + 1.
    size : float
        rad.
    merged : bool
        Parts of the overlap merged or split there. So the planes before and after belong to different parts.
    before, after : PlaneSample
        The two sides.
    """

    plane: str
    step: int
    size: float
    merged: bool
    before: PlaneSample
    after: PlaneSample


@dataclass(frozen=True)
class PlanePath:
    """Contact planes along a path. The arrays have a row for each component of each sample.

    Attributes
    ----------
    sample : (n,) array
        Number of the sample.
    area, crossings : (n,) arrays
        Of the component (m^2, 1).
    centroid : (n, 2) array
        In the frame of i (m).
    angles : dict
        Angle of the plane (rad, modulo pi) by each definition; nan where undefined.
    largest_turn : dict
        Largest turn between two samples (rad) by each definition.
    jumps : list of PlaneJump
    """

    sample: NDArray[np.int64]
    area: NDArray[np.float64]
    crossings: NDArray[np.int64]
    centroid: NDArray[np.float64]
    angles: dict[str, NDArray[np.float64]]
    largest_turn: dict[str, float]
    jumps: list[PlaneJump]


def plane_path(
    polygon_i: ArrayLike,
    angle_i: float,
    polygon_j: ArrayLike,
    positions: ArrayLike,
    angles: ArrayLike,
    *,
    least_area: float = 1e-9,
    follow: bool = True,
) -> PlanePath:
    """Follows the contact planes of two polygons while j passes i, which rests at the origin.

    Where a plane turns by more than 0.01 rad between two samples, the movement is bisected 30 times, each time into the
    half with the larger turn. A turn of more than half a degree that is left is a jump. The definitions are those of
    `contact_planes`, "chord-first" (the line through the first two crossings) and "edge-axial-unselected" (the edge
    tensor without the choice of a perpendicular).

    Parameters
    ----------
    polygon_i, polygon_j : (n, 2) arrays
        Vertices in the frames of the bodies, counter-clockwise (m).
    angle_i : float
        Of i (rad).
    positions : (k, 2) array
        Of j at the samples (m).
    angles : (k,) array
        Of j at the samples (rad).
    least_area : float
        Components below it have no plane (m^2).
    follow : bool
        Look for jumps.

    Raises
    ------
    GeometryError
        A polygon is not simple.
    ValueError
        An array has another shape, or a number that is not finite. The vertices of a polygon are clockwise.
    """
    names = _dem.plane_path_names()
    i, j = _counter_clockwise("polygon_i", polygon_i), _counter_clockwise("polygon_j", polygon_j)
    at, turned = table("plane_path: positions", positions, 2), numbers("plane_path: angles", angles)
    for name, value in (("angle_i", angle_i), ("least_area", least_area)):
        numbers(f"plane_path: {name}", value)
    if turned.shape != at.shape[:1]:
        raise ValueError(f"plane_path: angles: found an array of shape {turned.shape}, allowed {at.shape[:1]}")
    rows, turns, found = _dem.plane_path(i, angle_i, j, at, turned, least_area, follow)
    return PlanePath(
        rows[:, 0].astype(int),
        rows[:, 1],
        rows[:, 2].astype(int),
        rows[:, 3:5],
        {name: rows[:, 5 + k] for k, name in enumerate(names)},
        dict(zip(names, turns)),
        [
            PlaneJump(names[p], step, size, merged, PlaneSample(*before), PlaneSample(*after))
            for p, step, size, merged, before, after in found
        ],
    )


def _counter_clockwise(name: str, polygon: ArrayLike) -> NDArray[np.float64]:
    vertices = table(f"plane_path: {name}", polygon, 2)
    x, y = vertices.T
    if x @ np.roll(y, -1) < y @ np.roll(x, -1):
        raise ValueError(f"plane_path: {name}: found clockwise vertices, allowed counter-clockwise; give {name}[::-1]")
    return vertices
