"""The aim solver against the engine, and potting geometry against independently computed windows."""

import math

import numpy as np
import pytest

from sinuca_env._jit import records
from sinuca_env.game.aim import aim_at, aim_target, aim_targets_into, state_at_range
from sinuca_env.game.potting import CUE_CLEAR, OBJECT_CLEAR, POSSIBLE, POT, pocket_window, pot_chance, pot_into
from sinuca_env.physics import physics_params, simulate_batch
from sinuca_env.state import SHOT, STRIKE
from sinuca_env.table import table_spec

TABLE = table_spec("snooker_12ft")
RECORD = records(TABLE.record)[0]
BALL, FREE = 1, POSSIBLE | OBJECT_CLEAR | CUE_CLEAR


# Straight line and circle of a rounded-jaw corner (throat 80.14 mm, jaws 88.9 mm), worked out apart from this code:
# distance from the corner (m), approach off the bisector (deg), the window's edges off the approach (deg).
WINDOWS = [
    (0.5, 0.0, -1.800903, 1.800903),
    (1.0, 15.0, -0.510255, 1.153167),
    (1.0, 30.0, 0.312283, 1.342079),
    (2.0, 0.0, -0.436538, 0.436538),
    (2.0, 40.0, 0.551969, 0.706143),
]


@pytest.mark.parametrize(("distance", "off", "low", "high"), WINDOWS)
@pytest.mark.parametrize("side", [1, -1])
def test_corner_windows_match_independent_geometry(distance, off, low, high, side):
    heading = math.radians(45.0 + side * off)
    x = TABLE.length / 2 - distance * math.cos(heading)
    y = TABLE.width / 2 - distance * math.sin(heading)
    direction, half, _ = pocket_window(x, y, RECORD, 3)
    edges = sorted(side * math.degrees(edge - heading) for edge in (direction - half, direction + half))
    assert edges == pytest.approx([low, high], abs=2e-3)


def test_a_ball_beside_the_middle_pocket_on_the_cushion_has_no_window():
    _, half, _ = pocket_window(0.5, -TABLE.width / 2 + TABLE.ball_radius, RECORD, 1)
    assert half <= 0.0


def _layouts(n, rng):
    """Random tables with a cue ball, an object ball with a direct pot as issue 5 asks, and three others in play."""
    found = []
    pot = np.zeros(1, POT)
    while len(found) < n:
        layout = np.full((22, 2), np.nan)
        margin = np.array([TABLE.length, TABLE.width]) / 2 - TABLE.ball_radius - 1e-3
        layout[[0, BALL, 2, 3, 21]] = rng.uniform(-margin, margin, (5, 2))
        placed = layout[[0, BALL, 2, 3, 21]]
        gaps = np.linalg.norm(placed[:, None] - placed[None], axis=2)[np.triu_indices(5, 1)]
        if gaps.min() < 2 * TABLE.ball_radius + 1e-3:
            continue
        on_table = (1 << 0) | (1 << BALL) | (1 << 2) | (1 << 3) | (1 << 21)
        for pocket in rng.permutation(6):
            pot_into(layout, on_table, layout[0, 0], layout[0, 1], RECORD, BALL, pocket, records(pot)[0])
            wide = pot["half_window"][0] > math.radians(0.3) and pot["cut"][0] <= math.radians(60)
            if pot["flags"][0] == FREE and wide:
                found.append((layout, on_table, pocket))
                break
    return found


@pytest.mark.parametrize("speed", [1.2, 2.0, 3.0])
@pytest.mark.parametrize(("side", "top", "elevation"), [(0.0, 0.0, 0.0), (0.3, 0.2, 0.03), (-0.2, -0.35, 0.05)])
def test_the_solved_aim_pots_in_the_engine(speed, side, top, elevation):
    params = physics_params()
    n = 200
    cases = _layouts(n, np.random.default_rng(20261))
    strikes, shots = np.zeros(n, STRIKE), np.zeros(n, SHOT)
    strikes["speed"], strikes["side"], strikes["top"], strikes["elevation"] = speed, side, top, elevation
    reachable = np.zeros(n, bool)
    for i, (layout, _, pocket) in enumerate(cases):
        ok, angle, _, _ = aim_target(layout, RECORD, records(params)[0], BALL, pocket, records(strikes)[i])
        strikes["angle"][i], reachable[i] = angle, ok
    layouts = np.array([layout for layout, _, _ in cases])
    simulate_batch(layouts, np.array([balls for _, balls, _ in cases], np.uint32), strikes, shots, TABLE, params)
    fell = (shots["potted"] >> BALL) & 1 == 1
    right = np.array([shots["pot_pocket"][i, 0] == cases[i][2] for i in range(n)])
    assert np.mean(fell & right | ~reachable) >= 0.95
    # A stroke too weak to bring the ball there is told, and at the two higher speeds there is hardly one.
    assert not np.any(fell[~reachable] & (shots["pot_pocket"][~reachable, 0] < 0))
    if speed >= 2.0 and top >= 0.0:
        assert reachable.mean() >= 0.95


