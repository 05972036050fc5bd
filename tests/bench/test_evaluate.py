"""The evaluation: its JSON, its seeds, its counts."""

import json

import numpy as np
import pytest

from sinuca_env.bench.evaluate import EVALUATION_SEED, Evaluation, evaluate
from sinuca_env.bench.tasks import TASKS
from sinuca_env.cli import main
from sinuca_env.rules import FOUL_ITEMS
from sinuca_env.state import SinucaError

KEYS = ["policy", "task", "noise", "episodes", "seed", "metrics", "fouls", "flags", "seconds", "decision_seconds"]


def _played(result):
    return {key: value for key, value in result.items() if key not in ("seconds", "decision_seconds")}


def test_the_json_is_the_documented_one(capsys):
    assert main(["eval", "greedy", "pot", "--episodes", "40", "--seed", "5", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result) == KEYS
    assert set(result["metrics"]["pot_rate"]) == {"value", "low", "high"}
    assert set(result["fouls"]) <= set(FOUL_ITEMS)
    assert (result["policy"], result["task"], result["noise"]) == ("greedy", "pot", "none")
    assert (result["episodes"], result["seed"], result["flags"]) == (40, 5, 0)


def test_the_table_names_every_metric(capsys):
    assert main(["eval", "random", "pot", "--episodes", "20"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in TASKS["pot"].metrics)


def test_same_seed_same_result_whatever_the_number_of_tables():
    few = Evaluation("greedy", "pot", episodes=60, noise="club", seed=3, lanes=7)
    many = Evaluation("greedy", "pot", episodes=60, noise="club", seed=3, lanes=60)
    few.run(), many.run()
    assert all(np.array_equal(few.tally.of[name], many.tally.of[name]) for name in few.tally.of)


def test_seeds_shift_by_episode():
    """Episode 10 of seed 0 is episode 0 of seed 10."""
    first, second = (Evaluation("greedy", "pot", episodes=20, seed=seed) for seed in (0, 10))
    first.run(), second.run()
    assert np.array_equal(first.tally.of["pots"][10:], second.tally.of["pots"][:10])
    assert EVALUATION_SEED == 1_000_000_000


def test_frames_finish_and_every_foul_has_a_code():
    result = evaluate("random", "frame", "greedy", reds=6, episodes=8, noise="pro")
    assert result["metrics"]["finished_rate"]["value"] == 1.0
    assert result["flags"] == 0
    assert result["metrics"]["win_rate"]["value"] <= 0.5
    assert sum(result["fouls"].values()) > 0
    assert set(result["fouls"]) <= set(FOUL_ITEMS)


def test_break_offs_are_equal():
    evaluation = Evaluation("random", "frame", "random", reds=6, episodes=6)
    evaluation.run()
    assert evaluation.tally.of["finished"].all()
    starts = Evaluation("random", "frame", "random", reds=6, episodes=6)
    starts.episode = np.arange(6)
    starts.age, starts.seat = np.zeros(6, np.int64), np.zeros(6, np.int8)
    starts._start(np.arange(6))
    own_break = starts.tables.frames["striker"] == starts.seat
    assert own_break.tolist() == [True, False] * 3


@pytest.mark.parametrize("task", ["colours", "line-up", "clearance"])
def test_drills_start_without_touching_balls_and_end_with_the_visit(task):
    evaluation = Evaluation("greedy", task, episodes=6, reds=6)
    tally = evaluation.run()
    assert (tally.of["finished"] == 1).all()
    assert tally.flags == 0
    assert (tally.of["best"] <= {"colours": 27, "line-up": 75, "clearance": 75}[task]).all()
    assert (tally.of["cleared"] <= (tally.of["best"] >= 27)).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["eval", "gredy", "pot"], ["gredy", "greedy"]),
        (["eval", "greedy", "pott"], ["pott", "'pot'"]),
        (["eval", "greedy", "frame", "--reds", "7"], ["7", "article 1"]),
        (["eval", "greedy", "pot", "--noise", "prro"], ["prro", "'pro'"]),
        (["eval", "greedy", "pot", "--opponent", "random"], ["opponent"]),
        (["eval", "greedy", "pot", "--set", "agravated_foul=off"], ["agravated_foul", "aggravated_foul"]),
        (["eval", "greedy", "frame", "--set", "aggravated_foul=of"], ["aggravated_foul", "'of'"]),
        (["eval", "greedy", "pot", "--set", "aggravated_foul"], ["KEY=VALUE"]),
        (["eval", "greedy", "pot", "--episodes", "0"], ["episodes"]),
    ],
)
def test_bad_input_is_one_line_and_code_2(arguments, words, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = [line for line in captured.err.splitlines() if "compiling" not in line]
    assert len(lines) == 1
    assert all(word in lines[0] for word in words)


def test_unknown_metric_is_told():
    with pytest.raises(SinucaError, match="metric"):
        Evaluation("random", "pot", episodes=1).tally.metric("pot_rat")
