"""Snapshots of a results folder: bodies and contacts at one moment.

The file describes itself. The source of this form is `libdem/results/snapshot.cpp`.
"""
from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from dem import plots
from dem.quantities import Bodies, Contacts
from dem.result_files import (FloatArray, ResultsError, SnapshotHasNoContacts, UnknownQuantity, frozen, nearest, opened,
                              text_of, texts_of)

PLATES = ("bottom-plate", "top-plate", "wall")  #: groups that are drawn dark, as in the pictures of the program


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
            ``"rotation"`` (degrees), ``"speed"``, ``"spin"`` or ``"coordination"`` (needs contacts). It may also be
            a quantity of the bodies of shape (n,), or own values of this shape. None gives one colour to all.
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
        is_new, bodies = ax is None, self.bodies
        with_forces = (self.has_contacts and self.dimension == 2) if contacts is None else contacts
        forces = self._forces() if with_forces else None
        shade = None if colour is None else self._colour(colour)
        cell = plots.Cell(self.cell_origin, self.cell_vectors, self.cell_periodic)
        dark = np.isin(bodies.group, np.flatnonzero(np.isin(bodies.group_names, PLATES)))
        if self.dimension == 3:
            body, centre, radius = bodies.spheres
            if shade is not None:
                shade = plots.Colour(np.asarray(shade.values)[body], shade.label, shade.diverging)
            ax = plots.draw_assembly(centre, radius, colour=shade, dark=dark[body], cell=cell, forces=forces,
                                     dimension=3, ax=ax, **choices)
        else:
            ax = plots.draw_assembly(bodies.position, bodies.radius, bodies.outlines, colour=shade, dark=dark,
                                     cell=cell, forces=forces, ax=ax, **choices)
            wall = bodies.is_half_plane
            plots.draw_half_planes(bodies.position[wall], bodies.angle[wall], ax)
        if is_new:
            ax.set_title(f"step {self.step}, time {self.time:.6g} s", fontsize="medium")
        return ax

    def _forces(self) -> plots.Forces:
        contacts = self.contacts
        start = self.bodies.position[contacts.i]
        return plots.Forces(start, contacts.point, start + contacts.branch, contacts.normal_force)

    def _colour(self, colour: str | npt.ArrayLike) -> plots.Colour:
        """Find the values of a colour, one for each body."""
        bodies, space = self.bodies, self.dimension == 3
        if not isinstance(colour, str):
            values = np.asarray(colour, dtype=np.float64)
            if values.shape != (len(bodies),):
                raise ResultsError(self.path, f"colour has the shape {values.shape}",
                                   f"({len(bodies)},), one value for each body")
            return plots.Colour(values)
        if colour == "rotation":
            turn = np.linalg.norm(bodies.rotation, axis=1) if space else bodies.angle
            return plots.Colour(np.degrees(turn), "rotation (degrees)", not space)
        if colour == "speed":
            return plots.Colour(bodies.speed, "speed (m/s)")
        if colour == "spin":
            spin = np.linalg.norm(bodies.angular_velocity, axis=1) if space else bodies.spin
            return plots.Colour(spin, "spin (rad/s)", not space)
        if colour == "coordination":
            ends = np.concatenate([self.contacts.i, self.contacts.j]).astype(np.int64)
            return plots.Colour(np.bincount(ends, minlength=len(bodies)), "contacts of the body")
        if colour not in bodies:
            named = ["rotation", "speed", "spin", "coordination"]
            raise UnknownQuantity(self.path, f"there is no colour {colour!r}",
                                  f"{', '.join(named)} or a quantity of the bodies",
                                  nearest(colour, [*named, *bodies.keys()]))
        values = bodies[colour]
        if values.shape != (len(bodies),) or values.dtype.kind not in "iufb":
            raise ResultsError(self.path, f"{colour} has the shape {values.shape}",
                               f"one number for each body, shape ({len(bodies)},)",
                               "give one component of it as an array")
        return plots.Colour(values, plots.axis_label(colour, bodies.units[colour]))

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
        near = self.steps[np.argsort(np.abs(self.steps - step), kind="stable")[:3]].tolist()
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
        first, last = self.steps[[0, -1]]
        return f"{len(self)} snapshots, steps {first} to {last}, in {self.folder}"


def step_files(folder: pathlib.Path, extension: str) -> list[pathlib.Path]:
    """List files named by a step in twelve digits, in the order of their steps."""
    if not folder.is_dir():
        return []
    return sorted(p for p in folder.iterdir() if re.fullmatch(r"[0-9]{12}" + re.escape(extension), p.name))
