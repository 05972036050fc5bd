"""Double hit and push on a close ball (articles 40-II and 40-III): the criterion, its switch, both engines."""

from __future__ import annotations

import numpy as np
import pytest

import sinuca_env
from sinuca_env.rules import fouls_of_bits


def flags(gap: float, *, cut: float = 0.0, speed: float = 2.0, on: bool = True, engine: str = "event") -> list[str]:
    """Flags of a level centre-ball stroke along x onto a black at ``gap`` m, its centre ``cut`` m off the line."""
    ahead = (0.0525**2 - cut**2) ** 0.5
    shot = {
        "balls": {"cue": [-0.5, 0.0], "black": [-0.5 + ahead + gap, cut]},
        "strike": {"angle_deg": 0.0, "speed": speed},
        "physics": {"double_hit": on},
    }
    return sinuca_env.simulate(shot, engine=engine)["flags"]


@pytest.mark.parametrize("engine", ["event", "pymunk"])
def test_a_ball_within_the_tips_contact_time_is_pushed(engine):
    assert flags(0.001, engine=engine) == ["push"]


@pytest.mark.parametrize("engine", ["event", "pymunk"])
def test_a_ball_a_few_millimetres_away_straight_ahead_is_a_double_hit(engine):
    assert flags(0.006, engine=engine) == ["double_hit"]


def test_a_ball_beyond_the_follow_through_is_neither():
    assert flags(0.05) == []


def test_a_thin_contact_lets_the_cue_ball_run_ahead_of_the_cue():
    # At 60 degrees of cut the cue ball keeps 1 - 0.97 / 4 of its speed, the cue 0.37 of the ball's.
    assert flags(0.006, cut=0.0525 * 0.866) == []


def test_a_push_gets_longer_with_speed():
    assert flags(0.002, speed=1.0) == ["double_hit"]
    assert flags(0.002, speed=4.0) == ["push"]


def test_it_is_off_by_default():
    assert flags(0.001, on=False) == []


@pytest.mark.parametrize(("gap", "code"), [(0.001, "40-III"), (0.006, "40-II")])
def test_the_referee_hears_of_it(gap, code):
    env = sinuca_env.SinucaEnv(action="dict", physics={"double_hit": True})
    layout = {"cue": [-0.5, 0.3], "red": [[-0.4475 + gap, 0.3]]}
    layout |= {"yellow": [-1.0475, -0.292], "green": [-1.0475, 0.292], "brown": [-1.0475, 0.0], "blue": [0.0, 0.0]}
    env.reset(seed=0, options={"layout": layout | {"pink": [0.89225, 0.0], "black": [1.4605, 0.0]}})
    strike = np.array([0.0, 2.0, 0.0, 0.0, 0.0], np.float32)
    action = {"option": 0, "call": 1, "placement": np.zeros(2, np.float32), "strike": strike}
    *_, info = env.step(action)
    assert code in fouls_of_bits(int(info["foul_bits"]))
    env.close()
