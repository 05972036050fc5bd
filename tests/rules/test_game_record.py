"""A whole frame as text reads back, and replaying the text rules the same."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sinuca_env.rules.game_record import GameRecord, Move, move_from_text, move_to_text
from sinuca_env.rules.report import empty_shot
from sinuca_env.state import SinucaError, frame_to_text, untouched_frame
from sinuca_env.state.records import DECISION, Option
from sinuca_env.table.layouts import empty_layout, rack_layout, random_layout

HEAD = """sinuca 1
table snooker_12ft
rules reds=6 call_mode=explicit
frame reds=6 left=1-6 colours=234567 on=red score=0-0 side=0 opening=1 in_hand=1
layout -
"""
FRAME_OF_FOUR = (
    HEAD
    + """play hit=red pot=red
play call=black hit=black pot=black
play hit=blue
decline
"""
)


def same_moves(a, b):
    return a.decision == b.decision and a.shot == b.shot and np.array_equal(a.layout, b.layout, equal_nan=True)


@st.composite
def moves(draw):
    """Any decision, with every word at times."""
    shot, decision = empty_shot(), np.zeros(1, DECISION)
    row = shot[0]
    decision["option"] = draw(st.sampled_from(list(Option)))
    row["made"] = decision["option"][0] in (Option.PLAY, Option.FREE_BALL) and (
        decision["option"][0] == Option.FREE_BALL or draw(st.booleans())
    )
    decision["call"] = draw(st.integers(0, 7))
    balls = st.integers(0, 2**22 - 1)
    for name in ("first_contact", "off_table", "jumped", "moved", "moved_touching", "touching_after"):
        row[name] = draw(balls) & draw(balls)
    order = draw(st.lists(st.integers(0, 21), unique=True))
    row["n_potted"], row["potted"] = len(order), sum(1 << slot for slot in order)
    row["pot_order"][: len(order)] = order
    row["aimed_at"] = draw(st.integers(-1, 21))
    row["cushions_before_contact"] = draw(st.integers(0, 9))
    row["reported"] = draw(st.integers(0, 2**19 - 1)) & draw(st.integers(0, 2**19 - 1))
    row["reported_value"], row["reported_side"] = draw(st.integers(0, 7)), draw(st.integers(-1, 1))
    layout = random_layout(draw(st.integers(0, 20)), 3) if draw(st.booleans()) else empty_layout()
    return Move(decision, shot, layout)


@settings(max_examples=200, deadline=None)
@given(moves())
def test_every_move_reads_back(move):
    text = move_to_text(move)
    assert "\n" not in text
    assert same_moves(move_from_text(text), move)


def test_a_record_reads_back_as_itself():
    assert GameRecord.from_text(FRAME_OF_FOUR).text() == FRAME_OF_FOUR


def test_replaying_rules_anew():
    points, scores = [], []
    for _, before, ruling, after in GameRecord.from_text(FRAME_OF_FOUR).replay():
        assert ruling["striker"] == before["striker"]
        points.append(int(ruling["points"][0]) or -int(ruling["penalty"][0]))
        scores.append(after["scores"][0].tolist())
    assert points == [1, 7, -5, 0]
    assert scores == [[1, 0], [8, 0], [8, 5], [8, 5]]


def test_the_sheet_has_a_line_for_every_decision():
    lines = GameRecord.from_text(FRAME_OF_FOUR).sheet().splitlines()
    assert len(lines) == 5
    assert "foul 40-XIV: 5 to B" in lines[3]


def random_frame(seed, n=60):
    """A record of random strokes, most of them lawful, some with a layout."""
    rng = np.random.default_rng(seed)
    record = GameRecord(untouched_frame(6), rules={"reds": 6, "early_end": "off", "players_per_side": (2, 1)})
    for _ in range(n):
        *_, after = [*record.replay()][-1] if record.moves else (record.frame,)
        if after["frame_over"][0]:
            break
        balls = [slot for slot in range(1, 22) if int(after["on_table"][0]) >> slot & 1]
        on = int(after["on"][0])
        wanted = [s for s in balls if (s < 16 if on == 1 else s >= 16 if on == 8 else s == on + 14)]
        first = int(rng.choice(wanted if rng.random() < 0.9 else balls))
        move = Move(np.zeros(1, DECISION), empty_shot())
        move.shot["made"], move.shot["first_contact"], move.shot["moved"] = 1, 1 << first, 1 << first
        if on == 8:
            move.decision["call"] = first - 14 if first >= 16 else 7
        if rng.random() < 0.6:
            move.shot["potted"], move.shot["n_potted"] = 1 << first, 1
            move.shot["pot_order"][0, 0] = first
        elif rng.random() < 0.5:
            layout = random_layout(int(rng.integers(1000)), 15)
            layout[[slot for slot in range(1, 22) if slot not in balls]] = np.nan
            move.layout = layout
        record.moves.append(move)
    return record


@pytest.mark.parametrize("seed", range(4))
def test_a_random_frame_replays_the_same_from_its_text(seed):
    record = random_frame(seed)
    again = GameRecord.from_text(record.text())
    assert again.text() == record.text()
    assert all(same_moves(a, b) for a, b in zip(record.moves, again.moves, strict=True))
    for (_, _, ruling, after), (_, _, ruling2, after2) in zip(record.replay(), again.replay(), strict=True):
        assert ruling == ruling2
        assert frame_to_text(after) == frame_to_text(after2)
    assert record.sheet() == again.sheet()


def test_rules_of_every_type_read_back():
    rules = {
        "reds": 10,
        "free_ball_after_missed_target": False,
        "stalemate_tolerance": 0.002,
        "players_per_side": (2, 3),
        "frames_to_win": 3,
        "respot_towards": "baulk",
    }
    record = GameRecord(untouched_frame(10), rack_layout(10, "sinuca_brasil"), [], rules, "sinuca_brasil")
    again = GameRecord.from_text(record.text())
    assert again.rules == rules
    assert again.table == "sinuca_brasil"
    assert np.array_equal(again.layout, record.layout, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "record: line 1"),
        ("sinuca 1\nrules", "record: line 2: 'table ...'"),
        ("sinuca 1\ntable snooker_12ft", "record: line 3"),
        (HEAD.replace("snooker_12ft", "snoker_12ft"), "unknown table 'snoker_12ft'"),
        (HEAD.replace("call_mode", "callmode"), "rules: unknown field 'callmode' (did you mean 'call_mode'?)"),
        (HEAD.replace("reds=6 call", "reds=six call"), "rules.reds: 'six'"),
        (HEAD.replace("call_mode=explicit", "replace_after_miss=yes"), "rules.replace_after_miss: 'yes'"),
        (HEAD.replace("call_mode=explicit", "call_mode=loud"), "rules.call_mode"),
        (HEAD + "play hit=red\nplya", "record: line 7: move: unknown 'plya' (did you mean 'play'?)"),
        (HEAD + "play hits=red", "'hits=red' (did you mean 'hit'?)"),
        (HEAD + "play hit=red hit=red", "move: 'hit=red'"),
        (HEAD + "play hit", "move: 'hit'"),
        (HEAD + "play hit=rde", "unknown ball 'rde'"),
        (HEAD + "play pot=red,red", "move: pot: red is named twice"),
        (HEAD + "play call=cue", "move: call: unknown ball 'cue'"),
        (HEAD + "play rails=-1", "move: rails: '-1'"),
        (HEAD + "report said=shouting", "unknown 'shouting'"),
        (HEAD + "report said=push against=2", "move: against: '2'"),
        (HEAD + "play hit=red | red@0", "layout.red: '0'"),
        (HEAD + "\n", "move: unknown ''"),
    ],
)
def test_a_record_that_cannot_be_names_its_line(text, words):
    with pytest.raises(SinucaError, match=re.escape(words)):
        GameRecord.from_text(text)
