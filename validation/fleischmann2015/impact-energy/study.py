"""What the kinetic energy of a sphere gains when it meets a flat wall, with each form of the tangential spring, whose
stiffness may change during the contact (direct-shear reference, §1.2).

What a contact of hard spheres does depends on the velocity of the contact point alone, s = v_x − R ω along the wall and
v_n. In s the sphere has 2/7 of its mass. The rest of the energy, ½ (5/7) m (v_x + 2/5 R ω)², no tangential force can
change. So of all spins with the same s/v_n the gain, over the energy before, is largest where that rest is zero: R ω =
−5/2 v_x, s = 7/2 v_x. Of soft spheres the lever R − δ/2 shrinks during the contact, so that a spin changes s by itself,
and each spin has a gain of its own."""

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np

import dem
from driver.study import curve, panel
from one_contact import DENSITY, MASS, RADIUS, Coefficients, Contacts, meets_wall

FORMS = {"hooke": "hooke-history", "displacement": "hertz-history, displacement",
         "force-increment": "hertz-history, force-increment", "rescaled": "hertz-history, rescaled"}
SOFT, HARD, HARDEST = 4e7, 4e10, 4e12  # Young's moduli (Pa); the first is that of the reference's impacts
BEADS = 0.22  # ν of the reference's beads, which its impacts have
LARGEST = -2.5  # R ω/v_x of the largest gain
SPINS = (-6.0, -4.0, -2.5, -1.75, -1.0, -0.5, 0.0, 0.5, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 20.0)
MOST = 8192  # impacts at a time


