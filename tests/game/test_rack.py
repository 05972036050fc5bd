"""The rack's gap and jitter are the physics' parameters, drawn from each table's own stream."""

from __future__ import annotations

import numpy as np
import pytest

import sinuca_env
from sinuca_env.table.layouts import smallest_gap


def racks(seed: int, **physics: float) -> np.ndarray:
    env = sinuca_env.SinucaVectorEnv(1, reds=15, physics=physics)
    env.reset(seed=seed)
    layout = env.play.tables.layouts[0].copy()
    env.close()
    return layout


def reds_only(layout: np.ndarray) -> np.ndarray:
    layout = layout.copy()
    layout[16:] = np.nan
    return layout


def test_the_usual_rack_is_tight_and_always_the_same():
    assert smallest_gap(reds_only(racks(1))) == pytest.approx(1e-5, abs=1e-9)
    assert np.array_equal(racks(1), racks(2), equal_nan=True)


def test_a_gap_separates_the_reds():
    assert smallest_gap(reds_only(racks(1, rack_gap=1e-3))) == pytest.approx(1e-3, abs=1e-9)


def test_jitter_is_seeded_and_never_lets_balls_meet():
    first = racks(1, rack_gap=1e-3, rack_jitter=5e-4)
    assert np.array_equal(first, racks(1, rack_gap=1e-3, rack_jitter=5e-4), equal_nan=True)
    other = racks(2, rack_gap=1e-3, rack_jitter=5e-4)
    assert not np.array_equal(first, other, equal_nan=True)
    for layout in (first, other):
        assert smallest_gap(layout) > 1.5e-5
        moved = np.abs(layout[1:16] - racks(1, rack_gap=1e-3)[1:16]).max()
        assert moved > 1e-5
