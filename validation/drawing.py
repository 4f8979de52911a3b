"""The figures of studies, drawn with matplotlib: for the page and as pictures."""
import html
import io
import math
import re
import textwrap
import traceback

import matplotlib
from matplotlib.figure import Figure  # without pyplot, which would hold a figure that cannot be drawn
from matplotlib.patches import Polygon
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter
from matplotlib.transforms import ScaledTranslation
from PIL import Image

COLOURS = ["#1b6ca8", "#c8553d", "#3a7d44", "#8e5ea2", "#b8860b", "#2a9d8f", "#d1495b", "#5c677d", "#7f5539", "#4361ee"]
MARKERS = "os^Dv<>Ph*"
DASHES = ["--", ":", "-.", (0, (6, 2, 1, 2, 1, 2))]
ROLES = {"body-i": ("#b9d3ea", "#1b6ca8"), "body-j": ("#f3cfc6", "#c8553d"), "overlap": ("#f6d55c", "#8a6d00")}
PLANE_LINES = [("#111", "-"), ("#b3261e", "--"), ("#1d6f42", "-.")]  # contact planes of one panel, in their order
MOST_MARKERS = 250  # more points are drawn as a line alone

matplotlib.rcParams.update({
    "svg.fonttype": "path", "svg.hashsalt": "libdem", "font.size": 10, "axes.titlesize": 10.5, "axes.grid": True,
    "grid.color": "#e3e6ea", "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.edgecolor": "#666",
    "legend.fontsize": 8.5, "legend.framealpha": 0.85, "lines.linewidth": 1.4, "lines.markersize": 4.5,
    "axes.formatter.useoffset": False,
})

# Letters with an index: t_c, k_n, Δt_max. Longer words with underscores are names of keys and columns.
INDEXED = re.compile(r"(?<![A-Za-z_$])((?:[ΔΣ])?[A-Za-zγμεξσηωρδφθαζτν]̇?)_([A-Za-z0-9]{1,3}|max|min)(?![A-Za-z0-9_])")


def mathtext(text):
    """Text of a figure: indices as matplotlib sets them."""
    text = text.replace("$", r"\$")
    return INDEXED.sub(lambda m: rf"{m[1]}$_\mathrm{{{m[2]}}}$", text)


def numbers(values):
    return [math.nan if v is None else float(v) for v in values]


def colour_of(k, count):
    return COLOURS[k] if count <= len(COLOURS) else matplotlib.colormaps["viridis"](0.9 * k / (count - 1))


def colours_of(data):
    """A colour for each curve. One without a label has that of the curve before: both are of one kind."""
    numbers = []
    for curve in data:
        numbers.append(numbers[-1] if numbers and not curve["label"] else max(numbers, default=-1) + 1)
    return [colour_of(k, numbers[-1] + 1) for k in numbers]


def colour_of_prediction(label, data, colours):
    """The colour of the curve that it predicts, else dark grey. That curve shares most parts of the label, between
    commas."""
    parts = set(label.split(", "))
    shared = [len(parts & set(c["label"].split(", "))) if c["label"] else 0 for c in data]
    return colours[shared.index(max(shared))] if shared and max(shared) > 0 else "#333"


