"""Frames that can exist: one check, used by everything that reads a frame from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

from sinuca_env.state.balls import (
    ALL_COLOURS,
    ALL_REDS,
    BLACK,
    CUE,
    FIRST_COLOUR,
    VALUE_NAMES,
    names_from_balls,
    reds_mask,
)
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.records import FRAME, NO_SIDE, ON_COLOUR, ON_RED, Snooker

__all__ = ["check_frame", "on_name"]

_FRAME_SIZES = (6, 10, 15)
_FLAGS = (
    "opening", "transferable", "in_hand", "free_ball", "after_foul", "snooker_confirmed", "warned", "complementary",
    "frame_over", "tied", "match_over", "restorable",
)  # fmt: skip
_COUNTS = {
    "aggravated_count": 3,
    "stalemate_count": 3,
    "warnings": 255,
    "scores": 2**31 - 1,
    "highest_break": 2**31 - 1,
}
_SIDES = {"striker": (0, 1), "breaker": (0, 1), "winner": (NO_SIDE, 0, 1), "match_winner": (NO_SIDE, 0, 1)}


def on_name(on: int) -> str:
    """``red``, ``colour`` (any, after a red) or the colour's name; ``none`` when no ball is left to be on."""
    return {0: "none", ON_COLOUR: "colour"}.get(on) or VALUE_NAMES[on]


def check_frame(frame: Any) -> None:
    """Refuse a frame that no play can lead to.

    Args:
        frame: one FRAME record or a one-element array of them.

    Raises:
        SinucaError: the first field that cannot be, with what it may be.
    """
    row = frame[0] if getattr(frame, "shape", ()) else frame
    if getattr(row, "dtype", None) != FRAME:
        raise SinucaError("frame: one FRAME record is needed")
    _check_ranges(row)
    _check_balls(row)
    _check_on(row)
    _check_situation(row)


def _check_ranges(row: np.void) -> None:
    if row["reds"] not in _FRAME_SIZES:
        raise SinucaError(f"frame.reds: {row['reds']} (article 1): one of 6, 10, 15")
    for name, accepted in _SIDES.items():
        if row[name] not in accepted:
            raise SinucaError(f"frame.{name}: {row[name]}: one of {', '.join(map(str, accepted))}")
    for name in _FLAGS:
        if row[name] > 1:
            raise SinucaError(f"frame.{name}: {row[name]}: 0 or 1")
    for name, most in _COUNTS.items():
        if not all(0 <= int(number) <= most for number in row[name]):
            raise SinucaError(f"frame.{name}: {row[name].tolist()}: two numbers from 0 to {most}")
    if row["snooker"] > Snooker.TOTAL:
        raise SinucaError(f"frame.snooker: {row['snooker']}: one of {', '.join(s.name.lower() for s in Snooker)}")


def _check_balls(row: np.void) -> None:
    on_table, reds = int(row["on_table"]), int(row["reds"])
    strange = on_table & ~(reds_mask(reds) | ALL_COLOURS | 1 << CUE)
    if strange:
        raise SinucaError(f"frame.on_table: {strange:#x} with {reds} reds: only the cue ball, {reds} reds and 2..7")
    if row["in_hand"] and on_table & 1 << CUE:
        raise SinucaError("frame.in_hand: the cue ball cannot be in hand and on the table")
    if on_table & ALL_REDS and on_table & ALL_COLOURS != ALL_COLOURS:
        gone = ", ".join(names_from_balls(ALL_COLOURS & ~on_table))
        raise SinucaError(f"frame.on_table: {gone} cannot be gone while a red is on the table (article 12-I)")
    if row["complementary"] and on_table & (ALL_REDS | ALL_COLOURS) & ~(1 << BLACK):
        raise SinucaError("frame.complementary: only the cue ball and the black are played with (article 45)")
    touching = int(row["touching"])
    if touching & ~(on_table & ~1):
        missing = names_from_balls(touching & ~on_table) or ["cue"]
        raise SinucaError(f"frame.touching: {missing[0]} is no object ball on the table")
    if touching and row["in_hand"]:
        raise SinucaError("frame.touching: no ball touches a cue ball in hand")


def _check_on(row: np.void) -> None:
    on, on_table = int(row["on"]), int(row["on_table"])
    colours = [value for value in range(2, 8) if on_table >> (value + 14) & 1]
    if on_table & ALL_REDS:
        accepted = [ON_RED, ON_COLOUR]
    elif colours:
        accepted = [colours[0]] + ([ON_COLOUR] if on_table & ALL_COLOURS == ALL_COLOURS else [])
    else:
        accepted = [0]
    if row["frame_over"]:
        return  # nothing is on any more
    if accepted == [0]:
        raise SinucaError("frame.on_table: no object ball is left, but the frame is not over")
    if on not in accepted:
        words = " or ".join(on_name(value) for value in accepted)
        shown = on_name(on) if 0 <= on <= ON_COLOUR else str(on)
        raise SinucaError(f"frame.on: {shown} with these balls on the table (article 3): {words}")
    # No foul leaves "any colour" on, and with the black alone there is nothing to call.
    others = on_table & ALL_COLOURS & ~(1 << (FIRST_COLOUR + on - 2) if 2 <= on <= 7 else 0)
    if row["free_ball"] and (on == ON_COLOUR or not others):
        raise SinucaError(f"frame.free_ball: none can be offered with {on_name(on)} on and these balls (article 4)")


def _check_situation(row: np.void) -> None:
    if row["tied"] and (not row["frame_over"] or row["scores"][0] != row["scores"][1] or row["winner"] != NO_SIDE):
        raise SinucaError("frame.tied: a tied frame is over, at equal scores and without a winner")
    if row["winner"] != NO_SIDE and not row["frame_over"]:
        raise SinucaError("frame.winner: a frame in progress has none")
    if row["match_winner"] != NO_SIDE and not row["match_over"]:
        raise SinucaError("frame.match_winner: a match in progress has none")
