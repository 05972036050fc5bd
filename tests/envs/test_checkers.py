"""The checkers of Gymnasium and Stable-Baselines3, on every face."""

import warnings

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env

from sinuca_env.envs import IDS, SinucaEnv, SinucaVectorEnv

FACES = [
    {"task": "pot"},
    {"task": "pot", "action": "box", "observation": "flat"},
    {"task": "pot", "action": "target", "noise": "club"},
    {"task": "pot", "action": "dict"},
    {"action": "box", "opponent": "random"},
    {"action": "relative", "observation": "set", "reds": 10},
    {"action": "target", "observation": "dict", "opponent": "self", "reds": 6},
    {"action": "dict", "table": "sinuca_brasil", "allow_concede": True},
    {"action": "candidates", "reward": "shaped"},
    {"task": "match", "frames": 1, "reds": 6},
]


def named(kwargs):
    return "-".join(f"{value}" for value in kwargs.values())


@pytest.mark.parametrize("kwargs", FACES, ids=named)
def test_gymnasium_checker(kwargs):
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*(obs|reward|seed|info|action).*", category=UserWarning)
        warnings.filterwarnings("ignore", message=".*symmetric and normalized.*")
        check_env(SinucaEnv(**kwargs), skip_render_check=True)


@pytest.mark.parametrize("kwargs", [k for k in FACES if k.get("action") != "dict"], ids=named)
def test_stable_baselines_checker(kwargs):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The dict observation keeps the balls as 22 rows; networks flatten them.
        warnings.filterwarnings("ignore", message=".*unconventional shape.*")
        checker.check_env(SinucaEnv(**kwargs))


@pytest.mark.parametrize("env_id", sorted(IDS))
def test_every_id_is_made_single_and_vector(env_id):
    env = gym.make(env_id)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    vector = gym.make_vec(f"sinuca_env:{env_id}", num_envs=3)
    assert isinstance(vector.unwrapped, SinucaVectorEnv)
    observations, _ = vector.reset(seed=1)
    assert vector.observation_space.contains(observations)


def test_make_vec_passes_the_step_limit():
    vector = gym.make_vec("Sinuca-v0", num_envs=2, max_episode_steps=3, vectorization_mode="vector_entry_point")
    vector.reset(seed=0)
    vector.action_space.seed(0)
    for step in range(1, 4):
        *_, terminated, truncated, _ = vector.step(vector.action_space.sample())
        assert truncated.tolist() == [step == 3] * 2
        assert not terminated.any()
