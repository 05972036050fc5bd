"""The faces: scaling as documented, only legal choices, aims that mean what they say."""

import itertools
import math

import numpy as np
import pytest

from sinuca_env._jit import records
from sinuca_env.game import action as act
from sinuca_env.game.action import action_of_speed, decode_box, decode_relative, decode_target, face_parts, face_size
from sinuca_env.game.tables import Tables
from sinuca_env.state.records import DECISION, Option

RNG = np.random.default_rng(20)


@pytest.fixture(scope="module")
def tables():
    game = Tables(8)
    game.seed(range(8))
    game.reset()
    return game


def decode(face, action, game, lane=0, single=False):
    decisions = np.zeros(1, DECISION)
    args = [np.asarray(action, float), single, records(game.frames)[lane], game.layouts[lane]]
    args += [records(game.legals)[lane], records(game.spec.record)[0]]
    if face == "target":
        args.append(records(game.params)[0])
    {"box": decode_box, "relative": decode_relative, "target": decode_target}[face](*args, records(decisions)[0])
    return decisions[0]


def test_parts_cover_each_face_without_gap():
    for face in act.FACES:
        for single in (False, True):
            slices = sorted(face_parts(face, single).values(), key=lambda part: part.start)
            assert slices[0].start == 0
            assert all(a.stop == b.start for a, b in itertools.pairwise(slices))
            assert slices[-1].stop == face_size(face, single)


def test_speed_scale_ends_and_density():
    assert act.speed_of(-1.0) == pytest.approx(0.2)
    assert act.speed_of(1.0) == pytest.approx(6.5)
    grid = np.array([act.speed_of(a) for a in np.linspace(-1, 1, 41)])
    assert (np.diff(grid) > 0).all()
    assert (np.diff(grid, 2) > 0).all(), "denser at low speed"
    assert act.speed_of(action_of_speed(2.4)) == pytest.approx(2.4)


def test_box_is_read_part_by_part(tables):
    parts = face_parts("box")
    action = RNG.uniform(-1, 1, face_size("box"))
    action[parts["aim"]] = [math.cos(2.5), math.sin(2.5)]
    action[parts["side"]], action[parts["top"]] = -0.5, 0.25
    action[parts["elevation"]] = 0.5
    action[parts["speed"]] = action_of_speed(3.0)
    strike = decode("box", action, tables)["strike"]
    assert strike["angle"] == pytest.approx(2.5)
    assert strike["speed"] == pytest.approx(3.0)
    assert (strike["side"], strike["top"]) == (pytest.approx(-0.25), pytest.approx(0.125))
    assert strike["elevation"] == pytest.approx(math.radians(30))


def test_the_tip_stays_in_its_disc(tables):
    for _ in range(200):
        strike = decode("box", RNG.uniform(-1, 1, 19), tables)["strike"]
        assert math.hypot(strike["side"], strike["top"]) <= 0.5
    action = np.zeros(19)
    action[3:5] = 1.0
    strike = decode("box", action, tables)["strike"]
    assert strike["side"] == strike["top"] == pytest.approx(0.5 / math.sqrt(2))


@pytest.mark.parametrize("face", ["box", "relative", "target"])
def test_only_legal_options_calls_and_places_are_chosen(tables, face):
    spec = tables.spec
    for lane in range(tables.n):
        legal = tables.legals[lane]
        for _ in range(20):
            decision = decode(face, RNG.uniform(-1, 1, face_size(face)), tables, lane)
            assert int(legal["options"]) >> int(decision["option"]) & 1
            assert decision["option"] != Option.CONCEDE
            if decision["option"] == Option.PLAY:
                assert int(legal["calls"]) >> int(decision["call"]) & 1
            x, y = decision["placement"]
            assert x <= spec.baulk_x
            assert math.hypot(x - spec.baulk_x, y) <= spec.d_radius


def test_thickness_says_where_the_ball_is_met():
    game = Tables(1)
    game.seed([1])
    game.reset()
    game.layouts[0] = np.nan
    game.layouts[0, 0], game.layouts[0, 1] = (0.0, 0.0), (0.8, 0.3)
    game.frames["on_table"], game.frames["in_hand"], game.frames["on"] = 0b11, 0, 1
    game.settle()
    line = np.array([0.8, 0.3])
    for thickness in (-1.0, -0.4, 0.0, 0.7, 1.0):
        angle = decode("relative", [thickness, 0, 0, 0], game, single=True)["strike"]["angle"]
        left = np.array([-math.sin(angle), math.cos(angle)])
        # The ball's centre lies 2 R * thickness to the right of the cue ball's path.
        assert -left @ line == pytest.approx(2 * game.spec.ball_radius * thickness, abs=1e-12)


def test_residual_counts_in_half_windows():
    game = Tables(1)
    game.seed([1])
    game.reset()
    game.layouts[0] = np.nan
    game.layouts[0, 0], game.layouts[0, 1] = (0.2, 0.1), (1.2, 0.4)
    game.frames["on_table"], game.frames["in_hand"], game.frames["on"] = 0b11, 0, 1
    game.settle()
    action = np.zeros(10)
    action[4 + 3] = 1.0  # top left pocket
    aims = []
    for residual in (-1 / 3, 0.0, 1 / 3):
        action[0] = residual
        aims.append(float(decode("target", action, game, single=True)["strike"]["angle"]))
    assert aims[1] - aims[0] == pytest.approx(aims[2] - aims[1])
    assert 1e-4 < aims[1] - aims[0] < 0.1
