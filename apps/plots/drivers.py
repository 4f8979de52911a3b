"""Panels and axes of a run, in a table by the driver that moves the bodies. A new driver is one entry in DRIVERS.

Labels name the signs in pictures. Files have stresses tension positive, strains extension positive.
"""
import re
from dataclasses import dataclass
from typing import Callable

import numpy as np


@dataclass(frozen=True)
class Line:
    columns: tuple                 # of the series
    value: Callable | None = None  # of run and first drawn row; None: the column
    label: str = ""

    def values(self, run, origin):
        return self.value(run, origin) if self.value else run[self.columns[0]]


@dataclass(frozen=True)
class Panel:
    name: str                      # of its picture
    label: str | Callable          # of the y axis, or a function of the run; {unit} is that of the first column
    lines: tuple | Callable        # Lines, or a function of the run
    logarithmic: bool = False      # if the values spread over decades
    quotient: bool = False         # of loads; meaningless before loading, so those rows must not set the scale

    def lines_of(self, run):
        return self.lines(run) if callable(self.lines) else self.lines

    def label_of(self, run):
        found = self.label(run) if callable(self.label) else self.label
        lines = self.lines_of(run)
        unit = run.unit(lines[0].columns[0]) if lines else ""
        return found.replace("{unit}", unit) if unit not in ("", "1") else found.replace(" ({unit})", "")


@dataclass
class Loading:
    """An axis other than time, and the rows of the loading."""
    x: np.ndarray                  # of all rows
    label: str
    column: str
    rows: np.ndarray               # the first is the state before loading


@dataclass(frozen=True)
class Driver:
    name: str
    applies: Callable              # to a run?
    loading: Callable              # of a run; None: not loaded, all panels over time
    panels: tuple                  # over the loading
    over_time: tuple               # over all stages
    kind: Callable = lambda run: ""  # runs of another kind have other axes
    ledger_over_loading: bool = False


def one(name, label, column, **choices):
    return Panel(name, label, (Line((column,)),), **choices)


def first_change(values):
    """Last row before the values change; None if they never do."""
    moved = np.flatnonzero(values != values[0])
    return None if not len(moved) else max(int(moved[0]) - 1, 0)


# --- loadings ---------------------------------------------------------------------------------------------------------

def cell_component(stage, dimension):
    """Component ("zz", "xy") of the largest rate of a stage; None without rate or with equal rates everywhere."""
    rates = {k[5:]: v for k, v in stage.items()
             if re.fullmatch(r"rate_[xyz]{2}", k) and isinstance(v, (int, float)) and v != 0}
    alike = set(rates) == set(("xx", "yy", "zz")[:dimension]) and len(set(rates.values())) == 1
    return None if alike or not rates else max(rates, key=lambda p: (abs(rates[p]), -rates[p]))  # if equal: shortening


def cell_loading_component(run):
    """Component of the last stage with one, the subject of the test."""
    found = [c for s in run.stages() if (c := cell_component(s, run.dimension)) and run.has(f"strain_{c}")]
    return found[-1] if found else ""


def sheared_cell(run):
    component = cell_loading_component(run)
    return component[:1] != component[1:]


def cell_loading(run):
    component = cell_loading_component(run)
    if not component:
        return None
    numbers = [k + 1 for k, s in enumerate(run.stages()) if cell_component(s, run.dimension) == component]
    inside = np.flatnonzero(np.isin(run.stage, numbers))
    if not len(inside):
        return None
    # Unlike `strain`, the strain of the cell counts through all stages, without a jump at their ends.
    rows = inside if inside[0] == 0 else np.concatenate([[inside[0] - 1], inside])
    strain = run[f"strain_{component}"] - run[f"strain_{component}"][rows[0]]
    if component[0] == component[1]:
        return Loading(-strain, rf"axial strain $-\varepsilon_{{{component}}}$ (logarithmic, compression positive)",
                       f"strain_{component}", rows)
    return Loading(strain, rf"shear strain $\gamma_{{{component}}}$", f"strain_{component}", rows)


def rows_from_change(column, label, factor=1.0):
    def loading(run):
        start = first_change(run[column]) if run.has(column) else None
        return (None if start is None else
                Loading(factor * run[column], label, column, np.arange(start, run.series.rows)))
    return loading


# --- panels -----------------------------------------------------------------------------------------------------------

def volume_strain(sign, label):
    def lines(run):
        parts = tuple(f"strain_{p}" for p in ("xx", "yy", "zz")[:run.dimension])
        return (Line(parts, lambda r, origin: sign * sum(r[p] - r[p][origin] for p in parts)),)
    return Panel("volumetric_strain", label, lines)


def shear_stress_ratio(run):
    a, b = cell_loading_component(run)
    shear, normal = f"stress_{a}{b}", f"stress_{b}{b}"

    def value(r, _):
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(r[normal] < 0, r[shear] / -r[normal], np.nan)
    return (Line((shear, normal), value),)


def wall_forces(run):
    """Forces on the named walls along gravity, so that carried weight is positive; without gravity their size."""
    words = list(dict.fromkeys(m[1] for n in run.series.values if (m := re.fullmatch(r"(.+)_force_[xyz]", n))))
    words = [w for w in words if not re.fullmatch(r"wall_\d+", w)] or words
    lines, (axis, sign) = [], down(run)
    for word in words:
        parts = tuple(n for a in "xyz" if run.has(n := f"{word}_force_{a}"))
        if axis and run.has(f"{word}_force_{axis}"):
            column = f"{word}_force_{axis}"
            lines.append(Line((column,), lambda r, _, c=column: sign * r[c], word))
        else:
            lines.append(Line(parts, lambda r, _, p=parts: np.sqrt(sum(r[n] ** 2 for n in p)), word))
    return tuple(lines)


