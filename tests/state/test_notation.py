"""One line of text that reads back exactly, and frames that cannot be."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sinuca_env.state import FRAME, ON_COLOUR, POSITION, SinucaError
from sinuca_env.state.check import check_frame
from sinuca_env.state.notation import (
    frame_from_text,
    frame_to_text,
    layout_from_text,
    layout_to_text,
    untouched_frame,
)
from sinuca_env.table.layouts import empty_layout, rack_layout, random_layout

START = "reds=15 left=1-15 colours=234567 on=red score=0-0 side=0"
FREE = "reds=6 left=2,5 colours=234567 on=red score=12-20 side=1 free_ball=1 after_foul=1 snooker=total"


def same(a, b):
    return all(
        np.array_equal(a[name], b[name], equal_nan=True) for name in FRAME.names if FRAME[name].names is None
    ) and (all(a[name].tobytes() == b[name].tobytes() for name in FRAME.names if FRAME[name].names))


@pytest.mark.parametrize("text", [START, FREE])
def test_a_line_reads_back_as_itself(text):
    assert frame_to_text(frame_from_text(text)) == text


def test_the_untouched_frame_says_nothing_more():
    assert frame_to_text(untouched_frame()) == START
    assert same(frame_from_text(START)[0], untouched_frame()[0])


@st.composite
def frames(draw):
    """Any frame that can exist, all fields away from their defaults at times."""
    frame = untouched_frame(draw(st.sampled_from([6, 10, 15])))
    row = frame[0]
    small, flag = st.integers(0, 2), st.integers(0, 1)
    left = draw(st.sets(st.integers(1, int(row["reds"]))))
    lowest = 2 if left else draw(st.integers(2, 7))
    colours = sum(1 << (v + 14) for v in range(lowest, 8))
    row["in_hand"] = draw(flag)
    row["on_table"] = sum(1 << n for n in left) | colours | (0 if row["in_hand"] else 1)
    row["on"] = draw(st.sampled_from([1 if left else lowest] + ([ON_COLOUR] if lowest == 2 else [])))
    row["free_ball"] = draw(flag) if row["on"] not in (7, ON_COLOUR) else 0
    for name in ("striker", "breaker", "opening", "transferable", "after_foul", "snooker_confirmed", "warned"):
        row[name] = draw(flag)
    row["restorable"] = draw(flag)
    row["snooker"] = draw(st.integers(0, 3))
    for name in ("aggravated_count", "stalemate_count", "warnings", "players"):
        row[name] = draw(small), draw(small)
    for name in ("scores", "highest_break", "frames_won"):
        row[name] = draw(st.integers(0, 200)), draw(st.integers(0, 200))
    for name in ("break_points", "strokes", "frame_number"):
        row[name] = draw(st.integers(0, 3000))
    row["rng_key"], row["rng_counter"] = draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 2**64 - 1))
    if not row["in_hand"]:
        row["touching"] = int(row["on_table"]) & ~1 & draw(st.integers(0, 2**22 - 1))
    if draw(st.booleans()):
        row["frame_over"], row["winner"] = 1, row["striker"]
        row["match_over"], row["match_winner"] = draw(flag), -1
    if draw(st.booleans()):
        kept = np.zeros(1, POSITION)
        kept["layout"] = random_layout(draw(st.integers(0, 99)), 3, cue=draw(st.booleans()))
        kept["on"], kept["touching"] = 1, 2
        row["position"], row["missed_from"] = kept[0], kept[0]
    return frame


@settings(max_examples=200, deadline=None)
@given(frames())
def test_every_frame_reads_back_exactly(frame):
    text = frame_to_text(frame)
    assert "\n" not in text
    assert same(frame_from_text(text)[0], frame[0])


def test_what_a_copy_leaves_between_the_fields_is_not_text():
    """Copies of records do not copy the gaps between their fields."""
    frame = untouched_frame()
    dirty = np.frombuffer(bytes([255] * FRAME.itemsize), FRAME).copy()
    for name in FRAME.names:
        dirty[name] = frame[name]
    assert frame_to_text(dirty) == START


def test_every_field_is_in_the_text():
    """A field that no text key writes would be lost: change each and look for a difference."""
    for name in FRAME.names:
        frame = untouched_frame()
        raw = frame[name].view(np.uint8) if FRAME[name].names is None else None
        if raw is None:
            frame[name]["on_table"] = 5
        else:
            raw.reshape(-1)[0] ^= 1
        assert frame_to_text(frame) != START, name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (START.replace("reds=15", "reds=7"), "frame.reds: 7 (article 1)"),
        (START.replace("on=red", "on=green"), "frame.on: green"),
        (START.replace("234567", "2345677"), "frame.colours: '2345677'"),
        (START.replace("234567", "34567"), "yellow cannot be gone while a red"),
        (START.replace("1-15", "-"), "frame.on: red with these balls on the table (article 3): yellow or colour"),
        (START.replace("1-15", "1-16"), "frame.left: red 16"),
        (START.replace("1-15", "1-3,3"), "frame.left: red 3"),
        (START.replace("1-15", "x"), "frame.left: 'x'"),
        (START.replace("side=0", "side=2"), "frame.striker: 2"),
        (START.replace("0-0", "0"), "frame.score: '0'"),
        (START.replace("0-0", "a-0"), "frame.score: 'a'"),
        (START.replace("on=red", "on=rde"), "frame.on: 'rde' (did you mean 'red'?)"),
        (START + " side=1", "frame.side: given twice"),
        (START + " snoker=total", "unknown field 'snoker' (did you mean 'snooker'?)"),
        (START + " snooker=hard", "frame.snooker: 'hard'"),
        (START + " touching=red in_hand=1", "frame.touching"),
        (START + " touching=cue", "frame.touching"),
        (START + " winner=1", "frame.winner"),
        (START + " match_winner=1", "frame.match_winner"),
        (START + " tied=1", "frame.tied"),
        (START + " warned=2", "frame.warned: 2"),
        (START + " aggravated=4-0", "frame.aggravated_count"),
        (START + " strokes=1e3", "frame.strokes: '1e3'"),
        (START + " frame=40000", "frame.frame: '40000'"),
        (START + " position=AAAA", "frame.position"),
        (START + " position=**", "frame.position"),
        (START + " complementary=1", "frame.complementary"),
        (START.replace("on=red", "on=colour") + " free_ball=1", "frame.free_ball"),
        ("reds=6 left=- colours=7 on=black score=0-0 side=0 free_ball=1", "frame.free_ball"),
        ("reds=6 left=- colours=- on=black score=0-0 side=0", "no object ball is left"),
        ("reds=6 left=7 colours=234567 on=red score=0-0 side=0", "frame.on_table"),
        (START.replace(" side=0", ""), "frame.side: missing"),
    ],
)
def test_a_frame_that_cannot_be_names_its_field(text, words):
    with pytest.raises(SinucaError, match=re.escape(words)):
        frame_from_text(text)


def test_a_record_that_cannot_be_is_refused():
    frame = untouched_frame()
    frame["in_hand"] = 1
    with pytest.raises(SinucaError, match="in hand and on the table"):
        check_frame(frame)
    frame = untouched_frame()
    frame["snooker"] = 4
    with pytest.raises(SinucaError, match=r"frame\.snooker"):
        check_frame(frame[0])
    with pytest.raises(SinucaError, match="one FRAME record"):
        check_frame({"reds": 15})


def test_layouts_read_back_bit_by_bit():
    for layout in (empty_layout(), rack_layout(10), *(random_layout(seed, seed % 16) for seed in range(30))):
        text = layout_to_text(layout)
        assert layout_from_text(text).tobytes() == layout.tobytes()
    assert layout_to_text(empty_layout()) == "-"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("black@0,0 black@1,0", "layout.black: given twice"),
        ("red@0,0 red#1@1,0", "given twice"),
        ("blak@0,0", "unknown ball 'blak' (did you mean 'black'?)"),
        ("black@0", "layout.black: '0'"),
        ("black", "layout.black: ''"),
        ("black@0,nan", "two finite numbers"),
    ],
)
def test_a_layout_that_cannot_be_names_its_ball(text, words):
    with pytest.raises(SinucaError, match=re.escape(words)):
        layout_from_text(text)
