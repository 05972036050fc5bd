"""Compile the physics in a second process while the first compiles the rest.

Numba compiles one function at a time in a process. On two cores a helper halves the wait before the first step; it
ends when the physics is compiled, and is started only where there is something to compile.
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np

from sinuca_env._jit import JIT, is_compiled
from sinuca_env.physics import physics_params, simulate_batch
from sinuca_env.physics.simulate import run
from sinuca_env.state.records import SHOT, STRIKE
from sinuca_env.table.spec import table_spec

__all__ = ["compile_physics", "help_compiling", "is_helped"]

_helper: subprocess.Popen[bytes] | None = None


def compile_physics() -> None:
    """Play one short stroke with the event engine."""
    layouts = np.full((1, 22, 2), np.nan)
    layouts[0, 0] = 0.0, 0.0
    strikes = np.zeros(1, STRIKE)
    strikes["speed"] = 0.01
    simulate_batch(
        layouts, np.ones(1, np.uint32), strikes, np.zeros(1, SHOT), table_spec("snooker_12ft"), physics_params()
    )


def help_compiling() -> None:
    """Start the helper, once a process, if the physics is not compiled yet and there is a second core for it."""
    global _helper
    if _helper is not None or not JIT or is_compiled(run) or (os.cpu_count() or 1) < 2:
        return
    code = "from sinuca_env.game.warm import compile_physics; compile_physics()"
    environment = os.environ | {"SINUCA_QUIET": "1"}
    _helper = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def is_helped() -> bool:
    """Whether the helper is at work."""
    return _helper is not None and _helper.poll() is None
