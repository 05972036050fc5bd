"""What an environment tells beside the observation, as arrays over the lanes.

=====================  ===========================================================================================
key                    value
=====================  ===========================================================================================
``reward/<term>``      each reward term of the step (see :mod:`sinuca_env.envs.reward`), unweighted
``foul_bits``          fouls of the agent's own decision, bits of ``sinuca_env.rules.FOUL_ITEMS``
``article_bits``       articles that applied to it
``points``             points it made
``penalty``            points it gave away
``scores``             (n, 2) own, the other side's
``side``               the agent's side
``strokes``            decisions of both sides so far in the episode
``opponent_strokes``   decisions of the opponent since the agent's last one (in ``reset``: his break-off)
``flags``              ``ShotFlag`` of the physics, 0 = nothing unusual
``winner``             1 the agent, -1 the other side, 0 nobody (yet)
``is_success``         one-ball task: the ball fell by a lawful stroke; else: the agent won the frame or match
=====================  ===========================================================================================
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sinuca_env.envs.play import Play
from sinuca_env.envs.reward import TERMS

__all__ = ["step_info"]

_KEYS = tuple(f"reward/{term}" for term in TERMS)


def step_info(play: Play, mask: np.ndarray | None) -> dict[str, Any]:
    """The info of all lanes; ``mask`` tells for which it is (all if None)."""
    tables = play.tables
    frames, verdicts = tables.frames, play.agent_rulings
    terms = play.terms.T.copy()
    info: dict[str, Any] = dict(zip(_KEYS, terms, strict=True))
    sides = play.sides.copy()
    every = tables.all_lanes
    own = frames["scores"][every, sides]
    other = frames["scores"][every, 1 - sides]
    winners = frames["winner"].astype(np.int64)
    winner = np.where((winners < 0) | (frames["frame_over"] == 0), 0, np.where(winners == sides, 1, -1))
    single = play.config.single
    info["foul_bits"] = verdicts["fouls"].copy()
    info["article_bits"] = verdicts["articles"].copy()
    info["points"] = verdicts["points"].astype(np.int64)
    info["penalty"] = verdicts["penalty"].astype(np.int64)
    info["scores"] = np.stack([own, other], axis=1).astype(np.int64)
    info["side"] = sides
    info["strokes"] = play.strokes.copy()
    info["opponent_strokes"] = play.opponent_strokes.copy()
    info["flags"] = play.flags.copy()
    info["winner"] = winner
    info["is_success"] = (verdicts["scored"] != 0) & (verdicts["fouls"] == 0) if single else winner == 1
    told = np.ones(tables.n, bool) if mask is None else mask
    info |= {f"_{key}": told for key in list(info)}
    return info
