"""Draws the table of a sweep: FOLDER/table.h5.

x is the first numeric axis with several values, logarithmic if it is spaced so. Every combination of the other axes is
a line, and every result a panel. Error bars are the standard deviation over replicates.
"""
import h5py
import matplotlib.pyplot as plt
import numpy as np

from plots.pictures import COLOURS, plain, save
from plots.results import PlotError, check_seal, text

MARKS = "osD^vP*"
STYLE = {
    "figure.dpi": 130, "font.size": 10, "axes.grid": True, "grid.alpha": 0.25, "axes.axisbelow": True,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "lines.linewidth": 1.2,
    "lines.markersize": 4, "axes.formatter.use_mathtext": True, "svg.fonttype": "path", "svg.hashsalt": "libdem",
    "axes.prop_cycle": plt.cycler(color=COLOURS)}
AUXILIARY = ("_r_squared", "_maxima")


def sweep_table(folder):
    """Table of a sweep, or of the steps of a study of time steps; None if the folder is neither."""
    if (folder / "stability-1.journal").is_file():
        folder = folder / "steps"
    return folder / "table.h5" if (folder / "table.h5").exists() or (folder / "journal").is_file() else None


def read(path):
    if not path.is_file():
        raise PlotError(f"{path.parent} is a sweep without a table: it is not done; the command that began it goes on")
    try:
        check_seal(path)
        return read_table(path)
    except (OSError, KeyError, ValueError, TypeError, RuntimeError) as error:
        raise PlotError(f"{path} cannot be read: {error}")


def read_table(path):
    with h5py.File(path, "r") as f:
        def columns(group, order):
            return {text(n): (f[group][text(n)][:], text(f[group][text(n)].attrs.get("unit", ""))) for n in f[order][:]}
        return (text(f.attrs.get("title", "")), columns("parameters", "parameter_order"),
                columns("results", "result_order"))


def spaced_logarithmically(values):
    v = np.unique(values)
    if len(v) < 3 or v[0] <= 0:
        return False
    steps = np.diff(v)
    return np.ptp(np.log(v)) > np.log(20) and steps[-1] > 3 * steps[0]


def label(name, unit):
    return plain(f"{name} ({unit})" if unit not in ("", "1") else name)


def draw_sweep(folder, out, x_name=None, y_names=None):
    table = sweep_table(folder)
    title, parameters, results = read(table)
    plt.rcParams.update(STYLE)
    axes = {n: c for n, c in parameters.items() if n not in ("replicate", "seed")}
    numeric = [n for n, (v, _) in axes.items() if v.dtype.kind == "f" and len(np.unique(v)) > 1]
    # An axis of one value draws no line. A sweep over words alone has its points side by side.
    x_name = x_name or (numeric[0] if numeric else None)
    if x_name is not None and x_name not in axes:
        raise PlotError(f"--x: found {x_name}, allowed {', '.join(axes)}", 2)
    chosen, y_names = y_names, y_names or [n for n in results
                                           if n not in ("t_c", "steps") and not n.endswith(AUXILIARY)]
    if not chosen:  # in contact times if there is such a column
        y_names = [n for n in y_names if f"{n}_over_t_c" not in y_names]
    for n in y_names:
        if n not in results:
            raise PlotError(f"--y: found {n}, allowed {', '.join(results)}", 2)
    if not y_names:
        raise PlotError(f"{folder} is a sweep without a quantity; the rows of its points are in {folder / 'series'}")

    if not any(np.isfinite(results[n][0]).any() for n in y_names):
        raise PlotError(f"{folder} is a sweep without a value to draw; {table.with_name('table.csv')} says why")

    count = len(next(iter(results.values()))[0])
    x = axes[x_name][0] if x_name else 1.0 + np.arange(count)  # as in series/point-1
    others = [n for n, (v, _) in axes.items() if n != x_name and len(np.unique(v)) > 1]
    lines = {}
    for k in range(count):
        key = ", ".join(
            f"{n.split('.')[-1]} = "
            f"{text(axes[n][0][k]) if axes[n][0].dtype.kind != 'f' else format(axes[n][0][k], '.4g')}" for n in others)
        lines.setdefault(key, []).append(k)
    fig, panels = plt.subplots(len(y_names), 1, figsize=(6.4, 0.6 + 3.4 * len(y_names)), squeeze=False,
                               layout="constrained")
    for panel, name in zip(panels[:, 0], y_names):
        y, unit = results[name]
        for n, (key, rows) in enumerate(lines.items()):
            rows = np.array(rows)
            points = np.unique(x[rows])
            groups = [y[rows[x[rows] == p]] for p in points]
            groups = [g[np.isfinite(g)] for g in groups]
            mean = np.array([g.mean() if len(g) else np.nan for g in groups])
            spread = np.array([g.std(ddof=1) if len(g) > 1 else 0.0 for g in groups])
            panel.errorbar(points, mean, yerr=spread if spread.any() else None, label=plain(key) or None, capsize=2,
                           marker=MARKS[n // len(COLOURS) % len(MARKS)], color=COLOURS[n % len(COLOURS)])
        missing = int(np.count_nonzero(~np.isfinite(y)))
        if missing:
            panel.set_title(f"{missing} of {count} points have no value (see table.csv)", fontsize=8, loc="right")
        if x_name and spaced_logarithmically(x):
            panel.set_xscale("log")
        finite = y[np.isfinite(y)]
        if len(finite) and finite.min() > 0 and finite.max() > 30 * finite.min():
            panel.set_yscale("log")
        panel.set_xlabel(label(x_name, axes[x_name][1]) if x_name else "point")
        if not x_name:
            panel.locator_params(axis="x", integer=True)
        panel.set_ylabel(label(name, unit))
        if 1 < len(lines) <= 24:
            panel.legend(fontsize=7, ncol=1 + len(lines) // 9)
    if title:
        fig.suptitle(plain(title))
    out.parent.mkdir(parents=True, exist_ok=True)
    save(fig, out)
    print(f"{out}: {', '.join(y_names)}; over {x_name or 'points'}")
