"""Laws of one's own: the same bits as the library's, refusals, what belongs to the results."""

import shutil
import subprocess

import numpy as np
import pytest
from conftest import ROOT, falling_discs, pressed_spheres

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")


PAIR = {"normal_stiffness": 1e6, "tangential_stiffness": 5e5, "friction": 0.5}


def spring(b, h, p, factor=1.0):
    """Law linear, word for word."""
    xi_1, xi_2 = h.xi_1 + b.shift_1, h.xi_2 + b.shift_2
    trial = b.stiffness * np.sqrt(xi_1 * xi_1 + xi_2 * xi_2)
    limit = b.friction * np.maximum(b.normal_end, 0)
    slides = (trial > limit) | (limit == 0)
    share = np.where(slides, limit / np.where(trial > 0, trial, 1), 1)
    end_1, end_2 = share * xi_1, share * xi_2
    damping = np.where(slides, 0, b.damping)
    b.elastic_1[:], b.elastic_2[:] = -b.stiffness * end_1, -b.stiffness * end_2
    b.viscous_1[:], b.viscous_2[:] = -damping * b.velocity_1, -damping * b.velocity_2
    b.stored[:] = 0.5 * b.stiffness * (end_1**2 + end_2**2)
    b.work[:] = 0.5 * b.stiffness * ((h.xi_1 + end_1) * b.shift_1 + (h.xi_2 + end_2) * b.shift_2)
    b.dissipated[:] = factor * (b.work - (b.stored - 0.5 * b.stiffness * (h.xi_1**2 + h.xi_2**2)))
    b.sliding[:] = slides
    h.xi_1[:], h.xi_2[:] = end_1, end_2


def spring_of_one(c, h, p):
    xi_1, xi_2, k = h[0] + c.shift_1, h[1] + c.shift_2, c.stiffness
    trial = k * np.sqrt(xi_1 * xi_1 + xi_2 * xi_2)
    limit = c.friction * max(c.normal_end, 0.0)
    slides = trial > limit or limit == 0
    share = limit / (trial if trial > 0 else 1.0) if slides else 1.0
    end_1, end_2 = share * xi_1, share * xi_2
    damping = 0.0 if slides else c.damping
    stored = 0.5 * k * (end_1 * end_1 + end_2 * end_2)
    work = 0.5 * k * ((h[0] + end_1) * c.shift_1 + (h[1] + end_2) * c.shift_2)
    lost = work - (stored - 0.5 * k * (h[0] * h[0] + h[1] * h[1]))
    h[0], h[1] = end_1, end_2
    return (-k * end_1, -k * end_2, -damping * c.velocity_1, -damping * c.velocity_2, stored, lost, work,
            1.0 if slides else 0.0)


def colliding(law, **keys):
    case = falling_discs()
    places = [[0.0, 0.5 + 1e-6], [0.99, 0.5 + 1e-6], [0.49, 1.36]]
    velocities = [[0.6, -0.2], [-0.6, -0.2], [0.0, -1.0]]
    case["body"] = dem.discs(places, 0.5, velocity=velocities, spin=[3.0, 1.0, -20.0])
    case["contact"] = {"law": law, **keys}
    return dem.Case(case)


def pressed(law):
    case = pressed_spheres()
    case["contact"] = {"law": law}
    case["material"] = {**falling_discs()["material"], "density": 2000.0, "friction": 0.003}
    case["output"] = {"ledger": True}
    return dem.Case(case)


@pytest.mark.parametrize("make", [colliding, pressed])
def test_the_same_bits_as_the_law_of_the_library(make):
    dem.law("numpy-spring")(spring)
    expected = dem.Run(make("linear"))()
    assert expected.ledger["friction_loss"] > 0
    assert dem.Run(make("numpy-spring"))().hash == expected.hash
    assert dem.Run(make("numpy-spring"), threads=3)().hash == expected.hash


def test_a_compiled_law_has_the_same_bits():
    pytest.importorskip("numba", reason="numba is not installed")
    dem.law.compile(spring_of_one)
    expected = dem.Run(pressed("linear"))()
    assert dem.Run(pressed("spring-of-one"), threads=3)().hash == expected.hash