def draw_curves(axes, panel):
    predictions = 0
    data = [c for c in panel["curves"] if c["style"] != "prediction"]
    colours = colours_of(data)
    for curve in panel["curves"]:
        x, y = numbers(curve["x"]), numbers(curve["y"])
        usable = [k for k in range(len(x)) if math.isfinite(x[k]) and math.isfinite(y[k])
                  and (x[k] > 0 or not panel["log_x"]) and (y[k] > 0 or not panel["log_y"])]
        label = mathtext(curve["label"]) or None
        if not usable:
            if label:
                axes.plot([], [], " ", label=label + " (no value)")
            continue
        if curve["style"] == "prediction":
            single = len(usable) == 1
            dashes = "none" if single else DASHES[predictions % len(DASHES)]
            axes.plot(x, y, color=colour_of_prediction(curve["label"], data, colours), linestyle=dashes,
                      marker="x" if single else None, linewidth=1.2, label=label, zorder=3)
            predictions += 1
            continue
        k = data.index(curve)
        colour = colours[k]
        points = curve["style"] == "points"
        dense = len(x) > MOST_MARKERS
        bare = curve["style"] == "line" or (dense and not points)
        style = {"color": colour, "marker": None if bare else MARKERS[k % len(MARKERS)], "label": label,
                 "linestyle": "none" if points else "-",
                 "markersize": 2.2 if points and dense else matplotlib.rcParams["lines.markersize"]}
        if curve["y_low"] and curve["style"] == "line":  # a dense curve: its range as a band
            low, high = numbers(curve["y_low"]), numbers(curve["y_high"])
            axes.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
            axes.plot(x, y, **style)
        elif curve["y_low"]:
            low, high = numbers(curve["y_low"]), numbers(curve["y_high"])
            bars = [[max(0.0, b - a) if math.isfinite(a) else 0 for a, b in zip(low, y)],
                    [max(0.0, b - a) if math.isfinite(b) else 0 for a, b in zip(y, high)]]
            axes.errorbar(x, y, yerr=bars, capsize=2, elinewidth=0.9, **style)
        else:
            axes.plot(x, y, **style)


def draw_polygons(axes, panel):
    planes = 0
    for polygon in panel["polygons"]:
        x, y = numbers(polygon["x"]), numbers(polygon["y"])
        label = mathtext(polygon["label"]) or None
        if polygon["role"] == "plane":
            colour, dashes = PLANE_LINES[planes % len(PLANE_LINES)]
            axes.plot(x, y, color=colour, linestyle=dashes, linewidth=1.8, label=label, zorder=4)
            planes += 1
        else:
            face, edge = ROLES.get(polygon["role"], ("#e8e8e8", "#555"))
            above = polygon["role"] == "overlap"
            axes.add_patch(Polygon(list(zip(x, y)), closed=True, facecolor=face, edgecolor=edge, alpha=0.85,
                                   linewidth=1.1, label=label, zorder=3 if above else 2))
    axes.set_aspect("equal", adjustable="datalim")
    axes.autoscale_view()


def log_text(value, _position=None):
    if 1e-3 < value < 1e4:
        return f"{value:g}"
    if not value > 0:
        return ""
    exponent = math.floor(math.log10(value) + 1e-9)
    factor = value / 10.0**exponent
    return rf"$10^{{{exponent}}}$" if math.isclose(factor, 1) else rf"${factor:.3g}\cdot10^{{{exponent}}}$"


