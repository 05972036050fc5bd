"""One shot watched: every event, and where every ball is at any time.

The same kernel as in batches, with its log switched on. Between events the motion is a parabola, so positions are exact
at any time, not sampled.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from sinuca_env._jit import kernel, records
from sinuca_env.physics.batch import check_batch
from sinuca_env.physics.detect import pocket_boxes
from sinuca_env.physics.motion import HX, HY, SLIDE, VX, VY, WX, WY, WZ
from sinuca_env.physics.simulate import new_scratch, simulate_one
from sinuca_env.state.balls import N_SLOTS
from sinuca_env.state.records import SHOT
from sinuca_env.table.spec import TableSpec

__all__ = ["EVENT_TYPES", "Event", "Trace", "trace_shot"]

EVENT_TYPES = ("strike", "ball_ball", "cushion", "jaw", "pocket", "slide_to_roll", "stop")
"""Name by code of the log."""

_FIRST_ROWS = 512  # of both logs; a longer shot is played again with room for all


@dataclasses.dataclass(frozen=True)
class Event:
    """Something that happened.

    Attributes:
        t: s from the strike.
        type: one of :data:`EVENT_TYPES`.
        balls: slots of the one or two balls.
        place: index of the cushion line, jaw arc or pocket; -1 for other types.
        x, y: m, the ball's centre, or the point where two balls touch.
    """

    t: float
    type: str
    balls: tuple[int, ...]
    place: int
    x: float
    y: float


@dataclasses.dataclass(frozen=True)
class Trace:
    """What :func:`trace_shot` returns.

    Attributes:
        events: in the order of time.
        segments: (M, 12) pieces of paths, by time: slot, start (s), x, y, vx, vy, wx, wy, wz, half accelerations hx
            and hy, phase (0 rest, 1 sliding, 2 rolling). A piece lasts until the ball's next one.
        layout: (22, 2) at rest, NaN for balls that fell.
        shot: (1,) ``SHOT``.
        start: (22, 2) before the strike.
        params: (1,) ``PHYSICS``.
    """

    events: tuple[Event, ...]
    segments: np.ndarray
    layout: np.ndarray
    shot: np.ndarray
    start: np.ndarray
    params: np.ndarray

    @property
    def duration(self) -> float:
        """Seconds to rest."""
        return float(self.shot["duration"][0])

    def states_at(self, times: Sequence[float] | np.ndarray) -> np.ndarray:
        """Place, velocity and spin of every ball.

        Args:
            times: T times in s, any order; negative ones count as 0.

        Returns:
            (T, 22, 7): x, y, vx, vy, wx, wy, wz; NaN where a ball is not on the table (any more).
        """
        at = np.maximum(np.asarray(times, float), 0.0)
        out = np.full((len(at), N_SLOTS, 7), np.nan)
        p = self.params[0]
        gone = {event.balls[0]: event.t for event in self.events if event.type == "pocket"}
        for slot in range(N_SLOTS):
            if not np.isfinite(self.start[slot]).all():
                continue
            out[:, slot, :2], out[:, slot, 2:] = self.start[slot], 0.0
            pieces = self.segments[self.segments[:, 0] == slot]
            # Of several pieces that begin at the same instant, the last one counts.
            which = np.searchsorted(pieces[:, 1], at, side="right") - 1
            moved = which >= 0
            if moved.any():
                out[moved, slot] = _state(pieces[which[moved]], at[moved], p)
            out[at >= gone.get(slot, np.inf), slot] = np.nan
        return out

    def positions_at(self, times: Sequence[float] | np.ndarray) -> np.ndarray:
        """(T, 22, 2) places in m at T times in s; NaN where a ball is not on the table (any more)."""
        return self.states_at(times)[..., :2]

    def energies_at(self, times: Sequence[float] | np.ndarray) -> np.ndarray:
        """(T,) kinetic energy of all balls on the table, J."""
        state = np.nan_to_num(self.states_at(times))
        p = self.params[0]
        speed, spin = (state[..., 2:4] ** 2).sum(-1), (state[..., 4:] ** 2).sum(-1)
        return (0.5 * p["ball_mass"] * (speed + 0.4 * p["ball_radius"] ** 2 * spin)).sum(-1)


def _state(pieces: np.ndarray, at: np.ndarray, p: np.void) -> np.ndarray:
    """(T, 7) states at times within pieces of paths; the same formulas as :func:`.motion.advance`."""
    dt = (at - pieces[:, 1])[:, None]
    row = pieces[:, 2:11]
    half = row[:, [HX, HY]]
    state = row[:, :7].copy()
    state[:, :2] += (row[:, [VX, VY]] + half * dt) * dt
    state[:, [VX, VY]] += 2.0 * half * dt
    sliding = pieces[:, 11] == SLIDE
    turn = 5.0 / p["ball_radius"] * dt[:, 0]
    rolling_x, rolling_y = -state[:, VY] / p["ball_radius"], state[:, VX] / p["ball_radius"]
    state[:, WX] = np.where(sliding, row[:, WX] + turn * half[:, 1], rolling_x)
    state[:, WY] = np.where(sliding, row[:, WY] - turn * half[:, 0], rolling_y)
    state[:, WZ] = np.sign(row[:, WZ]) * np.maximum(np.abs(row[:, WZ]) - p["spin_decay"] * dt[:, 0], 0.0)
    return state


@kernel
def _run_logged(layout, on_table, strikes, shots, tables, params, log, paths, marks):
    scratch = new_scratch()
    pocket_boxes(tables[0], scratch[7])
    simulate_one(layout, on_table, strikes[0], shots[0], tables[0], params[0], scratch, log, paths, marks)


def _event(row: np.ndarray) -> Event:
    t, code, first, second, x, y = row.tolist()
    kind = EVENT_TYPES[int(code)]
    if kind == "ball_ball":
        return Event(t, kind, (int(first), int(second)), -1, x, y)
    return Event(t, kind, (int(first),), int(second), x, y)


def trace_shot(layout: np.ndarray, on_table: int, strike: np.ndarray, table: TableSpec, params: np.ndarray) -> Trace:
    """Play one stroke and keep what happens on the way. The arguments are left as they are.

    Args:
        layout: (22, 2) places in m.
        on_table: set of balls, the cue ball among them.
        strike: (1,) ``STRIKE``.
        table: the table.
        params: (1,) ``PHYSICS``.

    Raises:
        SinucaError: balls that cannot lie where they do.
    """
    start = np.array(layout, float)
    check_batch(start[None], np.array([on_table], np.uint32), table, params, np.zeros(1, np.int64))
    rows = _FIRST_ROWS
    while True:
        final, shot = start.copy(), np.zeros(1, SHOT)
        log, paths, marks = np.zeros((rows, 6)), np.zeros((rows, 12)), np.zeros(2, np.int64)
        tables = records(table.record)
        _run_logged(final, int(on_table), records(strike), records(shot), tables, records(params), log, paths, marks)
        if marks.max() <= rows:
            break
        rows = int(marks.max())
    events = sorted((_event(row) for row in log[: marks[0]]), key=lambda event: event.t)
    return Trace(tuple(events), paths[: marks[1]], final, shot, start, params.copy())
