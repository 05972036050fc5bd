"""The text notation: a frame's situation, or the balls on the cloth, as one line that reads back exactly.

A frame (what FEN is to chess) names reds, colours, ball on, scores and striker, then only what is not as in an
untouched frame::

    reds=15 left=1-15 colours=234567 on=red score=0-0 side=0 in_hand=1 opening=1
    reds=6 left=2,5 colours=234567 on=red score=12-20 side=1 free_ball=1 after_foul=1 snooker=total

``left`` are the numbers of the reds still on the table (``-`` none), ``colours`` the values of the colours. A layout
lists balls and positions in metres::

    cue@-0.9,0.1 red@0.5,0.2 red#3@0.6,-0.1 black@1.4605,0.0
"""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np

from sinuca_env.state.balls import ALL_COLOURS, CUE, FIRST_RED, N_SLOTS, SLOT_NAMES, names_from_balls, slot_from_name
from sinuca_env.state.check import check_frame, on_name
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.records import FRAME, NO_SIDE, ON_COLOUR, ON_RED, POSITION, Snooker

__all__ = ["frame_from_text", "frame_to_text", "layout_from_text", "layout_to_text", "untouched_frame"]

# Text key -> field, for fields that need no words of their own.
_PAIRS = {
    "score": "scores", "aggravated": "aggravated_count", "stalemate": "stalemate_count", "warnings": "warnings",
    "highest": "highest_break", "frames": "frames_won", "players": "players",
}  # fmt: skip
_NUMBERS = {
    "reds": "reds", "side": "striker", "breaker": "breaker", "opening": "opening", "transferable": "transferable",
    "in_hand": "in_hand", "free_ball": "free_ball", "after_foul": "after_foul", "confirmed": "snooker_confirmed",
    "warned": "warned", "complementary": "complementary", "frame_over": "frame_over", "winner": "winner",
    "tied": "tied", "break": "break_points", "strokes": "strokes", "frame": "frame_number", "match_over": "match_over",
    "match_winner": "match_winner", "rng_key": "rng_key", "rng_counter": "rng_counter", "restorable": "restorable",
}  # fmt: skip
_RECORDS = {"position": "position", "missed_from": "missed_from"}
_ALWAYS = ("reds", "left", "colours", "on", "score", "side")
_KEYS = tuple(dict.fromkeys((*_ALWAYS, *_PAIRS, *_NUMBERS, "snooker", "touching", *_RECORDS)))


def untouched_frame(reds: int = 15) -> np.ndarray:
    """A frame before its first stroke, cue ball on the table, as a one-element FRAME array."""
    frame = np.zeros(1, FRAME)
    frame["reds"] = reds
    frame["on_table"] = ((1 << reds) - 1) << FIRST_RED | ALL_COLOURS | 1 << CUE
    frame["on"] = ON_RED
    frame["snooker_confirmed"] = 1
    frame["winner"] = frame["match_winner"] = NO_SIDE
    return frame


def frame_to_text(frame: np.ndarray) -> str:
    """One line for one FRAME record.

    Args:
        frame: a record, or a one-element array.
    """
    row = frame[0] if frame.shape else frame
    usual = untouched_frame()[0]
    on_table = int(row["on_table"])
    words = {
        "reds": str(row["reds"]),
        "left": _ranges([slot for slot in range(1, 16) if on_table >> slot & 1]),
        "colours": "".join(str(value) for value in range(2, 8) if on_table >> (value + 14) & 1) or "-",
        "on": on_name(int(row["on"])),
        "score": _pair(row["scores"]),
        "side": str(row["striker"]),
    }
    if not on_table & 1 << CUE and not row["in_hand"]:
        words["cue"] = "0"  # neither in hand nor on the table: only inside a restored match
    for key, field in _NUMBERS.items():
        if key not in words and row[field] != usual[field]:
            words[key] = str(row[field])
    for key, field in _PAIRS.items():
        if key not in words and (row[field] != usual[field]).any():
            words[key] = _pair(row[field])
    if row["snooker"]:
        words["snooker"] = Snooker(int(row["snooker"])).name.lower()
    if row["touching"]:
        words["touching"] = ",".join(names_from_balls(int(row["touching"])))
    for key, field in _RECORDS.items():
        raw = _bytes(row[field])
        if any(raw):
            words[key] = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    return " ".join(f"{key}={word}" for key, word in words.items())


def frame_from_text(text: str) -> np.ndarray:
    """The frame of one line, as a one-element FRAME array.

    Raises:
        SinucaError: an unknown, repeated or missing key, a value that the key does not take, or a frame that cannot
            exist; the line names the field.
    """
    words = _split(text)
    frame = untouched_frame()
    row = frame[0]
    for key, field in _NUMBERS.items():
        if key in words:
            row[field] = _whole(key, words[key], FRAME[field])
    for key, field in _PAIRS.items():
        if key in words:
            row[field] = _whole_pair(key, words[key], FRAME[field].base)
    for key, field in _RECORDS.items():
        if key in words:
            row[field] = _record(key, words[key])
    row["on"] = _on(words["on"])
    row["on_table"] = _reds_left(words["left"]) | _colours(words["colours"])
    if not row["in_hand"] and words.get("cue") != "0":
        row["on_table"] |= 1 << CUE
    if "snooker" in words:
        levels = {level.name.lower(): int(level) for level in Snooker}
        if words["snooker"] not in levels:
            raise SinucaError(f"frame.snooker: '{words['snooker']}': one of {', '.join(levels)}")
        row["snooker"] = levels[words["snooker"]]
    for name in filter(None, words.get("touching", "").split(",")):
        row["touching"] |= 1 << slot_from_name(name)
    check_frame(row)
    return frame


