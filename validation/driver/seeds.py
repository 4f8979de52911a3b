"""Means over runs that differ by their seed only."""

import math

import numpy as np


def student(freedom, tail):
    """The value that Student's t exceeds with probability `tail`. With t = √freedom tan θ its density is
    ~ cos^(freedom − 1) θ, which is summed from −π/2 on."""
    x, weight = np.polynomial.legendre.leggauss(60)

    def area(theta):  # from 0 to theta
        return 0.5 * theta * (weight @ np.cos(0.5 * theta * (x + 1)) ** (freedom - 1))

    half, low, high = area(math.pi / 2), 0.0, math.pi / 2
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if (half - area(middle)) / (2 * half) > tail else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


class SeedMean:
    """Mean over seeds with its standard error, which a single seed does not have."""

    def __init__(self, values):
        self.seeds, self.mean = len(values), float(np.mean(values))
        self.error = float(np.std(values, ddof=1) / math.sqrt(self.seeds)) if self.seeds > 1 else math.nan
        self.freedom = self.seeds - 1

    @classmethod
    def difference(cls, a, b):
        """Of the means of two sets of independent runs (Welch)."""
        first, second, out = cls(a), cls(b), cls([0.0])
        parts = first.error**2, second.error**2
        out.seeds, out.mean, out.error = min(first.seeds, second.seeds), first.mean - second.mean, math.sqrt(sum(parts))
        out.freedom = sum(parts) ** 2 / (parts[0] ** 2 / first.freedom + parts[1] ** 2 / second.freedom)
        return out

    def half_width(self, comparisons=1):
        """Half of the interval of 95 %, so wide that `comparisons` of its kind all hold with 95 % (Bonferroni)."""
        if self.seeds < 2:
            return math.inf
        return self.error * student(self.freedom, 0.025 / comparisons)

    def meets(self, low, high):
        """Does the interval in which one more seed lies with 95 % meet that from low to high?"""
        half = self.half_width() * math.sqrt(self.seeds + 1)
        return self.mean - half <= high and self.mean + half >= low

    def below(self, bound):
        """Does the interval of 95 % lie below the bound (True), above it (False), or across it (None)?"""
        half = self.half_width()
        return True if self.mean + half <= bound else False if self.mean - half > bound else None

    def significant(self, comparisons=1):
        """Does the mean differ from zero? Never with one seed."""
        return abs(self.mean) > self.half_width(comparisons)

    def text(self, digits=3):
        """Mean and standard error."""
        return f"{self:.{digits}f}" + ("" if self.seeds > 1 else " (one seed)")

    def __format__(self, form):
        """The same without a word about one seed."""
        form = form or ".3f"
        return f"{self.mean:{form}}" + (f" ± {self.error:{form}}" if self.seeds > 1 else "")
