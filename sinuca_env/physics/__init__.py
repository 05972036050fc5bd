"""The physics table: event-driven engine, models, shot files."""

from sinuca_env.physics.batch import simulate_batch
from sinuca_env.physics.engines import ENGINES, engine_batch
from sinuca_env.physics.params import PHYSICS, physics_dict, physics_params
from sinuca_env.physics.shotfile import check_layout, simulate
from sinuca_env.physics.trace import Event, Trace, trace_shot

__all__ = [
    "ENGINES", "PHYSICS", "Event", "Trace", "check_layout", "engine_batch", "physics_dict", "physics_params",
    "simulate", "simulate_batch", "trace_shot",
]  # fmt: skip
