"""What people report: names, sides, and the same ruling record as for a stroke."""

import numpy as np
import pytest

import sinuca_env.rules as rules
from sinuca_env._jit import records
from sinuca_env.rules import empty_shot, parse_reports, referee, rules_config
from sinuca_env.rules.articles import articles_of_bits, fouls_of_bits
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.records import FRAME, LEGAL, ON_COLOUR, RULING, Report
from sinuca_env.table.layouts import rack_layout
from sinuca_env.table.spec import table_spec


@pytest.fixture
def frame():
    rows = np.zeros(1, FRAME)
    rows["match_winner"] = -1
    table, cfg = table_spec("snooker_12ft").record, rules_config(frames_to_win=3)
    rules.start_frame(records(rows)[0], np.zeros((22, 2)), records(table)[0], records(cfg)[0], 0)
    return rows


CODES = {
    "double_hit": "40-II", "push": "40-III", "ball_touched": "40-V", "ball_moving": "40-VI", "not_tip": "40-VII",
    "no_foot_on_floor": "40-VIII", "outside_d": "40-IX", "other": "40-XVIII", "wrong_cue_ball": "41-II",
    "intentional_foul": "42-I", "intentional_jump": "42-II", "misuse": "42-III", "slow_play": "42-IV",
    "other_disciplinary": "42-V", "grave": "37",
}  # fmt: skip


@pytest.mark.parametrize("against", [None, 0, 1])
@pytest.mark.parametrize(("name", "code"), CODES.items())
def test_a_report_is_ruled_against_either_side(frame, name, code, against):
    ruling, legal = referee.report(frame, rack_layout(), name, against=against, rules={"frames_to_win": 3})
    offender = against or 0
    assert ruling.dtype == RULING
    assert legal.dtype == LEGAL
    assert fouls_of_bits(ruling["fouls"][0]) == [code]
    assert ruling["offender"][0] == offender
    assert ruling["penalty"][0] == (4 if code.startswith("40") else 7)
    assert frame["scores"][0][1 - offender] == ruling["penalty"][0]
    assert frame["striker"][0] == 1 - offender
    assert bool(ruling["match_over"][0]) == (code == "37")
    assert bool(ruling["may_decline"][0]) == (offender == 0 and code != "37")
    assert frame["strokes"][0] == 0


@pytest.mark.parametrize("against", [0, 1])
@pytest.mark.parametrize("name", ["concession", "match_concession", "disqualification"])
def test_giving_up(frame, name, against):
    ruling, _ = referee.report(frame, rack_layout(), name, against=against, rules={"frames_to_win": 3})
    assert ruling["winner"][0] == 1 - against
    assert ruling["fouls"][0] == ruling["penalty"][0] == 0
    assert bool(ruling["match_over"][0]) == (name != "concession")


def test_both_disqualified(frame):
    ruling, _ = referee.report(frame, rack_layout(), "both_disqualified")
    assert ruling["match_over"][0]
    assert ruling["match_winner"][0] == ruling["winner"][0] == -1
    assert 49 in articles_of_bits(ruling["articles"][0])


def test_a_named_ball_and_a_given_call(frame):
    ruling, _ = referee.report(frame, rack_layout(), "ball_touched:pink")
    assert ruling["penalty"][0] == 6
    frame["on"] = ON_COLOUR
    ruling, _ = referee.report(frame.copy(), rack_layout(), "ball_touched:green")
    assert fouls_of_bits(ruling["fouls"][0]) == ["41-III"]
    ruling, _ = referee.report(frame, rack_layout(), ["ball_touched:green", "push"], call="blue")
    assert fouls_of_bits(ruling["fouls"][0]) == ["40-III", "40-V"]
    assert ruling["penalty"][0] == 5


def test_a_disciplinary_report_before_the_call_keeps_its_own_code(frame):
    frame["on"] = ON_COLOUR
    ruling, _ = referee.report(frame, rack_layout(), ["misuse", "other"])
    assert fouls_of_bits(ruling["fouls"][0]) == ["41-III", "42-III"]


def test_names_and_empty_shots():
    assert parse_reports([]) == (0, 0)
    assert parse_reports(["push", "ball_touched:blue", "ball_touched:green"]) == (
        int(Report.PUSH | Report.BALL_TOUCHED),
        5,
    )
    shots = empty_shot(3)
    assert len(shots) == 3
    assert (shots["made"] == 0).all()
    assert (shots["reported_side"] == -1).all()
    assert set(CODES) | {"concession", "match_concession", "disqualification", "both_disqualified"} == set(
        rules.REPORT_NAMES
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"what": "pushed"}, r"reported: unknown 'pushed' \(did you mean 'push'\?\)"),
        ({"what": "ball_touched:purple"}, "unknown ball 'purple'"),
        ({"what": []}, "reported: nothing named"),
        ({"against": 2}, "against: 2: a side, 0 or 1"),
        ({"call": "cue"}, "call: unknown ball 'cue'"),
        ({"frame": np.zeros(2, FRAME)}, "an array of one FRAME record"),
        ({"frame": None}, "an array of one FRAME record"),
        ({"rules": {"reds": 7}}, r"rules\.reds"),
        ({"table": "pool"}, "unknown table 'pool'"),
    ],
)
def test_bad_reports_change_nothing(frame, change, message):
    before = frame.copy()
    arguments = {"frame": frame, "layout": rack_layout(), "what": "push", **change}
    with pytest.raises(SinucaError, match=message):
        referee.report(**arguments)
    assert before == frame


def test_nothing_is_reported_after_the_end(frame):
    referee.report(frame, rack_layout(), "concession")
    with pytest.raises(SinucaError, match="frame: it is over"):
        referee.report(frame, rack_layout(), "push")
