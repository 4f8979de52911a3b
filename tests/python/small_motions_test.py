"""Bodies that are put into place by hand, and small motion about an equilibrium."""

import numpy as np
import pytest

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")

K, K_T, GAMMA, GAMMA_T = 1e6, 4e5, 20.0, 8.0


def boxed(positions, radii, width=2.0, **keys):
    """Discs in a square box, sticking."""
    ends = [((0, width), (0, 0)), ((0, 0), (width, 0)), ((width, 0), (width, width)), ((width, width), (0, width))]
    return dem.Case({
        "material": {"normal_stiffness": K, "tangential_stiffness": K_T, "friction": 500.0, "normal_damping": GAMMA,
                     "tangential_damping": GAMMA_T, "density": 1.0},
        "contact": {"normal_force": "overlap", "elongation": "geometric"}, "time": {"step": 1e-5},
        "wall": [{"name": f"wall {k}", "from": a, "to": b} for k, (a, b) in enumerate(ends)],
        "body": dem.discs(positions, radii), "stage": [{"duration": 1.0}], **keys})


def test_forces_of_placed_discs(tmp_path):
    boxed([[0.5, 0.5], [1.49, 0.5]], 0.5).write(tmp_path / "case.toml")
    placed = dem.PlacedBodies(tmp_path / "case.toml")
    assert placed.free == 2 and placed.poses[:2].tolist() == [[0.5, 0.5, 0], [1.49, 0.5, 0]]
    assert placed.mass == pytest.approx(np.full(2, np.pi / 4)) and placed.moment == pytest.approx(placed.mass / 8)
    force = placed.place(placed.poses)
    assert force.shape == (6, 3) and force[:2, 0] == pytest.approx([-0.01 * K, 0.01 * K])
    pair = placed.contacts
    assert (pair.i[0], pair.j[0]) == (0, 1) and pair.normal[0] == pytest.approx([1, 0])
    assert pair.overlap[0] == pytest.approx(0.01) and pair.normal_force[0] == pytest.approx(0.01 * K)
    turned = placed.poses.copy()
    turned[1, 2] = 1e-3
    for stay in (False, False, True):  # a spring moves on only if the bodies stay
        force = placed.place(turned, stay=stay)
        assert abs(force[1, 2]) == pytest.approx(K_T * 0.5e-3 * 0.5, rel=0.03)
    assert placed.place(turned)[1, 2] == pytest.approx(force[1, 2])
    rates = np.zeros((6, 3))
    rates[1, 0] = -1.0
    assert placed.place(turned, rates, stay=False)[1, 0] - force[1, 0] == pytest.approx(GAMMA)
    with pytest.raises(ValueError, match=r"allowed \(6, 3\)"):
        placed.place(placed.poses[:2])
    with pytest.raises(ValueError, match=r"place: rates\[\d, \d\]: found nan, allowed a finite number"):
        placed.place(placed.poses, rates * np.nan)
    with pytest.raises(ValueError, match="allowed 2"):
        dem.PlacedBodies(dem.Case({
            "dimension": 3, "body": dem.spheres([[0, 0, 0]], 0.5), "stage": [{"duration": 1.0}], "time": {"step": 1e-5},
            "material": {"density": 1.0, "normal_stiffness": K, "tangential_stiffness": K_T, "friction": 0.5,
                         "restitution": 0.9}}))


