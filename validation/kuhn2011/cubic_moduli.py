"""Moduli of the face-centred cubic packing, measured and in closed form.

Every sphere of the face-centred cubic packing is a centre of symmetry, so it deforms as the cell does. The moduli are
a sum over its contacts, with a volume of l³/√2 and six contacts a sphere:
C_ijkl = (1/V) Σ l² (K_n n_i n_j n_k n_l + K_t (δ_ik n_j n_l − n_i n_j n_k n_l)). Source of the moduli without slip:
J. Duffy, R. D. Mindlin, Stress-strain relations and vibrations of a granular medium, J. Appl. Mech. 24 (1957) 585.
Moduli are changes of the true stress with the strain. The pressure that the contacts carry adds its multiples (change
of volume, turning and lengthening of branches under force): −p/2 to C11, 5p/4 to C12, −3p/4 to C44. The rest is of the
order of overlap over diameter squared. Unit: shear modulus of the spheres, and their diameter."""

import math

import numpy as np

import dem
from driver.packings import face_centred_cubic
from pressed_spheres import KAPPA, LINEAR, MODULUS, RADIUS, contact, hertz_stiffness, still, stress_of


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
