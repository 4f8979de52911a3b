"""Snapshots of a results folder: bodies and contacts at one moment, as numpy arrays.

The file describes itself. The source of this form is `libdem/results/snapshot.cpp`.
"""
from __future__ import annotations

import html
import pathlib
import re
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from dem import plots
from dem.result_files import (FloatArray, ResultsError, SnapshotHasNoContacts, UnknownQuantity, description_of, frozen,
                              nearest, opened, pandas_module, text_of, texts_of, unit_of)


class Quantities:
    """Arrays of equal length, one for each quantity: attributes, and entries as of a mapping.

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
        self.units: dict[str, str] = {}
        self.descriptions: dict[str, str] = {}
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
            if len(values) != len(self):
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

    All cases have ``position``, ``velocity``, ``force`` of shape (n, 3) in m, m/s, N; ``mass`` in kg, ``radius`` in m,
    ``freedom``, ``shape``, ``group`` of shape (n,). In the plane masses and forces are per metre of thickness.

    In the plane: ``angle`` (rad), ``spin`` (rad/s), ``torque`` (N m) and ``moment`` (kg m2) of shape (n,).

    In space: ``orientation`` (n, 4) as quaternions w, x, y, z; ``rotation`` (rad), ``angular_velocity`` (rad/s),
    ``torque`` (N m) and ``principal_moments`` (kg m2) of shape (n, 3).
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
    group_names: npt.NDArray[np.str_]  #: names of the groups; ``group`` holds indices into it
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
        UnknownQuantity
            For bodies in space, which have `spheres` instead.
        """
        if "vertices" not in self._shapes:
            raise UnknownQuantity(self._place, "bodies in space have no outlines", "bodies in the plane",
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
        UnknownQuantity
            For bodies in the plane, which have `outlines` and ``radius`` instead.
        """
        if "spheres" not in self._shapes:
            raise UnknownQuantity(self._place, "bodies in the plane have no spheres", "bodies in space",
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


class Snapshot:
    """Bodies and contacts at one moment. The file is read once, when a part of it is first asked for."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self._header: dict[str, Any] | None = None
        self._bodies: Bodies | None = None
        self._contacts: Contacts | None = None

    def _read(self) -> dict[str, Any]:
        if self._header is not None:
            return self._header
        with opened(self.path, "snapshot") as file:
            try:
                group = file["header"]
                header: dict[str, Any] = {name: group.attrs[name] for name in group.attrs}
                header.update({name: frozen(group[name][()]) for name in group if name != "case"})
                header["case"] = texts_of(group["case"][()])[0]
                self._bodies = Bodies(str(self.path), file["bodies"], file["shapes"])
                self._contacts = Contacts(str(self.path), file["contacts"]) if "contacts" in file else None
            except (KeyError, OSError) as error:
                raise ResultsError(self.path, f"an entry is missing or of another form: {error}") from error
        self._header = header
        return header

    @property
    def step(self) -> int:
        """Number of the step."""
        return int(self.path.stem)

    @property
    def time(self) -> float:
        """Time (s)."""
        return float(self._read()["time"])

    @property
    def strain(self) -> float:
        """Strain of the driver (1)."""
        return float(self._read()["strain"])

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space. Folders of early versions are in the plane."""
        return int(self._read().get("dimension", 2))

    @property
    def conventions(self) -> str:
        """Units and signs of the file, in sentences."""
        return text_of(self._read()["conventions"])

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the case, 16 hexadecimal digits."""
        return text_of(self._read()["case_fingerprint"])

    @property
    def case_text(self) -> str:
        """The resolved case at this moment, as TOML."""
        return str(self._read()["case"])

    @property
    def cell_vectors(self) -> FloatArray:
        """Vectors a, b, c of the cell (m), one in each row of an array (3, 3)."""
        return np.asarray(self._read()["cell_vectors"], dtype=np.float64)

    @property
    def cell_origin(self) -> FloatArray:
        """Lower left corner of the cell (m), shape (2,) in the plane and (3,) in space."""
        return np.asarray(self._read()["cell_origin"], dtype=np.float64)

    @property
    def cell_periodic(self) -> npt.NDArray[np.bool_]:
        """Whether the cell is periodic along a, b, c, shape (3,)."""
        return np.asarray(self._read()["cell_periodic"], dtype=bool)

    @property
    def bodies(self) -> Bodies:
        """The bodies."""
        self._read()
        assert self._bodies is not None
        return self._bodies

    @property
    def has_contacts(self) -> bool:
        """Whether the file holds the contacts."""
        self._read()
        return self._contacts is not None

    @property
    def contacts(self) -> Contacts:
        """The contacts. Raises `SnapshotHasNoContacts`, an AttributeError, where the file holds none."""
        self._read()
        if self._contacts is None:
            raise SnapshotHasNoContacts(self.path, "the snapshot was written without contacts",
                                        "the key output.contacts = true in the case",
                                        "set the key and run the case again")
        return self._contacts

    def plot(self, colour: str | npt.ArrayLike | None = "rotation", contacts: bool | None = None, ax: Any = None,
             **choices: Any) -> Any:
        """Draw the bodies and the contact forces with matplotlib.

        Bodies are drawn inside the periodic cell, those across its boundary on both sides. In space the picture shows
        the spheres seen along +y, x to the right and z upwards, the nearest in front.

        Parameters
        ----------
        colour : str or array_like or None
            ``"rotation"`` (degrees), ``"speed"``, ``"spin"``, ``"coordination"`` (needs contacts), a quantity of the
            bodies of shape (n,), or own values of this shape. None: one colour for all.
        contacts : bool, optional
            Whether to draw the forces of the contacts. By default they are drawn in the plane where the file has them.
        ax : matplotlib.axes.Axes, optional
            By default a new figure is made.
        **choices
            Passed to `dem.plots.draw_assembly`: ``force_scale``, ``colour_map``, ``colour_range``, ``bar``.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        SnapshotHasNoContacts
            For ``contacts=True`` or ``colour="coordination"`` where the file holds none.
        UnknownQuantity
            For a colour that is no quantity.
        """
        return plots.draw_snapshot(self, colour, contacts, ax, **choices)

    def __repr__(self) -> str:
        try:
            contacts = f"{len(self.contacts)} contacts" if self.has_contacts else "no contacts"
            return (f"snapshot of step {self.step}, time {self.time:.6g} s, strain {self.strain:.6g}: "
                    f"{len(self.bodies)} bodies, {contacts}")
        except ResultsError as error:
            return f"snapshot of step {self.step}, which cannot be read: {error}"


class Snapshots(Sequence[Snapshot]):
    """Snapshots of a run in the order of their steps. A snapshot is read when a part of it is asked for.

    ``snapshots[-1]`` is the last one, and ``snapshots[::10]`` is every tenth.
    """

    def __init__(self, folder: pathlib.Path, paths: Sequence[pathlib.Path]) -> None:
        self.folder, self._paths = folder, list(paths)

    @property
    def steps(self) -> npt.NDArray[np.int64]:
        """Steps of the snapshots, from the names of the files, shape (snapshots,)."""
        return np.array([int(p.stem) for p in self._paths], dtype=np.int64)

    def at_step(self, step: int) -> Snapshot:
        """Return the snapshot of this step. Raises `UnknownQuantity`, a KeyError, where there is none."""
        for path in self._paths:
            if int(path.stem) == step:
                return Snapshot(path)
        near = sorted(self.steps.tolist(), key=lambda s: abs(s - step))[:3]
        raise UnknownQuantity(self.folder, f"there is no snapshot of step {step}", "a step with a snapshot",
                              f"the nearest are {near}")

    def __len__(self) -> int:
        return len(self._paths)

    @overload
    def __getitem__(self, index: int) -> Snapshot: ...
    @overload
    def __getitem__(self, index: slice) -> Snapshots: ...
    def __getitem__(self, index: int | slice) -> Snapshot | Snapshots:
        if isinstance(index, slice):
            return Snapshots(self.folder, self._paths[index])
        try:
            return Snapshot(self._paths[index])
        except IndexError:
            raise IndexError(f"{self.folder}: there is no snapshot {index}; expected -{len(self)} to "
                             f"{len(self) - 1}" if self._paths else f"{self.folder}: there are no snapshots") from None

    def __iter__(self) -> Iterator[Snapshot]:
        return map(Snapshot, self._paths)

    def __repr__(self) -> str:
        if not self._paths:
            return f"no snapshots in {self.folder}"
        return f"{len(self)} snapshots, steps {int(self._paths[0].stem)} to {int(self._paths[-1].stem)}, in {self.folder}"


def step_files(folder: pathlib.Path, extension: str) -> list[pathlib.Path]:
    """List files named by a step in twelve digits, in the order of their steps."""
    if not folder.is_dir():
        return []
    return sorted(p for p in folder.iterdir() if re.fullmatch(r"[0-9]{12}" + re.escape(extension), p.name))
