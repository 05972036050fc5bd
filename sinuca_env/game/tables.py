"""Many tables in play: all arrays of a batch, and the whole step over it.

``decide`` (anyone) -> ``Tables.step``: placement, call, noise -> physics -> referee -> next frame -> permission.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np

from sinuca_env._jit import records
from sinuca_env.game.noise import NOISE
from sinuca_env.game.potting import POT
from sinuca_env.game.reset import frame_task
from sinuca_env.game.rng import key_from_seed
from sinuca_env.game.step import finish_lanes, prepare_lanes, settle_lanes, start_lanes
from sinuca_env.game.view import View
from sinuca_env.game.warm import help_compiling, is_helped
from sinuca_env.physics import physics_params, simulate_batch
from sinuca_env.rules import rules_config
from sinuca_env.state.balls import N_SLOTS
from sinuca_env.state.records import DECISION, FRAME, LEGAL, RULING, SHOT, STRIKE
from sinuca_env.table.spec import TableSpec, table_spec

__all__ = ["Tables"]


class Tables:
    """B tables and everything that is needed to play on them.

    Attributes:
        frames, layouts, legals: (B,) FRAME, (B, 22, 2) m, (B,) LEGAL: the situation before the next decision. A
            layout's row is NaN off the table; the cue ball's while it is in hand.
        decisions, strikes, befores, shots, rulings: of the last step: the decision as it was taken, the stroke as it
            was played (noise and elevation included), where the balls lay before it, what happened, the verdict.
        spec, params, cfg, task, noise: the table and the one-element records.
        seconds: time spent in all steps so far, by part: ``physics``, ``rules`` (the referee and what follows from his
            ruling) and ``stroke`` (placement, elevation, noise).
    """

    def __init__(
        self,
        n: int,
        table: str | TableSpec = "snooker_12ft",
        cfg: np.ndarray | None = None,
        params: np.ndarray | None = None,
        task: np.ndarray | None = None,
        noise: np.ndarray | None = None,
        allow_concede: bool = False,
        simulate: Any = simulate_batch,
    ) -> None:
        help_compiling()
        self.n = n
        self.spec = table_spec(table)
        self.cfg = rules_config() if cfg is None else cfg
        self.params = physics_params() if params is None else params
        self.task = (frame_task(solo=False) if task is None else task).copy()
        for name in ("rack_gap", "rack_jitter"):
            self.task[name] = self.params[name]
        self.noise = np.zeros(1, NOISE) if noise is None else noise
        self.allow_concede = allow_concede
        self.simulate = simulate
        self.frames = np.zeros(n, FRAME)
        self.layouts = np.full((n, N_SLOTS, 2), np.nan)
        self.legals = np.zeros(n, LEGAL)
        self.decisions = np.zeros(n, DECISION)
        self.strikes = np.zeros(n, STRIKE)
        self.befores = np.full((n, N_SLOTS, 2), np.nan)
        self.shots = np.zeros(n, SHOT)
        self.rulings = np.zeros(n, RULING)
        self._on_tables = np.zeros(n, np.uint32)
        self._aims = np.zeros(n, np.int64)
        self._playing = np.zeros(n, np.int64)
        self._pots = np.zeros(1, POT)
        self.all_lanes = np.arange(n)
        self.seconds = {"stroke": 0.0, "physics": 0.0, "rules": 0.0}

    def seed(self, seeds: Sequence[int], lanes: np.ndarray | None = None) -> None:
        """Give each lane the random stream of its own seed."""
        lanes = self.all_lanes if lanes is None else lanes
        self.frames["rng_key"][lanes] = [key_from_seed(s) for s in seeds]
        self.frames["rng_counter"][lanes] = 0

    def reset(self, lanes: np.ndarray | None = None) -> None:
        """Start new episodes."""
        lanes = self.all_lanes if lanes is None else lanes
        start_lanes(
            records(self.frames), self.layouts, records(self.spec.record), records(self.cfg), records(self.task),
            records(self.legals), records(self._pots), lanes, self.allow_concede,
        )  # fmt: skip

    def settle(self, lanes: np.ndarray | None = None) -> None:
        """Permission and canonical order of the reds after frames or layouts were written from outside."""
        settle_lanes(
            records(self.frames), self.layouts, records(self.cfg), records(self.spec.record), records(self.task),
            records(self.legals), self.all_lanes if lanes is None else lanes, self.allow_concede,
        )  # fmt: skip

    def step(self, decisions: np.ndarray, lanes: np.ndarray | None = None) -> None:
        """Take one decision on each of ``lanes`` (increasing int64 indices; ``decisions`` in their order).

        A lane whose episode is over must be reset first: the referee would change nothing.
        """
        if lanes is None:
            lanes = self.all_lanes
            self.decisions[:] = decisions
        else:
            self.decisions[lanes] = decisions
        frames, decs, shots = records(self.frames), records(self.decisions), records(self.shots)
        table, params, legals = records(self.spec.record), records(self.params), records(self.legals)
        times = [perf_counter()]
        n = prepare_lanes(
            frames, self.layouts, decs, legals, records(self.noise), table, params, records(self.strikes), shots,
            self.befores, self._on_tables, self._aims, lanes, self._playing,
        )  # fmt: skip
        playing = self._playing[:n]
        ruled = (
            frames, self.layouts, shots, decs, records(self.cfg), table, records(self.task), records(self.rulings),
            legals, self.befores, self._aims,
        )  # fmt: skip
        if is_helped():
            # On no table: the referee compiles here while the helper compiles the physics.
            finish_lanes(*ruled, lanes[:0], playing[:0], self.allow_concede)
        times.append(perf_counter())
        if n:
            self.simulate(self.layouts, self._on_tables, self.strikes, self.shots, self.spec, self.params, playing)
        times.append(perf_counter())
        finish_lanes(*ruled, lanes, playing, self.allow_concede)
        times.append(perf_counter())
        for name, start, end in zip(self.seconds, times[:-1], times[1:], strict=True):
            self.seconds[name] += end - start

    def view(self, lanes: np.ndarray | None = None) -> View:
        """Copies of the situations of ``lanes``, for a policy."""
        at = self.all_lanes if lanes is None else lanes
        return View(self.frames[at], self.layouts[at], self.legals[at], self.spec, self.params, self.cfg)
