"""How the contacts of an assembly of spheres move, step by step: paths in the frame of each contact, what the exact law
makes of every step, how often the movement turns. The histories are worked out here once more, from the movement."""

from types import SimpleNamespace

import numpy as np

import dem

KINDS = ("stick", "slip", "slide", "retrace")  # a contact at rest counts as retrace
CORNER = np.sqrt(0.5)  # cosine of a turn of 45°


def _dot(a, b):
    return np.einsum("ij,ij->i", a, b)


def _cross(a, b):  # np.cross takes five times as long for so few rows
    (a1, a2, a3), (b1, b2, b3) = a.T, b.T
    return np.stack([a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1], axis=1)


def any_direction(n):
    """A unit vector perpendicular to each n: the axis least along it, made perpendicular."""
    axis = np.eye(3)[np.abs(n).argmin(axis=1)]
    v = axis - _dot(axis, n)[:, None] * n
    return v / np.linalg.norm(v, axis=1)[:, None]


def swing(v, n0, n1):
    """Turns v ⟂ n0 by the smallest rotation that takes n0 to n1."""
    return v - (_dot(v, n1) / (1 + _dot(n0, n1)))[:, None] * (n0 + n1)


def tan_over_argument(square):
    """tan(x)/x for the small turns of a step, from x²."""
    return 1 + square * (1 / 3 + square * (2 / 15 + square * (17 / 315)))


def chord(turn):
    """A rotation vector as pairs of bodies have it: a rigid turn moves no contact."""
    return tan_over_argument(0.25 * _dot(turn, turn))[:, None] * turn


