"""From an action vector to a decision: the faces of the action space.

Every face is a ``Box(-1, 1)``; :func:`face_parts` tells where each part stands, the kernels below read them. A logit
is only compared with other logits: the greatest one among what is legal wins, the first of equals.

======================  ==========================================================================================
part                    meaning of -1 .. 1
======================  ==========================================================================================
``aim`` (2)             direction of aim: the angle of the vector (cos, sin); (0, 0) is +x
``speed``               cue speed 0.2 * 32.5 ** ((a + 1) / 2) m/s: 0.2 at -1, 1.14 at 0, 6.5 at 1; denser at low speed
``side``, ``top``       tip offset 0.5 R * a, left and up positive; pulled radially into the disc of 0.5 R
``elevation``           60 degrees * max(a, 0): the lower half is the level cue, as nearly every stroke is played
``placement`` (2)       place in the D while the cue ball is in hand: depth (-1 baulk line .. 1 arc), side (1 left)
``call`` (7)            a logit per value 1..7
``option`` (4)          a logit per option: play, play a free ball, decline (or transfer), concede
``ball`` (21)           a logit per object ball, slots 1..21 (reds in canonical order)
``thickness``           where the ball is met: -1 thin on its right, 0 full, 1 thin on its left; the cue ball's centre
                        would pass 2 R * a to the left of the ball's
``shot`` (126)          a logit per ball and pocket: 6 * (slot - 1) + pocket
``residual``            aim off the potting line, in half-windows of the pot: 3 * a
======================  ==========================================================================================

The elevation is never less than what a cushion or a ball behind the cue ball demands
(:func:`sinuca_env.game.placement.clear_elevation`).
"""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.game.aim import aim_target
from sinuca_env.game.placement import MAX_ELEVATION, clear_elevation, place_in_d
from sinuca_env.state.balls import CUE, FIRST_RED, N_SLOTS, value_of_slot
from sinuca_env.state.records import NO_BALL, NO_CALL, Option

__all__ = [
    "FACES", "MAX_SPEED", "MIN_SPEED", "N_BALLS", "SPAN", "TIP_LIMIT", "action_of_speed", "decode_box",
    "decode_relative", "decode_target", "elevation_of", "face_parts", "face_size", "speed_of",
]  # fmt: skip

MIN_SPEED, MAX_SPEED = 0.2, 6.5  # m/s of the cue
TIP_LIMIT = 0.5  # R
SPAN = 3.0  # half-windows
N_BALLS = N_SLOTS - 1
FREE_BALL = int(Option.FREE_BALL)
N_OPTIONS = 4

_PART_SIZES = {"aim": 2, "placement": 2, "call": 7, "option": N_OPTIONS, "ball": N_BALLS, "shot": 6 * N_BALLS}
FACES: dict[str, tuple[str, ...]] = {
    "box": ("aim", "speed", "side", "top", "elevation", "placement", "call", "option"),
    "relative": ("thickness", "speed", "side", "top", "placement", "option", "ball"),
    "target": ("residual", "speed", "side", "top", "placement", "option", "shot"),
}
"""Parts of each face, in order. One-ball tasks keep what is left to choose (``single=True``)."""

_SINGLE: dict[str, tuple[str, ...]] = {
    "box": ("aim", "speed", "side", "top", "elevation"),
    "relative": ("thickness", "speed", "side", "top"),
    "target": ("residual", "speed", "side", "top", "pocket"),
}


def face_parts(face: str, single: bool = False) -> dict[str, slice]:
    """Where each part of a face stands in its action vector.

    Args:
        face: a key of ``FACES``.
        single: for a task with one object ball, one stroke and a cue ball that lies: no logits for balls, calls and
            options, no placement; the ``target`` face has a logit per pocket (``pocket``, 6) instead of ``shot``.
    """
    parts, start = {}, 0
    for name in (_SINGLE if single else FACES)[face]:
        size = 6 if name == "pocket" else _PART_SIZES.get(name, 1)
        parts[name] = slice(start, start + size)
        start += size
    return parts


