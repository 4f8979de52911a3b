"""Shear stiffness of packings against pressure: the reason for Hertz contacts. A regular packing, whose contacts do not
change, in closed form; a random one, whose contacts become more as it is pressed.

Every sphere of the face-centred cubic packing is a centre of symmetry, so it deforms as the cell does. The moduli are
a sum over its contacts, with a volume of l³/√2 and six contacts a sphere:
C_ijkl = (1/V) Σ l² (K_n n_i n_j n_k n_l + K_t (δ_ik n_j n_l − n_i n_j n_k n_l)). Source of the moduli without slip:
J. Duffy, R. D. Mindlin, Stress-strain relations and vibrations of a granular medium, J. Appl. Mech. 24 (1957) 585.
Moduli are changes of the true stress with the strain. The pressure that the contacts carry adds its multiples (change
of volume, turning and lengthening of branches under force): −p/2 to C11, 5p/4 to C12, −3p/4 to C44. The rest is of the
order of overlap over diameter squared. Unit: shear modulus of the spheres, and their diameter."""

import math
from pathlib import Path

import numpy as np

import dem
from driver.digits import log_slope
from driver.packings import face_centred_cubic
from driver.study import curve, panel

LAWS = ("jaeger", "linear")
NU = 0.25
KAPPA, MODULUS = (2 - NU) / (2 * (1 - NU)), 8 / (3 * (1 - NU))
FRICTION, RADIUS, HALF_WIDTH = 0.3, 0.5, 0.1  # of the random packing
STUDENT = {3: 4.303, 5: 2.776}  # 95 %, by the number of seeds
STRAIN = 2e-3  # shear strain of a probe over (p/G)^(2/3), the order of overlap over diameter


def hertz_stiffness(z):
    """K_n of a contact of diameter 1 at half the overlap z: dF/dδ."""
    return 0.75 * MODULUS * math.sqrt(RADIUS * z)


def stiffness_at(pressure):
    """K_n of a mean Hertz contact: p = z φ F/(π d²), z = 6, φ = 0.63."""
    force = math.pi * pressure / (0.63 * 6)
    return hertz_stiffness((force / (MODULUS * math.sqrt(RADIUS))) ** (2 / 3))


LINEAR = stiffness_at(1e-5)  # k_n of law linear


def contact(law, stiffness):
    """Keys of the material."""
    if law == "linear":
        return {"normal_stiffness": stiffness, "tangential_stiffness": stiffness / KAPPA}
    return {"shear_modulus": 1.0, "poisson_ratio": NU}


def stress_of(run):
    with run.look() as now:
        return np.array([[now.series[f"stress_{a}{b}"] for b in "xyz"] for a in "xyz"])


# Face-centred cubic.

def fcc_stress(law, overlap, cubic, strain_x, strain_y):
    """Of the cubic cell of 108 spheres, or its tetragonal form of 96 with x = [110], after a strain and a rest."""
    stiffness = LINEAR if law == "linear" else hertz_stiffness(0.5 * overlap)
    tables, step = face_centred_cubic(cubic, 1 - overlap), 0.1 / math.sqrt(stiffness)
    tables["material"] |= {"friction": 0.5, "normal_damping": 0.0, "tangential_damping": 0.0,
                           "mass_damping": 0.05 / step} | contact(law, stiffness)
    rates = {"rate_xx": strain_x / (4 * step), "rate_yy": strain_y / (4 * step)}
    stages = [still(4 * step) | rates, still(40 * step)]
    # The limit before the run counts on an overlap of 1 % of the diameter.
    run = dem.Run(dem.Case(tables | {"contact": {"law": law}, "stage": stages, "time": {
        "integrator": "velocity-verlet", "step": step, "override_limit": True}}), threads=1)
    run()
    return stress_of(run)


def still(duration):
    return {"rate_xx": 0.0, "rate_yy": 0.0, "rate_zz": 0.0, "duration": duration}


def fcc(law, overlap, strain):
    """Pressure, and C11, C12, C44 measured by central differences of `strain` (over overlap/diameter) along [100], and
    along [110] against [1̄10], where C′11 − C′12 = 2 C44; then their closed forms."""
    e = strain * overlap
    up, down, start = (fcc_stress(law, overlap, True, x, 0.0) for x in (e, -e, 0.0))
    turned = fcc_stress(law, overlap, False, e, -e) - fcc_stress(law, overlap, False, -e, e)
    found = [(up[0, 0] - down[0, 0]) / (2 * e), (up[1, 1] - down[1, 1]) / (2 * e),
             (turned[0, 0] - turned[1, 1]) / (8 * e)]
    k_n = LINEAR if law == "linear" else hertz_stiffness(0.5 * overlap)
    force = k_n * overlap if law == "linear" else MODULUS * math.sqrt(RADIUS) * (0.5 * overlap) ** 1.5
    p, unit, k_t = 2 * math.sqrt(2) * force / (1 - overlap) ** 2, math.sqrt(2) / (1 - overlap), k_n / KAPPA
    form = [unit * (k_n + k_t) - 0.5 * p, 0.5 * unit * (k_n - k_t) + 1.25 * p, 0.5 * unit * (k_n + k_t) - 0.75 * p]
    return [-np.trace(start) / 3, *found, *form]


