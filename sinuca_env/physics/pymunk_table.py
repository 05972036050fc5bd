"""The Pymunk engine: Chipmunk moves the balls and finds the contacts, the project's models say what they do.

Spin and cloth friction are kept beside Chipmunk's state: before every step each ball gets the mean velocity of its
exact slide or roll over the step. Contacts come from Chipmunk's callbacks, which only report; the impact models of the
event engine then act, with the normal of the instant of contact (the balls are moved back along their velocities), in
order of arrival. Steps shrink near a contact to 0.05 mm of travel and grow to 10 ms where nothing can meet, by a bound
on how soon two things can touch. Several balls in touch at once are resolved one pair after the other.

Slower than the event engine by two to three orders of magnitude: for checking, and for those who extend a Pymunk scene.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pymunk

from sinuca_env._jit import kernel, records
from sinuca_env.physics.batch import check_batch
from sinuca_env.physics.collide_ball import resolve_pair
from sinuca_env.physics.collide_cushion import rebound
from sinuca_env.physics.follow_through import cue_reports
from sinuca_env.physics.motion import END_OF_TIME
from sinuca_env.physics.strike import strike
from sinuca_env.state.balls import CUE, N_SLOTS
from sinuca_env.state.records import NO_BALL, ShotFlag
from sinuca_env.table.spec import N_ARCS, N_LINES, N_POCKETS, TableSpec

__all__ = ["PymunkTable", "simulate_batch"]

FINE = 5e-5  # m, travel of the fastest ball in the finest step
LONGEST = 0.01  # s, longest step
MAX_STEPS = 400_000
MIN_SEPARATION = 1e-3  # m/s, after an impact, as in the event engine
_STILL = 1e-10  # m/s, below it a slip or a speed is none
_BALL, _LINE, _ARC, _POCKET = 1, 2, 3, 4
SLIDE_TO_ROLL, STOP = 0, 1
# What a stroke fills in; the rest of the record belongs to the game and the referee.
_FILLED = (
    "first_contact", "potted", "n_potted", "off_table", "jumped", "touching_before", "touching_after", "moved_touching",
    "cushions", "cushions_before_contact", "cushion_balls", "contacts", "events", "duration", "flags",
)  # fmt: skip


@kernel
def glide(r, v, w, moving, dt, ended, p):
    """Move balls by the exact slides and rolls over ``dt``, alone on an endless table.

    Args:
        r, v, w: ``(22, 2)``, ``(22, 2)``, ``(22, 3)``: places, velocities, spins; changed in place.
        moving: ``(22,)`` bool; cleared for a ball that stops (its side spin goes on decaying).
        dt: s.
        ended: ``(44, 5)``: slot, SLIDE_TO_ROLL or STOP, time after the start, x and y of each phase that ended.
        p: ``PHYSICS`` record.

    Returns:
        How many phases ended.
    """
    count = 0
    radius = p.ball_radius
    for i in range(N_SLOTS):
        if not moving[i]:
            continue
        left = dt
        while left > 0.0:
            ux, uy = v[i, 0] - radius * w[i, 1], v[i, 1] + radius * w[i, 0]
            slip, speed = math.sqrt(ux * ux + uy * uy), math.sqrt(v[i, 0] * v[i, 0] + v[i, 1] * v[i, 1])
            if slip > _STILL:
                a = p.mu_slide * p.gravity
                t = min(left, 2.0 * slip / (7.0 * a)) if a > 0.0 else left
                ax, ay = -a * ux / slip, -a * uy / slip
                r[i, 0] += (v[i, 0] + 0.5 * ax * t) * t
                r[i, 1] += (v[i, 1] + 0.5 * ay * t) * t
                v[i, 0] += ax * t
                v[i, 1] += ay * t
                w[i, 0] += 2.5 / radius * ay * t
                w[i, 1] -= 2.5 / radius * ax * t
                if t < left:
                    w[i, 0], w[i, 1] = -v[i, 1] / radius, v[i, 0] / radius
                    ended[count, 0], ended[count, 1], ended[count, 2] = i, SLIDE_TO_ROLL, dt - left + t
                    ended[count, 3], ended[count, 4] = r[i, 0], r[i, 1]
                    count += 1
                left -= t
            elif speed > _STILL:
                a = p.mu_roll * p.gravity
                t = min(left, speed / a) if a > 0.0 else left
                ax, ay = -a * v[i, 0] / speed, -a * v[i, 1] / speed
                r[i, 0] += (v[i, 0] + 0.5 * ax * t) * t
                r[i, 1] += (v[i, 1] + 0.5 * ay * t) * t
                v[i, 0] += ax * t
                v[i, 1] += ay * t
                w[i, 0], w[i, 1] = -v[i, 1] / radius, v[i, 0] / radius
                if t < left:
                    v[i, 0] = v[i, 1] = 0.0
                left -= t
            else:
                v[i, 0] = v[i, 1] = w[i, 0] = w[i, 1] = 0.0
                moving[i] = False
                ended[count, 0], ended[count, 1], ended[count, 2] = i, STOP, dt - left
                ended[count, 3], ended[count, 4] = r[i, 0], r[i, 1]
                count += 1
                break
    for i in range(N_SLOTS):
        fade = p.spin_decay * dt
        w[i, 2] = max(0.0, w[i, 2] - fade) if w[i, 2] > 0.0 else min(0.0, w[i, 2] + fade)
    return count


@kernel
def _soonest(gap, closing, push):
    """Earliest time at which a gap can close, for a closing speed that may grow by ``push`` (m/s^2)."""
    if gap <= 0.0:
        return 0.0 if closing > 0.0 else math.inf
    if push <= 0.0:
        return gap / closing if closing > 0.0 else math.inf
    return (math.sqrt(closing * closing + 2.0 * push * gap) - closing) / push


@kernel
def longest_step(r, v, alive, moving, table, p):
    """A step (s) in which nothing can meet, but at least the finest and at most ``LONGEST``."""
    radius, a = p.ball_radius + 0.5 * p.contact_gap, max(p.mu_slide, p.mu_roll) * p.gravity
    soon, fastest = LONGEST, 0.0
    for i in range(N_SLOTS):
        if not moving[i]:
            continue
        x, y = r[i, 0], r[i, 1]
        fastest = max(fastest, v[i, 0] * v[i, 0] + v[i, 1] * v[i, 1])
        for j in range(N_SLOTS):
            if j != i and alive[j] and (j > i or not moving[j]):
                dx, dy = r[j, 0] - x, r[j, 1] - y
                d = math.sqrt(dx * dx + dy * dy)
                closing = ((v[i, 0] - v[j, 0]) * dx + (v[i, 1] - v[j, 1]) * dy) / d
                soon = min(soon, _soonest(d - 2.0 * radius, closing, 2.0 * a if moving[j] else a))
        for k in range(N_LINES):
            nx, ny = table.lines[k, 4], table.lines[k, 5]
            gap = (x - table.lines[k, 0]) * nx + (y - table.lines[k, 1]) * ny - radius
            if gap > -radius:
                soon = min(soon, _soonest(gap, -(v[i, 0] * nx + v[i, 1] * ny), a))
        for k in range(N_ARCS + N_POCKETS):
            reach = 0.0
            if k < N_ARCS:
                dx, dy, reach = table.arcs[k, 0] - x, table.arcs[k, 1] - y, table.arcs[k, 2] + radius
            else:
                q = k - N_ARCS
                dx, dy, reach = table.pockets[q, 0] - x, table.pockets[q, 1] - y, table.pockets[q, 2]
            d = math.sqrt(dx * dx + dy * dy)
            soon = min(soon, _soonest(d - reach, (v[i, 0] * dx + v[i, 1] * dy) / d, a))
    return max(soon, min(LONGEST, FINE / max(math.sqrt(fastest), 1e-6)))


def _since(dx: float, dy: float, vx: float, vy: float, reach: float) -> float:
    """How long ago two things ``reach`` apart began to overlap; (dx, dy) from 1 to 2, velocity of 1 relative to 2."""
    a, b, c = vx * vx + vy * vy, dx * vx + dy * vy, dx * dx + dy * dy - reach * reach
    if c >= 0.0 or a == 0.0:
        return 0.0
    return (-b + math.sqrt(b * b - a * c)) / a


class PymunkTable:
    """A Chipmunk space with a table's cushions, jaws and pockets, on which shots are played one after the other."""

    def __init__(self, spec: TableSpec, params: np.ndarray) -> None:
        self.spec = spec
        self.table, self.p = records(spec.record)[0], records(params)[0]
        self.radius = float(params["ball_radius"][0])
        self.gap = float(params["contact_gap"][0])
        space = self.space = pymunk.Space()
        space.gravity = (0.0, 0.0)
        space.collision_slop = 1e-6  # m; the default 0.1 is twice a ball
        self._index: dict[pymunk.Shape, int] = {}
        row = spec.record[0]
        for k in range(N_LINES):
            x1, y1, x2, y2 = (float(value) for value in row["lines"][k][:4])
            self._fixed(pymunk.Segment(space.static_body, (x1, y1), (x2, y2), self.gap / 2), _LINE, k)
        for k in range(N_ARCS):
            x, y, radius = (float(value) for value in row["arcs"][k])
            self._fixed(pymunk.Circle(space.static_body, radius + self.gap / 2, (x, y)), _ARC, k)
        for k in range(N_POCKETS):
            x, y, radius = (float(value) for value in row["pockets"][k])
            # A ball falls when its centre is inside: the shapes then overlap by a radius.
            hole = pymunk.Circle(space.static_body, max(radius - self.radius - self.gap / 2, 1e-4), (x, y))
            hole.sensor = True
            self._fixed(hole, _POCKET, k)
        self.balls: list[tuple[pymunk.Body, pymunk.Shape]] = []
        for slot in range(N_SLOTS):
            body = pymunk.Body(1.0, math.inf)
            shape = pymunk.Circle(body, self.radius + self.gap / 2)
            shape.collision_type = _BALL
            shape.friction = 0.0
            self._index[shape] = slot
            self.balls.append((body, shape))
        self._hits: list[tuple[int, int, int]] = []
        for kind in (_BALL, _LINE, _ARC, _POCKET):
            space.on_collision(_BALL, kind, pre_solve=self._note, data=kind)
        self.alive = np.zeros(N_SLOTS, bool)
        self.moving = np.zeros(N_SLOTS, bool)
        self.r, self.v, self.w = np.zeros((N_SLOTS, 2)), np.zeros((N_SLOTS, 2)), np.zeros((N_SLOTS, 3))
        self._ended = np.zeros((2 * N_SLOTS, 5))

    def _fixed(self, shape: pymunk.Shape, kind: int, k: int) -> None:
        shape.collision_type = kind
        self._index[shape] = k
        self.space.add(shape)

    def _note(self, arbiter: pymunk.Arbiter, _space: pymunk.Space, kind: Any) -> None:
        """Chipmunk's callback: remember who overlaps, leave the response to the models."""
        arbiter.process_collision = False
        a, b = arbiter.shapes
        if a.collision_type != _BALL:
            a, b = b, a
        i, k = self._index[a], self._index[b]
        self._hits.append((kind, min(i, k), max(i, k)) if kind == _BALL else (kind, i, k))

    # --- contacts ---

    def _contact(self, kind: int, i: int, k: int) -> tuple[float, float, float] | None:
        """How long ago the contact was and its normal (from ball i to the other thing); None if not approaching."""
        x, y = self.r[i]
        vx, vy = self.v[i]
        if kind == _LINE:
            x1, y1, x2, y2, nx, ny = (float(value) for value in self.spec.record[0]["lines"][k])
            gap = (x - x1) * nx + (y - y1) * ny - self.radius - self.gap
            closing = -(vx * nx + vy * ny)
            along = (x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)
            if closing <= 0.0 or not 0.0 <= along <= (x2 - x1) ** 2 + (y2 - y1) ** 2:
                return None
            return max(0.0, -gap / closing), -nx, -ny
        if kind == _ARC:
            ox, oy, reach = (float(value) for value in self.spec.record[0]["arcs"][k])
            reach += self.radius + self.gap
        else:
            (ox, oy), (ux, uy) = self.r[k], self.v[k]
            vx, vy, reach = vx - ux, vy - uy, 2 * self.radius + self.gap
        dx, dy = ox - x, oy - y
        if vx * dx + vy * dy <= 0.0:
            return None
        ago = _since(dx, dy, vx, vy, reach)
        dx, dy = dx + vx * ago, dy + vy * ago
        size = math.hypot(dx, dy)
        return ago, dx / size, dy / size

    def _place(self, slot: int, ago: float, v: tuple[float, float], w: tuple[float, float, float]) -> None:
        """Take a ball back to the contact, give it its new motion, and forward again."""
        self.r[slot] += (np.array(v) - self.v[slot]) * ago
        self.v[slot], self.w[slot] = v, w
        self.moving[slot] = True
        self.balls[slot][0].position = (float(self.r[slot, 0]), float(self.r[slot, 1]))

    def _impact(self, kind: int, i: int, k: int, ago: float, nx: float, ny: float) -> None:
        state = (*self.v[i], *self.w[i])
        if kind != _BALL:
            vx, vy, wx, wy, wz = rebound(*state, nx, ny, self.p)
            lack = MIN_SEPARATION + (vx * nx + vy * ny)
            if lack > 0.0:
                vx, vy = vx - lack * nx, vy - lack * ny
            self._place(i, ago, (vx, vy), (wx, wy, wz))
            return
        a = list(resolve_pair(*state, *self.v[k], *self.w[k], nx, ny, self.p))
        lack = 0.5 * (MIN_SEPARATION - ((a[5] - a[0]) * nx + (a[6] - a[1]) * ny))
        if lack > 0.0:
            a[0], a[1], a[5], a[6] = a[0] - lack * nx, a[1] - lack * ny, a[5] + lack * nx, a[6] + lack * ny
        self._place(i, ago, (a[0], a[1]), (a[2], a[3], a[4]))
        self._place(k, ago, (a[5], a[6]), (a[7], a[8], a[9]))

    def _resolve(self, now: float, log: _Log) -> None:
        """Act on the overlaps of the step, earliest contact first, until nothing approaches."""
        hits = sorted(set(self._hits))
        for _ in range(20 * len(hits)):
            found = [(contact, hit) for hit in hits if (contact := self._contact(*hit)) is not None]
            if not found:
                return
            (ago, nx, ny), (kind, i, k) = max(found)
            log.impact(now - ago, kind, i, k, self.r)
            self._impact(kind, i, k, ago, nx, ny)

    # --- a shot ---

    def _set_out(self, layout: np.ndarray, on_table: int) -> None:
        for slot, (body, shape) in enumerate(self.balls):
            wanted, there = bool(on_table >> slot & 1), body in self.space.bodies
            self.alive[slot] = wanted
            if there and not wanted:
                self.space.remove(body, shape)
            if wanted:
                body.position, body.velocity = (float(layout[slot, 0]), float(layout[slot, 1])), (0.0, 0.0)
                self.r[slot] = layout[slot]
                if not there:
                    self.space.add(body, shape)
        self.v[:], self.w[:], self.moving[:] = 0.0, 0.0, False

    def _take_away(self, slot: int) -> None:
        self.alive[slot] = self.moving[slot] = False
        self.v[slot], self.w[slot] = 0.0, 0.0
        self.space.remove(*self.balls[slot])

    def _step(self, now: float, log: _Log) -> float:
        """One step of Chipmunk; returns the new time."""
        dt = float(longest_step(self.r, self.v, self.alive, self.moving, self.table, self.p))
        movers = np.flatnonzero(self.moving)
        before = self.r[movers].copy()
        count = glide(self.r, self.v, self.w, self.moving, dt, self._ended, self.p)
        for slot, start in zip(movers, before, strict=True):
            vx, vy = (self.r[slot] - start) / dt
            self.balls[slot][0].velocity = (float(vx), float(vy))
        for slot, kind, t, x, y in self._ended[:count]:
            log.phase(now + t, int(kind), int(slot), (x, y))
        self._hits.clear()
        self.space.step(dt)
        for slot in movers:
            body = self.balls[slot][0]
            self.r[slot] = body.position
            if not self.moving[slot]:
                body.velocity = (0.0, 0.0)
        now += dt
        if self._hits:
            for kind, i, k in sorted(set(self._hits)):
                x, y, fall = self.spec.record[0]["pockets"][k] if kind == _POCKET else (0.0, 0.0, -1.0)
                if self.alive[i] and math.hypot(self.r[i, 0] - x, self.r[i, 1] - y) < fall:
                    log.fall(now, i, k)
                    self._take_away(i)
            self._hits = [h for h in self._hits if h[0] != _POCKET and self.alive[h[1]]]
            self._hits = [h for h in self._hits if h[0] != _BALL or self.alive[h[2]]]
            self._resolve(now, log)
        return now

    def play(
        self, layout: np.ndarray, on_table: int, stroke: np.void, shot: np.void, events: list | None = None
    ) -> None:
        """Play one stroke; ``layout`` and ``shot`` are changed in place as by ``simulate_batch``.

        Args:
            layout: ``(22, 2)``, at rest.
            on_table: set of balls with the cue ball's bit.
            stroke: ``STRIKE`` record.
            shot: ``SHOT`` record to fill.
            events: a list that gets ``(t, type, slots, where)`` of every event.
        """
        self._set_out(layout, on_table)
        log = _Log(shot, self, events)
        vx, vy, wx, wy, wz, flags = strike(stroke, self.p)
        self.v[CUE], self.w[CUE], self.moving[CUE] = (vx, vy), (wx, wy, wz), True
        log.start(int(flags))
        if self.p["double_hit"]:
            shot["reported"] = cue_reports(layout, on_table, stroke, math.hypot(vx, vy), math.atan2(vy, vx), self.p)
        now, steps = 0.0, 0
        self._hits = [(_BALL, CUE, k) for k in range(1, N_SLOTS) if shot["touching_before"] >> k & 1]
        self._resolve(0.0, log)
        while self.moving.any():
            now, steps = self._step(now, log), steps + 1
            if now > END_OF_TIME:
                shot["flags"] |= ShotFlag.TIME_LIMIT
                break
            if steps > MAX_STEPS:
                shot["flags"] |= ShotFlag.EVENT_LIMIT
                break
        layout[self.alive] = self.r[self.alive]
        layout[~self.alive] = np.nan
        log.finish(now)


