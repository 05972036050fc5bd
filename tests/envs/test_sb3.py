"""Stable-Baselines3: the adapter's contract, and its algorithms on the faces they can use."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from sinuca_env.envs import SinucaVectorEnv
from sinuca_env.state import SinucaError

pytest.importorskip("stable_baselines3")
import torch

from sinuca_env.envs import SinucaVecEnv


def test_ended_lanes_tell_what_they_ended_with():
    env = SinucaVecEnv("Sinuca-v0", 12, reds=6, opponent="random", max_strokes=6)
    twin = SinucaVectorEnv(12, autoreset_mode=AutoresetMode.SAME_STEP, reds=6, opponent="random", max_strokes=6)
    env.seed(4)
    assert np.array_equal(env.reset(), twin.reset(seed=4)[0])
    twin.action_space.seed(4)
    cuts = 0
    for _ in range(30):
        actions = twin.action_space.sample()
        observations, rewards, done, infos = env.step(actions)
        expected, reward, terminated, truncated, info = twin.step(actions)
        assert np.array_equal(observations, expected)
        assert np.array_equal(rewards, reward.astype(np.float32))
        assert np.array_equal(done, terminated | truncated)
        for lane in range(12):
            if done[lane]:
                assert np.array_equal(infos[lane]["terminal_observation"], info["final_obs"][lane])
                assert infos[lane]["TimeLimit.truncated"] == truncated[lane]
                assert infos[lane]["winner"] == info["final_info"]["winner"][lane]
            else:
                assert "terminal_observation" not in infos[lane]
        cuts += truncated.sum()
    assert cuts > 0


def test_full_info_has_every_term():
    env = SinucaVecEnv("SinucaPot-v0", 2, full_info=True)
    env.reset()
    assert "reward/hit" in env.reset_infos[0]
    *_, infos = env.step(np.zeros((2, 4), np.float32))
    assert {"reward/hit", "reward/points", "flags", "is_success"} <= set(infos[0])


def test_masks_reach_maskable_policies():
    env = SinucaVecEnv("SinucaCandidates-v0", 3, reds=6)
    env.reset()
    masks = env.env_method("action_masks")
    assert len(masks) == 3
    assert all(mask.shape == (256,) and mask.any() for mask in masks)
    assert len(env.env_method("action_masks", indices=[1])) == 1
    with pytest.raises(SinucaError, match="no discrete"):
        SinucaVecEnv("SinucaPot-v0", 1).env_method("action_masks")


def test_bad_arguments_are_named():
    with pytest.raises(SinucaError, match="SinucaPot-v0"):
        SinucaVecEnv("SinucaPott-v0", 1)
    with pytest.raises(SinucaError, match="SAME_STEP"):
        SinucaVecEnv(SinucaVectorEnv(1, task="pot"))


LEARNERS = [
    ("stable_baselines3", "PPO", "SinucaPot-v0", {}, {"n_steps": 8, "batch_size": 64}),
    ("stable_baselines3", "SAC", "SinucaPot-v0", {}, {"learning_starts": 50}),
    ("stable_baselines3", "PPO", "Sinuca-v0", {"reds": 6, "opponent": "random"}, {"n_steps": 8, "batch_size": 64}),
    ("stable_baselines3", "PPO", "Sinuca-v0", {"observation": "dict", "reds": 6}, {"n_steps": 8, "batch_size": 64}),
    ("stable_baselines3", "SAC", "SinucaTarget-v0", {"reds": 6}, {"learning_starts": 50}),
    ("stable_baselines3", "DQN", "SinucaCandidates-v0", {"reds": 6}, {"learning_starts": 50}),
    ("sb3_contrib", "TQC", "SinucaPot-v0", {"action": "target"}, {"learning_starts": 50}),
    ("sb3_contrib", "MaskablePPO", "SinucaCandidates-v0", {"reds": 6}, {"n_steps": 8, "batch_size": 64}),
]


@pytest.mark.parametrize(("package", "name", "env_id", "kwargs", "model"), LEARNERS, ids=lambda v: str(v)[:30])
def test_algorithms_learn_a_little_without_complaint(package, name, env_id, kwargs, model):
    algorithm = getattr(pytest.importorskip(package), name)
    torch.set_num_threads(1)  # networks this small gain nothing from more
    env = SinucaVecEnv(env_id, 8, **kwargs)
    policy = "MultiInputPolicy" if kwargs.get("observation") == "dict" else "MlpPolicy"
    learner = algorithm(policy, env, seed=0, device="cpu", policy_kwargs={"net_arch": [16]}, **model)
    learner.learn(200)
    action, _ = learner.predict(env.reset())
    assert env.action_space.contains(action[0])
