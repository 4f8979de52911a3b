#!/usr/bin/env python3
"""The page of `dem validate`: every study with its claims, its figures (inline SVG) and the case behind them.

    report.py FIGURES.json PAGE.html
    report.py FIGURES.json --pictures FOLDER

The page is one file that needs no network. FIGURES.json is written by dem validate. --pictures writes the figures of
full results, small, as FOLDER/STUDY/picture-1.png and so on.
"""
import html
import io
import json
import math
import os
import re
import sys
import textwrap
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.patches import Polygon  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter  # noqa: E402
from matplotlib.transforms import ScaledTranslation  # noqa: E402
from PIL import Image  # noqa: E402

VERDICTS = [("agrees", "agree"), ("differs", "differ"), ("not comparable", "not comparable")]
COLOURS = ["#1b6ca8", "#c8553d", "#3a7d44", "#8e5ea2", "#b8860b", "#2a9d8f", "#d1495b", "#5c677d", "#7f5539", "#4361ee"]
MARKERS = "os^Dv<>Ph*"
DASHES = ["--", ":", "-.", (0, (6, 2, 1, 2, 1, 2))]
ROLES = {"body-i": ("#b9d3ea", "#1b6ca8"), "body-j": ("#f3cfc6", "#c8553d"), "overlap": ("#f6d55c", "#8a6d00")}
PLANE_LINES = [("#111", "-"), ("#b3261e", "--"), ("#1d6f42", "-.")]  # contact planes of one panel, in their order
MOST_MARKERS = 250  # more points are drawn as a line alone

plt.rcParams.update({
    "svg.fonttype": "path", "svg.hashsalt": "libdem", "font.size": 10, "axes.titlesize": 10.5, "axes.grid": True,
    "grid.color": "#e3e6ea", "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.edgecolor": "#666", "legend.fontsize": 8.5,
    "legend.framealpha": 0.85, "lines.linewidth": 1.4, "lines.markersize": 4.5, "axes.formatter.useoffset": False,
})

# Letters with an index: t_c, k_n, Δt_max. Longer words with underscores are names of keys and columns.
INDEXED = re.compile(r"(?<![A-Za-z_$])((?:[ΔΣ])?[A-Za-zγμεξσηωρδφθαζτν]̇?)_([A-Za-z0-9]{1,3}|max|min)(?![A-Za-z0-9_])")


def mathtext(text):
    """Text of a figure: indices as matplotlib sets them."""
    text = text.replace("$", r"\$")
    return INDEXED.sub(lambda m: rf"{m[1]}$_\mathrm{{{m[2]}}}$", text)


def markup(text):
    """Text of the page: escaped, indices below the line, line breaks kept."""
    text = re.sub(r"`([^`<>]+)`", r"<code>\1</code>", html.escape(text))
    return INDEXED.sub(r"\1<sub>\2</sub>", text).replace("\n", "<br>")


def numbers(values):
    return [math.nan if v is None else float(v) for v in values]


def colour_of(k, count):
    return COLOURS[k] if count <= len(COLOURS) else plt.get_cmap("viridis")(0.9 * k / (count - 1))


def colour_of_prediction(label, data):
    """That of the curve it predicts: the one whose label shares most parts, between commas, with its own. Else dark grey."""
    parts = set(label.split(", "))
    shared = [len(parts & set(c["label"].split(", "))) if c["label"] else 0 for c in data]
    return colour_of(shared.index(max(shared)), len(data)) if shared and max(shared) > 0 else "#333"


def draw_curves(axes, panel):
    predictions = 0
    data = [c for c in panel["curves"] if c["style"] != "prediction"]
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
            axes.plot(x, y, color=colour_of_prediction(curve["label"], data), linestyle="none" if single else DASHES[predictions % len(DASHES)],
                      marker="x" if single else None, linewidth=1.2, label=label, zorder=3)
            predictions += 1
            continue
        k = data.index(curve)
        colour = colour_of(k, len(data))
        points = curve["style"] == "points"
        marker = None if curve["style"] == "line" or (len(x) > MOST_MARKERS and not points) else MARKERS[k % len(MARKERS)]
        size = 2.2 if points and len(x) > MOST_MARKERS else plt.rcParams["lines.markersize"]
        style = {"color": colour, "marker": marker, "linestyle": "none" if points else "-", "label": label, "markersize": size}
        if curve["y_low"] and curve["style"] == "line":  # a dense curve: its range as a band
            axes.fill_between(x, numbers(curve["y_low"]), numbers(curve["y_high"]), color=colour, alpha=0.2, linewidth=0)
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
            axes.add_patch(Polygon(list(zip(x, y)), closed=True, facecolor=face, edgecolor=edge, alpha=0.85, linewidth=1.1,
                                   label=label, zorder=3 if above else 2))
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
    has_factor = not panel["log_y"] and not 1e-3 <= largest < 1e5  # "1e-5" stands above the axis, where the title would be
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
    drawing, axes = plt.subplots(rows, columns, figsize=(width, height * rows), squeeze=False, constrained_layout=True)
    drawing.set_constrained_layout_pads(h_pad=0.12, w_pad=0.06)
    for k, one in enumerate(axes.flat):
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
    plt.close(drawing)
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


