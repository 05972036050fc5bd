"""Minutes of play: memory stays, frames end, nothing unusual happens."""

import os

import numpy as np
import pytest

from sinuca_env.envs import SinucaVectorEnv

pytestmark = pytest.mark.soak


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("action", ["box", "relative", "target", "dict", "candidates"])
def test_100000_steps_do_not_grow_the_process(action):
    if not os.path.exists("/proc/self/statm"):
        pytest.skip("needs /proc")
    lanes = 200
    vector = SinucaVectorEnv(lanes, reds=6, action=action, opponent="random", autoreset_mode="SAME_STEP")
    vector.reset(seed=0)
    vector.action_space.seed(0)
    for _ in range(50):
        vector.step(vector.action_space.sample())
    before = resident_bytes()
    for _ in range(100_000 // lanes):
        vector.step(vector.action_space.sample())
    assert resident_bytes() - before < 10e6


@pytest.mark.parametrize("rules", [{}, {"aggravated_foul": "off"}], ids=["38", "38 off"])
def test_random_frames_all_finish(rules):
    vector = SinucaVectorEnv(256, reds=6, opponent="random", rules=rules, autoreset_mode="SAME_STEP", max_strokes=None)
    vector.reset(seed=1_000_000_000)
    vector.action_space.seed(0)
    ended, flags = np.zeros(256, bool), 0
    for _ in range(20_000):
        _, _, terminated, truncated, info = vector.step(vector.action_space.sample())
        assert not truncated.any()
        ended |= terminated
        flags += (info["flags"] & ~np.uint32(4) != 0).sum()  # a miscue is no fault
        if ended.all():
            break
    assert ended.all()
    assert flags == 0
