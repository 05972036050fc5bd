"""Drivers: one scalar referee over many tables."""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel, records
from sinuca_env.rules.legality import legal_into
from sinuca_env.rules.referee import judge

__all__ = ["judge_batch", "legal_batch"]


@kernel
def judge_lanes(frames, layouts, shots, decisions, cfg, table, rulings, legals, lanes):
    """Judge the tables of ``lanes``."""
    for i in lanes:
        judge(frames[i], layouts[i], shots[i], decisions[i], cfg[0], table[0], rulings[i], legals[i])


@kernel
def legal_lanes(frames, layouts, cfg, table, legals, lanes):
    """Fill the permission of the tables of ``lanes``."""
    for i in lanes:
        legal_into(frames[i], layouts[i], cfg[0], table[0], legals[i])


def judge_batch(frames, layouts, shots, decisions, cfg, table, rulings, legals, lanes=None):
    """Rule on many tables, in place.

    Args:
        frames: (B,) FRAME, updated.
        layouts: (B, 22, 2) float64, positions at rest; returning balls are written.
        shots, decisions: (B,) SHOT and DECISION.
        cfg: (1,) RULES of :func:`sinuca_env.rules.rules_config`.
        table: (1,) TABLE record of a ``TableSpec`` (``spec.record``).
        rulings, legals: (B,) RULING and LEGAL, filled.
        lanes: int64 indices of the tables to judge; all by default.
    """
    if lanes is None:
        lanes = np.arange(len(frames))
    judge_lanes(
        records(frames), layouts, records(shots), records(decisions), records(cfg), records(table), records(rulings),
        records(legals), lanes,
    )  # fmt: skip


def legal_batch(frames, layouts, cfg, table, legals, lanes=None):
    """Fill the permissions of many tables (arguments as in :func:`judge_batch`)."""
    if lanes is None:
        lanes = np.arange(len(frames))
    legal_lanes(records(frames), layouts, records(cfg), records(table), records(legals), lanes)
