"""PettingZoo's own tests, and seats that see and earn what the single environment tells."""

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, seed_test

from sinuca_env.envs import SinucaEnv
from sinuca_env.multiagent import sinuca_v0
from sinuca_env.state import SinucaError

FACES = [{"action": "box"}, {"action": "relative", "observation": "dict"}, {"action": "candidates"}, {"action": "dict"}]


@pytest.mark.parametrize("kwargs", FACES, ids=lambda kwargs: kwargs["action"])
@pytest.mark.filterwarnings("ignore")
def test_api(kwargs):
    api_test(sinuca_v0.env(reds=6, max_strokes=30, **kwargs), num_cycles=60)


@pytest.mark.filterwarnings("ignore")
def test_seeds():
    seed_test(lambda: sinuca_v0.env(reds=6, max_strokes=40), num_cycles=50)


def test_the_striker_sees_and_earns_as_in_self_play():
    ours, single = sinuca_v0.env(reds=6, reward="shaped"), SinucaEnv(reds=6, reward="shaped", opponent="self")
    ours.reset(seed=3)
    observation, _ = single.reset(seed=3)
    single.action_space.seed(3)
    steps = 0
    for _ in range(60):
        agent = ours.agent_selection
        assert np.array_equal(ours.observe(agent), observation)
        action = single.action_space.sample()
        ours.step(action)
        observation, reward, terminated, truncated, _ = single.step(action)
        assert ours.unwrapped.rewards[agent] == pytest.approx(reward, abs=1e-12)
        assert ours.terminations[agent] == terminated
        steps += 1
        if terminated or truncated:
            break
    assert steps > 5


def test_what_one_side_wins_the_other_loses():
    env = sinuca_v0.env(reds=6, reward="points")
    env.reset(seed=1)
    env.action_space(env.agent_selection).seed(1)
    earned = 0.0
    for agent in env.agent_iter(200):
        *_, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        env.step(env.action_space(agent).sample())
        assert sum(env.unwrapped.rewards.values()) == 0.0
        earned += abs(env.unwrapped.rewards[agent])
    assert earned > 0


def test_bad_input_is_named():
    with pytest.raises(SinucaError, match="opponent"):
        sinuca_v0.env(opponent="random")
    env = sinuca_v0.env(reds=6)
    env.reset(seed=0)
    with pytest.raises(SinucaError, match="shape"):
        env.step(np.zeros(3, np.float32))
    env.step(np.zeros(19, np.float32))
