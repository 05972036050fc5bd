"""The geometric player: ghost balls, free lines, the best potting chance; nothing is simulated.

It pots when the analytic chance is worth it, otherwise it touches a target softly, kicks off a cushion when it sees
none, breaks thinly off the pack, and after a foul makes the offender play again out of a snooker. It thinks of the
present stroke only: no position play.
"""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel, records
from sinuca_env.game.candidates import CANDIDATE, MAX_CANDIDATES, generate, scratch
from sinuca_env.game.view import View
from sinuca_env.state.records import DECISION

__all__ = ["GreedyPolicy"]


@kernel
def _best(candidates, n):
    """Index of the highest score, the first of equals."""
    best = 0
    for k in range(1, n):
        if candidates[k].score > candidates[best].score:
            best = k
    return best


@kernel
def _act(frames, layouts, legals, table, params, sigma, place, pot, candidates, decisions):
    for i in range(len(frames)):
        n = generate(frames[i], layouts[i], legals[i], table[0], params[0], sigma, 3, True, place, pot[0], candidates)
        decisions[i] = candidates[_best(candidates, n)].decision


class GreedyPolicy:
    """The best-scored candidate.

    Args:
        sigma_deg: standard deviation of direction that chances are computed for, degrees; the ``pro`` level by default.
    """

    name = "greedy"

    def __init__(self, sigma_deg: float = 0.02) -> None:
        self.sigma = math.radians(sigma_deg)
        self._place, self._pot = scratch()
        self._candidates = np.zeros(MAX_CANDIDATES, CANDIDATE)

    def act(self, view: View) -> np.ndarray:
        """One decision per table."""
        decisions = np.zeros(len(view), DECISION)
        _act(
            records(view.frames), view.layouts, records(view.legals), records(view.spec.record), records(view.params),
            self.sigma, self._place, records(self._pot), records(self._candidates), records(decisions),
        )  # fmt: skip
        return decisions
