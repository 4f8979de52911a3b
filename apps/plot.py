#!/usr/bin/env python3
"""Draws the results of one or more runs as PNG.

    bash apps/plot.sh results/shear --output pictures
    bash apps/plot.sh results/area-gradient results/edge-mean --output pictures    (laid over each other)

Pictures: overview, shear_ratio, kinetic_energy, coordination, sliding_fraction, profiles, ledger. A run without the columns
that a picture needs is left out of it, with a line that says so. plot.sh finds a Python that has matplotlib and h5py.
"""
import argparse
import pathlib
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]  # Okabe and Ito: told apart by all
LINES = ["-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 3))]  # runs stay apart in grey print as well
plt.rcParams.update({
    "figure.dpi": 130, "font.size": 10, "axes.grid": True, "grid.alpha": 0.25, "axes.axisbelow": True,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "lines.linewidth": 1.3,
    "axes.formatter.limits": (-2, 4), "axes.formatter.use_mathtext": True,
    "axes.prop_cycle": plt.cycler(color=COLOURS)})


def say(text):
    print(f"plot.py: {text}", file=sys.stderr)


class Table:
    """All segments of a series, merged: values[name] is [row] or, for profiles, [row][bin]."""

    def __init__(self, folder):
        self.values, self.units, self.bins, self.bin_units = {}, {}, {}, {}
        parts = {}
        for path in sorted(folder.glob("*.h5")):
            try:
                check_size(path)
                with h5py.File(path, "r") as f:
                    names = [n.decode() if isinstance(n, bytes) else n for n in f["order"][:]]
                    segment = {n: f[n][:] for n in names}
                    for n in names:
                        self.units[n] = f[n].attrs.get("unit", "")
                        if "bins" in f and n in f["bins"]:
                            self.bins[n] = f["bins"][n][:]
                            self.bin_units[n] = f["bins"][n].attrs.get("unit", "")
            except (OSError, KeyError, ValueError) as error:
                say(f"{path} cannot be read and is left out: {error}")
                continue
            for n, v in segment.items():
                parts.setdefault(n, []).append(v)
        self.values = {n: np.concatenate(v) for n, v in parts.items()}

    def first_of(self, names):
        """The values of the first of these columns that there is, or None."""
        return next((self.values[n] for n in names if n in self.values), None)


def check_size(path):
    """The first lines of every file say how long it is."""
    with open(path, "rb") as f:
        head = f.read(512).decode("utf-8", "replace")
    for line in head.splitlines():
        if line.startswith("bytes = ") and int(line[8:]) != path.stat().st_size:
            raise OSError("it is truncated or damaged")


def shear_begins(strain):
    """The last row before the strain changes."""
    return max(int(np.argmax(strain != strain[0])) - 1, 0)


class Run:
    def __init__(self, folder, label):
        self.folder, self.label = folder, label
        if not (folder / "series").is_dir():
            raise SystemExit(f"plot.py: {folder} is no results folder: it has no folder series")
        self.series = Table(folder / "series")
        self.profiles = Table(folder / "profiles")
        if not self.series.values:
            raise SystemExit(f"plot.py: {folder}/series holds no rows that can be read")

    def sheared(self):
        strain = self.series.values.get("strain")
        return strain is not None and len(strain) > 1 and np.ptp(strain) > 0

    def axis(self, kind):
        """Values and label of the x axis, and the rows drawn: against strain, from where the shearing begins."""
        s = self.series.values
        if kind == "strain":
            start = shear_begins(s["strain"])
            return s["strain"][start:], "shear strain γ", slice(start, None)
        if "time" in s:
            return s["time"], "time (s)", slice(None)
        return s["step"], "step", slice(None)


def with_unit(name, unit):
    return name if unit in ("", "1") else f"{name} ({unit})"


# Picture, axis label, columns (the first that there is), logarithmic axis.
PANELS = [
    ("shear_ratio", r"shear ratio $\sigma_{xy}\,/\,|\sigma_{yy}|$", ["shear_ratio"], False),
    ("kinetic_energy", "kinetic energy (J)", ["kinetic_energy", "ledger_kinetic", "ledger_kinetic_energy"], True),
    ("coordination", "coordination number", ["coordination", "coordination_number"], False),
    ("sliding_fraction", "sliding fraction of contacts", ["sliding_fraction"], False),
]


def shear_ratio(table):
    """The column, or the quotient of the stresses. Positive where the top plate moves along +x: σ_yy counts compression
    positive in the quotient, tension positive in its column."""
    ratio = table.first_of(["shear_ratio"])
    xy, yy = table.first_of(["stress_xy"]), table.first_of(["stress_yy"])
    if ratio is None and xy is not None and yy is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(yy != 0, -xy / yy, np.nan)
    return ratio


def draw_panel(ax, runs, panel, kind, quiet=False):
    name, label, columns, logarithmic = panel
    drawn, extent = 0, []
    for k, run in enumerate(runs):
        values = shear_ratio(run.series) if name == "shear_ratio" else run.series.first_of(columns)
        if values is None:
            if not quiet:
                say(f"{name}: {run.folder} has no column {' or '.join(columns)}; left out")
            continue
        x, x_label, rows = run.axis(kind)
        values = values[rows]
        ax.plot(x, values, label=run.label, color=COLOURS[k % len(COLOURS)],
                ls=LINES[k % len(LINES)], alpha=0.9)
        ax.set_xlabel(x_label)
        extent.append(values[np.isfinite(values)])
        drawn += 1
    if not drawn:
        return False
    ax.set_ylabel(label)
    extent = np.concatenate(extent)
    positive = extent[extent > 0]
    if logarithmic and positive.size and positive.max() > 100 * np.median(positive):
        ax.set_yscale("log")
        ax.set_ylim(bottom=max(positive.min(), 1e-6 * positive.max()))
    elif name == "shear_ratio" and extent.size > 20:  # before the plates carry load, the quotient can be anything
        low, high = np.percentile(extent, [0.5, 99.5])
        margin = 0.1 * max(high - low, 1e-3)
        ax.set_ylim(min(low - margin, 0), max(high + margin, 0))
    return True


def save(figure, path, made):
    figure.savefig(path, bbox_inches="tight")
    plt.close(figure)
    made.append(path)


def draw_time_series(runs, kind, output, made):
    for panel in PANELS:
        figure, ax = plt.subplots(figsize=(7, 4.2))
        if draw_panel(ax, runs, panel, kind):
            if len(runs) > 1:
                ax.legend()
            save(figure, output / f"{panel[0]}.png", made)
        else:
            plt.close(figure)
    figure, axes = plt.subplots(2, 2, figsize=(11, 7), layout="constrained")
    drawn = [draw_panel(ax, runs, panel, kind, quiet=True) for ax, panel in zip(axes.flat, PANELS)]
    for ax, done in zip(axes.flat, drawn):
        if not done:
            ax.set_axis_off()
    if any(drawn):
        if len(runs) > 1:
            handles, labels = max((ax.get_legend_handles_labels() for ax in axes.flat), key=lambda h: len(h[0]))
            figure.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=min(len(runs), 4))
        save(figure, output / "overview.png", made)
    else:
        plt.close(figure)


