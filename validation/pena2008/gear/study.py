"""Order and stability of Gear's predictor-corrector (polygon-dem reference, §2): order of the error, the cost of an
event, growth of an amplitude, and the "t_c/5" criterion."""

import math

import numpy as np

import dem
from driver.digits import log_slope
from driver.study import curve, panel

SETS = {"velocity-dependent": "c0 = 3/16", "position-only": "c0 = 3/20"}
STEPS = (100, 200, 400, 800, 1600)
# Coefficients, error of x or of v.
COLUMNS = {"position-3-16": ("velocity-dependent", 0), "velocity-3-16": ("velocity-dependent", 1),
           "position-3-20": ("position-only", 0)}
GROWTH = 1e-9  # a step, as the reference defines the limit
PUBLISHED = {0.004: (0.69, 0.70), 0.05: (0.627, 0.65), 0.3: (0.246, 0.248), 0.0: (0.31, 0.10)}
SPAN = 4  # of the motion with an event; Δt = SPAN/steps
EVENTS = {"closing": "a contact closes (the force bends)", "slip": "slip onset (the force bends)",
          "jump": "the force jumps (a contact plane does)"}


def terms(x, v, dt, ratio=0.0):
    """Gear terms of x″ = −x − 2 ζ x′."""
    derivatives = [x, v]
    for k in range(2, 6):
        derivatives.append(-derivatives[k - 2] - 2 * ratio * derivatives[k - 1])
    return [d * dt**k / math.factorial(k) for k, d in enumerate(derivatives)]


def damped(ratio):
    return lambda x, v: -x - 2 * ratio * v


def error_after(ratio, coefficients, end, steps):
    """Errors of x and v of x″ = −x − 2 ζ x′ from x = 1, x′ = 0."""
    dt = end / steps
    found = dem.gear_steps(terms(1.0, 0.0, dt, ratio), dt, steps, damped(ratio), coefficients)
    w = math.sqrt(1 - ratio**2)
    decay, slope = math.exp(-ratio * end), ratio / w
    x = decay * (math.cos(w * end) + slope * math.sin(w * end))
    v = -decay * math.sin(w * end) * (w + slope * ratio)
    return abs(found[0] - x), abs(found[1] / dt - v)


def errors(run):
    """Order of each column, 100 to 800 steps."""
    fine = sorted(STEPS if run.quick else (*STEPS, 50, 3200, 6400, 12800))
    out, curves = {}, []
    for name, (coefficients, of) in COLUMNS.items():
        off = {n: error_after(0.1, coefficients, 10, n)[of] for n in fine}
        out[name] = {"order": -log_slope(STEPS[:4], [off[n] for n in STEPS[:4]])}
        curves.append(curve(name, [10 / n for n in fine], list(off.values())))
    run.figure("Error of the Gear scheme against the time step",
               "x″ = −x − 0.2 x′ from x = 1, x′ = 0 to t = 10. Below 1e-14 round-off is left.",
               [panel("", "Δt (in units of 1/ω)", "error at t = 10", curves, log="xy")], name="errors")
    return out


def local_orders():
    """Of one step from exact terms, in r_0 and in r_1 = v Δt."""
    steps = [0.4 * 0.5 ** (k / 2) for k in range(3, 7)]
    found = [error_after(0.1, "velocity-dependent", h, 1) for h in steps]
    return [log_slope(steps, [x for x, _ in found]), log_slope(steps, [v * h for (_, v), h in zip(found, steps)])]


