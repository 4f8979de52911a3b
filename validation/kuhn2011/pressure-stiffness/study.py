"""Shear stiffness of packings against pressure: the reason for Hertz contacts. A regular packing, whose contacts do not
change, in closed form; a random one, whose contacts become more as it is pressed."""

import math
from pathlib import Path

import numpy as np

import dem
from cubic_moduli import fcc_series
from driver.digits import log_slope
from driver.study import curve, panel
from pressed_spheres import LAWS, packing, state

STUDENT = {3: 4.303, 5: 2.776}  # 95 %, by the number of seeds


def interval(samples):
    """Mean over the seeds, and the half width of its 95 % interval."""
    return np.mean(samples), STUDENT[len(samples)] * np.std(samples, ddof=1) / math.sqrt(len(samples))


def shown(mean):
    return f"{mean[0]:.3f} [{mean[0] - mean[1]:.3f}, {mean[0] + mean[1]:.3f}]"


def exponents(s):
    """Of the pressure in the shear modulus: over all of it, and in its lowest and highest part, where there are parts.
    Values of a state by seed and pressure."""
    rises = np.diff(np.log(s["shear"])) / np.diff(np.log(s["pressure"]))
    whole = interval([log_slope(p, y) for p, y in zip(s["pressure"], s["shear"])])
    lowest, highest = (shown(interval(rises[:, k])) for k in (0, -1))
    return whole, f"; {lowest} in the lowest, {highest} in the highest part" if rises.shape[1] > 1 else ""


def over_pressure(s):
    """x, mean and half interval of the shear modulus, and of it over the mean K_n against the mean overlap."""
    return tuple((s[x].mean(axis=0), *np.transpose([interval(of) for of in y.T]))
                 for x, y in (("pressure", s["shear"]), ("overlap", s["shear"] / s["stiffness"])))


def collapse(one, other):
    """Differences of two curves of over_pressure where both are, with the intervals in quadrature, and whether all are
    within them."""
    x, y, width = np.array(one)[:, (one[0] >= other[0][0]) & (one[0] <= other[0][-1])]

    def there(of):  # on straight lines in logarithmic axes
        return np.exp(np.interp(np.log(x), np.log(other[0]), np.log(of)))

    off, room = y / there(other[1]) - 1, np.hypot(width / y, there(other[2] / other[1]))
    texts = (f"{100 * o:+.1f} [{100 * (o - r):+.1f}, {100 * (o + r):+.1f}] % at {at:.1e}"
             for o, r, at in zip(off, room, x))
    return ", ".join(texts), (abs(off) <= room).all()


def draw(run, series, curves, case):
    left, middle, right = [], [], []
    for law in LAWS:
        s = series[law]
        left += [curve(f"C44, {law}", s["pressure"], s["c44"], "points"),
                 curve(f"(C11 − C12)/2, {law}", s["pressure"], s["shear"], "points"),
                 curve("closed form" if law == "jaeger" else "", s["pressure"], s["form_44"], "prediction"),
                 curve("", s["pressure"], s["form_shear"], "prediction")]
        for curves_of, (x, y, width) in zip((middle, right), curves[law]):
            curves_of.append(curve(law, x, y, low=y - width, high=y + width))
    (x, y, _), _ = curves["jaeger"]
    powers = (("p^(1/3)", 1 / 3), ("p^(1/2)", 0.5))
    middle += [curve(name, x, y[0] * (x / x[0]) ** n, "prediction") for name, n in powers]
    run.figure("Shear stiffness against pressure",
               "Left: face-centred cubic packing; dashed: closed form. Middle: random packing, mean and 95 % interval "
               "of the seeds; dashed: p^(1/3) and p^(1/2) through the first point of law jaeger. Right: the same over "
               "the mean stiffness of a contact, against mean overlap over diameter. Unit of stress: shear modulus G_s "
               "of the spheres. Law linear has the K_n of a mean Hertz contact at p/G_s = 1e-5.",
               [panel("face-centred cubic", "p/G_s", "modulus/G_s", left, "xy"),
                panel("random packing", "p/G_s", "G/G_s", middle, "xy"),
                panel("random packing, geometry", "mean overlap δ/d", "G d/K_n", right, "x")], case=case.to_toml())


def study(run):
    overlaps = [1e-5, 1e-4, 1e-3] if run.quick else [1e-5, 3e-5, 1e-4, 3e-4, 1e-3]
    series = {law: fcc_series(law, overlaps, 1e-4) for law in LAWS}
    pressures = [1e-6, 1e-4] if run.quick else [1e-6, 3.16e-6, 1e-5, 3.16e-5, 1e-4]
    spheres, seeds = (80, 3) if run.quick else (600, 5)
    folder = str(Path(run.results).absolute() / "states")
    points = [(folder, law, seed, spheres, pressures, k) for law in LAWS for seed in range(1, seeds + 1)
              for k in range(len(pressures))]
    found = run.map("probed", state, points)
    column = {name: np.reshape([of[name] for of in found], (2, seeds, len(pressures))) for name in found[0]}
    states = {law: {name: of[k] for name, of in column.items()} for k, law in enumerate(LAWS)}
    curves = {law: over_pressure(s) for law, s in states.items()}
    draw(run, series, curves, dem.Case(packing("jaeger", 1, spheres, pressures)[1]))
    n, parts = ({law: exponents(s)[k] for law, s in states.items()} for k in (0, 1))
    differences, same = collapse(curves["jaeger"][1], curves["linear"][1])
    half = np.abs(column["half_strain"] - 1).max()
    return {
        "fcc": series, "halved": fcc_series("jaeger", overlaps, 5e-5)["worst"], "count": len(overlaps),
        "slopes": {law: [log_slope(s["pressure"], s[name]) for name in ("c44", "shear")] for law, s in series.items()},
        "ends": {law: s["coordination"][:, [0, -1]].mean(axis=0) for law, s in states.items()},
        "n": n, "parts": parts, "text": {law: shown(of) for law, of in n.items()},
        "which": f"{spheres} spheres, {seeds} seeds", "differences": differences, "same": same,
        "half": half, "half_percent": 100 * half,
        "unbalanced": column["unbalanced"].max(), "slipping": 100 * column["slipping"].max(),
        "spread": 100 * (column["spread"] / column["shear"]).max(),
    }
