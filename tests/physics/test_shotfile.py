"""Shot files: what is accepted, what is refused and how, what comes back."""

from __future__ import annotations

import copy
import json
import math
import subprocess
import sys

import numpy as np
import pytest

import sinuca_env
from sinuca_env.cli import main
from sinuca_env.physics.shotfile import parse_shot, place_error, simulate
from sinuca_env.state.errors import SinucaError
from sinuca_env.table.spec import table_spec

R = 0.02625
SHOT = {
    "id": "example",
    "table": "snooker_12ft",
    "balls": {"cue": [-0.9, 0.1], "black": [1.4605, 0.0], "red": [[0.5, 0.2], [0.6, -0.1]]},
    "strike": {"angle_deg": 12.5, "speed": 2.4, "side": 0.0, "top": 0.2, "elevation_deg": 3.0},
    "physics": {"cushion": "han2005", "mu_slide": 0.2},
}
ENGINES = ("event", "pymunk")


def changed(path: str, value: object) -> dict:
    """The example with one value replaced (or removed with ``...``)."""
    shot = copy.deepcopy(SHOT)
    *heads, last = path.split(".")
    target = shot
    for head in heads:
        target = target[head]
    if value is ...:
        del target[last]
    else:
        target[last] = value
    return shot


@pytest.mark.parametrize("engine", ENGINES)
def test_result_has_the_format(engine):
    result = simulate(SHOT, engine=engine)
    assert list(result) == ["id", "first_contact", "potted", "off_table", "duration", "events", "final", "flags"]
    assert json.loads(json.dumps(result)) == result
    assert result["id"] == "example"
    assert set(result["final"]) == {"cue", "black", "red"}
    assert len(result["final"]["red"]) == 2
    assert result["off_table"] == []
    assert result["flags"] == []
    times = [event["t"] for event in result["events"]]
    assert times == sorted(times)
    assert times[0] == 0.0
    assert times[-1] <= result["duration"] + 1e-12  # a ball may still spin on its spot
    kinds = {"strike", "ball_ball", "cushion", "jaw", "pocket", "slide_to_roll", "stop"}
    for event in result["events"]:
        assert list(event) == ["t", "type", "balls", "where"]
        assert event["type"] in kinds
        assert event["balls"]
    assert result["events"][0]["type"] == "strike"
    # The last ball stops, or falls into a pocket.
    assert result["events"][-1]["type"] in ("stop", "pocket")


@pytest.mark.parametrize("engine", ENGINES)
def test_input_is_not_changed_and_the_same_shot_gives_the_same_result(engine):
    shot = copy.deepcopy(SHOT)
    first = simulate(shot, engine=engine)
    assert shot == SHOT
    assert simulate(shot, engine=engine) == first


def test_the_function_is_the_package_s():
    assert sinuca_env.simulate is simulate
    with pytest.raises(AttributeError):
        sinuca_env.simulated  # noqa: B018


def test_final_feeds_the_next_shot():
    shot = {"balls": {"cue": [0.0, 0.0], "red": [[0.6, 0.05]]}, "strike": {"angle_deg": 3.0, "speed": 0.8}}
    for _ in range(3):
        result = simulate(shot)
        shot = shot | {"balls": result["final"]}
        if "cue" not in result["final"]:
            break
    assert parse_shot(shot | {"balls": {"cue": [0, 0], "red": []}}).on_table == 1


def test_cue_ball_state_instead_of_a_strike():
    shot = changed("strike", ...) | {"cue_ball": {"v": [2.0, 0.3, 0.0], "w": [0.0, 10.0, -20.0]}}
    strike = parse_shot(shot).strike[0]
    assert strike["direct"] == 1
    assert strike["v"].tolist() == [2.0, 0.3, 0.0]
    assert strike["w"].tolist() == [0.0, 10.0, -20.0]


def test_reds_by_number_and_one_red_alone():
    by_number = {"cue": [0, 0], "red": [0.5, 0.5], "red#3": [0.6, 0.2], "blue": [-0.5, 0.1]}
    parsed = parse_shot(SHOT | {"balls": by_number})
    assert parsed.on_table == 1 | 1 << 1 | 1 << 3 | 1 << 19
    assert set(simulate(SHOT | {"balls": by_number})["final"]) == set(by_number)


