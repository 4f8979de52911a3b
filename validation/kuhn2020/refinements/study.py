"""The worth of each refinement of the linear-frictional contact: random histories with each of them switched off by
itself, and the property behind it, that a step is a flow. Source: linear-frictional-contact reference, §3-§5, §10,
§17."""

import math

import numpy as np

import dem
from driver.mt64 import between, uniform
from driver.pair import difference, follow
from driver.study import curve, panel
from random_contact_paths import LENGTH, OVERLAP, random_histories, random_path

MATERIAL = {"normal_stiffness": 1e5, "tangential_stiffness": 1e5, "friction": 0.5}
LIMIT = 0.5 * 1e5 * OVERLAP  # N
ENERGY = LIMIT * LIMIT / 1e5  # J
VARIANTS = {
    "full": ("all refinements", {}),
    "part-of-step": ("without the part of the step", {"refinements": ["onset", "direction"]}),
    "onset": ("without the onset", {"refinements": ["part-of-step", "direction"]}),
    "direction": ("without the turning of the sliding force", {"refinements": ["part-of-step", "onset"]}),
    "transport": ("projection and Eq. 23 for swing and twist", {"transport": "projection-twirl"}),
    "conventional": ("law linear, swing and twist", {"law": "linear"}),
    "published-transport": ("law linear, projection and Eq. 23", {"law": "linear", "transport": "projection-twirl"}),
}
PARTS = [1, 2, 5, 10, 30, 100]
STEPS = [50, 100, 200, 400, 800, 1600]


def step(law, start, force, moves):
    """Force at the end, work, dissipation, and stored energy at the start and at the end of moves from a state."""
    s = dem.contact(law, MATERIAL, moves, start_overlap=start, start_force=force)
    return s.tangential[-1], s.work.sum(), s.dissipated.sum(), s.stored_tangential[0], s.stored_tangential[-1]


def flow(count):
    """A step from a random state within the limit, of any size against it, whole and in two proportional parts."""
    random, found = uniform(17), {"linear-refined": np.zeros(3), "linear": np.zeros(3)}
    least = ledger = collinear = 0.0
    for k in range(count):
        start = OVERLAP * (between(random, -1, 0) if k % 4 == 0 else between(random, 0.2, 2))
        end = OVERLAP * (between(random, -1, 0) if k % 5 == 0 else between(random, 0.2, 2))
        a, b = between(random, 0, 2 * math.pi), between(random, 0, 2 * math.pi)
        size = 2e-5 * 10 ** between(random, -2, 1.5)
        f = 0.5 * 1e5 * max(start, 0) * (1 if k % 3 == 0 else between(random, 0, 1))
        part = between(random, 0.05, 0.95)
        force = [f * math.cos(a), f * math.sin(a)]
        move = np.array([size * math.cos(b), size * math.sin(b)])
        for law, worst in found.items():
            whole = step(law, start, force, [[end, *move]])
            two = [[start + part * (end - start), *(part * move)], [end, *((1 - part) * move)]]
            parts = step(law, start, force, two)
            off = [np.linalg.norm(whole[0] - parts[0]) / LIMIT, *(abs(whole[n] - parts[n]) / ENERGY for n in (1, 2))]
            found[law] = np.maximum(worst, off)
            if law == "linear-refined":
                least = min(least, whole[2] / ENERGY)
                ledger = max(ledger, abs(whole[1] - whole[2] - (whole[4] - whole[3])) / ENERGY)
        if k % 4 and k % 5:  # §10: along the force both laws are the same
            along = (1 if k % 2 else -1) * size / max(f, 1e-300) * np.array(force)
            one, other = (step(law, start, force, [[end, *along]])[0] for law in found)
            collinear = max(collinear, np.linalg.norm(one - other) / LIMIT)
    return {"exact": found["linear-refined"], "conventional": found["linear"], "least": least, "ledger": ledger,
            "collinear": collinear}


