"""Reward terms from known strokes; the potential against the theorem that it must satisfy."""

import numpy as np
import pytest

from sinuca_env.envs import SinucaEnv, SinucaVectorEnv
from sinuca_env.envs.reward import PRESETS, TERMS, load_reward
from sinuca_env.state.records import DECISION


def dict_env(layout, frame=None, **kwargs):
    env = SinucaEnv(action="dict", **kwargs)
    options = {"layout": layout} | ({"frame": frame} if frame else {})
    env.reset(seed=0, options=options)
    return env


def stroke(angle=0.0, speed=2.0, option=0, call=0, top=0.0):
    return {
        "option": np.int64(option),
        "call": np.int64(call),
        "placement": np.zeros(2, np.float32),
        "strike": np.array([angle, speed, 0.0, top, 0.0], np.float32),
    }


def terms_of(info):
    return {term: info[f"reward/{term}"] for term in TERMS if info[f"reward/{term}"]}


def test_presets_and_terms_are_known():
    assert {"points", "sparse_win", "shaped"} <= set(PRESETS)
    for preset in PRESETS:
        assert load_reward(preset).weights.any()


def test_every_term_is_in_every_info():
    env = SinucaEnv(reds=6)
    _, info = env.reset(seed=0)
    assert {f"reward/{term}" for term in TERMS} <= set(info)
    *_, info = env.step(env.action_space.sample())
    assert {f"reward/{term}" for term in TERMS} <= set(info)


def test_a_potted_red_is_a_point():
    # Straight into the middle pocket, stunned so that the cue ball stays out.
    env = dict_env({"cue": [0.0, 0.2], "red": [0.0, 0.6], "black": [1.2, 0.0]}, reward="points")
    _, reward, *_, info = env.step(stroke(np.pi / 2, 1.2, top=-0.1))
    terms = terms_of(info)
    assert (terms["points"], terms["potted"], terms["hit"]) == (1.0, 1.0, 1.0)
    assert "foul" not in terms
    assert reward == 1.0


def test_a_foul_costs_its_penalty():
    env = dict_env({"cue": [0.0, 0.1], "red": [1.0, 0.6], "black": [-1.2, 0.4]}, reward="points")
    _, reward, *_, info = env.step(stroke(0.0, 0.5))  # hits nothing
    terms = terms_of(info)
    assert terms["penalty_conceded"] == 4.0
    assert terms["foul"] == 1.0
    assert reward == -4.0
    assert info["fouls"] == ["40-XIV"]


def missing(view):
    """An opponent who plays slowly at nothing (towards the baulk cushion from his place)."""
    decisions = np.zeros(len(view), DECISION)
    decisions["strike"]["speed"] = 0.2
    decisions["strike"]["angle"] = np.pi
    return decisions


def test_the_other_side_counts_against(with_colours):
    env = dict_env(
        with_colours(cue=[0.1, 0.2], red=[1.1, 0.8]),
        "reds=6 left=1 colours=234567 on=red score=0-0 side=0",
        reds=6,
        opponent=missing,
        reward="points",
    )
    # The red is touched, nothing falls; then the opponent misses everything: 4 to the agent.
    _, reward, *_, info = env.step(stroke(np.arctan2(0.6, 1.0), 0.9))
    terms = terms_of(info)
    assert info["opponent_strokes"] == 1
    assert terms["penalty_gained"] == 4.0
    assert "penalty_conceded" not in terms
    assert terms["foul"] == -1.0
    assert reward == 4.0
    assert info["scores"].tolist() == [4, 0]
    assert info["fouls"] == []


def test_points_reward_is_the_change_of_the_lead():
    vector = SinucaVectorEnv(24, reds=6, opponent="random", reward="points", autoreset_mode="SAME_STEP")
    _, info = vector.reset(seed=11)
    lead = info["scores"][:, 0] - info["scores"][:, 1]
    vector.action_space.seed(3)
    ends = 0
    for _ in range(60):
        _, rewards, terminated, truncated, info = vector.step(vector.action_space.sample())
        done = terminated | truncated
        ends += done.sum()
        scores = np.where(done[:, None], info["final_info"]["scores"] if done.any() else 0, info["scores"])
        # A void frame starts again at 0:0; nothing else may break the sum.
        same_frame = np.ones(24, bool)
        after = scores[:, 0] - scores[:, 1]
        wrong = same_frame & (rewards != after - lead)
        assert not (wrong & (scores.sum(axis=1) > 0)).any()
        lead = info["scores"][:, 0] - info["scores"][:, 1]
    assert ends > 0


def test_self_play_is_rewarded_from_the_strikers_view(with_colours):
    env = dict_env(
        with_colours(cue=[0.1, 0.2], red=[1.1, 0.8]),
        "reds=6 left=1 colours=234567 on=red score=0-0 side=1",
        reds=6,
        opponent="self",
    )
    _, reward, *_, info = env.step(stroke(0.0, 0.5))
    assert reward == -4.0
    assert info["side"] == 1
    assert info["scores"].tolist() == [0, 4]


def test_shaping_sums_to_the_start_whatever_is_played(with_colours):
    """Discounted, the potential's terms telescope to -P(start): the best policy stays the best (Ng et al. 1999)."""
    gamma = 0.97
    layout = with_colours(cue=[0.0, 0.2], red=[0.0, 0.6])
    frame = "reds=6 left=1 colours=234567 on=red score=9-2 side=0"
    totals = []
    for seed in range(12):
        env = SinucaEnv(reds=6, action="box", reward={"potential": 1.0, "gamma": gamma}, opponent="random")
        env.reset(seed=seed, options={"layout": layout, "frame": frame})
        env.action_space.seed(seed)
        total, discount, over = 0.0, 1.0, False
        while not over:
            _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
            total += discount * reward
            discount *= gamma
            over = terminated or truncated
        assert terminated
        totals.append(total)
    # P(start): 7 ahead; the red with the black 8 and the colours 27 are left, and one more in the denominator.
    assert totals == pytest.approx([-7 / (8 + 27 + 1)] * len(totals))
