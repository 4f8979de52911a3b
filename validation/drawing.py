"""The figures of studies, drawn with matplotlib: for the page and as pictures."""
import html
import io
import re
import textwrap
import traceback

import matplotlib
import numpy as np
from matplotlib.figure import Figure  # without pyplot, which would hold a figure that cannot be drawn
from matplotlib.patches import Polygon
from matplotlib.ticker import LogLocator, NullFormatter
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
    return np.array(values, dtype=float)  # None is not a number


def colours_of(data):
    """A colour for each curve. One without a label has that of the curve before: both are of one kind."""
    numbers = []
    for curve in data:
        numbers.append(numbers[-1] if numbers and not curve["label"] else max(numbers, default=-1) + 1)
    if max(numbers, default=0) < len(COLOURS):
        return [COLOURS[k] for k in numbers]
    return [matplotlib.colormaps["viridis"](0.9 * k / numbers[-1]) for k in numbers]


def colour_of_prediction(label, data, colours):
    """The colour of the curve that it predicts, else dark grey. That curve shares most parts of the label, between
    commas."""
    parts = set(label.split(", "))
    shared = [len(parts & set(c["label"].split(", "))) if c["label"] else 0 for c in data]
    return colours[shared.index(max(shared))] if shared and max(shared) > 0 else "#333"


def draw_curves(axes, panel):
    data = [c for c in panel["curves"] if c["style"] != "prediction"]
    colours, predictions = colours_of(data), 0
    for curve in panel["curves"]:
        x, y, low, high = (numbers(curve[name]) for name in ("x", "y", "y_low", "y_high"))
        usable = np.isfinite(x) & np.isfinite(y) & ((x > 0) | (not panel["log_x"])) & ((y > 0) | (not panel["log_y"]))
        style = {"label": mathtext(curve["label"]) or None}
        if not usable.any():
            if curve["label"]:
                axes.plot([], [], " ", label=style["label"] + " (no value)")
            continue
        if curve["style"] == "prediction":
            single = usable.sum() == 1
            axes.plot(x, y, color=colour_of_prediction(curve["label"], data, colours), marker="x" if single else None,
                      linestyle="none" if single else DASHES[predictions % len(DASHES)], linewidth=1.2, zorder=3,
                      **style)
            predictions += 1
            continue
        k, points, dense = data.index(curve), curve["style"] == "points", len(x) > MOST_MARKERS
        bare = curve["style"] == "line" or (dense and not points)
        style |= {"color": colours[k], "marker": None if bare else MARKERS[k % len(MARKERS)],
                  "linestyle": "none" if points else "-", "markersize": 2.2 if points and dense else 4.5}
        if len(low) and curve["style"] == "line":  # a dense curve: its range as a band
            axes.fill_between(x, low, high, color=colours[k], alpha=0.2, linewidth=0)
        if len(low) and curve["style"] != "line":
            bars = np.nan_to_num(np.maximum(0, [y - low, high - y]))
            axes.errorbar(x, y, yerr=bars, capsize=2, elinewidth=0.9, **style)
        else:
            axes.plot(x, y, **style)


def draw_polygons(axes, panel):
    planes = 0
    for polygon in panel["polygons"]:
        x, y, label = numbers(polygon["x"]), numbers(polygon["y"]), mathtext(polygon["label"]) or None
        if polygon["role"] == "plane":
            colour, dashes = PLANE_LINES[planes % len(PLANE_LINES)]
            axes.plot(x, y, color=colour, linestyle=dashes, linewidth=1.8, label=label, zorder=4)
            planes += 1
        else:
            face, edge = ROLES.get(polygon["role"], ("#e8e8e8", "#555"))
            axes.add_patch(Polygon(np.column_stack([x, y]), facecolor=face, edgecolor=edge, alpha=0.85, linewidth=1.1,
                                   label=label, zorder=3 if polygon["role"] == "overlap" else 2))
    axes.set_aspect("equal", adjustable="datalim")
    axes.autoscale_view()


def label_between_decades(axis):
    """Labels of a log axis that spans fewer than two decades, few enough not to meet."""
    low, high = sorted(axis.get_view_interval())
    decades = np.log10(high / low)
    axis.set_minor_formatter("{x:g}" if decades < 2 else NullFormatter())
    if decades < 2:
        axis.set_major_formatter("{x:g}")
        axis.set_minor_locator(LogLocator(subs=(2, 5) if decades > 0.9 else (1.5, 2, 3, 4, 5, 7)))


def draw_panel(axes, panel, characters):
    draw_curves(axes, panel)
    if panel["polygons"]:
        draw_polygons(axes, panel)
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if panel[f"log_{name}"]:
            axes.set(**{f"{name}scale": "log"})
            label_between_decades(axis)
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
    width, height, characters = {1: (7.4, 4.6, 80), 2: (12, 4.5, 58), 3: (12, 4.0, 40)}[columns]
    height += 0.18 * max(0, max((len(p["curves"]) for p in panels), default=0) - 5)
    drawing = Figure(figsize=(width, height * rows), constrained_layout=True)
    drawing.set_constrained_layout_pads(h_pad=0.12, w_pad=0.06)
    for k, one in enumerate(drawing.subplots(rows, columns, squeeze=False).flat):
        if k < len(panels):
            draw_panel(one, panels[k], characters)
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
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<0>f{number}-", svg)
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
