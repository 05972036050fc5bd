"""Plays a game on one table and writes down everything: replay, score sheet, rulings with their articles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sinuca_env.game.tables import Tables
from sinuca_env.render.replay import FORMAT
from sinuca_env.render.strokes import Stroke, watch
from sinuca_env.rules import articles_of_bits, explain_ruling, fouls_of_bits
from sinuca_env.rules.sheet import ScoreSheet, on_name
from sinuca_env.state.balls import N_SLOTS

__all__ = ["Recorder", "play_recorded"]

_ON_PT = {
    "red": "vermelha", "yellow": "amarela", "green": "verde", "brown": "marrom", "blue": "azul", "pink": "rosa",
    "black": "preta", "colour": "cor",
}  # fmt: skip
HEAD = ("no.", "player on", "stroke", "result", "score", "articles")
"""Columns of :attr:`Recorder.rows`."""


class Recorder:
    """Steps one lane of a :class:`Tables` and keeps what it saw.

    Args:
        tables: reset already.
        players: names of the two sides.
        title: of the replay.
        lane: which table.

    Attributes:
        sheet: the frame's score sheet.
        rows: one row per decision, see ``HEAD``.
        shots: of the replay.
    """

    def __init__(self, tables: Tables, players: Sequence[str], title: str, lane: int = 0) -> None:
        self.tables, self.lane = tables, lane
        self.players, self.title = list(players), title
        self.sheet = ScoreSheet(tables.frames[lane])
        self.rows: list[tuple[str, ...]] = []
        self.shots: list[dict[str, Any]] = []
        self.fouls: list[str] = []

    def step(self, decision: np.ndarray) -> np.void:
        """Take one decision (a one-element DECISION array); returns the ruling's record."""
        tables, lane = self.tables, self.lane
        old, old_layout = tables.frames[lane].copy(), tables.layouts[lane].copy()
        tables.step(decision, np.array([lane]))
        shot, ruling, new = tables.shots[lane], tables.rulings[lane], tables.frames[lane]
        self.sheet.add(old, shot, tables.decisions[lane], ruling, new)
        codes = fouls_of_bits(ruling["fouls"])
        self.fouls += codes
        articles = " ".join([*codes, *(str(number) for number in articles_of_bits(ruling["articles"]))])
        self.rows.append((*self.sheet.lines[-1], articles))
        before = tables.befores[lane] if shot["made"] else old_layout
        self.shots.append(self._replay_shot(old, before, codes))
        return ruling

    def replay(self) -> dict[str, Any]:
        """The replay so far (see :mod:`sinuca_env.render.replay`)."""
        tables = self.tables
        return {
            "format": FORMAT, "title": self.title, "table": tables.spec.name, "players": self.players,
            "shots": self.shots,
        }  # fmt: skip

    def _replay_shot(self, old: np.void, before: np.ndarray, codes: list[str]) -> dict[str, Any]:
        tables, lane = self.tables, self.lane
        shot, ruling, new = tables.shots[lane], tables.rulings[lane], tables.frames[lane]
        made = bool(shot["made"])
        balls = int(old["on_table"]) | (1 if made else 0)
        potted = [int(slot) for slot in shot["pot_order"][: shot["n_potted"]]] if made else []
        stroke = Stroke([], [], 0.0, 0)
        if made:
            stroke = watch(before, balls, tables.strikes[lane], tables.spec, tables.params)
        left = [int(slot) for slot in range(N_SLOTS) if (int(shot["off_table"]) >> slot) & 1] if made else []
        on, played = on_name(int(old["on"])), self.sheet.lines[-1][2]
        side = self.players[int(old["striker"])]
        return {
            "balls": _placed(before, balls),
            "tracks": stroke.tracks,
            "events": stroke.events,
            "potted": potted + left,
            "duration": stroke.duration,
            "aim": float(tables.strikes[lane]["angle"]) if made else None,
            # The whole table as the next striker finds it, whenever the referee touched a ball.
            "after": _placed(tables.layouts[lane], int(new["on_table"])) if _touched(ruling) else [],
            "striker": int(old["striker"]),
            "scores_before": [int(points) for points in old["scores"]],
            "scores_after": [int(points) for points in new["scores"]],
            "label": {"en": f"{side} on {on}: {played}", "pt": f"{side}, bola da vez: {_ON_PT[on]}"},
            "codes": codes,
            "said": {language: explain_ruling(ruling, language) for language in ("en", "pt")},
        }


def _touched(ruling: np.void) -> bool:
    return bool(ruling["respotted"]) or bool(ruling["frame_over"])


def _placed(layout: np.ndarray, balls: int) -> list[list[float]]:
    return [
        [slot, round(float(layout[slot, 0]), 6), round(float(layout[slot, 1]), 6)]
        for slot in range(N_SLOTS)
        if (balls >> slot) & 1 and np.isfinite(layout[slot]).all()
    ]


def play_recorded(
    tables: Tables,
    policies: Sequence[Any],
    names: Sequence[str],
    title: str,
    *,
    most: int = 2000,
    progress: Callable[[int], None] | None = None,
) -> Recorder:
    """Play the frame on lane 0 of ``tables`` to its end, side 0 and side 1 by their policies.

    Args:
        tables: reset already, one lane is used.
        policies: two, each with ``act(view)``.
        names: of the two sides.
        title: of the replay.
        most: decisions after which the frame is left as it is.
        progress: called with the number of decisions so far.
    """
    recorder = Recorder(tables, names, title)
    lane = np.array([0])
    while not tables.frames["frame_over"][0] and len(recorder.rows) < most:
        policy = policies[int(tables.frames["striker"][0])]
        recorder.step(policy.act(tables.view(lane)))
        if progress is not None:
            progress(len(recorder.rows))
    return recorder
