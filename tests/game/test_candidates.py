"""The generator: how many, in which order, and whether its pots fall."""

import math

import numpy as np
import pytest

from sinuca_env._jit import records
from sinuca_env.game.candidates import CANDIDATE, KINDS, MAX_CANDIDATES, generate, scratch
from sinuca_env.game.tables import Tables
from sinuca_env.rules import rules_config
from sinuca_env.state import Option

SIGMA = math.radians(0.02)
COLOURS = range(16, 22)


def _spread(n, seed, reds=15):
    """Tables in mid-frame: all balls anywhere, red on."""
    rng = np.random.default_rng(seed)
    tables = Tables(n, cfg=rules_config(reds=reds))
    tables.seed(list(range(n)))
    tables.reset()
    half = np.array([tables.spec.length, tables.spec.width]) / 2 - 0.03
    for lane in range(n):
        slots = [0, *range(1, reds + 1), *COLOURS]
        while True:
            places = rng.uniform(-half, half, (len(slots), 2))
            gaps = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(len(slots), 1)]
            if gaps.min() > 0.0535:
                break
        tables.layouts[lane] = np.nan
        tables.layouts[lane][slots] = places
        tables.frames["on_table"][lane] |= 1
    for field in ("in_hand", "opening", "transferable"):
        tables.frames[field] = 0
    tables.settle()
    return tables


def _candidates(tables, lane, variants=9, first_only=False):
    place, pot = scratch()
    found = np.zeros(MAX_CANDIDATES, CANDIDATE)
    n = generate(
        records(tables.frames)[lane], tables.layouts[lane], records(tables.legals)[lane],
        records(tables.spec.record)[0], records(tables.params)[0], SIGMA, variants, first_only, place,
        records(pot)[0], records(found),
    )  # fmt: skip
    return found[:n]


@pytest.mark.parametrize("variants", [1, 9, 25, 49])
def test_never_more_than_fit_and_never_none(variants):
    tables = _spread(20, seed=1)
    for lane in range(tables.n):
        assert 1 <= len(_candidates(tables, lane, variants)) <= MAX_CANDIDATES


def test_equal_situations_give_equal_lists_and_nothing_is_written():
    tables = _spread(4, seed=2)
    before = tables.frames.copy(), tables.layouts.copy()
    for lane in range(tables.n):
        first, again = _candidates(tables, lane), _candidates(tables, lane)
        assert first.tobytes() == again.tobytes()
    assert np.array_equal(before[0], tables.frames)
    assert np.array_equal(before[1], tables.layouts, equal_nan=True)


def test_the_order_is_by_kind_then_ball_then_pocket():
    tables = _spread(20, seed=3)
    for lane in range(tables.n):
        found = _candidates(tables, lane)
        pots = found[found["kind"] == KINDS.index("direct")]
        keys = list(zip(pots["ball"], pots["pocket"], strict=True))
        assert keys == sorted(keys)
        kinds = found["kind"].tolist()
        assert kinds.index(KINDS.index("safety")) >= len(pots) if len(pots) and KINDS.index("safety") in kinds else True


def test_the_pots_of_the_list_fall_in_the_engine():
    """Without noise a candidate that geometry calls open falls, apart from what a throw of the spin does to others."""
    tables = _spread(40, seed=4, reds=6)
    lanes, decisions, pockets = [], [], []
    for lane in range(tables.n):
        pots = [c for c in _candidates(tables, lane, 1) if c["kind"] == 0 and c["chance"] > 0.5]
        if pots:
            lanes.append(lane)
            decisions.append(pots[0]["decision"])
            pockets.append((pots[0]["ball"], pots[0]["pocket"]))
    assert len(lanes) > 20
    tables.step(np.array(decisions), np.array(lanes))
    fell = [
        int(tables.shots["potted"][lane]) >> int(ball) & 1 and int(pocket) in tables.shots["pot_pocket"][lane].tolist()
        for lane, (ball, pocket) in zip(lanes, pockets, strict=True)
    ]
    assert np.mean(fell) > 0.9


def test_a_cue_ball_that_sees_nothing_gets_kicks():
    tables = _spread(1, seed=5, reds=6)
    tables.layouts[0] = np.nan
    # Behind the black, one red beyond it; the side cushions are free.
    tables.layouts[0][[0, 21, 1]] = [(-1.0, 0.1), (-0.9, 0.12), (0.6, 0.4)]
    tables.frames["on_table"], tables.frames["on"] = 1 | 1 << 21 | 1 << 1, 1
    tables.settle()
    found = _candidates(tables, 0)
    kicks = found[found["kind"] == KINDS.index("kick")]
    assert len(kicks) > 0
    tables.step(kicks["decision"][:1])
    assert int(tables.shots["first_contact"][0]) == 1 << 1
    assert int(tables.shots["cushions_before_contact"][0]) == 1


def test_choices_after_a_foul_are_in_the_list():
    tables = _spread(1, seed=6)
    tables.frames["after_foul"], tables.frames["free_ball"] = 1, 1
    tables.settle()
    options = set(_candidates(tables, 0)["decision"]["option"].tolist())
    assert options == {int(Option.PLAY), int(Option.FREE_BALL), int(Option.DECLINE)}
