"""Cases that are questions of geometry or arithmetic: snooker, return, highest break, rack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sinuca_env._jit import records
from sinuca_env.rules.breaks import points_remaining
from sinuca_env.rules.case_reader import (
    check_keys,
    check_places,
    colours_of,
    flag_of,
    layout_of,
    names_of,
    on_of,
    whole_of,
)
from sinuca_env.rules.parameters import TOP, rules_config
from sinuca_env.rules.respot import respot
from sinuca_env.rules.snooker import snooker_state
from sinuca_env.state.balls import ALL_COLOURS, CUE, N_SLOTS, SLOT_VALUE, balls_from_names, names_from_balls, reds_mask
from sinuca_env.state.check import check_frame, on_name
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.notation import untouched_frame
from sinuca_env.state.records import ON_COLOUR, Snooker
from sinuca_env.table.layouts import balls_in_layout, rack_layout
from sinuca_env.table.spec import TableSpec, table_spec

__all__ = ["QUESTIONS", "table_of"]


def table_of(data: Mapping[str, Any], asked: Mapping[str, Any]) -> TableSpec:
    """The table that the case names, inside its question or beside it."""
    name = asked.get("table", data.get("table", "snooker_12ft"))
    if not isinstance(name, str):
        raise SinucaError(f"table: {name!r}: the name of a table")
    return table_spec(name)


def _ons_of(balls: int) -> list[int]:
    """What may be on with these balls, as part of a table (article 3): the lowest, or any colour after a red."""
    values = [int(SLOT_VALUE[slot]) for slot in range(1, N_SLOTS) if balls >> slot & 1]
    return [min(values, default=0)] + ([ON_COLOUR] if balls & ALL_COLOURS else [])


def _snooker_answer(data: Mapping[str, Any]) -> dict[str, Any]:
    asked = check_keys("snooker_case", data["snooker_case"], ("table", "layout", "on", "in_hand"))
    layout = layout_of("snooker_case.layout", asked.get("layout"))
    in_hand = flag_of("snooker_case.in_hand", asked.get("in_hand", False))
    balls = balls_in_layout(layout)
    if in_hand and balls >> CUE & 1:
        raise SinucaError("snooker_case.in_hand: the cue ball cannot be in hand and on the table")
    table = table_of(data, asked)
    check_places("snooker_case.layout", layout, table)
    on = on_of("snooker_case.on", asked.get("on"))
    if not in_hand and not balls >> CUE & 1:
        raise SinucaError("snooker_case.layout: the cue ball is missing and not in hand")
    if on not in _ons_of(balls):
        raise SinucaError(f"snooker_case.on: {on_name(on)} with these balls on the table (article 3)")
    level, first = snooker_state(layout, balls, on, in_hand, records(table.record)[0])
    names = [name.split("#")[0] for name in names_from_balls(int(first))]
    return {
        "snooker": Snooker(int(level)).name.lower(),
        "first_obstacle": names[0] if len(names) == 1 else names or None,
    }


def _respot_answer(data: Mapping[str, Any]) -> dict[str, Any]:
    asked = check_keys("respot_case", data["respot_case"], ("table", "layout", "return"))
    layout = layout_of("respot_case.layout", asked.get("layout"))
    balls = balls_in_layout(layout)
    returning = balls_from_names(names_of("respot_case.return", asked.get("return")))
    if returning & (reds_mask(15) | 1 << CUE):
        raise SinucaError("respot_case.return: only colours return (article 12-III)")
    if returning & balls:
        raise SinucaError(f"respot_case.return: {names_from_balls(returning & balls)[0]} is on the table")
    cfg = rules_config(**(data.get("rules") or {}))
    table = table_of(data, asked)
    check_places("respot_case.layout", layout, table)
    towards_top = bool(cfg["respot_towards"][0] == TOP)
    respot(layout, balls, returning, not balls >> CUE & 1, towards_top, records(table.record)[0])
    return {"positions": layout}


def _points_answer(data: Mapping[str, Any]) -> dict[str, Any]:
    asked = check_keys("points_case", data["points_case"], ("reds", "colours", "on", "free_ball"))
    reds = whole_of("points_case.reds", asked.get("reds", 15), 0, 15)
    colours = colours_of("points_case.colours", asked.get("colours", [2, 3, 4, 5, 6, 7]))
    on = on_of("points_case.on", asked.get("on", "red"))
    situation = untouched_frame()
    situation["on_table"], situation["on"] = reds_mask(reds) | colours | 1 << CUE, on
    check_frame(situation)
    free_ball = flag_of("points_case.free_ball", asked.get("free_ball", False))
    return {"points_remaining": int(points_remaining(reds_mask(reds) | colours, on, free_ball))}


def _rack_answer(data: Mapping[str, Any]) -> dict[str, Any]:
    asked = check_keys("rack_case", data["rack_case"], ("table", "reds"))
    return {"positions": rack_layout(asked.get("reds", 15), table_of(data, asked))}


QUESTIONS: dict[str, tuple[Callable[[Mapping[str, Any]], dict[str, Any]], tuple[str, ...]]] = {
    "snooker_case": (_snooker_answer, ("snooker", "first_obstacle")),
    "respot_case": (_respot_answer, ("positions",)),
    "points_case": (_points_answer, ("points_remaining",)),
    "rack_case": (_rack_answer, ("positions",)),
}
"""By key of the case: the function that answers, and what ``expect`` may ask."""
