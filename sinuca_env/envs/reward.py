"""Rewards: named terms from rule outcomes, weighted by presets in YAML.

A step's terms are the agent's own minus the other side's until the agent's next decision, so that with any weights
what one side wins the other loses; ``penalty_conceded`` counts the agent's fouls only and ``penalty_gained`` the
other side's only (weigh them -1 and 1 for a zero-sum reward).

======================  ==========================================================================================
term                    value of one stroke for its striker
======================  ==========================================================================================
``points``              points for balls potted
``penalty_conceded``    points that the agent's foul gave away
``penalty_gained``      points that the other side's foul gave the agent
``free_ball_won``       -1 when the stroke gives the opponent a free ball (so 1 for the agent when the opponent errs)
``free_ball_used``      1 when a free ball was played and the stroke scored
``free_ball_wasted``    1 when a free ball was offered and the stroke did not score with it
``frame_won``           1 when the agent won a frame in this step
``frame_lost``          1 when the agent lost one
``frame_tied``          1 when one was tied
``snooker_laid``        1 when a lawful stroke left the opponent snookered
``potential``           gamma * P' - P with P = lead / (points remaining + 1) in -1..1 at the agent's decisions, 0 at
                        the end: a potential, it leaves the best policy unchanged (Ng, Harada, Russell 1999)
``potted``              balls that scored
``hit``                 1 when the target was hit first
``foul``                1 when the stroke was a foul
``aim``                 one-ball task: how well the aim fits the best pocket, exp(-(error / 0.1)^2) with the error in
                        thickness of contact; shaping only, an exact aim still has to allow for throw. Computed
                        only where it has a weight (it costs as much as an observation), else 0
======================  ==========================================================================================
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from sinuca_env._jit import kernel
from sinuca_env.envs.observation import thickness_of
from sinuca_env.game.potting import CUE_CLEAR, OBJECT_CLEAR, POSSIBLE, pot_into
from sinuca_env.rules import points_remaining
from sinuca_env.state.balls import CUE, FIRST_RED, N_SLOTS, count_balls
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.table.spec import N_POCKETS

__all__ = ["N_TERMS", "PRESETS", "TERMS", "Reward", "add_terms", "load_reward", "potential_of"]

TERMS = (
    "points", "penalty_conceded", "penalty_gained", "free_ball_won", "free_ball_used", "free_ball_wasted", "frame_won",
    "frame_lost", "frame_tied", "snooker_laid", "potential", "potted", "hit", "foul", "aim",
)  # fmt: skip
N_TERMS = len(TERMS)
POTENTIAL, AIM = TERMS.index("potential"), TERMS.index("aim")
_FOLDER = Path(__file__).parent / "rewards"
PRESETS: tuple[str, ...] = tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))
"""Names of the presets (files ``rewards/*.yaml``)."""
_ALL_CLEAR = POSSIBLE | OBJECT_CLEAR | CUE_CLEAR
AIM_WIDTH = 0.1  # of the thickness, one standard width of the aim term


@dataclass(frozen=True)
class Reward:
    """Weights in the order of ``TERMS``, and the discount of the potential."""

    name: str
    weights: np.ndarray
    gamma: float


def load_reward(reward: str | Mapping[str, Any]) -> Reward:
    """A preset, a YAML file of the same form, or weights by term.

    Args:
        reward: name of a preset; a path that ends in ``.yaml``; or a mapping of terms to weights (``gamma`` may stand
            beside them).

    Raises:
        SinucaError: unknown preset, term or key, or a weight that is not a finite number.
    """
    name = reward if isinstance(reward, str) else "custom"
    if isinstance(reward, str):
        path = Path(reward) if reward.endswith((".yaml", ".yml")) else _FOLDER / f"{reward}.yaml"
        if path.parent == _FOLDER and reward not in PRESETS:
            raise SinucaError(
                f"reward: unknown preset '{reward}'{suggest(reward, PRESETS)}: one of {', '.join(PRESETS)}"
            )
        try:
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError) as error:
            raise SinucaError(f"reward: {path}: {str(error).splitlines()[0]}") from None
        if not isinstance(data, dict):
            raise SinucaError(f"reward: {path}: a mapping of terms to weights")
        reward = data
    if not isinstance(reward, Mapping):
        raise SinucaError(f"reward: {reward!r}: a preset ({', '.join(PRESETS)}), a .yaml file or weights by term")
    weights, gamma = np.zeros(N_TERMS), 1.0
    for term, value in reward.items():
        if term != "gamma" and term not in TERMS:
            raise SinucaError(f"reward: unknown term '{term}'{suggest(str(term), TERMS)}: one of {', '.join(TERMS)}")
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(float(value)):
            raise SinucaError(f"reward.{term}: {value!r}: a finite number")
        if term == "gamma":
            gamma = float(value)
            if not 0.0 <= gamma <= 1.0:
                raise SinucaError(f"reward.gamma: {gamma:g}: from 0 to 1")
        else:
            weights[TERMS.index(term)] = float(value)
    return Reward(name, weights, gamma)


@kernel
def potential_of(frame, side):
    """How far ahead ``side`` is of what can still be made, in -1..1."""
    lead = np.int64(frame.scores[side]) - np.int64(frame.scores[1 - side])
    left = points_remaining(np.int64(frame.on_table), np.int64(frame.on), frame.free_ball)
    return min(max(lead / (left + 1.0), -1.0), 1.0)


@kernel
def add_terms(terms, ruling, shot, agent, had_free_ball):
    """Add one step's terms to a table's row ``terms``, from the view of side ``agent``."""
    own = ruling.striker == agent
    sign = 1.0 if own else -1.0
    terms[0] += sign * ruling.points
    if ruling.fouls and ruling.offender == ruling.striker:
        terms[1 if own else 2] += ruling.penalty
        terms[13] += sign
    if ruling.free_ball_offered:
        terms[3] -= sign
    scored = np.int64(ruling.scored)
    if ruling.free_ball_played and ruling.points > 0:
        terms[4] += sign
    elif had_free_ball:
        terms[5] += sign
    if ruling.frame_over:
        if ruling.winner == agent:
            terms[6] += 1.0
        elif ruling.winner == 1 - agent:
            terms[7] += 1.0
        elif ruling.tied:
            terms[8] += 1.0
    terms[9] += sign * ruling.snooker_laid
    terms[11] += sign * count_balls(scored)
    if shot.made and ruling.target_missed == 0:
        terms[12] += sign


@kernel(internal=True)
def aim_fit(before, on_table, angle, table, pot):
    """How well the aim of a one-ball stroke fits the best pocket it could pot into (0..1)."""
    fit = 0.0
    for ball in range(FIRST_RED, N_SLOTS):
        if (on_table >> ball) & 1 == 0:
            continue
        dx, dy = before[ball, 0] - before[CUE, 0], before[ball, 1] - before[CUE, 1]
        if dx * math.cos(angle) + dy * math.sin(angle) <= 0.0:
            continue
        aimed = thickness_of(dx, dy, angle, table.ball_radius)
        for pocket in range(N_POCKETS):
            pot_into(before, on_table, before[CUE, 0], before[CUE, 1], table, ball, pocket, pot)
            if pot.flags & _ALL_CLEAR == _ALL_CLEAR:
                error = (aimed - thickness_of(dx, dy, pot.angle, table.ball_radius)) / AIM_WIDTH
                fit = max(fit, math.exp(-error * error))
    return fit
