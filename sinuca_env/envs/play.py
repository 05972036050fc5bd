"""Tables with seats: the agent's decisions, the opponents' strokes in between, reward terms, ends.

What a vector environment is without its spaces, its reset modes and its infos.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from sinuca_env._jit import records
from sinuca_env.envs.config import EnvConfig
from sinuca_env.envs.drivers import account_lanes, begin_lanes, close_lanes, note_free_lanes
from sinuca_env.envs.opponents import resolve_opponent
from sinuca_env.envs.reward import N_TERMS
from sinuca_env.game.potting import POT
from sinuca_env.game.tables import Tables
from sinuca_env.physics.engines import engine_batch
from sinuca_env.state.records import NO_SIDE, RULING, Option

__all__ = ["Play"]

CONCEDE = np.uint8(1 << int(Option.CONCEDE))
FREE_BALL = np.uint8(Option.FREE_BALL)
CHOICES = np.uint8(1 << int(Option.DECLINE))
"""There is a choice to make as long as the side may decline, or transfer the break-off."""
NO_RULING = np.zeros((), RULING)
NO_RULING["offender"] = NO_SIDE
_LANE_ARRAYS = ("sides", "strokes", "terms", "rewards", "potentials", "cut", "over", "opponent_strokes", "flags")
_TABLE_ARRAYS = ("frames", "layouts", "legals", "decisions", "strikes", "befores", "shots", "rulings")


class Play:
    """B tables on which an agent decides.

    Attributes:
        tables: the game.
        sides: (B,) the agent's side: 0, or the striker's when one agent plays both seats (opponent ``"self"``).
        terms: (B, N_TERMS) reward terms of the last step; ``rewards`` their weighted sums.
        over, cut: (B,) whether the episode ended, or was cut off by ``max_strokes``.
        opponent_strokes: (B,) decisions of the opponent in the last step (or reset).
        flags: (B,) ``ShotFlag`` of all strokes of the last step (or reset).
        agent_rulings: (B,) rulings on the agent's own last decision.
    """

    def __init__(self, config: EnvConfig, n: int) -> None:
        self.config = config
        self.tables = Tables(
            n, config.spec, config.cfg, config.params, config.task, config.noise, config.allow_concede,
            engine_batch(config.engine),
        )  # fmt: skip
        self.opponent = resolve_opponent(config.opponent)
        self.own_seats = isinstance(config.opponent, str) and config.opponent == "self"
        self.sides = np.zeros(n, np.int64)
        self.strokes = np.zeros(n, np.int64)
        self.terms = np.zeros((n, N_TERMS))
        self.rewards = np.zeros(n)
        self.potentials = np.zeros(n)
        self.cut = np.zeros(n, bool)
        self.over = np.ones(n, bool)
        self.opponent_strokes = np.zeros(n, np.int64)
        self.flags = np.zeros(n, np.uint32)
        self.agent_rulings = np.zeros_like(self.tables.rulings)
        self._had_free = np.zeros(n, np.uint8)
        self._pots = np.zeros(1, POT)

    def seed(self, seeds: list[int], lanes: np.ndarray) -> None:
        """One random stream per lane."""
        self.tables.seed(seeds, lanes)

    def reset(self, lanes: np.ndarray) -> None:
        """Start new episodes; an opponent who has the break-off plays it."""
        self.tables.reset(lanes)
        self.begin(lanes)

    def begin(self, lanes: np.ndarray) -> None:
        """Bookkeeping of a new episode from the tables as they stand, up to the agent's first decision."""
        self.strokes[lanes] = 0
        self.cut[lanes] = False
        self.over[lanes] = False
        self.rewards[lanes] = 0.0
        self.opponent_strokes[lanes] = 0
        self.flags[lanes] = 0
        self.agent_rulings[lanes] = NO_RULING
        self._begin(lanes)
        # An episode does not end before the agent's first decision: nobody concedes at his break-off.
        self.tables.legals["options"][lanes[self.tables.frames["striker"][lanes] != self.sides[lanes]]] &= ~CONCEDE
        self._play_opponents(lanes)
        self._begin(lanes)

    def step(self, decisions: np.ndarray, lanes: np.ndarray) -> None:
        """Take the agent's decisions on ``lanes`` and play on until it is to decide again."""
        self._begin(lanes)
        self.opponent_strokes[lanes] = 0
        self.flags[lanes] = 0
        played = lanes
        if self.config.phases:
            stroke = ~self._choose(decisions, lanes)
            decisions, played = decisions[stroke], lanes[stroke]
        if len(played):
            self._step(decisions, played)
        t = self.tables
        self.agent_rulings[lanes] = NO_RULING
        self.agent_rulings[played] = t.rulings[played]
        self._play_opponents(lanes)
        reward = self.config.reward
        close_lanes(
            records(t.frames), self.terms, reward.weights, reward.gamma, self.potentials, self.sides, self.rewards,
            lanes,
        )  # fmt: skip
        self.over[lanes] = t.frames["frame_over"][lanes] != 0

    def _choose(self, decisions: np.ndarray, lanes: np.ndarray) -> np.ndarray:
        """``phases``: where there is a choice, the agent first chooses and plays in its next step.

        Playing or playing a free ball narrows the permission to that option and plays nothing; declining, transferring
        and conceding are decisions of their own anyway.

        Returns:
            (n,) bool, lanes on which the decision was such a choice.
        """
        legals = self.tables.legals
        options = legals["options"][lanes]
        chosen = decisions["option"].astype(np.uint8)
        is_choice = (options & CHOICES != 0) & (chosen <= FREE_BALL) & (options >> chosen & 1 != 0)
        at, option = lanes[is_choice], chosen[is_choice]
        legals["options"][at] = (np.uint8(1) << option) | (options[is_choice] & CONCEDE)
        legals["free_calls"][at[option != FREE_BALL]] = 0
        return is_choice

    def viewers(self) -> np.ndarray:
        """(B,) from whose view the tables are observed: the agent's; the next striker's where it plays both seats."""
        if not self.own_seats:
            return self.sides
        frames = self.tables.frames
        return np.where(frames["frame_over"] == 0, frames["striker"].astype(np.int64), self.sides)

    def _begin(self, lanes: np.ndarray) -> None:
        t = self.tables
        begin_lanes(records(t.frames), self.terms, self.sides, self.potentials, self.own_seats, lanes)

    def _step(self, decisions: np.ndarray, lanes: np.ndarray) -> None:
        t = self.tables
        note_free_lanes(records(t.frames), self._had_free, lanes)
        t.step(decisions, lanes)
        account_lanes(
            records(t.frames), records(t.rulings), records(t.shots), records(t.task), records(t.spec.record), t.befores,
            records(t.decisions), records(self._pots), self.config.reward.weights, self._had_free, self.sides,
            self.strokes, self.config.max_strokes, self.terms, self.cut, lanes,
        )  # fmt: skip
        self.flags[lanes] |= t.shots["flags"][lanes] * t.shots["made"][lanes]

    def _play_opponents(self, lanes: np.ndarray) -> None:
        """Opponents decide on the lanes where they are to, compacted, until none is left."""
        if self.opponent is None:
            return
        frames = self.tables.frames
        while True:
            waiting = (frames["frame_over"][lanes] == 0) & (frames["striker"][lanes] != self.sides[lanes])
            lanes = lanes[waiting & ~self.cut[lanes]]
            if not len(lanes):
                return
            self._step(self.opponent.act(self.tables.view(lanes)), lanes)
            self.opponent_strokes[lanes] += 1

    def get_state(self) -> dict[str, Any]:
        """Everything that the next steps depend on, as copies."""
        state = {name: getattr(self, name).copy() for name in _LANE_ARRAYS}
        state |= {name: getattr(self.tables, name).copy() for name in _TABLE_ARRAYS}
        state["agent_rulings"] = self.agent_rulings.copy()
        memory = getattr(self.opponent, "get_state", None)
        state["opponent"] = copy.deepcopy(memory()) if memory else None
        return state

    def set_state(self, state: dict[str, Any], lanes: np.ndarray | None = None) -> None:
        """Restore a state of :meth:`get_state` (all lanes, or only some of them)."""
        at = self.tables.all_lanes if lanes is None else lanes
        for name in _LANE_ARRAYS:
            getattr(self, name)[at] = state[name][at]
        for name in _TABLE_ARRAYS:
            getattr(self.tables, name)[at] = state[name][at]
        self.agent_rulings[at] = state["agent_rulings"][at]
        restore = getattr(self.opponent, "set_state", None)
        if restore is not None and state.get("opponent") is not None:
            restore(state["opponent"])