def down(run):
    gravity = run.gravity()
    if not any(gravity):
        return "", 1
    k = int(np.argmax(np.abs(gravity)))
    return "xyz"[k], 1 if gravity[k] > 0 else -1


def wall_force_label(run):
    axis, sign = down(run)
    return (f"force on walls along ${'-' if sign < 0 else '+'}{axis}$ ({{unit}})" if axis else
            "force on walls, size ({unit})")


def once_loaded(column):
    """Values from the first stage with a load on. Before it, the plate of the shear box is high above the grains."""
    def value(run, _):
        first = next((k + 1 for k, s in enumerate(run.stages()) if "plate_stress" in s), 1)
        return np.where(run.stage >= first, run[column], np.nan)
    return (Line((column,), value),)


RATIO_3D, RATIO_2D = r"stress ratio $q/p$", r"stress ratio $q/p=\sin\varphi_\mathrm{m}$"
KINETIC = one("kinetic_energy", "kinetic energy ({unit})", "kinetic_energy", logarithmic=True)
COORDINATION = one("coordination", "coordination number $Z$", "coordination")
SLIDING = one("sliding_fraction", "sliding fraction of contacts", "sliding_fraction")
UNBALANCED = one("unbalanced_force", "unbalanced force (relative)", "unbalanced_force", logarithmic=True)
VOIDS = one("void_ratio", "void ratio $e$", "void_ratio")
STRESS_RATIO = one("stress_ratio", lambda run: RATIO_2D if run.dimension == 2 else RATIO_3D, "stress_ratio",
                   quotient=True)
CELL_STRESSES = Panel("stresses", "stress ({unit})", (Line(("mean_pressure",), label="mean pressure $p$"),
                                                      Line(("deviator_stress",), label="deviator stress $q$")))
PLATE_RATIO = one("shear_ratio", r"shear ratio $\tau/\sigma_\mathrm{n}$ on the plates", "shear_ratio", quotient=True)
PLATE_STRESS = Panel("normal_stress", r"normal stress $\sigma_\mathrm{n}$ on plates ({unit})",
                     (Line(("wall_normal_top",), label="top plate"),
                      Line(("wall_normal_bottom",), label="bottom plate")))
BOX_FORCES = Panel("plane_forces", "force on the shear plane ({unit})",
                   (Line(("plane_normal_force",), label="normal $N$"), Line(("shear_force",), label="shear $T$"),
                    Line(("plate_load",), label="plate load"), Line(("wall_drag",), label="drag of upper walls"),
                    Line(("weight_above",), label="weight above")))
WALL_FORCES = Panel("wall_forces", wall_force_label, wall_forces)

PLATES = (PLATE_RATIO, KINETIC, COORDINATION, SLIDING)
CELL_TIME = (CELL_STRESSES, VOIDS, COORDINATION, SLIDING, KINETIC, UNBALANCED)
FREE = (KINETIC, COORDINATION, WALL_FORCES, UNBALANCED)
COMMON = (KINETIC, COORDINATION, SLIDING, UNBALANCED)  # of all runs

# The first that applies to a run is its driver.
DRIVERS = (
    Driver("shear box", lambda run: run.has("shear_displacement", "plate_height"),
           rows_from_change("shear_displacement", "shear displacement $u$ (mm)", 1e3),
           (Panel("shear_ratio", "shear ratio",
                  (Line(("plane_shear_ratio",), label="$T/N$ on the shear plane"),
                   Line(("nominal_shear_ratio",), label=r"$T/(\sigma A)$, over the plate's load")), quotient=True),
            Panel("dilation", r"rise of the plate $\Delta h$ (mm)",
                  (Line(("plate_height",),
                        lambda run, origin: 1e3 * (run["plate_height"] - run["plate_height"][origin])),)),
            VOIDS, BOX_FORCES),
           (KINETIC, COORDINATION,
            Panel("plate_height", "height of the plate $z$ ({unit})", once_loaded("plate_height")),
            Panel("void_ratio", VOIDS.label, once_loaded("void_ratio")), BOX_FORCES, SLIDING)),
    Driver("plates", lambda run: run.has("strain", "shear_ratio"), rows_from_change("strain", r"shear strain $\gamma$"),
           PLATES, PLATES + (PLATE_STRESS, one("height", "distance of the plates $H$ ({unit})", "height")),
           ledger_over_loading=True),
    Driver("cell in simple shear",
           lambda run: run.has("cell_xx") and cell_loading_component(run) and sheared_cell(run), cell_loading,
           (Panel("shear_ratio",
                  lambda run: (lambda c: rf"stress ratio $\sigma_{{{c}}}\,/\,|\sigma_{{{c[1] * 2}}}|$")(
                      cell_loading_component(run)),
                  shear_stress_ratio, quotient=True),
            volume_strain(1, "volumetric strain $\\varepsilon_\\mathrm{v}$\n(dilation positive)"), VOIDS, COORDINATION),
           CELL_TIME, cell_loading_component),
    Driver("triaxial cell", lambda run: run.has("cell_xx") and cell_loading_component(run), cell_loading,
           (STRESS_RATIO, volume_strain(-1, "volumetric strain $\\varepsilon_\\mathrm{v}$\n(compression positive)"),
            VOIDS, COORDINATION),
           CELL_TIME, cell_loading_component),
    Driver("cell without a loading at a given rate", lambda run: run.has("cell_xx"), lambda run: None, (), CELL_TIME),
    Driver("free bodies and walls", lambda run: True, lambda run: None, (), FREE),
)


def driver_of(run):
    return next(d for d in DRIVERS if d.applies(run))
