"""The vector environment is the single one, many times over: bit for bit, in every autoreset mode."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from sinuca_env.envs import SinucaEnv, SinucaVectorEnv

CASES = [
    ({"task": "pot"}, 60),
    ({"task": "pot", "action": "box", "noise": "club", "balls": ["red", "blue", "black"]}, 60),
    ({"task": "pot", "action": "target", "observation": "flat"}, 60),
    ({"action": "box", "reds": 6, "opponent": "random", "reward": "shaped"}, 120),
    ({"action": "relative", "observation": "set", "noise": "pro", "max_strokes": 50}, 120),
    ({"action": "target", "observation": "dict", "reds": 6, "opponent": "self"}, 120),
    ({"action": "dict", "reds": 6, "opponent": "random", "allow_concede": True}, 120),
    ({"action": "box", "reds": 6, "max_strokes": 7}, 60),
    ({"action": "candidates", "reds": 6, "max_strokes": 9}, 25),
]
LANES = 5


def equal(a, b):
    """Equal to the bit; also dicts."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    return np.asarray(a).dtype == np.asarray(b).dtype and np.array_equal(a, b)


def lane_of(batch, lane):
    return {key: value[lane] for key, value in batch.items()} if isinstance(batch, dict) else batch[lane]


def same_info(single, vector, lane):
    """The single environment's info is the vector's, lane by lane."""
    keys = {key for key in vector if not key.startswith(("_", "final_"))}
    assert keys == set(single) - {"fouls"}
    return all(np.array_equal(single[key], vector[key][lane]) for key in keys)


@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.name)
@pytest.mark.parametrize(("kwargs", "steps"), CASES, ids=lambda value: str(value)[:60])
def test_vector_equals_single(kwargs, steps, mode):
    vector = SinucaVectorEnv(LANES, autoreset_mode=mode, **kwargs)
    singles = [SinucaEnv(**kwargs) for _ in range(LANES)]
    observations, infos = vector.reset(seed=40)
    for lane, env in enumerate(singles):
        observation, info = env.reset(seed=40 + lane)
        assert equal(observation, lane_of(observations, lane))
        assert same_info(info, infos, lane)
    vector.action_space.seed(7)
    over = np.zeros(LANES, bool)
    ends = 0
    for _ in range(steps):
        if mode == AutoresetMode.DISABLED and over.any():
            observations, infos = vector.reset(options={"reset_mask": over.copy()})
            for lane in np.flatnonzero(over):
                observation, info = singles[lane].reset()
                assert equal(observation, lane_of(observations, lane))
                assert infos["_side"][lane]
            over[:] = False
        actions = vector.action_space.sample()
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        for lane, env in enumerate(singles):
            if over[lane]:  # NEXT_STEP: this step was the reset
                observation, info = env.reset()
                expected = (observation, 0.0, False, False, info)
            else:
                expected = env.step(lane_of(actions, lane))
            ended = expected[2] or expected[3]
            ends += ended
            assert rewards[lane] == expected[1]
            assert (terminated[lane], truncated[lane]) == expected[2:4]
            if ended and mode == AutoresetMode.SAME_STEP:
                assert equal(expected[0], infos["final_obs"][lane])
                assert infos["_final_obs"][lane]
                assert same_info(expected[4], infos["final_info"], lane)
                expected = (*env.reset(),)
                assert equal(expected[0], lane_of(observations, lane))
            else:
                assert equal(expected[0], lane_of(observations, lane))
                assert same_info(expected[4], infos, lane)
        over = terminated | truncated
        if mode == AutoresetMode.SAME_STEP:
            over = np.zeros(LANES, bool)
    assert ends > 0


def test_a_list_of_seeds_gives_each_lane_its_own():
    vector = SinucaVectorEnv(3, task="pot")
    observations, _ = vector.reset(seed=[9, 2, 9])
    alone = SinucaEnv(task="pot")
    assert equal(observations[0], observations[2])
    assert equal(observations[1], alone.reset(seed=2)[0])


def test_a_seed_repeats_and_no_seed_goes_on():
    env = SinucaEnv(task="pot")
    first, _ = env.reset(seed=5)
    second, _ = env.reset()
    assert not equal(first, second)
    assert equal(first, env.reset(seed=5)[0])
    assert equal(second, env.reset()[0])


def test_returned_arrays_are_fresh():
    vector = SinucaVectorEnv(2, task="pot")
    first, _ = vector.reset(seed=1)
    kept = first.copy()
    vector.action_space.seed(1)
    _, rewards, terminated, _, info = vector.step(vector.action_space.sample())
    copies = rewards.copy(), terminated.copy(), info["points"].copy(), info["reward/hit"].copy()
    vector.step(vector.action_space.sample())
    assert equal(first, kept)
    for before, now in zip(copies, (rewards, terminated, info["points"], info["reward/hit"]), strict=True):
        assert equal(before, now)
