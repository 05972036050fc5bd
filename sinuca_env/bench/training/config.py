"""The YAML of one training run, checked before anything starts.

Every mistake ends in one line that names the file, the key and what is accepted; a misspelt key names the nearest one.
"""

from __future__ import annotations

import dataclasses
import inspect
import typing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from sinuca_env.state.errors import SinucaError, suggest

__all__ = [
    "ALGORITHMS",
    "EnvConfig",
    "NetworkConfig",
    "TrainConfig",
    "algorithm_class",
    "check_config",
    "config_dict",
    "load_config",
]

ALGORITHMS = {
    "ppo": ("stable_baselines3", "PPO"),
    "sac": ("stable_baselines3", "SAC"),
    "tqc": ("sb3_contrib", "TQC"),
    "maskable_ppo": ("sb3_contrib", "MaskablePPO"),
}

MAX_SEED = 1_000_000_000
"""Training seeds stay below; from here up they are reserved for evaluation."""

ACTIVATIONS = ("elu", "relu", "silu", "tanh")
# Arguments of the SB3 constructors that the run itself decides.
_OURS = {"self", "env", "policy", "policy_kwargs", "tensorboard_log", "verbose", "seed", "device", "_init_setup_model"}
# What SB3 itself takes without a word and stumbles over in the middle of the run; gamma and gae_lambda are from 0 to 1.
_MODEL_COUNTS = {"n_steps": 1, "n_epochs": 1, "batch_size": 1}


@dataclass(frozen=True)
class EnvConfig:
    """Which environment: its id and the keyword arguments of its constructor."""

    id: str = "SinucaPot-v0"
    kwargs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class NetworkConfig:
    """The policy's network.

    Attributes:
        hidden: sizes of the hidden layers.
        activation: one of ``relu tanh elu silu``.
        log_std: first log standard deviation of the actions (PPO).
        skip: actor and critic share the hidden layers and see the observation beside them.
    """

    hidden: list[int] = field(default_factory=lambda: [128, 128])
    activation: str = "relu"
    log_std: float = 0.0
    skip: bool = False


@dataclass(frozen=True)
class EvaluationConfig:
    """The learning curve: episodes on seeds of their own, every so many steps (0 = never)."""

    every: int = 100_000
    episodes: int = 500


@dataclass(frozen=True)
class CheckpointConfig:
    """Checkpoints every so many steps (0 = only at the end), of which the last ``keep`` stay."""

    every: int = 500_000
    keep: int = 2


@dataclass(frozen=True)
class TrainConfig:
    """One training run.

    Attributes:
        name: of the run; its files go to ``runs/NAME``.
        algorithm: one of ``ppo sac tqc maskable_ppo``.
        env: environment id and arguments.
        lanes: tables played at once.
        steps: of all lanes together; the run ends there.
        minutes: or when this time is up, whichever comes first (0 = no limit).
        seed: of the networks and the layouts, below 1,000,000,000.
        threads: of torch (0 = leave as it is).
        anneal: the learning rate falls linearly to zero with the steps or the minutes, whichever is further on.
        model: arguments of the SB3 constructor, by their own names.
        network: see :class:`NetworkConfig`.
        evaluation: see :class:`EvaluationConfig`.
        checkpoint: see :class:`CheckpointConfig`.
        measured: what this config scored, and where; for readers, not read by the program.
    """

    name: str
    algorithm: str = "ppo"
    env: EnvConfig = field(default_factory=EnvConfig)
    lanes: int = 64
    steps: int = 1_000_000
    minutes: float = 0.0
    seed: int = 0
    threads: int = 0
    anneal: bool = False
    model: dict[str, Any] = field(default_factory=dict)
    network: NetworkConfig = field(default_factory=NetworkConfig)
    evaluation: EvaluationConfig = field(default_factory=EvaluationConfig)
    checkpoint: CheckpointConfig = field(default_factory=CheckpointConfig)
    measured: dict[str, Any] = field(default_factory=dict)


def load_config(path: str | Path) -> TrainConfig:
    """Read and check a config file.

    Raises:
        SinucaError: unreadable, not YAML, or a key or value that is not accepted; one line says which.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SinucaError(f"{path}: not a text file") from None
    except OSError as error:
        raise SinucaError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        raise SinucaError(f"{path}: {where}not YAML: {getattr(error, 'problem', None) or 'unreadable'}") from None
    if isinstance(data, dict):
        data.setdefault("name", path.stem)
    try:
        config = _build(TrainConfig, data, "")
        check_config(config)
    except SinucaError as error:
        raise SinucaError(f"{path}: {error}") from None
    return config


def config_dict(config: TrainConfig) -> dict[str, Any]:
    """The config as plain data, as it is written beside the run's results."""
    return dataclasses.asdict(config)