def pile(law, **keys):
    """Spheres, clusters and a floor in space; more than 512 bodies, so that the engine has several blocks."""
    random = np.random.default_rng(5)
    places = np.array([[x, y, z] for z in range(2) for x in range(18) for y in range(18)], dtype=float)
    places = 0.98 * places + random.uniform(-0.01, 0.01, places.shape)
    places[:, 2] += 0.5
    velocity = random.uniform(-0.5, 0.5, places.shape)
    spheres = dem.spheres(places[:600], 0.5, velocity=velocity[:600])
    pairs = [[[0, 0, -0.1, 0.4], [0, 0, 0.1, 0.4]]] * 48
    return dem.Case({
        **falling_discs(), "dimension": 3, "gravity": [0, 0, -9.81],
        "material": {**falling_discs()["material"], "density": 2000.0, "friction": 0.3},
        "contact": {"law": law, **keys}, "output": {"ledger": True}, "stage": [{"duration": 0.002}],
        "wall": [{"shape": "plane", "normal": [0.0, 0.0, 1.0], "point": [0.0, 0.0, 0.0]}],
        "assembly": {"largest_start_overlap": 0.2},
        "body": spheres + dem.clusters(places[600:], pairs, velocity=velocity[600:]),
    })


@pytest.mark.parametrize("threads", [1, 3])
def test_spheres_clusters_and_walls_have_the_same_bits(threads):
    dem.law("numpy-spring")(spring)
    expected = dem.Run(pile("linear"), threads=threads)()
    assert expected.ledger["friction_loss"] > 0
    assert dem.Run(pile("numpy-spring"), threads=threads)().hash == expected.hash


PLUGIN = """
#include <math.h>
#include <libdem/laws/law_plugin.h>
static int pass(const dem_law_block* b, void* user) {
  (void)user;
  for (int c = 0; c < b->count; ++c) {
    double* xi = b->history + 2 * c;
    const double k = b->stiffness[c], before = xi[0] * xi[0] + xi[1] * xi[1], x = xi[0] + b->shift_1[c],
                 y = xi[1] + b->shift_2[c], trial = k * sqrt(x * x + y * y), f = b->normal_end[c],
                 limit = b->parameters[0] * (f > 0 ? f : 0);
    if (b->parameters[0] > 1 && xi[0] > 1e-4) return 1;
    const int slides = trial > limit || limit == 0;
    const double share = slides ? limit / (trial > 0 ? trial : 1) : 1;
    b->work[c] = 0.5 * k * ((xi[0] + share * x) * b->shift_1[c] + (xi[1] + share * y) * b->shift_2[c]);
    xi[0] = share * x, xi[1] = share * y;
    b->elastic_1[c] = -k * xi[0], b->elastic_2[c] = -k * xi[1];
    b->viscous_1[c] = -(slides ? 0 : b->damping[c]) * b->velocity_1[c];
    b->viscous_2[c] = -(slides ? 0 : b->damping[c]) * b->velocity_2[c];
    b->stored[c] = 0.5 * k * (xi[0] * xi[0] + xi[1] * xi[1]);
    b->dissipated[c] = b->work[c] - (b->stored[c] - 0.5 * k * before);
    b->sliding[c] = slides;
  }
  return 0;
}
static const char *const names[] = {"own_friction"}, *const units[] = {""};
static const dem_law law = {VERSION, "plugin-spring", "linear in C", 2, 1, names, units, 1, pass, 0};
const dem_law* dem_law_plugin(void) { return &law; }
"""


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    if not shutil.which("gcc"):
        pytest.skip("there is no gcc")
    room = tmp_path_factory.mktemp("plugin")

    def build(name, version="DEM_LAW_VERSION", text=PLUGIN):
        (room / f"{name}.c").write_text(text)
        flags = ["-O2", "-ffp-contract=off", "-shared", "-fPIC", f"-DVERSION={version}", f"-I{ROOT}"]
        subprocess.run(["gcc", *flags, "-o", room / f"{name}.so", room / f"{name}.c"], check=True)
        return room / f"{name}.so"

    return build


