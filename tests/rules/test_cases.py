"""The referee against case files: one table, a random lane of a batch, plain Python.

``pytest tests/rules/test_cases.py --cases FILE`` runs another file of the same format.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sinuca_env._jit import JIT
from sinuca_env.cli import main
from sinuca_env.rules.cases import check_cases, judge_case, load_cases
from sinuca_env.state import SinucaError

FOLDER = Path(__file__).parent / "cases"


def case_files(config):
    chosen = config.getoption("--cases")
    return [Path(chosen)] if chosen else sorted(FOLDER.glob("*.json"))


def pytest_generate_tests(metafunc):
    if "case_result" in metafunc.fixturenames:
        results = check_cases(case_files(metafunc.config))
        metafunc.parametrize("case_result", results, ids=[result.case.id for result in results])


@pytest.fixture
def files(request):
    return case_files(request.config)


def test_case(case_result):
    assert case_result.passed, f"{case_result}\n{case_result.case.data}"


@pytest.mark.parametrize("lanes", [2, 33])
def test_a_random_lane_of_a_batch_rules_the_same(files, lanes):
    lanes = lanes if JIT else 2
    failed = [str(result) for result in check_cases(files, lanes, seed=lanes) if not result.passed]
    assert not failed, "\n".join(failed)


def test_plain_python_rules_the_same(files):
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    program = "from sinuca_env.cli import main; raise SystemExit(main())"
    command = [sys.executable, "-c", program, "referee", "check", *map(str, files)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"{len(load_cases(files))} passed, 0 failed"


def test_neighbours_in_the_batch_are_really_others(files):
    decisions = [case for case in load_cases(files) if case.decided]
    if len(decisions) < 2:
        pytest.skip("one decision has no neighbours")
    answers = [judge_case(case, decisions, 7, np.random.default_rng(1)) for case in decisions[:2]]
    alone = [judge_case(case, [case], 1, np.random.default_rng(2)) for case in decisions[:2]]
    assert answers == alone


# --- files that cannot be -----------------------------------------------------------------------------------------


def question(kind, **asked):
    return {"id": "probe", kind: asked, "expect": {}}


def decision(**changes):
    case = {"id": "probe", "frame": {}, "stroke": {"first_contact": ["red"]}, "expect": {"penalty": 0}}
    case.update(changes)
    return case


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (decision(frame={"red": 3}), "frame: unknown key 'red' (did you mean 'reds'?)"),
        (decision(frames={}), "unknown key 'frames'"),
        (
            decision(stroke={"first_contact": ["bleu"]}),
            "stroke.first_contact: unknown ball 'bleu' (did you mean 'blue'?)",
        ),
        (decision(articles=["40-XIX"]), "unknown article code '40-XIX'"),
        (decision(expect={"fouls": ["40-14"]}), "unknown article code '40-14'"),
        (decision(expect={"penality": 4}), "expect: unknown key 'penality' (did you mean 'penalty'?)"),
        (decision(rules={"reds": 7}), "rules.reds: 7 (article 1)"),
        (decision(frame={"reds": 3, "on": 3}), "frame.on: green"),
        (decision(frame={"reds": 0, "on": 7, "colours": [7, 7]}), "frame.colours: 7 is there twice"),
        (decision(frame={"reds": 16}), "frame.reds: 16"),
        (decision(frame={"reds": 4, "colours": [5, 6, 7]}), "yellow, green, brown cannot be gone"),
        (decision(stroke={"potted": ["red", "red"]}), "stroke.potted: red is named twice"),
        (decision(frame={"reds": 1}, stroke={"potted": ["red#2"]}), "stroke.potted: red#2 is not on the table"),
        (decision(stroke={"layout_after": {"cue": [0.0]}}), "stroke.layout_after.cue"),
        (decision(stroke={"reported": ["spitting"]}), "stroke.reported: unknown 'spitting'"),
        (decision(call={"ball": "cue"}), "call.ball: unknown ball 'cue'"),
        (decision(action="decline"), "an action or a stroke, not both"),
        (decision(table="pool"), "table: unknown table 'pool'"),
        (decision(expect=[]), "expect: []"),
        ({"id": "probe", "snooker_case": {"layout": {}, "on": 1}, "expect": {}}, "snooker_case.on: 1"),
        ({"id": "probe", "rack_case": {"reds": 7}, "expect": {}}, "reds: 7 (article 1)"),
        ({"id": "probe", "points_case": {"on": "white"}, "expect": {}}, "points_case.on"),
        ({"id": "probe", "respot_case": {"layout": {}, "return": ["red"]}, "expect": {}}, "only colours return"),
        ({"id": "probe", "respot_case": {"layout": {"red": 1}, "return": []}, "expect": {}}, "respot_case.layout"),
        (question("respot_case", layout={"pink": [0.0, 0.0]}, **{"return": ["pink"]}), "pink is on the table"),
        (question("respot_case", layout={"pinky": [0.0, 0.0]}, **{"return": []}), "unknown ball 'pinky'"),
        (question("respot_case", layout={"red": [[0, 0]] * 16}, **{"return": []}), "16 positions for 15 reds"),
        (question("respot_case", layout={"red": [[0, 0]], "red#1": [1, 0]}, **{"return": []}), "red#1: given twice"),
        (question("snooker_case", layout={"cue": [0.0, 0.0]}, on="red", in_hand=True), "in hand and on the table"),
        (question("snooker_case", layout={}, on="red", table=["pool"]), "table: ['pool']"),
        (question("snooker_case", layout={"red": [0.0, 0.0]}, on="red"), "the cue ball is missing and not in hand"),
        (question("snooker_case", layout={"cue": [0, 0], "blue": [1, 0]}, on="red"), "snooker_case.on: red"),
        (
            question("snooker_case", layout={"cue": [0, 0], "green": [1, 0], "red": [0.5, 0]}, on=3),
            "snooker_case.on: green with these balls on the table",
        ),
        (question("snooker_case", layout={"cue": [0, 0], "red": [0.05, 0]}, on="red"), "two balls overlap by 2.5 mm"),
        (question("respot_case", layout={"red": [1.8, 0]}, **{"return": []}), "layout.red: [1.8, 0]: a place on the"),
        (decision(stroke={"layout_after": {"cue": [0, 0], "black": [0, 0.9]}}), "layout_after.black: [0, 0.9]"),
        (
            decision(
                frame={"reds": 0, "colours": [6, 7], "on": 6}, stroke={"layout_after": {"cue": [0, 0], "blue": [1, 0]}}
            ),
            "stroke.layout_after: blue is not on the table",
        ),
        (question("points_case", reds=2, on=3), "frame.on: green"),
        (question("points_case", colours="27"), "points_case.colours: '27'"),
        ({**question("points_case"), "rack_case": {}}, "a case is of one kind"),
        (decision(articles="3"), "articles: '3'"),
        (decision(rules=[]), "rules: []"),
        (decision(frame=[]), "frame: []"),
        (decision(rules={"players_per_side": [0, 1]}), "rules.players_per_side"),
        (decision(call={"free_ball": "no"}), "call.free_ball: 'no'"),
        (decision(frame={"scores": [1]}), "frame.scores: [1]"),
        (decision(frame={"striker": True}), "frame.striker: True"),
        (decision(frame={"free_ball": 1}), "frame.free_ball: 1: true or false"),
        (decision(frame={"snooker": "hard"}), "frame.snooker: 'hard'"),
        (decision(stroke={"potted": "red"}), "stroke.potted: 'red'"),
        (decision(stroke={"jumped": ["cue"]}), "stroke.jumped: the cue ball cannot be in it"),
        (decision(stroke={"potted": ["red"], "off_table": ["red"]}), "stroke.off_table: red was potted already"),
        (decision(stroke={"reported": "push"}), "stroke.reported: 'push'"),
        ({"id": "probe", "action": "resign", "expect": {}}, "action: 'resign'"),
        (decision(expect={"next_on": "blue"}), "expect.next_on: 'blue'"),
        (decision(expect={"snooker_after": "hard"}), "expect.snooker_after: 'hard'"),
        (decision(expect={"respotted": ["blu"]}), "expect.respotted: unknown ball 'blu'"),
        ({**question("rack_case"), "expect": {"positions": {"red": [[0]]}}}, "expect.positions.red: [0]"),
    ],
)
def test_a_case_that_cannot_be_is_one_error_that_names_it(tmp_path, capsys, case, words):
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([case]))
    with pytest.raises(SinucaError) as caught:
        load_cases([file])
    assert "case 'probe': " in str(caught.value)
    assert words in str(caught.value)
    assert main(["referee", "check", str(file)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not a JSON file"),
        ("[" * 100_000, "not a JSON file"),
        ("{}", "a list of cases"),
        ("[1]", "number 1"),
        ('[{"id": "two", "snooker_case": {"layout": {"black": [0, 0], "black": [1, 0]}}}]', "black: given twice"),
    ],
)
def test_a_file_that_is_no_list_of_cases(tmp_path, text, words):
    file = tmp_path / "cases.json"
    file.write_text(text)
    with pytest.raises(SinucaError, match=words):
        load_cases([file])


def ask(tmp_path, case):
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([case]))
    return check_cases([file])[0]


def test_a_list_of_reds_is_given_to_those_left_on_the_table(tmp_path):
    """One of two reds is potted: the position given is that of the other, and it can be seen."""
    hidden = {"cue": [0.0, 0.0], "red": [[1.0, 0.0]], "blue": [0.5, 0.0], "black": [0.2, 0.6]}
    missed = decision(
        frame={"reds": 2}, stroke={"first_contact": ["blue"], "potted": ["red"], "layout_after": hidden},
        expect={"snooker_after": "total", "free_ball_offered": True, "fouls": ["40-XIV"]},
    )  # fmt: skip
    assert ask(tmp_path, missed).passed


def test_a_cue_ball_potted_is_in_hand_whatever_the_layout_says(tmp_path):
    layout = {"cue": [0.6, 0.0], "red": [[1.0, 0.0]], "blue": [0.8, 0.5]}
    potted = decision(
        frame={"reds": 1}, stroke={"first_contact": ["red"], "potted": ["cue"], "layout_after": layout},
        expect={"in_hand": True, "snooker_after": "none"},
    )  # fmt: skip
    assert ask(tmp_path, potted).passed


def test_several_first_obstacles_are_named_as_a_list(tmp_path):
    layout = {"cue": [0.0, 0.0], "red": [[1.0, 0.0]], "green": [0.5, 0.03], "brown": [0.5, -0.03]}
    asked = {**question("snooker_case", layout=layout, on="red"), "expect": {"first_obstacle": ["green", "brown"]}}
    assert ask(tmp_path, asked).passed


def test_null_is_none(tmp_path):
    black = decision(
        frame={"reds": 0, "colours": [7], "on": 7, "scores": [20, 0]}, action=None, rules=None,
        call={"ball": None, "free_ball": None},
        stroke={"first_contact": ["black"], "potted": ["black"], "aimed_at": None, "layout_after": None},
        expect={"frame_over": True, "winner": 0, "next_on": None, "respotted": None, "snooker_after": None},
    )  # fmt: skip
    assert ask(tmp_path, black).passed


def test_fouls_are_a_set_and_true_is_not_one(tmp_path):
    foul = decision(
        stroke={"first_contact": ["blue"], "potted": ["cue"]}, expect={"fouls": ["40-XIV", "40-I"], "in_hand": 1}
    )
    assert [key for key, _, _ in ask(tmp_path, foul).differences] == ["in_hand"]


def test_misplaced_and_missing_balls_are_told(tmp_path):
    asked = question("respot_case", layout={"cue": [0.0, 0.6]}, **{"return": ["black"]})
    asked["expect"] = {"positions": {"black": [1.4607, 0.0], "pink": [0.0, 0.0]}}
    result = ask(tmp_path, asked)
    assert [difference[0] for difference in result.differences] == ["positions.pink"]
    assert result.differences[0][2] == "no ball"
    asked["expect"] = {"positions": {"black": [1.48, 0.0]}}
    assert "positions.black: expected [1.48, 0.0], got [1.4605, 0.0]" in str(ask(tmp_path, asked))


# --- the command --------------------------------------------------------------------------------------------------


def test_check_prints_expected_and_actual_and_counts(tmp_path, capsys):
    file = tmp_path / "cases.json"
    wrong = decision(id="wrong", title="a red for nothing", expect={"points": 1, "penalty": 0})
    file.write_text(json.dumps([decision(), wrong]))
    assert main(["referee", "check", str(file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["wrong: a red for nothing", "  points: expected 1, got 0", "1 passed, 1 failed"]


def test_what_play_decides_is_not_asked_once_the_frame_is_over(tmp_path):
    file = tmp_path / "cases.json"
    black = decision(
        frame={"reds": 0, "colours": [7], "on": 7, "scores": [20, 0]},
        stroke={"first_contact": ["black"], "potted": ["black"]},
        expect={"frame_over": True, "winner": 0, "next_striker": 1, "next_on": "colour"},
    )
    file.write_text(json.dumps([black]))
    assert check_cases([file])[0].passed


def test_lanes_that_cannot_be(tmp_path, capsys):
    file = tmp_path / "cases.json"
    file.write_text("[]")
    assert main(["referee", "check", str(file), "--lanes", "0"]) == 2
    assert "--lanes: 0" in capsys.readouterr().err
    assert main(["referee", "check", str(file)]) == 0
    assert main(["referee", "check", str(tmp_path / "none.json")]) == 2


def test_explain_speaks_two_languages_and_suggests(capsys):
    assert main(["referee", "explain", "40-XIV"]) == 0
    english = capsys.readouterr().out
    assert main(["referee", "explain", "40-XIV", "--lang", "pt"]) == 0
    portuguese = capsys.readouterr().out
    assert "40-XIV" in english
    assert english.splitlines()[0] != portuguese.splitlines()[0]
    assert main(["referee", "explain", "40-XIIV"]) == 2
    assert "did you mean '40-XIV'?" in capsys.readouterr().err