def test_matrices_of_discs_are_those_of_springs_and_dashpots():
    """Springs are k_n along n and k_t along the line of action of form (G). The normal force turns with the branch."""
    case = boxed([[0.499, 0.498], [1.49, 0.494], [0.995, 1.35]], [0.5, 0.495, 0.495])
    placed, motion = dem.PlacedBodies(case), dem.small_motion(case, 1e-7)
    placed.place(placed.poses)
    contacts, radii, n = placed.contacts, placed.equivalent_radius, placed.free
    assert len(contacts.i) == 6
    stiffness, damping, tangential = (np.zeros((3 * n, 3 * n)) for _ in range(3))

    def add(matrix, k, weight, direction, scale, arm_i, arm_j):
        i, j, b = contacts.i[k], contacts.j[k], np.zeros(3 * n)
        b[3 * i:3 * i + 3] = *(-scale * direction), arm_i
        if j < n:
            b[3 * j:3 * j + 3] = *(scale * direction), arm_j
        matrix += weight * np.outer(b, b)

    for k, (i, j, overlap) in enumerate(zip(contacts.i, contacts.j, contacts.overlap)):
        normal = contacts.normal[k]
        tangent, wall = np.array([-normal[1], normal[0]]), j >= n
        a_i, a_j = radii[i], 0 if wall else radii[j]
        distance = a_i + a_j - overlap
        scale = 1 if wall else (a_i + a_j) / distance
        add(stiffness, k, K, normal, 1, 0, 0)
        add(stiffness, k, K_T, tangent, scale, -a_i, -a_j)
        if not wall:
            add(stiffness, k, -K * overlap / distance, tangent, 1, 0, 0)
        add(damping, k, GAMMA, normal, 1, 0, 0)
        add(damping, k, GAMMA_T, tangent, scale, -a_i, -a_j)
        add(tangential, k, K_T, tangent, 1, -(a_i - overlap / 2), 0 if wall else -(a_j - overlap / 2))
    for found, expected, error in ((motion.stiffness, stiffness, 1e-5), (motion.damping, damping, 1e-8),
                                   (motion.tangential, tangential, 1e-8)):
        assert abs(found - expected).max() < error * abs(expected).max()


def test_a_law_that_damps_the_movement_of_a_step_has_the_same_small_motion():
    """Its dashpots took the displacements of the stiffness for movements of a step: K had gamma/dt in place of C."""
    case = boxed([[0.499, 0.498], [1.49, 0.494]], [0.5, 0.495])
    spring = dem.small_motion(case, 1e-7)
    refined = dem.small_motion(case.changed({"contact.law": "linear-refined", "contact.clip_tension": False}), 1e-7)
    for name in ("stiffness", "damping", "tangential"):
        expected = getattr(spring, name)
        assert getattr(refined, name) == pytest.approx(expected, rel=1e-6, abs=1e-6 * np.abs(expected).max()), name


@pytest.mark.parametrize("place", ["contact.history", "stage[1].history"])
def test_a_spring_without_memory_is_a_dashpot(place):
    """Pseudo history: the force is k_t times the movement of one step. K had k_t, and C had not k_t dt."""
    case = boxed([[0.499, 0.498], [1.49, 0.494]], [0.5, 0.495])
    spring, pseudo, none = (dem.small_motion(case.changed({place: h}), 1e-7) for h in ("true", "pseudo", "none"))
    assert not none.tangential.any() and not pseudo.tangential.any()
    assert pseudo.stiffness == pytest.approx(none.stiffness, abs=1e-9 * K)
    assert abs(spring.stiffness - none.stiffness).max() > 0.9 * K_T
    assert none.damping == pytest.approx(spring.damping, abs=1e-6)
    assert pseudo.damping == pytest.approx(spring.damping + 1e-5 * spring.tangential, abs=1e-6)


def test_a_disc_rolls_on_pseudo_history_as_its_small_motion_says():
    """The spin of a disc on a floor that is held in place decays with (γ_t + k_t dt) a²/I, without an oscillation."""
    case = boxed([[1.0, 0.499]], 0.5, stage=[{"duration": 0.05}]).changed({
        "contact.history": "pseudo", "contact.elongation": "velocity", "time.step": 1e-4, "body[1].fixed": ["x", "y"],
        "body[1].spin": 1e-3})
    motion = dem.small_motion(case, 1e-7)
    run = dem.Run(case)
    run()
    with run.look() as now:
        spin = now.bodies.spin[0]
    rate = motion.damping[2, 2] / motion.inertia[2]
    assert motion.stiffness[2, 2] == pytest.approx(0, abs=1e-6)
    assert spin == pytest.approx(1e-3 * np.exp(-rate * 0.05), rel=0.02)


