"""``SinucaEnv``: one table, as a batch of one (equal bit for bit)."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode

from sinuca_env.envs.vector import SinucaVectorEnv
from sinuca_env.render.table_view import RENDER_MODES, render_table
from sinuca_env.rules import fouls_of_bits

__all__ = ["SinucaEnv"]


class SinucaEnv(gym.Env):
    """One table of sinuca behind the Gymnasium API.

    Args:
        task: ``frame``, ``pot`` or ``match``.
        render_mode: ``rgb_array``, ``ansi`` (text notation of frame and layout) or None.
        **kwargs: see :data:`sinuca_env.envs.config.DEFAULTS`.

    Raises:
        SinucaError: an unknown or unacceptable argument.
    """

    # Gymnasium reads a class attribute.
    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(self, task: str = "frame", render_mode: str | None = None, **kwargs: Any) -> None:
        self.vector = SinucaVectorEnv(1, task, AutoresetMode.DISABLED, render_mode=render_mode, **kwargs)
        self.render_mode = render_mode
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space

    @property
    def tables(self) -> Any:
        """The game behind the environment: a batch of one table."""
        return self.vector.tables

    @property
    def config(self) -> Any:
        """The checked arguments."""
        return self.vector.config

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new episode; ``options`` as in :mod:`sinuca_env.envs.options`."""
        super().reset(seed=seed)
        observation, info = self.vector.reset(seed=seed, options=options)
        return _first(observation), _plain(info)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """One decision of the agent.

        Raises:
            SinucaError: an action of wrong shape or dtype, NaN or outside the space, or no episode in progress;
                nothing has changed then.
        """
        observation, reward, terminated, truncated, info = self.vector.step(_batch_of_one(action))
        return _first(observation), float(reward[0]), bool(terminated[0]), bool(truncated[0]), _plain(info)

    def action_masks(self) -> np.ndarray:
        """Which discrete actions make sense; only for faces that have such actions."""
        return self.vector.action_masks()[0]

    def get_state(self) -> dict[str, Any]:
        """An exact snapshot, see :meth:`SinucaVectorEnv.get_state`."""
        return self.vector.get_state()

    def set_state(self, state: dict[str, Any]) -> Any:
        """Restore a snapshot; returns the observation."""
        return _first(self.vector.set_state(state))

    def clone(self) -> SinucaEnv:
        """An independent environment in the same state."""
        return copy.deepcopy(self)

    def set_opponent(self, opponent: Any) -> None:
        """Change who plays the other seat, see :meth:`SinucaVectorEnv.set_opponent`."""
        self.vector.set_opponent(opponent)

    def render(self) -> Any:
        """The table before the next decision as ``render_mode`` says: ``(height, width, 3)`` uint8, or text."""
        return render_table(self.tables, self.render_mode)


def _batch_of_one(action: Any) -> Any:
    if isinstance(action, dict):
        return {name: np.asarray(value)[None] for name, value in action.items()}
    try:
        return np.asarray(action)[None]
    except ValueError:
        return action  # ragged: the check names it


def _first(observation: Any) -> Any:
    if isinstance(observation, dict):
        return {name: value[0] for name, value in observation.items()}
    return observation[0]


def _plain(info: dict[str, Any]) -> dict[str, Any]:
    """The info of the only lane with Python numbers, and the fouls by their codes."""
    plain = {key: value[0] for key, value in info.items() if not key.startswith("_")}
    plain = {key: value if isinstance(value, np.ndarray) else value.item() for key, value in plain.items()}
    plain["fouls"] = list(fouls_of_bits(plain["foul_bits"])) if plain["foul_bits"] else []
    return plain
