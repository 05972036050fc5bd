"""Articles 6, 7, 47: the highest breaks, proved by a search over the referee alone.

No physics: from every situation every stroke is tried (each call, each ball hit first, reds and up to two colours
potted), the real referee rules on it, and the search goes on from the frame that it leaves.
"""

import functools
import itertools

import numpy as np
import pytest

from sinuca_env._jit import JIT
from sinuca_env.rules import judge_batch, rules_config
from sinuca_env.rules.breaks import points_remaining
from sinuca_env.rules.definitions import free_ball_values_of
from sinuca_env.rules.ending import EARLY_END_LEADS
from sinuca_env.rules.report import empty_shot
from sinuca_env.state.balls import colours_mask, reds_mask
from sinuca_env.state.notation import untouched_frame
from sinuca_env.state.records import DECISION, LEGAL, ON_COLOUR, ON_RED, RULING
from sinuca_env.table.spec import table_spec

ALL = (2, 3, 4, 5, 6, 7)
CFG = rules_config(call_mode="explicit", early_end="off")


def strokes(reds, colours):
    """Every stroke: (call, free, hit first, potted)."""
    values = ([1] if reds else []) + list(colours)
    calls = [(0, False)] + [(value, free) for value in values for free in (False, True)]
    pots = (
        [0]
        + [1 << (v + 14) for v in colours]
        + [1 << (a + 14) | 1 << (b + 14) for a, b in itertools.combinations(colours, 2)]
    )
    counts = sorted({0, 1, 2, reds} & set(range(reds + 1)))
    return list(itertools.product(calls, values, counts, pots))


def judged(reds, colours, on, free_ball):
    """Frames and rulings after every stroke from a situation at 0:0."""
    tried = strokes(reds, colours)
    frame = untouched_frame(15)
    frame["on_table"] = reds_mask(reds) | colours_mask(colours) | 1
    frame["on"], frame["free_ball"], frame["after_foul"] = on, free_ball, free_ball
    frames = np.repeat(frame, len(tried))
    shots = empty_shot(len(tried))
    shots["made"] = 1
    decisions = np.zeros(len(tried), DECISION)
    for i, ((call, free), first, count, pots) in enumerate(tried):
        decisions[i]["call"], decisions[i]["option"] = call, free
        shots[i]["first_contact"] = 1 << (1 if first == 1 else first + 14)
        shots[i]["potted"] = shots[i]["moved"] = reds_mask(count) | pots
    layouts = np.full((len(tried), 22, 2), np.nan)
    rulings, legals = np.zeros(len(tried), RULING), np.zeros(len(tried), LEGAL)
    judge_batch(frames, layouts, shots, decisions, CFG, table_spec("snooker_12ft").record, rulings, legals)
    return frames, rulings


@functools.cache
def highest_break(reds, colours, on, free_ball=False):
    """By search: points of the best stroke that goes on, and what follows it."""
    frames, rulings = judged(reds, colours, on, free_ball)
    scoring = (rulings["fouls"] == 0) & (rulings["points"] > 0)
    ways = {}
    for frame, ruling in zip(frames[scoring], rulings[scoring], strict=True):
        assert ruling["next_striker"] == 0 or ruling["frame_over"]
        balls = int(frame["on_table"])
        left = bin(balls & 0xFFFE).count("1"), tuple(v for v in ALL if balls >> (v + 14) & 1)
        after = None if ruling["frame_over"] else (*left, int(frame["on"]), bool(frame["free_ball"]))
        ways[after] = max(ways.get(after, 0), int(ruling["points"]))
    return max((points + (highest_break(*after) if after else 0) for after, points in ways.items()), default=0)


def situations():
    """Every situation of a frame with 15 reds: reds on, a colour after a red, each ball on of the final sequence."""
    for reds in range(16 if JIT else 2):  # plain Python would take minutes for the rest
        if reds:
            yield reds, ALL, ON_RED, False
            yield reds, ALL, ON_RED, True
        yield reds, ALL, ON_COLOUR, False
    for on in ALL:
        yield 0, tuple(range(on, 8)), on, False
        if on < 7:
            yield 0, tuple(range(on, 8)), on, True


@pytest.mark.parametrize("situation", list(situations()), ids=lambda s: f"reds{s[0]}-on{s[2]}{'-free' if s[3] else ''}")
def test_no_break_is_higher_and_one_is_as_high(situation):
    reds, colours, on, free_ball = situation
    balls = reds_mask(reds) | colours_mask(colours)
    assert points_remaining(balls, on, free_ball) == highest_break(*situation)


@pytest.mark.parametrize(("reds", "points"), [(6, 75), (10, 107), (15, 147)])
def test_article_6_i_from_the_start(reds, points):
    assert points_remaining(reds_mask(reds) | colours_mask(ALL), ON_RED, False) == points


@pytest.mark.parametrize(("on", "points"), [(6, 13), (5, 18), (4, 22), (3, 25), (2, 27)])
def test_article_6_ii_by_ball_on(on, points):
    assert points_remaining(colours_mask(range(on, 8)), on, False) == points


def test_article_6_ii_by_reds():
    by_reds = [points_remaining(reds_mask(n) | colours_mask(ALL), ON_RED, False) for n in range(1, 16)]
    assert by_reds[0] == 35
    assert set(np.diff(by_reds)) == {8}


def test_article_7_a_free_ball_adds_up_to_eight():
    added = [
        points_remaining(balls, on, True) - points_remaining(balls, on, False)
        for balls, on in [(reds_mask(15) | colours_mask(ALL), ON_RED)]
        + [(colours_mask(range(on, 8)), on) for on in ALL]
    ]
    assert added == [8, 2, 3, 4, 5, 6, 0]  # with the black alone there is none to offer
    assert max(added) == 8


def test_article_47_is_the_highest_break_plus_eight():
    """The black's 8 (a lead over 7) is the law's own number."""
    for on in range(2, 7):
        assert EARLY_END_LEADS[on] == points_remaining(colours_mask(range(on, 8)), on, False) + 8
    assert EARLY_END_LEADS[7] + 1 == 8


def test_no_free_ball_stands_for_any_colour():
    values_of_free_ball = free_ball_values_of.py_func if JIT else free_ball_values_of
    assert values_of_free_ball(colours_mask(ALL), ON_COLOUR) == 0


def test_the_end_of_the_table():
    assert points_remaining(0, 0, False) == 0
    assert points_remaining(colours_mask([7]), 7, True) == 7
