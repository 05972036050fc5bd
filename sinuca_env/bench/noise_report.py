"""``sinuca bench noise``: what each noise level does to standard shots, beside the analytic chance.

The analytic chance is pure geometry: the cue's direction errs by a normal angle, the object ball's error is larger by
``reach / (2 R cos cut)``, and the pot falls when the ball's centre crosses a mouth of 86 mm within +-16.75 mm of its
middle. The engine's share is counted on the same shot with real jaws, throw, and errors of speed and tip as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from sinuca_env._jit import records
from sinuca_env.bench.evaluate import EVALUATION_SEED
from sinuca_env.bench.stats import wilson
from sinuca_env.game.aim import solve_line
from sinuca_env.game.noise import NOISE_LEVELS, noise_config
from sinuca_env.game.potting import aim_gain, pocket_window
from sinuca_env.game.reset import frame_task
from sinuca_env.game.tables import Tables
from sinuca_env.state.records import DECISION, ON_RED
from sinuca_env.table.spec import table_spec

__all__ = ["SHOTS", "StandardShot", "analytic_chance", "noise_report"]

MOUTH_HALF = 0.01675  # m, of the places of the ball's centre at a mouth of 86 mm
_BALL = 1


@dataclass(frozen=True)
class StandardShot:
    """A pot into a corner: distances (m), cut (degrees), the line's angle to the long cushion (degrees), cue speed."""

    name: str
    reach: float
    run: float
    cut_deg: float
    line_deg: float = 45.0
    speed: float = 2.5


SHOTS = (
    StandardShot("short straight", 0.5, 0.5, 0.0),
    StandardShot("medium cut 35", 0.9, 0.95, 35.0),
    StandardShot("long straight", 1.8, 1.8, 0.0, line_deg=25.0, speed=3.0),
    StandardShot("thin cut 60", 0.6, 0.8, 60.0),
)


def analytic_chance(shot: StandardShot, sigma: float, radius: float = 0.02625) -> float:
    """Chance that the object ball crosses the mouth within ``MOUTH_HALF``, for a direction error ``sigma`` (rad)."""
    spread = sigma * aim_gain(shot.reach, math.radians(shot.cut_deg), radius) * shot.run
    return 1.0 if spread == 0.0 else math.erf(MOUTH_HALF / (math.sqrt(2.0) * spread))


def _position(shot: StandardShot, spec: Any) -> np.ndarray:
    """The shot on the table, into the top left corner; ``run`` is measured to the middle of the mouth."""
    layout = np.full((22, 2), np.nan)
    mouth = spec.record["mouths"][0, 3]
    middle = np.array([mouth[0] + mouth[2], mouth[1] + mouth[3]]) / 2
    line = math.radians(shot.line_deg)
    ball = middle - shot.run * np.array([math.cos(line), math.sin(line)])
    direction, _, _ = pocket_window(ball[0], ball[1], records(spec.record)[0], 3)
    ghost = ball - 2 * spec.ball_radius * np.array([math.cos(direction), math.sin(direction)])
    from_cue = direction - math.radians(shot.cut_deg)
    layout[0] = ghost - shot.reach * np.array([math.cos(from_cue), math.sin(from_cue)])
    layout[_BALL] = ball
    return layout


def _engine_pots(shot: StandardShot, level: str, episodes: int, seed: int) -> int:
    spec = table_spec("snooker_12ft")
    tables = Tables(episodes, spec, task=frame_task(solo=True), noise=noise_config(level))
    tables.seed([EVALUATION_SEED + seed + e for e in range(episodes)])
    tables.reset()
    layout = _position(shot, spec)
    tables.layouts[:] = layout
    tables.frames["on_table"], tables.frames["on"] = 1 | 1 << _BALL, ON_RED
    for field in ("in_hand", "opening", "transferable"):
        tables.frames[field] = 0
    tables.settle()
    decision = np.zeros(1, DECISION)
    decision["call"] = 1
    strike = decision["strike"]
    strike["speed"] = shot.speed
    direction, _, run = pocket_window(layout[_BALL, 0], layout[_BALL, 1], records(spec.record)[0], 3)
    places = (layout[0, 0], layout[0, 1], layout[_BALL, 0], layout[_BALL, 1])
    found = solve_line(*places, direction, run, records(strike)[0], records(tables.params)[0])
    strike["angle"] = found[1]
    tables.step(np.repeat(decision, episodes))
    return int(((tables.shots["potted"] >> _BALL) & 1).sum())


def noise_report(levels: list[str] | None = None, episodes: int = 1000, seed: int = 0) -> list[dict[str, Any]]:
    """One row per level and standard shot.

    Returns:
        ``{"level", "shot", "sigma_deg", "analytic", "engine": {"value", "low", "high"}}``.
    """
    rows: list[dict[str, Any]] = []
    for level in levels or list(NOISE_LEVELS):
        sigma = float(noise_config(level)["angle"][0])
        for shot in SHOTS:
            pots = _engine_pots(shot, level, episodes, seed)
            rows.append(
                {
                    "level": level,
                    "shot": shot.name,
                    "sigma_deg": math.degrees(sigma),
                    "analytic": analytic_chance(shot, sigma),
                    "engine": wilson(pots, episodes).as_dict(),
                }
            )
    return rows
