"""Save, restore, copy, pickle; starts from given situations."""

import copy
import pickle

import numpy as np
import pytest

from sinuca_env.envs import SinucaEnv, SinucaVectorEnv
from sinuca_env.state.notation import frame_to_text, layout_to_text

CASES = [
    {"task": "pot", "noise": "pro"},
    {"reds": 6, "opponent": "random", "noise": "club", "max_strokes": 40},
    {"reds": 6, "action": "target", "opponent": "self"},
]


def play_on(vector, actions):
    return [vector.step(action)[:4] for action in actions]


def same(a, b):
    return all(np.array_equal(x, y) for step, other in zip(a, b, strict=True) for x, y in zip(step, other, strict=True))


@pytest.mark.parametrize("kwargs", CASES, ids=str)
@pytest.mark.parametrize("way", ["state", "clone", "deepcopy", "pickle"])
def test_a_restored_environment_plays_on_alike(kwargs, way):
    vector = SinucaVectorEnv(4, **kwargs)
    vector.reset(seed=1)
    vector.action_space.seed(1)
    actions = [vector.action_space.sample() for _ in range(30)]
    play_on(vector, actions[:11])
    if way == "state":
        other = SinucaVectorEnv(4, **kwargs)
        state = vector.get_state()
        other.set_state(pickle.loads(pickle.dumps(state)))
    elif way == "clone":
        other = vector.clone()
    else:
        other = copy.deepcopy(vector) if way == "deepcopy" else pickle.loads(pickle.dumps(vector))
    ahead = play_on(vector, actions[11:])
    assert same(ahead, play_on(other, actions[11:]))
    if way == "state":
        vector.set_state(state)
        assert same(ahead, play_on(vector, actions[11:]))


def test_the_single_environment_too():
    env = SinucaEnv(reds=6)
    env.reset(seed=4)
    env.action_space.seed(4)
    for _ in range(5):
        assert not env.step(env.action_space.sample())[2]
    state, twin = env.get_state(), env.clone()
    action = env.action_space.sample()
    first = env.step(action)[:4]
    assert np.array_equal(first[0], twin.step(action)[0])
    env.set_state(state)
    again = env.step(action)[:4]
    assert np.array_equal(first[0], again[0])
    assert first[1:] == again[1:]


def test_notation_gives_the_same_table_again():
    env = SinucaEnv(reds=6, opponent="self")
    env.reset(seed=9)
    env.action_space.seed(9)
    for _ in range(4):
        observation, *_ = env.step(env.action_space.sample())
    text = frame_to_text(env.tables.frames[0]), layout_to_text(env.tables.layouts[0])
    other = SinucaEnv(reds=6, opponent="self")
    again, _ = other.reset(seed=1, options={"frame": text[0], "layout": text[1]})
    assert np.array_equal(observation, again)


def test_a_layout_alone_is_a_plain_frame():
    env = SinucaEnv(reds=6)
    env.reset(seed=0, options={"layout": {"green": [0.1, 0.2], "black": [1.0, 0.0]}})
    frame = env.tables.frames[0]
    assert frame["on"] == 3
    assert frame["in_hand"] == 1
    assert frame["scores"].tolist() == [0, 0]


def test_a_masked_reset_leaves_the_others_alone():
    vector = SinucaVectorEnv(3, reds=6, autoreset_mode="DISABLED")
    vector.reset(seed=3)
    before = vector.get_state()["frames"]
    mask = np.array([False, True, False])
    vector.reset(seed=[None, 77, None], options={"reset_mask": mask})
    assert (vector.tables.frames["rng_key"] == [3, 77, 5]).all()
    assert (vector.tables.frames[[0, 2]] == before[[0, 2]]).all()