def test_a_c_plugin(plugin, tmp_path):
    law = dem.law.load(plugin("good"))
    assert repr(law) == "<dem law 'plugin-spring': history xi_1, xi_2; parameters own_friction>"
    case = pile("plugin-spring", own_friction=0.3)
    assert dem.Run(case, threads=3)().hash == dem.Run(pile("linear"))().hash
    dem.law.load(plugin("good"), checked=False)
    run = dem.Run(case.changed({"contact.own_friction": 1.5}), threads=3, output=tmp_path / "a")
    with pytest.raises(dem.RunError, match="step [0-9]+: .*law 'plugin-spring' has failed"):
        run()
    with pytest.raises(ValueError, match="found version 7, allowed version 1"):
        dem.law.load(plugin("version", version="7"))
    with pytest.raises(ValueError, match="found no function dem_law_plugin"):
        dem.law.load(plugin("empty", text="int x;"))
    with pytest.raises(OSError):
        dem.law.load(tmp_path / "missing.so")


def test_parameters_reach_the_law():
    seen = []

    @dem.law("with-parameters", parameters={"cohesion": "N", "order": ""}, checked=False)
    def law(b, h, p):
        seen.append((p.cohesion, p.order))
        spring(b, h, p)

    dem.Run(colliding("with-parameters", cohesion=3.5, order=2.0))(until_step=20)
    assert set(seen) == {(3.5, 2.0)}
    with pytest.raises(dem.CaseError, match="contact.order"):
        colliding("with-parameters", cohesion=3.5)
    with pytest.raises(dem.CaseError, match="contact.cohesion"):
        colliding("linear", cohesion=3.5)


def without_potential(b, h, p):
    spring(b, h, p, factor=-1.0)


def not_objective(b, h, p):
    b.elastic_1[:] = -b.stiffness * (h.xi_1 + b.shift_1)
    b.stored[:] = 0.5 * b.stiffness * (h.xi_1 + b.shift_1) ** 2
    b.work[:] = b.stored - 0.5 * b.stiffness * h.xi_1**2
    h.xi_1[:] += b.shift_1


def loses_work(b, h, p):
    spring(b, h, p)
    b.work[:] = 1.01 * b.work


def depends_on_the_split(b, h, p):
    b.elastic_1[:], b.elastic_2[:] = -b.stiffness * b.shift_1, -b.stiffness * b.shift_2


def books_nothing(b, h, p):
    h.xi_1 += b.shift_1
    h.xi_2 += b.shift_2
    b.elastic_1, b.elastic_2 = -b.stiffness * h.xi_1, -b.stiffness * h.xi_2


def pumps(b, h, p):
    length = np.hypot(b.shift_1, b.shift_2) + 1e-300
    b.elastic_1, b.elastic_2 = 100 * b.shift_1 / length, 100 * b.shift_2 / length


def pumps_from_stored(b, h, p):
    h.xi_1 += b.shift_1
    h.xi_2 += b.shift_2
    before = h.xi_1 - b.shift_1, h.xi_2 - b.shift_2
    b.elastic_1, b.elastic_2 = b.stiffness * h.xi_1, b.stiffness * h.xi_2
    b.stored = -0.5 * b.stiffness * (h.xi_1**2 + h.xi_2**2)
    b.work = b.stored + 0.5 * b.stiffness * (before[0] ** 2 + before[1] ** 2)


def dashpot_that_drives(b, h, p):
    b.viscous_1, b.viscous_2 = b.damping * b.velocity_1, b.damping * b.velocity_2


def dashpot_along_1(b, h, p):
    b.viscous_1 = -b.damping * b.velocity_1


