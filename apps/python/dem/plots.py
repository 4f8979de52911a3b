"""Drawing functions of results and of live looks. They take plain arrays and draw with matplotlib.

matplotlib is imported when the first picture is drawn. Each function returns the axes, so that more can be drawn.
"""
from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dem.result_files import FloatArray, MissingModule

# Okabe and Ito: distinct for colour-blind readers too.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
INK, PLATE, NO_VALUE = "#20242a", "#707882", "#c8c8c8"  #: outlines, bodies of plates, bodies without a value
WIDEST = 6.0  #: width of the line of the force `force_scale`, in points


@dataclass(frozen=True)
class Colour:
    """Values that colour the bodies, shape (n,). NaN is drawn grey."""

    values: npt.ArrayLike
    label: str = ""
    diverging: bool = False  #: colours on both sides of zero, with a symmetric range


@dataclass(frozen=True)
class Cell:
    """A periodic cell."""

    origin: npt.ArrayLike  #: lower left corner (m), shape (2,) or (3,)
    vectors: npt.ArrayLike  #: vectors a, b, c (m), one in each row, shape (3, 3)
    periodic: npt.ArrayLike  #: along a, b, c, shape (3,)


@dataclass(frozen=True)
class Forces:
    """Forces of m contacts, drawn as lines from centre to centre through the contact point."""

    start: npt.ArrayLike  #: centres of bodies i (m), shape (m, 3)
    point: npt.ArrayLike  #: contact points (m), shape (m, 3)
    end: npt.ArrayLike  #: centres of the images of bodies j (m), shape (m, 3)
    normal_force: npt.ArrayLike  #: compression positive (N), shape (m,)


def matplotlib_module(name: str) -> Any:
    """Import a module of matplotlib by its name, or raise `MissingModule`."""
    import importlib
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingModule("a picture", f"the Python module {name} cannot be imported", "matplotlib",
                            "install matplotlib (Debian: python3-matplotlib)") from error


def axes_of(ax: Any = None) -> Any:
    """Return the axes, or new ones of a figure of their own."""
    return matplotlib_module("matplotlib.pyplot").subplots(layout="constrained")[1] if ax is None else ax


def axis_label(name: str, unit: str = "") -> str:
    """Make the label of an axis: ``"wall_normal_top"``, ``"N/m"`` → ``"wall normal top (N/m)"``."""
    words = name.replace("_", " ")
    return words if unit in ("", "1") else f"{words} ({unit})"


def cut(values: npt.ArrayLike, gaps: Sequence[int]) -> FloatArray:
    """Insert NaN before each row of `gaps`, so that no line joins rows with lost rows between them."""
    return np.asarray(np.insert(np.asarray(values, dtype=np.float64), list(gaps), np.nan))