def error_with_event(event, steps, phases):
    """Error of x some time after the force of x″ = −x has changed once, root mean square over starts that put the event
    at different places within a step."""
    dt, onset, squares = SPAN / steps, math.asin(0.5), 0.0
    for phase in range(phases):
        shift = dt * (phase + 0.5) / phases  # how long before the start the motion began
        if event == "closing":
            # Free flight with v = −1 from x = 1, then contact: x = −sin(t − 1). Opening after t = 1 + π is not reached.
            end = dem.gear_steps([1 - shift, -dt, 0, 0, 0, 0], dt, steps, lambda x, v: -x if x < 0 else 0.0)
            exact = -math.sin(SPAN + shift - 1)
        elif event == "slip":
            # x = sin t until t = π/6, where the spring holds its limit 1/2. Then x″ = −1/2, up to where x′ = 0.
            slipped = [0.0]

            def held(x, v):
                slipped[0] = max(slipped[0], x - 0.5)
                return -(x - slipped[0])

            count = round(1.5 / dt)
            end = dem.gear_steps(terms(math.sin(shift), math.cos(shift), dt), dt, count, held)
            t = count * dt + shift - onset
            exact = 0.5 + math.cos(onset) * t - 0.25 * t * t
        else:
            # x = sin t up to 1/2, from there on the force is weaker by 0.1: x″ = −x + 0.1.
            count = round(1.2 / dt)
            end = dem.gear_steps(terms(math.sin(shift), math.cos(shift), dt), dt, count,
                                 lambda x, v: -x + 0.1 if x > 0.5 else -x)
            t = count * dt + shift - onset
            exact = 0.1 + 0.4 * math.cos(t) + math.cos(onset) * math.sin(t)
        squares += (end[0] - exact) ** 2
    return math.sqrt(squares / phases)


def events(run):
    phases, counts = (24 if run.quick else 200), (200, 400, 800, 1600, 3200)
    dt, out, curves = [SPAN / n for n in counts], {"phases": phases}, []
    for event, label in EVENTS.items():
        off = [error_with_event(event, n, phases) for n in counts]
        out[event] = {"order": -log_slope(counts, off)}
        curves.append(curve(label, dt, off))
    smooth = [error_after(0.0, "velocity-dependent", SPAN, n)[0] for n in counts]
    run.figure("The cost of one event",
               "Undamped oscillator whose force changes once. Root mean square of the error afterwards over "
               f"{phases} positions of the event within a step. Dashed: smooth motion from exact terms.",
               [panel("", "Δt (in units of 1/ω)", "error of x after the event",
                      [*curves, curve("no event", dt, smooth, "prediction")], log="xy")], name="events")
    return out


def draw_growth(run):
    panels, fifth = [], math.pi / 5
    for k, (coefficients, name) in enumerate(SETS.items()):
        curves = []
        for ratio in (0.0, 0.004, 0.05, 0.3):
            w = np.arange(0.02, 0.9, 0.02 if run.quick else 0.005)
            growth = [dem.spectral_radius(ratio, float(x), coefficients=coefficients) - 1 for x in w]
            points = [(x, g) for x, g in zip(w, growth) if g > 1e-13]
            curves.append(curve(f"damping ratio {ratio:g}", *zip(*points), "line"))
        curves += [curve("1e-9", [0.02, 0.9], [GROWTH] * 2, "prediction"),
                   curve("t_c/5", [fifth] * 2, [1e-12, 1], "prediction"),
                   curve("published limits", [p[k] for p in PUBLISHED.values()], [GROWTH] * 4, "points")]
        panels.append(panel(name, "ωΔt", "growth per step", curves, log="y"))
    run.figure("Growth of an amplitude per step against ωΔt",
               "Spectral radius of one step minus one, where it is positive. Horizontal: 1e-9, the growth that defines "
               "the published limits (circles). Vertical: t_c/5.", panels, name="growth")


def study(run):
    table = errors(run)
    draw_growth(run)
    low, (high, _) = ([dem.stability_limit(ratio, GROWTH, coefficients=c) for c in SETS] for ratio in (0.05, 0.3))
    return {
        "table": table, "local": local_orders(), "events": events(run), "low": low,
        "of_fifth": [v / (math.pi / 5) for v in low], "high": math.pi / (high * math.sqrt(1 - 0.3**2)),
    }
