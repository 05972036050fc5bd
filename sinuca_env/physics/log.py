"""The log of a watched shot: events and pieces of paths, written by the same kernels as in batches.

A log with no rows keeps nothing and costs a comparison per event.
"""

from __future__ import annotations

from sinuca_env._jit import kernel
from sinuca_env.physics.motion import T0

__all__ = [
    "LOG_BALL", "LOG_JAW", "LOG_LINE", "LOG_POCKET", "LOG_ROLL", "LOG_STOP", "LOG_STRIKE", "log_ball", "log_event",
]  # fmt: skip

LOG_STRIKE, LOG_BALL, LOG_LINE, LOG_JAW, LOG_POCKET, LOG_ROLL, LOG_STOP = range(7)
"""Event codes."""


@kernel
def log_event(log, marks, now, code, i, j, x, y):
    """Append an event to the log if one is kept; ``marks`` counts even what does not fit."""
    if log.shape[0] > 0:
        k = marks[0]
        if k < log.shape[0]:
            log[k, 0], log[k, 1], log[k, 2], log[k, 3], log[k, 4], log[k, 5] = now, code, i, j, x, y
        marks[0] = k + 1


@kernel
def log_ball(paths, marks, balls, phase, slot, i):
    """Append the new path of a ball to the log if one is kept."""
    if paths.shape[0] > 0:
        k = marks[1]
        if k < paths.shape[0]:
            paths[k, 0] = slot
            paths[k, 1] = balls[i, T0]
            for c in range(9):
                paths[k, 2 + c] = balls[i, c]
            paths[k, 11] = phase[i]
        marks[1] = k + 1
