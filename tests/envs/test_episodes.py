"""Seats, ends and truncation: solo practice, opponents, break-offs, complementary and void frames."""

import itertools

import numpy as np
import pytest

from sinuca_env.envs import SinucaEnv, SinucaVectorEnv
from sinuca_env.policies import get_policy
from sinuca_env.state import SinucaError
from sinuca_env.state.records import DECISION

RE_SPOTTED = "reds=6 left=- colours=7 on=black score=20-20 side=0 complementary=1"


def stroke(angle=0.0, speed=2.0, top=0.0, option=0):
    return {
        "option": np.int64(option),
        "call": np.int64(0),
        "placement": np.zeros(2, np.float32),
        "strike": np.array([angle, speed, 0.0, top, 0.0], np.float32),
    }


def test_solo_practice_goes_on_after_a_miss():
    env = SinucaEnv(reds=6)
    env.reset(seed=2)
    env.action_space.seed(2)
    for _ in range(40):
        _, _, terminated, _, info = env.step(env.action_space.sample())
        assert info["side"] == 0
        assert info["opponent_strokes"] == 0
        if terminated:
            break
        frame = env.tables.frames[0]
        assert (frame["striker"], frame["free_ball"], frame["after_foul"]) == (0, 0, 0)


def test_the_opponent_plays_his_break_off_in_reset():
    vector = SinucaVectorEnv(64, reds=6, opponent="random")
    _, info = vector.reset(seed=0)
    broke = info["opponent_strokes"] > 0
    assert 15 < broke.sum() < 49
    assert (vector.tables.frames["striker"] == 0).all()
    assert (vector.tables.frames["opening"][~broke] == 1).all()


def test_opponents_by_object_function_and_name_are_the_same():
    policy = get_policy("random")
    results = []
    for opponent in ("random", policy, policy.act):
        vector = SinucaVectorEnv(8, reds=6, opponent=opponent)
        vector.reset(seed=5)
        vector.action_space.seed(5)
        for _ in range(10):
            observations, *_ = vector.step(vector.action_space.sample())
        results.append(observations)
    assert np.array_equal(results[0], results[1])
    assert np.array_equal(results[0], results[2])


def test_opponents_see_waiting_lanes_only():
    seen = []

    def watch(view):
        seen.append((len(view), view.frames["striker"].tolist(), view.frames["frame_over"].tolist()))
        return get_policy("random").act(view)

    vector = SinucaVectorEnv(16, reds=6, opponent=watch)
    vector.reset(seed=5)
    vector.action_space.seed(5)
    for _ in range(20):
        vector.step(vector.action_space.sample())
    assert any(0 < n < 16 for n, *_ in seen)
    assert all(set(strikers) == {1} and set(over) == {0} for _, strikers, over in seen)


def test_another_snapshot_takes_the_seat():
    vector = SinucaVectorEnv(4, reds=6, opponent="random")
    vector.reset(seed=1)
    calls = []

    def new(view):
        calls.append(len(view))
        return np.zeros(len(view), DECISION)

    vector.set_opponent(new)
    vector.action_space.seed(1)
    vector.step(vector.action_space.sample())
    assert calls
    with pytest.raises(SinucaError, match="set_opponent"):
        SinucaVectorEnv(1).set_opponent("random")


def test_self_play_seats_the_agent_on_both_sides():
    env = SinucaEnv(reds=6, opponent="self")
    env.reset(seed=1)
    env.action_space.seed(1)
    sides = set()
    for _ in range(30):
        striker = int(env.tables.frames["striker"][0])
        _, _, terminated, _, info = env.step(env.action_space.sample())
        assert info["side"] == striker
        sides.add(striker)
        if terminated:
            break
    assert sides == {0, 1}


def test_max_strokes_truncates_and_a_finished_frame_terminates():
    vector = SinucaVectorEnv(16, reds=6, opponent="random", max_strokes=6, autoreset_mode="SAME_STEP")
    vector.reset(seed=0)
    vector.action_space.seed(0)
    cuts = ends = 0
    for _ in range(30):
        _, _, terminated, truncated, info = vector.step(vector.action_space.sample())
        assert not (terminated & truncated).any()
        for lane in np.flatnonzero(truncated):
            assert info["final_info"]["strokes"][lane] >= 6
            assert info["final_info"]["winner"][lane] == 0
        cuts, ends = cuts + truncated.sum(), ends + terminated.sum()
    assert cuts > 0


def test_a_tie_goes_on_with_the_complementary_frame():
    env = SinucaEnv(action="dict", reds=6, opponent="self")
    # The last black brings 7 to the side that is 7 behind: a tie (44-I), no end yet.
    options = {
        "layout": {"cue": [0.0, 0.2], "black": [0.0, 0.6]},
        "frame": "reds=6 left=- colours=7 on=black score=20-27 side=0",
    }
    env.reset(seed=0, options=options)
    _, _, terminated, truncated, info = env.step(stroke(np.pi / 2, 1.2, top=-0.1))
    assert info["reward/frame_tied"] == 1.0
    assert not terminated
    assert not truncated
    frame = env.tables.frames[0]
    assert frame["complementary"] == 1
    assert frame["scores"].tolist() == [27, 27]
    assert frame["in_hand"] == 1
    x, y = env.tables.layouts[0, 21]
    assert (x, y) == pytest.approx(env.tables.spec.spots["black"])


