"""Words of case files: keys, balls, positions, what is on. Every refusal names the field."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from sinuca_env.state.balls import (
    FIRST_RED,
    VALUE_NAMES,
    balls_from_names,
    colours_mask,
    names_from_balls,
    slot_from_name,
)
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.records import ON_COLOUR, Snooker
from sinuca_env.table.layouts import empty_layout, smallest_gap
from sinuca_env.table.spec import TableSpec

__all__ = [
    "check_keys", "check_object", "check_places", "colours_of", "flag_of", "layout_of", "names_of", "on_of", "pair_of",
    "side_of", "snooker_of", "value_of", "whole_of",
]  # fmt: skip

MOST_OVERLAP = 1e-3  # m: positions written to the millimetre may overlap by as much

_SNOOKERS = {level.name.lower(): int(level) for level in Snooker}


def check_object(where: str, given: Any) -> Mapping[str, Any]:
    """The object itself, if it is one."""
    if not isinstance(given, Mapping):
        raise SinucaError(f"{where}: {given!r}: an object")
    return given


def check_keys(where: str, given: Any, accepted: Iterable[str]) -> Mapping[str, Any]:
    """The object itself, if it is one and has no other keys."""
    known = list(accepted)
    if not isinstance(given, Mapping):
        raise SinucaError(f"{where}: {given!r}: an object with {', '.join(known)}")
    for key in given:
        if key not in known:
            raise SinucaError(f"{where}: unknown key '{key}'{suggest(str(key), known)}: one of {', '.join(known)}")
    return given


def whole_of(where: str, given: Any, low: int, high: int) -> int:
    """A whole number within limits."""
    if not isinstance(given, int) or isinstance(given, bool) or not low <= given <= high:
        raise SinucaError(f"{where}: {given!r}: a whole number from {low} to {high}")
    return given


def flag_of(where: str, given: Any) -> int:
    """True or false as 1 or 0."""
    if not isinstance(given, bool):
        raise SinucaError(f"{where}: {given!r}: true or false")
    return int(given)


def pair_of(where: str, given: Any, high: int) -> list[int]:
    """Two whole numbers, one per side."""
    if not isinstance(given, list) or len(given) != 2:
        raise SinucaError(f"{where}: {given!r}: two whole numbers")
    return [whole_of(where, number, 0, high) for number in given]


def side_of(where: str, given: Any) -> int:
    """A side, or -1 for none."""
    return -1 if given is None else whole_of(where, given, 0, 1)


def names_of(where: str, given: Any) -> list[str]:
    """A list of balls, each named once."""
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise SinucaError(f"{where}: {given!r}: a list of balls")
    try:
        balls_from_names(given)
    except SinucaError as error:
        raise SinucaError(f"{where}: {error}") from None
    slots = [slot_from_name(name) for name in given]
    for name, slot in zip(given, slots, strict=True):
        if slots.count(slot) > 1:
            raise SinucaError(f"{where}: {name} is named twice")
    return given


def value_of(where: str, given: Any) -> int:
    """The value of a red or a colour named as a call."""
    if given not in VALUE_NAMES[1:]:
        raise SinucaError(f"{where}: unknown ball {given!r}: one of {', '.join(VALUE_NAMES[1:])}")
    return VALUE_NAMES.index(given)


def on_of(where: str, given: Any) -> int:
    """What is on: ``red``, ``colour`` (any) or 2..7."""
    words = {"red": 1, "colour": ON_COLOUR}
    if isinstance(given, str) and given in words:
        return words[given]
    if isinstance(given, int) and not isinstance(given, bool) and 2 <= given <= 7:
        return given
    raise SinucaError(f"{where}: {given!r}: red, colour or a value from 2 to 7")


def snooker_of(where: str, given: Any) -> int:
    """A level of article 8 by name."""
    if not isinstance(given, str) or given not in _SNOOKERS:
        raise SinucaError(f"{where}: {given!r}: one of {', '.join(_SNOOKERS)}")
    return _SNOOKERS[given]


def colours_of(where: str, given: Any) -> int:
    """The set of colours of a list of values, each there once."""
    if not isinstance(given, list):
        raise SinucaError(f"{where}: {given!r}: a list of values from 2 to 7")
    for value in given:
        whole_of(where, value, 2, 7)
        if given.count(value) > 1:
            raise SinucaError(f"{where}: {value} is there twice")
    return colours_mask(given)


def layout_of(where: str, given: Any, reds: int = 0xFFFE) -> np.ndarray:
    """The (22, 2) layout of positions by ball.

    Args:
        where: the field, for errors.
        given: object of ball to ``[x, y]``; ``red`` also takes a list of such pairs.
        reds: the reds that may lie on the table; the list is given to them in order.
    """
    layout = empty_layout()
    slots = [slot for slot in range(FIRST_RED, 16) if reds >> slot & 1]
    for name, places in check_layout(where, given).items():
        slot = _slot(where, name)
        if name == "red" and places and isinstance(places[0], list):
            if len(places) > len(slots):
                raise SinucaError(f"{where}.red: {len(places)} positions for {len(slots)} reds on the table")
            targets = list(zip(slots, places, strict=False))
        else:
            targets = [(slots[0] if name == "red" and slots else slot, places)]
        for target, place in targets:
            if np.isfinite(layout[target, 0]):
                raise SinucaError(f"{where}.{name}: given twice")
            layout[target] = _place(f"{where}.{name}", place)
    return layout


def check_places(where: str, layout: np.ndarray, table: TableSpec) -> None:
    """Refuse positions that balls cannot have: off the cushions of the table, or two balls in one place."""
    # A NaN row compares false: only balls that are there can lie outside.
    outside = (np.abs(layout) > np.array([table.length, table.width]) / 2).any(axis=1)
    if outside.any():
        slot = int(np.flatnonzero(outside)[0])
        x, y = layout[slot].tolist()
        raise SinucaError(
            f"{where}.{names_from_balls(1 << slot)[0]}: [{x:g}, {y:g}]: a place on the table, "
            f"{table.length:g} x {table.width:g} m about its centre"
        )
    gap = smallest_gap(layout, table)
    if gap < -MOST_OVERLAP:
        raise SinucaError(f"{where}: two balls overlap by {-1e3 * gap:.1f} mm")


def check_layout(where: str, given: Any) -> Mapping[str, Any]:
    """The object itself, if its values are lists."""
    if not isinstance(given, Mapping) or not all(isinstance(places, list) for places in given.values()):
        raise SinucaError(f"{where}: {given!r}: an object of ball and [x, y]")
    return given


def _slot(where: str, name: str) -> int:
    try:
        return slot_from_name(name)
    except SinucaError as error:
        raise SinucaError(f"{where}: {error}") from None


def _place(where: str, place: Any) -> tuple[float, float]:
    numbers = place if isinstance(place, list) else []
    if len(numbers) != 2 or not all(
        isinstance(n, (int, float)) and not isinstance(n, bool) and math.isfinite(n) for n in numbers
    ):
        raise SinucaError(f"{where}: {place!r}: two numbers in metres")
    return float(numbers[0]), float(numbers[1])