def draw_profiles(runs, output, made, curves=6):
    with_profiles = [r for r in runs if r.profiles.bins]
    for r in runs:
        if not r.profiles.bins:
            say(f"profiles: {r.folder} has none; left out")
    if not with_profiles:
        return
    names = list(dict.fromkeys(n for r in with_profiles for n in r.profiles.bins))
    figure, axes = plt.subplots(len(with_profiles), len(names), squeeze=False, layout="constrained",
                                figsize=(3.6 * len(names) + 1, 4 * len(with_profiles)))
    for row, run in zip(axes, with_profiles):
        p = run.profiles
        strain, time = p.values.get("strain"), p.values.get("time")
        by_strain = strain is not None and np.ptp(strain) > 0
        x = strain if by_strain else time if time is not None else p.values["step"]
        start = shear_begins(x) if by_strain else 0
        chosen = start + np.unique(np.searchsorted(x[start:], np.linspace(x[0], x[-1], curves)).clip(0, len(x) - start - 1))
        shade = plt.Normalize(x[0], x[-1] if x[-1] > x[0] else x[0] + 1)
        for ax, name in zip(row, names):
            if name not in p.bins:
                ax.set_axis_off()
                continue
            for k in chosen:
                ax.plot(p.values[name][k], p.bins[name], color=plt.cm.viridis(0.92 * shade(x[k])), marker="o", ms=2.5)
            ax.set_xlabel(with_unit(name.replace("_", " "), p.units[name]))
            ax.locator_params(axis="x", nbins=5)
            ax.set_ylabel(with_unit("height y" if p.bin_units[name] == "m" else "bin", p.bin_units[name]))
        row[0].set_title(run.label, loc="left", fontsize=10)
        colours = matplotlib.colors.ListedColormap(plt.cm.viridis(np.linspace(0, 0.92, 256)))  # as the curves; no pale end
        scale = plt.cm.ScalarMappable(norm=shade, cmap=colours)
        figure.colorbar(scale, ax=list(row), label="shear strain γ" if by_strain else "time (s)", shrink=0.9)
    save(figure, output / "profiles.png", made)


