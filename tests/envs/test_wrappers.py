"""Gymnasium's own wrappers around the vector environment and the single one."""

import gymnasium as gym
import numpy as np
from gymnasium.wrappers import vector as vector_wrappers

import sinuca_env  # noqa: F401  (registers the ids)


def test_episode_statistics_of_the_vector_environment():
    env = vector_wrappers.RecordEpisodeStatistics(gym.make_vec("SinucaPot-v0", num_envs=4))
    env.reset(seed=0)
    env.action_space.seed(0)
    seen = 0
    for _ in range(6):
        *_, terminated, _, info = env.step(env.action_space.sample())
        if terminated.any():
            assert (info["episode"]["l"][terminated] == 1).all()
            seen += terminated.sum()
    assert seen == 12  # every second step is the reset


def test_transformed_observations_and_rewards():
    env = gym.make_vec("SinucaPot-v0", num_envs=3)
    plain, _ = gym.make_vec("SinucaPot-v0", num_envs=3).reset(seed=5)
    env = vector_wrappers.TransformObservation(env, lambda observations: observations * 0.5)
    env = vector_wrappers.TransformReward(env, lambda rewards: rewards + 1.0)
    observations, _ = env.reset(seed=5)
    assert np.allclose(observations, plain * 0.5)
    env.action_space.seed(0)
    _, rewards, *_ = env.step(env.action_space.sample())
    assert (rewards >= 1.0).all()


def test_infos_as_a_list_of_dicts():
    env = vector_wrappers.DictInfoToList(gym.make_vec("Sinuca-v0", num_envs=2, reds=6))
    env.reset(seed=0)
    env.action_space.seed(0)
    *_, infos = env.step(env.action_space.sample())
    assert len(infos) == 2
    assert "reward/points" in infos[0]


def test_the_single_environment_under_a_time_limit():
    env = gym.wrappers.RecordEpisodeStatistics(gym.make("Sinuca-v0", reds=6, max_episode_steps=5))
    env.reset(seed=0)
    env.action_space.seed(0)
    for step in range(1, 6):
        *_, terminated, truncated, info = env.step(env.action_space.sample())
        assert (terminated, truncated) == (False, step == 5)
    assert info["episode"]["l"] == 5
