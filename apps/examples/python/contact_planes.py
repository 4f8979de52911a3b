#!/usr/bin/env python3
"""Along which plane do two polygons touch?

A pentagon overlaps the corner of a square. Each definition makes a contact plane from the shape of the overlap. The
planes of this slender overlap differ by up to 31 degrees, and so do the normals of the contact force.

    PYTHONPATH=build/release/python python3 apps/examples/python/contact_planes.py [--short] [--picture FILE]

Picture: the two polygons and their overlap; on the right the overlap alone with all planes through its centroid.
"""
import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import dem

COLOURS = ("#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")


def regular_polygon(corners, radius, centre, turn):
    angle = turn + 2 * np.pi * np.arange(corners) / corners
    return np.add(centre, radius * np.column_stack([np.cos(angle), np.sin(angle)]))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="no difference here: less than a second")
    parser.add_argument("--picture", type=Path, default=Path(__file__).with_suffix(".svg"))
    given = parser.parse_args(arguments)

    a = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])  # m
    b = regular_polygon(5, 0.6, (1.4, 0.95), 2.75)
    overlap = dem.overlap(a, b)
    part = overlap[0]

    figure, (whole, near) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for axes in (whole, near):
        axes.fill(*part.vertices.T, color="#e69f00", alpha=0.6, linewidth=0, label="overlap")
        axes.fill(*a.T, facecolor="none", edgecolor="#20242a", linewidth=1)
        axes.fill(*b.T, facecolor="none", edgecolor="#20242a", linewidth=1)
        axes.set_aspect("equal")
        axes.set(xlabel="x (m)", ylabel="y (m)")
    for polygon, name in ((a, "a"), (b, "b")):
        whole.text(*polygon.mean(axis=0), name, fontsize="x-large", ha="center", va="center")

    # Equal planes lie over each other. Later lines are thinner, so that all of them show.
    reach = 0.75 * np.ptp(part.vertices, axis=0).max()
    for number, (name, angle) in enumerate(part.planes.items()):
        if np.isnan(angle):
            continue
        along = reach * np.array([np.cos(angle), np.sin(angle)])
        ends = np.array([part.centroid - along, part.centroid + along])
        near.plot(*ends.T, color=COLOURS[number], linewidth=5.5 - 0.9 * number,
                  label=f"{name} ({np.degrees(angle):.1f}°)")
    middle = part.vertices.mean(axis=0)
    near.set(xlim=middle[0] + reach * np.array([-1.2, 1.2]), ylim=middle[1] + reach * np.array([-1.2, 1.2]))
    near.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    whole.set_title(f"overlap area {part.area:.4g} m²", fontsize="medium")
    figure.savefig(given.picture, bbox_inches="tight")  # the layout leaves no room for labels beside equal axes
    return {"area": overlap.area, "components": len(overlap), "planes": part.planes}


if __name__ == "__main__":
    found = main()
    for name, sentence in dem.contact_planes().items():
        print(f"{name:<18} {np.degrees(found['planes'][name]):7.2f}°  {sentence}")
