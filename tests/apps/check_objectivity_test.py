"""dem check --objectivity: what it says of examples, and of a case whose contact plane depends on the frame."""
import os

from conftest import dem, gives, two_discs, write


def two_polygons(plane, duration=2.0):
    """Two polygons that collide off centre."""
    return f"""format = 1
title = "two"
gravity = [0.4, -1.0]
material = {{normal_stiffness = 400, tangential_stiffness_ratio = 0.3, friction = 0.5, restitution = 0.9}}
contact.contact_plane = "{plane}"
time.step = 0.001
stage = [{{duration = {duration}}}]
[[body]]
shape = "polygon"
vertices = [[0.5, 1.6], [1.4, 1.7], [1.5, 2.4], [0.6, 2.3]]
velocity = [0.5, 0.1]
[[body]]
shape = "polygon"
vertices = [[1.6, 2.1], [2.4, 1.9], [2.5, 2.8]]
velocity = [-0.5, 0.0]
"""


def test_objectivity_of_examples():
    discs = gives(0, "check --objectivity apps/examples/two-discs.toml", "1000 steps of 2 bodies",
                  "1e-16 shift grows to ", "threads     2 instead of 1: the same bits.",
                  "turned      by 90°: differs by ", "No general turn: body 'pushed' is held along an axis of its own.",
                  "shifted     by (", "mirrored    x → −x: differs by ",
                  "renumbered  in another order: differs by ", "Round-off.",
                  "Only round-off differs: the results depend neither on the frame")
    assert "More than round-off" not in discs.out and not discs.err
    gives(0, "check --objectivity --steps 50 apps/examples/cyclic-shear.toml",
          "turned      not done: the plates are level", "Nothing touched in these steps")
    gives(0, "check --objectivity --steps 100 apps/examples/shear-box.toml", "not done: shifted")
    assert not os.path.exists("results")


def test_objectivity_of_clusters():
    """A turn exchanges the axes that are nearest to the principal ones: no scheme may depend on them."""
    cluster = """[[body]]
shape = "cluster"
spheres = [[0.0, 0.0, 0.0, 0.4], [0.2, 0.05, 0.0, 0.35], [-0.1, 0.2, 0.1, 0.3]]
"""
    for integrator in ("velocity-verlet", "gear5"):
        write("clusters.toml", f"""format = 1
dimension = 3
material = {{normal_stiffness = 1000, tangential_stiffness_ratio = 0.7, friction = 0.3, restitution = 0.8}}
time = {{step = 0.00025, integrator = "{integrator}"}}
cell = {{periodic = ["x", "y", "z"], size = [3, 3, 3]}}
stage = [{{duration = 0.125}}]
{cluster}position = [0.0, 0.0, 0.0]
angular_velocity = [3.0, 1.0, -2.0]
{cluster}position = [0.3, 0.8, 0.4]
orientation = [0.8, 0.36, 0.48, 0.0]
velocity = [-0.2, -1.0, -0.4]
""")
        found = gives(0, "check --objectivity --steps 500 clusters.toml", "turned      by 120° about (1, 1, 1)",
                      "mirrored    x → −x", "Only round-off differs")
        assert "Nothing touched" not in found.out


def test_objectivity_and_the_contact_plane():
    write("smooth.toml", two_polygons("area-gradient"))
    write("published.toml", two_polygons("edge-mean"))
    smooth = gives(0, "check --objectivity smooth.toml", "turned      by 20°: differs by ")
    assert "More than round-off" not in smooth.out
    published = gives(0, "check --objectivity published.toml", "More than round-off from step ",
                      'With contact_plane = "area-gradient": by ',
                      'contact_plane = "edge-mean" depends on the frame: the case turned')
    assert "Not objective" not in published.out


def test_objectivity_of_short_bad_and_stopped_cases():
    write("short.toml", two_polygons("area-gradient", 0.3))
    gives(0, "check --objectivity short.toml", "The case ends after 300 steps.")
    write("bad.toml", two_discs("1.0"))  # above the limit of the time step: as in dem check
    assert gives(2, "check --objectivity bad.toml").err == dem("check bad.toml").err
    for arguments in ("--steps 5 short.toml", "--objectivity --resolved short.toml",
                      "--objectivity --steps 0 short.toml"):
        gives(2, f"check {arguments}")
    # Stopped by the user.
    write("long.toml", two_polygons("area-gradient", 1e6))
    gives(4, "check --objectivity --steps 100000000 long.toml", err="Stopped. The results so far are valid",
          before="timeout --preserve-status -s INT 1")
