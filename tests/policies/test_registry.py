"""Policies by name, and one clear line for what is not one."""

import json

import numpy as np
import pytest

from sinuca_env.policies import POLICIES, get_policy, register_policy
from sinuca_env.state import SinucaError


def test_names_and_objects():
    assert get_policy("greedy").name == "greedy"
    policy = get_policy("random", action="relative")
    assert get_policy(policy) is policy
    function = get_policy(lambda view: np.zeros(len(view)))
    assert hasattr(function, "act")


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("gredy", {}, ["gredy", "did you mean 'greedy'"]),
        ("random", {"action": "boxx"}, ["boxx", "did you mean 'box'"]),
        ("greedy", {"depth": 3}, ["greedy", "depth"]),
        ("nowhere.zip", {}, ["nowhere.zip", "no such file"]),
        ("saved:nowhere", {}, ["nowhere", "no such file"]),
    ],
)
def test_bad_names_get_one_line(name, arguments, words):
    with pytest.raises(SinucaError) as error:
        get_policy(name, **arguments)
    assert "\n" not in str(error.value)
    assert all(word in str(error.value) for word in words)


def test_a_taken_name_is_refused():
    with pytest.raises(SinucaError, match="greedy"):
        register_policy("greedy", POLICIES["random"])


@pytest.mark.parametrize(
    ("described", "words"),
    [
        (None, ["no description"]),
        ("{", ["not JSON"]),
        ({"algorithm": "ppo"}, ["'env'"]),
        ({"algorithm": "ppo", "env": {"id": "SinucaPott-v0", "kwargs": {}}}, ["SinucaPott-v0", "SinucaPot-v0"]),
        ({"algorithm": "ppo", "env": {"id": "SinucaPot-v0", "kwargs": {"redz": 6}}}, ["redz"]),
        ({"algorithm": "pppo", "env": {"id": "SinucaPot-v0", "kwargs": {}}}, ["pppo", "did you mean 'ppo'"]),
        ({"algorithm": "ppo", "env": {"id": "SinucaPot-v0", "kwargs": {}}}, ["cannot be loaded"]),
    ],
)
def test_a_damaged_model_says_what_is_wrong(tmp_path, described, words):
    if any(word == "cannot be loaded" for word in words):
        pytest.importorskip("stable_baselines3")
    model = tmp_path / "model.zip"
    model.write_bytes(b"not a model")
    if described is not None:
        text = described if isinstance(described, str) else json.dumps(described)
        model.with_suffix(".json").write_text(text)
    with pytest.raises(SinucaError) as error:
        get_policy(str(model))
    assert "\n" not in str(error.value)
    assert all(word in str(error.value) for word in words)


def test_a_model_trained_for_other_spaces_is_refused(tmp_path):
    sb3 = pytest.importorskip("stable_baselines3")
    gym = pytest.importorskip("gymnasium")

    class Other(gym.Env):
        observation_space = gym.spaces.Box(-1, 1, (3,))
        action_space = gym.spaces.Box(-1, 1, (2,))

    sb3.PPO("MlpPolicy", Other(), device="cpu").save(tmp_path / "model.zip")
    (tmp_path / "model.json").write_text(json.dumps({"algorithm": "ppo", "env": {"id": "SinucaPot-v0", "kwargs": {}}}))
    with pytest.raises(SinucaError, match="observation space"):
        get_policy(str(tmp_path / "model.zip"))


@pytest.mark.parametrize(
    ("env_id", "kwargs"),
    [("SinucaPot-v0", {}), ("SinucaPot-v0", {"action": "target"}), ("Sinuca-v0", {"reds": 6, "opponent": "self"})],
)
def test_a_saved_model_decides_as_it_does_inside_its_environment(tmp_path, env_id, kwargs):
    sb3 = pytest.importorskip("stable_baselines3")
    gym = pytest.importorskip("gymnasium")
    import sinuca_env.envs  # noqa: F401  (registers the ids)

    env = gym.make_vec(env_id, num_envs=8, vectorization_mode="vector_entry_point", **kwargs)
    single = gym.make(env_id, **kwargs)
    model = sb3.PPO("MlpPolicy", single, device="cpu", n_steps=8, batch_size=8, seed=1)
    model.save(tmp_path / "model.zip")
    described = {"algorithm": "ppo", "env": {"id": env_id, "kwargs": kwargs}}
    (tmp_path / "model.json").write_text(json.dumps(described))
    policy = get_policy(f"saved:{tmp_path / 'model.zip'}")
    observation, _ = env.reset(seed=1_000_000_000)
    tables = env.unwrapped.tables
    chosen = policy.act(tables.view())
    actions, _ = model.predict(observation, deterministic=True)
    env.step(actions)
    for name in ("option", "call"):
        assert np.array_equal(chosen[name], tables.decisions[name])
    for name in ("angle", "speed", "side", "top"):
        assert np.allclose(chosen["strike"][name], tables.decisions["strike"][name], atol=1e-6)