@pytest.mark.parametrize(
    "law, message",
    [
        (books_nothing, "work differs from that of the elastic force"),
        (pumps, "work differs from that of the elastic force"),
        (pumps_from_stored, "gives more energy than it took"),
        (dashpot_that_drives, "the dashpot makes energy: found 1"),
        (dashpot_along_1, "a turned path gives other forces"),
        (without_potential, "friction makes energy in a step: found 0"),
        (not_objective, "a turned path gives other forces"),
        (loses_work, "work differs from the change of stored plus dissipated"),
        (depends_on_the_split, "two half steps end at another force"),
    ],
)
def test_a_wrong_law_is_refused_with_the_violation(law, message):
    name = law.__name__.replace("_", "-")
    dem.law(name)(law)
    with pytest.raises(dem.LawRefused, match=message):
        dem.Run(colliding(name))
    dem.law(name, checked=False)(law)
    dem.Run(colliding(name))(until_step=10)


def test_a_law_that_fails_names_the_step(tmp_path):
    @dem.law("fails", checked=False)
    def fails(b, h, p):
        spring(b, h, p)
        if np.any(b.velocity_1 > 0.1) and fails_now:
            raise ValueError("too fast")

    fails_now = False
    run = dem.Run(colliding("fails"), output=tmp_path / "a")
    run(until_step=20)
    fails_now = True
    with pytest.raises(dem.RunError, match="step 21: law .fails. has failed with ValueError: too fast"):
        run()
    with pytest.raises(RuntimeError, match="unusable"):
        run()
    fails_now = False
    assert dem.resume(tmp_path / "a").step == 20


def test_a_law_that_returns_its_forces_is_refused():
    @dem.law("returning", checked=False)
    def returning(block, history, p):
        return -block.stiffness * block.shift_1

    with pytest.raises(dem.LawFailed, match="TypeError: found a returned ndarray, allowed none; fill the arrays"):
        dem.contact("returning", PAIR, [[1e-5, 0, 0], [1e-5, 1e-6, 0]])


def test_each_failure_has_the_error_of_its_law():
    def first(b, h, p):
        raise KeyError("first")

    def second(b, h, p):
        raise ZeroDivisionError("second")

    dem.law("first")(first)
    dem.law("second", checked=False)(second)
    with pytest.raises(dem.LawFailed, match="law 'first' has failed with KeyError: 'first'") as caught:
        dem.contact("first", PAIR, [[1e-3, 0, 0]])
    assert caught.value.__cause__.__traceback__ is not None
    with pytest.raises(dem.LawFailed, match="law 'first' has failed with KeyError"):
        dem.Run(colliding("first"))  # in the check
    with pytest.raises(dem.RunError, match="^step 0 .*law 'second' has failed with ZeroDivisionError") as caught:
        dem.Run(colliding("second"))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(dem.LawFailed, match="ZeroDivisionError"):
        dem.LawBlock("second", 2).step(normal_end=1.0)


def test_a_compiled_law_that_raises_stops_the_run(capfd):
    pytest.importorskip("numba", reason="numba is not installed")

    def raises(c, h, p):
        if c.normal_end > 0 and h[0] != 0:
            raise ValueError("a contact goes on")
        h[0] = 1.0
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0

    dem.law.compile(raises, checked=False)
    with pytest.raises(dem.RunError, match="step [0-9]+.*: law 'raises' has failed"):
        dem.Run(colliding("raises"))()
    assert "ignored" not in capfd.readouterr().err


def test_names_that_a_law_does_not_have():
    def misspelt(b, h, p):
        b.elastic_one = b.shift_1

    def input_changed(b, h, p):
        b.shift_1 = 0 * b.shift_1

    def parameter(b, h, p):
        b.elastic_1 = p.stifness * b.shift_1

    def column(b, h, p):
        h.xi_3 = b.shift_1

    for law, message in ((misspelt, "block: found an assignment to 'elastic_one', allowed .*elastic_1"),
                         (input_changed, "block: found an assignment to 'shift_1'"),
                         (parameter, "p: found 'stifness', allowed none"),
                         (column, "history: found an assignment to 'xi_3', allowed xi_1, xi_2")):
        dem.law("misspelt")(law)
        with pytest.raises(dem.LawFailed, match=message):
            dem.contact("misspelt", PAIR, [[1e-3, 0, 0]])