def write_pictures(studies, folder):
    """Replaces the pictures of the studies: 64 colours, 72 points per inch."""
    for study in studies:
        for old in (folder / study["study"]).glob("picture-*.png"):
            old.unlink()
        for number, figure in enumerate(study["figures"], 1):
            drawing, _ = drawing_of(figure)
            buffer = io.BytesIO()
            drawing.savefig(buffer, format="png", dpi=72, metadata={"Software": None})
            plt.close(drawing)
            picture = Image.open(buffer).convert("RGB").quantize(64)
            picture.save(folder / study["study"] / f"picture-{number}.png", optimize=True)


def counts(claims):
    return {word: sum(c["verdict"] == word for c in claims) for word, _ in VERDICTS}


def anchor(text):
    return re.sub(r"[^A-Za-z0-9-]+", "-", text)


def badge(verdict):
    return f'<span class="badge {anchor(verdict)}">{verdict}</span>'


def duration(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def short(claim, study):
    prefix = study["study"] + "/"
    return claim["id"][len(prefix):] if claim["id"].startswith(prefix) else claim["id"]


def command_of(study):
    return "dem validate " + study["study"] + (" --quick" if study["quick"] else "")


def claims_table(study):
    rows = []
    for c in study["claims"]:
        name = html.escape(short(c, study)).replace("-", "-<wbr>")
        rows.append(
            f'<tr id="{anchor(c["id"])}" class="{anchor(c["verdict"])}"><td><a class="self" href="#{anchor(c["id"])}">{name}</a>'
            f'<div class="source">{markup(c["source"])}</div></td><td>{markup(c["published"])}</td><td>{markup(c["measured"])}</td>'
            f'<td>{markup(c["tolerance"])}</td><td>{badge(c["verdict"])}</td></tr>'
            + (f'<tr class="note"><td></td><td colspan="4">{markup(c["note"])}</td></tr>' if c["note"] else ""))
    return ('<table class="claims"><colgroup><col style="width:17%"><col style="width:27%"><col style="width:27%">'
            '<col style="width:18%"><col style="width:11%"></colgroup><thead><tr><th>Claim, source</th><th>Published</th>'
            "<th>Measured</th><th>Tolerance</th><th>Verdict</th></tr></thead><tbody>" + "\n".join(rows) + "</tbody></table>")


def figure_block(figure, study, number):
    try:
        picture = svg_of(figure, number)
    except Exception as error:  # one figure must not cost the page
        plt.close("all")
        picture = f'<p class="error">This figure could not be drawn: {html.escape(str(error))}</p>'
    case = (f'<details><summary>The case behind it</summary><pre>{html.escape(figure["case_text"])}</pre></details>'
            if figure["case_text"] else "")
    command = figure["command"] or command_of(study)
    return (f'<figure id="{anchor("figure-" + figure["id"])}-{number}"><figcaption><b>{markup(figure["title"])}</b></figcaption>{picture}'
            f'<p class="caption">{markup(figure["caption"])}</p>'
            f'<p class="again">Again: <code>{html.escape(command)}</code></p>{case}</figure>')


def study_block(study, first_figure):
    parts = [f'<section id="{anchor(study["study"])}"><h2>{markup(study["title"])}</h2>',
             f'<p class="meta"><code>{html.escape(study["study"])}</code> &middot; {"quick set" if study["quick"] else "full set"} &middot; '
             f'{study["date"]} UTC &middot; libdem {html.escape(study["version"])} &middot; {duration(study["seconds"])} in the last call '
             f'&middot; again: <code>{html.escape(command_of(study))}</code></p>']
    if study.get("remark"):
        parts.append(f'<p class="meta">{markup(study["remark"])}</p>')
    if study["error"]:
        parts.append(f'<p class="error">This study did not come to its end: {markup(study["error"])}</p>')
    if study["claims"]:
        parts.append(claims_table(study))
    for k, figure in enumerate(study["figures"]):
        parts.append(figure_block(figure, study, first_figure + k))
    parts.append('<p class="top"><a href="#top">back to the top</a></p></section>')
    return "\n".join(parts)


def summary(studies):
    rows = []
    for s in studies:
        n = counts(s["claims"])
        cells = "".join(f'<td class="number {anchor(word) if n[word] else "none"}">{n[word] or "&ndash;"}</td>' for word, _ in VERDICTS)
        failed = ' <span class="badge error">failed</span>' if s["error"] else ""
        rows.append(f'<tr><td><a href="#{anchor(s["study"])}">{html.escape(s["study"].split("/", 1)[-1])}</a>{failed}</td><td>{markup(s["title"])}</td>{cells}'
                    f'<td>{"quick" if s["quick"] else "full"}</td><td class="date">{s["date"]}</td></tr>')
    total = counts([c for s in studies for c in s["claims"]])
    cells = "".join(f'<td class="number">{total[word]}</td>' for word, _ in VERDICTS)
    rows.append(f'<tr class="total"><td>all</td><td></td>{cells}<td></td><td></td></tr>')
    return ('<table class="summary"><thead><tr><th>Study</th><th></th><th>agree</th><th>differ</th><th>not comparable</th><th>set</th>'
            "<th>run (UTC)</th></tr></thead><tbody>" + "\n".join(rows) + "</tbody></table>")


def differing(studies):
    items = [f'<li><a href="#{anchor(c["id"])}">{html.escape(c["id"].split("/", 1)[-1])}</a>: {markup(c["note"] or c["measured"])}</li>'
             for s in studies for c in s["claims"] if c["verdict"] == "differs"]
    return f'<h2>What differs</h2><ul class="differing">{"".join(items)}</ul>' if items else ""


STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", "DejaVu Sans", sans-serif; color: #1d2329; background: #fff;
  max-width: 1200px; margin: 0 auto; padding: 24px 28px 80px; }
