"""``SinucaVecEnv``: the vector environment as Stable-Baselines3 wants it (SB3 has no adapter of its own).

Only this module needs the extra ``train``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from sinuca_env.envs.registration import vector_kwargs
from sinuca_env.envs.reward import TERMS
from sinuca_env.envs.vector import SinucaVectorEnv
from sinuca_env.state.errors import SinucaError

__all__ = ["SinucaVecEnv"]


class SinucaVecEnv(VecEnv):
    """Stable-Baselines3's vector environment on a native batch of tables.

    Args:
        env: an environment id, or a :class:`SinucaVectorEnv` made with ``SAME_STEP``.
        num_envs: tables, when ``env`` is an id.
        full_info: put every reward term and count of the step into each lane's info. Otherwise only lanes whose
            episode ended get an info, with the outcome and the reward terms that have a weight: large batches stay
            fast.
        **kwargs: arguments of the environment.

    Raises:
        SinucaError: unknown id or argument.
    """

    def __init__(
        self, env: str | SinucaVectorEnv = "Sinuca-v0", num_envs: int = 1, full_info: bool = False, **kwargs: Any
    ) -> None:
        if isinstance(env, str):
            env = SinucaVectorEnv(num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **vector_kwargs(env, kwargs))
        elif kwargs:
            raise SinucaError(f"SinucaVecEnv: {', '.join(kwargs)}: arguments belong to the environment that is given")
        if env.autoreset_mode != AutoresetMode.SAME_STEP:
            raise SinucaError(f"SinucaVecEnv: autoreset_mode {env.autoreset_mode.name}: SAME_STEP")
        self.env = env
        self.full_info = full_info
        weights = env.config.reward.weights
        self._end_keys = ["is_success", "winner", "points", "strokes", "flags"]
        self._end_keys += [f"reward/{term}" for term, weight in zip(TERMS, weights, strict=True) if weight]
        self._actions: Any = None
        self._next_seeds: Any = None
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> Any:
        """Start new episodes on all lanes (with the seeds given to :meth:`seed`, once)."""
        observations, info = self.env.reset(seed=self._next_seeds)
        self._next_seeds = None
        self.reset_infos = [_lane_info(info, lane) for lane in range(self.num_envs)] if self.full_info else [
            {} for _ in range(self.num_envs)
        ]  # fmt: skip
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the actions for :meth:`step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Take the step."""
        observations, rewards, terminated, truncated, info = self.env.step(self._actions)
        done = terminated | truncated
        if self.full_info:
            infos = [_lane_info(info, lane) for lane in range(self.num_envs)]
        else:
            infos = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(done)
        if len(ended):
            self._note_ends(infos, info, ended, truncated)
        return observations, rewards.astype(np.float32), done, infos

    def _note_ends(self, infos: list[dict[str, Any]], info: dict[str, Any], ended: np.ndarray, cut: np.ndarray) -> None:
        final = info["final_info"]
        keys = [key for key in final if key[0] != "_"] if self.full_info else self._end_keys
        columns = [final[key][ended].tolist() for key in keys]
        keys = [*keys, "TimeLimit.truncated", "terminal_observation"]
        columns += [cut[ended].tolist(), info["final_obs"][ended].tolist()]
        for lane, row in zip(ended.tolist(), zip(*columns, strict=True), strict=True):
            infos[lane] = dict(zip(keys, row, strict=True))

    def close(self) -> None:
        """Nothing is held open."""
        self.env.close()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds of the next reset: lane ``i`` gets ``seed + i``."""
        self._next_seeds = seed
        return [None if seed is None else seed + lane for lane in range(self.num_envs)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute of the environment, once per lane asked for."""
        value = getattr(self.env, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute; lanes share it, so only for all of them at once."""
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise SinucaError(f"set_attr: {attr_name}: lanes share their attributes: indices None")
        setattr(self.env, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Call a method; ``action_masks`` gives each lane its own row, others are called once for all."""
        result = getattr(self.env, method_name)(*args, **kwargs)
        lanes = list(self._get_indices(indices))
        return [result[lane] for lane in lanes] if method_name == "action_masks" else [result for _ in lanes]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No lane is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """No pictures."""
        return [None for _ in range(self.num_envs)]


def _lane_info(info: dict[str, Any], lane: int) -> dict[str, Any]:
    told = {key: value[lane] for key, value in info.items() if not key.startswith(("_", "final_"))}
    return {key: value if isinstance(value, np.ndarray) else value.item() for key, value in told.items()}
