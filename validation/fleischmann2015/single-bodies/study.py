"""Case D of the reference: what a few spheres do on real walls with true, pseudo and no displacement history. The law
alone is in unit-cases; here the whole step of the program runs: search, wall contacts, integrator."""

import math
from dataclasses import replace

import numpy as np

from bodies import (BALL, BALL_MASS, G, STIFFNESS, Loop, Stack, collide_spinning, largest_step, on_slope, rebound,
                    rolling)
from driver.digits import agrees_with_print, csv_rows, log_slope
from driver.study import curve, panel
from one_contact import GLASS, HISTORIES, PAIR, RADIUS, SOFT, Contacts, apart, impact_rows

REST, CREEP = 7.270293283201703e-07, 0.012695074162278646  # of T7: true history (m); none (m/s)
PSEUDO = {2e-5: 0.009409115436433212, 1e-5: 0.010807853211132559, 5e-6: 0.011675694339724724}
BRACKETS = {"contact": ("friction", 0.32, 0.33), "ground": ("ground_friction", 0.08, 0.085)}


def inclines():
    rest, creep = on_slope("true", 0.2), on_slope("none", 0.2).speed
    pseudo = [on_slope("pseudo", 0.1, step).speed for step in PSEUDO]
    free = {lever: [on_slope(history, 0.2, locked=False, lever=lever).speed for history in HISTORIES]
            for lever in ("radius", "contact-point")}
    along = G * math.sin(math.radians(15))
    rolls, slip, held = 5 / 7 * along * 0.2, 2 / 7 * along / 200, STIFFNESS * 2 / 7 * 1e-5 / BALL_MASS
    arm = 1 - 0.5 * BALL_MASS * G * math.cos(math.radians(15)) / STIFFNESS / BALL
    return {"rest": rest, "rest_off": rest.elongation / REST - 1, "creep": creep, "creep_off": creep / CREEP - 1,
            "pseudo": pseudo, "pseudo_off": max(abs(v / known - 1) for v, known in zip(pseudo, PSEUDO.values())),
            "free": free, "free_print": agrees_with_print("0.362716", free["radius"][0]),
            "free_none_print": agrees_with_print("0.3638", free["radius"][2]), "rolls": rolls, "slip": slip,
            "rolls_about_middle": along * 0.2 / (1 + 0.4 / (arm * arm)), "rolls_and_slips": rolls + 2 / 7 * slip,
            "pseudo_rolls": free["radius"][1] / rolls - 1,
            "pseudo_slips": free["radius"][1] / (rolls + 2 / 7 * (2 / 7 * along / (200 + held))) - 1}


def rolls():
    found = [rolling(history) for history in HISTORIES]
    arm = found[0].arm
    # The slip falls in proportion to time, so that a thousandth of it is left a thousandth before the end.
    begins = found[0].rolls_at / 0.999
    return {"rolling": [0.5 * r.speed for r in found], "from_simple": max(abs(1.4 * r.speed - 1) for r in found),
            "with_arm": max(abs(r.speed * (1 + 0.4 / (arm * arm)) - 1) for r in found), "begins": begins,
            "begins_off": begins / (2 * 0.5 / (7 * 0.5 * G)) - 1, "late": [r.rolls_at for r in found],
            "begins_arm": begins / (0.5 / (0.5 * G * (1 + 2.5 * arm * arm))) - 1,
            "begins_print": agrees_with_print("0.02913", begins)}


def pyramids(run):
    whole, none = Stack().fate(), Stack(history="none").fate()
    pseudo = {step: Stack(history="pseudo", step=step).fate()
              for step in (2e-5, 1e-5, 5e-6, 1e-6)[:3 if run.quick else 4]}
    middle = 0.5 * (0.5 + math.sqrt(2 / 3) + 0.5)  # half of the way to the ground
    late = [fate.fell_at - none.fell_at for fate in pseudo.values()]
    cold = {}
    for name, (key, falls, stands) in BRACKETS.items():
        upper = Stack(**{key: stands}).fate()
        cold[name] = {"fell": Stack(**{key: falls}).fate().fell_at, "known": Stack().least_friction()[name == "ground"],
                      "word": "falls" if upper.fell_at else "stands after 2 s",
                      "ratio": upper.ground_ratio if name == "ground" else upper.contact_ratio}
    heights = {"true": whole} | {f"pseudo, Δt = {step:g} s": fate for step, fate in pseudo.items() if step > 2e-6} | {
        "none": none, "true, μ = 0.32": Stack(friction=0.32).fate(0.4)}
    lines = [curve(label, *fate.rows[fate.rows[:, 0] < 0.4].T, "line") for label, fate in heights.items()]
    lines.append(curve("on the ground", [0, 0.4], [0.5, 0.5], "prediction"))
    return {"pyramid": whole, "pyramid_print": agrees_with_print("1.3160", whole.height), "none": none,
            "fine_none": Stack(history="none", step=5e-6).fate(0.5).fell_at,
            "half_way": none.rows[none.rows[:, 1] < middle][0, 0],
            "falls": ", ".join(f"{fate.fell_at:.4f} s at Δt = {step:g} s" for step, fate in pseudo.items()),
            "quarter": late[2] / late[0], "later": 100 * (2 * late[2] - late[1]) / none.fell_at, "cold": cold}, panel(
        "pyramid of four spheres, μ = 0.5", "time (s)", "height of the top sphere z/d", lines)