def test_friction_of_a_law_and_of_the_pair_are_apart():
    seen = []

    @dem.law("two-frictions", parameters={"friction": ""})
    def law(b, h, p):
        seen.append((p.friction, b.friction[0]))
        spring(b, h, p)

    case = colliding("two-frictions", friction=0.2)
    assert (case["contact.friction"], case["material.friction"]) == (0.2, 0.4)
    dem.Run(case)(until_step=20)
    dem.LawBlock("two-frictions", 1, friction=0.2).step(friction=0.4)
    assert set(seen) == {(0.2, 0.4)}
    seen.clear()
    dem.contact("two-frictions", PAIR, [[1e-3, 0, 0]])  # one value for both
    assert set(seen) == {(0.5, 0.5)}


def test_the_source_belongs_to_the_results(tmp_path):
    dem.law("kept-spring")(spring)
    whole = dem.Run(colliding("kept-spring"))()
    run = dem.Run(colliding("kept-spring"), output=tmp_path / "a")
    run(until_step=40)
    assert "Law linear, word for word" in (tmp_path / "a" / "case.toml").read_text()
    assert dem.resume(tmp_path / "a")().hash == whole.hash
    run = dem.Run(colliding("kept-spring"), output=tmp_path / "b")
    run(until_step=40)

    @dem.law("kept-spring")
    def other(b, h, p):
        spring(b, h, p)

    with pytest.raises(dem.CaseError, match="another source"):
        dem.resume(tmp_path / "b")()


def test_names_and_forms():
    for name in ("Spring", "", "a b"):
        with pytest.raises(ValueError, match="small letters"):
            dem.law(name)(spring)
    with pytest.raises(ValueError, match="law of the library"):
        dem.law("linear")(spring)
    with pytest.raises(ValueError, match="1 to 16"):
        dem.law("none", history=())(spring)
    assert "numpy" not in dem.laws()


@pytest.mark.parametrize("names, error, message", [
    ({"history": ("xi_1", "xi_1")}, ValueError, "found history xi_1, xi_1, allowed each name once"),
    ({"history": "xi_1"}, TypeError, "found history = 'xi_1', allowed a list of names"),
    ({"history": ("xi 1",)}, ValueError, "found 'xi 1' in history, allowed a name of Python"),
    ({"parameters": {"lambda": ""}}, ValueError, "found 'lambda' in parameters"),
    ({"parameters": ["cohesion"]}, TypeError, "allowed names with units"),
    ({"parameters": {"cohesion": None}}, TypeError, "found the unit None of cohesion"),
    ({"parameters": {"law": ""}}, ValueError, "key 'law' .* is a key of every contact already"),
    ({"parameters": {"elongation": "m"}}, ValueError, "is a key of every contact already"),
])
def test_names_of_histories_and_parameters(names, error, message):
    with pytest.raises(error, match=message):
        dem.law("named", **names)(spring)
    assert "named" not in dem.laws()
    dem.Case(falling_discs())  # no case is spoilt
    with pytest.raises(TypeError, match="law: found <function spring.*, allowed a name"):
        dem.law(spring)


