"""Articles 8 and 9 against rays in many directions (``sight_oracle``), and against what geometry says exactly."""

import functools
import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest

from sinuca_env._jit import JIT, records
from sinuca_env.rules.place_in_d import add_row
from sinuca_env.rules.snooker import snooker_state
from sinuca_env.state.balls import balls_from_names, names_from_balls, slot_from_name
from sinuca_env.state.records import ON_COLOUR, ON_RED, Snooker
from sinuca_env.table.layouts import balls_in_layout, empty_layout, rack_layout, random_layout
from sinuca_env.table.spec import TABLES, table_spec

_spec = importlib.util.spec_from_file_location("sight_oracle", Path(__file__).parent / "sight_oracle.py")
oracle = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(oracle)

NONE, AGGRAVATED, PARTIAL, TOTAL = (int(level) for level in Snooker)
D = 0.0525
SHARE = 1.0 if JIT else 0.1  # of the random tables; plain Python is a hundred times slower


def state(layout, on, in_hand=False, table="snooker_12ft", balls=None):
    record = records(table_spec(table).record)[0]
    level, first = snooker_state(layout, balls_in_layout(layout) if balls is None else balls, on, in_hand, record)
    return int(level), int(first)


def layout_of(**places):
    layout = empty_layout()
    for name, place in places.items():
        layout[slot_from_name(name.replace("_", "#"))] = place
    return layout


def targets_of(layout, on):
    slots = range(1, 16) if on == ON_RED else range(16, 22) if on == ON_COLOUR else [on + 14]
    return [slot for slot in slots if np.isfinite(layout[slot, 0])]


def obstacles_of(layout, on, target):
    slots = range(16 if on == ON_RED else 1, 22)
    return [slot for slot in slots if slot != target and np.isfinite(layout[slot, 0])]


def crowd(rng, spec, in_hand):
    """A few balls about a line from the cue ball (or the D) to the ball on, so that every level comes up."""
    layout = empty_layout()
    d = 2 * spec.ball_radius
    on = int(rng.choice([ON_RED, 6, ON_COLOUR]))
    reach = np.array([spec.length, spec.width]) / 2 - spec.ball_radius
    target = 1 if on == ON_RED else 20
    layout[target] = rng.uniform(-reach * 0.6, reach)
    start = np.array([spec.baulk_x - 0.4 * spec.d_radius, 0.0])
    if not in_hand:
        start = rng.uniform(-reach, reach)
        while np.hypot(*(start - layout[target])) < d + 1e-3:
            start = rng.uniform(-reach, reach)
        layout[0] = start
    colours = [16, 17, 18, 19, 21] if on != ON_COLOUR else [18]
    slots = list(rng.permutation(colours)[: rng.integers(1, 1 + len(colours))]) + list(range(2, 2 + rng.integers(0, 4)))
    if in_hand and rng.random() < 0.5:
        slots += [7, 8, 9]
    for slot in slots:
        while True:
            if slot >= 7 and slot <= 9:  # in and about the D: places are taken away
                place = rng.uniform([spec.baulk_x - spec.d_radius, -spec.d_radius], [spec.baulk_x + 0.1, spec.d_radius])
            elif rng.random() < 0.6:  # close before the ball on
                angle = np.arctan2(*(start - layout[target])[::-1]) + rng.normal(0, 0.5)
                place = layout[target] + d * (1 + abs(rng.normal(0, 0.5))) * np.array([np.cos(angle), np.sin(angle)])
            else:
                place = layout[target] + rng.random() * (start - layout[target]) + rng.normal(0, 0.06, 2)
            if not (np.hypot(*(layout - place).T) < d + 1e-4).any():
                break
        layout[slot] = place
    return layout, on


@pytest.mark.parametrize("table", TABLES)
def test_from_a_place_it_agrees_with_rays(table):
    spec = table_spec(table)
    rng = np.random.default_rng(8)
    seen = np.zeros(4, int)
    for _ in range(int(500 * SHARE)):
        layout, on = crowd(rng, spec, in_hand=False)
        level, _ = state(layout, on, table=table)
        rays = 1001
        sampled = min(
            int(
                oracle.levels(layout[:1], layout[slot], [layout[o] for o in obstacles_of(layout, on, slot)], D, rays)[0]
            )
            for slot in targets_of(layout, on)
        )
        if level < sampled:  # a slit between two rays: obstacles smaller by 1 um leave it to more rays
            sampled = min(
                int(
                    oracle.levels(
                        layout[:1], layout[slot], [layout[o] for o in obstacles_of(layout, on, slot)], D, 200_001, 1e-6
                    )[0]
                )
                for slot in targets_of(layout, on)
            )
        assert level == sampled, layout
        seen[level] += 1
    assert (seen > 20 * SHARE).all(), seen