def threshold(wedge, of_ground, slowly, stiffer):
    """Least friction with which a stack stands, by bisection: it falls at the first and stands at the second."""
    key = "ground_friction" if of_ground else "friction"
    known = Stack(wedge).least_friction()[of_ground]

    def stands(friction):
        return Stack(wedge, slowly=slowly, stiffer=stiffer, **{key: friction}).fate().fell_at == 0

    low, high = 0.97 * known, 1.07 * known
    if stands(low) or not stands(high):
        raise RuntimeError("the least friction of a stack of spheres is not within 7 % of that of statics")
    while high - low > 1e-4 * known:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if stands(middle) else (middle, high)
    return low, high


def thresholds(run):
    stacks = [(wedge, of_ground) for wedge in (False, True) for of_ground in (False, True)]
    ways = {"cold": (0.0, 1.0), "slow": (0.2, 1.0), "stiff": (0.2, 10.0)}
    found = iter(run.map("thresholds", threshold, [(*stack, *way) for stack in stacks for way in ways.values()]))
    values = {}
    for wedge, of_ground in stacks:
        ends = {way: next(found) for way in ways}
        known = Stack(wedge).least_friction()[of_ground]
        over = {way: 0.5 * sum(pair) / known - 1 for way, pair in ends.items()}
        values[f"{'wedge' if wedge else 'pyramid'}-{'ground' if of_ground else 'contact'}"] = {
            way: f"{low:.6f} to {high:.6f}" for way, (low, high) in ends.items()} | {
            "more": 100 * over["cold"], "over_slow": over["slow"], "over_stiff": over["stiff"]}
    return {"threshold": values}


def loops(run):
    """D3: slope, plateau and area of the loop of a floor that moves forth, back and forth again."""
    table = csv_rows(run.folder.parent / "unit-cases" / "shear.csv")
    values, lines = {}, []
    for law, k in (("hertz", GLASS), ("hooke", SOFT)):
        damped, loop = Loop(k), Loop(replace(k, gamma_n=0.0, gamma_t=0.0))
        (x, force), (x_0, force_0) = damped.trace(), loop.trace()
        limit, stiffness, turn = k.friction * loop.normal, loop.stiffness, loop.legs

        def area(x, force):
            """∮ F dx of the legs back and forth."""
            return (0.5 * (force[turn:] + force[turn - 1:-1]) * np.diff(x)[turn - 1:]).sum()

        slopes = [(f[60] - f[10]) / (at[60] - at[10]) for at, f in ((x, force), (x_0, force_0))]
        # A plateau each way: what is left of the travel after the reversal from −μ F_n to μ F_n.
        length = area(x_0, force_0) / (2 * loop.travel - 2 * limit / stiffness)
        drag = damped.damping * damped.speed
        sticks = 2 * (limit - drag) / stiffness
        expected = 2 * (limit * (2 * loop.travel - sticks) + drag * sticks)
        values[law] = {"slope": slopes[0], "slope_off": max(abs(s / stiffness - 1) for s in slopes),
                       "high": force.max(), "low": force.min(),
                       "plateau_off": max(abs(force.max() / limit - 1), abs(-force.min() / limit - 1)),
                       "closes": abs(force_0[-1] / force_0[turn - 1] - 1), "length": length, "twice": 2 * limit,
                       "length_off": length / (2 * limit) - 1, "area": area(x, force),
                       "area_off": area(x, force) / expected - 1}
        pair = replace(k, **PAIR)
        of_pair = pair.friction * Contacts(pair).factor(2e-5) * pair.k_n * 2e-5
        steps = [int(row["step"]) for row in table if row["law"] == law]
        lines += [curve(f"{law}-history, sphere on the floor", np.append(0, x[::5] / loop.overlap),
                        np.append(0, force[::5] / limit), "line"),
                  curve(f"reference T3, pair of spheres, {law.capitalize()}",
                        [1e-8 * (step if step <= 1200 else 2400 - step) / 2e-5 for step in steps],
                        [-float(row["f_x"]) / of_pair for row in table if row["law"] == law], "points")]
    return {"loop": values}, panel("pressed, sheared, reversed", "position of the floor x/δ",
                                   "force along x, F_x/(μ F_n)", lines)


