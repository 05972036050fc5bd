"""Keyword arguments of the environments: names, defaults per task, checks. All of them are JSON-able.

| Argument | Default | Meaning |
|---|---|---|
| action | box | face of the action space: box, relative, target, dict, candidates (``relative`` in the pot task) |
| reds | 15 | 6, 10 or 15 (article 1; not in the pot task) |
| table | snooker_12ft | or sinuca_brasil |
| opponent | null | null: solo practice; a policy's name or saved model; self: the agent plays both seats |
| noise | none | level of execution noise, or standard deviations by name (:mod:`sinuca_env.game.noise`) |
| reward | points | preset, .yaml file or weights by term (:mod:`sinuca_env.envs.reward`; ``potted`` in the pot task) |
| observation | flat | flat, set, dict (``set`` in the pot task) |
| engine | event | or pymunk |
| rules | {} | switches of the law by name (:mod:`sinuca_env.rules.parameters`) |
| physics | {} | physics parameters by name (:mod:`sinuca_env.physics.params`) |
| allow_concede | false | whether a side may concede |
| phases | false | the choice after a foul, and the transfer of the break-off, are steps of their own |
| max_strokes | 5000 | decisions of both sides after which an episode is cut off; null for no limit |
| frames | 3 | match: best of how many frames, odd |
| balls | ["red"] | pot: names among which the object ball is drawn |
| min_distance | 0 | pot: least distance of the two balls, m |
| max_distance | null | pot: greatest, m |
| max_run | null | pot: from the object ball to the pocket, m |
| max_cut_deg | null | pot: greatest cut, degrees |
| direct | false | pot: some pocket has a direct pot within the limits |

Solo practice is played under article 38 ``off`` unless ``rules`` says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sinuca_env.envs.observation import OBSERVATIONS
from sinuca_env.envs.reward import Reward, load_reward
from sinuca_env.game.action import FACES
from sinuca_env.game.noise import noise_config, noise_is_squirt_free
from sinuca_env.game.reset import POT_DEFAULTS, frame_task, pot_task
from sinuca_env.physics import physics_params
from sinuca_env.physics.engines import ENGINES
from sinuca_env.rules import rules_config
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.table.spec import TableSpec, table_spec

__all__ = ["DEFAULTS", "TASKS", "EnvConfig", "env_config"]

TASKS = ("frame", "pot", "match")

DEFAULTS: dict[str, dict[str, Any]] = {
    "frame": {
        "action": "box",
        "reds": 15,
        "table": "snooker_12ft",
        "opponent": None,
        "noise": "none",
        "reward": "points",
        "observation": "flat",
        "engine": "event",
        "rules": {},
        "physics": {},
        "allow_concede": False,
        "phases": False,
        "max_strokes": 5000,
    }
}
DEFAULTS["match"] = DEFAULTS["frame"] | {"frames": 3, "max_strokes": 20000}
DEFAULTS["pot"] = {
    name: value
    for name, value in DEFAULTS["frame"].items()
    if name not in ("reds", "opponent", "allow_concede", "phases", "max_strokes")
} | {"action": "relative", "reward": "potted", "observation": "set", **POT_DEFAULTS}


@dataclass(frozen=True)
class EnvConfig:
    """Checked arguments of an environment, as records and values."""

    task_name: str
    action: str
    observation: str
    opponent: Any
    engine: str
    max_strokes: int
    allow_concede: bool
    phases: bool
    spec: TableSpec
    cfg: np.ndarray
    params: np.ndarray
    task: np.ndarray
    noise: np.ndarray
    reward: Reward
    kwargs: dict[str, Any] = field(default_factory=dict)

    @property
    def single(self) -> bool:
        """One object ball, one stroke."""
        return self.task_name == "pot"


def _one_of(name: str, value: Any, accepted: tuple[str, ...]) -> Any:
    if not isinstance(value, str) or value not in accepted:
        raise SinucaError(
            f"{name}: unknown {name} {value!r}{suggest(str(value), accepted)}: one of {', '.join(accepted)}"
        )
    return value


def _switch(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise SinucaError(f"{name}: {value!r}: true or false")
    return bool(value)


def _mapping(name: str, value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise SinucaError(f"{name}: {value!r}: a mapping of names to values")
    return dict(value)


def env_config(task: str = "frame", **kwargs: Any) -> EnvConfig:
    """Check the arguments of an environment.

    Raises:
        SinucaError: an unknown argument or a value that it does not accept.
    """
    _one_of("task", task, TASKS)
    defaults = DEFAULTS[task]
    for name in kwargs:
        if name not in defaults:
            raise SinucaError(f"unknown argument '{name}'{suggest(name, defaults)}: one of {', '.join(defaults)}")
    given = {**defaults, **kwargs}
    opponent = given.get("opponent")
    solo = opponent is None
    rules = _mapping("rules", given["rules"])
    if "reds" in kwargs and "reds" in rules:
        raise SinucaError("reds: give it once, as argument or in rules")
    if task != "pot":
        rules.setdefault("reds", given["reds"])
    if solo:
        rules.setdefault("aggravated_foul", "off")
    if task == "match":
        frames = given["frames"]
        if isinstance(frames, bool) or not isinstance(frames, (int, np.integer)) or frames < 1 or frames % 2 == 0:
            raise SinucaError(f"frames: {frames!r}: an odd number of frames, 1 or more")
        rules.setdefault("frames_to_win", int(frames) // 2 + 1)
    physics = _mapping("physics", given["physics"])
    if noise_is_squirt_free(given["noise"]):
        physics.setdefault("squirt", 0.0)
    limit = given.get("max_strokes", 1)
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, (int, np.integer)) or limit < 1):
        raise SinucaError(f"max_strokes: {limit!r}: a whole number from 1, or null for no limit")
    pot = {name: given[name] for name in POT_DEFAULTS} if task == "pot" else {}
    phases = _switch("phases", given.get("phases", False))
    return EnvConfig(
        task_name=task,
        action=_one_of("action", given["action"], (*FACES, "dict", "candidates")),
        observation=_one_of("observation", given["observation"], OBSERVATIONS),
        opponent=opponent,
        engine=_one_of("engine", given["engine"], ENGINES),
        max_strokes=2**31 - 1 if limit is None else int(limit),
        allow_concede=_switch("allow_concede", given.get("allow_concede", False)),
        phases=phases,
        spec=table_spec(given["table"]),
        cfg=rules_config(**rules),
        params=physics_params(**physics),
        task=pot_task(**pot) if task == "pot" else frame_task(solo),
        noise=noise_config(given["noise"]),
        reward=load_reward(given["reward"]),
        kwargs={"task": task, **kwargs},
    )
