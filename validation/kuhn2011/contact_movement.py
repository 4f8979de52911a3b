"""How the contacts of an assembly of spheres move, step by step: paths in the frame of each contact, and how often the
movement turns. It is worked out once more here, from the places and turns of the bodies."""

from types import SimpleNamespace

import numpy as np

from driver.pair import chord, dot, swing, tan_over, unit

CORNER = np.sqrt(0.5)  # cosine of a turn of 45°


def _cross(a, b):  # np.cross takes five times as long for so few rows
    (a1, a2, a3), (b1, b2, b3) = a.T, b.T
    return np.stack([a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1], axis=1)


def any_direction(n):
    """A unit vector perpendicular to each n: the axis least along it, made perpendicular."""
    axis = np.eye(3)[np.abs(n).argmin(axis=1)]
    return unit(axis - dot(axis, n) * n)


class MovementWatch:
    """Watches a run of spheres from its start: call `observe` after each step.

    Arrays of all contacts, in the order of their `keys`: `from_start`; `reversals` (steps whose movement has a
    component against that of the step before), `corners` (steps that turn by more than 45°, reversals among them) and
    `normal_reversals`; `shift` (sum of the movements in the frame of the contact, m) and `overlap`.
    """

    def __init__(self, now, radii):
        self.radii, self.keys = np.asarray(radii), np.zeros(0, dtype=np.int64)
        none, pair, space = np.zeros(0), np.zeros((0, 2)), np.zeros((0, 3))
        self.contacts = {"normal": space, "direction": space, "branch": space, "overlap": none, "shift": pair,
                         "last": pair, "last_change": none, "reversals": none, "corners": none,
                         "normal_reversals": none, "from_start": np.zeros(0, dtype=bool)}
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
        new = ~np.isin(keys, self.keys)
        if not np.array_equal(keys, self.keys):
            self._match(keys, records, new)
        self._move(records, turned - self.turned, new)
        self.turned = turned

    def _match(self, keys, records, new):
        """Takes lost contacts out, and new ones in: they begin where they are, without a movement."""
        kept, contacts = np.isin(self.keys, keys), {}
        for name, old in self.contacts.items():
            contacts[name] = np.zeros((len(keys), *old.shape[1:]), dtype=old.dtype)
            contacts[name][~new] = old[kept]
        for name in ("normal", "branch", "overlap"):
            contacts[name][new] = getattr(records, name)[new]
        contacts["direction"][new] = any_direction(records.normal[new])
        self.keys, self.contacts = keys, contacts

    def _move(self, records, turn, new):
        """The movement as the engine has it (libdem/contacts/contact_frame.hpp)."""
        c, n0, n1 = self.contacts, self.normal, records.normal
        turn_i, turn_j = turn[records.i], turn[records.j]
        arm_i, arm_j = (0.5 * ((r - 0.5 * self.overlap)[:, None] * n0 + (r - 0.5 * records.overlap)[:, None] * n1)
                        for r in (self.radii[records.i], self.radii[records.j]))
        movement = records.branch - self.branch + _cross(chord(turn_j), -arm_j) - _cross(chord(turn_i), arm_i)
        mean = 0.5 * (turn_i + turn_j)
        t = 0.5 * dot(mean, n1) * tan_over(0.25 * dot(mean, mean))  # tan of half of the twist
        v = swing(self.direction, n0, n1)
        v = ((1 - t * t) * v + 2 * t * _cross(n1, v)) / (1 + t * t)
        v -= dot(v, n1) * n1
        direction = (1.5 - 0.5 * dot(v, v)) * v
        middle = unit(n0 + n1)
        v = swing((direction - t * _cross(n1, direction)) / np.sqrt(1 + t * t), n1, middle)
        shift = np.concatenate([dot(movement, v), dot(movement, _cross(middle, v))], axis=1)
        shift[new] = 0
        change = records.overlap - self.overlap

        along, sizes = dot(shift, self.last)[:, 0], np.hypot(*shift.T) * np.hypot(*self.last.T)
        c["reversals"] += along < 0
        c["corners"] += (sizes > 0) & (along < CORNER * sizes)
        c["normal_reversals"] += change * self.last_change < 0
        c["shift"] += shift
        c.update(normal=n1, branch=records.branch, overlap=records.overlap, direction=direction, last=shift,
                 last_change=change)
