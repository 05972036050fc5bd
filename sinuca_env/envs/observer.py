"""From tables to observations in the form that an environment's space has.

``"dict"`` observations hold the numbers of ``"flat"`` by name (``DICT_PARTS``), for networks with an input per part:

| Key | Shape | Numbers of ``"flat"`` |
|---|---|---|
| balls | (22, 6) | 0-131 |
| ball_on | (8,) | 132-139 |
| calls | (7,) | 140-146 |
| free_calls | (6,) | 147-152 |
| offers | (4,) | 153-156 |
| phase | (5,) | 157-161 |
| snooker | (4,) | 162-165 |
| scores | (5,) | 166-170 |
| counts | (9,) | 171-179 |
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from sinuca_env._jit import records
from sinuca_env.envs.config import EnvConfig
from sinuca_env.envs.drivers import OBSERVERS
from sinuca_env.envs.observation import FLAT_SIZE, observation_size
from sinuca_env.game.potting import POT

__all__ = ["DICT_PARTS", "Observer"]

DICT_PARTS: dict[str, tuple[int, int, tuple[int, ...]]] = {
    "balls": (0, 132, (22, 6)),
    "ball_on": (132, 140, (8,)),
    "calls": (140, 147, (7,)),
    "free_calls": (147, 153, (6,)),
    "offers": (153, 157, (4,)),
    "phase": (157, 162, (5,)),
    "snooker": (162, 166, (4,)),
    "scores": (166, 171, (5,)),
    "counts": (171, FLAT_SIZE, (9,)),
}
"""First and last number (exclusive) in ``"flat"``, and shape, by key."""


class Observer:
    """Observations of tables under one environment's arguments.

    Attributes:
        space: of one table's observation.
    """

    def __init__(self, config: EnvConfig) -> None:
        self._config = config
        self._is_dict = config.observation == "dict"
        self._size = observation_size(config.observation, config.single)
        kind = "pot" if config.single and config.observation == "set" else config.observation
        self._observe = OBSERVERS["flat" if self._is_dict else kind]
        self._pots = np.zeros(1, POT)
        self.space: spaces.Space[Any] = spaces.Box(-1.0, 1.0, (self._size,), np.float32)
        if self._is_dict:
            self.space = spaces.Dict(
                {name: spaces.Box(-1.0, 1.0, shape, np.float32) for name, (_, _, shape) in DICT_PARTS.items()}
            )

    def flat(self, tables: Any, sides: np.ndarray, lanes: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """(n, size) rows of all tables; only those of ``lanes`` are written.

        Args:
            tables: :class:`sinuca_env.game.tables.Tables` or a :class:`sinuca_env.game.view.View`.
            sides: (n,) whose view.
            lanes: which rows.
            out: rows to write into, fresh ones by default.
        """
        t = tables
        out = np.empty((len(t.frames), self._size), np.float32) if out is None else out
        self._observe(
            records(t.frames), t.layouts, records(t.legals), records(t.cfg), records(t.spec.record),
            self._config.max_strokes, records(self._pots), sides, out, lanes,
        )  # fmt: skip
        return out

    def shaped(self, rows: np.ndarray) -> Any:
        """The rows in the form of the batched space (for ``"dict"``: a dict of arrays)."""
        if not self._is_dict:
            return rows
        n = len(rows)
        return {name: rows[:, a:b].reshape((n, *shape)).copy() for name, (a, b, shape) in DICT_PARTS.items()}

    def each(self, rows: np.ndarray) -> list[Any]:
        """One observation per row; they share the memory of ``rows``."""
        if not self._is_dict:
            return list(rows)
        return [{name: row[a:b].reshape(shape) for name, (a, b, shape) in DICT_PARTS.items()} for row in rows]
