"""Observations: fixed-length float32 vectors in [-1, 1], always 22 slots, from the striker's view.

``"flat"`` (:data:`FLAT_SIZE` numbers). Slot 0 is the cue ball, 1..15 the reds in canonical order (in play first, by x,
then y), 16..21 yellow .. black. Positions are divided by half the table's length and width, so both tables look alike.

| Num | Observation | Min | Max |
|---|---|---|---|
| 0-131 | per slot s, at 6 s: x, y (0 off the table or in hand) | -1 | 1 |
|  | at 6 s + 2: in play (the cue ball: not in hand) | 0 | 1 |
|  | at 6 s + 3: may be hit first when playing on | 0 | 1 |
|  | at 6 s + 4: may be called as free ball | 0 | 1 |
|  | at 6 s + 5: touches the cue ball | 0 | 1 |
| 132-139 | ball on: red, yellow, green, brown, blue, pink, black, any colour | 0 | 1 |
| 140-146 | values 1..7 that may be called when playing on | 0 | 1 |
| 147-152 | values 2..7 that may be called as free ball | 0 | 1 |
| 153 | a free ball is offered | 0 | 1 |
| 154 | cue ball in hand | 0 | 1 |
| 155 | may decline, or transfer the break-off | 0 | 1 |
| 156 | may concede | 0 | 1 |
| 157-161 | phase: break-off, reds, colours, black only, complementary frame | 0 | 1 |
| 162-165 | snooker before the stroke: none, aggravated, partial, total | 0 | 1 |
| 166-167 | scores / 147: own, the other side's | 0 | 1 |
| 168 | lead / 147 | -1 | 1 |
| 169 | points remaining / 155 | 0 | 1 |
| 170 | points of the break in progress / 155 | 0 | 1 |
| 171-172 | fouls in a row that article 38 counts / 3: own, the other side's | 0 | 1 |
| 173-174 | strokes without change in a row (46) / 3: own, the other side's | 0 | 1 |
| 175 | the stroke must change the situation (46-I) | 0 | 1 |
| 176 | share of max_strokes already played | 0 | 1 |
| 177 | reds in play / 15 | 0 | 1 |
| 178-179 | frames won / frames that win the match: own, the other side's | 0 | 1 |

``"set"`` (:data:`SET_SIZE`): 132 numbers per ball as above, then geometry as seen by the cue ball, then the same 48 of
the situation. With the cue ball in hand it is seen from the middle of the D.

| Num | Observation | Min | Max |
|---|---|---|---|
| 132-194 | per object ball b (0..20), at 132 + 3 b: distance / table length, cos and sin of its direction | -1 | 1 |
| 195-824 | per object ball b and pocket p, at 195 + 30 b + 5 p: direct pot possible and free | 0 | 1 |
|  | + 1: thickness of contact that pots (-1 .. 1 as in the ``relative`` face, without throw) | -1 | 1 |
|  | + 2: object ball to pocket / table length | 0 | 1 |
|  | + 3: half-window at the object ball / 0.1 rad | 0 | 1 |
|  | + 4: half-window of the cue ball's direction / 0.02 rad | 0 | 1 |
| 825-872 | situation, as 132-179 of ``"flat"`` | -1 | 1 |

``"set"`` of the one-ball task (:data:`POT_SIZE`): its one ball, and its pockets from the easiest (widest half-window of
the cue ball's direction) to the hardest. After the stroke only the places are told: the geometry costs as much as the
rest of a step, and nothing is decided any more.

| Num | Observation | Min | Max |
|---|---|---|---|
| 0-3 | x, y of the cue ball, x, y of the object ball | -1 | 1 |
| 4 | distance / table length | 0 | 1 |
| 5-6 | cos and sin of the direction from cue ball to object ball | -1 | 1 |
| 7 | value / 7 | 0 | 1 |
| 8-43 | per pocket k, at 8 + 6 k: a direct pot is possible | 0 | 1 |
|  | + 1: thickness of contact that pots | -1 | 1 |
|  | + 2: object ball to pocket / table length | 0 | 1 |
|  | + 3: half-window at the object ball / 0.1 rad | 0 | 1 |
|  | + 4: half-window of the cue ball's direction / 0.02 rad | 0 | 1 |
|  | + 5: cosine of the cut | 0 | 1 |
"""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.game.potting import CUE_CLEAR, OBJECT_CLEAR, POSSIBLE, pot_into
from sinuca_env.rules import points_remaining
from sinuca_env.state.balls import ALL_COLOURS, ALL_REDS, BLACK, CUE, FIRST_RED, N_SLOTS, count_balls
from sinuca_env.state.records import ON_COLOUR, Option
from sinuca_env.table.spec import N_POCKETS

__all__ = [
    "FLAT_SIZE", "OBSERVATIONS", "POT_SIZE", "SET_SIZE", "SITUATION_SIZE", "observation_size", "observe_flat",
    "observe_pot", "observe_set",
]  # fmt: skip

