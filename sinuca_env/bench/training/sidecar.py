"""What a saved model was trained for: written beside it, checked when it is loaded."""

from __future__ import annotations

import importlib.metadata
import platform
from typing import Any

from sinuca_env import __version__
from sinuca_env.bench.training.config import TrainConfig

__all__ = ["sidecar", "versions"]


def versions() -> dict[str, str]:
    """Versions of everything that a result depends on."""
    found = {"sinuca_env": __version__, "python": platform.python_version()}
    installed = {str(d.name).lower().replace("-", "_"): d.version for d in importlib.metadata.distributions()}
    wanted = ("numpy", "numba", "gymnasium", "stable_baselines3", "torch")
    return found | {name: installed[name] for name in wanted if name in installed}


def sidecar(config: TrainConfig, steps: int) -> dict[str, Any]:
    """The sidecar ``model.json`` of a model trained for so many steps."""
    return {
        "algorithm": config.algorithm,
        "env": {"id": config.env.id, "kwargs": config.env.kwargs},
        "steps": steps,
        "versions": versions(),
    }