class MovementWatch:
    """Watches a run of spheres with law `jaeger`, from its start: call `observe` after each step.

    Arrays of all contacts, in the order of their keys: `from_start`; `reversals` (steps whose movement has a component
    against that of the step before), `corners` (steps that turn by more than 45°, reversals among them) and
    `normal_reversals`; `shift` (sum of the movements in the frame of the contact, m), `overlap` and `legs`. `kinds` has
    the numbers of steps of all contacts, of each of KINDS.
    """

    def __init__(self, now, radii, shear_modulus, poisson_ratio, friction):
        self.radii, self.ratio = np.asarray(radii), (2 - poisson_ratio) / (2 * (1 - poisson_ratio))
        self.friction = friction
        rows = 4 * len(radii)
        self.law = dem.LawBlock("jaeger", rows)
        self.law.set(modulus=8 * shear_modulus / (3 * (1 - poisson_ratio)), ratio=self.ratio, friction=friction)
        self.columns = {name: np.zeros(rows) for name in ("indentation", "shift_1", "shift_2", "radius")}
        self.free = list(range(rows))[::-1]  # rows of no contact
        self.keys = np.zeros(0, dtype=np.int64)
        none, pair = np.zeros(0), np.zeros((0, 2))
        self.contacts = {"normal": np.zeros((0, 3)), "direction": np.zeros((0, 3)), "branch": np.zeros((0, 3)),
                         "overlap": none, "shift": pair, "last": pair, "last_change": none,
                         "reversals": none, "corners": none, "normal_reversals": none,
                         "from_start": np.zeros(0, dtype=bool), "row": np.zeros(0, dtype=int)}
        self.new = np.zeros(0, dtype=bool)  # contacts that began in this step
        self.kinds = np.zeros(len(KINDS))
        self.turned = now.bodies.rotation.copy()
        self.observe(now)
        self.from_start[:] = True

    def __getattr__(self, name):
        try:
            return self.__dict__["contacts"][name]
        except KeyError:
            raise AttributeError(name) from None

    def observe(self, now):
        records = SimpleNamespace(**{name: np.array(now.contacts[name])
                                     for name in ("i", "j", "image", "normal", "branch", "overlap")})
        turned = now.bodies.rotation.copy()
        keys = (records.i.astype(np.int64) << 32) + (records.j.astype(np.int64) << 12)
        keys += (records.image + 8) @ np.array([256, 16, 1])
        if not np.array_equal(keys, self.keys):
            self._match(keys, records)
        self._move(records, turned - self.turned)
        self.turned = turned

    def _match(self, keys, records):
        """Takes lost contacts out, and new ones in: they begin where they are, without a movement."""
        kept = np.isin(self.keys, keys)
        for row in self.row[~kept]:
            self.columns["indentation"][row] = 0  # the law gives its legs back
            self.columns["shift_1"][row] = self.columns["shift_2"][row] = 0
        lost = self.row[~kept].tolist()
        new = ~np.isin(keys, self.keys)
        contacts = {}
        for name, old in self.contacts.items():
            contacts[name] = np.zeros((len(keys), *old.shape[1:]), dtype=old.dtype)
            contacts[name][~new] = old[kept]
        contacts["row"][new] = [self.free.pop() for _ in range(new.sum())]
        self.free += lost  # free from the next step on
        for name in ("normal", "branch", "overlap"):
            contacts[name][new] = getattr(records, name)[new]
        contacts["direction"][new] = any_direction(records.normal[new])
        a, b = self.radii[records.i[new]], self.radii[records.j[new]]
        self.columns["radius"][contacts["row"][new]] = 2 * a * b / (a + b)
        self.keys, self.contacts, self.new = keys, contacts, new

    def _move(self, records, turn):
        """The movement as the engine has it (libdem/contacts/contact_frame.hpp)."""
        c, n0, n1 = self.contacts, self.normal, records.normal
        turn_i, turn_j = turn[records.i], turn[records.j]
        arm_i, arm_j = (0.5 * ((r - 0.5 * self.overlap)[:, None] * n0 + (r - 0.5 * records.overlap)[:, None] * n1)
                        for r in (self.radii[records.i], self.radii[records.j]))
        movement = records.branch - self.branch + _cross(chord(turn_j), -arm_j) - _cross(chord(turn_i), arm_i)
        mean = 0.5 * (turn_i + turn_j)
        t = (0.5 * _dot(mean, n1) * tan_over_argument(0.25 * _dot(mean, mean)))[:, None]  # tan of half of the twist
        v = swing(self.direction, n0, n1)
        v = ((1 - t * t) * v + 2 * t * _cross(n1, v)) / (1 + t * t)
        v -= _dot(v, n1)[:, None] * n1
        direction = (1.5 - 0.5 * _dot(v, v))[:, None] * v
        middle = n0 + n1
        middle /= np.linalg.norm(middle, axis=1)[:, None]
        v = swing((direction - t * _cross(n1, direction)) / np.sqrt(1 + t * t), n1, middle)
        shift = np.stack([_dot(movement, v), _dot(movement, _cross(middle, v))], axis=1)
        change = records.overlap - self.overlap
        old = ~self.new
        shift[self.new] = 0

        along, sizes = _dot(shift, self.last), np.hypot(*shift.T) * np.hypot(*self.last.T)
        c["reversals"] += old & (along < 0)
        c["corners"] += old & (sizes > 0) & (along < CORNER * sizes)
        c["normal_reversals"] += old & (change * self.last_change < 0)
        self.columns["indentation"][self.row] = 0.5 * records.overlap
        self.columns["shift_1"][self.row], self.columns["shift_2"][self.row] = shift.T
        replies = self.law.step(**self.columns)
        regime = replies.regime[self.row]
        kinds = np.stack([regime == kind for kind in KINDS], axis=1)
        kinds[:, 3] |= regime == "unchanged"
        self.kinds += kinds[old].sum(axis=0)
        self.held, self.legs = np.hypot(*replies.elongation[:, self.row]), replies.leg_count[self.row]
        c["shift"] += shift
        c.update(normal=n1, branch=records.branch, overlap=records.overlap, direction=direction, last=shift,
                 last_change=change)
        self.new = np.zeros(len(self.keys), dtype=bool)

    def largest_difference(self, now):
        """Between the elastic elongation of a contact here and in the run, over κ f times the overlap, of the contacts
        that were there from the start."""
        off = np.abs(np.array(now.contacts.elongation) - self.held) / (self.ratio * self.friction * self.overlap)
        return float(off[self.from_start].max(initial=0))
