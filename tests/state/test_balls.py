"""Slots, values, names and sets of balls."""

import re

import pytest

from sinuca_env.state import SinucaError, suggest
from sinuca_env.state.balls import (
    ALL_COLOURS,
    ALL_REDS,
    N_SLOTS,
    SLOT_NAMES,
    SLOT_VALUE,
    balls_from_names,
    colours_mask,
    count_balls,
    has_ball,
    names_from_balls,
    reds_mask,
    slot_from_name,
    slot_of_value,
    value_of_slot,
)


def test_values_of_article_1():
    assert SLOT_VALUE.tolist() == [0] + [1] * 15 + [2, 3, 4, 5, 6, 7]
    assert [value_of_slot(slot) for slot in range(N_SLOTS)] == SLOT_VALUE.tolist()
    assert [slot_of_value(value) for value in range(8)] == [0, 1, 16, 17, 18, 19, 20, 21]


def test_names_and_sets_read_back():
    for slot, name in enumerate(SLOT_NAMES):
        assert slot_from_name(name) == slot
        assert names_from_balls(1 << slot) == [name]
        assert balls_from_names([name]) == 1 << slot
    assert slot_from_name("red#1") == slot_from_name("red")
    assert balls_from_names(names_from_balls(0x3FFFFF)) == 0x3FFFFF


def test_masks():
    assert reds_mask(15) == ALL_REDS
    assert reds_mask(6) == 0b1111110
    assert colours_mask(range(2, 8)) == ALL_COLOURS
    assert colours_mask([7, 7]) == 1 << 21
    assert count_balls(reds_mask(10) | 1) == 11
    assert has_ball(ALL_COLOURS, 16)
    assert not has_ball(ALL_COLOURS, 15)


@pytest.mark.parametrize("name", ["white", "red#16", "Red", ""])
def test_unknown_names(name):
    with pytest.raises(SinucaError, match=re.escape(f"unknown ball '{name}'")):
        slot_from_name(name)


def test_suggestions():
    assert suggest("balck", ["black", "blue"]) == " (did you mean 'black'?)"
    assert suggest("xyz", ["black"]) == ""
