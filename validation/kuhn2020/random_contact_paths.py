"""Random histories of a contact in its plane, and random motions of a pair of spheres in space. The overlap stays about
a mean, and the contact is lost now and then."""

import math

import numpy as np

from driver.mt64 import between, uniform
from driver.pair import quaternion, rotated, unit

OVERLAP = 1e-4  # m, mean
LENGTH = 50  # movements of a history


def random_histories(count):
    """Straight movements in the plane; the overlap changes by up to its mean and is a gap now and then."""
    random, all_of_them = uniform(4), []
    for _ in range(count):
        for _ in range(LENGTH):
            length, angle = 2e-5 * between(random, 0, 2), between(random, 0, 2 * math.pi)
            overlap = OVERLAP * between(random, -0.25, 2)
            all_of_them.append((overlap, length * math.cos(angle), length * math.sin(angle)))
    return np.reshape(all_of_them, (count, LENGTH, 3))


def random_path(seed):
    """A smooth random motion of two spheres: shear, overlap with loss and return, and the pair turns."""
    random = uniform(seed)
    waves = np.array([[[between(random, -1, 1), between(random, 0, 2 * math.pi)] for _ in range(4)] for _ in range(6)])

    def path(s):
        angle = 2 * np.pi * np.arange(1, 5) * s
        overlap, y, z, *turn = ((w[:, 0] * (np.sin(angle + w[:, 1]) - np.sin(w[:, 1]))).sum(axis=1, keepdims=True)
                                for w in waves)
        turned = quaternion(0.5 * np.concatenate(turn, axis=1))
        branch = unit(np.concatenate([np.ones_like(s), 2e-4 * y, 2e-4 * z], axis=1))
        return np.zeros_like(branch), rotated(turned, (1 - OVERLAP * (1 + 0.5 * overlap)) * branch), turned, turned

    return path