def compare_in_hand(n, seed, table, steps=20, rays=121):
    """Levels of ``n`` crowds; the search must never miss what a grid of places finds, nor claim what none proves."""
    spec = table_spec(table)
    rng = np.random.default_rng(seed)
    seen = np.zeros(4, int)
    for _ in range(n):
        layout, on = crowd(rng, spec, in_hand=True)
        level, first = state(layout, on, in_hand=True, table=table)
        assert first == 0
        targets = targets_of(layout, on)
        sampled = oracle.best_in_d(layout, targets, functools.partial(obstacles_of, layout, on), spec, steps, rays)
        assert level <= sampled, layout
        if level < sampled:  # between the places of the grid: smaller obstacles and more places show it
            sampled = oracle.best_in_d(
                layout, targets, functools.partial(obstacles_of, layout, on), spec, 3 * steps, 3 * rays, 2e-3
            )
            assert level >= sampled, layout
        seen[level] += 1
    return seen


@pytest.mark.parametrize(("table", "seed"), [("snooker_12ft", 1), ("sinuca_brasil", 2)])
def test_in_hand_it_agrees_with_a_grid_of_places(table, seed):
    assert (compare_in_hand(int(50 * SHARE), seed, table) > 0).sum() >= (3 if JIT else 2)


@pytest.mark.soak
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", range(100, 104))
def test_in_hand_it_agrees_with_a_fine_grid_of_places(table, seed):
    assert (compare_in_hand(200, seed, table, 32, 201) > 2).all()


# --- exact edges --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gap", "level"), [(2e-9, NONE), (0.0, NONE), (-5e-10, NONE), (-2e-9, AGGRAVATED)])
def test_a_path_tangent_to_an_obstacle_within_a_nanometre_is_free(gap, level):
    # The edge path to the pink goes through (0, 0) and (0.5, 0): its tangent line is y = 0.
    layout = layout_of(cue=(-0.5, 0.0), pink=(0.5, -D), black=(0.0, D + gap))
    assert state(layout, 6)[0] == level


def test_two_obstacles_that_leave_a_slit_of_no_width_leave_one_point():
    blue_brown = {"blue": (0.0, D), "brown": (0.2, -D)}
    layout = layout_of(cue=(-0.5, 0.0), black=(0.6, 0.02), **blue_brown)
    assert state(layout, 7)[0] == PARTIAL
    layout[slot_from_name("blue"), 1] -= 1e-6
    assert state(layout, 7)[0] == TOTAL


def test_a_touching_ball_on_is_not_snookered():
    layout = layout_of(cue=(0.0, 0.0), red=(D, 0.0), blue=(0.0, D), pink=(0.0, -D))
    assert state(layout, ON_RED) == (NONE, 0)
    layout[1, 0] += 2e-5  # no longer touching: both edges are hidden, the face is not
    assert state(layout, ON_RED)[0] == AGGRAVATED


def test_a_touching_ball_in_the_way_hides_half_the_table():
    assert state(layout_of(cue=(0.0, 0.0), blue=(D, 0.0), pink=(1.0, 0.0)), 6)[0] == TOTAL
    assert state(layout_of(cue=(0.0, 0.0), blue=(D, 0.0), pink=(-1.0, 0.0)), 6)[0] == NONE
    # Positions of files are rounded: a few micrometres of overlap change nothing.
    assert state(layout_of(cue=(0.0, 0.0), blue=(0.0, D - 5e-6), pink=(1.0, 0.0)), 6)[0] == AGGRAVATED


def test_reds_do_not_hide_reds_but_hide_colours():
    wall = {"red": (0.3, 0.0), "red_2": (0.3, 0.05 + D), "red_3": (0.3, -0.05 - D)}
    layout = layout_of(cue=(0.0, 0.0), red_4=(0.8, 0.0), black=(1.0, 0.0), **wall)
    assert state(layout, ON_RED)[0] == NONE
    assert state(layout, 7)[0] == TOTAL


def test_any_colour_takes_the_easiest_and_colours_hide_one_another():
    layout = layout_of(cue=(0.0, 0.0), blue=(0.5, 0.0), black=(1.0, 0.0))
    assert state(layout, 7) == (TOTAL, balls_from_names(["blue"]))
    assert state(layout, ON_COLOUR) == (NONE, 0)


def test_without_positions_there_is_no_geometry():
    assert state(empty_layout(), ON_RED, balls=0x3FFFFF) == (NONE, 0)
    layout = layout_of(red=(0.5, 0.0), blue=(0.2, 0.0))
    assert state(layout, ON_RED, balls=0x3FFFFF) == (NONE, 0)  # the cue ball is nowhere
    layout[0] = (0.0, 0.0)
    assert state(layout, 7, balls=0x3FFFFF) == (NONE, 0)  # the ball on is nowhere
    assert state(layout, ON_RED, balls=0x3FFFFF)[0] == TOTAL  # balls without position hide nothing, the blue does
    assert state(empty_layout(), 7, in_hand=True, balls=0x3FFFFE) == (NONE, 0)


# --- first obstacle -----------------------------------------------------------------------------------------------


def first_by_rays(layout, on, target):
    """The nearest of the obstacles that alone block some of many rays."""
    blocking = {}
    for slot in obstacles_of(layout, on, target):
        away = layout[target] - layout[0]
        middle, half = math.atan2(away[1], away[0]), math.asin(min(1.0, D / math.hypot(*away)))
        fan = middle + half * np.linspace(-1, 1, 20_001)[None]
        if not oracle.free(layout[:1], fan, layout[target], [layout[slot]], D).all():
            blocking[slot] = math.hypot(*(layout[slot] - layout[0]))
    return 1 << min(blocking, key=blocking.get) if blocking else 0


