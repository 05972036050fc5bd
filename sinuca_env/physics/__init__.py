"""The physics table: event-driven engine, models, shot files."""

from sinuca_env.physics.batch import simulate_batch
from sinuca_env.physics.params import PHYSICS, physics_dict, physics_params

__all__ = ["PHYSICS", "physics_dict", "physics_params", "simulate_batch"]
