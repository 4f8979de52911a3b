"""Reads the results folder of a run: case, series, profiles. Reports damaged or missing parts and leaves them out."""
import pathlib
import re
import sys
import tomllib
import zlib

import h5py
import numpy as np


class PlotError(Exception):
    """A sentence for the user; `code` is an exit code of `dem --help`."""

    def __init__(self, sentence, code=3):
        super().__init__(sentence)
        self.code = code


def say(sentence):
    print(f"dem plot: {sentence}", file=sys.stderr)


def text(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def checksum(data, start, end):
    """Sum of the whole file, with its digits [start, end) taken as zeros. Eight digits: CRC-32. Sixteen, as in earlier
    files: FNV-1a."""
    data = data[:start] + b"0" * (end - start) + data[end:]
    if end - start == 8:
        return zlib.crc32(data)
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def check_seal(path):
    """Checks length and checksum in the first lines of a file of the program. Other HDF5 files have none."""
    data = path.read_bytes()
    if not data.startswith(b"libdem "):
        raise OSError("it is not a file of this program, or its first line is damaged")
    size, total = (re.search(rb"\n" + key + rb" = (\w+)\n", data[:512]) for key in (b"bytes", b"checksum"))
    if not size or not total or int(size[1]) != len(data) or checksum(data, *total.span(1)) != int(total[1], 16):
        raise OSError("it is truncated or damaged")


def column_order(file):
    """Names of the columns, in the order of an attribute, or in older files of a dataset, else of the root group."""
    if "order" in file.attrs:
        return [text(n) for n in np.atleast_1d(file.attrs["order"])]
    if "order" in file:
        return [text(n) for n in file["order"][:]]
    return [n for n, item in file.items() if isinstance(item, h5py.Dataset) and item.dtype.kind in "iuf"]


class Table:
    """All segments of a series, merged: values[name] is [row] or, for profiles, [row][bin]."""

    def __init__(self, folder):
        self.values, self.units, self.bins, self.bin_units = {}, {}, {}, {}
        self.breaks = []  # rows after a missing segment
        order, parts, rows, next_number = None, {}, 0, 1
        files = sorted(folder.glob("*.h5")) if folder.is_dir() else []
        for path in files:
            if not re.fullmatch(r"[0-9]{6}\.h5", path.name):
                say(f"{path} is no segment of the series; it is left out")
                continue
            missing, number = range(next_number, int(path.stem)), int(path.stem)
            next_number = number + 1
            if len(missing):
                say(f"{folder}: segments {missing[0]:06} to {missing[-1]:06} are missing; their rows are not drawn")
            try:
                segment = self.read_segment(path)
                if order is not None and list(segment) != order:
                    raise ValueError("it has other columns than the segments before")
            except (OSError, KeyError, ValueError, TypeError, RuntimeError) as error:
                say(f"{path} cannot be read and is left out: {error}")
                self.breaks.append(rows)
                continue
            if len(missing):
                self.breaks.append(rows)
            order = list(segment)
            for n, v in segment.items():
                parts.setdefault(n, []).append(v)
            rows += len(segment[order[0]])
        self.rows = rows
        self.values = {n: np.concatenate(v) for n, v in parts.items()}

    def read_segment(self, path):
        check_seal(path)
        with h5py.File(path, "r") as f:
            names = column_order(f)
            segment = {n: f[n][:] for n in names}
            if len({len(v) for v in segment.values()}) != 1:
                raise ValueError("it has no columns, or columns of different length")
            for n in names:
                self.units[n] = text(f[n].attrs.get("unit", ""))
                if segment[n].ndim == 2:
                    self.bins[n] = f["bins"][n][:]
                    self.bin_units[n] = text(f["bins"][n].attrs.get("unit", ""))
        return segment


class Run:
    """A results folder. run["void_ratio"] is a column of the series."""

    def __init__(self, folder, label):
        self.folder, self.label = folder, label
        if not (folder / "series").is_dir():
            raise PlotError(f"{folder} is no results folder and no sweep: "
                            "it has neither a folder series nor a file table.h5")
        self.series, self.profiles = Table(folder / "series"), Table(folder / "profiles")
        if not self.series.rows:
            raise PlotError(f"{folder}/series holds no rows that can be read")
        self.case = self.read_case()
        self.dimension = self.case.get("dimension", 3 if self.has("strain_zz") else 2)
        # Stages in the order of the rows. A folder of another program may have neither column.
        self.stage = self["stage"] if self.has("stage") else np.ones(self.series.rows)
        self.time = (self["time"] if self.has("time") else self["step"] if self.has("step") else
                     np.arange(self.series.rows))

    def read_case(self):
        path = self.folder / "case.toml"
        try:
            return tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            say(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}; "
                "what only the case tells is not drawn")
            return {}

    def has(self, *names):
        return all(n in self.series.values for n in names)

    def __getitem__(self, name):
        return self.series.values[name]

    def unit(self, name):
        return self.series.units.get(name, "")

    def stages(self):
        """Tables [[stage]] of the case."""
        found = self.case.get("stage", [])
        return [s for s in found if isinstance(s, dict)] if isinstance(found, list) else []

    def stage_name(self, number):
        stages = self.stages()
        name = stages[int(number) - 1].get("name", "") if 0 < number <= len(stages) else ""
        return name or f"{int(number)}"

    def gravity(self):
        found = self.case.get("gravity", [])
        return ([float(g) for g in found]
                if isinstance(found, list) and all(isinstance(g, (int, float)) for g in found) else [])


def labels_of(folders):
    """Shortest last parts of the paths that differ from each other."""
    folders = [pathlib.Path(f).resolve() for f in folders]
    for depth in range(1, max(len(f.parts) for f in folders) + 1):
        labels = ["/".join(f.parts[-depth:]) for f in folders]
        if len(set(labels)) == len(labels):
            return labels
    return [str(f) for f in folders]
