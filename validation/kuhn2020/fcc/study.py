"""A face-centred cubic packing of equal spheres compressed to failure in a periodic cell: cell, servo and friction
against closed forms. Source of the forms: C. Thornton, The conditions for failure of a face-centered cubic array of
uniform rigid spheres, Géotechnique 29 (1979) 441.

Both hold for compression along z = [001]; derived here for contacts of normal force N and friction μN, normals from
the cell's own shape.
  Triaxial (x = [100], y = [010], σ_x = σ_y held): the four contacts in the plane ⟂ z open. The other eight, normals
  (±s, 0, ±c) and (0, ±s, ±c), slide: σ_z/σ_x = 2 c (c + μ s)/[s (s − μ c)], at s = c = 1/√2: 2 (1 + μ)/(1 − μ).
  Plane strain (x = [110], y = [1̄10] at rest, σ_x held): contacts along x open, those along y stay and do not slide;
  the eight with normals (±a, ±b, ±c) slide in the plane ⟂ y along (c, 0, −a)/r, r = √(a² + c²):
  σ_z/σ_x = c (c + μ a/r)/[a (a − μ c/r)], at a = 1/2, c = 1/√2: 2 (√3 + √2 μ)/(√3 − 2√2 μ).
With cubic axes plane strain is impossible for rigid spheres: contacts (0, ±1, ±1)/√2 would have to shorten."""

import math

import numpy as np

import dem
from driver.packings import face_centred_cubic
from driver.study import curve, panel

LOADINGS = ("triaxial", "plane strain")


def closed_form(loading, mu):
    r2, r3 = math.sqrt(2), math.sqrt(3)
    return 2 * (1 + mu) / (1 - mu) if loading == "triaxial" else 2 * (r3 + r2 * mu) / (r3 - 2 * r2 * mu)


def closed_form_at(loading, mu, branch):
    """The same with the branch (x, y, z) of a sliding contact as the deformed cell has it."""
    s, _, c = branch / np.linalg.norm(branch)
    if loading == "triaxial":
        return 2 * c * (c + mu * s) / (s * (s - mu * c))
    r = math.hypot(s, c)
    return c * (c + mu * s / r) / (s * (s - mu * c / r))


def start_overlap(pressure):
    """Over the diameter: p = 2√2 f/l², f = k_n ζ, of twelve contacts a sphere and a volume of l³/√2 a sphere."""
    return pressure / (2 * math.sqrt(2))


def fcc_case(loading, friction, pressure, law):
    """Unit sphere diameter and stiffness; pressure is p l/k_n."""
    overlap = start_overlap(pressure)
    # With much friction the ratio climbs far beyond the strain at which the weaker packings fail.
    paths = 8 if friction > 0.35 else 1
    strain, steps, step = 60 * overlap * paths, 12000 * paths, 0.1
    stage = {"name": "compression", "strain": strain, "stress_xx": -pressure, "rate_zz": -strain / (steps * step)}
    if loading == "triaxial":
        stage["stress_yy"] = -pressure
    tables = face_centred_cubic(loading == "triaxial", 1 - overlap)
    tables["material"] |= {"normal_stiffness": 1.0, "tangential_stiffness": 1.0, "friction": friction,
                           "normal_damping": 0.0, "tangential_damping": 0.0, "mass_damping": 0.2}
    return dem.Case(tables | {"title": f"FCC packing, {loading}", "contact": {"law": law}, "stage": [stage],
                              "time": {"integrator": "velocity-verlet", "step": step}, "output": {"ledger": True}})


def compress(loading, friction, pressure, law):
    """The residual of the ledger over the absolute work, then rows of strain, σ_z/σ_x, closed form at this shape of the
    cell, servo error and largest turn of a sphere (rad)."""
    run, rows = dem.Run(fcc_case(loading, friction, pressure, law), threads=1), []
    halves = 2 * np.array([3, 3, 3] if loading == "triaxial" else [4, 4, 3])  # of edges of a lattice cell

    @run.every(steps=40)
    def watch(now):
        form = closed_form_at(loading, friction, now.cell_vectors.diagonal() / halves)
        turn = np.sqrt((now.bodies.rotation ** 2).sum(axis=1).max())
        rows.append([-now.series["strain_zz"], now.series["stress_zz"] / now.series["stress_xx"], form,
                     now.series["servo_error"], float(turn)])

    run()
    return [abs(run.ledger["energy_residual"]) / run.ledger["absolute_work"], rows]


def tests(quick):
    """All friction coefficients at the smallest pressure, and all pressures at μ = 0.3."""
    frictions, pressures = ([0.3], [1e-4, 1e-5]) if quick else ([0.1, 0.2, 0.3, 0.4, 0.5], [1e-3, 1e-4, 1e-5, 1e-6])
    return [(loading, mu, p, law) for loading in LOADINGS for law in ("linear-refined", "linear") for mu in frictions
            for p in pressures if (mu == 0.3 or p == pressures[-1])
            and not (quick and law == "linear" and p != pressures[-1])]


def of_loading(loading, runs, pressure):
    """Values of a loading, and the panel of its runs at the pressure."""
    own = {key[1:]: found for key, found in runs.items() if key[0] == loading}
    peaks = {key: rows[:, 1].max() for key, (_, rows) in own.items()}
    frictions = [mu for mu, p, _ in own if p == pressure]
    curves = []
    for (mu, p, law), (_, rows) in own.items():
        if (law, p) == ("linear-refined", pressure):
            x, form = rows[:, 0] / start_overlap(p), closed_form(loading, mu)
            curves += [curve(f"μ = {mu:g}", x, rows[:, 1], "line"),
                       curve(f"μ = {mu:g}, closed form", [0, x[-1]], [form, form], "prediction")]
    last = own[0.3, pressure, "linear-refined"][1][-1]
    values = {
        "form": closed_form(loading, 0.3), "frictions": [min(frictions), max(frictions)],
        "peaks": ", ".join(f"{peak:.5f} ({law}, p l/k_n = {p:g})" for (mu, p, law), peak in peaks.items() if mu == 0.3),
        "worst": max(abs(peak / closed_form(loading, mu) - 1) for (mu, p, _), peak in peaks.items() if p == pressure),
        "shape": max(abs((rows[:, 1] / rows[:, 2]).max() - 1) for _, rows in own.values()),
        "servo": max(np.abs(rows[len(rows) // 10:, 3]).max() for _, rows in own.values()),
        "residual": max(residual for residual, _ in own.values()),
        "end": last[1], "turn": last[4], "strain": last[0],
    }
    return values, panel(loading, "strain / start overlap", "σ1/σ3", curves)


def study(run):
    points = tests(run.quick)
    runs = {point: (residual, np.array(rows))
            for point, (residual, rows) in zip(points, run.map("runs", compress, points))}
    pressure = min(p for _, _, p, _ in points)
    found = {loading.replace(" ", "_"): of_loading(loading, runs, pressure) for loading in LOADINGS}
    run.figure("Face-centred cubic packing under compression",
               "Periodic cell, compression along [001] at a constant rate, lateral stress held by the servo. Strain "
               "over overlap/diameter at the start. Dashed: closed form of rigid spheres.",
               [shown for _, shown in found.values()],
               case=fcc_case("triaxial", 0.3, pressure, "linear-refined").to_toml())
    return {name: values for name, (values, _) in found.items()}
