"""What a policy sees: the tables it has to decide for, compacted.

A policy is anything with ``act(view) -> DECISION array`` (one decision a table, in the view's order). The same policy
plays as agent in an evaluation and as opponent inside an environment. It draws randomness with
:mod:`sinuca_env.game.rng` from ``(frame.rng_key, frame.rng_counter, STREAM_POLICY, index)`` and changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sinuca_env.table.spec import TableSpec

__all__ = ["Policy", "View"]


@dataclass(frozen=True)
class View:
    """Tables to decide for. Copies: a policy may write into them without effect.

    Attributes:
        frames: (n,) FRAME.
        layouts: (n, 22, 2) m; NaN off the table, the cue ball's row is NaN while it is in hand.
        legals: (n,) LEGAL.
        spec: the table; ``spec.record`` for kernels.
        params: (1,) PHYSICS.
        cfg: (1,) RULES.
    """

    frames: np.ndarray
    layouts: np.ndarray
    legals: np.ndarray
    spec: TableSpec
    params: np.ndarray
    cfg: np.ndarray

    def __len__(self) -> int:
        return len(self.frames)


class Policy(Protocol):
    """One decision per table of the view."""

    def act(self, view: View) -> np.ndarray:
        """Return (n,) DECISION."""
        ...
