"""Bodies of a case from arrays: discs, polygons, spheres and clusters."""

from __future__ import annotations

from typing import Any, Sequence

from numpy.typing import ArrayLike

from .checks import table

__all__ = ["clusters", "discs", "polygons", "spheres"]


def discs(position: ArrayLike, radius: ArrayLike, **more: Any) -> list[dict[str, Any]]:
    """Returns discs for the `body` list of a plane case.

    Parameters
    ----------
    position : (n, 2) array
        Centres (m).
    radius : float or (n,) array
        m.
    **more
        Other keys of a body (`dem.help("body")`): one value for all, or a list or array with one entry for each body.

    Raises
    ------
    ValueError
        An array has another shape, or a number that is not finite.

    Examples
    --------
    >>> case = dem.Case({**base, "body": dem.discs([[0, 0], [1, 0]], 0.5, velocity=[[0, 0], [-1, 0]])})
    """
    return _bodies("disc", position, 2, {"radius": radius, **more})


def spheres(position: ArrayLike, radius: ArrayLike, **more: Any) -> list[dict[str, Any]]:
    """Returns spheres for the `body` list of a case in space: `position` (n, 3), `radius` (n,) or one (m).

    `more` and errors are those of `discs`."""
    return _bodies("sphere", position, 3, {"radius": radius, **more})


def polygons(outlines: Sequence[ArrayLike], **more: Any) -> list[dict[str, Any]]:
    """Returns polygons for the `body` list of a plane case.

    Parameters
    ----------
    outlines : list of (k, 2) arrays
        Vertices in order, in their place (m). Each polygon may have its own number of vertices.
    **more
        Other keys of a body, as for `discs`.

    Raises
    ------
    ValueError
        An array has another shape, or a number that is not finite.
    """
    listed = enumerate(_listed("outlines", outlines))
    bodies = [{"shape": "polygon", "vertices": _points(o, 2, f"outlines[{k}]")} for k, o in listed]
    return _with(bodies, more)


def clusters(position: ArrayLike, spheres: Sequence[ArrayLike], **more: Any) -> list[dict[str, Any]]:
    """Returns sphere clusters for the `body` list of a case in space.

    Parameters
    ----------
    position : (n, 3) array
        Places of the clusters (m).
    spheres : list of (k, 4) arrays
        For each cluster the x, y, z and radius of its spheres (m).
    **more
        Other keys of a body, as for `discs`.

    Raises
    ------
    ValueError
        An array has another shape, or a number that is not finite, or there is not one list for each position.
    """
    bodies = _bodies("cluster", position, 3, {})
    spheres = _listed("spheres", spheres)
    if len(spheres) != len(bodies):
        raise ValueError(f"spheres: found {len(spheres)} lists, allowed one for each of the {len(bodies)} positions")
    for k, body in enumerate(bodies):
        body["spheres"] = _points(spheres[k], 4, f"spheres[{k}]")
    return _with(bodies, more)


def _listed(place: str, arrays: Sequence[ArrayLike]) -> list[ArrayLike]:
    try:
        return list(arrays)
    except TypeError:
        raise ValueError(f"{place}: found {arrays!r}, allowed a list of arrays") from None


def _points(points: ArrayLike, size: int, name: str) -> list[list[float]]:
    rows: list[list[float]] = table(name, points, size).tolist()
    return rows


def _bodies(shape: str, position: ArrayLike, size: int, more: dict[str, Any]) -> list[dict[str, Any]]:
    return _with([{"shape": shape, "position": p} for p in _points(position, size, "position")], more)


# Keys whose value for one body is a list.
_lists = {"position", "velocity", "angular_velocity", "orientation", "force", "couple", "fixed"}


def _with(bodies: list[dict[str, Any]], more: dict[str, Any]) -> list[dict[str, Any]]:
    for key, given in more.items():
        plain = given.tolist() if hasattr(given, "tolist") else given
        is_list = isinstance(plain, (list, tuple)) and not (
            key in _lists and not any(isinstance(part, (list, tuple)) for part in plain)
        )
        if is_list and len(plain) != len(bodies):
            raise ValueError(f"{key}: found {len(plain)} entries, allowed one, or one for each of {len(bodies)} bodies")
        for k, body in enumerate(bodies):
            body[key] = plain[k] if is_list else plain
    return bodies