class _Log:
    """Fills the shot record, and the list of events if one is wanted."""

    def __init__(self, shot: np.void, table: PymunkTable, events: list | None) -> None:
        self.shot, self.table, self.events = shot, table, events
        self.first = math.inf

    def _event(self, t: float, kind: str, slots: tuple[int, ...], where: Any) -> None:
        self.shot["events"] += 1
        self.shot["duration"] = max(float(self.shot["duration"]), t)
        if self.events is not None:
            self.events.append((t, kind, slots, where))

    def start(self, flags: int) -> None:
        shot = self.shot
        for name in _FILLED:
            shot[name] = 0
        shot["reported"] = 0
        shot["made"], shot["flags"] = 1, flags
        shot["pot_order"] = shot["pot_pocket"] = NO_BALL
        shot["touching_before"] = self._touching()
        self._event(0.0, "strike", (CUE,), tuple(self.table.r[CUE]))

    def _touching(self) -> int:
        table = self.table
        if not table.alive[CUE]:
            return 0
        near = np.hypot(*(table.r - table.r[CUE]).T) <= 2 * table.radius + 1e-5
        return sum(1 << slot for slot in range(1, N_SLOTS) if near[slot] and table.alive[slot])

    def phase(self, t: float, kind: int, slot: int, place: tuple[float, float]) -> None:
        self._event(t, "stop" if kind == STOP else "slide_to_roll", (slot,), place)

    def fall(self, t: float, slot: int, pocket: int) -> None:
        shot = self.shot
        n = int(shot["n_potted"])
        shot["potted"] |= 1 << slot
        shot["pot_order"][n], shot["pot_pocket"][n] = slot, pocket
        shot["n_potted"] = n + 1
        self._event(t, "pocket", (slot,), pocket)

    def impact(self, t: float, kind: int, i: int, k: int, r: np.ndarray) -> None:
        shot = self.shot
        if kind == _BALL:
            shot["contacts"] += 1
            if i == CUE:
                if t <= self.first + 1e-9:
                    self.first = min(self.first, t)
                    shot["first_contact"] |= 1 << k
                if t <= 0.0:
                    shot["moved_touching"] |= 1 << k
            self._event(t, "ball_ball", (i, k), tuple((r[i] + r[k]) / 2))
            return
        shot["cushions"] += 1
        shot["cushion_balls"] |= 1 << i
        if i == CUE and self.first == math.inf:
            shot["cushions_before_contact"] += 1
        self._event(t, "cushion" if kind == _LINE else "jaw", (i,), k if kind == _LINE else k // 2)

    def finish(self, now: float) -> None:
        """At rest, but for balls that still spin on their spot."""
        table = self.table
        if self.shot["flags"] & (ShotFlag.TIME_LIMIT | ShotFlag.EVENT_LIMIT):
            self.shot["duration"] = now
        decay, spin = float(table.p["spin_decay"]), float(np.abs(table.w[table.alive, 2]).max(initial=0.0))
        if decay > 0.0 and spin > 0.0:
            self.shot["duration"] = max(float(self.shot["duration"]), min(now + spin / decay, END_OF_TIME))
        self.shot["touching_after"] = self._touching()


_tables: dict[tuple[TableSpec, bytes], PymunkTable] = {}


def _table_of(spec: TableSpec, params: np.ndarray) -> PymunkTable:
    """The last few spaces are kept: building one costs as much as a short shot."""
    key = (spec, params.tobytes())
    if key not in _tables:
        if len(_tables) >= 4:
            _tables.pop(next(iter(_tables)))
        _tables[key] = PymunkTable(spec, params)
    return _tables[key]


def simulate_batch(
    layouts: np.ndarray,
    on_table: np.ndarray,
    strikes: np.ndarray,
    shots: np.ndarray,
    table: TableSpec,
    params: np.ndarray,
    lanes: np.ndarray | None = None,
    threads: int | None = None,
) -> None:
    """Play one stroke on each of the given lanes, in place: the signature and the records of ``simulate_batch``.

    ``threads`` is not used: a Chipmunk space plays one shot at a time and holds Python's lock.

    Raises:
        SinucaError: balls cannot lie where they do; nothing has changed then.
    """
    chosen = np.arange(len(shots)) if lanes is None else np.ascontiguousarray(lanes, np.int64)
    check_batch(layouts, on_table, table, params, chosen)
    space = _table_of(table, params)
    rows = records(strikes)
    for lane in chosen:
        space.play(layouts[lane], int(on_table[lane]), rows[lane], shots[lane])
