"""The unit numbers T2 to T5, T7 and T9 of the direct-shear reference: published digits, ours, differences. The strict
checks of every digit are tests; this is for readers."""

import math
from dataclasses import replace

import numpy as np

import dem
from driver.digits import csv_rows
from driver.study import curve, panel
from one_contact import GLASS, PAIR, SOFT, Coefficients, Contacts, impact_rows
from turned_pair import OVERLAP, turn_pair

T2 = {"hooke": Coefficients(False, 2000, 1600, 400, 200, 0.5, 0.00125, 8.18e-05),
      "hertz": Coefficients(True, 5.86e6, 5.79e6, 1e6, 5e5, 0.5, 0.00125, 8.18e-05)}
T3 = {"hertz": replace(GLASS, **PAIR), "hooke": replace(SOFT, **PAIR)}
FORTH, BACK, SPEED, STEP, PRESSED = 1200, 2400, 0.01, 1e-6, 2e-5  # of T3: steps, m/s, s, m
REST, CREEP = 7.270293283201703e-07, 0.012695074162278646  # of T7: true history (m); none (m/s)
PSEUDO = {2e-5: 0.009409115436433212, 1e-5: 0.010807853211132559, 5e-6: 0.011675694339724724}


def rows(run, file):
    return [{key: float(value) if value[-1].isdigit() else value for key, value in row.items()}
            for row in csv_rows(run.folder / file)]


def off(found, published):
    return np.linalg.norm(np.subtract(found, published)) / np.linalg.norm(published)


def vector(values):
    return "(" + ", ".join(f"{v + 0.0:.10g}" for v in values) + ")"


def evaluate(row):
    """T2: one evaluation of the law, n = (0.6, 0, 0.8), δ = Δt = 1e-5."""
    speed, start, force, after = (np.array([row[f"{name}_{axis}"] for axis in "xyz"])
                                  for name in ("v", "start", "force", "after"))
    n = np.array([0.6, 0, 0.8])
    e_1 = np.cross(n, [0, 1, 0]) / np.linalg.norm(np.cross(n, [0, 1, 0]))
    e_2 = np.cross(n, e_1)
    contact = Contacts(replace(T2[row["law"]], friction=row["friction"]), history=row["history"],
                       friction_limit=row["limit"])
    stiffness = contact.factor(1e-5) * contact.k.k_t
    history = contact.block.history[0]
    history[:] = [stiffness * start @ e_1, stiffness * start @ e_2, stiffness][:len(history)]
    contact.step(1e-5, speed @ n, speed @ e_1, 1e-5, speed @ e_2)
    in_space = contact.on_j[0][0] * e_1 + contact.on_j[1][0] * e_2
    found = [abs(float(contact.normal) / row["normal"] - 1), off(in_space, force)]
    text = f"F_n {float(contact.normal):.10g} N, F_t {vector(in_space)} N"
    if row["history"] == "true":
        elongation = contact.elongation[0][0] * e_1 + contact.elongation[1][0] * e_2
        text += f", u {vector(elongation)} m"
        found.append(off(elongation, after))
    return {"text": f"{text}; differences {', '.join(f'{v:.0e}' for v in found)}", "off": max(found)}


def press_shear_reverse(k):
    """T3: two spheres; the second moves along x, forth and back. The normal turns; the elongation is projected, as
    there. F_x, F_z on it (N) and u_x (m) after every step."""
    contact, found, before, height = Contacts(k), [], 0.0, 4 * k.radius - PRESSED
    for step in range(1, FORTH + BACK + 1):
        v = SPEED if step <= FORTH else -SPEED
        x = SPEED * STEP * (step if step <= FORTH else 2 * FORTH - step)
        angle = math.atan2(x, height)
        s, c = math.sin(angle), math.cos(angle)
        contact.block.history[:, :2] *= math.cos(angle - before)
        before = angle
        contact.step(4 * k.radius - math.hypot(x, height), v * s, v * c, STEP)
        normal, (tangential,), (u,) = float(contact.normal), contact.on_j[0], contact.elongation[0]
        found.append((normal * s + tangential * c, normal * c - tangential * s, u * c))
    return np.array(found)


def turned(steps, axis, transport="projection"):
    """T4: the elongation of a contact whose normal turns by 90° about the axis, from 1e-6 m along x."""
    angles = 0.5 * np.pi * np.arange(1, steps + 1) / steps
    path = np.zeros((steps, 13))
    path[:, 0] = 1e-5
    path[:, 1:4] = np.outer(np.cos(angles), [0, 0, 1]) + np.outer(np.sin(angles), np.cross(axis, [0, 0, 1]))
    given = {"normal_stiffness": 1e3, "tangential_stiffness": 1e3, "friction": 1e3, "transport": transport}
    return dem.contact("hooke-history", given, path, start_overlap=1e-5, start_force=[1e-3, 0, 0],
                       start_normal=[0, 0, 1]).tangential[-1] / 1e3


