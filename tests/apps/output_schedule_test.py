"""The output by default: few snapshots, the ends of stages among them, the same after every interruption."""
import os
from pathlib import Path

import h5py
import numpy as np
from conftest import column, gives, write


def spheres(output=""):
    """Spheres that are pressed until a void ratio, at a step unknown before, and then sheared."""
    return f"""format = 1
dimension = 3
title = "spheres"
time.step = 1.2e-6
stage = [{{name = "press", rate_xx = -60, rate_yy = -60, rate_zz = -60, void_ratio = 0.8, duration = 6e-3}},
         {{name = "shear", rate_xy = 20, duration = 1.2e-3}}]
[assembly]
generator = "random"
shape = "sphere"
count = 60
radius = 1e-3
spread = 15e-5
void_ratio = 1
seed = 7
[material]
density = 2650
normal_stiffness = 2e4
tangential_stiffness_ratio = 0.8
friction = 0.5
restitution = 0.8
tangential_damping_ratio = 0.1
[output]
{output}"""


def test_few_snapshots_with_every_end_of_a_stage_and_the_same_after_interruptions():
    write("spheres.toml", spheres())
    whole = gives(0, "run spheres.toml -o whole")
    snapshots = sorted(os.listdir("whole/snapshots"))
    assert len(snapshots) <= 8 and not os.path.exists("whole/frames") and not os.path.exists("whole/paraview")
    # The end of the first stage is at a step between two rows (50 apart), and has its snapshot.
    after = next(step for step, stage in zip(column("whole", "step"), column("whole", "stage")) if stage > 1)
    end = max(step for step in (int(Path(name).stem) for name in snapshots) if step <= after < step + 50)
    for name in snapshots:
        gives(0, f"info whole/snapshots/{name}",
              "60 bodies in space, 60 shapes, without contacts (output.contacts = false)")

    # Stopped before, at and after the end of the stage.
    gives(0, f"run spheres.toml -o parts --until-step {end // 2}")
    for step in (end - 1, end, end + 1):
        gives(0, f"resume parts --until-step {step}")
    assert gives(0, "resume parts").hash == whole.hash
    assert sorted(os.listdir("parts/snapshots")) == snapshots
    for name in snapshots:
        assert Path("whole/snapshots", name).read_bytes() == Path("parts/snapshots", name).read_bytes()


def test_contacts_at_the_end_of_a_stage_are_whole_and_asking_for_them_changes_no_motion():
    for name, output in (("bare", ""), ("full", "contacts = true\nvtk = true\n"), ("bodies", "vtk = true\n")):
        write(f"{name}.toml", spheres("ledger = false\n" + output))
    bare = gives(0, "run bare.toml -o bare", "snapshots without contacts")
    full = gives(0, "run full.toml -o full", "snapshots with contacts (for ParaView as well)")
    gives(0, "run bodies.toml -o bodies")
    assert bare.hash == full.hash
    contacts = 0
    for snapshot in Path("full/snapshots").iterdir():
        with h5py.File(snapshot) as file:
            for name in ("normal_force", "stored_tangential"):
                assert np.isfinite(file["contacts"][name]).all()
            contacts += len(file["contacts"]["normal_force"])
    assert contacts > 100
    assert os.path.exists("full/paraview/contacts.pvd") and os.path.exists("bodies/paraview/particles.pvd")
    assert not os.path.exists("bodies/paraview/contacts.pvd")