def draw_series(x: npt.ArrayLike, y: npt.ArrayLike, x_label: str = "", y_label: str = "", ax: Any = None,
                gaps: Sequence[int] = (), **style: Any) -> Any:
    """Draw one line over another quantity.

    Parameters
    ----------
    x, y : array_like
        Values, shape (rows,).
    x_label, y_label : str
        Labels of the axes, with units (see `axis_label`).
    ax : matplotlib.axes.Axes, optional
        By default a new figure is made.
    gaps : sequence of int
        Rows before which rows are lost.
    **style
        Passed to ``Axes.plot``.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = axes_of(ax)
    finite = np.isfinite(np.asarray(x, dtype=np.float64)) & np.isfinite(np.asarray(y, dtype=np.float64))
    if np.count_nonzero(finite) == 1:
        style.setdefault("marker", "o")  # a line of one point is invisible
    if not ax.lines:
        ax.set_prop_cycle(color=COLOURS)
    style.setdefault("linewidth", 1.3)
    ax.plot(cut(x, gaps), cut(y, gaps), **style)
    if x_label:
        ax.set_xlabel(x_label)
    if y_label:
        ax.set_ylabel(y_label)
    ax.grid(True, alpha=0.25)
    return ax


def images_in_cell(centre: npt.ArrayLike, reach: npt.ArrayLike,
                   cell: Cell | None) -> tuple[npt.NDArray[np.int64], FloatArray]:
    """Find the periodic images that are drawn: each body inside the cell, and across its boundary on both sides.

    Parameters
    ----------
    centre : array_like
        Centres (m), shape (n, 3), not wrapped.
    reach : array_like
        Radius of a circle about the centre that contains the body (m), shape (n,).
    cell : Cell or None
        None where no direction is periodic.

    Returns
    -------
    index : numpy.ndarray
        Body of each image, shape (m,).
    shift : numpy.ndarray
        Vector to add to the place of the body (m), shape (m, 3).
    """
    at = np.asarray(centre, dtype=np.float64).reshape(-1, 3)
    periodic = np.zeros(3, dtype=bool) if cell is None else np.asarray(cell.periodic, dtype=bool)
    if cell is None or not periodic.any():
        return np.arange(len(at)), np.zeros_like(at)
    vectors = np.asarray(cell.vectors, dtype=np.float64)
    origin = np.zeros(3)
    origin[:np.size(cell.origin)] = cell.origin
    inverse = np.linalg.inv(vectors)
    place = (at - origin) @ inverse  # in cell vectors
    home = np.where(periodic, -np.floor(place), 0.0)
    margin = np.asarray(reach, dtype=np.float64)[:, None] * np.linalg.norm(inverse, axis=0)
    indices, shifts = [], []
    for step in itertools.product(*((-1, 0, 1) if p else (0,) for p in periodic)):
        image = place + home + np.array(step)
        seen = np.all(~periodic | ((image >= -margin) & (image < 1 + margin)), axis=1)
        if not any(step):
            seen[:] = True
        indices.append(np.flatnonzero(seen))
        shifts.append((home + np.array(step))[seen] @ vectors)
    return np.concatenate(indices), np.concatenate(shifts)


def _colour_scale(colour: Colour | None, colour_map: str | None, colour_range: tuple[float, float] | None) -> Any:
    """Make the matplotlib object that turns values into colours."""
    pyplot, colours = matplotlib_module("matplotlib.pyplot"), matplotlib_module("matplotlib.colors")
    values = np.asarray([] if colour is None else colour.values, dtype=np.float64)
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
    diverging = colour is not None and colour.diverging
    if diverging:
        low, high = -max(abs(low), abs(high)), max(abs(low), abs(high))
    if high <= low:  # a constant, or nothing
        half = abs(low) / 2 or 1.0
        low, high = low - half, low + half
    low, high = colour_range or (low, high)
    chosen = pyplot.get_cmap(colour_map or ("coolwarm" if diverging else "viridis")).copy()
    chosen.set_bad(NO_VALUE)
    return matplotlib_module("matplotlib.cm").ScalarMappable(colours.Normalize(low, high), chosen)


def draw_forces(forces: Forces, ax: Any = None, cell: Cell | None = None, force_scale: float | None = None,
                plane: tuple[int, int] = (0, 1)) -> Any:
    """Draw contact forces as lines whose width is proportional to the normal force. Compression is dark, tension red.

    Parameters
    ----------
    forces : Forces
        The contacts.
    ax : matplotlib.axes.Axes, optional
        By default a new figure is made.
    cell : Cell, optional
        The periodic cell.
    force_scale : float, optional
        Force of the widest line (N). By default it is the largest force.
    plane : tuple of int
        Coordinates along the axes of the picture.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = axes_of(ax)
    lines = np.stack([np.asarray(p, dtype=np.float64).reshape(-1, 3) for p in (forces.start, forces.point, forces.end)],
                     axis=1)
    size = np.asarray(forces.normal_force, dtype=np.float64)
    scale = force_scale or (float(np.abs(size).max()) if size.size else 0.0)
    if not scale > 0:
        return ax
    index, shift = images_in_cell(lines[:, 1], np.linalg.norm(lines[:, 2] - lines[:, 0], axis=1), cell)
    index, shift = index[size[index] != 0], shift[size[index] != 0]
    collections = matplotlib_module("matplotlib.collections")
    ax.add_collection(collections.LineCollection(
        (lines[index] + shift[:, None, :])[:, :, list(plane)],
        linewidths=np.minimum(WIDEST * np.abs(size[index]) / scale, 2 * WIDEST),
        colors=np.where(size[index] > 0, "#101010", "#c0392b").tolist(), capstyle="round", zorder=3),
        autolim=False)
    return ax


def draw_cell(cell: Cell, ax: Any, plane: tuple[int, int] = (0, 1)) -> None:
    """Draw the boundaries across which the cell is periodic, as dashed lines."""
    vectors, periodic = np.asarray(cell.vectors, dtype=np.float64), np.asarray(cell.periodic, dtype=bool)
    origin = np.zeros(3)
    origin[:np.size(cell.origin)] = cell.origin
    for across, along in (plane, plane[::-1]):
        if periodic[across]:
            for corner in (origin, origin + vectors[across]):
                ends = np.array([corner, corner + vectors[along]])[:, list(plane)]
                ax.plot(*ends.T, color="#888888", linewidth=0.8, linestyle="--", zorder=4)