def face_size(face: str, single: bool = False) -> int:
    """Length of a face's action vector."""
    return max(part.stop for part in face_parts(face, single).values())


@kernel
def speed_of(a):
    """Cue speed (m/s) of an action in -1..1: geometric from 0.2 to 6.5 m/s."""
    return MIN_SPEED * (MAX_SPEED / MIN_SPEED) ** (0.5 * (min(max(a, -1.0), 1.0) + 1.0))


def action_of_speed(speed: float) -> float:
    """The action whose cue speed this is (inverse of :func:`speed_of`)."""
    return 2.0 * math.log(speed / MIN_SPEED) / math.log(MAX_SPEED / MIN_SPEED) - 1.0


@kernel(internal=True)
def elevation_of(a):
    """Elevation (rad) of an action in -1..1."""
    return MAX_ELEVATION * min(max(a, 0.0), 1.0)


@kernel(internal=True)
def set_tip(strike, side, top):
    """Tip offsets of actions in -1..1, pulled into the disc of ``TIP_LIMIT``."""
    norm = max(math.hypot(side, top), 1.0)
    # Just inside, so that rounding never makes a miscue of the edge.
    strike.side = TIP_LIMIT * (1.0 - 1e-12) * side / norm
    strike.top = TIP_LIMIT * (1.0 - 1e-12) * top / norm


@kernel(internal=True)
def set_placement(decision, depth, across, frame, layout, table):
    """The cue ball's place: where it lies, or in hand the free place of the D nearest to that of two actions.

    Every pair of actions in -1..1 is a place of the D, every place has a pair.
    """
    if frame.in_hand == 0:
        decision.placement[0] = layout[CUE, 0]
        decision.placement[1] = layout[CUE, 1]
        return
    y = across * table.d_radius
    x = table.baulk_x - 0.5 * (depth + 1.0) * math.sqrt(max(table.d_radius**2 - y * y, 0.0))
    x, y = place_in_d(x, y, layout, np.int64(frame.on_table), table)
    decision.placement[0] = x
    decision.placement[1] = y


@kernel(internal=True)
def best_of(action, start, n, legal):
    """Index of the greatest of ``n`` logits among the set ``legal``; -1 if the set is empty."""
    best = -1
    for k in range(n):
        if (legal >> k) & 1 and (best < 0 or action[start + k] > action[start + best]):
            best = k
    return best


@kernel(internal=True)
def begin_decision(decision):
    """A plain centre stroke at nothing, without a call."""
    decision.option = 0
    decision.call = NO_CALL
    decision.placement[0] = 0.0
    decision.placement[1] = 0.0
    decision.strike.angle = 0.0
    decision.strike.speed = MIN_SPEED
    decision.strike.side = 0.0
    decision.strike.top = 0.0
    decision.strike.elevation = 0.0
    decision.strike.direct = 0
    for k in range(3):
        decision.strike.v[k] = 0.0
        decision.strike.w[k] = 0.0


@kernel
def decode_box(action, single, frame, layout, legal, table, decision):
    """Decode one ``box`` action (see the module's table) into ``decision``."""
    begin_decision(decision)
    decision.strike.angle = math.atan2(action[1], action[0])
    decision.strike.speed = speed_of(action[2])
    set_tip(decision.strike, action[3], action[4])
    decision.strike.elevation = elevation_of(action[5])
    if single:
        return
    set_placement(decision, action[6], action[7], frame, layout, table)
    decision.option = max(best_of(action, 15, N_OPTIONS, np.int64(legal.options)), 0)
    calls = np.int64(legal.free_calls if decision.option == FREE_BALL else legal.calls)
    decision.call = max(best_of(action, 8, 7, calls >> 1) + 1, 0)


@kernel(internal=True)
def chosen_balls(legal, option):
    """The balls among which a logit per ball chooses: the targets, or those that may be called as free ball."""
    if option != FREE_BALL:
        return np.int64(legal.targets)
    return (np.int64(legal.free_calls) >> 2) << 16


