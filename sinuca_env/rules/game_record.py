"""A whole frame as text that reads back: where it started, every decision and what came of it. Replaying it rules anew.

::

    sinuca 1
    table snooker_12ft
    rules reds=6 call_mode=explicit
    frame reds=6 left=1-6 colours=234567 on=red score=0-0 side=0 opening=1 in_hand=1
    layout -
    play hit=red pot=red
    play call=black hit=black pot=black | cue@0.1,0.2 red#2@0.5,0.0
    decline
    report said=push

A decision is ``play``, ``free`` (a free ball is claimed), ``decline`` (also the transfer of a break-off), ``concede``
or ``report`` (people report something, no stroke is made). Its words are the fields of the shot that the referee
reads; after ``|`` stands the table at rest, before balls return to it, where it is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sinuca_env.rules.batch import judge_batch
from sinuca_env.rules.parameters import RULES_DEFAULTS, rules_config, rules_dict
from sinuca_env.rules.report import REPORT_NAMES, empty_shot, parse_reports
from sinuca_env.rules.sheet import ScoreSheet
from sinuca_env.state.balls import SLOT_NAMES, VALUE_NAMES, names_from_balls, slot_from_name
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.notation import frame_from_text, frame_to_text, layout_from_text, layout_to_text
from sinuca_env.state.records import DECISION, LEGAL, NO_BALL, NO_SIDE, RULING, Option
from sinuca_env.table.layouts import empty_layout
from sinuca_env.table.spec import table_spec

__all__ = ["GameRecord", "Move", "move_from_text", "move_to_text"]

VERSION = "sinuca 1"
_OPTIONS = {"play": Option.PLAY, "free": Option.FREE_BALL, "decline": Option.DECLINE, "concede": Option.CONCEDE}
# Word -> field of SHOT that is a set of balls; pots are listed in the order of falling.
_SETS = {
    "hit": "first_contact", "off": "off_table", "jumped": "jumped", "moved": "moved", "pushed": "moved_touching",
    "touching": "touching_after",
}  # fmt: skip
_WORDS = (
    "call",
    "hit",
    "pot",
    "off",
    "jumped",
    "moved",
    "pushed",
    "touching",
    "aim",
    "rails",
    "said",
    "against",
    "ball",
)


@dataclass
class Move:
    """One decision, (1,) DECISION and (1,) SHOT, and the (22, 2) table at rest (NaN: not known)."""

    decision: np.ndarray
    shot: np.ndarray
    layout: np.ndarray = field(default_factory=empty_layout)


def move_to_text(move: Move) -> str:
    """One line: what the referee needs to know of a decision (aim, speed and times are not among it)."""
    decision, shot = move.decision[0], move.shot[0]
    option = Option(int(decision["option"]))
    if option == Option.PLAY and not shot["made"]:
        words = ["report"]
    else:
        words = [next(word for word, value in _OPTIONS.items() if value == option)]
    if decision["call"]:
        words.append(f"call={VALUE_NAMES[decision['call']]}")
    for word, name in _SETS.items():
        if shot[name]:
            words.append(f"{word}={','.join(names_from_balls(int(shot[name])))}")
        if word == "hit" and shot["n_potted"]:
            words.append("pot=" + ",".join(SLOT_NAMES[slot] for slot in shot["pot_order"][: shot["n_potted"]]))
    if shot["aimed_at"] != NO_BALL:
        words.append(f"aim={SLOT_NAMES[shot['aimed_at']]}")
    if shot["cushions_before_contact"]:
        words.append(f"rails={shot['cushions_before_contact']}")
    if shot["reported"]:
        words.append("said=" + ",".join(name for name, bit in REPORT_NAMES.items() if int(shot["reported"]) & bit))
    if shot["reported_value"]:
        words.append(f"ball={VALUE_NAMES[shot['reported_value']]}")
    if shot["reported_side"] != NO_SIDE:
        words.append(f"against={shot['reported_side']}")
    text = " ".join(words)
    return text if np.isnan(move.layout).all() else f"{text} | {layout_to_text(move.layout)}"


def move_from_text(text: str) -> Move:
    """The move of one line.

    Raises:
        SinucaError: an unknown word, ball or report; the line names it.
    """
    text, _, places = text.partition("|")
    first, *rest = text.split() or [""]
    if first not in (*_OPTIONS, "report"):
        known = (*_OPTIONS, "report")
        raise SinucaError(f"move: unknown '{first}'{suggest(first, known)}: one of {', '.join(known)}")
    move = Move(np.zeros(1, DECISION), empty_shot())
    if places.strip():
        move.layout = layout_from_text(places)
    move.decision["option"] = _OPTIONS.get(first, Option.PLAY)
    move.shot["made"] = first in ("play", "free")
    words: dict[str, str] = {}
    for word in rest:
        key, sign, value = word.partition("=")
        if not sign or key not in _WORDS or key in words:
            raise SinucaError(f"move: '{word}'{suggest(key, _WORDS)}: each of {', '.join(_WORDS)} at most once")
        words[key] = value
    _fill(move, words)
    return move


def _fill(move: Move, words: dict[str, str]) -> None:
    shot = move.shot[0]
    for word, name in _SETS.items():
        for ball in filter(None, words.get(word, "").split(",")):
            shot[name] |= 1 << slot_from_name(ball)
    for ball in filter(None, words.get("pot", "").split(",")):
        slot = slot_from_name(ball)
        if int(shot["potted"]) >> slot & 1:
            raise SinucaError(f"move: pot: {ball} is named twice")
        shot["pot_order"][shot["n_potted"]] = slot
        shot["n_potted"] += 1
        shot["potted"] |= 1 << slot
    if "call" in words:
        move.decision["call"] = _value("call", words["call"])
    if "aim" in words:
        shot["aimed_at"] = slot_from_name(words["aim"])
    if "rails" in words:
        shot["cushions_before_contact"] = _whole("rails", words["rails"], 9999)
    if "against" in words:
        shot["reported_side"] = _whole("against", words["against"], 1)
    if "said" in words:
        shot["reported"], _ = parse_reports(words["said"].split(","))
    if "ball" in words:
        shot["reported_value"] = _value("ball", words["ball"])


def _value(word: str, name: str) -> int:
    if name not in VALUE_NAMES[1:]:
        raise SinucaError(f"move: {word}: unknown ball '{name}': one of {', '.join(VALUE_NAMES[1:])}")
    return VALUE_NAMES.index(name)


def _whole(word: str, text: str, most: int) -> int:
    if not text.isdecimal() or int(text) > most:
        raise SinucaError(f"move: {word}: '{text}': a whole number from 0 to {most}")
    return int(text)


@dataclass
class GameRecord:
    """A frame from its start, as data.

    Attributes:
        frame: (1,) FRAME at the start.
        layout: (22, 2) at the start, NaN where nothing is known.
        moves: the decisions.
        rules: fields of ``rules_config`` that differ from their defaults.
        table: name of the table.
    """

    frame: np.ndarray
    layout: np.ndarray = field(default_factory=empty_layout)
    moves: list[Move] = field(default_factory=list)
    rules: dict[str, Any] = field(default_factory=dict)
    table: str = "snooker_12ft"

    def text(self) -> str:
        """The record as lines; :meth:`from_text` reads it back."""
        named = rules_dict(rules_config(**self.rules))
        usual = rules_dict(rules_config())
        rules = " ".join(f"{key}={_word(value)}" for key, value in named.items() if value != usual[key])
        lines = [
            VERSION,
            f"table {self.table}",
            f"rules {rules}".rstrip(),
            f"frame {frame_to_text(self.frame)}",
            f"layout {layout_to_text(self.layout)}",
            *map(move_to_text, self.moves),
        ]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_text(cls, text: str) -> GameRecord:
        """The record of some lines.

        Raises:
            SinucaError: a line that cannot be; it is named by its number.
        """
        lines = text.splitlines()
        if not lines or lines[0] != VERSION:
            raise SinucaError(f"record: line 1: '{VERSION}' is needed")
        parts = []
        for number, name in enumerate(("table", "rules", "frame", "layout"), 2):
            head, _, rest = (lines[number - 1] if number <= len(lines) else "").partition(" ")
            if head != name:
                raise SinucaError(f"record: line {number}: '{name} ...' is needed")
            parts.append(rest)
        record = cls(
            frame=frame_from_text(parts[2]),
            layout=layout_from_text(parts[3]),
            rules=_rules(parts[1]),
            table=table_spec(parts[0]).name,
        )
        record.moves = [_move(number, line) for number, line in enumerate(lines[5:], 6)]
        return record

    def replay(self) -> Iterator[tuple[Move, np.ndarray, np.ndarray, np.ndarray]]:
        """Rule on every move anew: (move, frame before, ruling, frame after), one-element arrays."""
        cfg, table = rules_config(**self.rules), table_spec(self.table).record
        frame, layouts = self.frame.copy(), self.layout[None].copy()
        for move in self.moves:
            before = frame.copy()
            # Where a stroke's rest position is not told, no position is known any more.
            if move.shot["made"][0]:
                layouts[0] = move.layout
            ruling, legal = np.zeros(1, RULING), np.zeros(1, LEGAL)
            judge_batch(frame, layouts, move.shot, move.decision, cfg, table, ruling, legal)
            yield move, before, ruling, frame.copy()

    def sheet(self) -> str:
        """The score sheet of the frame."""
        sheet = ScoreSheet(self.frame)
        for move, before, ruling, after in self.replay():
            sheet.add(before, move.shot, move.decision, ruling, after)
        return sheet.text()


def _move(number: int, line: str) -> Move:
    try:
        return move_from_text(line)
    except SinucaError as error:
        raise SinucaError(f"record: line {number}: {error}") from None


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return (
        ",".join(map(str, value))
        if isinstance(value, list)
        else repr(value)
        if isinstance(value, float)
        else str(value)
    )


def _rules(text: str) -> dict[str, Any]:
    """Fields by name, each word in the type of the field's default."""
    rules: dict[str, Any] = {}
    for word in text.split():
        key, _, value = word.partition("=")
        if key not in RULES_DEFAULTS:
            raise SinucaError(
                f"rules: unknown field '{key}'{suggest(key, RULES_DEFAULTS)}: {', '.join(RULES_DEFAULTS)}"
            )
        usual = RULES_DEFAULTS[key]
        try:
            if isinstance(usual, bool):
                rules[key] = {"true": True, "false": False}[value]
            elif isinstance(usual, tuple):
                rules[key] = tuple(int(part) for part in value.split(","))
            else:
                rules[key] = type(usual)(value)
        except (KeyError, ValueError):
            raise SinucaError(f"rules.{key}: '{value}': as {_word(usual)}") from None
    rules_config(**rules)
    return rules