def draw_assembly(centre: npt.ArrayLike, radius: npt.ArrayLike, outlines: Sequence[npt.ArrayLike] | None = None, *,
                  colour: Colour | None = None, dark: npt.ArrayLike | None = None, cell: Cell | None = None,
                  forces: Forces | None = None, force_scale: float | None = None, dimension: int = 2,
                  colour_map: str | None = None, colour_range: tuple[float, float] | None = None, bar: bool = True,
                  ax: Any = None) -> Any:
    """Draw discs, polygons or spheres, with the forces between them.

    In space the picture shows the spheres seen along +y, x to the right and z upwards, the nearest in front.

    Parameters
    ----------
    centre : array_like
        Centres (m), shape (n, 3).
    radius : array_like
        Radii of discs or spheres (m), shape (n,). A body of radius 0 is drawn by its outline only.
    outlines : sequence of array_like, optional
        Outline of each polygon at its place (m), shape (vertices, 2). Discs have the shape (0, 2).
    colour : Colour, optional
        By default all bodies have one colour.
    dark : array_like of bool, optional
        Bodies drawn dark, as plates are, shape (n,).
    cell : Cell, optional
        The periodic cell.
    forces : Forces, optional
        Contacts to draw.
    force_scale : float, optional
        Force of the widest line (N). By default it is the largest force of the picture.
    dimension : int
        2 in the plane, 3 in space.
    colour_map : str, optional
        Name of a colour map of matplotlib. By default it is viridis, or coolwarm for diverging values.
    colour_range : tuple of float, optional
        Values at the ends of the colour bar. By default they are those of `colour`.
    bar : bool
        Whether to draw the colour bar.
    ax : matplotlib.axes.Axes, optional
        By default a new figure is made.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = axes_of(ax)
    collections = matplotlib_module("matplotlib.collections")
    at = np.asarray(centre, dtype=np.float64).reshape(-1, 3)
    size = np.asarray(radius, dtype=np.float64)
    plane = (0, 2) if dimension == 3 else (0, 1)
    shapes = [np.zeros((0, 2))] * len(at) if outlines is None else [np.asarray(o, dtype=np.float64) for o in outlines]
    is_polygon = np.array([len(o) > 0 for o in shapes], dtype=bool)
    reach = np.array([np.linalg.norm(o - c[:2], axis=1).max() if len(o) else r for o, c, r in zip(shapes, at, size)])
    is_drawn = is_polygon | (size > 0)
    index, shift = images_in_cell(at, reach, cell)
    index, shift = index[is_drawn[index]], shift[is_drawn[index]]
    if dimension == 3:  # the farthest first
        order = np.argsort(-(at[index, 1] + shift[:, 1]), kind="stable")
        index, shift = index[order], shift[order]
    scale = _colour_scale(colour, colour_map, colour_range)
    values = np.full(len(at), np.nan) if colour is None else np.asarray(colour.values, dtype=np.float64)
    faces = scale.to_rgba(values)
    if dark is not None:
        faces[np.asarray(dark, dtype=bool)] = matplotlib_module("matplotlib.colors").to_rgba(PLATE)
    place = (at[index] + shift)[:, list(plane)]
    polygons, discs = is_polygon[index], ~is_polygon[index]
    edge: dict[str, Any] = {"edgecolors": INK, "linewidths": 0.4, "zorder": 2}
    if polygons.any():
        ax.add_collection(collections.PolyCollection(
            [shapes[k] + s[:2] for k, s in zip(index[polygons], shift[polygons])], facecolors=faces[index[polygons]],
            **edge), autolim=False)
    if discs.any():
        width = 2 * size[index[discs]]
        ax.add_collection(collections.EllipseCollection(
            width, width, np.zeros(len(width)), units="xy", offsets=place[discs], transOffset=ax.transData,
            facecolors=faces[index[discs]], **edge), autolim=False)
    if forces is not None:
        draw_forces(forces, ax, cell, force_scale, plane)
    if cell is not None:
        draw_cell(cell, ax, plane)
    if len(index):
        low, high = (place - reach[index, None]).min(axis=0), (place + reach[index, None]).max(axis=0)
        margin = 0.02 * float((high - low).max())
        ax.set_xlim(low[0] - margin, high[0] + margin)
        ax.set_ylim(low[1] - margin, high[1] + margin)
    ax.set_aspect("equal")
    ax.set_xlabel("x (m)")
    ax.set_ylabel("z (m)" if dimension == 3 else "y (m)")
    if bar and colour is not None:
        ax.figure.colorbar(scale, ax=ax, label=colour.label, shrink=0.8)
    return ax


def draw_half_planes(point: npt.ArrayLike, angle: npt.ArrayLike, ax: Any) -> None:
    """Draw walls in the plane as lines through their points (m), with outward normals at these angles (rad)."""
    for (x, y), normal in zip(np.asarray(point, dtype=np.float64).reshape(-1, 3)[:, :2], np.atleast_1d(angle)):
        ax.axline((x, y), (x - np.sin(normal), y + np.cos(normal)), color=PLATE, linewidth=2, zorder=1)
