"""A sphere on a wall of the program: at rest or creeping on an incline with true, pseudo and no displacement history,
and its largest stable time step."""

import math
from types import SimpleNamespace

import numpy as np

import dem
from driver.study import curve, panel

BALL, STIFFNESS, G = 2.5e-3, 2000.0, 9.81  # m, N/m, m/s²
BALL_MASS = 4 * math.pi / 3 * BALL**3 * 2500
REST, CREEP = 7.270293283201703e-07, 0.012695074162278646  # of T7: true history (m); none (m/s)
PSEUDO = {2e-5: 0.009409115436433212, 1e-5: 0.010807853211132559, 5e-6: 0.011675694339724724}


def ball_case(history, bodies, step, gravity, stiffness=STIFFNESS):
    """On the plane z = 0. The limit of the step before a run counts on twelve contacts and on other overlaps."""
    return dem.Case({
        "dimension": 3, "body": bodies, "gravity": gravity, "stage": [{"duration": 1e3}],
        "material": {"density": 2500.0, "normal_stiffness": stiffness, "tangential_stiffness": stiffness * 2 / 7,
                     "normal_damping_rate": 400.0, "tangential_damping_ratio": 0.5, "friction": 0.5},
        "contact": {"law": "hooke-history", "history": history, "elongation": "velocity"},
        "wall": [{"name": "ground", "shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}],
        "time": {"integrator": "velocity-verlet", "step": step, "override_limit": True}})


def on_slope(history, until, step=1e-5):
    """A sphere that cannot turn on the ground, gravity tilted by 15° towards +x, pressed as at rest. Speed and
    elongation at the end; time, path and speed every 0.1 ms."""
    angle = math.radians(15)
    bodies = dem.spheres([[0, 0, BALL - BALL_MASS * G * math.cos(angle) / STIFFNESS]], BALL)
    bodies[0]["fixed"] = ["rotation"]
    run = dem.Run(ball_case(history, bodies, step, [G * math.sin(angle), 0, -G * math.cos(angle)]))
    rows = []

    @run.every(steps=round(1e-4 / step))
    def watch(now):
        rows.append((now.time, now.bodies["position"][0, 0], now.bodies["velocity"][0, 0]))

    run(until_step=round(until / step))
    with run.look() as now:
        return SimpleNamespace(speed=float(now.bodies["velocity"][0, 0]), rows=np.array(rows),
                               elongation=float(now.contacts["elongation"][0]))


def largest_step(stiffer, heavier):
    """The largest stable step of a ball that rests on the ground without damping, to 0.1 % by bisection (s). The ball
    starts a hundredth of its overlap above its place of rest; with too large a step it is thrown up."""
    weight = BALL_MASS * heavier * G
    overlap = weight / (STIFFNESS * stiffer)

    def is_stable(step):
        case = ball_case("none", dem.spheres([[0, 0, BALL - 0.99 * overlap]], BALL), step, [0, 0, -G],
                         STIFFNESS * stiffer)
        case["material.density"] = 2500.0 * heavier
        case["material.normal_damping_rate"] = 0.0
        run = dem.Run(case)
        run(until_step=4000)
        with run.look() as now:
            return abs(float(now.bodies["position"][0, 2]) - BALL + overlap) < overlap

    low, high = (factor * math.sqrt(BALL_MASS * heavier / (STIFFNESS * stiffer)) for factor in (0.1, 10))
    while high > 1.001 * low:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if is_stable(middle) else (low, middle)
    return low


def draw(run, found):
    """Path and speed of the locked sphere in the first 40 ms."""
    paths, speeds = [], []
    for label, slide in found.items():
        time, path, speed = slide.rows[slide.rows[:, 0] < 0.04 + 1e-9].T
        paths.append(curve(label, 1e3 * time, 1e6 * path, "line"))
        speeds.append(curve(label, 1e3 * time, 1e3 * speed, "line"))
    paths.append(curve("m g sin θ/k_t", [0, 40], [1e6 * REST] * 2, "prediction"))
    speeds.append(curve("numbers of the reference, T7", [40] * 5, [0, *(1e3 * v for v in PSEUDO.values()), 1e3 * CREEP],
                        "points"))
    run.figure("A sphere on an incline with true, pseudo and no displacement history",
               "A sphere that cannot turn on a plane inclined by 15°, friction 0.5. With true history it swings about "
               "a rest 0.73 μm down the plane and comes to it; pseudo-history creeps at a speed that depends on the "
               "time step, none at m g sin θ/(γ_t m).",
               [panel("locked sphere, incline of 15°: path", "time (ms)", "path (μm)", paths, log="y"),
                panel("locked sphere, incline of 15°: speed", "time (ms)", "speed (mm/s)", speeds)])


def study(run):
    found = {"true": on_slope("true", 0.2)}
    found |= {f"pseudo, Δt = {step:g} s": on_slope("pseudo", 0.1, step) for step in PSEUDO}
    found["none"] = on_slope("none", 0.2)
    draw(run, found)
    rest, *pseudo, creep = found.values()
    start, stiff, heavy = (largest_step(*factors) for factors in ((1, 1), (100, 1), (1, 100)))
    return {"rest": rest, "rest_off": rest.elongation / REST - 1,
            "creep": creep.speed, "creep_off": creep.speed / CREEP - 1, "pseudo": [slide.speed for slide in pseudo],
            "pseudo_off": max(abs(slide.speed / known - 1) for slide, known in zip(pseudo, PSEUDO.values())),
            "steps": {"over_root": start / math.sqrt(BALL_MASS / STIFFNESS),
                      "stiffness": math.log(stiff / start) / math.log(100),
                      "mass": math.log(heavy / start) / math.log(100)}}