def test_the_complementary_frame_ends_the_episode():
    env = SinucaEnv(action="dict", reds=6, opponent="self")
    env.reset(seed=0, options={"layout": {"cue": [0.0, 0.2], "black": [0.0, 0.6]}, "frame": RE_SPOTTED})
    _, _, terminated, _, info = env.step(stroke(np.pi / 2, 1.2, top=-0.1))
    assert terminated
    assert info["winner"] == 1
    assert info["is_success"] is True


def test_a_void_frame_starts_again_in_the_same_episode(with_colours):
    env = SinucaEnv(action="dict", reds=6, opponent="self")
    # The cue ball rests against the red: playing away from it is lawful and changes nothing (22, 46).
    touching = 2 * env.tables.spec.ball_radius + 5e-6
    layout = with_colours(cue=[0.3, 0.2], red=[0.3, 0.2 + touching])
    frame = "reds=6 left=1 colours=234567 on=red score=8-3 side=0 breaker=1 stalemate=2-2 warned=1 touching=red"
    env.reset(seed=0, options={"layout": layout, "frame": frame})
    _, _, terminated, truncated, info = env.step(stroke(-np.pi / 2, 0.4))
    after = env.tables.frames[0]
    assert info["fouls"] == []
    assert env.tables.rulings["void"][0] == 1
    assert after["scores"].tolist() == [0, 0]
    assert after["breaker"] == 1
    assert not terminated
    assert not truncated


def test_concede_only_where_it_is_allowed():
    for allowed in (False, True):
        env = SinucaEnv(action="dict", reds=6, opponent="self", allow_concede=allowed)
        env.reset(seed=0)
        assert (int(env.tables.legals["options"][0]) >> 3 & 1) == allowed
        _, _, terminated, _, info = env.step(stroke(option=3))
        assert terminated == allowed
        if allowed:
            assert info["winner"] == -1


def test_a_match_goes_on_until_it_is_won():
    env = SinucaEnv(task="match", frames=3, reds=6, opponent="self", action="dict", allow_concede=True)
    env.reset(seed=0)
    breakers, steps, terminated = [], 0, False
    while not terminated:
        breakers.append(int(env.tables.frames["breaker"][0]))
        _, _, terminated, _, info = env.step(stroke(option=3))
        steps += 1
    won = env.tables.frames["frames_won"][0]
    assert max(won) == 2
    assert steps == won.sum()
    assert all(a != b for a, b in itertools.pairwise(breakers))
    assert info["winner"] == -1


def test_one_stroke_ends_the_pot_task():
    vector = SinucaVectorEnv(50, task="pot")
    vector.reset(seed=0)
    vector.action_space.seed(0)
    _, rewards, terminated, truncated, info = vector.step(vector.action_space.sample())
    assert terminated.all()
    assert not truncated.any()
    assert np.array_equal(rewards > 0, info["is_success"])


def test_nobody_concedes_before_the_agent_has_decided():
    def give_up(view):
        decisions = np.zeros(len(view), DECISION)
        decisions["option"] = 3
        return decisions

    vector = SinucaVectorEnv(32, reds=6, opponent=give_up, allow_concede=True, action="dict")
    _, info = vector.reset(seed=0)
    assert (info["opponent_strokes"] > 0).any()
    assert (vector.tables.frames["frame_over"] == 0).all()
    single = {name: np.stack([value] * 32) for name, value in stroke().items()}
    _, _, terminated, _, info = vector.step(single)
    assert terminated.any()
    assert (info["winner"][terminated] == 1).all()


def test_phases_make_the_choice_a_step_of_its_own(with_colours):
    layout = with_colours(cue=[0.1, 0.2], red=[1.1, 0.8])
    frame = "reds=6 left=1 colours=234567 on=red score=0-4 side=0 free_ball=1 after_foul=1"
    options = {"layout": layout, "frame": frame}
    env = SinucaEnv(action="dict", reds=6, opponent="self", phases=True)
    plain = SinucaEnv(action="dict", reds=6, opponent="self")
    for option in (0, 1):
        choice, _ = env.reset(seed=0, options=options)
        plain.reset(seed=0, options=options)
        assert choice[155] == 1  # may decline: a choice is due
        observation, reward, terminated, _, info = env.step(stroke(option=option))
        assert (reward, terminated, info["strokes"]) == (0.0, False, 0)
        assert observation[155] == 0
        assert bool(observation[147:153].any()) == (option == 1)
        ours, theirs = env.step(stroke(2.0, option=option)), plain.step(stroke(2.0, option=option))
        assert np.array_equal(ours[0], theirs[0])
        assert ours[1] == theirs[1]
        assert ours[4]["fouls"] == theirs[4]["fouls"]
    env.reset(seed=0, options=options)
    *_, info = env.step(stroke(option=2))
    assert info["strokes"] == 1
    assert env.tables.frames["striker"][0] == 1


def test_phases_ask_about_the_break_off():
    env = SinucaEnv(action="dict", reds=6, opponent="self", phases=True)
    env.reset(seed=0)
    _, _, _, _, info = env.step(stroke(option=0))
    assert info["strokes"] == 0
    assert env.tables.frames["opening"][0] == 1
    _, _, _, _, info = env.step(stroke(speed=3.0))
    assert info["strokes"] == 1
    assert env.tables.frames["opening"][0] == 0