def test_the_first_obstacle_is_the_nearest_that_blocks_a_ray_for_every_ball_on():
    rng = np.random.default_rng(4)
    spec = table_spec("snooker_12ft")
    named = 0
    for _ in range(int(300 * SHARE)):
        layout, on = crowd(rng, spec, in_hand=False)
        level, first = state(layout, on)
        expected = 0
        if level != NONE:
            expected = np.bitwise_and.reduce([first_by_rays(layout, on, slot) for slot in targets_of(layout, on)])
        assert first == expected, (layout, names_from_balls(first))
        named += first != 0
    assert named > 100 * SHARE


def test_balls_equally_near_each_count():
    layout = layout_of(cue=(0.0, 0.0), red=(1.0, 0.0), green=(0.5, 0.02), brown=(0.5, -0.02))
    layout[slot_from_name("green"), 1], layout[slot_from_name("brown"), 1] = 0.03, -0.03
    assert state(layout, ON_RED) == (TOTAL, balls_from_names(["green", "brown"]))


# --- what must not matter -----------------------------------------------------------------------------------------


def test_mirror_images_and_the_order_of_reds_do_not_matter():
    rng = np.random.default_rng(6)
    spec = table_spec("snooker_12ft")
    for k in range(int(120 * SHARE)):
        layout, on = crowd(rng, spec, in_hand=k % 2 == 1)
        mirrored = layout * (1.0, -1.0)
        shuffled = layout.copy()
        shuffled[1:16] = layout[1 + rng.permutation(15)]
        answer = state(layout, on, k % 2 == 1)
        assert state(mirrored, on, k % 2 == 1) == answer
        level, first = state(shuffled, on, k % 2 == 1)
        assert (level, first & 0x3F0001) == (answer[0], answer[1] & 0x3F0001)


def test_more_obstacles_never_help():
    rng = np.random.default_rng(7)
    spec = table_spec("snooker_12ft")
    for k in range(int(120 * SHARE)):
        layout, on = crowd(rng, spec, in_hand=k % 2 == 1)
        level, _ = state(layout, on, k % 2 == 1)
        for slot in obstacles_of(layout, on, targets_of(layout, on)[0]):
            if slot >= 16 and on != ON_COLOUR:
                fewer = layout.copy()
                fewer[slot] = np.nan
                assert state(fewer, on, k % 2 == 1)[0] <= level


@pytest.mark.parametrize("table", TABLES)
def test_a_place_of_the_d_is_never_better_than_the_best_in_hand(table):
    spec = table_spec(table)
    rng = np.random.default_rng(9)
    for _ in range(int(60 * SHARE)):
        layout, on = crowd(rng, spec, in_hand=True)
        best, _ = state(layout, on, in_hand=True, table=table)
        for place in oracle.places_in_d(spec.baulk_x, spec.d_radius, 5):
            if (np.hypot(*(layout - place).T) > D).any() and not (np.hypot(*(layout - place).T) < D).any():
                layout[0] = place
                assert state(layout, on, table=table)[0] >= best


@pytest.mark.parametrize("table", TABLES)
def test_the_break_off(table):
    # 15 reds: an outer red of the base shows both edges past the pink. 6 reds: the pink hides the inner edge of all.
    assert state(rack_layout(15, table), ON_RED, in_hand=True, table=table) == (NONE, 0)
    assert state(rack_layout(6, table), ON_RED, in_hand=True, table=table) == (AGGRAVATED, 0)


def test_a_slit_along_the_table_shows_the_middle_of_the_red():
    layout = layout_of(red=(1.2, 0.0), green=(0.5, D + 1e-4), brown=(0.5, -D - 1e-4))
    assert state(layout, ON_RED, in_hand=True)[0] == AGGRAVATED
    # A red in the D that covers places of the line is itself open from the places beside it.
    layout[2] = table_spec("snooker_12ft").baulk_x, 0.0
    assert state(layout, ON_RED, in_hand=True)[0] == NONE
    # A colour there covers the places and hides the slit: slanting paths past it are left.
    layout[16], layout[2] = layout[2], np.nan
    spec = table_spec("snooker_12ft")
    level = state(layout, ON_RED, in_hand=True)[0]
    assert level == oracle.best_in_d(layout, [1], functools.partial(obstacles_of, layout, ON_RED), spec, 60, 401)


def test_full_buffers_take_no_more():
    rows = np.zeros((2, 3))
    append = add_row.py_func if JIT else add_row
    assert append(rows, 1, 1.0, 2.0, 3.0) == 2
    assert append(rows, 2, 4.0, 5.0, 6.0) == 2
    assert rows.tolist() == [[0, 0, 0], [1, 2, 3]]


def test_ordinary_tables_are_mostly_open():
    levels = [state(random_layout(seed, 15), ON_RED)[0] for seed in range(int(200 * SHARE))]
    assert np.mean(np.array(levels) == NONE) > 0.95
