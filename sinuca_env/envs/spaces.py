"""Spaces, and the checks of what comes in through them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from sinuca_env.envs.config import EnvConfig
from sinuca_env.envs.observation import observation_size
from sinuca_env.game.action import face_size
from sinuca_env.state.errors import SinucaError

__all__ = ["action_space", "checked_actions", "observation_space"]

_TOLERANCE = 1e-6  # float32 policies overshoot the bounds by rounding


def observation_space(config: EnvConfig) -> spaces.Space[Any]:
    """The space of one table's observation."""
    return spaces.Box(-1.0, 1.0, (observation_size(config.observation, config.single),), np.float32)


def action_space(config: EnvConfig) -> spaces.Space[Any]:
    """The space of one table's action."""
    return spaces.Box(-1.0, 1.0, (face_size(config.action, config.single),), np.float32)


def checked_actions(actions: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Box actions as float64 of the given shape.

    Raises:
        SinucaError: wrong shape or dtype, NaN, or outside -1..1.
    """
    array = np.asarray(actions)
    if array.dtype.kind not in "fiu":
        raise SinucaError(f"action: dtype {array.dtype}: float32")
    if array.shape != shape:
        raise SinucaError(f"action: shape {array.shape}: {shape}")
    array = array.astype(np.float64)
    low, high = (array.min(), array.max()) if array.size else (0.0, 0.0)
    if np.isnan(low) or np.isnan(high):
        raise SinucaError("action: NaN: finite numbers from -1 to 1")
    if low < -1.0 - _TOLERANCE or high > 1.0 + _TOLERANCE:
        worst = low if -low > high else high
        raise SinucaError(f"action: {worst:g} is outside the space: from -1 to 1")
    return array
