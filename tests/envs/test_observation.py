"""Observations: the docstring tables against the spaces, and the numbers against the tables they describe."""

import itertools
import json
import re

import numpy as np
import pytest

from sinuca_env.envs import SinucaEnv, SinucaVectorEnv, config, faces, observation, observer
from sinuca_env.game import action as act
from sinuca_env.state.balls import BLACK, YELLOW

SECTIONS = {
    "flat": observation.FLAT_SIZE,
    "set": observation.SET_SIZE,
    "pot": observation.POT_SIZE,
}


def tables_of(docstring):
    """The markdown tables: lists of rows of cells."""
    found, rows = [], []
    for line in docstring.splitlines():
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            found.append(rows[2:])
            rows = []
    return [*found, rows[2:]] if rows else found


def spans(rows):
    """First and last number of each row that has one."""
    for first, *_ in rows:
        if first:
            low, _, high = first.partition("-")
            yield int(low), int(high or low)


@pytest.mark.parametrize(("name", "k"), [("flat", 0), ("set", 1), ("pot", 2)])
def test_index_tables_cover_the_space_without_gap(name, k):
    rows = list(spans(tables_of(observation.__doc__)[k]))
    start = 132 if name == "set" else 0  # its first 132 numbers are told in prose
    assert rows[0][0] == start
    for (_, high), (low, _) in itertools.pairwise(rows):
        assert low == high + 1
    assert rows[-1][1] == SECTIONS[name] - 1


def test_the_dict_table_names_every_part_and_its_numbers():
    rows = tables_of(observer.__doc__)[0]
    env = SinucaEnv(observation="dict")
    assert [row[0] for row in rows] == list(observer.DICT_PARTS)
    for name, shape, numbers in rows:
        low, high, parts = observer.DICT_PARTS[name]
        assert shape == str(parts)
        assert numbers == f"{low}-{high - 1}"
        assert env.observation_space[name].shape == parts


def test_the_dict_action_table_names_every_part():
    rows = tables_of(faces.__doc__)[0]
    space = SinucaEnv(action="dict").action_space
    assert {row[0] for row in rows} == set(space.spaces)
    for name, kind, _ in rows:
        size = int(re.search(r"\((\d+)\)", kind)[1])
        assert size == (space[name].n if kind.startswith("Discrete") else space[name].shape[0])


def test_the_action_table_names_every_part_with_its_size():
    for face in act.FACES:
        for part, where in act.face_parts(face).items():
            size = where.stop - where.start
            wanted = f"``{part}`` ({size})" if size > 1 else f"``{part}``"
            assert wanted in act.__doc__


def test_the_table_of_arguments_names_every_one_with_its_default():
    rows = {row[0]: row[1] for row in tables_of(config.__doc__)[0]}
    given = {**config.DEFAULTS["pot"], **config.DEFAULTS["match"], **config.DEFAULTS["frame"]}
    assert rows.keys() == given.keys()
    for name, default in given.items():
        word = default if isinstance(default, str) else json.dumps(default).replace(".0", "")
        assert rows[name] == word


@pytest.mark.parametrize("kwargs", [{"observation": "flat"}, {"observation": "set"}, {"task": "pot"}], ids=str)
def test_play_stays_inside_the_space(kwargs):
    vector = SinucaVectorEnv(32, **kwargs)
    observations, _ = vector.reset(seed=0)
    vector.action_space.seed(0)
    for _ in range(40):
        assert vector.observation_space.contains(observations)
        observations, *_ = vector.step(vector.action_space.sample())


def env_at(layout, frame=None, **kwargs):
    env = SinucaEnv(**kwargs)
    options = {"layout": layout} | ({"frame": frame} if frame else {})
    return env, env.reset(seed=0, options=options)[0]


def test_numbers_of_a_known_table(with_colours):
    layout = with_colours(cue=[0.5, -0.4], red=[[0.9, 0.2], [-0.3, 0.1]])
    frame = "reds=6 left=1-2 colours=234567 on=red score=12-30 side=1 free_ball=1 after_foul=1 snooker=partial"
    env, numbers = env_at(layout, frame, reds=6, opponent="self")
    half = np.array([3.569, 1.778]) / 2
    balls = numbers[:132].reshape(22, 6)
    assert balls[0, :3] == pytest.approx([*(np.array([0.5, -0.4]) / half), 1.0])
    # Reds by x: the one at -0.3 first.
    assert balls[1, :2] == pytest.approx(np.array([-0.3, 0.1]) / half)
    assert balls[2, :2] == pytest.approx(np.array([0.9, 0.2]) / half)
    assert balls[:, 2].sum() == 9
    assert np.flatnonzero(balls[:, 3]).tolist() == [1, 2]
    assert np.flatnonzero(balls[:, 4]).tolist() == list(range(YELLOW, BLACK + 1))
    assert numbers[132:140].tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
    assert numbers[140:147].tolist() == [1, 0, 0, 0, 0, 0, 0]
    assert numbers[147:153].tolist() == [1] * 6
    assert numbers[153:157].tolist() == [1, 0, 1, 0]
    assert numbers[157:162].tolist() == [0, 1, 0, 0, 0]
    assert numbers[162:166].tolist() == [0, 0, 1, 0]
    assert numbers[166:169] == pytest.approx([30 / 147, 12 / 147, 18 / 147])
    # Two reds 16, the colours 27, a free ball 8.
    assert numbers[169] == pytest.approx(51 / 155)
    assert numbers[177] == pytest.approx(2 / 15)
    assert env.tables.frames["striker"][0] == 1


def test_a_flipped_seat_swaps_the_scores(with_colours):
    layout = with_colours(cue=[0.5, -0.4], red=[0.9, 0.2])
    seen = []
    for side in (0, 1):
        frame = f"reds=6 left=1 colours=234567 on=red score=5-9 side={side}"
        seen.append(env_at(layout, frame, reds=6, opponent="self")[1])
    assert seen[0][166:168].tolist() == seen[1][166:168][::-1].tolist()
    assert seen[0][168] == -seen[1][168]
    assert np.array_equal(seen[0][:132], seen[1][:132])


def test_pockets_stand_from_easy_to_hard():
    vector = SinucaVectorEnv(200, task="pot")
    rows, _ = vector.reset(seed=3)
    pockets = rows[:, 8:].reshape(200, 6, 6)
    key = pockets[:, :, 0] * 10 + pockets[:, :, 4]
    assert (np.diff(key, axis=1) <= 0).all()


def test_the_told_thickness_pots():
    """Aiming at the told thickness of the easiest pocket with little throw pots most easy layouts."""
    vector = SinucaVectorEnv(300, task="pot", max_distance=0.8, max_run=0.8, max_cut_deg=30, physics={"mu_ball_b": 0.0})
    rows, _ = vector.reset(seed=1)
    actions = np.zeros((300, 4), np.float32)
    actions[:, 0], actions[:, 1] = rows[:, 9], act.action_of_speed(1.5)
    *_, info = vector.step(actions)
    assert info["is_success"].mean() > 0.9
