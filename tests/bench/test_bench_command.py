"""``sinuca bench``: what it prints, its page, its errors."""

import json

import pytest

from sinuca_env.cli import main


def test_tasks_as_table_json_and_page(tmp_path, capsys):
    page = tmp_path / "leaderboard.md"
    arguments = [
        "bench",
        "tasks",
        "--policies",
        "greedy",
        "--tasks",
        "pot,colours",
        "--noise",
        "none",
        "--episodes",
        "8",
    ]
    assert main([*arguments, "--markdown", str(page)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines] == [["pot", "none", "greedy"], ["colours", "none", "greedy"]]
    text = page.read_text()
    assert "## pot" in text
    assert "| none | greedy |" in text
    assert main([*arguments, "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert [r["task"] for r in results] == ["pot", "colours"]
    # The page shows the numbers that a second run gives.
    value = results[0]["metrics"]["pot_rate"]["value"]
    assert f"| {value:.3f} (" in text


def test_league_table(capsys):
    assert main(["bench", "league", "--players", "greedy,random", "--episodes", "4", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["players"] == ["greedy", "random"]
    wins = result["wins"]
    assert wins[0][1] + wins[1][0] + result["frames_unfinished"] == 4
    assert result["ratings"]["greedy"]["value"] > result["ratings"]["random"]["value"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["bench", "tasks", "--policies", "gredy", "--episodes", "1", "--tasks", "pot"], "gredy"),
        (["bench", "tasks", "--tasks", "pott"], "pott"),
        (["bench", "league", "--players", "greedy"], "players"),
        (["bench", "noise", "--levels", "prro", "--episodes", "1"], "prro"),
        (["bench", "speed", "--layouts", "nowhere.json"], "nowhere.json"),
    ],
)
def test_bad_input_is_one_line_and_code_2(arguments, word, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = [line for line in captured.err.splitlines() if "compiling" not in line]
    assert len(lines) == 1
    assert word in lines[0]
