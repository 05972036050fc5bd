"""Starts: a frame by the draw, a one-ball task, and what follows a frame that is tied, void or not the last.

``task`` is a ``TASK`` record. Draws come from the table's key and counter (:mod:`sinuca_env.game.rng`).
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.game.potting import CUE_CLEAR, OBJECT_CLEAR, POSSIBLE, pot_into
from sinuca_env.game.rng import STREAM_RESET, normal_pair, random_below, uniform_pair
from sinuca_env.rules import next_frame, restart_frame, start_complementary, start_frame
from sinuca_env.rules.restore import remember_position
from sinuca_env.state.balls import FIRST_RED, VALUE_NAMES, count_balls, value_of_slot
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.table.layouts import RACK_GAP, rack_into
from sinuca_env.table.spec import N_POCKETS

__all__ = ["FRAME_TASK", "POT_DEFAULTS", "POT_TASK", "TASK", "frame_task", "go_on", "pot_task", "start_episode"]

FRAME_TASK, POT_TASK = 0, 1

TASK = np.dtype(
    [
        ("kind", "i1"),  # FRAME_TASK or POT_TASK
        ("solo", "u1"),  # one side plays on and on, without draws
        ("ball_values", "u1"),  # pot: values among which the object ball is drawn
        ("min_distance", "f8"),  # m, pot: between the centres of cue ball and object ball
        ("max_distance", "f8"),
        ("max_run", "f8"),  # m, pot: object ball to pocket
        ("max_cut", "f8"),  # rad, pot
        ("direct", "u1"),  # pot: some pocket has a direct pot within the limits
        ("rack_gap", "f8"),  # m, between racked reds; 0 = tight (PHYSICS)
        ("rack_jitter", "f8"),  # m, standard deviation of a red's place in the rack (PHYSICS)
    ],
    align=True,
)

POT_DEFAULTS: dict[str, Any] = {
    "balls": ("red",),
    "min_distance": 0.0,
    "max_distance": None,
    "max_run": None,
    "max_cut_deg": None,
    "direct": False,
}
_TRIES = 200
_RACK_INDEX = 1000  # of the random stream: beyond the draws and places of a start
_MARGIN = 1e-3  # m, at least, between a ball and a cushion or the other ball


def frame_task(solo: bool) -> np.ndarray:
    """The whole frame, as a one-element ``TASK`` array."""
    task = np.zeros(1, TASK)
    task["kind"], task["solo"] = FRAME_TASK, solo
    return task


def _limit(name: str, value: object, unit: str) -> float:
    if value is None:
        return math.inf
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not float(value) > 0.0:
        raise SinucaError(f"{name}: {value!r}: a number over 0 ({unit}), or null for no limit")
    return float(value)


def pot_task(
    balls: Iterable[str] = ("red",),
    min_distance: float = 0.0,
    max_distance: float | None = None,
    max_run: float | None = None,
    max_cut_deg: float | None = None,
    direct: bool = False,
) -> np.ndarray:
    """The one-ball task, as a one-element ``TASK`` array.

    Cue ball and object ball lie uniformly on the cloth, at least 1 mm from cushions and from one another. Layouts
    outside the limits are drawn again, up to 200 times; the last one stands.

    Args:
        balls: names among which the object ball is drawn (``red``, ``yellow`` ... ``black``).
        min_distance: between the two centres, m.
        max_distance: the same.
        max_run: from the object ball to the pocket, m.
        max_cut_deg: 0 is a straight pot.
        direct: a pocket that a direct pot within the limits reaches; a limit on run or cut implies it.

    Raises:
        SinucaError: a name or number that is not accepted.
    """
    task = np.zeros(1, TASK)
    task["kind"], task["solo"] = POT_TASK, 1
    values = 0
    for name in [balls] if isinstance(balls, str) else balls:
        if name not in VALUE_NAMES[1:]:
            raise SinucaError(
                f"balls: unknown ball '{name}'{suggest(str(name), VALUE_NAMES)}: {', '.join(VALUE_NAMES[1:])}"
            )
        values |= 1 << VALUE_NAMES.index(name)
    if not values:
        raise SinucaError(f"balls: at least one of {', '.join(VALUE_NAMES[1:])}")
    if isinstance(min_distance, bool) or not isinstance(min_distance, numbers.Real) or not 0 <= min_distance < 3:
        raise SinucaError(f"min_distance: {min_distance!r}: a number from 0 to 3 m")
    task["ball_values"] = values
    task["min_distance"] = float(min_distance)
    task["max_distance"] = _limit("max_distance", max_distance, "m")
    if not task["max_distance"][0] > float(min_distance):
        raise SinucaError(f"max_distance: {max_distance!r}: more than min_distance ({min_distance:g} m)")
    task["max_run"] = _limit("max_run", max_run, "m")
    task["max_cut"] = math.radians(_limit("max_cut_deg", max_cut_deg, "degrees"))
    task["direct"] = bool(direct) or max_run is not None or max_cut_deg is not None
    return task


@kernel(internal=True)
def _draw(frame, index, n):
    return random_below(frame.rng_key, frame.rng_counter, STREAM_RESET, index, n)


@kernel(internal=True)
def _place_uniformly(layout, slot, frame, index, table):
    u, v = uniform_pair(frame.rng_key, frame.rng_counter, STREAM_RESET, index)
    margin = table.ball_radius + _MARGIN
    layout[slot, 0] = (u - 0.5) * (table.length - 2.0 * margin)
    layout[slot, 1] = (v - 0.5) * (table.width - 2.0 * margin)


@kernel(internal=True)
def _is_wanted(layout, ball, table, task, pot):
    dx, dy = layout[ball, 0] - layout[0, 0], layout[ball, 1] - layout[0, 1]
    distance = math.hypot(dx, dy)
    if distance < max(task.min_distance, 2.0 * table.ball_radius + _MARGIN) or distance > task.max_distance:
        return False
    if task.direct == 0:
        return True
    clear = POSSIBLE | OBJECT_CLEAR | CUE_CLEAR
    for pocket in range(N_POCKETS):
        pot_into(layout, (1 << ball) | 1, layout[0, 0], layout[0, 1], table, ball, pocket, pot)
        if pot.flags & clear == clear and pot.cut <= task.max_cut and pot.run <= task.max_run:
            return True
    return False


@kernel(internal=True)
def start_pot(frame, layout, table, cfg, task, pot):
    """One object ball and the cue ball, placed at random; the object ball is the ball on."""
    start_frame(frame, layout, table, cfg, 0)
    for slot in range(layout.shape[0]):
        layout[slot, 0] = math.nan
        layout[slot, 1] = math.nan
    values = np.int64(task.ball_values)
    nth = _draw(frame, 1, count_balls(values))
    value = 1
    while (values >> value) & 1 == 0 or nth > 0:
        nth -= (values >> value) & 1
        value += 1
    ball = FIRST_RED if value == 1 else value + 14
    frame.on_table = (1 << ball) | 1
    frame.on = value_of_slot(ball)
    frame.in_hand = 0
    frame.opening = 0
    frame.transferable = 0
    for attempt in range(_TRIES):
        _place_uniformly(layout, 0, frame, 2 + 2 * attempt, table)
        _place_uniformly(layout, ball, frame, 3 + 2 * attempt, table)
        if _is_wanted(layout, ball, table, task, pot):
            return


@kernel(internal=True)
def loosen_rack(frame, layout, table, cfg, task):
    """A rack with the gap and the jitter of the physics, from the table's own random stream.

    A red moves by at most half of the gap, so that no two meet; the apex stays, next to the pink.
    """
    if task.rack_gap <= 0.0 and task.rack_jitter <= 0.0:
        return
    gap = max(task.rack_gap, RACK_GAP)
    rack_into(layout, np.int64(cfg.reds), table, gap)
    for slot in range(FIRST_RED + 1, FIRST_RED + np.int64(cfg.reds)):
        dx, dy = normal_pair(frame.rng_key, frame.rng_counter, STREAM_RESET, _RACK_INDEX + slot)
        dx, dy = dx * task.rack_jitter, dy * task.rack_jitter
        away = math.sqrt(dx * dx + dy * dy)
        share = 0.5 * gap / away if away > 0.5 * gap else 1.0
        layout[slot, 0] += share * dx
        layout[slot, 1] += share * dy
    remember_position(frame, layout, cfg)


@kernel(internal=True)
def start_episode(frame, layout, table, cfg, task, pot):
    """A new episode: the draw for the break-off (17) and the start of the first frame, or the task's layout.

    All fields but the random key and counter are set anew; the counter goes one up.
    """
    frame.rng_counter += np.uint64(1)
    frame.frame_number = 0
    frame.match_over = 0
    frame.match_winner = -1
    for side in range(2):
        frame.frames_won[side] = 0
        frame.warnings[side] = 0
        frame.players[side] = 0
    if task.kind == POT_TASK:
        start_pot(frame, layout, table, cfg, task, pot)
        return
    start_frame(frame, layout, table, cfg, 0 if task.solo else _draw(frame, 0, 2))
    loosen_rack(frame, layout, table, cfg, task)
    if task.solo:
        frame.transferable = 0


@kernel(internal=True)
def go_on(frame, layout, table, cfg, task, ruling):
    """After a frame that does not end the episode: void (46-III), tied (45), or a match that goes on (17)."""
    if ruling.frame_over == 0 or frame.match_over or task.kind == POT_TASK:
        return
    if ruling.tied or (ruling.void and frame.complementary):
        start_complementary(frame, layout, table, 0 if task.solo else _draw(frame, 0, 2))
    elif ruling.void:
        restart_frame(frame, layout, table, cfg)
        loosen_rack(frame, layout, table, cfg, task)
    else:
        next_frame(frame, layout, table, cfg)
        loosen_rack(frame, layout, table, cfg, task)
    if task.solo:
        frame.striker = 0
        frame.transferable = 0