BALLS_SIZE = 6 * N_SLOTS
SITUATION_SIZE = 48
FLAT_SIZE = BALLS_SIZE + SITUATION_SIZE
GEOMETRY_SIZE = 21 * 3 + 21 * 6 * 5
SET_SIZE = BALLS_SIZE + GEOMETRY_SIZE + SITUATION_SIZE
POT_SIZE = 8 + 6 * N_POCKETS
OBSERVATIONS = ("flat", "set", "dict")

DECLINE, CONCEDE = int(Option.DECLINE), int(Option.CONCEDE)
_ALL_CLEAR = POSSIBLE | OBJECT_CLEAR | CUE_CLEAR


def observation_size(observation: str, single: bool) -> int:
    """Length of a vector observation."""
    return FLAT_SIZE if observation != "set" else POT_SIZE if single else SET_SIZE


@kernel(internal=True)
def unit(x):
    """The number, held in [-1, 1]."""
    return min(max(x, -1.0), 1.0)


@kernel(internal=True)
def observe_balls(frame, layout, legal, table, out):
    """Write the 132 numbers of the balls."""
    on_table, targets, touching = np.int64(frame.on_table), np.int64(legal.targets), np.int64(legal.touching)
    free = (np.int64(legal.free_calls) >> 2) << 16
    for slot in range(N_SLOTS):
        k = 6 * slot
        if (on_table >> slot) & 1:
            out[k] = unit(2.0 * layout[slot, 0] / table.length)
            out[k + 1] = unit(2.0 * layout[slot, 1] / table.width)
            out[k + 2] = 1.0
            out[k + 3] = (targets >> slot) & 1
            out[k + 4] = (free >> slot) & 1
            out[k + 5] = (touching >> slot) & 1
        else:
            for j in range(6):
                out[k + j] = 0.0


@kernel(internal=True)
def phase_of(frame):
    """0 break-off, 1 reds (the colour after the last one included), 2 colours, 3 black only, 4 complementary."""
    if frame.complementary:
        return 4
    if frame.opening:
        return 0
    on_table = np.int64(frame.on_table)
    if on_table & ALL_REDS or frame.on == ON_COLOUR:
        return 1
    return 3 if on_table & ALL_COLOURS == 1 << BLACK else 2


@kernel(internal=True)
def observe_situation(frame, legal, cfg, max_strokes, me, out, start):
    """Write the 48 numbers of the situation, as side ``me`` sees it, from ``start`` on."""
    for k in range(SITUATION_SIZE):
        out[start + k] = 0.0
    on_table, on, options = np.int64(frame.on_table), np.int64(frame.on), np.int64(legal.options)
    if on >= 1 and on <= 8:
        out[start + on - 1] = 1.0
    for value in range(1, 8):
        out[start + 7 + value] = (np.int64(legal.calls) >> value) & 1
    for value in range(2, 8):
        out[start + 13 + value] = (np.int64(legal.free_calls) >> value) & 1
    out[start + 21] = 1.0 if frame.free_ball else 0.0
    out[start + 22] = 1.0 if frame.in_hand else 0.0
    out[start + 23] = (options >> DECLINE) & 1
    out[start + 24] = (options >> CONCEDE) & 1
    out[start + 25 + phase_of(frame)] = 1.0
    out[start + 30 + min(np.int64(frame.snooker), 3)] = 1.0
    own, other = np.int64(frame.scores[me]), np.int64(frame.scores[1 - me])
    out[start + 34] = unit(own / 147.0)
    out[start + 35] = unit(other / 147.0)
    out[start + 36] = unit((own - other) / 147.0)
    out[start + 37] = unit(points_remaining(on_table, on, frame.free_ball) / 155.0)
    out[start + 38] = unit(frame.break_points / 155.0)
    out[start + 39] = unit(frame.aggravated_count[me] / 3.0)
    out[start + 40] = unit(frame.aggravated_count[1 - me] / 3.0)
    out[start + 41] = unit(frame.stalemate_count[me] / 3.0)
    out[start + 42] = unit(frame.stalemate_count[1 - me] / 3.0)
    out[start + 43] = 1.0 if frame.warned else 0.0
    out[start + 44] = unit(frame.strokes / max_strokes)
    out[start + 45] = count_balls(on_table & ALL_REDS) / 15.0
    out[start + 46] = unit(frame.frames_won[me] / cfg.frames_to_win)
    out[start + 47] = unit(frame.frames_won[1 - me] / cfg.frames_to_win)


@kernel(internal=True)
def thickness_of(dx, dy, angle, radius):
    """Where aiming along ``angle`` meets the ball at (dx, dy) from the cue ball, as in the ``relative`` face."""
    across = math.cos(angle) * dy - math.sin(angle) * dx
    return unit(-across / (2.0 * radius))


