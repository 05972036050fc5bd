"""The rack of article 16 on both tables, and random layouts."""

import itertools
import math

import numpy as np
import pytest

from sinuca_env._jit import records
from sinuca_env.state import SinucaError
from sinuca_env.state.balls import SLOT_NAMES, colours_mask, reds_mask
from sinuca_env.table.layouts import (
    APEX_GAP,
    RACK_GAP,
    RACK_SIZES,
    balls_in_layout,
    empty_layout,
    rack,
    rack_into,
    rack_layout,
    random_layout,
    smallest_gap,
)
from sinuca_env.table.spec import TABLES, TableSpec, table_spec

R = 0.02625
EVERY_RACK = list(itertools.product(TABLES, RACK_SIZES))


@pytest.mark.parametrize(("table", "reds"), EVERY_RACK)
def test_article_16_the_rack(table, reds):
    spec = table_spec(table)
    layout = rack_layout(reds, table)
    assert balls_in_layout(layout) == reds_mask(reds) | colours_mask(range(2, 8))
    for slot in range(16, 22):
        assert tuple(layout[slot]) == spec.spots[SLOT_NAMES[slot]]
    pile = layout[1 : reds + 1]
    apex = pile[pile[:, 0].argmin()]
    assert apex[1] == 0.0
    # 16-II: bastante proxima da bola 6, sem toca-la (touching: 0.01 mm).
    assert 1e-5 < apex[0] - spec.spots["pink"][0] - 2 * R <= 1e-4
    assert pile[:, 0].max() + R < spec.spots["black"][0] - R
    # 16-I: united; every red has its neighbours at the rack's gap, an inner one six of them.
    away = np.hypot(*(pile[:, None] - pile[None]).transpose(2, 0, 1))
    neighbours = (np.abs(away - 2 * R - RACK_GAP) < 1e-9).sum(axis=1)
    assert away[away > 0].min() >= 2 * R
    assert sorted(neighbours)[:3] == [2, 2, 2]
    assert (neighbours == 6).sum() == {6: 0, 10: 1, 15: 3}[reds]
    # Base towards the black, symmetric about the long axis.
    rows = sorted({round(x, 9) for x in pile[:, 0]})
    assert [int((np.abs(pile[:, 0] - x) < 1e-8).sum()) for x in rows] == list(range(1, len(rows) + 1))
    assert np.allclose(sorted(pile[:, 1]), sorted(-pile[:, 1]), atol=1e-15)


@pytest.mark.parametrize(("table", "reds"), EVERY_RACK)
@pytest.mark.parametrize("gap", [0.0, RACK_GAP, 1e-3])
def test_the_kernel_writes_the_same_rack(table, reds, gap):
    layout = np.zeros((22, 2))
    balls = rack_into(layout, reds, records(table_spec(table).record)[0], gap)
    assert np.allclose(layout, rack_layout(reds, table, gap), rtol=0, atol=1e-15, equal_nan=True)
    assert balls == balls_in_layout(layout)
    assert smallest_gap(layout, table) >= min(gap, APEX_GAP) - 1e-15


def test_the_usual_rack():
    layout = np.zeros((22, 2))
    rack(layout, 15, records(table_spec("snooker_12ft").record)[0])
    assert np.allclose(layout, rack_layout(), rtol=0, atol=1e-15, equal_nan=True)


@pytest.mark.parametrize("reds", [0, 7, 16, True, "15"])
def test_reds_that_make_no_triangle(reds):
    with pytest.raises(SinucaError, match=r"reds: .* \(article 1\): one of 6, 10, 15"):
        rack_layout(reds)


@pytest.mark.parametrize("gap", [-1e-9, 0.02, math.nan])
def test_gaps_that_cannot_be(gap):
    with pytest.raises(SinucaError, match="rack_gap"):
        rack_layout(15, gap=gap)


@pytest.mark.parametrize("table", TABLES)
def test_random_layouts_overlap_nothing_and_repeat(table):
    spec = table_spec(table)
    for seed in range(40):
        layout = random_layout(seed, seed % 16, (2, 7), table=table, cue=seed % 3 > 0, on_spots=seed % 2 == 0)
        assert balls_in_layout(layout) == reds_mask(seed % 16) | colours_mask([2, 7]) | (1 if seed % 3 else 0)
        assert smallest_gap(layout, table) >= 1e-4
        inside = layout[np.isfinite(layout[:, 0])]
        assert (np.abs(inside) <= np.array([spec.length, spec.width]) / 2 - R).all()
        again = random_layout(seed, seed % 16, "27", table=table, cue=seed % 3 > 0, on_spots=seed % 2 == 0)
        assert np.array_equal(layout, again, equal_nan=True)
    assert not np.array_equal(random_layout(1), random_layout(2))


@pytest.mark.parametrize(
    ("reds", "colours", "words"), [(16, (), "reds: 16"), (0, (1,), "colours"), (0, (8,), "colours")]
)
def test_random_layouts_that_cannot_be(reds, colours, words):
    with pytest.raises(SinucaError, match=words):
        random_layout(0, reds, colours)


def test_gaps():
    layout = empty_layout()
    assert smallest_gap(layout) == math.inf
    layout[0], layout[1] = (0.0, 0.0), (0.06, 0.0)
    assert smallest_gap(layout) == pytest.approx(0.0075, abs=1e-12)


def test_both_tables_are_symmetric_and_their_spots_in_place():
    for name in TABLES:
        spec = table_spec(name)
        record = spec.record[0]
        assert record["spots"][2][1] == -record["spots"][3][1]
        assert {name: record["spots"][v].tolist() for v, name in enumerate(("yellow", "green", "brown"), 2)} == {
            ball: list(spec.spots[ball]) for ball in ("yellow", "green", "brown")
        }
        pockets = record["pockets"]
        assert sorted(map(tuple, pockets * (1, -1, 1))) == sorted(map(tuple, pockets))
    assert table_spec("snooker_12ft").spots["black"] == (pytest.approx(1.4605), 0.0)
    assert table_spec("snooker_12ft").spots["yellow"] == (pytest.approx(-1.0475), -0.292)


def test_an_unknown_table_suggests():
    with pytest.raises(SinucaError, match=r"did you mean 'snooker_12ft'\?"):
        table_spec("snooker_12f")
    with pytest.raises(SinucaError, match=r"table: unknown table .*: one of snooker_12ft"):
        table_spec({"length": 1})
    own = TableSpec("own", 2.0, 1.0, 0.5, 0.2, 0.2)
    assert table_spec(own) is own