# Label, columns (the first that there is).
LEDGER = [
    ("boundary work", ["ledger_boundary_work", "boundary_work"]),
    ("gravity work", ["ledger_gravity_work", "gravity_work"]),
    ("applied work", ["ledger_applied_work", "applied_work"]),
    ("kinetic", ["ledger_kinetic", "ledger_kinetic_energy", "kinetic_energy"]),
    ("stored, normal", ["ledger_stored_normal", "stored_normal"]),
    ("stored, tangential", ["ledger_stored_tangential", "stored_tangential"]),
    ("friction", ["ledger_friction", "ledger_friction_loss", "friction_loss"]),
    ("viscous", ["ledger_viscous", "ledger_viscous_loss", "viscous_loss"]),
    ("law circulation", ["ledger_circulation", "circulation"]),
    ("event loss", ["ledger_event_loss", "event_loss"]),
    ("residual", ["ledger_residual", "ledger_energy_residual", "energy_residual"]),
]


def draw_ledger(runs, kind, output, made):
    with_ledger = [r for r in runs if r.series.first_of(LEDGER[0][1]) is not None]
    for r in runs:
        if r not in with_ledger:
            say(f"ledger: {r.folder} has no column boundary_work; left out")
    if not with_ledger:
        return
    figure, axes = plt.subplots(2, len(with_ledger), squeeze=False, sharex="col", layout="constrained",
                                figsize=(6.6 * len(with_ledger) + 1.5, 6.6), height_ratios=[3, 1.2])
    for (ax, low), run in zip(axes.T, with_ledger):
        x, x_label, rows = run.axis(kind)
        for k, (label, names) in enumerate(LEDGER):
            values = run.series.first_of(names)
            if values is None or (label != "residual" and not np.any(values)):
                continue
            style = {"color": COLOURS[k % 6], "ls": ["-", "--"][k // 6]}
            if label == "residual":
                style = {"color": "#000000", "ls": "-"}
            ax.plot(x, values[rows], label=label, **style)
        ax.set_ylabel("energy (J)")
        ax.set_title(run.label, loc="left", fontsize=10)
        ax.axhline(0, color="#888888", lw=0.6)
        residual = run.series.first_of(LEDGER[-1][1])
        work = run.series.first_of(["ledger_absolute_work", "absolute_work"])
        circulation = run.series.first_of(["ledger_circulation", "circulation"])
        if residual is not None and work is not None:
            scale = np.where(work > 0, work, np.nan)
            low.plot(x, (np.abs(residual) / scale)[rows], color="#000000", label="|residual| / absolute work")
            if circulation is not None and np.any(circulation):
                low.plot(x, (np.abs(circulation) / scale)[rows], color="#56b4e9", ls="--",
                         label="|circulation| / absolute work")
            if np.any(np.nan_to_num(residual / scale)):
                low.set_yscale("log")
            low.axhline(1e-3, color="#d55e00", lw=0.8, ls=":", label="allowed residual 1e-3")
        low.set_xlabel(x_label)
        low.set_ylabel("share")
        ax.tick_params(labelbottom=True)
    for row in axes:
        row[-1].legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8.5)
    save(figure, output / "ledger.png", made)


def labels_of(folders):
    """The last part of each path that tells the folders apart."""
    for depth in range(1, max(len(f.parts) for f in folders) + 1):
        labels = ["/".join(f.parts[-depth:]) for f in folders]
        if len(set(labels)) == len(labels):
            return labels
    return [str(f) for f in folders]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="DIR", help="results folder of a run")
    parser.add_argument("--output", required=True, type=pathlib.Path, metavar="FOLDER", help="where the pictures go")
    parser.add_argument("--labels", nargs="+", metavar="LABEL", help="one a run; default: the folders' names")
    parser.add_argument("--against", choices=["strain", "time"],
                        help="x axis; default: strain (from where the shearing begins) when every run is sheared, else time")
    options = parser.parse_args()
    if options.labels and len(options.labels) != len(options.folders):
        parser.error(f"{len(options.labels)} labels for {len(options.folders)} folders")
    missing = [f for f in options.folders if not f.is_dir()]
    if missing:
        raise SystemExit(f"plot.py: there is no folder {missing[0]}")
    labels = options.labels or labels_of([f.resolve() for f in options.folders])
    runs = [Run(f, label) for f, label in zip(options.folders, labels)]
    kind = options.against or ("strain" if all(r.sheared() for r in runs) else "time")
    for run in runs:
        if kind == "strain" and not run.sheared():
            raise SystemExit(f"plot.py: the strain does not change in {run.folder}; use --against time")
    try:
        options.output.mkdir(parents=True, exist_ok=True)
        made = []
        draw_time_series(runs, kind, options.output, made)
        draw_profiles(runs, options.output, made)
        draw_ledger(runs, kind, options.output, made)
    except OSError as error:
        raise SystemExit(f"plot.py: cannot write to {options.output}: {error.strerror or error}")
    if not made:
        raise SystemExit("plot.py: nothing to draw: the series have none of the columns that the pictures need")
    for path in made:
        print(path)


if __name__ == "__main__":
    main()
