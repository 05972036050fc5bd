"""Articles 25 to 28 as properties: where a returning ball may lie, and that nothing nearer was free."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sinuca_env._jit import records
from sinuca_env.rules.respot import respot
from sinuca_env.state.balls import SLOT_NAMES, balls_from_names, colours_mask, names_from_balls
from sinuca_env.table.layouts import balls_in_layout, empty_layout, random_layout, smallest_gap
from sinuca_env.table.spec import TABLES, table_spec

R = 0.02625
TOUCHING = 1e-5  # m, article 22
WIDEST_GAP = 1e-4  # m, articles 25-28


def put_back(layout, returning, towards_top=True, table="snooker_12ft", in_hand=None):
    """The layout after the return, and the set of balls on the table."""
    after = layout.copy()
    balls = balls_in_layout(layout)
    in_hand = not balls & 1 if in_hand is None else in_hand
    record = records(table_spec(table).record)[0]
    return after, int(respot(after, balls, returning, in_hand, towards_top, record))


def is_clear(layout, place, skip=()):
    """Nobody is within the touching tolerance of a ball placed there."""
    others = [slot for slot in range(22) if slot not in skip and np.isfinite(layout[slot, 0])]
    return all(math.hypot(*(layout[slot] - place)) > 2 * R + TOUCHING for slot in others)


@st.composite
def crowded_tables(draw):
    """Balls near spots and lines, so that spots are occupied in all ways; some colours are off and return."""
    table = draw(st.sampled_from(sorted(TABLES)))
    spec = table_spec(table)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    returning = draw(st.sets(st.integers(16, 21), min_size=1))
    taken = draw(st.integers(0, 6))
    layout = empty_layout()
    spots = spec.record["spots"][0][2:]
    slots = [0, *range(1, 1 + draw(st.integers(0, 15))), *(s for s in range(16, 22) if s not in returning)]
    covered = list(rng.permutation(spots)[:taken])
    reach = np.array([spec.length, spec.width]) / 2 - R
    for slot in rng.permutation(slots):
        for _ in range(200):
            if covered:
                place = covered[-1] + rng.uniform(-0.03, 0.03, 2)
            elif rng.random() < 0.7:
                place = np.array([rng.uniform(-reach[0], reach[0]), rng.choice(spots[:, 1]) + rng.normal(0, 0.02)])
            else:
                place = rng.uniform(-reach, reach)
            if not (np.hypot(*(layout - place).T) < 2 * R + 1e-6).any():
                layout[slot] = place
                covered = covered[:-1]
                break
    return table, layout, sorted(returning), draw(st.booleans())


@settings(max_examples=150, deadline=None)
@given(crowded_tables())
def test_every_ball_lies_where_articles_25_to_28_put_it(example):
    table, layout, returning, towards_top = example
    spec = table_spec(table)
    spots = spec.record["spots"][0]
    after, balls = put_back(layout, sum(1 << slot for slot in returning), towards_top, table)
    assert balls == balls_in_layout(layout) | sum(1 << slot for slot in returning)
    assert np.array_equal(after[[s for s in range(22) if s not in returning]],
                          layout[[s for s in range(22) if s not in returning]], equal_nan=True)  # fmt: skip
    now = layout.copy()
    for slot in sorted(returning, reverse=True):  # 28: highest value first
        value, place = slot - 14, after[slot]
        free = [v for v in range(7, 1, -1) if is_clear(now, spots[v])]
        if value in free:
            assert np.array_equal(place, spots[value])  # 25: its own
        elif free:
            assert np.array_equal(place, spots[free[0]])  # 25: the highest free one
        else:
            check_line(now, place, spots[value], towards_top, spec)
        now[slot] = place
    assert smallest_gap(after, table) >= min(smallest_gap(layout, table), TOUCHING)


def check_line(layout, place, spot, towards_top, spec):
    """26, 27: on the line through the spot, clear, near as can be, the other way only where there is no room."""
    assert place[1] == spot[1]
    assert abs(place[0]) <= spec.length / 2 - R
    assert is_clear(layout, place)
    gaps = [math.hypot(*(ball - place)) - 2 * R for ball in layout if np.isfinite(ball[0])]
    assert TOUCHING < min(gaps) <= WIDEST_GAP
    sign = 1 if towards_top else -1
    if (place[0] - spot[0]) * sign < 0:
        end = sign * (spec.length / 2 - R)
        assert not any(is_clear_by(layout, (x, spot[1])) for x in np.arange(spot[0], end, sign * 5e-4))
        sign = -sign
    # Nothing between spot and place leaves the gap that the place has.
    between = np.arange(spot[0], place[0] - sign * 1e-6, sign * 5e-4)
    assert not any(is_clear_by(layout, (x, spot[1])) for x in between)


def is_clear_by(layout, place):
    return all(math.hypot(*(ball - place)) > 2 * R + 2e-5 + 1e-9 for ball in layout if np.isfinite(ball[0]))


def test_the_cue_ball_covers_a_spot_unless_in_hand():
    layout = empty_layout()
    layout[0] = 0.0
    spots = table_spec("snooker_12ft").spots
    blue = balls_from_names(["blue"])
    assert tuple(put_back(layout, blue)[0][19]) == spots["black"]  # the highest free spot
    assert tuple(put_back(layout, blue, in_hand=True)[0][19]) == spots["blue"]


def test_reds_never_return():
    after, balls = put_back(empty_layout(), balls_from_names(["red", "black"]))
    assert names_from_balls(balls) == ["black"]
    assert np.isnan(after[1]).all()


def test_balls_without_position_are_in_nobodys_way():
    after = empty_layout()
    record = records(table_spec("snooker_12ft").record)[0]
    respot(after, 0x3FFFFF, colours_mask([7]), False, True, record)
    assert tuple(after[21]) == table_spec("snooker_12ft").spots["black"]


@pytest.mark.parametrize("table", TABLES)
def test_all_six_return_to_an_empty_table_on_their_spots(table):
    after, _ = put_back(empty_layout(), colours_mask(range(2, 8)), table=table)
    for slot in range(16, 22):
        assert tuple(after[slot]) == table_spec(table).spots[SLOT_NAMES[slot]]


@pytest.mark.parametrize("towards_top", [True, False])
def test_the_readings_of_the_top_cushion_are_mirror_images(towards_top):
    """All spots taken, the blue's by the cue ball; the blue returns beside it on the named side."""
    layout = empty_layout()
    spots = table_spec("snooker_12ft").spots
    for slot in (16, 17, 18, 20, 21):
        layout[slot] = spots[SLOT_NAMES[slot]]
    layout[0] = 0.0
    x = put_back(layout, balls_from_names(["blue"]), towards_top)[0][19, 0]
    assert x * (1 if towards_top else -1) == pytest.approx(2 * R + 2e-5, abs=1e-12)


def test_random_tables_keep_their_gaps():
    for seed in range(100):
        layout = random_layout(seed, 15, (2, 3, 4))
        after, _ = put_back(layout, colours_mask([5, 6, 7]), seed % 2 == 0)
        assert smallest_gap(after) > TOUCHING
