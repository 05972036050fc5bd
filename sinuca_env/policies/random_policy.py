"""Uniform over an action space, the ``box`` face's by default: the yardstick that every policy must beat."""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel, records
from sinuca_env.game.action import decode_box, decode_relative, face_size
from sinuca_env.game.rng import STREAM_POLICY, uniform_pair
from sinuca_env.game.view import View
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.records import DECISION

__all__ = ["RandomPolicy"]


@kernel
def _uniform_actions(frames, actions):
    for i in range(len(frames)):
        frame = frames[i]
        for k in range(0, actions.shape[1], 2):
            u, v = uniform_pair(frame.rng_key, frame.rng_counter, STREAM_POLICY, k)
            actions[i, k] = 2.0 * u - 1.0
            if k + 1 < actions.shape[1]:
                actions[i, k + 1] = 2.0 * v - 1.0


@kernel
def _decode_box(actions, frames, layouts, legals, table, decisions):
    for i in range(len(frames)):
        decode_box(actions[i], False, frames[i], layouts[i], legals[i], table[0], decisions[i])


@kernel
def _decode_relative(actions, frames, layouts, legals, table, decisions):
    for i in range(len(frames)):
        decode_relative(actions[i], False, frames[i], layouts[i], legals[i], table[0], decisions[i])


_DECODE = {"box": _decode_box, "relative": _decode_relative}


class RandomPolicy:
    """Every component of the action uniform in [-1, 1]; options and calls the likeliest among the legal ones.

    Args:
        action: face of the action space: ``box`` or ``relative``.

    Raises:
        SinucaError: another face.
    """

    name = "random"

    def __init__(self, action: str = "box") -> None:
        if action not in _DECODE:
            raise SinucaError(f"action: unknown face '{action}'{suggest(action, _DECODE)}: one of {', '.join(_DECODE)}")
        self.action = action

    def act(self, view: View) -> np.ndarray:
        """One decision per table."""
        decisions = np.zeros(len(view), DECISION)
        actions = np.zeros((len(view), face_size(self.action)))
        frames = records(view.frames)
        _uniform_actions(frames, actions)
        _DECODE[self.action](
            actions, frames, view.layouts, records(view.legals), records(view.spec.record), records(decisions)
        )
        return decisions