def _build(cls: Any, data: Any, where: str) -> Any:
    """A config dataclass from a mapping, each key and type checked."""
    if not isinstance(data, dict):
        raise SinucaError(f"{where or 'the file'}: expected keys and values, found {_kind(data)}")
    types = typing.get_type_hints(cls)
    for key in data:
        if key not in types:
            raise SinucaError(
                f"unknown key '{_at(where, key)}'{suggest(str(key), types)}: one of {', '.join(sorted(types))}"
            )
    return cls(**{key: _value(types[key], value, _at(where, key)) for key, value in data.items()})


def _value(kind: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(kind):
        return _build(kind, {} if value is None else value, where)
    if typing.get_origin(kind) is dict:
        if not isinstance(value, dict):
            raise SinucaError(f"{where}: expected keys and values, found {_kind(value)}")
        return {str(key): _number(entry) for key, entry in value.items()}
    if typing.get_origin(kind) is list:
        if not isinstance(value, list):
            raise SinucaError(f"{where}: expected a list, found {_kind(value)}")
        return [_value(typing.get_args(kind)[0], entry, where) for entry in value]
    value = _number(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not kind:
        words = {int: "a whole number", float: "a number", str: "a word", bool: "true or false"}
        raise SinucaError(f"{where}: expected {words[kind]}, found {value!r}")
    return value


def _number(value: Any) -> Any:
    """YAML reads ``1e-3`` as a word; people mean a number."""
    if isinstance(value, str) and value[:1].lower() in "0123456789+-.":
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _kind(value: Any) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {value!r}"[:80]


def _at(where: str, key: Any) -> str:
    return f"{where}.{key}" if where else str(key)


def check_config(config: TrainConfig) -> TrainConfig:
    """The config itself if its values are accepted.

    Raises:
        SinucaError: one line says which value is not.
    """

    def at_least(low: float, **values: float) -> None:
        for key, value in values.items():
            if not value >= low:
                raise SinucaError(f"{key.replace('__', '.')}: {value} is below {low}")

    at_least(1, lanes=config.lanes, steps=config.steps, evaluation__episodes=config.evaluation.episodes)
    at_least(1, checkpoint__keep=config.checkpoint.keep)
    at_least(0, minutes=config.minutes, seed=config.seed, threads=config.threads)
    at_least(0, evaluation__every=config.evaluation.every, checkpoint__every=config.checkpoint.every)
    if not config.network.hidden or min(config.network.hidden) < 1:
        raise SinucaError("network.hidden: expected a list of layer sizes, at least one")
    if config.seed + config.lanes > MAX_SEED:
        raise SinucaError(f"seed: {config.seed} reaches the seeds from {MAX_SEED} up, reserved for evaluation")
    if not config.name or "/" in config.name or config.name.startswith("."):
        raise SinucaError(f"name: '{config.name}' is not a folder's name")
    for key, word, accepted in (
        ("algorithm", config.algorithm, ALGORITHMS),
        ("network.activation", config.network.activation, ACTIVATIONS),
    ):
        if word not in accepted:
            raise SinucaError(f"{key}: unknown '{word}'{suggest(word, accepted)}: one of {', '.join(accepted)}")
    arguments = sorted(set(inspect.signature(algorithm_class(config.algorithm)).parameters) - _OURS)
    for key in config.model:
        if key not in arguments:
            raise SinucaError(f"unknown key 'model.{key}'{suggest(key, arguments)}: one of {', '.join(arguments)}")
    _check_model(config.model)
    return config


def _check_model(model: dict[str, Any]) -> None:
    for key, low in _MODEL_COUNTS.items():
        value = model.get(key, low)
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            raise SinucaError(f"model.{key}: {value!r}: a whole number from {low}")
    for key in ("gamma", "gae_lambda"):
        value = model.get(key, 0.0)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise SinucaError(f"model.{key}: {value!r}: a number from 0 to 1")


def algorithm_class(name: str) -> Any:
    """The SB3 class of an algorithm.

    Raises:
        SinucaError: the training extra is not installed.
    """
    module, attribute = ALGORITHMS[name]
    try:
        return getattr(__import__(module), attribute)
    except ImportError as error:
        raise SinucaError(f"training needs the extra 'train' (pip install 'sinuca_env[train]'): {error}") from None