h1 { font-size: 26px; margin: 0 0 6px; } h2 { font-size: 20px; margin: 44px 0 4px; border-top: 2px solid #d9dee4; padding-top: 18px; }
a { color: #1b5e98; text-decoration: none; } a:hover { text-decoration: underline; }
code, pre { font: 13px/1.45 ui-monospace, "DejaVu Sans Mono", "Liberation Mono", Consolas, monospace; }
pre { background: #f5f6f8; padding: 12px 14px; overflow-x: auto; border-radius: 4px; max-height: 480px; }
table { border-collapse: collapse; width: 100%; margin: 12px 0 20px; }
th { text-align: left; font-weight: 600; font-size: 13px; color: #4a5560; border-bottom: 2px solid #c6ced6; padding: 5px 9px; vertical-align: bottom; }
td { border-top: 1px solid #e1e5ea; padding: 6px 9px; vertical-align: top; overflow-wrap: break-word; }
.claims { table-layout: fixed; font-size: 14px; } .claims .source { font-size: 12px; color: #68737e; }
.claims td:nth-child(4) { font-size: 13px; color: #4a5560; }
.claims tr.note td { border-top: none; padding-top: 0; color: #3d4750; font-size: 13.5px; font-style: italic; }
.badge { display: inline-block; font-size: 12.5px; font-weight: 600; border-radius: 3px; padding: 1px 7px; }
.badge.agrees { background: #dcefdd; color: #1e5b26; } .badge.differs { background: #f9dfd8; color: #8f2d13; }
.badge.not-comparable { background: #e6e9ed; color: #414b55; } .badge.error { background: #8f2d13; color: #fff; }
.summary td { padding: 4px 9px; } .summary .number { text-align: right; width: 70px; font-variant-numeric: tabular-nums; }
.summary th:nth-child(n+3):nth-child(-n+5) { text-align: right; } .summary td.date { white-space: nowrap; color: #4a5560; }
.summary .agrees { color: #1e5b26; } .summary .differs { color: #a3331a; font-weight: 600; } .summary .none { color: #b7bec6; }
.summary .total td { border-top: 2px solid #c6ced6; font-weight: 600; }
.meta, .again, .top { font-size: 13px; color: #68737e; margin: 2px 0 10px; } .error { background: #f9dfd8; padding: 8px 12px; border-radius: 4px; }
figure { margin: 26px 0 34px; } figure .caption { margin: 6px 0 2px; max-width: 900px; } figcaption { font-size: 15px; margin-bottom: 6px; }
svg.wide { width: 100%; height: auto; } svg.narrow { width: 760px; max-width: 100%; height: auto; }
details summary { cursor: pointer; color: #1b5e98; font-size: 13.5px; } .differing { font-size: 14px; padding-left: 22px; } .differing li { margin: 3px 0; }
tr:target td { background: #fff8dc; }
"""


def main():
    pictures = len(sys.argv) == 4 and sys.argv[2] == "--pictures"
    if len(sys.argv) != 3 and not pictures:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        studies = json.load(file)["studies"]
    if pictures:
        write_pictures([s for s in studies if not s["quick"] and not s["error"]], Path(sys.argv[3]))
        return
    total = counts([c for s in studies for c in s["claims"]])
    sentence = ", ".join(f"{total[word]} {plural}" for word, plural in VERDICTS)
    blocks, figures = [], 0
    for study in studies:
        blocks.append(study_block(study, figures))
        figures += len(study["figures"])
    page = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>libdem: validation</title><style>{STYLE}</style></head><body id="top">
<h1>Validation of libdem</h1>
<p>Published figures and tables beside what libdem measures, claim by claim: {sum(total.values())} claims, {sentence}.
A published claim that does not hold is a finding; the note under a claim says why. Tolerances come from the accuracy of the source, not from the result.
Predictions and published values are dashed in the figures.</p>
{summary(studies)}
{differing(studies)}
{"".join(blocks)}
</body></html>
"""
    part = sys.argv[2] + ".part"
    with open(part, "w", encoding="utf-8") as file:
        file.write(page)
    os.replace(part, sys.argv[2])


if __name__ == "__main__":
    main()
