"""Bad input is refused with one clear line, before anything changes."""

import numpy as np
import pytest

from sinuca_env.envs import SinucaEnv, SinucaVectorEnv
from sinuca_env.envs.reward import load_reward
from sinuca_env.state import SinucaError


@pytest.mark.parametrize(
    ("kwargs", "words"),
    [
        ({"reds": 7}, ("reds", "6, 10, 15")),
        ({"reds": 6, "rules": {"reds": 6}}, ("reds",)),
        ({"table": "snoker_12ft"}, ("unknown table", "snooker_12ft")),
        ({"acton": "box"}, ("acton", "did you mean 'action'")),
        ({"action": "boxx"}, ("action", "did you mean 'box'")),
        ({"observation": "falt"}, ("observation", "flat")),
        ({"engine": "bullet"}, ("engine", "pymunk")),
        ({"noise": "procrastinator"}, ("noise", "robot")),
        ({"reward": "pionts"}, ("reward", "points")),
        ({"reward": {"pionts": 1.0}}, ("reward", "did you mean 'points'")),
        ({"reward": {"points": float("nan")}}, ("reward.points", "finite")),
        ({"rules": {"call_mod": "explicit"}}, ("call_mod", "call_mode")),
        ({"physics": {"mu_rol": 0.01}}, ("mu_rol", "mu_roll")),
        ({"opponent": "gredy"}, ("gredy", "greedy")),
        ({"opponent": 3}, ("opponent", "function of a view")),
        ({"max_strokes": 0}, ("max_strokes",)),
        ({"allow_concede": 1}, ("allow_concede",)),
        ({"task": "pott"}, ("task", "pot")),
        ({"task": "pot", "reds": 6}, ("unknown argument 'reds'",)),
        ({"task": "match", "frames": 2}, ("frames", "odd")),
    ],
    ids=str,
)
def test_arguments(kwargs, words):
    with pytest.raises(SinucaError) as caught:
        SinucaEnv(**kwargs)
    assert "\n" not in str(caught.value)
    for word in words:
        assert word in str(caught.value)


def test_lanes_and_modes():
    with pytest.raises(SinucaError, match="num_envs"):
        SinucaVectorEnv(0)
    with pytest.raises(SinucaError, match="SAME_STEP"):
        SinucaVectorEnv(1, autoreset_mode="SAMESTEP")


BAD_BOX = [
    (lambda a: a[:-1], "shape"),
    (lambda a: a[None], "shape"),
    (lambda a: a.astype(str), "dtype"),
    (lambda a: a.astype(complex), "dtype"),
    (lambda a: np.where(np.arange(len(a)) == 2, np.nan, a), "NaN"),
    (lambda a: np.where(np.arange(len(a)) == 1, 1.5, a), "1.5"),
    (lambda a: np.where(np.arange(len(a)) == 1, -np.inf, a), "inf"),
    (lambda a: [[0.0], [0.0, 1.0]], "action"),
    (lambda a: None, "action"),
]


@pytest.mark.parametrize("task", ["pot", "frame"])
def test_a_bad_action_changes_nothing_and_play_goes_on(task):
    env, other = SinucaEnv(task=task), SinucaEnv(task=task)
    env.reset(seed=3)
    other.reset(seed=3)
    env.action_space.seed(0)
    action = env.action_space.sample()
    for spoil, word in BAD_BOX:
        with pytest.raises(SinucaError, match=word):
            env.step(spoil(action))
    for ours, theirs in zip(env.step(action)[:4], other.step(action)[:4], strict=True):
        assert np.array_equal(ours, theirs)


def test_bad_dict_and_discrete_actions():
    env = SinucaEnv(action="dict", reds=6)
    env.reset(seed=0)
    env.action_space.seed(0)
    good = env.action_space.sample()
    for change, word in [
        ({"option": np.int64(4)}, "option"),
        ({"call": np.float64(1.0)}, "call"),
        ({"strike": np.full(5, np.nan, np.float32)}, "strike"),
        ({"placement": np.zeros(3, np.float32)}, "placement"),
        ({"spin": 1}, "option, call"),
    ]:
        with pytest.raises(SinucaError, match=word):
            env.step({**good, **change})
    env.step(good)
    env = SinucaEnv(action="candidates", reds=6)
    env.reset(seed=0)
    for bad in (256, -1, 1.0, [0]):
        with pytest.raises(SinucaError, match="action"):
            env.step(bad)
    env.step(0)


def test_a_step_needs_an_episode():
    env = SinucaEnv(task="pot")
    with pytest.raises(SinucaError, match="reset"):
        env.step(np.zeros(4, np.float32))
    env.reset(seed=1)
    env.step(np.zeros(4, np.float32))
    with pytest.raises(SinucaError, match="reset"):
        env.step(np.zeros(4, np.float32))


@pytest.mark.parametrize("seed", [-1, 1.5, "x", True, [1], [1, -2]])
def test_seeds(seed):
    with pytest.raises((SinucaError, TypeError)):
        SinucaVectorEnv(2, task="pot").reset(seed=seed)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"layot": {}}, "layout"),
        ({"frame": "reds=6"}, "layout"),
        ({"layout": {"rde": [0, 0]}}, "red"),
        ({"layout": {"red": [5.0, 0.0]}}, "cloth"),
        ({"layout": {"red": [0.0, 0.0], "blue": [0.01, 0.0]}}, "overlap"),
        ({"layout": {"cue": [0.0, 0.0]}}, "object ball"),
        ({"layout": {"red": "here"}}, "metres"),
        ({"layout": "red@0,0", "frame": "reds=6 left=- colours=7 on=black score=0-0 side=0"}, "black"),
        ({"reset_mask": np.zeros(1, bool)}, "reset_mask"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bad_options_leave_the_table_alone(options, word):
    vector = SinucaVectorEnv(1, reds=6)
    vector.reset(seed=2)
    before = vector.get_state()
    with pytest.raises(SinucaError, match=word):
        vector.reset(seed=5, options=options)
    assert vector.tables.frames.tobytes() == before["frames"].tobytes()


def test_reward_files(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("points: 2.0\n")
    assert load_reward(str(file)).weights[0] == 2.0
    file.write_text("- points\n")
    with pytest.raises(SinucaError, match="mapping"):
        load_reward(str(file))
    with pytest.raises(SinucaError, match=r"none\.yaml"):
        load_reward(str(tmp_path / "none.yaml"))
