"""Execution noise: what it changes, by how much, and what it leaves alone."""

import math

import numpy as np
import pytest

from sinuca_env._jit import records
from sinuca_env.game.noise import NOISE_LEVELS, noise_config, noisy_strike
from sinuca_env.physics import physics_params
from sinuca_env.physics.strike import strike as struck
from sinuca_env.state import SinucaError
from sinuca_env.state.records import FRAME, STRIKE

PARAMS = physics_params()


def played(noise, side=0.2, top=-0.1, n=4000):
    """Departures (angle, speed) and tips of n noisy strokes aimed along 0 at 2 m/s."""
    record, frame, stroke = noise_config(noise), np.zeros(1, FRAME), np.zeros(1, STRIKE)
    frame["rng_key"] = 9
    rows = []
    for counter in range(n):
        frame["rng_counter"] = counter
        stroke[0] = 0
        stroke["speed"], stroke["side"], stroke["top"] = 2.0, side, top
        noisy_strike(records(stroke)[0], records(record)[0], records(frame)[0], records(PARAMS)[0])
        vx, vy, *_ = struck(records(stroke)[0], records(PARAMS)[0])
        rows.append((math.atan2(vy, vx), math.hypot(vx, vy), stroke["side"][0], stroke["top"][0]))
    return np.array(rows)


def test_none_changes_nothing():
    row = played("none", n=1)[0]
    assert row[2] == 0.2
    assert row[3] == -0.1


@pytest.mark.parametrize("level", ["robot", "pro", "county"])
def test_departure_errs_as_the_level_says(level):
    rows = played(level)
    exact = played("none", n=1)[0]
    sigma = NOISE_LEVELS[level]
    assert rows[:, 0].std() == pytest.approx(sigma["angle"], rel=0.06)
    assert rows[:, 0].mean() == pytest.approx(exact[0], abs=4 * sigma["angle"] / math.sqrt(len(rows)))
    assert (rows[:, 1] / exact[1]).std() == pytest.approx(sigma["speed_share"], rel=0.06)
    assert rows[:, 2].std() == pytest.approx(sigma["side"], rel=0.06)


def test_a_tip_error_alone_changes_the_spin_only():
    rows = played({"side": 0.03, "top": 0.03})
    assert rows[:, 2].std() > 0.02
    assert np.ptp(rows[:, 0]) < 1e-12
    assert np.ptp(rows[:, 1]) < 1e-12


@pytest.mark.parametrize(
    ("noise", "word"),
    [
        ("prp", "pro"),
        ({"angel": 0.1}, "angle"),
        ({"angle": -1.0}, "0 or more"),
        ({"angle": "x"}, "0 or more"),
        (3, "level"),
    ],
)
def test_bad_noise_is_named(noise, word):
    with pytest.raises(SinucaError, match=word):
        noise_config(noise)
