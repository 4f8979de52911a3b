"""Bodies and contacts of a snapshot, as numpy arrays with units."""
from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from dem.result_files import (ByName, FloatArray, ResultsError, UnknownQuantity, description_of, frozen, nearest,
                              pandas_module, texts_of, unit_of)


class Quantities:
    """Arrays, one for each quantity, with a row for each body or contact: attributes, and entries as of a mapping.

    ``bodies.mass`` and ``bodies["mass"]`` are the same array. The arrays are read-only; use ``.copy()`` before
    changing one.

    Attributes
    ----------
    units, descriptions : dict of str
        Unit (``""``: none) and meaning of each quantity, from the file.
    """

    _kind = "quantities"

    def __init__(self, place: str, group: Any) -> None:
        self._place = place
        self._values: dict[str, npt.NDArray[Any]] = {}
        self.units: dict[str, str] = ByName(place)
        self.descriptions: dict[str, str] = ByName(place)
        for name, dataset in group.items():
            texts = dataset.dtype.kind == "O"
            values = np.array(texts_of(dataset[()]), dtype=np.str_) if texts else dataset[()]
            self._values[name] = frozen(values)
            self.units[name], self.descriptions[name] = unit_of(dataset), description_of(dataset)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        try:
            return self._values[name]
        except KeyError:
            raise UnknownQuantity(self._place, f"the {self._kind} have no {name!r}", "one of their quantities",
                                  nearest(name, self._values)) from None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def keys(self) -> list[str]:
        """Names of the quantities."""
        return list(self._values)

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        """Names of the quantities; the length is the number of bodies or contacts."""
        return iter(self._values)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._values})

    def _ipython_key_completions_(self) -> list[str]:
        return self.keys()

    def to_pandas(self) -> Any:
        """Convert to a ``pandas.DataFrame``, one row for each body or contact. Raises `MissingModule`.

        Vectors become columns ``NAME_x``, ``NAME_y``, ``NAME_z``; quaternions ``NAME_w``, ``NAME_x`` and so on.
        """
        data: dict[str, npt.NDArray[Any]] = {}
        units: dict[str, str] = {}
        for name, values in self._values.items():
            if name == "group_names" or len(values) != len(self):  # without a row for each body
                continue
            ends = [""] if values.ndim == 1 else ["_w", "_x", "_y", "_z"][-values.shape[1]:]
            data.update({name + end: v.copy() for end, v in zip(ends, np.atleast_2d(values.T))})
            units.update({name + end: self.units[name] for end in ends})
        frame = pandas_module(self._place).DataFrame(data)
        frame.attrs["units"] = units
        return frame

    def __len__(self) -> int:
        raise NotImplementedError

    def __repr__(self) -> str:
        width = max(map(len, self._values), default=0)
        lines = [f"  {n:{width}}  {str(v.shape):12}  {self.units[n]:6}  {self.descriptions[n]}"
                 for n, v in self._values.items()]
        return "\n".join([f"{len(self)} {self._kind} of {self._place}", *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td><code>{html.escape(n)}</code></td><td>{v.shape}</td><td>{html.escape(self.units[n])}</td>"
            f"<td style='text-align:left'>{html.escape(self.descriptions[n])}</td></tr>"
            for n, v in self._values.items())
        return (f"<table><caption>{len(self)} {self._kind} of {html.escape(self._place)}</caption>"
                f"<tr><th>quantity</th><th>shape</th><th>unit</th><th>meaning</th></tr>{rows}</table>")


class Bodies(Quantities):
    """Bodies of a snapshot, n of them. Body k has row k, and the contacts name it by k.

    All cases have ``position`` (m), ``velocity`` (m/s) and ``force`` (N) of shape (n, 3). They have ``mass`` (kg),
    ``radius`` (m), ``freedom``, ``shape`` and ``group`` of shape (n,). In the plane masses, moments, forces and
    torques are per metre of thickness.

    Bodies in the plane have ``angle`` (rad), ``spin`` (rad/s), ``torque`` (N m) and ``moment`` (kg m2) of shape (n,).

    Bodies in space have ``orientation`` of shape (n, 4), quaternions w, x, y, z. Their ``rotation`` (rad),
    ``angular_velocity`` (rad/s), ``torque`` (N m) and ``principal_moments`` (kg m2) have the shape (n, 3).
    """

    _kind = "bodies"
    position: FloatArray
    velocity: FloatArray
    force: FloatArray
    torque: FloatArray
    mass: FloatArray
    radius: FloatArray
    angle: FloatArray
    spin: FloatArray
    moment: FloatArray
    orientation: FloatArray
    rotation: FloatArray
    angular_velocity: FloatArray
    principal_moments: FloatArray
    id: npt.NDArray[np.uint64]
    freedom: npt.NDArray[np.uint8]
    shape: npt.NDArray[np.uint32]
    group: npt.NDArray[np.uint16]
    group_names: npt.NDArray[np.str_]  #: names of the groups, shape (groups,); ``group`` holds indices into it
    name: npt.NDArray[np.str_]  #: names given in the case, shape (n,), ``""`` where there is none

    def __init__(self, place: str, group: Any, shapes: Any) -> None:
        super().__init__(place, group)
        self._shapes: dict[str, npt.NDArray[Any]] = {name: frozen(dataset[()]) for name, dataset in shapes.items()}

    def __len__(self) -> int:
        return len(self._values["position"])

    @property
    def names(self) -> npt.NDArray[np.str_]:
        """Names given in the case, shape (n,), ``""`` where there is none. It is the same array as ``name``."""
        return self.name

    def index(self, name: str) -> int:
        """Number of the body of this name. Raises `UnknownQuantity`, which is a KeyError."""
        found = np.flatnonzero(self.name == name)
        if not name or not len(found):
            raise UnknownQuantity(self._place, f"no body is named {name!r}", "a name of the case",
                                  nearest(name, sorted(set(map(str, self.name)) - {""})))
        return int(found[0])

    def in_group(self, name: str) -> npt.NDArray[np.bool_]:
        """Mask of the bodies of a group, shape (n,). Raises `UnknownQuantity`, which is a KeyError."""
        found = np.flatnonzero(self.group_names == name)
        if not len(found):
            raise UnknownQuantity(self._place, f"no group is named {name!r}", "the name of a group",
                                  nearest(name, map(str, self.group_names)))
        return np.asarray(self.group == found[0])

    @property
    def shapes(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays of the file's group ``shapes``. The array ``shape`` of the bodies holds indices into them."""
        return dict(self._shapes)

    @property
    def speed(self) -> FloatArray:
        """Length of the velocity (m/s), shape (n,)."""
        return np.asarray(np.linalg.norm(self.velocity, axis=1))

    @property
    def is_half_plane(self) -> npt.NDArray[np.bool_]:
        """Mask of the walls in the plane, shape (n,). Their outward normal is the x axis of the body."""
        kind = self._shapes.get("kind")
        return np.zeros(len(self), dtype=bool) if kind is None else np.asarray(kind[self.shape] == 2)

    @property
    def outlines(self) -> list[FloatArray]:
        """Outlines of polygons in the plane (m), one array (vertices, 2) for each body; other shapes have (0, 2).

        The vertices are at their place in the plane, counter-clockwise, not wrapped into the periodic cell.

        Raises
        ------
        ResultsError
            For bodies in space, which have `spheres` instead.
        """
        if "vertices" not in self._shapes:
            raise ResultsError(self._place, "bodies in space have no outlines", "bodies in the plane",
                               "use spheres instead")
        vertices, offsets, out = self._shapes["vertices"], self._shapes["offsets"], []
        for place, angle, s in zip(self.position[:, :2], self.angle, self.shape):
            c, t = np.cos(angle), np.sin(angle)
            turned = vertices[int(offsets[s]):int(offsets[s + 1])] @ np.array([[c, t], [-t, c]])
            out.append(np.asarray(place + turned, dtype=np.float64))
        return out

    @property
    def spheres(self) -> tuple[npt.NDArray[np.int64], FloatArray, FloatArray]:
        """Component spheres of the bodies in space, one for a single sphere and none for walls.

        Returns
        -------
        body : numpy.ndarray
            Number of the body of each sphere, shape (m,).
        centre : numpy.ndarray
            Centres (m), shape (m, 3), not wrapped into the periodic cell.
        radius : numpy.ndarray
            Radii (m), shape (m,).

        Raises
        ------
        ResultsError
            For bodies in the plane, which have `outlines` and ``radius`` instead.
        """
        if "spheres" not in self._shapes:
            raise ResultsError(self._place, "bodies in the plane have no spheres", "bodies in space",
                               "use outlines and radius instead")
        first = self._shapes["offsets"][self.shape].astype(np.int64)
        count = self._shapes["offsets"][self.shape + 1].astype(np.int64) - first
        body = np.repeat(np.arange(len(self)), count)
        local = np.arange(len(body)) - np.repeat(np.cumsum(count) - count, count)
        spheres = self._shapes["spheres"][first[body] + local]
        w, axis = self.orientation[body, :1], self.orientation[body, 1:]
        arm = spheres[:, :3]  # turned by the quaternion: x + 2 w (v × x) + 2 v × (v × x)
        twice = 2 * np.cross(axis, arm)
        return body, self.position[body] + arm + w * twice + np.cross(axis, twice), spheres[:, 3]


class Contacts(Quantities):
    """Contacts of a snapshot, n of them, in the order of the program.

    ``point`` (m), ``normal`` (1, from i to j), ``force`` (N, on body i) and ``branch`` (m, from the centre of i to that
    of the image of j) have the shape (n, 3). ``image`` (n, 3) is the periodic image of j in cell vectors. All others
    have the shape (n,). ``normal_force`` (N) is compression positive; ``overlap`` (m) is positive when touching.
    """

    _kind = "contacts"
    i: npt.NDArray[np.uint32]
    j: npt.NDArray[np.uint32]
    image: npt.NDArray[np.int16]
    feature: npt.NDArray[np.uint16]
    regime: npt.NDArray[np.uint8]
    point: FloatArray
    normal: FloatArray
    force: FloatArray
    branch: FloatArray
    overlap: FloatArray
    area: FloatArray
    plane_angle: FloatArray
    normal_force: FloatArray
    tangential_force: FloatArray
    elongation: FloatArray
    normal_stiffness: FloatArray
    tangential_stiffness: FloatArray
    normal_damping: FloatArray
    tangential_damping: FloatArray
    stored_normal: FloatArray
    stored_tangential: FloatArray

    def __len__(self) -> int:
        return len(self._values["i"])