BAD = [
    ("balls.blac", [0, 0], ("blac", "did you mean 'black'")),
    ("balls", {"black": [0, 0]}, ("cue ball", "missing")),
    ("balls", [], ("balls", "object")),
    ("balls", ..., ("balls", "missing")),
    ("balls.black", [1.4605], ("balls.black", "[x, y]")),
    ("balls.black", [math.nan, 0.0], ("balls.black", "not finite")),
    ("balls.black", [math.inf, 0.0], ("balls.black", "not finite")),
    ("balls.black", [5.0, 0.0], ("balls.black", "off the table")),
    ("balls.black", [3.569 / 2 - 0.02, 0.3], ("balls.black", "cushion")),
    ("balls.black", [3.569 / 2 + 0.01, 1.778 / 2 + 0.01], ("balls.black", "pocket")),
    ("balls.black", [-0.9, 0.1], ("overlaps", "cue", "black")),
    ("balls.black", [0.5, 0.25], ("overlaps", "red", "black")),
    ("balls.red", [[0.5, 0.2]] * 16, ("balls.red", "16 reds")),
    ("balls.red#2", [0.0, 0.4], ("red#2", "twice")),
    ("strike.speed", -1.0, ("strike.speed", "out of range")),
    ("strike.speed", 1000.0, ("strike.speed", "0 to 10")),
    ("strike.speed", math.nan, ("strike.speed", "out of range")),
    ("strike.speed", "fast", ("strike.speed", "not a number")),
    ("strike.speed", ..., ("strike.speed", "missing")),
    ("strike.angle", 1.0, ("strike", "angle", "angle_deg")),
    ("strike.side", 0.99, ("strike.side", "misses")),
    ("strike.elevation_deg", -3.0, ("elevation_deg", "0 to 85")),
    ("strike", ..., ("strike", "cue_ball")),
    ("cue_ball", {"v": [0, 0, 0]}, ("either", "strike", "cue_ball")),
    ("physics.mu_slid", 0.2, ("mu_slid", "mu_slide")),
    ("physics.e_ball", 2.0, ("e_ball", "0 to 1")),
    ("physics.cushion", "rubber", ("cushion", "han2005")),
    ("table", "pool_9ft", ("pool_9ft", "snooker_12ft")),
    ("tables", "snooker_12ft", ("tables", "did you mean 'table'")),
]


@pytest.mark.parametrize(("path", "value", "words"), BAD, ids=[f"{path}={value!r:.30}" for path, value, _ in BAD])
def test_bad_shots_are_one_clear_line(path, value, words):
    with pytest.raises(SinucaError) as caught:
        simulate(changed(path, value))
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message, message


def test_unknown_engine():
    with pytest.raises(SinucaError, match="pymunk"):
        simulate(SHOT, engine="bullet")


@pytest.mark.parametrize("name", ["snooker_12ft", "sinuca_brasil"])
def test_where_a_ball_may_lie(name):
    spec = table_spec(name)
    table, hx, hy = spec.record[0], spec.length / 2, spec.width / 2
    assert place_error(0.0, 0.0, table, R) is None
    # Touching a cushion, and a billionth of a metre too deep.
    for depth in (0.0, 1e-9):
        assert place_error(0.6, hy - R + depth, table, R) is None
        assert place_error(-hx + R - depth, 0.1, table, R) is None
    assert place_error(0.6, hy - R + 1e-4, table, R) == "overlaps a cushion"
    assert place_error(0.6, hy + 1.0, table, R) == "is off the table"
    assert place_error(hx + 0.3, hy + 0.3, table, R) == "is off the table"
    # Between the jaws, just short of the fall, of all six pockets.
    for x, y, fall in table["pockets"]:
        inward = -np.sign([x, y]) / np.hypot(*np.sign([x, y]))
        edge = np.array([x, y]) + inward * (fall + 1e-4)
        assert place_error(*edge, table, R) is None
        assert place_error(*(np.array([x, y]) + inward * (fall - 1e-4)), table, R) == "is in a pocket"
    # Inside the first jaw.
    x, y, radius = table["arcs"][0]
    assert place_error(x, y + radius + R - 1e-4, table, R) is not None


# --- command ----------------------------------------------------------------------------------------------------------


def test_command_prints_one_object_a_shot(tmp_path, capsys):
    file = tmp_path / "shots.json"
    file.write_text(json.dumps([SHOT, SHOT | {"id": 2}]), encoding="utf-8")
    assert main(["shot", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["example", 2]
    assert json.loads(lines[0]) == simulate(SHOT)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", ("not a JSON file",)),
        (json.dumps([SHOT, changed("strike.speed", -1)]), ("example", "strike.speed")),
        (json.dumps([SHOT, {"balls": {}}]), ("number 2", "cue ball")),
        ("[3]", ("number 1", "object")),
    ],
)
def test_command_refuses_before_playing_anything(tmp_path, capsys, text, words):
    file = tmp_path / "bad.json"
    file.write_text(text, encoding="utf-8")
    assert main(["shot", str(file)]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.count("\n") == 1
    for word in words:
        assert word in error


def test_command_without_its_file(tmp_path, capsys):
    assert main(["shot", str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err


def test_importing_the_package_loads_no_window_and_no_framework():
    code = "import sys, sinuca_env; print([m for m in ('pymunk', 'pygame', 'torch', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
