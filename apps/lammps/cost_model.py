#!/usr/bin/env python3
"""Cost model of dem-lammps: time of a step and memory of a rank, for 10^6 to 10^9 dense spheres on 1 to 10^4 ranks.

It leaves out ranks with fewer than 1000 or more than 10^7 grains, new lists, migration, rows, and unequal loads.

    python3 apps/lammps/cost_model.py

The first group of numbers was measured with dem-lammps (README.md, "Cost model"), the second is assumed of a cluster.
"""
import math

# Measured: compute per grain and step (s), and bytes per copy and step (motion there, loads back). Then the part of
# the ghosts that is copied in each step, and bytes of a grain in memory.
COMPUTE = 100e-9
BYTES_PER_COPY = 72 + 48
COPIED = 0.4
BYTES_PER_GRAIN = 1000
GHOST_DISTANCE = 1.2  # of a mean diameter: sum of the largest radii and the skin
VOLUME = math.pi / 6 / 0.64  # of the cell per grain, in d³, at a solid fraction of 0.64

# Assumed: a node of 64 ranks, a quarter of whose copies come from other nodes, by a link of 12.5 GB/s (100 Gbit/s).
# With the copies inside a node a rank has about 0.5 GB/s. A message costs its two ranks the overhead (s). A step has
# messages of motion and of loads with 26 neighbours. They are on their way at the same time, which takes the latency.
BANDWIDTH = 0.5e9
OVERHEAD = 1e-6
MESSAGES = 2 * 26
LATENCY = 2e-6


def ghosts(grains):
    """Ghosts on a rank with a cube of grains."""
    side = (VOLUME * grains) ** (1 / 3)
    return ((side + 2 * GHOST_DISTANCE) ** 3 - side**3) / VOLUME


def step(grains, ranks):
    """Seconds of compute, of bytes and of waiting for messages, per step."""
    own = grains / ranks
    if ranks == 1:
        return own * COMPUTE, 0.0, 0.0
    sums = 2 * math.ceil(math.log2(ranks)) * LATENCY  # one MPI_Allreduce, there and back
    sent = COPIED * ghosts(own) * BYTES_PER_COPY / BANDWIDTH
    return own * COMPUTE, sent, MESSAGES * OVERHEAD + 2 * LATENCY + sums


def main():
    print("| grains | ranks | grains of a rank | ghosts | compute | bytes | messages | efficiency | steps an hour |"
          " memory of a rank |")
    print("|" + "---:|" * 10)
    for power in (6, 7, 8, 9):
        for ranks in (1, 10, 100, 1000, 10000):
            grains, own = 10**power, 10**power / ranks
            if not 1e3 <= own <= 1e7:
                continue
            compute, sent, waits = step(grains, ranks)
            total = compute + sent + waits
            extra = ghosts(own) if ranks > 1 else 0
            print(f"| 10^{power} | {ranks} | {own:.3g} | {extra:.2g} | {1e3 * compute:.3g} ms | {1e3 * sent:.2g} ms |"
                  f" {1e3 * waits:.2g} ms | {100 * compute / total:.0f} % | {3600 / total:.2g} |"
                  f" {(own + extra) * BYTES_PER_GRAIN / 1e9:.2g} GB |")


if __name__ == "__main__":
    main()
