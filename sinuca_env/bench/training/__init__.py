"""Training with Stable-Baselines3: config, run, files. ``sinuca train`` and ``agents/train.py`` are thin shells."""

from sinuca_env.bench.training.config import TrainConfig, load_config
from sinuca_env.bench.training.run import TrainResult, train

__all__ = ["TrainConfig", "TrainResult", "load_config", "train"]
