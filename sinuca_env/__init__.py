"""Sinuca (Brazilian snooker) for reinforcement learning: physics table, referee of 49 articles, Gymnasium faces.

Importing the package registers the environment ids with Gymnasium; everything else is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import Any

from sinuca_env.envs.registration import register_all

__version__ = "0.1.0"
__all__ = ["SinucaEnv", "SinucaError", "SinucaVecEnv", "SinucaVectorEnv", "make_vector", "simulate"]

_WHERE = {
    "SinucaEnv": "sinuca_env.envs",
    "SinucaError": "sinuca_env.state",
    "SinucaVecEnv": "sinuca_env.envs",
    "SinucaVectorEnv": "sinuca_env.envs",
    "make_vector": "sinuca_env.envs",
    "simulate": "sinuca_env.physics",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_WHERE[name]), name)


register_all()