@dataclass(frozen=True)
class Impact:
    """At 1 m/s. With Hertz the overlap of a head-on one is 5 % of the radius at E = 4e7 and 0.3 % at 4e10. Hooke's k_n
    is 5e-5 m E."""

    form: str
    young: float = HARD
    nu: float = BEADS  # Hertz: k_t/k_n = 3(1 − ν)/(2 − ν)
    ratio: float = 1.0  # Hooke: k_t/k_n
    friction: float = 0.5
    restitution: float = 1.0
    limit: str = "total"
    spin: float = 0.0  # R ω/v_x before
    degrees: float = 45.0  # of the velocity of the centre from the normal
    steps: int = 1000  # during the contact

    @property
    def sticks(self):
        """s/v_n up to which an elastic contact sticks when it touches: μ k_n/k_t; k_t u < μ F_n for small overlaps."""
        return self.friction / (self.ratio if self.form == "hooke" else 3 * (1 - self.nu) / (2 - self.nu))

    def at_slip(self, slip):
        """The same where s/v_n has this absolute value."""
        return replace(self, degrees=math.degrees(math.atan(slip / abs(1 - self.spin))))

    def over_angles(self, per_decade):
        """s/v_n from 0.1 to 30 times that limit, itself included; up to 89°."""
        slips = (self.sticks * 10 ** (k / per_decade) for k in range(-per_decade, 3 * per_decade // 2 + 1))
        return [i for i in map(self.at_slip, slips) if i.degrees <= 89]

    def __str__(self):
        springs = f"k_t/k_n = {self.ratio:.3g}" if self.form == "hooke" else f"ν = {self.nu:g}"
        return (f"{springs}, μ = {self.friction:g}, {self.degrees:.3g}° from the normal, R ω = {self.spin:g} v_x, "
                f"e = {self.restitution:g}")


def duration(form, young, nu, speed, restitution, mass, radius):
    """Of a contact with reduced mass and radius (s)."""
    if form == "hooke":
        damping = hooke_damping(restitution, 5e-5 * young, mass)
        return math.pi / np.sqrt(5e-5 * young / mass - (damping / (2 * mass)) ** 2)
    of_pair = young / (2 * (1 - nu * nu))
    return 2.87 * (mass * mass / (radius * of_pair * of_pair * speed)) ** 0.2


def hooke_damping(restitution, stiffness, mass):
    l = -np.log(restitution) / math.pi
    return 2 * np.sqrt(stiffness * mass) * l / np.sqrt(1 + l * l)


def energies(impacts):
    """Gain of the kinetic energy, circulation and friction, over the energy before: a row for each impact. The law
    alone, on a flat wall, velocity Verlet."""
    found = np.empty((len(impacts), 3))

    def kind(number):
        return impacts[number].form, impacts[number].limit, impacts[number].steps

    for (form, limit, steps), numbers in itertools.groupby(sorted(range(len(impacts)), key=kind), key=kind):
        numbers = list(numbers)
        for part in (numbers[k:k + MOST] for k in range(0, len(numbers), MOST)):
            found[part] = energies_of(form, limit, steps, [impacts[number] for number in part])
    return found


def energies_of(form, limit, steps, impacts):
    young, nu, ratio, friction, e, spin, degrees = np.array(
        [(i.young, i.nu, i.ratio, i.friction, i.restitution, i.spin, i.degrees) for i in impacts]).T
    angle = degrees * math.pi / 180
    options = {"friction_limit": limit}
    if form == "hooke":
        k_n = 5e-5 * young
        gamma = hooke_damping(e, k_n, MASS) / MASS
        k = Coefficients(False, k_n, ratio * k_n, gamma, gamma * np.sqrt(ratio), friction)
    else:
        k = Coefficients(True, 4 * (young / (2 * (1 - nu * nu))) / 3, 8 * (young / (4 * (1 + nu) * (2 - nu))), 0.0, 0.0,
                         friction, restitution=np.where(e < 1, e, 0))
        options["hertz_variant"] = form
    dt = duration(form, young, nu, np.cos(angle), e, MASS, RADIUS) / steps
    r = meets_wall(Contacts(k, len(impacts), **options), angle, dt, 20 * steps, spin=spin * np.sin(angle) / RADIUS,
                   skip=True)
    if not (r.v_z > 0).all():
        raise RuntimeError("the sphere of an impact does not leave the wall")
    return np.transpose([r.kinetic - 1, r.circulation, r.friction])


def largest(impacts):
    """The largest gain, and its impact."""
    gains = energies(impacts)[:, 0]
    top = int(np.argmax(gains))
    return gains[top], impacts[top]


def refined(impacts):
    """Gains with more steps, and their changes against fewer."""
    coarse, fine = (energies([replace(i, steps=times * i.steps) for i in impacts])[:, 0] for times in (4, 16))
    return fine, abs(coarse - fine)


@dataclass(frozen=True)
class Grid:
    frictions: tuple = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10)
    ratios: tuple = (0, 0.05, 0.1, 0.15, 0.2, 0.22, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)  # Poisson's
    per_decade: int = 24
    steps: int = 1000

    def top(self, settings, times=1):
        """The largest gain over angles and frictions as well."""
        return largest([i for setting in settings for friction in self.frictions
                        for i in replace(setting, steps=times * self.steps, friction=friction).over_angles(
                            self.per_decade)])


def settings(form, ratios, restitutions, young=HARD):
    """All springs, spins and limits of a form."""
    springs = ([Impact(form, young, ratio=ratio) for ratio in (2 / 7, 1.0, 2.0)] if form == "hooke"
               else [Impact(form, young, nu) for nu in ratios])
    # Without dashpots the two limits are one.
    return [replace(i, restitution=e, spin=spin, limit=limit) for i in springs for e in restitutions
            for spin in (0.0, LARGEST) for limit in ("total", "spring") if e < 1 or limit == "total"]


def never(grid, form):
    """Forms that are said never to gain: what they do gain must vanish with the time step."""
    chosen = settings(form, grid.ratios, (1.0, 0.9, 0.5, 0.1))
    if form != "hooke":
        chosen += settings(form, grid.ratios, (1.0,), SOFT)
    (coarse, _), (fine, impact) = grid.top(chosen), grid.top(chosen, 4)
    return {"settings": len(chosen), "coarse": coarse, "fine": fine, "words": str(impact)}


def published_form(steps):
    """At both frictions of the reference."""
    chosen = [largest([i for spin in spins for i in Impact("displacement", young, friction=friction, spin=spin,
                                                           steps=steps).over_angles(24)])[1]
              for friction in (0.5, 10.0)
              for young, spins in ((SOFT, (0.0,)), (SOFT, (2.0,)), (SOFT, SPINS), (HARDEST, (LARGEST,)))]
    gains = 100 * refined(chosen)[0].reshape(2, 4)
    return [dict(zip(("none", "two", "most", "hard"), row)) | {"words": str(impact)}
            for row, impact in zip(gains, chosen[2::4])]


def told(impact):
    (fine,), (change,) = refined([impact])
    return {"gain": 100 * fine, "change": change, "words": str(impact)}


def increments(grid):
    there, hard = refined([grid.top(settings("force-increment", (BEADS,), (1.0,), young))[1]
                           for young in (SOFT, HARD)])[0]
    return told(grid.top(settings("force-increment", grid.ratios, (1.0,)))[1]) | {"soft": there, "hard": hard}


def poisson(grid):
    """The smallest ν of the grid at which a form gains nothing."""
    parts_of_text = []
    for form in ("displacement", "force-increment"):
        gains = {nu: grid.top(settings(form, (nu,), (1.0,)))[0] for nu in grid.ratios}
        last = max((nu for nu in grid.ratios if gains[nu] >= 1e-5), default=0)
        free = [nu for nu in grid.ratios if nu > last]
        parts_of_text.append(f"{FORMS[form]}: gains up to ν = {last:g}, "
                             + (f"none from ν = {free[0]:g} on" if free else "no ν without"))
    return "; ".join(parts_of_text)


def balance(grid):
    found = energies([Impact(form, nu=nu, friction=friction, spin=LARGEST, degrees=degrees, steps=4 * grid.steps)
                      for form in FORMS for nu in (0.0, BEADS) for friction in (0.5, 10.0)
                      for degrees in (20.0, 50.0, 80.0)])
    return {"balance": abs(found.sum(axis=1)).max(), "circulation": 100 * found[:, 1].min()}


def impact_case(impact, held):
    """The same by the program: a sphere against a held one of 10 m, or two equal free spheres that meet at opposite
    velocities and equal spins."""
    angle, other = math.radians(impact.degrees), 10.0 if held else RADIUS
    share = 1.0 if held else 0.5
    velocity = share * np.array([math.sin(angle), 0, -math.cos(angle)])
    spin = [0, share * impact.spin * math.sin(angle) / RADIUS, 0]
    bodies = dem.spheres([[0, 0, 0], [0, 0, other + RADIUS + 1e-9]], [other, RADIUS])
    bodies[1] |= {"velocity": velocity.tolist(), "angular_velocity": spin}
    bodies[0] |= ({"fixed": ["x", "y", "z", "rotation"]} if held
                  else {"velocity": (-velocity).tolist(), "angular_velocity": spin})
    if impact.form == "hooke":
        law = {"law": "hooke-history", "friction_limit": impact.limit}
        springs = {"normal_stiffness": 5e-5 * impact.young, "tangential_stiffness": impact.ratio * 5e-5 * impact.young}
    else:
        law = {"law": "hertz-history", "friction_limit": impact.limit, "hertz_variant": impact.form}
        springs = {"shear_modulus": impact.young / (2 * (1 + impact.nu)), "poisson_ratio": impact.nu}
    dt = duration(impact.form, impact.young, impact.nu, math.cos(angle), impact.restitution, share * MASS,
                  share * RADIUS) / impact.steps
    return dem.Case({"dimension": 3, "body": bodies, "stage": [{"duration": float(20 * impact.steps * dt)}],
                     "contact": law | {"fixed_mass": "infinite"},
                     "material": springs | {"density": float(DENSITY), "friction": impact.friction,
                                            "restitution": impact.restitution},
                     # The limit before the run counts on an overlap of 1 % of the diameter.
                     "time": {"step": float(dt), "integrator": "velocity-verlet", "override_limit": True}})


def gain_of_run(impact, held):
    run, met = dem.Run(impact_case(impact, held)), []
    before = run.ledger["kinetic_energy"]

    @run.every(steps=impact.steps // 20)
    def watch(now):
        if len(now.contacts):
            met.append(now.step)
        elif met:
            now.stop("the spheres have parted")

    if run().end != "stopped":
        raise RuntimeError("the spheres of an impact do not part")
    return run.ledger["kinetic_energy"] / before - 1


def program(grid):
    shown = [Impact(form, nu=nu, friction=10.0, degrees=60.0)
             for form, nu in (("displacement", 0.0), ("displacement", BEADS), ("force-increment", 0.0),
                              ("rescaled", 0.0))]
    shown.append(Impact("hooke", degrees=60.0))
    impacts = [replace(i, spin=spin, steps=4 * grid.steps, young=HARDEST) for i in shown for spin in (0.0, LARGEST)]
    walls = energies(impacts)[:, 0]
    held, pair = (max(abs(gain_of_run(i, way) - wall) for i, wall in zip(impacts, walls)) for way in (True, False))
    return {"impacts": len(impacts), "most_here": 100 * walls[1], "held": held, "pair": pair}


def random_spins(grid, count):
    """Random spins beside the two of the map, at ν = 0 where gains are: the largest gain over that of the map."""
    random, beyond = np.random.default_rng(11), -1.0
    for form in ("displacement", "force-increment"):
        given = Impact(form, HARDEST, 0.0, spin=LARGEST, steps=grid.steps)
        most, _ = largest([i for friction in grid.frictions for i in replace(given, friction=friction).over_angles(48)])
        drawn = [replace(given, friction=random.choice(grid.frictions), spin=random.uniform(-5, 3))
                 for _ in range(count)]
        drawn = [i.at_slip(i.sticks * random.uniform(0.5, 2)) for i in drawn]
        beyond = max(beyond, largest([i for i in drawn if i.degrees < 89])[0] / most - 1)
    return {"count": 2 * count, "beyond": 100 * abs(beyond), "side": "above" if beyond > 0 else "below"}


def restitution(grid):
    """From e = 1 down until the published form gains nothing, whatever μ, ν, angle and spin."""
    texts = []
    for e in (0.99, 0.985, 0.98, 0.975, 0.97, 0.96, 0.95, 0.9, 0.8, 0.7, 0.5, 0.3, 0.1):
        top, _ = grid.top(settings("displacement", grid.ratios, (e,)))
        texts.append(f"e = {e:g}: {100 * top:.2f} %")
        if top <= 0:
            break
    return f"{', '.join(texts)}; none from e = {e:g} down"


def draw_map(run, grid):
    panels = []
    for form, label in FORMS.items():
        curves = []
        for friction in (0.2, 0.5, 1.0, 3.0, 10.0):
            given = Impact(form, nu=0.0 if form == "force-increment" else BEADS, friction=friction, spin=LARGEST,
                           steps=4 * grid.steps)
            slips = np.sort(np.append(0.02 * 10 ** (0.5 / grid.per_decade * np.arange(3.31 / 0.5 * grid.per_decade)),
                                      given.sticks))  # with the tip of the curve
            gains = energies([given.at_slip(slip) for slip in slips])[:, 0]
            shown = np.cumsum(gains < -0.02) == 0
            curves.append(curve(f"μ = {friction:g}", slips[shown], 100 * gains[shown], "line"))
        panels.append(panel(label + (", ν = 0" if form == "force-increment" else ""), "s/v_n before", "ΔE/E₀ (%)",
                            curves, log="x"))
    run.figure("Kinetic energy that an elastic impact gains",
               "A hard sphere meets a flat wall at e = 1 with R ω = −5/2 v_x, the spin of the largest relative gain; "
               f"s: velocity of the contact point along the wall. ν = {BEADS:g}, and ν = 0 for force increments, which "
               "gain nothing at the other. Below zero friction takes more than the spring makes; each curve ends where "
               "it takes 2 %.", panels,
               case=impact_case(Impact("displacement", friction=10.0, spin=LARGEST, degrees=65.0), True).to_toml())


def draw_largest(run, grid):
    def most(form, **given):
        impact = Impact(form, spin=LARGEST, steps=grid.steps, **given)
        return max(largest(impact.over_angles(grid.per_decade))[0], 1e-6)

    by_nu, by_friction, by_restitution, by_overlap = [], [], [], []
    restitutions = (1.0, *(1 - 0.002 * k for k in range(1, 11)), 0.975, 0.97, 0.96, 0.95)
    for form in ("displacement", "force-increment", "rescaled"):
        by_nu.append(curve(FORMS[form], grid.ratios, [most(form, nu=nu, friction=10.0) for nu in grid.ratios]))
        by_friction.append(curve(FORMS[form], grid.frictions, [most(form, nu=0.0, friction=m) for m in grid.frictions]))
        by_restitution.append(curve(FORMS[form], restitutions,
                                    [most(form, nu=0.0, friction=10.0, restitution=e) for e in restitutions]))
    for friction, published in ((0.5, 6e-4), (10.0, 0.022)):
        x, y = [], []
        for young in (1e7, 4e7, 4e8, 4e9, 4e10, 4e11, 4e12):
            given = Impact("displacement", young, friction=friction, steps=grid.steps)
            of_pair = young / (2 * (1 - BEADS * BEADS))  # of a head-on impact:
            x.append((15 * MASS / (16 * of_pair * math.sqrt(RADIUS))) ** 0.4 / RADIUS)
            y.append(max(largest([i for spin in SPINS for i in replace(given, spin=spin).over_angles(
                grid.per_decade // 2)])[0], 1e-6))
        by_overlap += [curve(f"μ = {friction:g}, largest of spins", x, y),
                       curve(f"reference, μ = {friction:g}", x[1:2], [published], "points")]
    run.figure("Largest gain of all angles",
               "Largest gain of an impact over all angles with R ω = −5/2 v_x, hard spheres unless said. Against "
               "Poisson's ratio at μ = 10; against friction at ν = 0; against the coefficient of restitution at ν = 0, "
               "μ = 10; and of the published form at ν = 0.22 against the overlap of a head-on impact at 1 m/s, with "
               "dots for the reference's 0.06 % and 2.2 %, which come with no overlap and are drawn at that of its "
               "modulus. "
               "No gain is drawn at 1e-6.",
               [panel("Poisson's ratio", "ν", "largest ΔE/E₀", by_nu, log="y"),
                panel("friction", "μ", "largest ΔE/E₀", by_friction, log="xy"),
                panel("restitution", "e", "largest ΔE/E₀", by_restitution, log="y"),
                panel("overlap, published form", "largest overlap over radius, δ/R", "largest ΔE/E₀", by_overlap,
                      log="xy")],
               "largest")


def study(run):
    grid = Grid((0.1, 0.5, 1, 3, 10), (0, 0.22, 0.3, 0.5), 8, 300) if run.quick else Grid()
    draw_map(run, grid)
    draw_largest(run, grid)
    return {"hooke": never(grid, "hooke"), "rescaled": never(grid, "rescaled"),
            "frictions": len(grid.frictions), "angles": 5 * grid.per_decade // 2, "steps": grid.steps,
            "fine_steps": 4 * grid.steps, "published_form": published_form(500 if run.quick else 2000),
            "most": told(grid.top(settings("displacement", grid.ratios, (1.0,)))[1]), "increments": increments(grid),
            "poisson": poisson(grid), "restitution": restitution(grid), **balance(grid), **program(grid),
            **random_spins(grid, 100 if run.quick else 1000)}
