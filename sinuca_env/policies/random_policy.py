"""Uniform over the action space of the ``box`` face: the yardstick that every policy must beat."""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel, records
from sinuca_env.game.action import decode_box, face_size
from sinuca_env.game.rng import STREAM_POLICY, uniform_pair
from sinuca_env.game.view import View
from sinuca_env.state.records import DECISION

__all__ = ["RandomPolicy"]

_SIZE = face_size("box")


@kernel
def _act(frames, layouts, legals, table, action, decisions):
    for i in range(len(frames)):
        frame = frames[i]
        for k in range(0, action.shape[0], 2):
            u, v = uniform_pair(frame.rng_key, frame.rng_counter, STREAM_POLICY, k)
            action[k] = 2.0 * u - 1.0
            if k + 1 < action.shape[0]:
                action[k + 1] = 2.0 * v - 1.0
        decode_box(action, False, frame, layouts[i], legals[i], table[0], decisions[i])


class RandomPolicy:
    """Every component of the action uniform in [-1, 1]; options and calls the likeliest among the legal ones."""

    name = "random"

    def act(self, view: View) -> np.ndarray:
        """One decision per table."""
        decisions = np.zeros(len(view), DECISION)
        _act(
            records(view.frames), view.layouts, records(view.legals), records(view.spec.record), np.zeros(_SIZE),
            records(decisions),
        )  # fmt: skip
        return decisions
