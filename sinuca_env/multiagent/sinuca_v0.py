"""``sinuca_v0``: a frame of sinuca for two agents, as a PettingZoo AEC environment.

``player_0`` and ``player_1`` are sides 0 and 1. Whoever is to play decides (a stroke, a free ball, declining ...); the
same side may be asked several times in a row, as the articles say. Observations are always from the asking agent's
view; rewards of both sides come with every decision.

    from sinuca_env.multiagent import sinuca_v0
    env = sinuca_v0.env(reds=6)
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from sinuca_env._jit import records
from sinuca_env.envs.config import env_config
from sinuca_env.envs.faces import CandidatesFace, make_face
from sinuca_env.envs.observer import Observer
from sinuca_env.envs.options import Placement
from sinuca_env.envs.reward import N_TERMS, POTENTIAL, TERMS, add_terms, potential_of
from sinuca_env.game.tables import Tables
from sinuca_env.physics.engines import engine_batch
from sinuca_env.rules import fouls_of_bits
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.records import DECISION

__all__ = ["AGENTS", "env", "raw_env"]

AGENTS = ("player_0", "player_1")


def env(**kwargs: Any) -> Any:
    """The environment with PettingZoo's check of the order of calls around it."""
    return wrappers.OrderEnforcingWrapper(raw_env(**kwargs))


class raw_env(AECEnv):
    """One table, two seats.

    Args:
        render_mode: None.
        **kwargs: arguments of ``Sinuca-v0`` without ``opponent``.

    Raises:
        SinucaError: an unknown or unacceptable argument.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (PettingZoo reads a class attribute)
        "name": "sinuca_v0",
        "render_modes": [],
        "is_parallelizable": False,
    }

    def __init__(self, render_mode: str | None = None, **kwargs: Any) -> None:
        super().__init__()
        if render_mode is not None:
            raise SinucaError(f"render_mode: {render_mode!r}: null")
        if "opponent" in kwargs:
            raise SinucaError("opponent: both seats are agents here")
        self.render_mode = None
        self.config = config = env_config("frame", opponent="self", **kwargs)
        self.tables = Tables(
            1, config.spec, config.cfg, config.params, config.task, config.noise, config.allow_concede,
            engine_batch(config.engine),
        )  # fmt: skip
        self.possible_agents = list(AGENTS)
        self._face, self._observer = make_face(config), Observer(config)
        self._lane = np.zeros(1, np.int64)
        self._decision = np.zeros(1, DECISION)
        self._seeded = False
        self._strokes = 0

    def observation_space(self, agent: str) -> Any:
        """The same object for both."""
        return self._observer.space

    def action_space(self, agent: str) -> Any:
        """The same object for both."""
        return self._face.space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new frame; ``options`` as in :mod:`sinuca_env.envs.options`, foreign keys are ignored.

        Raises:
            SinucaError: a seed or situation that is not acceptable; nothing has changed then.
        """
        given = {key: value for key, value in (options or {}).items() if key in ("layout", "frame")}
        placement = Placement(given, self.config) if given else None
        if seed is not None or not self._seeded:
            self.tables.seed([secrets.randbits(62) if seed is None else int(seed)])
            self._seeded = True
        self.tables.reset()
        if placement is not None:
            placement.put_on(self.tables, self._lane)
        self._strokes = 0
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._select()

    def observe(self, agent: str) -> Any:
        """The table from the agent's view."""
        side = np.full(1, AGENTS.index(agent), np.int64)
        return self._observer.each(self._observer.flat(self.tables, side, self._lane))[0]

    def step(self, action: Any) -> None:
        """One decision of ``agent_selection``.

        Raises:
            SinucaError: an action outside the space; nothing has changed then.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        batch = {k: np.asarray(v)[None] for k, v in action.items()} if isinstance(action, dict) else _batched(action)
        checked = self._face.check(batch, 1)
        self._face.decode(checked, self.tables, self._lane, self._decision)
        self._cumulative_rewards[self.agent_selection] = 0.0
        t = self.tables
        frame = records(t.frames)[0]
        had_free, before = int(frame["free_ball"]), [potential_of(frame, side) for side in (0, 1)]
        t.step(self._decision)
        self._strokes += 1
        over = bool(t.frames["frame_over"][0])
        cut = not over and self._strokes >= self.config.max_strokes
        self._reward(had_free, before, over)
        for agent in AGENTS:
            self.terminations[agent], self.truncations[agent] = over, cut
        self._accumulate_rewards()
        self._select()

    def render(self) -> None:
        """Nothing: pictures are made from :attr:`tables` by :mod:`sinuca_env.render`."""

    def close(self) -> None:
        """Nothing is held open."""

    def _select(self) -> None:
        self.agent_selection = AGENTS[int(self.tables.frames["striker"][0])]
        if isinstance(self._face, CandidatesFace):
            masks = self._face.masks(self.tables)[0].astype(np.int8)
            for agent in AGENTS:
                self.infos[agent]["action_mask"] = masks.copy()

    def _reward(self, had_free: int, before: list[float], over: bool) -> None:
        t, reward = self.tables, self.config.reward
        frame, ruling, shot = records(t.frames)[0], records(t.rulings)[0], records(t.shots)[0]
        fouls = list(fouls_of_bits(int(t.rulings["fouls"][0])))
        for side, agent in enumerate(AGENTS):
            terms = np.zeros(N_TERMS)
            add_terms(terms, ruling, shot, side, had_free)
            after = 0.0 if over else potential_of(frame, side)
            terms[POTENTIAL] = reward.gamma * after - before[side]
            self.rewards[agent] = float(reward.weights @ terms)
            self.infos[agent] = {f"reward/{term}": float(value) for term, value in zip(TERMS, terms, strict=True)}
            self.infos[agent] |= {"fouls": fouls, "score": int(t.frames["scores"][0, side])}


def _batched(action: Any) -> Any:
    try:
        return np.asarray(action)[None]
    except ValueError:
        return action  # ragged: the check names it
