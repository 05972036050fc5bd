"""``SinucaVectorEnv``: the real environment, many tables at once, native Gymnasium vector API."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from sinuca_env.envs.config import env_config
from sinuca_env.envs.faces import CandidatesFace, make_face
from sinuca_env.envs.info import step_info
from sinuca_env.envs.observer import Observer
from sinuca_env.envs.play import Play
from sinuca_env.render.table_view import RENDER_MODES, check_render_mode, render_table
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.records import DECISION

__all__ = ["SinucaVectorEnv"]


class SinucaVectorEnv(VectorEnv):
    """Many tables of sinuca behind one Gymnasium vector environment.

    A step is one decision of the agent on every table, and all that the opponent does until the agent's next one.
    Lane ``i`` seeded ``s`` plays exactly what the single environment seeded ``s + i`` plays.

    Args:
        num_envs: tables.
        task: ``frame``, ``pot`` or ``match``.
        autoreset_mode: ``NEXT_STEP`` (default), ``SAME_STEP`` (as SB3 wants it; ``final_obs`` and ``final_info`` in the
            info) or ``DISABLED`` (``reset(options={"reset_mask": mask})``).
        max_episode_steps: decisions of the agent after which an episode is truncated, None for no such limit.
        render_mode: ``rgb_array``, ``ansi`` (text notation of frame and layout) or None.
        **kwargs: see :data:`sinuca_env.envs.config.DEFAULTS`.

    Raises:
        SinucaError: an unknown or unacceptable argument.
    """

    def __init__(
        self,
        num_envs: int = 1,
        task: str = "frame",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **kwargs: Any,
    ) -> None:
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
            raise SinucaError(f"num_envs: {num_envs!r}: a whole number from 1")
        self.autoreset_mode = _mode_of(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": list(RENDER_MODES), "render_fps": 1}
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.config = env_config(task, **kwargs)
        self.num_envs = int(num_envs)
        self.max_episode_steps = max_episode_steps
        self._face = make_face(self.config)
        self._observer = Observer(self.config)
        self.single_observation_space = self._observer.space
        self.single_action_space = self._face.space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.play = Play(self.config, self.num_envs)
        self._done = np.ones(self.num_envs, bool)
        self._seeded = np.zeros(self.num_envs, bool)
        self._episode_steps = np.zeros(self.num_envs, np.int64)
        self._decisions = np.zeros(self.num_envs, DECISION)

    @property
    def tables(self) -> Any:
        """The game behind the lanes (:class:`sinuca_env.game.tables.Tables`)."""
        return self.play.tables

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start new episodes on all lanes, or on those of ``options["reset_mask"]``.

        Args:
            seed: ``s`` seeds lane ``i`` with ``s + i``; a sequence gives each lane its own (None: goes on with its own
                stream). Without a seed a lane goes on with its stream, or takes a random one at first.
            options: ``reset_mask`` (num_envs,) bool; ``layout`` and ``frame``, see :mod:`sinuca_env.envs.options`.

        Raises:
            SinucaError: a seed, mask or layout that is not acceptable; nothing has changed then.
        """
        options = dict(options or {})
        mask = _reset_mask(options.pop("reset_mask", None), self.num_envs)
        seeds = _seeds(seed, self.num_envs)
        placement = _placement(options, self.config)
        lanes = np.flatnonzero(mask)
        self._seed_lanes(seeds, lanes)
        self._reset_lanes(lanes)
        if placement is not None:
            placement.put_on(self.tables, lanes)
            self.play.begin(lanes)
        return self._observations(), step_info(self.play, mask)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One decision on every lane.

        Raises:
            SinucaError: an action of wrong shape or dtype, NaN or outside the space, or (``DISABLED``) a lane whose
                episode is over; nothing has changed then.
        """
        actions = self._face.check(actions, self.num_envs)
        done = self._done
        if done.any() and (self.autoreset_mode != AutoresetMode.NEXT_STEP or not self._seeded.all()):
            raise SinucaError(f"step: lane {int(np.flatnonzero(done)[0])} needs a reset first")
        rewards = np.zeros(self.num_envs)
        terminated, truncated = np.zeros(self.num_envs, bool), np.zeros(self.num_envs, bool)
        fresh = np.flatnonzero(done)
        lanes = np.flatnonzero(~done) if len(fresh) else self.tables.all_lanes
        if len(fresh):
            self._reset_lanes(fresh)
        if len(lanes):
            self._play_lanes(actions, lanes)
            rewards[lanes] = self.play.rewards[lanes]
            terminated[lanes] = self.play.over[lanes]
            truncated[lanes] = self._cut_off(lanes)
        self._done = terminated | truncated
        info = step_info(self.play, None)
        rows = self._observer.flat(self.tables, self.play.viewers(), self.tables.all_lanes)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._done.any():
            info = self._reset_same_step(rows, info)
        return self._observer.shaped(rows), rewards, terminated, truncated, info

    def action_masks(self) -> np.ndarray:
        """(num_envs, n) which discrete actions make sense; only for faces that have such actions."""
        if not isinstance(self._face, CandidatesFace):
            raise SinucaError(f"action_masks: the face '{self.config.action}' has no discrete actions")
        return self._face.masks(self.tables)

    def get_state(self) -> dict[str, Any]:
        """An exact snapshot of all lanes: tables, random streams, counts. A value: later steps do not change it."""
        return self.play.get_state() | {
            "done": self._done.copy(), "seeded": self._seeded.copy(), "episode_steps": self._episode_steps.copy(),
        }  # fmt: skip

    def set_state(self, state: dict[str, Any]) -> Any:
        """Restore a snapshot of an environment with the same arguments; returns the observations."""
        if len(state["done"]) != self.num_envs:
            raise SinucaError(f"set_state: a state of {len(state['done'])} lanes: {self.num_envs} lanes")
        self.play.set_state(state)
        self._done[:], self._seeded[:] = state["done"], state["seeded"]
        self._episode_steps[:] = state["episode_steps"]
        return self._observations()

    def clone(self) -> SinucaVectorEnv:
        """An independent environment in the same state."""
        return copy.deepcopy(self)

    def set_opponent(self, opponent: Any) -> None:
        """Change who plays the other seat from the next stroke on (snapshots in self-play).

        Raises:
            SinucaError: the environment was made for solo practice or for both seats.
        """
        from sinuca_env.envs.opponents import resolve_opponent

        policy = resolve_opponent(opponent)
        if self.play.opponent is None or policy is None:
            raise SinucaError("set_opponent: only one playing opponent can take the place of another")
        self.play.opponent = policy

    def render(self) -> Any:
        """One picture or text a lane, as ``render_mode`` says; None without one."""
        if self.render_mode is None:
            return None
        return tuple(render_table(self.tables, self.render_mode, lane) for lane in range(self.num_envs))

    def _seed_lanes(self, seeds: list[int | None], lanes: np.ndarray) -> None:
        for lane in lanes:
            if seeds[lane] is None and not self._seeded[lane]:
                seeds[lane] = secrets.randbits(62)
        given = np.array([lane for lane in lanes if seeds[lane] is not None], np.int64)
        if len(given):
            self.play.seed([seeds[lane] for lane in given], given)
            self._seeded[given] = True

    def _reset_lanes(self, lanes: np.ndarray) -> None:
        self.play.reset(lanes)
        self._episode_steps[lanes] = 0
        self._done[lanes] = False

    def _play_lanes(self, actions: Any, lanes: np.ndarray) -> None:
        decisions = self._decisions[: len(lanes)]
        self._face.decode(actions, self.tables, lanes, decisions)
        self.play.step(decisions, lanes)
        self._episode_steps[lanes] += 1

    def _cut_off(self, lanes: np.ndarray) -> np.ndarray:
        cut = self.play.cut[lanes]
        if self.max_episode_steps is not None:
            cut = cut | (self._episode_steps[lanes] >= self.max_episode_steps)
        return cut & ~self.play.over[lanes]

    def _observations(self) -> Any:
        return self._observer.shaped(self._observer.flat(self.tables, self.play.viewers(), self.tables.all_lanes))

    def _reset_same_step(self, rows: np.ndarray, info: dict[str, Any]) -> dict[str, Any]:
        """New episodes at once on the lanes that ended; what ended goes into ``final_obs`` and ``final_info``."""
        ended = self._done.copy()
        lanes = np.flatnonzero(ended)
        final_obs = np.full(self.num_envs, None, object)
        for lane, observation in zip(lanes.tolist(), self._observer.each(rows[lanes]), strict=True):
            final_obs[lane] = observation
        final_info = {key: value for key, value in info.items() if not key.startswith("_")}
        final_info |= {f"_{key}": ended.copy() for key in final_info}
        self._reset_lanes(lanes)
        self._observer.flat(self.tables, self.play.viewers(), lanes, rows)
        fresh = step_info(self.play, None)
        return fresh | {
            "final_obs": final_obs, "_final_obs": ended, "final_info": final_info, "_final_info": ended.copy(),
        }  # fmt: skip


def _mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    if isinstance(mode, AutoresetMode):
        return mode
    by_name = {m.name: m for m in AutoresetMode} | {m.value: m for m in AutoresetMode}
    if mode not in by_name:
        known = ", ".join(m.name for m in AutoresetMode)
        raise SinucaError(f"autoreset_mode: {mode!r}{suggest(str(mode), by_name)}: one of {known}")
    return by_name[mode]


def _reset_mask(mask: Any, n: int) -> np.ndarray:
    if mask is None:
        return np.ones(n, bool)
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (n,) or not mask.any():
        raise SinucaError(f"options.reset_mask: a bool array of shape ({n},) with at least one True")
    return mask


def _seeds(seed: Any, n: int) -> list[int | None]:
    if seed is None:
        return [None] * n
    values = [seed + i for i in range(n)] if isinstance(seed, (int, np.integer)) else list(seed)
    if len(values) != n:
        raise SinucaError(f"seed: {len(values)} seeds: one, or {n} (one a lane)")
    for value in (seed, *values) if isinstance(seed, bool) else values:
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0):
            raise SinucaError(f"seed: {value!r}: a whole number of at least 0")
    return [None if value is None else int(value) for value in values]


def _placement(options: dict[str, Any], config: Any) -> Any:
    if not options:
        return None
    from sinuca_env.envs.options import Placement

    return Placement(options, config)


def make_vector(env_id: str, num_envs: int, **kwargs: Any) -> SinucaVectorEnv:
    """A vector environment by id, without Gymnasium's registry.

    Raises:
        SinucaError: unknown id or argument.
    """
    from sinuca_env.envs.registration import vector_kwargs

    return SinucaVectorEnv(num_envs, **vector_kwargs(env_id, kwargs))