def fcc_series(law, overlaps, strain):
    """Columns over the pressure: moduli, their closed forms, and the largest relative difference."""
    pressure, c11, c12, c44, form_11, form_12, form_44 = rows = np.transpose([fcc(law, o, strain) for o in overlaps])
    return {"pressure": pressure, "c44": c44, "shear": 0.5 * (c11 - c12), "form_44": form_44,
            "form_shear": 0.5 * (form_11 - form_12), "range": pressure[[0, -1]],
            "worst": np.abs(rows[1:4] / rows[4:] - 1).max()}


# Random packing.

def packing(law, seed, spheres, pressures):
    """The time step, and tables of a case: radii 0.4 to 0.6, density 1, shear modulus 1. It is compressed to the first
    pressure without friction, which makes it dense. Then it has friction 0.3, and for each pressure a stage that ends
    when forces balance, and a rest."""
    stiffest = LINEAR if law == "linear" else stiffness_at(pressures[-1])
    step = 0.2 * math.sqrt(4 * math.pi / 3 * (RADIUS - HALF_WIDTH) ** 3 / stiffest)

    def pressed(pressure, damping, friction, unbalanced, steps):
        return {"stress_xx": -pressure, "stress_yy": -pressure, "stress_zz": -pressure,
                "largest_rate": 3e-5 / step, "mass_damping": damping / step, "friction": friction,
                "unbalanced": unbalanced, "duration": steps * step}

    rate = -1e-4 / step
    stages = [{"rate_xx": rate, "rate_yy": rate, "rate_zz": rate, "duration": 1e5 * step, "void_ratio": 0.75,
               "mass_damping": 0.003 / step, "friction": 0.0}, pressed(pressures[0], 0.003, 0.0, 1e-2, 25000)]
    for pressure in pressures:
        stages += [pressed(pressure, 0.02, FRICTION, 1e-4, 20000), still(20 * step)]
    material = {"density": 1.0, "friction": FRICTION, "normal_damping": 0.0, "tangential_damping": 0.0,
                "mass_damping": 0.05 / step} | contact(law, LINEAR)
    return step, {
        "title": f"{spheres} spheres, law {law}", "dimension": 3, "cell": {"periodic": ["x", "y", "z"]},
        "assembly": {"generator": "random", "shape": "sphere", "count": spheres, "radius": RADIUS, "spread": HALF_WIDTH,
                     "void_ratio": 1.2, "seed": seed},
        "material": material, "contact": {"law": law}, "output": {"ledger": False},
        "time": {"integrator": "velocity-verlet", "step": step, "override_limit": True}, "stage": stages}


def state(folder, law, seed, spheres, pressures, k):
    """Presses a packing to pressure k, from the start, and probes it: values of the state by name."""
    step, tables = packing(law, seed, spheres, pressures)
    place = f"{folder}/{law}-{seed}-{k}"
    path = [*tables["stage"][:2 * k + 3], still(step)]
    run = dem.Run(dem.Case(tables | {"stage": path}), place, threads=1, overwrite=True)
    run()
    with run.look() as now:
        c, series = now.contacts, now.series
        found = {"pressure": series["mean_pressure"], "coordination": series["backbone_coordination_pairs"],
                 "unbalanced": series["mean_unbalanced_force"], "slipping": series["fraction_at_limit"],
                 "stiffness": float(c.normal_stiffness.mean()), "overlap": float(c.overlap.mean())}

    def probe(gamma, plane):
        """(σ_xx − σ_yy)/2 and (σ_yy − σ_zz)/2 after a strain of one of them at constant volume, and a rest."""
        rates = {f"rate_{a}{a}": sign * 0.5 * gamma / (50 * step) for a, sign in zip("xyz"[plane:], (1, -1))}
        stages = [still(19 * step), still(50 * step) | rates, still(1500 * step)]
        after = dem.Run(dem.Case(tables | {"start_from": place, "stage": stages}), threads=1)
        after()
        return -0.5 * np.diff(stress_of(after).diagonal())

    gamma = STRAIN * pressures[k] ** (2 / 3)
    none, full, half = (probe(g, 0) for g in (0.0, gamma, 0.5 * gamma))
    first, second = (full - none)[0] / gamma, (probe(gamma, 1) - none)[1] / gamma
    return found | {"shear": 0.5 * (first + second), "spread": 0.5 * abs(first - second),
                    "half_strain": 2 * (half - none)[0] / gamma / first}


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