@kernel(internal=True)
def aim_at(decision, layout, ball, thickness, radius):
    """Aim so that the cue ball's centre would pass ``2 R thickness`` to the left of the ball's centre."""
    x, y = decision.placement[0], decision.placement[1]
    dx, dy = layout[ball, 0] - x, layout[ball, 1] - y
    offset = 2.0 * radius * thickness / max(math.hypot(dx, dy), 2.0 * radius)
    decision.strike.angle = math.atan2(dy, dx) + math.asin(min(max(offset, -1.0), 1.0))


@kernel(internal=True)
def only_ball(frame):
    """Slot of the highest object ball in play: of the only one in a one-ball task."""
    for slot in range(N_SLOTS - 1, 0, -1):
        if (np.int64(frame.on_table) >> slot) & 1:
            return slot
    return NO_BALL


@kernel
def decode_relative(action, single, frame, layout, legal, table, decision):
    """Decode one ``relative`` action (see the module's table) into ``decision``."""
    begin_decision(decision)
    decision.strike.speed = speed_of(action[1])
    set_tip(decision.strike, action[2], action[3])
    if single:
        set_placement(decision, 0.0, 0.0, frame, layout, table)
        ball = only_ball(frame)
    else:
        set_placement(decision, action[4], action[5], frame, layout, table)
        decision.option = max(best_of(action, 6, N_OPTIONS, np.int64(legal.options)), 0)
        ball = best_of(action, 10, N_BALLS, chosen_balls(legal, decision.option) >> 1) + 1
    if ball < FIRST_RED:
        return
    decision.call = value_of_slot(ball)
    aim_at(decision, layout, ball, action[0], table.ball_radius)


@kernel(internal=True)
def best_shot(action, start, balls):
    """Ball and pocket of the greatest of the 126 logits from ``start`` on; ``(NO_BALL, 0)`` without balls."""
    best_ball, best_pocket, best = NO_BALL, 0, -1e300
    for ball in range(FIRST_RED, N_SLOTS):
        if (balls >> ball) & 1:
            for pocket in range(6):
                logit = action[start + 6 * (ball - 1) + pocket]
                if logit > best:
                    best_ball, best_pocket, best = ball, pocket, logit
    return best_ball, best_pocket


@kernel(internal=True)
def aim_to_pot(decision, layout, on_table, ball, pocket, residual, table, params):
    """Aim at the pot, ``SPAN * residual`` half-windows off it, with the elevation that this aim demands."""
    strike = decision.strike
    strike.angle = math.atan2(layout[ball, 1] - layout[CUE, 1], layout[ball, 0] - layout[CUE, 0])
    # The elevation depends on the aim and, by swerve, the aim on the elevation: two rounds settle both.
    for _ in range(2):
        strike.elevation = clear_elevation(layout, on_table, strike.angle, strike.top, params.nose_height, table)
        _ok, angle, _half, aim_half = aim_target(layout, table, params, ball, pocket, strike)
        strike.angle = angle
    strike.angle += SPAN * residual * aim_half


@kernel
def decode_target(action, single, frame, layout, legal, table, params, decision):
    """Decode one ``target`` action (see the module's table) into ``decision``."""
    begin_decision(decision)
    decision.strike.speed = speed_of(action[1])
    set_tip(decision.strike, action[2], action[3])
    if single:
        set_placement(decision, 0.0, 0.0, frame, layout, table)
        ball, pocket = only_ball(frame), best_of(action, 4, 6, 63)
    else:
        set_placement(decision, action[4], action[5], frame, layout, table)
        decision.option = max(best_of(action, 6, N_OPTIONS, np.int64(legal.options)), 0)
        ball, pocket = best_shot(action, 10, chosen_balls(legal, decision.option))
    if ball < FIRST_RED:
        return
    decision.call = value_of_slot(ball)
    x, y = layout[CUE, 0], layout[CUE, 1]
    layout[CUE, 0], layout[CUE, 1] = decision.placement[0], decision.placement[1]
    aim_to_pot(decision, layout, np.int64(frame.on_table), ball, pocket, action[0], table, params)
    layout[CUE, 0], layout[CUE, 1] = x, y
