"""Cases that are decisions: the records before and after the referee, from JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sinuca_env.rules.articles import fouls_of_bits
from sinuca_env.rules.case_reader import (
    check_keys,
    check_object,
    colours_of,
    flag_of,
    layout_of,
    names_of,
    on_of,
    pair_of,
    side_of,
    snooker_of,
    value_of,
    whole_of,
)
from sinuca_env.rules.parameters import rules_config
from sinuca_env.rules.report import empty_shot, parse_reports
from sinuca_env.state.balls import CUE, balls_from_names, names_from_balls, reds_mask, slot_from_name
from sinuca_env.state.check import check_frame
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.notation import untouched_frame
from sinuca_env.state.records import DECISION, NO_BALL, NO_SIDE, ON_COLOUR, ON_RED, Option, Snooker
from sinuca_env.table.layouts import balls_in_layout, empty_layout

__all__ = ["DECISION_KEYS", "EXPECTED", "Decided", "answers_of", "read_decision"]

DECISION_KEYS = ("frame", "call", "stroke", "action")
_FRAME_KEYS = (
    "reds", "colours", "on", "scores", "striker", "free_ball", "in_hand", "snooker", "snooker_confirmed",
    "aggravated_count", "complementary", "after_foul", "touching", "warnings", "stalemate_count", "opening", "players",
)  # fmt: skip
_STROKE_KEYS = (
    "first_contact", "potted", "off_table", "jumped", "moved_touching", "moved", "fell_at_rest", "reported",
    "reported_side", "layout_after", "aimed_at", "made",
)  # fmt: skip
_ACTIONS = {"decline": Option.DECLINE, "concede": Option.CONCEDE, "transfer": Option.DECLINE}
EXPECTED = (
    "fouls", "penalty", "points", "scores", "next_striker", "next_on", "respotted", "free_ball_offered", "may_decline",
    "snooker_after", "frame_over", "winner", "tied", "in_hand", "match_over", "match_winner", "warned", "void",
    "aggravated_count", "stalemate_count", "warnings",
)  # fmt: skip
"""What a case may ask of a ruling and of the frame after it."""
_OF_PLAY = frozenset(
    ("next_striker", "next_on", "respotted", "may_decline", "in_hand", "free_ball_offered", "snooker_after")
)


@dataclass
class Decided:
    """The inputs of one decision: (1,) FRAME, (22, 2) layout, (1,) SHOT, (1,) DECISION and the rules' (1,) record."""

    frame: np.ndarray
    layout: np.ndarray
    shot: np.ndarray
    decision: np.ndarray
    cfg: np.ndarray


def read_decision(case: Mapping[str, Any]) -> Decided:
    """The records of a case.

    Raises:
        SinucaError: the first field that cannot be.
    """
    case = {key: value for key, value in case.items() if value is not None}
    rules = dict(check_object("rules", case.get("rules", {})))
    stroke = check_keys("stroke", case.get("stroke", {}), _STROKE_KEYS)
    if "call_mode" not in rules:
        # A given aim asks for the reading in which the aim speaks (article 19).
        rules["call_mode"] = "evident" if stroke.get("aimed_at") is not None else "explicit"
    if isinstance(rules.get("players_per_side"), list):
        rules["players_per_side"] = tuple(rules["players_per_side"])
    cfg = rules_config(**rules)
    frame = _read_frame(check_keys("frame", case.get("frame", {}), _FRAME_KEYS), int(cfg["reds"][0]))
    decision = _read_call(case.get("call"))
    action = case.get("action")
    if action is None:
        shot, layout = _read_stroke(stroke, int(frame["on_table"][0]))
        return Decided(frame, layout, shot, decision, cfg)
    if action not in _ACTIONS:
        raise SinucaError(f"action: {action!r}: one of {', '.join(_ACTIONS)}")
    if case.get("stroke"):
        raise SinucaError("action: a case has an action or a stroke, not both")
    decision["option"] = _ACTIONS[action]
    if action == "transfer":
        frame["opening"] = frame["transferable"] = frame["in_hand"] = 1
        frame["on_table"] &= ~np.uint32(1 << CUE)
    return Decided(frame, empty_layout(), empty_shot(), decision, cfg)


def _read_frame(given: Mapping[str, Any], reds: int) -> np.ndarray:
    frame = untouched_frame(reds)
    row = frame[0]
    left = whole_of("frame.reds", given.get("reds", reds), 0, reds)
    colours = colours_of("frame.colours", given.get("colours", [2, 3, 4, 5, 6, 7]))
    row["on_table"] = reds_mask(left) | colours | 1 << CUE
    row["on"] = on_of("frame.on", given.get("on", "red"))
    for name in ("free_ball", "in_hand", "complementary", "after_foul", "opening", "snooker_confirmed"):
        if name in given:
            row[name] = flag_of(f"frame.{name}", given[name])
    if row["in_hand"]:
        row["on_table"] &= ~np.uint32(1 << CUE)
    row["striker"] = whole_of("frame.striker", given.get("striker", 0), 0, 1)
    for name, most in (
        ("scores", 10**6), ("aggravated_count", 2), ("stalemate_count", 2), ("warnings", 1), ("players", 15)
    ):  # fmt: skip
        if name in given:
            row[name] = pair_of(f"frame.{name}", given[name], most)
    row["warned"] = row["stalemate_count"][row["striker"]] == 2
    row["snooker"] = snooker_of("frame.snooker", given.get("snooker", "none"))
    row["touching"] = balls_from_names(names_of("frame.touching", given.get("touching", [])))
    check_frame(row)
    return frame


