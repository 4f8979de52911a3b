"""The paper's second conclusion: how strength depends on k_t, γ_n, γ_t and k_n. One parameter at a time, from the same
packings."""

import dem
from box import SPHERES, by_weight, shear_boxes, spread
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


def measure(tests):
    """T/(σA) and plane angles at the peak and over the last two fifths, and the rise of the plate; over packings."""
    return {"peak": spread([t.peak_ratio for t in tests], 2),
            "residual": spread([t.ratio(0.6 * t.end) for t in tests], 2),
            "angle_peak": spread([t.peak_angle for t in tests], 1),
            "angle_residual": spread([t.angle(0.6 * t.end) for t in tests], 1),
            "rise": spread([t.rise for t in tests], 2)}


def middle(found):
    return found["mean"]


def across(of_value, key):
    """Range of a strength over the values of a parameter, in percent of its mean."""
    middles = [middle(found[key]) for found in of_value]
    return 100 * (max(middles) - min(middles)) / (sum(middles) / len(middles))


def study(run):
    quick = run.quick
    shorter = {"time.step": 2e-5, "stage.compact.duration": 0.2, "stage.rest.duration": 0.05,
               "stage.shear.shear_displacement": 0.003}
    # The step of the full set is that of the stiffest and the most damped.
    given = dem.Case.read(SPHERES).changed({"time.step": 1e-5, "stage.shear.shear_velocity": 0.02}
                                           | (shorter if quick else {}))
    packings = [given.changed({"assembly.seed": 1 + k}) for k in range(1 if quick else 3)]
    points = [("k_n", 0.1), ("k_n", 1)] if quick else [(n, value) for n, p in PARAMETERS.items() for value in p[2]]
    # By weight: no gain of a servo suits all stiffnesses and dampings.
    _, curves = shear_boxes(run, packings, [(k, by_weight(case.changed(PARAMETERS[name][3](case, value))))
                                            for name, value in points for k, case in enumerate(packings)])
    found = {point: measure(curves[k * len(packings):(k + 1) * len(packings)]) for k, point in enumerate(points)}
    panels, values = [], {}
    for name in dict.fromkeys(name for name, _ in points):
        what, label, _, _ = PARAMETERS[name]
        x = [value for n, value in points if n == name]
        of_value = [found[name, value] for value in x]
        lines = [curve(text, x, [middle(f[key]) for f in of_value], low=[f[key]["low"] for f in of_value],
                       high=[f[key]["high"] for f in of_value])
                 for text, key in (("peak", "angle_peak"),
                                   ("last two fifths" if quick else "residual", "angle_residual"))]
        panels.append(panel(what, label, "plane angle (°)", lines, log="x" if x[0] > 0 and x[-1] / x[0] > 5 else ""))
        angles = [middle(f["angle_residual"]) for f in of_value]
        values[name] = {
            "text": "; ".join(f"{value:.2g}: {f['peak']['text']}, {f['residual']['text']} ({f['angle_peak']['text']}°,"
                              f" {f['angle_residual']['text']}°; {f['rise']['text']} d)"
                              for value, f in zip(x, of_value)),
            "differ": max(angles) - min(angles), "strength": across(of_value, "peak"),
            "scatter": max(f["angle_residual"]["high"] - f["angle_residual"]["low"] for f in of_value)}
    run.figure("Strength of 1800 spheres in direct shear against stiffness and damping",
               "Angle of T/N at the peak and as mean over 6 to 10 mm; means of the packings with the lowest and "
               "highest.",
               panels, case=SPHERES.read_text(encoding="utf-8"))
    if not quick:
        values["others"] = max(values[name]["strength"] for name in ("k_t", "gamma_n", "gamma_t"))
        values["damping"] = max(values[name]["strength"] for name in ("gamma_n", "gamma_t"))
        scatter = [100 * (f["peak"]["high"] - f["peak"]["low"]) / middle(f["peak"]) for f in found.values()]
        values["of_packings"] = max(scatter)
    return values
