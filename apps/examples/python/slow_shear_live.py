#!/usr/bin/env python3
"""How does a packing of polygons respond to slow shear?

Two callbacks look at the case apps/examples/slow-shear.toml while it runs. The first collects the shear ratio and the
height of the packing, and stops the run at a wanted strain. The second redraws a window. No bit depends on them.

    PYTHONPATH=build/release/python python3 apps/examples/python/slow_shear_live.py [--short] [--picture FILE]

Picture: shear ratio and height over shear strain, and the polygons, coloured by their rotation. Without a display the
same picture is written at the end.
"""
import argparse
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

import dem

CASE = Path(__file__).parents[1] / "slow-shear.toml"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="a smaller packing and a strain of 0.02")
    parser.add_argument("--picture", type=Path, default=Path(__file__).with_suffix(".svg"))
    given = parser.parse_args(arguments)
    live = matplotlib.get_backend().lower() in (name.lower() for name in matplotlib.rcsetup.interactive_bk)
    last_strain = 0.02 if given.short else 0.2
    run = dem.Run(dem.Case.read(CASE).changed({"assembly.columns": 8, "assembly.rows": 10} if given.short else {}))

    figure, (curve, packing) = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
    curve.set_xlabel("shear strain")
    rows, lines = {"strain": [], "shear_ratio": [], "height": []}, {}
    for axes, name, label, colour in ((curve, "shear_ratio", "shear stress over normal stress", "#0072b2"),
                                      (curve.twinx(), "height", "height (m)", "#d55e00")):
        axes.set_ylabel(label, color=colour)
        lines[name], = axes.plot([], [], color=colour)
    polygons = packing.add_collection(PolyCollection([], cmap="coolwarm", edgecolor="#20242a", linewidth=0.4))
    packing.set(aspect="equal", xlabel="x (m)", ylabel="y (m)")
    figure.colorbar(polygons, ax=packing, label="rotation (degrees)", shrink=0.8)

    def draw(now):
        for name, line in lines.items():
            line.set_data(rows["strain"], rows[name])
            line.axes.relim()
            line.axes.autoscale_view()
        outlines, rotation = now.bodies.outlines(), np.degrees(now.bodies.angle)
        polygons.set(verts=outlines, array=rotation)
        polygons.set_clim(-np.abs(rotation).max(), np.abs(rotation).max())
        packing.update_datalim(np.concatenate(outlines))  # a collection alone does not move the limits of its axes
        packing.autoscale_view()
        packing.set_title(f"t = {now.time:.4g} s, {len(now.contacts)} contacts", fontsize="medium")

    @run.every(strain=1e-3)
    def collect(now):
        for name, values in rows.items():
            values.append(now.series[name])
        if now.strain >= last_strain:
            now.stop(f"the shear strain {last_strain} is reached")

    if live:
        @run.every(strain=5e-3)
        def redraw(now):
            draw(now)
            plt.pause(1e-3)

    result = run()
    with run.look() as now:
        draw(now)
    figure.savefig(given.picture)
    return {"strain": rows["strain"][-1], "peak": max(rows["shear_ratio"]), "rows": len(rows["strain"]),
            "dilation": rows["height"][-1] - rows["height"][0], "verdict": str(result.verdict)}


if __name__ == "__main__":
    found = main()
    print(f"{found['verdict']}\nlargest shear ratio {found['peak']:.3f}, rise of the plates {found['dilation']:.3g} m")
