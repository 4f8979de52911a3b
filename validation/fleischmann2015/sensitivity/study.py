"""The paper's second conclusion: how strength depends on k_t, γ_n, γ_t and k_n. One parameter at a time, from the same
packings."""

import dem
from box import SPHERES, shear_boxes, spread
from driver.study import curve, panel

HOOKE = {"contact.law": "hooke-history", "material.characteristic_speed": 0.05}
PARAMETERS = {  # what, label, values, changes of a case for a value
    "k_n": ("E, and with it k_n and k_t", "E/(8 MPa)", (0.1, 0.3, 1, 4), lambda case, value: {
        key: value * case[key] for key in ("material.shear_modulus", "other_material.walls.shear_modulus")}),
    "k_t": ("k_t/k_n, Hooke of v_c = 0.05 m/s", "k_t/k_n", (0.05, 2 / 7, 1, 2),
            lambda _, value: HOOKE | {"material.tangential_stiffness_ratio": value}),
    "gamma_n": ("restitution: γ_n, and γ_t with it", "restitution", (0.5, 0.7, 0.9, 0.98),
                lambda _, value: {"material.restitution": value}),
    "gamma_t": ("γ_t/γ_n", "γ_t/γ_n", (0, 0.5, 1, 2),
                lambda _, value: {"material.tangential_damping_ratio": value}),
}


def by_weight(case):
    """The case with a plate that falls as a weight: no gain of a servo suits all stiffnesses and dampings."""
    tables = case.to_dict()
    del tables["shear_box"]["servo_gain"]
    tables["shear_box"]["plate"] = "weight"
    return dem.Case(tables)


def measure(tests):
    """T/(σA) and plane angles at the peak and over the last two fifths, and the rise of the plate; over packings."""
    return {"peak": spread([t.peak_ratio for t in tests], 2),
            "residual": spread([t.ratio(0.6 * t.end) for t in tests], 2),
            "angle_peak": spread([t.peak_angle for t in tests], 1),
            "angle_residual": spread([t.angle(0.6 * t.end) for t in tests], 1),
            "lift": spread([t.lift[-1] for t in tests], 2)}


def of_parameter(found):
    """Texts and ranges over the values of a parameter."""
    peaks, angles = ([f[key]["mean"] for f in found.values()] for key in ("peak", "angle_residual"))
    return {"text": "; ".join(f"{value:.2g}: {f['peak']['text']}, {f['residual']['text']} ({f['angle_peak']['text']}°, "
                              f"{f['angle_residual']['text']}°; {f['lift']['text']} d)" for value, f in found.items()),
            "differ": max(angles) - min(angles),
            "strength": 100 * (max(peaks) - min(peaks)) / (sum(peaks) / len(peaks)),  # % of the mean
            "scatter": max(f["angle_residual"]["high"] - f["angle_residual"]["low"] for f in found.values()),
            "scatter_of_peak": max(100 * (f["peak"]["high"] - f["peak"]["low"]) / f["peak"]["mean"]
                                   for f in found.values())}


def study(run):
    shorter = {"time.step": 2e-5, "stage.compact.duration": 0.2, "stage.rest.duration": 0.05,
               "stage.shear.shear_displacement": 0.003}
    # The step of the full set is that of the stiffest and the most damped.
    given = dem.Case.read(SPHERES).changed({"time.step": 1e-5, "stage.shear.shear_velocity": 0.02}
                                           | (shorter if run.quick else {}))
    packings = [given.changed({"assembly.seed": 1 + k}) for k in range(1 if run.quick else 3)]
    points = {"k_n": (0.1, 1)} if run.quick else {name: values for name, (_, _, values, _) in PARAMETERS.items()}
    _, curves = shear_boxes(run, packings, [
        (k, by_weight(case.changed(PARAMETERS[name][3](case, value))))
        for name, values in points.items() for value in values for k, case in enumerate(packings)])
    curves = iter(curves)
    found = {name: {value: measure([next(curves) for _ in packings]) for value in values}
             for name, values in points.items()}
    panels = []
    for name, of_value in found.items():
        what, label, _, _ = PARAMETERS[name]
        x, lines = list(of_value), []
        for text, key in (("peak", "angle_peak"), ("last two fifths", "angle_residual")):
            mean, low, high = ([f[key][part] for f in of_value.values()] for part in ("mean", "low", "high"))
            lines.append(curve(text, x, mean, low=low, high=high))
        panels.append(panel(what, label, "plane angle (°)", lines, log="x" if x[0] > 0 and x[-1] / x[0] > 5 else ""))
    run.figure("Strength of 1800 spheres in direct shear against stiffness and damping",
               "Angle of T/N at the peak and as mean over the last two fifths; means of the packings with the lowest "
               "and highest.", panels, case=SPHERES.read_text(encoding="utf-8"))
    values = {name: of_parameter(of_value) for name, of_value in found.items()}
    if run.quick:
        return values
    damping = max(values[name]["strength"] for name in ("gamma_n", "gamma_t"))
    return values | {"damping": damping, "others": max(damping, values["k_t"]["strength"]),
                     "of_packings": max(of["scatter_of_peak"] for of in values.values())}
