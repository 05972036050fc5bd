"""Zero residual pots: throw, squirt and swerve are compensated, whatever the speed."""

import numpy as np
import pytest

from sinuca_env._jit import records
from sinuca_env.envs import SinucaVectorEnv
from sinuca_env.game.action import action_of_speed
from sinuca_env.game.potting import CUE_CLEAR, OBJECT_CLEAR, POSSIBLE, POT, pot_into

CLEAR = POSSIBLE | OBJECT_CLEAR | CUE_CLEAR
LANES = 300


def easiest_pockets(vector):
    """Pocket of the widest half-window among the free direct pots, -1 where none is over 0.3 degrees."""
    tables, pot, best = vector.tables, np.zeros(1, POT), np.full(LANES, -1)
    for lane in range(LANES):
        widest = np.deg2rad(0.3)
        cue = tables.layouts[lane, 0]
        for pocket in range(6):
            pot_into(tables.layouts[lane], 3, *cue, records(tables.spec.record)[0], 1, pocket, records(pot)[0])
            free = pot["flags"][0] & CLEAR == CLEAR and pot["cut"][0] <= np.deg2rad(60)
            if free and pot["half_window"][0] > widest:
                widest, best[lane] = pot["half_window"][0], pocket
    return best


@pytest.mark.parametrize("side", [0.0, 0.4])
@pytest.mark.parametrize("speed", [1.2, 2.0, 3.0])
def test_zero_residual_pots(speed, side):
    reach = 0.9 if speed < 2.0 else 1.5  # a slow ball has to get there
    vector = SinucaVectorEnv(LANES, task="pot", action="target", max_distance=reach, max_run=reach, max_cut_deg=60)
    vector.reset(seed=10)
    pockets = easiest_pockets(vector)
    actions = np.zeros((LANES, 10), np.float32)
    actions[:, 1], actions[:, 2] = action_of_speed(speed), side
    actions[np.arange(LANES), 4 + np.maximum(pockets, 0)] = 1.0
    vector.step(actions)
    asked = pockets >= 0
    assert asked.sum() > 0.9 * LANES
    # A pot that sends the cue ball down too is a foul, but the ball fell.
    fell = (vector.tables.shots["potted"] & 2) != 0
    assert fell[asked].mean() >= 0.95


def test_a_residual_beyond_the_window_misses():
    vector = SinucaVectorEnv(LANES, task="pot", action="target", max_distance=1.5, max_run=1.5, max_cut_deg=60)
    vector.reset(seed=10)
    pockets = easiest_pockets(vector)
    fell = []
    for residual in (0.0, 1.0):
        vector.reset(seed=10)
        actions = np.zeros((LANES, 10), np.float32)
        actions[:, 0], actions[:, 1] = residual, action_of_speed(2.0)
        actions[np.arange(LANES), 4 + np.maximum(pockets, 0)] = 1.0
        vector.step(actions)
        fell.append(((vector.tables.shots["potted"] & 2) != 0)[pockets >= 0].mean())
    assert fell[1] < 0.3 < fell[0]