def wall(row, source="trapezoid", coefficients=None, **more):
    """A row of T5 on a real wall."""
    return rebound(coefficients or row.coefficients, row.degrees, midpoint=row.midpoint, velocity_source=source,
                   **row.options | more)


def rows_of_t5():
    found, same, undamped, predicted, geometric = [], [], [], [], []
    for row in impact_rows():
        r = wall(row)
        text = f"{r.v_x:.9g}, {r.v_z:.9g}, {r.spin:.9g}"
        if row.e_n == row.e_n:
            text += f", {r.v_z / math.cos(row.angle):.7g}, {r.impulse_t / r.impulse_n:.7g}"
        found.append({"text": text, "off": row.apart(r)})
        other = wall(row, "predicted")
        predicted.append(row.apart(other))
        same.append(apart(other, row.alone(extrapolated=True)))
        geometric.append(row.apart(wall(row, "predicted", elongation="geometric")))
        bare = replace(row.coefficients, gamma_n=0.0, gamma_t=0.0, restitution=0.0)
        undamped.append(apart(wall(row, coefficients=bare), row.alone(coefficients=bare)))
    return {"t5": found, "same": max(same), "undamped": max(undamped), "predicted": max(predicted),
            "geometric": max(geometric)}


def small_steps(run):
    """The integrator of the reference and the real wall at smaller and smaller steps, worst row."""
    steps, fine = ([1e-6, 1e-7], 1e-7) if run.quick else ([1e-6, 1e-7, 1e-8], 2e-9)
    points = [(row, step) for step in (*steps, fine) for row in range(8)]
    found = run.map("small-steps", off_at, [(row, step, step == fine) for row, step in points])
    worst = [max(found[8 * k:8 * k + 8]) for k in range(len(steps) + 1)]
    return {"apart": ", ".join(f"{off:.1e} at Δt = {step:g} s" for off, step in zip(worst, steps)),
            "order": log_slope(steps, worst[:-1]), "second": worst[1], "from_limit": worst[-1]}


def off_at(number, step, from_reference):
    row = impact_rows()[number]
    alone = row.alone(step, 0.1 / step)
    return row.apart(alone) if from_reference else apart(wall(row, step=step), alone)


def gross_sliding():
    off = []
    for k, history, degrees in [(k, "true", d) for k in (SOFT, GLASS) for d in (60, 65, 70, 75, 80)] + [
            (SOFT, history, d) for history in ("pseudo", "none") for d in (75, 80)]:
        r = rebound(k, degrees, midpoint=False, history=history, clip_tension=True)
        angle = math.radians(degrees)
        shed = k.friction * (1 + r.v_z / math.cos(angle)) * math.cos(angle)
        off.append((abs(r.impulse_t / r.impulse_n / k.friction - 1), abs(r.v_x - (math.sin(angle) - shed)),
                    abs(RADIUS * r.spin - 2.5 * shed)))
    attracts = rebound(GLASS, 80, midpoint=False)
    slips = rebound(SOFT, 60, midpoint=False, history="none", clip_tension=True)
    dashpot = [r.impulse_t / r.impulse_n for r in (wall(row) for row in impact_rows()[6:])]
    return {"count": len(off), "sliding": np.max(off, axis=0).tolist(), "slips": slips.impulse_t / slips.impulse_n,
            "attracts": attracts.impulse_t / attracts.impulse_n, "dashpot": dashpot,
            "dashpot_print": agrees_with_print("0.0720", dashpot[1]) and agrees_with_print("0.1724", dashpot[0])}


def spinning():
    shift, turned, mirrored = [], [], []
    for v in (0.5, 0.05, 0.005):
        spin = 400 * v
        velocity, after = collide_spinning(SOFT, v, (spin, spin))
        shed = SOFT.friction * (1 + (velocity[1][2] - velocity[0][2]) / (2 * v)) * v
        shift.append(velocity[1][0] / shed - 1)
        turned.append(RADIUS * (spin - after[0]) / (2.5 * shed) - 1)
        velocity, after = collide_spinning(SOFT, v, (spin, -spin))
        mirrored += [abs(velocity[0][0]) / v, abs(after[0] / spin - 1), abs(after[1] / spin + 1)]
    return {"shift": ", ".join(f"{v:.1e}" for v in shift), "turned": ", ".join(f"{v:.1e}" for v in turned),
            "last": [shift[-1], turned[-1]], "mirrored": max(mirrored)}


