"""The assembly of sphere clusters that the studies load, and its path to a stress ratio. It is the real one where its
file is present, else a generated one of the same kind. Source: linear-frictional-contact reference, §14 (procedure,
planning numbers)."""

import math
from pathlib import Path

STIFFNESS = 1e5 / 0.9058250162393092  # k_n = k_t (N/m): p = 100 kPa in the file as it is
PRESSURE = 1e5  # Pa
FRICTION = 0.55
FILE = Path(__file__).resolve().parents[3] / "shared/data/dempla/bumpies_10648_nevada_e0.566.txt.gz"
QUICK, FULL = 125, 4096  # generated clusters


def is_real(quick):
    return not quick and FILE.exists()


def which(quick):
    """Which assembly this is, for the report."""
    if quick:
        return f"quick set: {QUICK} generated clusters of 7 spheres"
    if FILE.exists():
        return "the 10 648 clusters of the data folder (Nevada, e = 0.566)"
    return f"the data folder is absent: {FULL} generated clusters of 7 spheres"


def time_step(quick):
    """About half the limit of the contacts as they are: six contacts that pull a body back alone, doubled by its
    neighbours moving against it. A run measures its own limit."""
    smallest = 3.58e-5 if is_real(quick) else 4.3e-5
    return 0.18 * math.sqrt(4.6166 * smallest**3 * 2650.0 / STIFFNESS)


def tables(quick):
    """A case without stages: bodies, material, law linear-refined, velocity Verlet with mass damping of 5 % a step."""
    if is_real(quick):
        assembly = {"generator": "import", "file": str(FILE)}
    else:
        axes = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
        arms = [[0.64 * sign * x for x in axis] + [0.6] for axis in axes for sign in (1, -1)]
        assembly = {"generator": "random", "shape": "cluster", "count": QUICK if quick else FULL, "radius": 5.5e-5,
                    "spread": 1e-5, "spheres": [[0.0, 0.0, 0.0, 0.8], *arms], "void_ratio": 2.6}
    step = time_step(quick)
    return {"title": "clusters of seven spheres", "dimension": 3, "cell": {"periodic": ["x", "y", "z"]},
            "assembly": assembly | {"largest_start_overlap": 0.05},
            "material": {"density": 2650.0, "normal_stiffness": STIFFNESS, "tangential_stiffness": STIFFNESS,
                         "friction": FRICTION, "normal_damping": 0.0, "tangential_damping": 0.0,
                         "mass_damping": 0.05 / step},
            "contact": {"law": "linear-refined", "clip_tension": False},
            "time": {"integrator": "velocity-verlet", "step": step}, "output": {"ledger": True}}


def stresses(x, y, z):
    """Compressions held by the servo (Pa)."""
    return {"stress_xx": -x, "stress_yy": -y, "stress_zz": -z}


def rest(duration, name="rest"):
    """The cell at rest: a stored state waits in it."""
    return {"name": name, "rate_xx": 0.0, "rate_yy": 0.0, "rate_zz": 0.0, "duration": duration}


def path(quick, strain_per_step, ratio=0.8, settle=True):
    """Stages to q/p = ratio at constant mean pressure, compression along x: [compact, confine,] relax, compress. With
    `settle` one holds the stress there until forces balance, and one has the cell at rest."""
    step, p, stages = time_step(quick), PRESSURE, []
    if not is_real(quick):
        stages.append({"name": "compact", **{f"rate_{a}{a}": -1e-4 / step for a in "xyz"}, "friction": 0.1,
                       "void_ratio": 0.8})
        stages.append({"name": "confine", **stresses(p, p, p), "friction": 0.1, "largest_rate": 2e-5 / step,
                       "unbalanced": 1e-3, "duration": (6000 if quick else 20000) * step})
    stages.append({"name": "relax", **stresses(p, p, p), "unbalanced": 1e-4, "duration": 4000 * step})
    stages.append({"name": "compress", "rate_xx": -strain_per_step / step, "mean_pressure": p, "stress_ratio": ratio,
                   "strain": 0.02})
    if settle:
        q = ratio * p  # q = σ1 − σ3 and p = (σ1 + 2σ3)/3
        stages.append({"name": "settle", **stresses(p + 2 * q / 3, p - q / 3, p - q / 3), "unbalanced": 1e-5,
                       "duration": (4000 if quick else 6000) * step})
        # Then the cell rests, and the creep under the stress comes to an end.
        stages.append(rest((3000 if quick else 2000) * step, "still"))
    return stages


COLUMNS = ("stage", "strain", "p", "q", "volume", "sliding", "at_limit", "unbalanced", "void_ratio", "contacts",
           "residual", "friction")


def watch(run, interval):
    """Rows of COLUMNS while the run goes, every `interval` steps and at the end of each stage; stages count from 0.
    Strains (compression positive) begin at the end of the relaxation."""
    names = [stage["name"] for stage in run.case.to_dict()["stage"]]
    relax, rows, last = names.index("relax"), [], {"step": -1, "strain": 0.0, "volume": 0.0}

    def look(now):
        stage = now.stage - 1
        if now.step == last["step"]:
            return
        s = now.series
        strain, volume = -s["strain_xx"], -(s["strain_xx"] + s["strain_yy"] + s["strain_zz"])
        if stage <= relax:
            last["strain"], last["volume"] = strain, volume
        last["step"] = now.step
        rows.append([stage, strain - last["strain"], s["mean_pressure"], s["deviator_stress"], volume - last["volume"],
                     s["sliding_fraction"], s["fraction_at_limit"], s["mean_unbalanced_force"], s["void_ratio"],
                     s["contacts"], abs(s["energy_residual"]) / s["absolute_work"], s["friction_loss"]])

    run.every(stage_end=True)(look)
    run.every(steps=interval)(look)
    return rows