def label_log_axis(axis):
    """Decades, and the steps between them where there are too few decades to read a value."""
    low, high = sorted(axis.get_view_interval())
    decades = math.log10(high / low) if low > 0 else 0
    axis.set_major_formatter(FuncFormatter(log_text))
    if decades < 0.35:  # a part of a decade: round numbers as on a linear axis
        step = 10 ** math.floor(math.log10((high - low) / 3))
        step *= next(f for f in (1, 2, 5, 10) if (high - low) / (f * step) <= 7)
        ticks = [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
        axis.set_major_locator(FixedLocator(ticks))
        axis.set_minor_formatter(NullFormatter())
    elif decades < 2:
        axis.set_minor_locator(LogLocator(subs=(2, 5) if decades > 0.9 else (1.5, 2, 3, 4, 5, 7)))
        axis.set_minor_formatter(FuncFormatter(log_text))
    else:
        axis.set_minor_formatter(NullFormatter())


def draw_panel(axes, panel, characters):
    draw_curves(axes, panel)
    if panel["polygons"]:
        draw_polygons(axes, panel)
    if panel["log_x"]:
        axes.set_xscale("log")
    if panel["log_y"]:
        axes.set_yscale("log")
    for log, axis in ((panel["log_x"], axes.xaxis), (panel["log_y"], axes.yaxis)):
        if log:
            label_log_axis(axis)
    axes.set_xlabel(mathtext(textwrap.fill(panel["x_label"], characters)))
    axes.set_ylabel(mathtext(textwrap.fill(panel["y_label"], 38)))
    largest = max(map(abs, axes.get_ylim()))
    # A factor such as "1e-5" stands above the axis, where the title would be.
    has_factor = not panel["log_y"] and not 1e-3 <= largest < 1e5
    axes.set_title(mathtext(textwrap.fill(panel["title"], characters)), pad=16 if has_factor else 6)
    handles, labels = axes.get_legend_handles_labels()
    if len(labels) > 5 or sum(map(len, labels)) > 130:  # below: nothing of the curves is hidden
        columns = 2 if max(map(len, labels)) < characters // 2 and len(labels) > 3 else 1
        below = axes.transAxes + ScaledTranslation(0, -0.46, axes.figure.dpi_scale_trans)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0), bbox_transform=below, ncol=columns, frameon=False)
    elif labels:
        axes.legend(loc="best")


def drawing_of(figure):
    """The figure as matplotlib draws it, and whether it has several columns of panels."""
    panels = figure["panels"]
    columns = 1 if len(panels) == 1 else 3 if len(panels) == 3 or len(panels) > 4 else 2
    rows = -(-len(panels) // columns)
    width = 7.4 if columns == 1 else 12
    height = {1: 4.6, 2: 4.5, 3: 4.0}[columns]
    legend_lines = max((len(p["curves"]) for p in panels), default=0)
    height += 0.18 * max(0, legend_lines - 5) if legend_lines > 5 else 0
    drawing = Figure(figsize=(width, height * rows), constrained_layout=True)
    drawing.set_constrained_layout_pads(h_pad=0.12, w_pad=0.06)
    for k, one in enumerate(drawing.subplots(rows, columns, squeeze=False).flat):
        if k < len(panels):
            draw_panel(one, panels[k], {1: 80, 2: 58, 3: 40}[columns])
        else:
            one.axis("off")
    return drawing, columns > 1


def svg_of(figure, number):
    """The figure as an SVG element whose ids are its own."""
    drawing, wide = drawing_of(figure)
    buffer = io.StringIO()
    drawing.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'\bid="', f'id="f{number}-', svg)
    svg = re.sub(r"url\(#", f"url(#f{number}-", svg)
    svg = re.sub(r'href="#', f'href="#f{number}-', svg)
    # The page gives the width; the view box keeps the shape.
    svg = re.sub(r'<svg height="[^"]*"( version="[^"]*")?', "<svg", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    name = html.escape(figure["title"], quote=True)
    return svg.replace("<svg", f'<svg class="{"wide" if wide else "narrow"}" role="img" aria-label="{name}"', 1)


def picture_of(figure):
    """The figure as a small PNG: 64 colours, 72 points per inch."""
    drawn, small = io.BytesIO(), io.BytesIO()
    drawing_of(figure)[0].savefig(drawn, format="png", dpi=72, metadata={"Software": None})
    Image.open(drawn).convert("RGB").quantize(64).save(small, "png", optimize=True)
    return small.getvalue()


def write_pictures(studies, folder):
    """Replaces the pictures of each study once all of them are drawn. Returns the studies that failed."""
    failed = []
    for study in studies:
        try:
            place = folder / study["study"]
            pictures = {place / f"picture-{k}.png": picture_of(figure) for k, figure in enumerate(study["figures"], 1)}
            for file, picture in pictures.items():
                file.write_bytes(picture)
            for old in set(place.glob("picture-*.png")) - pictures.keys():
                old.unlink()
        except Exception:  # one study must not cost the others
            traceback.print_exc()
            failed.append(study["study"])
    return failed
