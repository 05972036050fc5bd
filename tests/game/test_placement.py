"""The cue ball's place in the D, the ball aimed at, the cue over cushions and balls."""

import math

import numpy as np
import pytest

from sinuca_env._jit import records
from sinuca_env.game.placement import (
    CUE_LENGTH,
    CUE_RADIUS,
    MAX_ELEVATION,
    aimed_ball,
    clear_elevation,
    is_free,
    place_in_d,
)
from sinuca_env.state.balls import BROWN, CUE
from sinuca_env.table import TABLES

SPEC = TABLES["snooker_12ft"]
TABLE = records(SPEC.record)[0]
R = SPEC.ball_radius
NOSE = 1.4


def table_with(**balls):
    """A layout and its set of balls, from positions by slot (``s16=(x, y)``)."""
    layout, on_table = np.full((22, 2), np.nan), 0
    for name, place in balls.items():
        slot = int(name[1:])
        layout[slot] = place
        on_table |= 1 << slot
    return layout, on_table


def test_a_free_place_in_the_d_is_kept_exactly():
    layout, balls = table_with()
    x, y = SPEC.baulk_x - 0.1, 0.05
    assert place_in_d(x, y, layout, balls, TABLE) == (x, y)


@pytest.mark.parametrize("wanted", [(0.5, 0.0), (-5.0, 1.0), (0.0, 0.9), (math.nan, 0.0), (-1.7, -0.3)])
def test_places_outside_move_into_the_d(wanted):
    layout, balls = table_with()
    x, y = place_in_d(*wanted, layout, balls, TABLE)
    assert x <= SPEC.baulk_x
    assert math.hypot(x - SPEC.baulk_x, y) <= SPEC.d_radius


def test_placing_twice_changes_nothing():
    layout, balls = table_with(s18=SPEC.spots["brown"])
    rng = np.random.default_rng(1)
    for _ in range(500):
        once = place_in_d(*rng.uniform(-2, 2, 2), layout, balls, TABLE)
        assert place_in_d(*once, layout, balls, TABLE) == once


def test_a_taken_place_moves_off_the_ball_by_little():
    layout, balls = table_with(s18=SPEC.spots["brown"])
    x, y = place_in_d(SPEC.baulk_x, 0.0, layout, balls, TABLE)
    assert is_free(x, y, layout, balls, R)
    assert 2 * R < math.hypot(x - SPEC.baulk_x, y) < 2 * R + 0.006


def test_the_aim_meets_the_nearest_ball_on_its_line():
    layout, balls = table_with(s0=(0.0, 0.0), s1=(0.5, 0.04), s16=(0.3, 0.06), s17=(-0.2, 0.0))
    assert aimed_ball(layout, balls, 0.0, R) == 1
    assert aimed_ball(layout, balls, math.atan2(0.06, 0.3), R) == 16
    assert aimed_ball(layout, balls, math.pi, R) == 17
    assert aimed_ball(layout, balls, math.pi / 2, R) == -1


def axis_distance(elevation, top, behind, aside, height):
    """Distance of a point (behind, aside, above the cue ball's centre) from the cue's axis, by vectors in space."""
    along = np.array([-math.cos(elevation), 0.0, math.sin(elevation)])
    start = top * R * np.array([math.sin(elevation), 0.0, math.cos(elevation)])
    return np.linalg.norm(np.cross(np.array([-behind, aside, height]) - start, along))


@pytest.mark.parametrize("top", [-0.4, 0.0, 0.4])
@pytest.mark.parametrize(("behind", "aside"), [(0.055, 0.0), (0.08, 0.02), (0.3, -0.015)])
def test_the_cue_just_clears_a_ball_behind(top, behind, aside):
    layout, balls = table_with(s0=(0.0, 0.0), s16=(-behind, aside))
    elevation = clear_elevation(layout, balls, 0.0, top, NOSE, TABLE)
    gap = axis_distance(elevation, top, behind, aside, 0.0) - (R + CUE_RADIUS)
    if elevation < MAX_ELEVATION:
        assert gap == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("top", [-0.3, 0.0, 0.3])
@pytest.mark.parametrize("behind", [R, 0.1, 0.6])
def test_the_cue_just_clears_the_cushion_behind(top, behind):
    layout, balls = table_with(s0=(-SPEC.length / 2 + behind, 0.3))
    elevation = clear_elevation(layout, balls, 0.0, top, NOSE, TABLE)
    gap = axis_distance(elevation, top, behind, 0.0, (NOSE - 1) * R) - CUE_RADIUS
    assert gap == pytest.approx(0.0, abs=1e-12)


def test_nothing_within_the_cue_length_leaves_it_level():
    layout, balls = table_with(s0=(SPEC.length / 2 - 0.2, 0.0), s16=(SPEC.length / 2 - 0.3, 0.1))
    assert SPEC.length - 0.2 > CUE_LENGTH
    assert clear_elevation(layout, balls, 0.0, 0.0, NOSE, TABLE) == 0.0


def test_slots_are_those_of_the_names():
    assert (CUE, BROWN) == (0, 18)
