"""The physics engines by name."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from sinuca_env.physics import simulate_batch
from sinuca_env.state.errors import SinucaError

__all__ = ["engine_of"]


def engine_of(name: str) -> Callable[..., Any]:
    """The batch driver of an engine: ``event`` (Numba kernels) or ``pymunk`` (one Pymunk space per table, slow)."""
    if name == "event":
        return simulate_batch
    try:
        module = importlib.import_module("sinuca_env.physics.pymunk_table")
    except ImportError as error:
        raise SinucaError(f"engine: '{name}' is not available: {error}") from None
    return module.simulate_batch
