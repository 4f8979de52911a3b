#!/usr/bin/env python3
"""Which contacts carry the load?

Discs are compressed along y, as in apps/examples/biaxial-discs.toml. Then one look at the run gives the contact forces
as arrays. Few contacts carry much: chains of large forces stand along y, the direction of the larger stress.

    PYTHONPATH=build/release/python python3 apps/examples/python/force_chains.py [--short] [--picture FILE]

Picture: the normal forces as lines from centre to centre, coloured by force over mean force. Beside them the share of
contacts with a larger force, and the mean force by direction.
"""
import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection

import dem

CASE = Path(__file__).parents[1] / "biaxial-discs.toml"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="100 discs and less strain")
    parser.add_argument("--picture", type=Path, default=Path(__file__).with_suffix(".svg"))
    given = parser.parse_args(arguments)

    case = dem.Case.read(CASE).changed({"assembly.count": 100 if given.short else 200,
                                        "stage.biaxial.strain": 0.003 if given.short else 0.006})
    run = dem.Run(case)
    run()

    with run.look() as now:
        contacts = now.contacts
        is_loaded = contacts.normal_force > 0
        # Copies stay after the look.
        force, branch, normal = (contacts[n][is_loaded].copy() for n in ("normal_force", "branch", "normal"))
        first = contacts.i[is_loaded].copy()
        position, radius = now.bodies.position.copy(), now.bodies.radius.copy()
        corner, edges = now.cell_origin, now.cell_vectors[:2, :2]
    # Positions are not wrapped into the periodic cell: take each body to its image in the cell.
    position = position[:, :2] - np.floor((position[:, :2] - corner) @ np.linalg.inv(edges)) @ edges
    lines = np.stack([position[first], position[first] + branch[:, :2]], axis=1)
    relative = force / force.mean()
    order = np.argsort(relative)  # the largest force on top

    figure, axes = plt.subplot_mosaic("CCA;CCB", figsize=(10, 6.4), layout="constrained")
    chains = axes["C"]
    chains.add_collection(EllipseCollection(2 * radius, 2 * radius, np.zeros(len(radius)), units="xy", offsets=position,
                                            transOffset=chains.transData, facecolor="#eeeeee", edgecolor="#c8c8c8",
                                            linewidth=0.4))
    drawn = chains.add_collection(LineCollection(lines[order], array=relative[order], cmap="magma_r",
                                                 linewidths=1.5 * relative[order], capstyle="round"))
    figure.colorbar(drawn, ax=chains, label="normal force over its mean", shrink=0.8)
    chains.set(xlim=corner[0] + [-1, edges[0, 0] + 1], ylim=corner[1] + [-1, edges[1, 1] + 1])
    chains.set_aspect("equal")
    chains.set(xlabel="x (m)", ylabel="y (m)")

    share = 1 - np.arange(len(force)) / len(force)
    axes["A"].semilogy(np.sort(relative), share)
    axes["A"].set(xlabel="normal force over its mean", ylabel="share of contacts above")
    angle = np.degrees(np.arctan2(normal[:, 1], normal[:, 0])) % 180
    bins = np.linspace(0, 180, 13)
    mean = [relative[(angle >= low) & (angle < high)].mean() for low, high in zip(bins, bins[1:])]
    axes["B"].stairs(mean, bins)
    axes["B"].set_ylim(bottom=0)
    axes["B"].set(xlabel="direction of the normal (degrees)", ylabel="mean of the force")
    figure.savefig(given.picture)
    return {"contacts": len(force), "largest": relative.max(), "share_above_mean": (relative > 1).mean(),
            "along_y_over_x": (mean[5] + mean[6]) / (mean[0] + mean[-1])}


if __name__ == "__main__":
    found = main()
    print(f"{found['contacts']} loaded contacts; {100 * found['share_above_mean']:.0f} % carry more than the mean; the "
          f"largest force is {found['largest']:.2f} times the mean")
    print(f"forces along y are {found['along_y_over_x']:.2f} times those along x")
