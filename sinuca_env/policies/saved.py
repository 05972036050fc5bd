"""Trained Stable-Baselines3 models as policies: ``MODEL.zip`` with its description ``MODEL.json`` beside it.

The description says what the model was trained for (environment id, arguments, versions). The policy makes the same
observations and reads the same action face from it, so it plays wherever a policy plays: in an evaluation, as an
opponent, in a league. What does not fit is an error that names the field.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from sinuca_env.game.view import View
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.records import DECISION

__all__ = ["SavedPolicy"]

_ALGORITHMS = {
    "a2c": ("stable_baselines3", "A2C"),
    "ddpg": ("stable_baselines3", "DDPG"),
    "dqn": ("stable_baselines3", "DQN"),
    "maskable_ppo": ("sb3_contrib", "MaskablePPO"),
    "ppo": ("stable_baselines3", "PPO"),
    "sac": ("stable_baselines3", "SAC"),
    "td3": ("stable_baselines3", "TD3"),
    "tqc": ("sb3_contrib", "TQC"),
}


def _described(path: Path) -> dict[str, Any]:
    side = path.with_suffix(".json")
    try:
        described = json.loads(side.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SinucaError(f"{path}: no description beside it; {side.name} says what it was trained for") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise SinucaError(f"{side}: not JSON: {error}") from None
    env = described.get("env") if isinstance(described, dict) else None
    if not isinstance(env, dict) or "id" not in env or not isinstance(env.get("kwargs", {}), dict):
        raise SinucaError(f"{side}: 'env' must have 'id' and 'kwargs'")
    return described


def _load(algorithm: Any, path: Path) -> Any:
    if algorithm not in _ALGORITHMS:
        known = ", ".join(_ALGORITHMS)
        raise SinucaError(f"{path}: unknown algorithm '{algorithm}'{suggest(str(algorithm), _ALGORITHMS)}: {known}")
    module, name = _ALGORITHMS[algorithm]
    try:
        cls = getattr(importlib.import_module(module), name)
    except ImportError:
        raise SinucaError(f"{path}: needs {module}; install sinuca_env[train]") from None
    try:
        return cls.load(path, device="cpu")
    except FileNotFoundError:
        raise SinucaError(f"{path}: no such file") from None
    except Exception as error:  # whatever a damaged or foreign archive raises
        raise SinucaError(
            f"{path}: cannot be loaded: {str(error).splitlines()[0] if str(error) else error!r}"
        ) from None


class SavedPolicy:
    """A trained model.

    Args:
        path: of the archive.
        deterministic: the most likely action instead of a sample.

    Attributes:
        described: the description as read.

    Raises:
        SinucaError: missing or damaged files, an unknown environment, spaces of another version.
    """

    def __init__(self, path: str | Path, deterministic: bool = True) -> None:
        # The environment's own makers of observations and decisions; they import this room's registry in turn.
        from sinuca_env.envs.config import env_config
        from sinuca_env.envs.faces import make_face
        from sinuca_env.envs.observer import Observer
        from sinuca_env.envs.registration import vector_kwargs

        path = Path(path)
        if not path.is_file():
            raise SinucaError(f"{path}: no such file")
        self.described = _described(path)
        self.name = path.stem if path.stem != "model" else path.resolve().parent.name
        self.deterministic = deterministic
        env = self.described["env"]
        arguments = vector_kwargs(str(env["id"]), dict(env.get("kwargs", {})))
        arguments.pop("opponent", None)
        arguments.pop("num_envs", None)
        config = env_config(arguments.pop("task"), **arguments)
        self._observer, self._face = Observer(config), make_face(config)
        self._model = _load(self.described.get("algorithm"), path)
        self._check_space(path, "observation", self._model.observation_space, self._observer.space)
        self._check_space(path, "action", self._model.action_space, self._face.space)
        self._masked = self.described.get("algorithm") == "maskable_ppo"

    @staticmethod
    def _check_space(path: Path, name: str, saved: Any, now: Any) -> None:
        if type(saved) is not type(now) or saved.shape != now.shape or getattr(saved, "n", 0) != getattr(now, "n", 0):
            raise SinucaError(f"{path}: trained with {name} space {saved}; this version has {now}")

    def act(self, view: View) -> np.ndarray:
        """One decision per table.

        Raises:
            SinucaError: the model's observation cannot show the position.
        """
        n = len(view)
        lanes = np.arange(n)
        rows = self._observer.flat(view, view.frames["striker"].astype(np.int8), lanes)
        if not np.isfinite(rows).all():
            raise SinucaError(
                f"{self.name}: trained for {self.described['env']['id']}, whose observation has no cue ball in hand"
            )
        tables = SimpleNamespace(**vars(view), n=n, all_lanes=lanes)
        extra = {"action_masks": self._face.masks(tables)} if self._masked else {}
        actions, _ = self._model.predict(self._observer.shaped(rows), deterministic=self.deterministic, **extra)
        decisions = np.zeros(n, DECISION)
        self._face.decode(self._face.check(actions, n), view, lanes, decisions)
        return decisions