def turning(steps):
    across, along = turned(steps, [0, 1, 0]), turned(steps, [1, 0, 0])
    kept = turned(steps, [0, 1, 0], "projection-rescaled")
    length = np.linalg.norm(across)
    return {"ratio": length / 1e-6, "law": math.cos(0.5 * math.pi / steps) ** steps,
            "tilt": np.linalg.norm(across[:2]) / length, "down": across[2] < 0,
            "unchanged": np.linalg.norm(along - [1e-6, 0, 0]) / 1e-6, "length": abs(np.linalg.norm(kept) / 1e-6 - 1)}


def impact(row):
    r = row.alone()
    pairs = [(r.v_x, row.v_x), (r.v_z, row.v_z), (r.spin, row.spin)]
    text = f"{r.v_x:.12g}, {r.v_z:.12g}, {r.spin:.12g}"
    if row.e_n == row.e_n:
        e_n, ratio = r.v_z / math.cos(row.angle), r.impulse_t / r.impulse_n
        pairs += [(e_n, row.e_n), (ratio, row.impulses)]
        text += f", {e_n:.10g}, {ratio:.10g}"
    return {"text": text, "off": max(abs(ours - known) / max(abs(known), 1e-3) for ours, known in pairs)}


def slide(history, dt, until):
    """T7: a sphere that cannot turn on an incline of 15°: speed and elongation at the end, and its path."""
    mass = 0.0001636246173744684
    contact = Contacts(Coefficients(False, 2000, 571.4285714285714, 400, 200, 0.5, 0.0025, mass), history=history)
    g = 9.81
    along, overlap = mass * g * math.sin(math.radians(15)), mass * g * math.cos(math.radians(15)) / 2000
    speed = force = x = 0.0
    path = []
    for _ in range(round(until / dt)):
        speed += 0.5 * dt * (along + force) / mass
        x += dt * speed
        contact.step(overlap, 0.0, speed, dt)
        force = float(contact.on_j[0][0])
        speed += 0.5 * dt * (along + force) / mass
        path.append(x)
    return speed, float(contact.elongation[0][0]), path


def draw(run, sheared, table):
    loops, inclines = [], []
    for law, found in sheared.items():
        contact = Contacts(T3[law])
        limit = T3[law].friction * contact.factor(PRESSED) * T3[law].k_n * PRESSED
        steps = np.arange(1, FORTH + BACK + 1)

        def place(step):
            return SPEED * STEP * np.where(step <= FORTH, step, 2 * FORTH - step) / PRESSED

        known = [row for row in table if row["law"] == law]
        loops += [curve(f"{law}-history", place(steps)[::5], found[::5, 0] / limit, "line"),
                  curve(f"reference, {law}", place(np.array([row["step"] for row in known])),
                        [row["f_x"] / limit for row in known], "points")]
    for label, history, dt in (("true", "true", 1e-5), *((f"pseudo, Δt = {dt:g} s", "pseudo", dt) for dt in PSEUDO),
                               ("none", "none", 1e-5)):
        path = slide(history, dt, 2e-2)[2][::round(1e-4 / dt)]
        inclines.append(curve(label, 1e3 * (dt + 1e-4 * np.arange(len(path))), 1e6 * np.array(path), "line"))
    inclines.append(curve("m g sin θ/(γ_t m)", [0, 20], [0, CREEP * 2e-2 * 1e6], "prediction"))
    run.figure("Unit cases of displacement history",
               "Left: pressed, sheared and reversed (T3): tangential force over μ F_n against the position of the "
               "sphere over the overlap; dots: the reference's numbers. Right: a sphere that cannot turn on an incline "
               "of 15° (T7): with the whole history it rests, with pseudo-history it creeps at a speed that depends on "
               "the time step; dashed: the steady creep without history.",
               [panel("shear and reversal", "position x/δ₀", "F_x/(μ F_n)", loops),
                panel("locked sphere on an incline", "time (ms)", "path (μm)", inclines)])


def study(run):
    table = rows(run, "shear.csv")
    sheared = {law: press_shear_reverse(k) for law, k in T3.items()}
    draw(run, sheared, table)
    t3 = {}
    for law, found in sheared.items():
        known = [row for row in table if row["law"] == law]
        t3[law] = {"text": "; ".join(f"{row['step']:.0f}: {found[int(row['step']) - 1, 0]:.9g}" for row in known),
                   "off": max(abs(ours / row[name] - 1) for row in known
                              for ours, name in zip(found[int(row["step"]) - 1], ("f_x", "f_z", "u_x")))}
    speed, rests, _ = slide("true", 1e-5, 0.2)
    creeps = slide("none", 1e-5, 0.2)[0]
    pseudo = [slide("pseudo", dt, 0.1)[0] for dt in PSEUDO]
    radius = turn_pair("radius", friction=1e6).slip[-1]
    return {"t2": [evaluate(row) for row in rows(run, "evaluations.csv")], "t3": t3,
            "t4": {n: turning(n) for n in (9, 90, 900)}, "t5": [impact(row) for row in impact_rows()],
            "rests": rests, "rests_off": rests / REST - 1, "speed": speed, "creeps": creeps,
            "creeps_off": creeps / CREEP - 1, "pseudo": pseudo,
            "pseudo_off": max(abs(found / known - 1) for found, known in zip(pseudo, PSEUDO.values())),
            "middle": turn_pair(friction=1e6).slip[-1], "radius": radius,
            "radius_off": radius / (0.5 * math.pi * OVERLAP) - 1}
