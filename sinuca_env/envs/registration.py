"""Environment ids. Ids end in ``-vN``; N rises when behaviour changes."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from sinuca_env.state.errors import SinucaError, suggest

__all__ = ["IDS", "register_all", "vector_kwargs"]

IDS: dict[str, dict[str, Any]] = {
    "Sinuca-v0": {"task": "frame"},
    "SinucaCandidates-v0": {"task": "frame", "action": "candidates"},
    "SinucaDict-v0": {"task": "frame", "action": "dict"},
    "SinucaMatch-v0": {"task": "match"},
    "SinucaPot-v0": {"task": "pot"},
    "SinucaTarget-v0": {"task": "frame", "action": "target"},
}
"""Arguments by id."""


def register_all() -> None:
    """Register every id with Gymnasium (both entry points), once."""
    for env_id, kwargs in IDS.items():
        if env_id not in gym.registry:
            gym.register(
                env_id,
                entry_point="sinuca_env.envs.single:SinucaEnv",
                vector_entry_point="sinuca_env.envs.vector:SinucaVectorEnv",
                kwargs=dict(kwargs),
            )


def vector_kwargs(env_id: str, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of an id with those given on top.

    Raises:
        SinucaError: unknown id.
    """
    if env_id not in IDS:
        raise SinucaError(f"env: unknown id '{env_id}'{suggest(env_id, IDS)}: one of {', '.join(IDS)}")
    return {**IDS[env_id], **kwargs}
