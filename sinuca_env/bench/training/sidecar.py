"""What a saved model was trained for: written beside it, checked when it is loaded."""

from __future__ import annotations

import importlib.metadata
import platform
from typing import Any

from sinuca_env import __version__
from sinuca_env.bench.training.config import TrainConfig
from sinuca_env.envs.config import env_config
from sinuca_env.envs.registration import vector_kwargs
from sinuca_env.physics import physics_dict
from sinuca_env.rules import rules_dict

__all__ = ["sidecar", "versions"]


def versions() -> dict[str, str]:
    """Versions of everything that a result depends on."""
    found = {"sinuca_env": __version__, "python": platform.python_version()}
    installed = {str(d.name).lower().replace("-", "_"): d.version for d in importlib.metadata.distributions()}
    wanted = ("numpy", "numba", "gymnasium", "stable_baselines3", "torch")
    return found | {name: installed[name] for name in wanted if name in installed}


def sidecar(config: TrainConfig, steps: int) -> dict[str, Any]:
    """The sidecar ``model.json`` of a model trained for so many steps.

    ``env`` alone says how to make the environment again; ``rules`` and ``physics`` spell out what its defaults were
    then, ``observation`` and ``action`` what the network reads and writes.
    """
    arguments = vector_kwargs(config.env.id, dict(config.env.kwargs))
    env = env_config(arguments.pop("task"), **arguments)
    return {
        "algorithm": config.algorithm,
        "env": {"id": config.env.id, "kwargs": config.env.kwargs},
        "observation": env.observation,
        "action": env.action,
        "rules": rules_dict(env.cfg),
        "physics": physics_dict(env.params),
        "steps": steps,
        "versions": versions(),
    }
