"""Bodies that nothing can stop, that leave, or that go through a wall, in dem check and the verdict; rain fits between
the walls."""
from conftest import dem, gives, refuses, text, write

HEAD = """format = 1
dimension = 3
gravity = [0.0, 0.0, -9.81]
time.step = "auto"
output = {snapshot_interval = 100.0, frame_interval = 100.0}
material = {density = 2500, normal_stiffness = 1e3, tangential_stiffness_ratio = 0.3, friction = 0.5, restitution = 0.5}
stage = [{duration = 0.5}]
"""


def ball(x, z):
    return f'[[body]]\nshape = "sphere"\nradius = 0.005\nposition = [{x}, 0.0, {z}]\n'


def rectangle(*numbers):
    corner, edge_1, edge_2 = [list(numbers[k:k + 3]) for k in (0, 3, 6)]
    return f'[[wall]]\nname = "wall"\nshape = "rectangle"\n{corner = !s}\n{edge_1 = !s}\n{edge_2 = !s}\n'


TABLE = rectangle(-0.02, -0.02, 0, 0.04, 0, 0, 0, 0.04, 0)


def test_grains_beside_a_table_are_lost():
    write("some.toml", HEAD + ball(0, 0.006) + ball(0.01, 0.02) + ball(0.1, 0.006) + TABLE)
    gives(0, "check some.toml",
          "  warning        1 body starts where nothing can stop it: body 2 (group free) at (0.1, 0, 0.006) m")
    gives(0, "check --json some.toml", '"warnings": [\n    "1 body starts where nothing can stop it: ')
    gives(0, "run some.toml -o some", "attention  1 of 3 bodies is lost, the first since t = ", "Verdict: attention",
          err="Warning: 1 body starts where nothing can stop it")
    # The same verdict where it was interrupted.
    gives(0, "run some.toml -o parts --until-step 500")
    dem("resume parts")
    assert text("some/verdict.txt") == text("parts/verdict.txt")
    # Most of them beside it: the case is not what was meant.
    write("most.toml", HEAD + ball(0, 0.006) + ball(0.2, 0.006) + ball(0.1, 0.006) + TABLE)
    gives(1, "run most.toml -o most", "bad        2 of 3 bodies are lost")


def test_rain_fits_between_the_walls():
    def in_box(half):
        edge = 2 * half
        return HEAD + """[assembly]
generator = "rain"
radius = 2.5e-3
columns = 5
rows = 5
layers = 3
lowest = 0.01
""" + "".join(rectangle(x, y, 0, *edges) for x, y, *edges in (
            (-half, -half, edge, 0, 0, 0, 0, 0.1), (-half, half, edge, 0, 0, 0, 0, 0.1),
            (-half, -half, 0, edge, 0, 0, 0, 0.1), (half, -half, 0, edge, 0, 0, 0, 0.1),
            (-half, -half, edge, 0, 0, 0, edge, 0)))

    write("narrow.toml", in_box(0.02))
    refuses(2, "check narrow.toml", "the space between the walls, about assembly.centre, has 0.04 m",
            "assembly.columns: found 5, allowed fewer: with a pitch of 0.01 m, four radii of the largest sphere, and "
            "the jitter they take 0.04995 m along x")
    write("wide.toml", in_box(0.03))
    assert "warning" not in gives(0, "check wide.toml").out


def test_a_body_that_goes_through_a_wall_ends_the_run_with_a_sentence():
    case = """format = 1
dimension = 3
material = {density = 1e3, normal_stiffness = 100, tangential_stiffness_ratio = 0.3, friction = 0.5, restitution = 0.9}
time.step = 1e-3
body = [{shape = "sphere", radius = 0.1, position = [0.0, 0.0, 0.11], velocity = [0.0, 0.0, -5.0]}]
stage = [{duration = 1.0}]
[[wall]]
shape = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
"""
    write("ball.toml", case)
    gives(5, "run ball.toml -o out", "Verdict: bad",
          err="the centre of body 0 (group free) has gone through wall 1, at (0, 0, ")
    # The last checkpoint is of before, and leads to the same end.
    refuses(5, "resume out", "has gone through wall 1")
    write("named.toml", case + 'name = "floor"\n')
    refuses(5, "run named.toml -o named", "has gone through the wall 'floor'")