def test_mass_damping_is_part_of_the_damping():
    """A force -α m v on every free coordinate, as dem modes has it."""
    case = boxed([[0.499, 0.498], [1.49, 0.494]], [0.5, 0.495]).changed({"body[2].fixed": ["x"]})
    plain = dem.small_motion(case, 1e-7)
    for key, alpha in (("material.mass_damping", 7.0), ("stage[1].mass_damping", 3.0)):
        case = case.changed({key: alpha})  # the stage has the last word
        added = dem.small_motion(case, 1e-7).damping - plain.damping
        expected = alpha * np.where(np.isinf(plain.inertia), 0, plain.inertia)
        assert added == pytest.approx(np.diag(expected), abs=1e-12), key


def test_modes_of_a_disc_in_a_box():
    """A disc of radius a between four walls: 2 (k_n + k_t) along x and y, 4 k_t a² for the turn."""
    modes = dem.small_motion(boxed([[0.5, 0.5]], 0.501, width=1.0), 1e-7).modes()
    mass = np.pi * 0.501**2
    expected = np.sqrt([2 * (K + K_T) / mass, 2 * (K + K_T) / mass, 4 * K_T * 2 / mass])
    assert modes.omega == pytest.approx(np.sort(expected), rel=1e-6)
    turn = int(abs(modes.shape[:, 0, 2]).argmax())
    share = np.full(3, K_T / (K + K_T))
    share[turn] = (0.5005 / 0.501) ** 2  # contact points are in the middle of the overlap
    assert modes.tangential_share == pytest.approx(share, rel=1e-5)
    assert modes.rate == pytest.approx(GAMMA / K * modes.omega**2, rel=1e-6)  # γ/k is the same everywhere
    assert modes.rate_by_step == pytest.approx(0.5 * share * modes.omega**2, rel=1e-5)
    assert (modes.shape**2 * [mass, mass, mass * 0.501**2 / 2]).sum(axis=(1, 2)) == pytest.approx(np.ones(3))
    with pytest.raises(ValueError, match="allowed a stable equilibrium"):
        dem.small_motion(boxed([[0.9, 0.9]], 0.5), 1e-7).modes()
    with pytest.raises(ValueError, match="found time.step = 'auto'"):
        dem.small_motion(boxed([[0.5, 0.5]], 0.501, width=1.0, time={"step": "auto"}), 1e-7)
    with pytest.raises(ValueError, match="small_motion: found step = 0, allowed a number > 0"):
        dem.small_motion(boxed([[0.5, 0.5]], 0.501, width=1.0), 0)
    with pytest.raises(ValueError, match="found step = 0.002 m, allowed far below the least overlap, 0.001 m"):
        dem.small_motion(boxed([[0.5, 0.5]], 0.501, width=1.0), 2e-3)


def test_modes_of_a_block_on_a_held_one():
    """Its face (w = 1) resists rocking with k_n w³/(12 l_c). The tangential spring couples the turn to x."""
    square = {"shape": "rectangle", "width": 1.0, "height": 1.0}
    case = dem.Case({
        "material": {"density": 1.0, "normal_stiffness": K, "tangential_stiffness": K_T, "friction": 500.0,
                     "restitution": 0.9},
        "time": {"step": 1e-5}, "stage": [{"duration": 1.0}],
        "body": [{**square, "width": 3.0, "position": [0, 0], "fixed": ["x", "y", "rotation"]},
                 {**square, "position": [0, 1 - 1e-5]}]})
    motion = dem.small_motion(case, 1e-8)
    assert np.isinf(motion.inertia).tolist() == [True] * 3 + [False] * 3
    length, inertia, arm = np.sqrt(1 / (2 * np.pi)) + np.sqrt(3 / (2 * np.pi)), 1 / 6, 0.5 - 0.5e-5
    coupled = np.array([[K_T, K_T * arm], [K_T * arm, K_T * arm**2 + K / (12 * length)]])
    root = np.sqrt([1, inertia])
    expected = np.sqrt(np.sort([*np.linalg.eigvalsh(coupled / np.outer(root, root)), K / length]))
    modes = motion.modes()
    assert modes.omega == pytest.approx(expected, rel=1e-4)  # error: overlap over width
    assert not modes.shape[:, 0].any()