def _read_call(given: Any) -> np.ndarray:
    decision = np.zeros(1, DECISION)
    if given is not None:
        call = check_keys("call", given, ("ball", "free_ball"))
        if "ball" in call and call["ball"] is not None:
            decision["call"] = value_of("call.ball", call["ball"])
        if call.get("free_ball") is not None and flag_of("call.free_ball", call["free_ball"]):
            decision["option"] = Option.FREE_BALL
    return decision


def _read_stroke(given: Mapping[str, Any], on_table: int) -> tuple[np.ndarray, np.ndarray]:
    shot = empty_shot()
    row = shot[0]
    row["made"] = flag_of("stroke.made", given.get("made", True))
    # Without "moved" a case asks nothing of it: then no object ball counts as moved (article 46).
    for name in ("first_contact", "potted", "off_table", "jumped", "moved_touching", "moved", "fell_at_rest"):
        balls = balls_from_names(names_of(f"stroke.{name}", given.get(name, [])))
        missing = balls & ~(on_table | 1 << CUE)
        if missing:
            raise SinucaError(f"stroke.{name}: {names_from_balls(missing)[0]} is not on the table")
        if balls & 1 << CUE and name not in ("potted", "off_table"):
            raise SinucaError(f"stroke.{name}: the cue ball cannot be in it")
        row[name] = balls
    both = int(row["potted"]) & int(row["off_table"])
    if both:
        raise SinucaError(f"stroke.off_table: {names_from_balls(both)[0]} was potted already")
    row["moved"] |= (row["potted"] | row["off_table"]) & ~np.uint32(1)
    row["moved"] &= ~row["fell_at_rest"]
    potted = given.get("potted", [])
    row["n_potted"] = len(potted)
    row["pot_order"][: len(potted)] = [slot_from_name(name) for name in potted]
    aimed = given.get("aimed_at")
    row["aimed_at"] = NO_BALL if aimed is None else slot_from_name(names_of("stroke.aimed_at", [aimed])[0])
    reported = given.get("reported", [])
    if not isinstance(reported, list):
        raise SinucaError(f"stroke.reported: {reported!r}: a list of reports")
    try:
        row["reported"], row["reported_value"] = parse_reports(reported)
    except SinucaError as error:
        raise SinucaError(f"stroke.{error}") from None
    row["reported_side"] = side_of("stroke.reported_side", given.get("reported_side"))
    layout = empty_layout()
    if given.get("layout_after") is not None:
        gone = int(row["potted"]) | int(row["off_table"])
        layout = layout_of("stroke.layout_after", given["layout_after"], on_table & ~gone)
        missing = balls_in_layout(layout) & ~(on_table | 1 << CUE)
        if missing:
            raise SinucaError(f"stroke.layout_after: {names_from_balls(missing)[0]} is not on the table")
        if gone & 1 << CUE:
            layout[CUE] = np.nan
    return shot, layout


def answers_of(ruling: np.ndarray, frame: np.ndarray) -> dict[str, Any]:
    """Everything that a case may ask, in the words of case files; what play decides is left out once it is over."""
    verdict, after = ruling[0], frame[0]
    on = {ON_RED: "red", ON_COLOUR: "colour"}
    answers = {
        "fouls": sorted(fouls_of_bits(int(verdict["fouls"]))),
        "penalty": int(verdict["penalty"]),
        "points": int(verdict["points"]),
        "scores": after["scores"].tolist(),
        "next_striker": int(verdict["next_striker"]),
        "next_on": on.get(int(verdict["next_on"]), int(verdict["next_on"])),
        "respotted": sorted(names_from_balls(int(verdict["respotted"]))),
        "free_ball_offered": bool(verdict["free_ball_offered"]),
        "may_decline": bool(verdict["may_decline"]),
        "snooker_after": Snooker(int(verdict["snooker_after"])).name.lower(),
        "frame_over": bool(verdict["frame_over"]),
        "winner": _winner(verdict["winner"]),
        "tied": bool(verdict["tied"]),
        "in_hand": bool(after["in_hand"]),
        "match_over": bool(verdict["match_over"]),
        "match_winner": _winner(verdict["match_winner"]),
        "warned": bool(verdict["warned"]),
        "void": bool(verdict["void"]),
        "aggravated_count": after["aggravated_count"].tolist(),
        "stalemate_count": after["stalemate_count"].tolist(),
        "warnings": after["warnings"].tolist(),
    }
    if answers["frame_over"]:
        return {key: answer for key, answer in answers.items() if key not in _OF_PLAY}
    return answers


def _winner(side: int) -> int | None:
    return None if side == NO_SIDE else int(side)