def ride(histories, parts, law="linear-refined", **options):
    """Forces at the end of each movement, and all dissipation, with each movement in equal parts."""
    before = np.concatenate([np.full((len(histories), 1), OVERLAP), histories[:, :-1, 0]], axis=1)
    paths = np.repeat(histories[:, :, None] / [1, parts, parts], parts, axis=2)
    paths[..., 0] = before[..., None] + (histories[..., :1] - before[..., None]) * np.arange(1, parts + 1) / parts
    paths[:, :, -1, 0] = histories[..., 0]
    states = dem.contact(law, {**MATERIAL, **options}, paths.reshape(len(histories), -1, 3), start_overlap=OVERLAP)
    # In a run law linear does not move with a contact that is lost: what it stored is gone.
    last_work = states.work[states.regime == "separated"].sum() if law == "linear" else 0.0
    return states.tangential[:, parts::parts], states.dissipated.sum() - last_work


def straight(run):
    """rms of the error in force over the mean limit, and relative error in dissipation, by variant and parts."""
    histories = random_histories(40 if run.quick else 400)
    force, lost = ride(histories, 1)
    found = {}
    for name, (_, variant) in VARIANTS.items():
        if "transport" in variant:
            continue  # nothing turns
        rides = [ride(histories, n, **variant) for n in PARTS]
        found[name] = [(math.sqrt(((f - force) ** 2).sum(axis=-1).mean()) / LIMIT, (d - lost) / lost) for f, d in rides]
    panels = [panel(title, "steps per movement", label,
                    [curve(VARIANTS[name][0], PARTS, [max(abs(w[k]), 1e-16) for w in worth])
                     for name, worth in found.items()], "xy")
              for k, (title, label) in enumerate((("force", "rms error / limit"), ("dissipation", "|relative error|")))]
    run.figure("Error of random histories with one refinement switched off",
               f"{len(histories)} random histories of {LENGTH} straight movements of 0.4 limits on average, k_t = k_n, "
               f"with loss and return of the contact; each movement in n equal steps. rms of the force over the limit "
               f"of the mean overlap, dissipation relative to all of it; against all refinements in one step.", panels,
               "straight")
    return found


def sentence(worth):
    force, lost = ((", ".join(form.format(worth[k][of]) for k in (0, 2, 4)))
                   for of, form in ((0, "{:.2g}"), (1, "{:+.2g}")))
    return f"force {force} of the limit, dissipation {lost} of itself"


def turning(run):
    """rms errors on smooth motions over the mean limit, by variant and steps."""
    count, fine = (8, 12800) if run.quick else (60, 51200)
    squares = {name: np.zeros(len(STEPS)) for name in VARIANTS}
    for h in range(count):
        path = random_path(100 + h)
        reference = follow(path, fine, MATERIAL)
        for name, (_, variant) in VARIANTS.items():
            squares[name] += [(difference(follow(path, n, MATERIAL, **variant), reference) ** 2).sum() for n in STEPS]
    errors = {name: np.sqrt(s / (count * np.array(STEPS))) / LIMIT for name, s in squares.items()}
    run.figure("Error on smooth random motions of a pair",
               f"{count} smooth random motions of two spheres that slide, separate, touch again and turn by about a "
               f"radian. rms of the tangential force over the limit of the mean overlap, against {fine} steps with all "
               "refinements.",
               [panel("", "steps", "rms error / limit",
                      [curve(VARIANTS[name][0], STEPS, e) for name, e in errors.items()], "xy")], "turning")
    return errors


def study(run):
    count = 2000 if run.quick else 20000
    worth, errors = straight(run), turning(run)
    return {
        "count": count, **flow(count),
        "worth": {name: f"{VARIANTS[name][0]}, in 1, 5, 30 steps per movement: {sentence(w)}"
                  for name, w in worth.items()},
        "first": {name: f"force {w[0][0]:.2g} of the limit off in one step" for name, w in worth.items()},
        "matters": {name: max(w[0][0], abs(w[0][1])) > 1e-3 for name, w in worth.items()},
        "turning": "; ".join(f"{VARIANTS[name][0]}: " + ", ".join(f"{e[k]:.2g}" for k in (1, 3, 5))
                             for name, e in errors.items()),
        "least_error": all(errors["full"][-1] <= 1.01 * e[-1] for e in errors.values()),
    }