def test_without_friction_between_balls_and_without_spin_the_aim_is_the_ghost_ball():
    params = records(physics_params(ball_ball="elastic", squirt=0.0))[0]
    strike = np.zeros(1, STRIKE)
    strike["speed"] = 2.0
    pot = np.zeros(1, POT)
    layout = np.full((22, 2), np.nan)
    layout[0], layout[BALL] = (-0.6, 0.1), (0.8, 0.35)
    pot_into(layout, 3, -0.6, 0.1, RECORD, BALL, 3, records(pot)[0])
    ok, angle, _, _ = aim_at(-0.6, 0.1, 0.8, 0.35, pot["direction"][0], pot["run"][0], records(strike)[0], params)
    assert ok
    assert angle == pytest.approx(pot["angle"][0], abs=1e-9)


def test_mirrored_stroke_mirrors_the_aim():
    params = records(physics_params())[0]
    strike = np.zeros(2, STRIKE)
    strike["speed"], strike["side"], strike["top"], strike["elevation"] = 2.0, (0.3, -0.3), 0.2, 0.05
    up = aim_at(-0.6, 0.1, 0.5, 0.2, 0.4, 1.0, records(strike)[0], params)
    down = aim_at(-0.6, -0.1, 0.5, -0.2, -0.4, 1.0, records(strike)[1], params)
    assert up[1] == pytest.approx(-down[1], abs=1e-12)


def test_swerve_and_squirt_are_seen():
    params = records(physics_params())[0]
    strike = np.zeros(2, STRIKE)
    strike["speed"], strike["elevation"], strike["side"] = 1.5, 0.1, (0.0, 0.4)
    plain = aim_at(-0.8, 0.0, 0.5, 0.0, 0.0, 0.5, records(strike)[0], params)[1]
    sided = aim_at(-0.8, 0.0, 0.5, 0.0, 0.0, 0.5, records(strike)[1], params)[1]
    assert abs(sided - plain) > math.radians(0.3)


def test_a_rolling_ball_stops_where_it_stops():
    params = records(physics_params(mu_roll=0.01, gravity=9.81))[0]
    length = 0.5**2 / (2 * 0.01 * 9.81)
    rolling = (0.5, 0.0, 0.0, 0.5 / TABLE.ball_radius, 0.0)
    assert state_at_range(*rolling, length - 1e-6, params)[0] == 1
    assert state_at_range(*rolling, length + 1e-6, params)[0] == 0


def test_all_targets_agree_with_one_target():
    params, rng = records(physics_params())[0], np.random.default_rng(5)
    layout = rng.uniform(-0.8, 0.8, (22, 2))
    strike = np.zeros(1, STRIKE)
    strike["speed"] = 2.5
    angles, halves = np.zeros((22, 6)), np.zeros((22, 6))
    aim_targets_into(layout, 0b110, RECORD, params, records(strike)[0], angles, halves)
    for ball in (1, 2):
        for pocket in range(6):
            _, angle, _, half = aim_target(layout, RECORD, params, ball, pocket, records(strike)[0])
            assert (angles[ball, pocket], halves[ball, pocket]) == (angle, half)
    assert np.isnan(angles[3:]).all()
    assert np.isnan(angles[0]).all()


def test_chance_is_the_normal_share_of_the_window():
    assert pot_chance(1e-3, 1e-3) == pytest.approx(0.6827, abs=1e-4)
    assert pot_chance(-1e-3, 1e-3) == 0.0
