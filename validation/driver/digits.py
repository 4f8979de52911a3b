"""Small tools of the scripts for printed numbers and fits."""

import csv

import numpy as np


def csv_rows(file):
    """The rows of a CSV file by the names of its columns, as texts."""
    with open(file, encoding="utf-8") as text:
        return list(csv.DictReader(text))


def half_unit(printed):
    """Half a unit of the last digit of a printed number such as "1.23e-3"."""
    digits, _, exponent = printed.lower().partition("e")
    return 0.5 * 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


def agrees_with_print(printed, value):
    """Does the value round to the printed number? Half way between two, it may be rounded to either."""
    return abs(value - float(printed)) <= half_unit(printed) * (1 + 1e-6)


def log_slope(x, y):
    """Slope of ln y over ln x, by least squares."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])
