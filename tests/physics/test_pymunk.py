"""The Pymunk engine against the event engine: directions, whole shots, pots, the shot record."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest

from sinuca_env.physics import engine_batch, physics_params, simulate
from sinuca_env.state.records import SHOT, STRIKE
from sinuca_env.table.spec import table_spec

DATA = Path(__file__).parent / "data"
R = 0.02625


def single_contacts() -> np.ndarray:
    return np.array(json.loads((DATA / "single_contacts.json").read_text(encoding="utf-8")))


def play(engine: str, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Final layouts and shot records on a table so large that no ball meets a cushion."""
    spec = dataclasses.replace(table_spec("snooker_12ft"), length=80.0, width=80.0)
    layouts = np.full((len(rows), 22, 2), np.nan)
    layouts[:, 0], layouts[:, 21] = rows[:, 0:2], rows[:, 2:4]
    strikes, shots = np.zeros(len(rows), STRIKE), np.zeros(len(rows), SHOT)
    strikes["direct"] = 1
    strikes["v"][:, :2], strikes["w"] = rows[:, 4:6], rows[:, 6:9]
    on_table = np.full(len(rows), 1 | 1 << 21, np.uint32)
    engine_batch(engine)(layouts, on_table, strikes, shots, spec, physics_params())
    return layouts, shots


def direction_errors(rows: np.ndarray) -> np.ndarray:
    """Degrees between the object ball's ways in the two engines."""
    ways = []
    for engine in ("event", "pymunk"):
        layouts, shots = play(engine, rows)
        assert (shots["contacts"] == 1).all()
        assert (shots["first_contact"] == 1 << 21).all()
        ways.append(layouts[:, 21] - rows[:, 2:4])
    a, b = ways
    return np.degrees(np.abs(np.arctan2(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], (a * b).sum(1))))


def test_object_ball_direction_within_a_fifth_of_a_degree():
    assert direction_errors(single_contacts()[::10]).max() < 0.2


@pytest.mark.soak
def test_object_ball_direction_on_the_whole_file():
    assert direction_errors(single_contacts()).max() < 0.2


def test_whole_shots_end_where_the_event_engine_ends_them():
    shots = json.loads((DATA / "whole_shots.json").read_text(encoding="utf-8"))
    for shot in shots:
        given = {name: shot[name] for name in ("id", "table", "balls", "cue_ball", "physics")}
        exact, stepped = simulate(given), simulate(given, engine="pymunk")
        assert exact["first_contact"] == stepped["first_contact"]
        assert stepped["duration"] == pytest.approx(exact["duration"], abs=0.02)
        for name, place in exact["final"].items():
            assert math.dist(place, stepped["final"][name]) < 2e-3, (shot["id"], name)


def test_a_pot_falls_in_the_same_pocket():
    shot = {
        "balls": {"cue": [1.0, 0.55], "black": [1.5, 0.7], "red": [[-0.5, -0.5], [-0.6, -0.4]]},
        "strike": {"angle_deg": 10.0, "speed": 1.2},
    }
    # The line to the top left corner pocket, contact point one diameter before it.
    pocket = np.array([3.569 / 2, 1.778 / 2])
    line = pocket - shot["balls"]["black"]
    ghost = np.array(shot["balls"]["black"]) - 2 * R * line / np.hypot(*line)
    aim = ghost - shot["balls"]["cue"]
    shot["strike"]["angle_deg"] = math.degrees(math.atan2(aim[1], aim[0]))
    results = [simulate(shot, engine=engine) for engine in ("event", "pymunk")]
    for result in results:
        assert result["potted"] == ["black"]
        assert "black" not in result["final"]
        assert [event["where"] for event in result["events"] if event["type"] == "pocket"] == ["top_left"]
        assert len(result["final"]["red"]) == 2


def test_touching_ball_played_away_does_not_move_and_played_into_does():
    balls = {"cue": [0.0, 0.0], "red": [[2 * R, 0.0]]}
    for engine in ("event", "pymunk"):
        away = simulate({"balls": balls, "strike": {"angle_deg": 180.0, "speed": 0.3}}, engine=engine)
        assert away["final"]["red"] == balls["red"]
        assert away["first_contact"] == []
        into = simulate({"balls": balls, "strike": {"angle_deg": 0.0, "speed": 0.3}}, engine=engine)
        assert into["first_contact"] == ["red"]
        assert into["final"]["red"][0][0] > 0.3


def test_records_of_the_two_engines_agree():
    rng = np.random.default_rng(3)
    n = 12
    layouts = np.full((n, 22, 2), np.nan)
    layouts[:, [0, 1, 21]] = rng.uniform(-0.8, 0.8, (n, 3, 2)) * (1.9, 1.0)
    strikes = np.zeros(n, STRIKE)
    strikes["angle"], strikes["speed"] = rng.uniform(0, 2 * math.pi, n), rng.uniform(0.3, 1.5, n)
    on_table = np.full(n, 1 | 2 | 1 << 21, np.uint32)
    both = []
    for engine in ("event", "pymunk"):
        shots, places = np.zeros(n, SHOT), layouts.copy()
        engine_batch(engine)(places, on_table, strikes, shots, table_spec("snooker_12ft"), physics_params())
        both.append((shots, places))
    (a, p), (b, q) = both
    for field in ("first_contact", "potted", "pot_order", "pot_pocket", "n_potted", "cushions", "cushion_balls",
                  "contacts", "cushions_before_contact", "touching_before", "made", "flags"):  # fmt: skip
        assert np.array_equal(a[field], b[field]), field
    assert np.allclose(p, q, atol=5e-3, equal_nan=True)


@pytest.mark.parametrize(
    "physics",
    [
        {"spin_decay": 0.0},
        {"e_cushion": 0.0},
        {"mu_cushion": 0.0, "nose_height": 1.0},
        {"cushion": "mathavan2010"},
        {"ball_ball": "mathavan2014"},
        {"ball_ball": "elastic"},
        {"ball_radius": 0.03},
        {"contact_gap": 0.0},
    ],
    ids=str,
)
def test_parameters_mean_the_same_in_both_engines(physics):
    shot = {
        "balls": {"cue": [-0.5, 0.1], "red": [[0.3, 0.2], [0.9, -0.3]]},
        "strike": {"angle_deg": 6.5, "speed": 0.8, "side": 0.2, "top": 0.1},
        "physics": physics,
    }
    a, b = (simulate(shot, engine=engine) for engine in ("event", "pymunk"))
    assert [event["type"] for event in a["events"]] == [event["type"] for event in b["events"]]
    for p, q in zip([a["final"]["cue"], *a["final"]["red"]], [b["final"]["cue"], *b["final"]["red"]], strict=True):
        assert math.dist(p, q) < 5e-4
    default = simulate(shot | {"physics": {}})
    if physics not in ({"e_cushion": 0.0}, {"mu_cushion": 0.0, "nose_height": 1.0}, {"cushion": "mathavan2010"}):
        assert a["final"] != default["final"]  # no cushion is met here; the other parameters matter


def test_without_friction_the_shot_is_cut_off_with_a_flag():
    shot = {
        "balls": {"cue": [0.0, 0.0]},
        "cue_ball": {"v": [0.001, 0.0005, 0.0]},
        "physics": {"mu_slide": 0.0, "mu_roll": 0.0},
    }
    for engine in ("event", "pymunk"):
        result = simulate(shot, engine=engine)
        assert result["flags"] == ["time_limit"]
        assert result["final"]["cue"] == pytest.approx([0.6, 0.3], abs=0.01)
