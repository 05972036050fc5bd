"""What people report to the referee, against either side, with the same ruling record as a stroke."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from sinuca_env.rules.parameters import config_from
from sinuca_env.state.balls import VALUE_NAMES
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.records import DECISION, FRAME, LEGAL, NO_BALL, NO_SIDE, RULING, SHOT, Report
from sinuca_env.table.spec import TableSpec, table_spec

__all__ = ["REPORT_NAMES", "empty_shot", "parse_reports", "report"]

REPORT_NAMES: dict[str, Report] = {entry.name.lower(): entry for entry in Report if entry.name}
"""``double_hit push ball_touched ball_moving not_tip no_foot_on_floor other wrong_cue_ball outside_d intentional_foul
intentional_jump misuse slow_play other_disciplinary grave concession match_concession disqualification
both_disqualified``."""


def empty_shot(n: int = 1) -> np.ndarray:
    """``n`` shot records in which nothing happened: no stroke made, nobody reported."""
    shots = np.zeros(n, SHOT)
    shots["pot_order"] = NO_BALL
    shots["pot_pocket"] = -1
    shots["aimed_at"] = NO_BALL
    shots["reported_side"] = NO_SIDE
    return shots


def parse_reports(names: Iterable[str]) -> tuple[int, int]:
    """The ``SHOT.reported`` set and ``SHOT.reported_value`` of names such as ``push`` or ``ball_touched:blue``.

    Raises:
        SinucaError: unknown report or ball.
    """
    reported, value = 0, 0
    for name in names:
        word, _, ball = str(name).partition(":")
        if word not in REPORT_NAMES:
            raise SinucaError(
                f"reported: unknown '{word}'{suggest(word, REPORT_NAMES)}: one of {', '.join(REPORT_NAMES)}"
            )
        reported |= int(REPORT_NAMES[word])
        if ball:
            if ball not in VALUE_NAMES:
                raise SinucaError(
                    f"reported: unknown ball '{ball}'{suggest(ball, VALUE_NAMES)}: one of {', '.join(VALUE_NAMES)}"
                )
            value = max(value, VALUE_NAMES.index(ball))
    return reported, value


def report(
    frame: np.ndarray,
    layout: np.ndarray,
    what: str | Iterable[str],
    *,
    against: int | None = None,
    call: str | None = None,
    rules: Mapping[str, Any] | np.ndarray | None = None,
    table: str | TableSpec = "snooker_12ft",
) -> tuple[np.ndarray, np.ndarray]:
    """Rule on a report when no stroke was made.

    Args:
        frame: (1,) FRAME, updated in place.
        layout: (22, 2) positions, NaN where a ball is off the table (all NaN: no positions known).
        what: one or more of :data:`REPORT_NAMES`; ``ball_touched:blue`` names the ball.
        against: side 0 or 1; the striker's by default.
        call: name of the colour the striker had already called, if any.
        rules: named fields of the rules, or their record.
        table: table the frame is played on.

    Returns:
        The ruling and the permission that follows, (1,) RULING and (1,) LEGAL.

    Raises:
        SinucaError: a name, side, ball or frame that cannot be.
    """
    # The drivers stand right of this file in the room: the referee re-exports this function.
    from sinuca_env.rules.batch import judge_batch

    reported, value = parse_reports([what] if isinstance(what, str) else what)
    if not reported:
        raise SinucaError(f"reported: nothing named: one or more of {', '.join(REPORT_NAMES)}")
    if against not in (None, 0, 1):
        raise SinucaError(f"against: {against!r}: a side, 0 or 1, or nothing for the striker's")
    if call is not None and call not in VALUE_NAMES[1:]:
        raise SinucaError(
            f"call: unknown ball '{call}'{suggest(call, VALUE_NAMES)}: one of {', '.join(VALUE_NAMES[1:])}"
        )
    if not isinstance(frame, np.ndarray) or frame.dtype != FRAME or frame.shape != (1,):
        raise SinucaError("frame: an array of one FRAME record is needed")
    if frame["frame_over"][0]:
        raise SinucaError("frame: it is over, nothing can be reported in it")
    shots = empty_shot()
    shots["reported"], shots["reported_value"] = reported, value
    shots["reported_side"] = NO_SIDE if against is None else against
    decisions = np.zeros(1, DECISION)
    decisions["call"] = 0 if call is None else VALUE_NAMES.index(call)
    ruling, legal = np.zeros(1, RULING), np.zeros(1, LEGAL)
    positions = np.ascontiguousarray(layout, dtype=float).reshape(1, 22, 2)
    judge_batch(frame, positions, shots, decisions, config_from(rules), table_spec(table).record, ruling, legal)
    return ruling, legal