def restitutions(run):
    """e_n and J_t/J_n over the angle."""
    rows, normal, tangential = impact_rows(), [], []
    for label, number, history in (("Hertz, user's coefficients (T5 a), true history", 1, "true"),
                                   ("Hertz, user's coefficients (T5 a), no history", 1, "none"),
                                   ("Hertz, material coefficients (T5 b), true history", 5, "true"),
                                   ("Hooke (T5 c), true history", 6, "true"),
                                   ("Hooke (T5 c), pseudo-history", 6, "pseudo"),
                                   ("Hooke (T5 c), no history", 6, "none")):
        degrees = np.arange(5, 81, 5 if run.quick else 1)
        found = [wall(replace(rows[number], degrees=float(d)), history=history) for d in degrees]
        if history == "true":
            e_n = [r.v_z / math.cos(math.radians(d)) for r, d in zip(found, degrees)]
            normal.append(curve(label, degrees, e_n, "line"))
        tangential.append(curve(label, degrees, [r.impulse_t / r.impulse_n for r in found], "line"))
    normal.append(curve("numbers of the reference, T5", [row.degrees for row in rows],
                        [row.v_z / math.cos(row.angle) for row in rows], "points"))
    moving = [row for row in rows if row.degrees > 0]
    tangential.append(curve("numbers of the reference, T5", [row.degrees for row in moving],
                            [(math.sin(row.angle) - row.v_x) / (row.v_z + math.cos(row.angle)) for row in moving],
                            "points"))
    tangential.append(curve("μ", [5, 80], [0.18, 0.18], "prediction"))
    return [panel("normal restitution", "angle α from the normal (degrees)", "e_n", normal),
            panel("impulses", "angle α from the normal (degrees)", "J_t/J_n", tangential)]


def slopes():
    """Path and speed of a locked sphere."""
    paths, speeds = [], []
    for label, history, step in (("true", "true", 1e-5), *((f"pseudo, Δt = {s:g} s", "pseudo", s) for s in PSEUDO),
                                 ("none", "none", 1e-5)):
        time, path, speed = on_slope(history, 0.04, step).rows.T
        paths.append(curve(label, 1e3 * time, 1e6 * path, "line"))
        speeds.append(curve(label, 1e3 * time, 1e3 * speed, "line"))
    paths.append(curve("m g sin θ/k_t", [0, 40], [1e6 * REST] * 2, "prediction"))
    speeds.append(curve("numbers of the reference, T7", [40] * 5, [0, *(1e3 * v for v in PSEUDO.values()), 1e3 * CREEP],
                        "points"))
    return [panel("locked sphere, incline of 15°: path", "time (ms)", "path (μm)", paths, log="y"),
            panel("locked sphere, incline of 15°: speed", "time (ms)", "speed (mm/s)", speeds)]


def largest_steps():
    """Over stiffness and mass, both changed a hundredfold."""
    start, stiff, heavy = (largest_step(*factors) for factors in ((1, 1), (100, 1), (1, 100)))
    return {"steps": {"start": start, "over_root": start / math.sqrt(BALL_MASS / STIFFNESS),
                      "stiffness": math.log(stiff / start) / math.log(100),
                      "mass": math.log(heavy / start) / math.log(100)}}


def study(run):
    pyramid, heights = pyramids(run)
    loop, forces = loops(run)
    run.figure("Single bodies on walls with true, pseudo and no displacement history",
               "Above: a sphere that cannot turn on a plane inclined by 15°, friction 0.5. With true history it swings "
               "about a rest 0.73 μm down the plane and comes to it; pseudo-history creeps at a speed that depends on "
               "the time step, none at m g sin θ/(γ_t m). Below, left: a pyramid of three spheres and one on top, on a "
               "plane: it stands with true history where friction suffices (statics: 0.318 between the spheres), and "
               "always falls without one. Below, right: a sphere pressed on a floor that moves forth, back and forth "
               "again; dots: the reference's numbers for two spheres (T3), over their own μ F_n; the dashpot of a pair "
               "is half that of a sphere on a wall, whose reduced mass is twice as large.",
               [*slopes(), heights, forces], case=Stack().case().to_toml())
    run.figure("Oblique impacts on a wall",
               "A sphere of 3 mm meets a flat wall at 1 m/s, μ = 0.18, with the three sets of coefficients of T5; "
               "dots: the reference's numbers. Left: normal restitution; history does not enter it. Right: tangential "
               "over normal impulse. With true history it grows with the angle up to gross sliding (μ, dashed; a "
               "little more where the contact attracts at its end, with a limit of μ|F_n|); a dashpot alone gives too "
               "little friction at moderate angles.", restitutions(run), "impacts")
    return (largest_steps() | inclines() | rolls() | pyramid | ({} if run.quick else thresholds(run)) | loop
            | rows_of_t5() | small_steps(run) | gross_sliding() | spinning())