def test_contacts_that_are_advanced_together():
    block = dem.LawBlock("hooke-history", 70, friction_limit="total")
    friction = np.linspace(0.1, 0.8, 70)
    for shift in (1e-4, 2e-4, -3e-4):
        forces = block.step(normal_end=1.0, stiffness=1e3, friction=friction, shift_1=shift)
    parameters = {"normal_stiffness": 1e3, "tangential_stiffness": 1e3}
    path = [[1e-3, shift, 0] for shift in (1e-4, 2e-4, -3e-4)]
    for k in (0, 33, 69):
        alone = dem.contact("hooke-history", parameters | {"friction": friction[k]}, path, start_overlap=1e-3)
        assert forces.elastic_1[k] == pytest.approx(-alone.tangential[-1, 0], rel=1e-12)
        assert forces.dissipated[k] == pytest.approx(alone.dissipated[-1], rel=1e-9, abs=1e-18)
    assert np.all(block.history[:, 0] == -forces.elastic_1)
    for change, message in ((dict(law="hook"), "allowed one of"), (dict(histori="none"), "no such key"),
                            (dict(history="all"), "allowed true, pseudo, none"), (dict(history=1.0), "another kind")):
        with pytest.raises(ValueError, match=message):
            dem.LawBlock(**({"law": "hooke-history", "count": 1} | change))
    with pytest.raises(TypeError, match="found the column 'shift'"):
        block.step(shift=1.0)
    for wrong, found in (([0.1, 0.2], "length 2"), ([0.1], "length 1"), (np.ones((2, 70)), r"shape \(2, 70\)")):
        with pytest.raises(ValueError, match=f"LawBlock: friction: found {found}, expected one number, or length 70"):
            block.set(friction=wrong)
    with pytest.raises(ValueError, match="LawBlock: friction: found 'x', allowed numbers"):
        block.set(friction="x")
    with pytest.raises(ValueError, match="LawBlock: normal_end: found nan, allowed a finite number"):
        block.step(normal_end=np.nan)
    for wrong in (-1, 2.5, "2"):
        with pytest.raises(ValueError, match="LawBlock: count: found .*, allowed a whole number >= 0"):
            dem.LawBlock("linear", wrong)


def test_a_history_that_is_assigned_goes_on():
    """Also whole numbers, which are no memory of the engine."""
    block = dem.LawBlock("hooke-history", 2)
    block.history = [[0, 0], [1, 0]]
    replies = block.step(normal_end=1.0, stiffness=1e3, friction=0.5, shift_1=1e-4)
    assert replies.elastic_1 == pytest.approx([-0.1, -0.5])
    assert block.history[:, 0] == pytest.approx([0.1, 0.5])
    block.history = 0
    assert not block.history.any()
    with pytest.raises(ValueError, match=r"LawBlock: history: found shape \(2,\), expected one number, or \(2, 2\)"):
        block.history = [0, 0]
    for law, options in ((3, {}), ("linear", {"x": object()})):
        with pytest.raises(TypeError, match="LawBlock: found .*, allowed the name of a law and values of its keys"):
            dem.LawBlock(law, 1, **options)


def test_a_block_of_contacts_with_legs():
    hertz = {"modulus": 8e10, "ratio": 1.1, "radius": 1e-4}
    path = np.random.default_rng(1).uniform(-1e-9, 1e-9, (80, 3)) + [2e-8, 0, 0]
    block = dem.LawBlock("jaeger", 70)
    block.set(friction=0.5, **hertz)
    single = dem.LawBlock("jaeger", 1)
    single.set(friction=0.5, **hertz)
    most = 0
    for overlap, x, y in path:
        here = np.zeros(70)
        here[::2] = 1  # every second row has no contact
        told = block.step(indentation=0.5 * overlap * here, shift_1=x * here, shift_2=y * here)
        alone = single.step(indentation=0.5 * overlap, shift_1=x, shift_2=y)
        assert np.all(told.elongation[:, 68] == alone.elongation[:, 0]) and np.all(told.leg_count[1::2] == 0)
        assert told.regime[4] == alone.regime[0] and set(told.regime[1::2]) == {"separated"}
        most = max(most, alone.leg_count[0])
    assert most > 3
    assert block.step(indentation=0.0).leg_count.max() == 0  # all contacts end


def test_two_laws_share_the_name_of_a_parameter():
    def half(block, history, p):
        block.elastic_1[:] = -0.5 * p.grip * block.shift_1

    for name in ("gripping", "gripping-too"):
        dem.law(name, parameters={"grip": "N/m"}, checked=False)(half)
    assert all(dem.LawBlock(name, 1, grip=2.0).step(shift_1=0.1).elastic_1[0] == -0.1
               for name in ("gripping", "gripping-too"))
    with pytest.raises(ValueError, match="has another form"):
        dem.law("gripping-three", parameters={"grip": "N"}, checked=False)(half)