def layout_to_text(layout: np.ndarray) -> str:
    """One line for a (22, 2) layout; ``-`` for an empty one. Balls with a NaN row are not on the table."""
    words = [
        f"{SLOT_NAMES[slot]}@{float(layout[slot, 0])!r},{float(layout[slot, 1])!r}"
        for slot in range(N_SLOTS)
        if not np.isnan(layout[slot]).any()
    ]
    return " ".join(words) or "-"


def layout_from_text(text: str) -> np.ndarray:
    """The (22, 2) layout of one line, NaN where there is no ball.

    Raises:
        SinucaError: a ball unknown or named twice, or a position that is no pair of finite numbers.
    """
    layout = np.full((N_SLOTS, 2), np.nan)
    for word in text.split() if text.strip() != "-" else ():
        name, _, place = word.partition("@")
        slot = slot_from_name(name)
        if np.isfinite(layout[slot, 0]):
            raise SinucaError(f"layout.{name}: given twice")
        try:
            x, y = (float(number) for number in place.split(","))
        except ValueError:
            raise SinucaError(f"layout.{name}: '{place}': two numbers, as {name}@0.5,-0.2") from None
        if not (math.isfinite(x) and math.isfinite(y)):
            raise SinucaError(f"layout.{name}: '{place}': two finite numbers in metres")
        layout[slot] = x, y
    return layout


def _bytes(position: Any) -> bytes:
    """The record's bytes with nothing in the gaps between its fields (copies leave anything there)."""
    clean = np.zeros(1, POSITION)
    for name in POSITION.names or ():
        clean[name] = position[name]
    return clean.tobytes()


def _ranges(numbers: list[int]) -> str:
    """``1-4,7`` for 1, 2, 3, 4, 7."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs) or "-"


def _pair(values: np.ndarray) -> str:
    return f"{values[0]}-{values[1]}"


def _split(text: str) -> dict[str, str]:
    words: dict[str, str] = {}
    for word in text.split():
        key, sign, value = word.partition("=")
        if not sign or key not in (*_KEYS, "cue"):
            raise SinucaError(f"frame: unknown field '{key}'{suggest(key, _KEYS)}: {', '.join(_KEYS)}")
        if key in words:
            raise SinucaError(f"frame.{key}: given twice")
        words[key] = value
    for key in _ALWAYS:
        if key not in words:
            raise SinucaError(f"frame.{key}: missing: {', '.join(_ALWAYS)} are always given")
    return words


def _whole(key: str, word: str, dtype: np.dtype) -> int:
    limits = np.iinfo(dtype)
    try:
        number = int(word)
    except ValueError:
        number = limits.max + 1
    if not limits.min <= number <= limits.max:
        raise SinucaError(f"frame.{key}: '{word}': a whole number from {limits.min} to {limits.max}")
    return number


def _whole_pair(key: str, word: str, dtype: np.dtype) -> list[int]:
    parts = word.split("-")
    if len(parts) != 2:
        raise SinucaError(f"frame.{key}: '{word}': two whole numbers, as {key}=12-20")
    return [_whole(key, part, dtype) for part in parts]


def _record(key: str, word: str) -> Any:
    try:
        raw = base64.b64decode(word + "=" * (-len(word) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raw = b""
    if len(raw) != POSITION.itemsize:
        raise SinucaError(f"frame.{key}: {POSITION.itemsize} bytes as base64 are needed")
    return np.frombuffer(raw, POSITION)[0]


def _on(word: str) -> int:
    names = {on_name(value): value for value in range(ON_COLOUR + 1)}
    if word not in names:
        raise SinucaError(f"frame.on: '{word}'{suggest(word, names)}: one of {', '.join(names)}")
    return names[word]


def _reds_left(word: str) -> int:
    reds = 0
    for part in word.split(",") if word != "-" else ():
        first, _, last = part.partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            raise SinucaError(f"frame.left: '{part}': numbers of reds, as 1-4,7")
        for n in range(int(first), int(last or first) + 1):
            if not 1 <= n <= 15 or reds >> n & 1:
                raise SinucaError(f"frame.left: red {n}: each of 1..15 at most once")
            reds |= 1 << n
    return reds


def _colours(word: str) -> int:
    colours = 0
    for digit in word if word != "-" else "":
        if digit not in "234567" or colours >> (int(digit) + 14) & 1:
            raise SinucaError(f"frame.colours: '{word}': each of 2..7 at most once")
        colours |= 1 << (int(digit) + 14)
    return colours
