#!/usr/bin/env python3
"""Draws a contact driven along a path, or its tractions: the table of `dem contact` on standard input → FILE.

    dem contact apps/examples/contact-loop.toml | bash apps/plot_contact.sh contact-loop.svg
"""
import argparse
import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

# Okabe and Ito: distinct for colour-blind readers too.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]
REGIMES = {"stick": "#0072b2", "slip": "#cc79a7", "slide": "#d55e00", "retrace": "#009e73", "separated": "#000000",
           "unchanged": "#bbbbbb"}
plt.rcParams.update({
    "figure.dpi": 130, "font.size": 9, "axes.grid": True, "grid.alpha": 0.25, "axes.axisbelow": True,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "legend.fontsize": 8,
    "lines.linewidth": 1.2, "axes.formatter.use_mathtext": True, "svg.fonttype": "path", "svg.hashsalt": "libdem",
    "axes.prop_cycle": plt.cycler(color=COLOURS)})


def above(panel):
    """Places the legend above the panel, away from its lines."""
    panel.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=4, columnspacing=1.0, handletextpad=0.4)


def save(fig, file):
    try:
        fig.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
    except OSError as error:
        print(f"cannot write {file}: {error.strerror or error}", file=sys.stderr)
        file.unlink(missing_ok=True)  # half a picture
        sys.exit(3)
    print(file)


def draw_tractions(rows, fig):
    """Draws pressure and shear over the radius, one panel per row of the drive."""
    steps = sorted({int(r["step"]) for r in rows})
    panels = fig.subplots(1, len(steps), sharey=True, squeeze=False)[0]
    parts = [n for n in rows[0] if n.startswith("shear_")]
    for panel, step in zip(panels, steps):
        here = [r for r in rows if int(r["step"]) == step]
        radius = np.array([float(r["radius"]) for r in here])
        panel.plot(radius, [float(r["pressure"]) for r in here], color=COLOURS[6], label="pressure")
        for n in parts:
            panel.plot(radius, [float(r[n]) for r in here], label=n.replace("_", " "))
        panel.set(xlabel="radius (m)", title=f"row {step}")
        panel.ticklabel_format(axis="x", style="sci", scilimits=(-2, 3))
    panels[0].set(ylabel="traction (Pa)")
    panels[0].legend()


def main():
    parser = argparse.ArgumentParser(description="Draws the table of dem contact, given on standard input.")
    parser.add_argument("file", type=pathlib.Path, help="picture to write (.svg, .png, .pdf)")
    file = parser.parse_args().file
    rows = list(csv.DictReader(sys.stdin))
    if not rows:
        sys.exit("plot_contact.py: no table on standard input")
    if "radius" in rows[0]:
        fig = plt.figure(figsize=(2 + 2.6 * len({r["step"] for r in rows}), 3.2), layout="constrained")
        draw_tractions(rows, fig)
        save(fig, file)
        return
    parts = [n for n in rows[0] if n.startswith("tangential_")]
    column = {n: np.array([float(r[n]) for r in rows]) for n in rows[0] if n != "regime"}
    regimes = [r["regime"] for r in rows]
    step = column["step"]

    fig, panels = plt.subplots(2, 2, figsize=(8.4, 6.4), layout="constrained")
    forces, path, energy, dissipation = panels.flat
    forces.plot(step, column["normal_force"], color=COLOURS[6], label="normal")
    for n in parts:
        forces.plot(step, column[n], label=n.replace("_", " "))
    forces.set(xlabel="row", ylabel="force on i (N)")
    above(forces)

    # In the contact frame: path of the tangential force. In space: its size over the normal force.
    if len(parts) == 2:
        x, y = column[parts[0]], column[parts[1]]
        path.set(xlabel=f"{parts[0].replace('_', ' ')} (N)", ylabel=f"{parts[1].replace('_', ' ')} (N)", aspect="equal")
        path.set_adjustable("datalim")
    else:
        x, y = column["normal_force"], np.sqrt(sum(column[n] ** 2 for n in parts))
        path.set(xlabel="normal force (N)", ylabel="tangential force (N)")
    path.plot(x, y, color="#bbbbbb", linewidth=0.8)
    for regime, colour in REGIMES.items():
        here = [k for k, r in enumerate(regimes) if r == regime]
        if here:
            path.plot(x[here], y[here], ".", color=colour, markersize=4, label=regime)
    above(path)

    for n in ("stored_normal", "stored_tangential"):
        energy.plot(step, column[n], label=n.replace("_", " "))
    energy.set(xlabel="row", ylabel="stored energy (J)")
    above(energy)
    dissipation.plot(step, np.cumsum(column["work_tangential"]), label="tangential work")
    dissipation.plot(step, np.cumsum(column["dissipated"]), label="dissipated")
    dissipation.set(xlabel="row", ylabel="since the start (J)")
    above(dissipation)
    save(fig, file)


if __name__ == "__main__":
    main()