@kernel(internal=True)
def _scaled(x, scale):
    return min(max(x / scale, 0.0), 1.0)


@kernel(internal=True)
def observe_geometry(frame, layout, legal, table, pot, out, start):
    """Write what the cue ball sees of every object ball and of every direct pot of a ball that may be hit."""
    for k in range(GEOMETRY_SIZE):
        out[start + k] = 0.0
    on_table = np.int64(frame.on_table)
    wanted = np.int64(legal.targets) | ((np.int64(legal.free_calls) >> 2) << 16)
    x, y = layout[CUE, 0], layout[CUE, 1]
    if on_table & 1 == 0:
        x, y = table.baulk_x - 0.5 * table.d_radius, 0.0
    for ball in range(FIRST_RED, N_SLOTS):
        if (on_table >> ball) & 1 == 0:
            continue
        dx, dy = layout[ball, 0] - x, layout[ball, 1] - y
        distance = max(math.hypot(dx, dy), 1e-9)
        k = start + 3 * (ball - 1)
        out[k] = unit(distance / table.length)
        out[k + 1] = dx / distance
        out[k + 2] = dy / distance
        if (wanted >> ball) & 1 == 0:
            continue
        for pocket in range(N_POCKETS):
            pot_into(layout, on_table, x, y, table, ball, pocket, pot)
            k = start + 63 + 30 * (ball - 1) + 5 * pocket
            out[k] = 1.0 if pot.flags & _ALL_CLEAR == _ALL_CLEAR else 0.0
            out[k + 1] = thickness_of(dx, dy, pot.angle, table.ball_radius)
            out[k + 2] = _scaled(pot.run, table.length)
            out[k + 3] = _scaled(pot.half_window, 0.1)
            out[k + 4] = _scaled(pot.aim_half, 0.02)


@kernel(internal=True)
def observe_flat(frame, layout, legal, cfg, table, max_strokes, pot, me, out):
    """Write the ``flat`` observation of one table (see the module's table) into ``out``."""
    observe_balls(frame, layout, legal, table, out)
    observe_situation(frame, legal, cfg, max_strokes, me, out, BALLS_SIZE)


@kernel(internal=True)
def observe_set(frame, layout, legal, cfg, table, max_strokes, pot, me, out):
    """Write the ``set`` observation of one table."""
    observe_balls(frame, layout, legal, table, out)
    observe_geometry(frame, layout, legal, table, pot, out, BALLS_SIZE)
    observe_situation(frame, legal, cfg, max_strokes, me, out, BALLS_SIZE + GEOMETRY_SIZE)


@kernel(internal=True)
def observe_pot(frame, layout, legal, cfg, table, max_strokes, pot, me, out):
    """Write the ``set`` observation of a one-ball table."""
    for k in range(POT_SIZE):
        out[k] = 0.0
    on_table = np.int64(frame.on_table)
    if on_table & 1:
        out[0] = unit(2.0 * layout[CUE, 0] / table.length)
        out[1] = unit(2.0 * layout[CUE, 1] / table.width)
    for ball in range(FIRST_RED, N_SLOTS):
        if (on_table >> ball) & 1:
            out[2] = unit(2.0 * layout[ball, 0] / table.length)
            out[3] = unit(2.0 * layout[ball, 1] / table.width)
            if frame.frame_over == 0:
                _observe_single_ball(layout, on_table, ball, table, pot, out)


@kernel(internal=True)
def _observe_single_ball(layout, on_table, ball, table, pot, out):
    dx, dy = layout[ball, 0] - layout[CUE, 0], layout[ball, 1] - layout[CUE, 1]
    distance = max(math.hypot(dx, dy), 1e-9)
    out[4] = unit(distance / table.length)
    out[5] = dx / distance
    out[6] = dy / distance
    out[7] = (ball - 14 if ball > 15 else 1) / 7.0
    for pocket in range(N_POCKETS):
        pot_into(layout, on_table, layout[CUE, 0], layout[CUE, 1], table, ball, pocket, pot)
        possible = 1.0 if pot.flags & _ALL_CLEAR == _ALL_CLEAR else 0.0
        ease = _scaled(pot.aim_half, 0.02)
        # Insert behind the pockets that are at least as easy.
        k = pocket
        while k > 0 and (possible > out[2 + 6 * k] or (possible == out[2 + 6 * k] and ease > out[6 + 6 * k])):
            for j in range(6):
                out[8 + 6 * k + j] = out[2 + 6 * k + j]
            k -= 1
        out[8 + 6 * k] = possible
        out[9 + 6 * k] = thickness_of(dx, dy, pot.angle, table.ball_radius)
        out[10 + 6 * k] = _scaled(pot.run, table.length)
        out[11 + 6 * k] = _scaled(pot.half_window, 0.1)
        out[12 + 6 * k] = ease
        out[13 + 6 * k] = _scaled(math.cos(pot.cut), 1.0)
