"""Balls: slots, values, names and bit masks.

Every table has 22 slots in one fixed order, whatever the number of reds, so that arrays never change shape::

    slot   0    1 .. 15   16      17     18     19    20    21
    ball   cue  reds      yellow  green  brown  blue  pink  black
    value  0    1         2       3      4      5     6     7

A *set of balls* is a ``uint32`` with bit ``slot`` set. A *set of values* (what may be called) is an integer with bit
``value`` set.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.state.errors import SinucaError, suggest

__all__ = [
    "BLACK", "BLUE", "BROWN", "CUE", "FIRST_COLOUR", "FIRST_RED", "GREEN", "MAX_REDS", "N_SLOTS", "PINK",
    "SLOT_NAMES", "SLOT_VALUE", "VALUE_NAMES", "YELLOW", "ball_bit", "balls_from_names", "colours_mask", "count_balls",
    "has_ball", "names_from_balls", "reds_mask", "slot_from_name", "slot_of_value", "value_of_slot",
]  # fmt: skip

N_SLOTS = 22
MAX_REDS = 15
CUE, FIRST_RED, FIRST_COLOUR = 0, 1, 16
YELLOW, GREEN, BROWN, BLUE, PINK, BLACK = 16, 17, 18, 19, 20, 21

VALUE_NAMES = ("cue", "red", "yellow", "green", "brown", "blue", "pink", "black")
"""Name by value (0 is the cue ball)."""

SLOT_VALUE = np.array([0] + [1] * MAX_REDS + [2, 3, 4, 5, 6, 7], dtype=np.int64)
SLOT_NAMES = ("cue", "red", *(f"red#{i}" for i in range(2, MAX_REDS + 1)), *VALUE_NAMES[2:])
"""Name by slot, as in files: ``cue red red#2 ... red#15 yellow green brown blue pink black``."""

ALL_REDS = 0xFFFE
ALL_COLOURS = 0x3F0000
_SLOT_BY_NAME = {name: slot for slot, name in enumerate(SLOT_NAMES)} | {"red#1": FIRST_RED}


@kernel
def ball_bit(slot):
    """The set that holds one ball."""
    return 1 << slot


@kernel
def has_ball(balls, slot):
    """Whether the ball of ``slot`` is in the set."""
    return (balls >> slot) & 1 != 0


@kernel
def count_balls(balls):
    """How many balls the set holds."""
    n = 0
    for slot in range(N_SLOTS):
        n += (balls >> slot) & 1
    return n


@kernel
def value_of_slot(slot):
    """0 for the cue ball, 1 for a red, 2..7 for the colours (article 1)."""
    if slot == 0:
        return 0
    if slot <= 15:
        return 1
    return slot - 14


@kernel
def slot_of_value(value):
    """The slot of a colour (2..7); of the first red for 1 and of the cue ball for 0."""
    if value <= 1:
        return value
    return value + 14


def reds_mask(reds: int) -> int:
    """The set of the first ``reds`` reds."""
    return ((1 << reds) - 1) << FIRST_RED


def colours_mask(values: Iterable[int]) -> int:
    """The set of the colours with these values (2..7)."""
    return sum(1 << (value + 14) for value in set(values))


def slot_from_name(name: str) -> int:
    """Slot of a ball's name in files (``red`` is ``red#1``).

    Raises:
        SinucaError: the name is not a ball's.
    """
    if name not in _SLOT_BY_NAME:
        raise SinucaError(f"unknown ball '{name}'{suggest(name, _SLOT_BY_NAME)}: one of {', '.join(VALUE_NAMES)}")
    return _SLOT_BY_NAME[name]


def balls_from_names(names: Iterable[str]) -> int:
    """The set of the named balls."""
    balls = 0
    for name in names:
        balls |= 1 << slot_from_name(name)
    return balls


def names_from_balls(balls: int) -> list[str]:
    """Names in slot order."""
    return [SLOT_NAMES[slot] for slot in range(N_SLOTS) if (int(balls) >> slot) & 1]
