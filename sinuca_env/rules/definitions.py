"""Articles 1, 3 and 4: balls, sides, ball on, free ball.

Conventions of all theme files: ``frame``, ``shot``, ``decision``, ``ruling``, ``legal``, ``cfg`` and ``table`` are one
record each. Small fields are read as ``np.int64`` because shifts and differences of narrow integers differ with and
without JIT. A function named ``is_*`` or ``*_of`` only looks; the others write the ruling or the frame.
"""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.rules.articles import article
from sinuca_env.state.balls import ALL_COLOURS, ALL_REDS, FIRST_COLOUR, N_SLOTS, ball_bit, count_balls, has_ball
from sinuca_env.state.records import ON_COLOUR, ON_RED

CUE_BIT = 1
ALL_COLOUR_VALUES = 0b11111100
"""The set of the values 2..7."""


@article("1-I")
def next_player_of(frame, cfg, side):
    """Who of the side takes its next visit: fixed rotation."""
    return (np.int64(frame.players[side]) + 1) % np.int64(cfg.players_per_side[side])


@article("1-II-a")
def values_of(balls):
    """The set of the colours' values (bit ``value``) in a set of balls."""
    return ((balls & ALL_COLOURS) >> FIRST_COLOUR) << 2


@kernel(internal=True)
def ball_of_value(value):
    """The set that holds the colour of a value (2..7)."""
    return ball_bit(value + 14)


@kernel(internal=True)
def highest_value(balls):
    """The greatest value in a set of balls: 2..7, 1 for reds, 0 for the cue ball alone or none."""
    for value in range(7, 1, -1):
        if has_ball(balls, value + 14):
            return value
    return 1 if balls & ALL_REDS else 0


@article("3")
def ball_on_of(on_table):
    """The lowest ball in play: 1 while a red is, then 2..7, 0 when only the cue ball is left."""
    if on_table & ALL_REDS:
        return ON_RED
    for value in range(2, 8):
        if has_ball(on_table, value + 14):
            return value
    return 0


@article("3")
def balls_on(on_table, on):
    """The balls that are on: the reds, one colour, or every colour (after a red)."""
    if on == ON_RED:
        return on_table & ALL_REDS
    if on == ON_COLOUR:
        return on_table & ALL_COLOURS
    return on_table & ball_of_value(on)


@article("4", "29-III", "30-II")
def free_ball_values_of(on_table, on):
    """The values that may be called as free ball with this ball on: every colour but the ball on itself."""
    if on == ON_COLOUR:
        return 0
    return values_of(on_table) & ~(1 << on)


@article("4")
def standing_of(ruling, balls):
    """The highest value in a set of balls, where the free ball stands for the ball on in everything."""
    free = np.int64(ruling.free_ball_played)
    if free == 0:
        return highest_value(balls)
    stand_in = ball_of_value(free)
    highest = highest_value(balls & ~stand_in)
    if balls & stand_in:
        return max(highest, np.int64(ruling.target))
    return highest


@kernel(internal=True)
def is_single(balls):
    """Whether the set holds exactly one ball."""
    return count_balls(balls & ((1 << N_SLOTS) - 1)) == 1
