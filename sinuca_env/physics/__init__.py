"""The physics table: event-driven engine, models, shot files."""

from sinuca_env.physics.batch import simulate_batch
from sinuca_env.physics.engines import ENGINES, engine_batch
from sinuca_env.physics.params import PHYSICS, physics_dict, physics_params
from sinuca_env.physics.shotfile import simulate

__all__ = ["ENGINES", "PHYSICS", "engine_batch", "physics_dict", "physics_params", "simulate", "simulate_batch"]
