"""Gymnasium environments: ids, the vector environment, the single one, the one for Stable-Baselines3.

Names are imported when they are first used: ``SinucaVecEnv`` needs Stable-Baselines3, the others do not.
"""

from __future__ import annotations

import importlib
from typing import Any

from sinuca_env.envs.registration import IDS, register_all

__all__ = ["IDS", "SinucaEnv", "SinucaVecEnv", "SinucaVectorEnv", "env_config", "make_vector", "register_all"]

_WHERE = {
    "SinucaEnv": "single",
    "SinucaVecEnv": "sb3",
    "SinucaVectorEnv": "vector",
    "env_config": "config",
    "make_vector": "vector",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
