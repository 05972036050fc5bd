"""Uniform over an action space, the ``box`` face's by default: the yardstick that every policy must beat."""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel, records
from sinuca_env.game.action import FACES, face_size
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


class RandomPolicy:
    """Every component of the action uniform in [-1, 1]; options and calls the likeliest among the legal ones.

    Args:
        action: face of the action space: ``box``, ``relative`` or ``target``.

    Raises:
        SinucaError: another face.
    """

    name = "random"

    def __init__(self, action: str = "box") -> None:
        if action not in FACES:
            raise SinucaError(f"action: unknown face '{action}'{suggest(action, FACES)}: one of {', '.join(FACES)}")
        from sinuca_env.envs.drivers import DECODERS  # imports this room's registry in turn

        self.action, self._decode = action, DECODERS[action]

    def act(self, view: View) -> np.ndarray:
        """One decision per table."""
        decisions = np.zeros(len(view), DECISION)
        actions = np.zeros((len(view), face_size(self.action)))
        frames = records(view.frames)
        _uniform_actions(frames, actions)
        self._decode(
            actions, False, frames, view.layouts, records(view.legals), records(view.spec.record), records(view.params),
            records(decisions), np.arange(len(view)),
        )  # fmt: skip
        return decisions
