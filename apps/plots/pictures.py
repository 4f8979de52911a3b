"""Draws runs of one driver: single panels, all panels together, all stages over time, profiles, energy ledger."""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from plots.drivers import COMMON, driver_of
from plots.results import PlotError, say

# Okabe and Ito: distinct for colour-blind readers too. Lines differ also in grey print.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]
LINES = ["-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 3))]
STYLE = {
    "figure.dpi": 130, "savefig.dpi": 160, "font.size": 10, "axes.grid": True, "grid.alpha": 0.25,
    "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    "legend.fontsize": 8.5, "lines.linewidth": 1.3, "axes.formatter.limits": (-3, 4),
    "axes.formatter.use_mathtext": True, "axes.xmargin": 0.02, "svg.fonttype": "path", "svg.hashsalt": "libdem",
    "axes.prop_cycle": plt.cycler(color=COLOURS)}


def save(figure, path, **options):
    """Writes a picture aside and renames it. An error names it: that of a full disk has no file of its own."""
    part = path.with_name(f"{path.name}.part")
    try:
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(part, format=path.suffix[1:], metadata=metadata, **options)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        error.filename = str(path)
        raise
    plt.close(figure)


def plain(words):
    """Words of the user in a picture. matplotlib reads a formula between dollars, and a legend leaves out what begins
    with an underscore."""
    words = words.replace("$", r"\$")
    return rf"$\_${words[1:]}" if words.startswith("_") else words


class Axis:
    """Axis of a run: its loading, or time."""

    def __init__(self, run, loading):
        self.over_time = loading is None
        self.x = run.time if self.over_time else loading.x
        self.label = ("time $t$ (s)" if run.has("time") else "step") if self.over_time else loading.label
        self.column = ("time" if run.has("time") else "step") if self.over_time else loading.column
        self.rows = np.arange(run.series.rows) if self.over_time else loading.rows
        self.origin = self.rows[0]
        steps = np.diff(self.x[self.rows])
        self.reverses = bool(np.any(steps > 0) and np.any(steps < 0))
        # No line joins rows with another stage or lost rows between them.
        lost = np.isin(self.rows[1:], run.series.breaks)
        self.gaps = np.flatnonzero((np.diff(self.rows) > 1) | lost) + 1

    def cut(self, values):
        return np.insert(np.asarray(values, dtype=float)[self.rows], self.gaps, np.nan)


class Figures:
    """Saves pictures and prints the contents of each."""

    def __init__(self, folder, suffix):
        self.folder, self.suffix, self.count = folder, suffix, 0

    def save(self, figure, name, contents, over):
        path = self.folder / f"{name}.{self.suffix}"
        save(figure, path, bbox_inches="tight")
        self.count += 1
        print(f"{path}: {', '.join(contents)}; over {over}")


def draw_line(ax, x, y, logarithmic, **style):
    """Draws a single value as a point."""
    if logarithmic:
        y = np.where(y > 0, y, np.nan)
    if np.count_nonzero(np.isfinite(y)) == 1:
        style["marker"] = "o"
    ax.plot(x, y, alpha=0.9, **style)


def scale(ax, panel, values):
    values = values[np.isfinite(values)]
    positive = values[values > 0]
    if panel.logarithmic and positive.size and positive.max() > 100 * np.median(positive):
        ax.set_yscale("log")
        ax.set_ylim(bottom=max(0.8 * positive.min(), 1e-12 * positive.max()))
        return
    if panel.quotient and values.size > 20:
        low, high = np.percentile(values, [2, 98])
        if np.ptp(values) > 3 * (max(high, 0) - min(low, 0)):
            margin = 0.1 * max(high - low, 1e-3)
            ax.set_ylim(min(low - margin, 0), max(high + margin, 0))
    elif values.size and np.ptp(values) <= 1e-9 * np.abs(values).max():  # show a constant, not its round-off
        ax.set_ylim(*sorted((0.9 * values[0], 1.1 * values[0])) if values[0] else (-1, 1))


def draw_panel(ax, runs, axes, panel, quiet=False):
    """Draws the panel. Returns what was drawn in words; empty if nothing was."""
    drawn, extent = {}, []
    for k, (run, axis) in enumerate(zip(runs, axes)):
        lines = panel.lines_of(run)
        for n, line in enumerate(lines):
            missing = [c for c in line.columns if not run.has(c)]
            if missing:
                if not quiet:
                    say(f"{panel.name}: {run.folder} has no column {' and no column '.join(missing)}; left out")
                continue
            values = axis.cut(line.values(run, axis.origin))
            if not np.isfinite(values).any():
                if not quiet:
                    say(f"{panel.name}: {', '.join(line.columns)} of {run.folder} has no finite value; left out")
                continue
            several = len(lines) > 1
            style = (n, k) if several and len(runs) > 1 else (n, n) if several else (k, k)  # colour, dashes
            label = ", ".join(filter(None, (line.label, plain(run.label) if len(runs) > 1 else "")))
            logarithmic = panel.logarithmic and np.nanmax(values) > 0
            x, colour = axis.cut(axis.x), COLOURS[style[0] % 7]
            draw_line(ax, x, values, logarithmic, label=label or None, color=colour, ls=LINES[style[1] % 7])
            if axis.reverses and not axis.over_time:
                ax.plot(x[0], values[0], marker="o", ms=5, mfc="white", mec=colour, ls="none")
            drawn.update(dict.fromkeys(line.columns))
            extent.append(values)
            ax.set_xlabel(axis.label)
            ax.locator_params(axis="x", nbins=6)
            ax.set_ylabel(panel.label_of(run))
    if not drawn:
        return ""
    scale(ax, panel, np.concatenate(extent))
    return panel.name if list(drawn) == [panel.name] else f"{panel.name} ({', '.join(drawn)})"


def mark_stages(ax, runs, names):
    """Marks the starts of stages in a picture over the time of the whole runs."""
    low, high = min(run.time[0] for run in runs), max(run.time[-1] for run in runs)
    ax.set_xlim(low - 0.02 * (high - low), high + 0.02 * (high - low) if high > low else low + 1)
    for k, run in enumerate(runs):
        starts = np.flatnonzero(np.diff(run.stage)) + 1
        for row in starts:
            ax.axvline(run.time[row], color=COLOURS[k % 7] if len(runs) > 1 else "#888888", lw=0.7, ls=":")
        if not names or len(runs) > 1 or not len(starts):
            continue
        # As many names as there is room for; the others follow from their neighbours.
        bounds, taken = np.concatenate([[0], starts, [run.series.rows - 1]]), -np.inf
        width = run.time[-1] - run.time[0]
        for begin, end in zip(bounds, bounds[1:]):
            name, middle = run.stage_name(run.stage[begin]), (run.time[begin] + run.time[end]) / 2
            half = 0.007 * len(name) * width
            if middle - half > taken:
                ax.text(middle, 1.0, plain(name), transform=ax.get_xaxis_transform(), ha="center", va="bottom",
                        fontsize=7.5, color="#555555")
                taken = middle + half


def legend(ax):
    """Makes room above the lines and places the legend there."""
    labels = ax.get_legend_handles_labels()[1]
    if not labels:
        return
    columns = 3 if max(map(len, labels)) < 20 else 2
    low, high = ax.get_ylim()
    room = 0.09 * -(-len(labels) // columns)
    ax.set_ylim(low, high * (high / low) ** room if ax.get_yscale() == "log" else high + room * (high - low))
    ax.legend(loc="upper center", ncols=columns, columnspacing=1.2, handlelength=2.4)


def draw_together(runs, axes, panels, name, figures):
    """All panels of a driver in one picture."""
    panels = [p for p in panels if any(run.has(*line.columns) for run in runs for line in p.lines_of(run))]
    columns = 2 if len(panels) > 1 else 1
    figure, grid = plt.subplots(-(-len(panels) // columns) or 1, columns, squeeze=False, layout="constrained",
                                figsize=(5.6 * columns, 3.5 * (-(-len(panels) // columns) or 1)))
    drawn = []
    for ax, panel in zip(grid.flat, panels):
        words = draw_panel(ax, runs, axes, panel, quiet=True)
        if not words:
            continue
        drawn.append((ax, words))
        if axes[0].over_time:
            mark_stages(ax, runs, True)
        if any(len(panel.lines_of(r)) > 1 for r in runs):
            legend(ax)
    shown = [ax for ax, _ in drawn]
    for ax in grid.flat:
        if ax not in shown:
            ax.set_axis_off()
    for k, ax in enumerate(shown):
        ax.text(-0.02, 1.03, f"({'abcdefghijkl'[k]})", transform=ax.transAxes, ha="right", va="bottom")
    if not drawn:
        plt.close(figure)
        return
    single = [ax for ax in shown if ax.get_legend() is None]
    if len(runs) > 1 and single:
        handles, labels = max((ax.get_legend_handles_labels() for ax in single), key=lambda h: len(h[0]))
        figure.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=min(len(runs), 4))
    figures.save(figure, name, [words for _, words in drawn], axes[0].column)


def draw_single(runs, axes, panels, figures):
    for panel in panels:
        if not any(panel.lines_of(run) for run in runs):
            continue
        figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
        words = draw_panel(ax, runs, axes, panel)
        if not words:
            plt.close(figure)
            continue
        if axes[0].over_time:
            mark_stages(ax, runs, True)
        legend(ax)
        figures.save(figure, panel.name, [words], axes[0].column)


PROFILES = {"velocity_x": "velocity $v_x$", "shear_rate": r"shear rate $\partial v_x/\partial y$",
            "displacement_x": "displacement $u_x$", "shear_strain": r"shear strain $\partial u_x/\partial y$",
            "rotation": "rotation"}


def draw_profiles(runs, figures, curves=6):
    runs = [r for r in runs if r.profiles.bins and r.profiles.rows]
    if not runs:
        return
    names = list(dict.fromkeys(n for r in runs for n in r.profiles.bins))
    figure, axes = plt.subplots(len(runs), len(names), squeeze=False, layout="constrained",
                                figsize=(3.0 * len(names) + 1, 3.8 * len(runs)))
    for row, run in zip(axes, runs):
        p = run.profiles
        strain = p.values.get("strain")
        by_strain = strain is not None and np.ptp(strain) > 0
        x = strain if by_strain else p.values.get("time", np.arange(p.rows))
        start = max(int(np.argmax(x != x[0])) - 1, 0) if by_strain else 0
        # Evenly spaced in x between the ends, or in rows if the strain has cycles.
        wanted = np.linspace(start, p.rows - 1, curves) if np.any(np.diff(x[start:]) < 0) else None
        chosen = np.unique(wanted.round().astype(int)) if wanted is not None else start + np.unique(
            np.searchsorted(x[start:], np.linspace(x[start], x[-1], curves)).clip(0, p.rows - start - 1))
        low, high = x[chosen].min(), x[chosen].max()
        shade = plt.Normalize(low, high if high > low else low + 1)
        for ax, name in zip(row, names):
            if name not in p.bins:
                ax.set_axis_off()
                continue
            for k in chosen:
                ax.plot(p.values[name][k], p.bins[name], color=plt.cm.viridis(0.92 * shade(x[k])), marker="o", ms=2.5)
            unit = p.units[name]
            ax.set_xlabel(PROFILES.get(name, name.replace("_", " ")) + (f" ({unit})" if unit not in ("", "1") else ""))
            ax.locator_params(axis="x", nbins=5)
            if ax is row[0]:
                ax.set_ylabel("height $y$ (m)" if p.bin_units[name] == "m" else f"bin ({p.bin_units[name]})")
        row[0].set_title(plain(run.label) if len(runs) > 1 else "", loc="left", fontsize=10)
        colours = matplotlib.colors.ListedColormap(plt.cm.viridis(np.linspace(0, 0.92, 256)))  # no pale end
        figure.colorbar(plt.cm.ScalarMappable(norm=shade, cmap=colours), ax=list(row),
                        label=r"shear strain $\gamma$" if by_strain else "time $t$ (s)", shrink=0.9)
    figures.save(figure, "profiles", names, "the height")


LEDGER = {
    "boundary_work": "boundary work", "gravity_work": "gravity work", "applied_work": "applied work",
    "kinetic_energy": "kinetic", "stored_normal": "stored, normal", "stored_tangential": "stored, tangential",
    "friction_loss": "friction", "viscous_loss": "viscous", "circulation": "law circulation",
    "event_loss": "event loss", "energy_residual": "residual", "own_motion_work": "work of own motions",
    "own_force_work": "work of own forces"}


def keeps_ledger(run):
    if not run.has("boundary_work", "energy_residual", "absolute_work"):
        say(f"ledger: {run.folder} has no energy ledger; left out")
    elif not np.isfinite(run["boundary_work"]).any():
        say(f"ledger: {run.folder} kept no books of works (output.ledger = false); left out")
    else:
        return True
    return False


def draw_ledger(runs, axes, figures):
    pairs = [(r, a) for r, a in zip(runs, axes) if keeps_ledger(r)]
    if not pairs:
        return
    figure, grid = plt.subplots(2, len(pairs), squeeze=False, sharex="col", layout="constrained",
                                figsize=(6.0 * len(pairs) + 1.6, 6.4), height_ratios=[3, 1.2])
    drawn = {}
    for (ax, low), (run, axis) in zip(grid.T, pairs):
        x = axis.cut(axis.x)
        for k, (column, label) in enumerate(LEDGER.items()):
            if not run.has(column) or (
                    column != "energy_residual" and not np.any(np.nan_to_num(run[column][axis.rows]))):
                continue
            style = ({"color": "#000000", "ls": "-"} if column == "energy_residual" else
                     {"color": COLOURS[k % 6], "ls": LINES[k // 6]})
            ax.plot(x, axis.cut(run[column]), label=label, **style)
            drawn[column] = None
        ax.set_ylabel("energy; works and losses since the start (J)")
        ax.axhline(0, color="#888888", lw=0.6)
        work = np.where(run["absolute_work"] > 0, run["absolute_work"], np.nan)
        for column, label, style in (("energy_residual", "|residual| / absolute work", {"color": "#000000"}),
                                     ("circulation", "|circulation| / absolute work",
                                      {"color": "#56b4e9", "ls": "--"})):
            if run.has(column) and (column == "energy_residual" or np.any(run[column])):
                draw_line(low, x, axis.cut(np.abs(run[column]) / work), True, label=label, **style)
        low.axhline(1e-3, color="#d55e00", lw=0.8, ls=":", label="allowed residual $10^{-3}$")
        low.set_yscale("log")
        low.set_xlabel(axis.label)
        low.set_ylabel("share")
        ax.tick_params(labelbottom=True)
        if len(pairs) > 1:
            ax.set_title(plain(run.label), loc="left", fontsize=10, pad=16)
        if axis.over_time:
            mark_stages(ax, [run], True)
            mark_stages(low, [run], False)
    for row in grid:
        handles = {}
        for ax in row:
            for handle, label in zip(*ax.get_legend_handles_labels()):
                handles.setdefault(label, handle)
        row[-1].legend(handles.values(), handles.keys(), loc="upper left", bbox_to_anchor=(1.01, 1))
    figures.save(figure, "ledger", list(drawn), pairs[0][1].column)


def tell(run, driver, axis):
    """Prints one line per run: its driver and its axis."""
    if axis.over_time:
        print(f"{run.folder}: {driver.name}, over time")
        return
    inside = run.stage[axis.rows[1:]] if len(axis.rows) > 1 else run.stage[axis.rows]
    shown = dict.fromkeys(run.stage_name(k) for k in np.unique(inside))
    others = dict.fromkeys(n for k in np.unique(run.stage) if (n := run.stage_name(k)) not in shown)
    line = f"{run.folder}: {driver.name}, over {axis.column} from the start of stage {', '.join(shown)}"
    line += f"; over time in stages: {', '.join(others)}" if others else ""
    print(line + ("; a circle marks the start of a curve that turns round" if axis.reverses else ""))


def draw_runs(runs, against, folder, suffix):
    """Draws all pictures of runs of one driver. Returns their number."""
    plt.rcParams.update(STYLE)
    drivers = [driver_of(r) for r in runs]
    loadings = [d.loading(r) if against != "time" else None for d, r in zip(drivers, runs)]
    kinds = [(d.name, bool(loading), d.kind(r) if loading else "", r.dimension)
             for d, r, loading in zip(drivers, runs, loadings)]
    mixed = len(set(kinds)) > 1
    if mixed and against != "time":
        def words(run, kind):
            return (f"{run.folder}: {kind[0]}{' along ' + kind[2] if kind[2] else ''}"
                    f"{'' if kind[1] else ', not loaded'}, {kind[3]}D")
        raise PlotError("these runs have different axes and cannot be laid over each other:\n  "
                        + "\n  ".join(words(r, k) for r, k in zip(runs, kinds))
                        + "\nGive each kind in a call of its own, "
                          "or draw what all have over time with --against time", 2)
    for run, loading in zip(runs, loadings):
        if against == "strain" and loading is None:
            raise PlotError(f"nothing is loaded at a given rate in {run.folder}: its strain does not change; "
                            "use --against time", 2)
    folder.mkdir(parents=True, exist_ok=True)
    figures = Figures(folder, suffix)
    axes, times = [Axis(r, loading) for r, loading in zip(runs, loadings)], [Axis(r, None) for r in runs]
    for run, driver, axis in zip(runs, drivers, axes):
        tell(run, driver, axis)
    driver, loaded = drivers[0], loadings[0] is not None
    panels = COMMON if mixed else driver.panels if loaded else driver.over_time
    draw_single(runs, axes, panels, figures)
    draw_together(runs, axes, panels, "overview", figures)
    if loaded and any(len(np.unique(r.stage)) > 1 for r in runs):
        draw_together(runs, times, driver.over_time, "stages", figures)
    if not mixed:
        draw_profiles(runs, figures)
    draw_ledger(runs, axes if driver.ledger_over_loading else times, figures)
    return figures.count
