"""One training run: Stable-Baselines3 through the vector environment, from config to model."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sinuca_env.bench.training.clock import Clock
from sinuca_env.bench.training.config import MAX_SEED, TrainConfig, algorithm_class, config_dict
from sinuca_env.bench.training.files import RunFolder
from sinuca_env.state.errors import SinucaError

__all__ = ["CURVE_SEED", "TrainResult", "make_model", "make_vec_env", "score", "train"]

CURVE_SEED = 1_500_000_000
"""First seed of the learning curve's episodes: used neither in training nor by ``sinuca eval`` (1,000,000,000 up)."""

_ACTIVATIONS = {"relu": "ReLU", "tanh": "Tanh", "elu": "ELU", "silu": "SiLU"}


@dataclass
class TrainResult:
    """What a run left: its folder, the model, the learning curve and where the time went (s)."""

    folder: Path
    model: Any
    curve: list[dict[str, float]]
    steps: int
    seconds: float
    parts: dict[str, float]


def make_vec_env(config: TrainConfig, lanes: int) -> Any:
    """The SB3 vector environment of a config.

    Raises:
        SinucaError: unknown environment id or arguments.
    """
    from sinuca_env.envs import SinucaVecEnv

    return SinucaVecEnv(config.env.id, lanes, **config.env.kwargs)


def make_model(config: TrainConfig, env: Any, tensorboard: Path | None = None) -> Any:
    """An untrained SB3 model of a config."""
    import torch

    if config.threads:
        torch.set_num_threads(config.threads)
    activation = getattr(torch.nn, _ACTIVATIONS[config.network.activation])
    network: dict[str, Any] = {"net_arch": list(config.network.hidden), "activation_fn": activation}
    if config.network.skip:
        from sinuca_env.bench.training.network import SkipExtractor

        network["net_arch"] = {"pi": [], "vf" if "ppo" in config.algorithm else "qf": list(config.network.hidden[-1:])}
        network["features_extractor_class"] = SkipExtractor
        network["features_extractor_kwargs"] = {"hidden": list(config.network.hidden), "activation": activation}
    if config.algorithm == "ppo":
        network["log_std_init"] = config.network.log_std
    policy = "MultiInputPolicy" if hasattr(env.observation_space, "spaces") else "MlpPolicy"
    try:
        return algorithm_class(config.algorithm)(
            policy,
            env,
            policy_kwargs=network,
            seed=config.seed,
            device="cpu",
            tensorboard_log=str(tensorboard) if tensorboard else None,
            **config.model,
        )
    except (AssertionError, TypeError, ValueError) as error:
        raise SinucaError(f"model: {str(error).splitlines()[0]}") from None


def score(model: Any, env: Any, seed: int = CURVE_SEED) -> dict[str, float]:
    """One episode per lane with the model's best guess (no exploration).

    Returns:
        ``mean_return`` and, where the environment tells ``is_success``, ``success_rate``.
    """
    env.seed(seed)
    observation = env.reset()
    open_lanes = np.ones(env.num_envs, bool)
    returns, successes = np.zeros(env.num_envs), np.full(env.num_envs, np.nan)
    while open_lanes.any():
        masks = {"action_masks": np.array(env.env_method("action_masks"))} if _is_maskable(model) else {}
        action, _ = model.predict(observation, deterministic=True, **masks)
        observation, reward, done, infos = env.step(action)
        returns[open_lanes] += reward[open_lanes]
        for lane in np.flatnonzero(open_lanes & done):
            successes[lane] = infos[lane].get("is_success", np.nan)
        open_lanes &= ~done
    result = {"mean_return": float(returns.mean())}
    if np.isfinite(successes).all():
        result["success_rate"] = float(successes.mean())
    return result


def _is_maskable(model: Any) -> bool:
    return type(model).__name__ == "MaskablePPO"


def train(
    config: TrainConfig,
    folder: str | Path | None = None,
    *,
    resume: bool = False,
    overwrite: bool = False,
    quiet: bool = False,
) -> TrainResult:
    """Train, or go on training, and leave the model in the run's folder.

    Args:
        config: see :func:`sinuca_env.bench.training.load_config`.
        folder: of the run; ``runs/NAME`` if not given.
        resume: go on from the last checkpoint instead of starting.
        overwrite: replace a run that is there already.
        quiet: no progress bar.

    Raises:
        SinucaError: bad arguments, a folder in use, nothing to resume; nothing is changed then.
    """
    from sinuca_env.bench.training.callbacks import run_callbacks

    files = RunFolder(folder if folder is not None else Path("runs") / config.name)
    plain = config_dict(config)
    state: dict[str, Any] = files.resumable(plain) if resume else {"steps": 0, "seconds": 0.0, "parts": {}}
    env = make_vec_env(config, config.lanes)
    try:
        model = make_model(config, env)
        if not resume:
            files.start(plain, overwrite=overwrite)
        else:
            model = _resumed_model(config, files, env, state)
        model.tensorboard_log = str(files.tensorboard)
        clock = Clock(config.steps, config.minutes, before=state["seconds"])
        clock.parts.update(state["parts"])
        if config.anneal:
            rate = float(model.learning_rate)
            model.lr_schedule = lambda _remaining: rate * max(1e-3, 1.0 - clock.progress(model.num_timesteps))
        callbacks = run_callbacks(config, files, clock, quiet=quiet)
        left = config.steps - state["steps"]
        if left > 0 and not clock.is_up:
            model.learn(left, callback=callbacks, reset_num_timesteps=not resume, tb_log_name="run", log_interval=4)
        return TrainResult(
            files.folder, model, files.read_curve(), model.num_timesteps, clock.seconds, dict(clock.parts)
        )
    except KeyboardInterrupt:
        if files.state.exists() and files.model.exists():
            print(f"\nstopped; --resume goes on from the last checkpoint in {files.folder}", file=sys.stderr)
        else:
            print(f"\nstopped before the first checkpoint; --overwrite starts {files.folder} again", file=sys.stderr)
        raise
    finally:
        env.close()


def _resumed_model(config: TrainConfig, files: RunFolder, env: Any, state: dict[str, Any]) -> Any:
    try:
        model = algorithm_class(config.algorithm).load(files.model, env=env, device="cpu")
        if getattr(model, "replay_buffer", None) is not None and files.buffer.exists():
            model.load_replay_buffer(files.buffer)
    except Exception as error:
        raise SinucaError(f"{files.model}: cannot be loaded: {str(error).splitlines()[0]}") from None
    if model.num_timesteps != state["steps"]:
        raise SinucaError(f"{files.model}: {model.num_timesteps} steps, but {files.state.name} says {state['steps']}")
    files_curve = files.read_curve(until=state["steps"])
    files.rewrite_curve(files_curve)
    # Fresh layouts, not those of the first session once more.
    env.seed((config.seed + state["steps"]) % (MAX_SEED - config.lanes))
    return model
