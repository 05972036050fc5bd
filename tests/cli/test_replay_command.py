"""``sinuca replay``: replays and shot files become pages; bad input is one line, nothing is overwritten."""

import json
import re

import pytest

from sinuca_env import simulate
from sinuca_env.cli import main

SHOT = {
    "id": "straight",
    "table": "snooker_12ft",
    "balls": {"cue": [-0.5, 0.1], "black": [0.6, 0.1], "red": [[1.2, -0.4], [0.2, 0.6]]},
    "strike": {"angle_deg": 1.0, "speed": 2.5, "side": 0.1, "top": 0.2, "elevation_deg": 0.0},
}


def write(tmp_path, value, name="shots.json"):
    file = tmp_path / name
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    return file


def data_of(page: str) -> dict:
    found = re.search(r"const DATA = (\{.*?\});\n", page)
    return json.loads(found[1].replace("<\\/", "</"))


def test_shots_end_on_the_page_where_the_simulator_says(tmp_path, capsys):
    other = SHOT | {"id": "other", "strike": SHOT["strike"] | {"angle_deg": -20.0, "speed": 4.0}}
    file = write(tmp_path, [SHOT, other])
    assert main(["replay", str(file)]) == 0
    page = (tmp_path / "shots.html").read_text(encoding="utf-8")
    shots = data_of(page)["shots"]
    assert [shot["label"]["en"] for shot in shots] == ["shot straight", "shot other"]
    for shot, source in zip(shots, (SHOT, other), strict=True):
        result = simulate(source)
        assert shot["duration"] == pytest.approx(result["duration"])
        ends = {slot: (x, y) for slot, x, y in shot["balls"]}
        ends |= {slot: (xs[-1], ys[-1]) for slot, _, xs, ys in shot["tracks"]}
        final = {0: result["final"].get("cue"), 21: result["final"].get("black")}
        for slot, place in final.items():
            if place is None:
                assert slot in shot["potted"]
            else:
                assert ends[slot] == pytest.approx(place, abs=2e-4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1: not JSON"),
        ('{"format": "sinuca-replay-9"}', "not a replay"),
        ('{"balls": {"cue": [0, 0]}}', "strike"),
        (json.dumps(SHOT | {"balls": {"cue": [0, 0], "blak": [1, 0]}}), "did you mean 'black'"),
        ("[]", "shots: expected"),
        ("[3]", "shot"),
    ],
)
def test_bad_files_are_one_line(tmp_path, capsys, text, message):
    file = write(tmp_path, text)
    assert main(["replay", str(file)]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == [file]


def test_a_page_that_is_there_is_kept(tmp_path, capsys):
    file = write(tmp_path, SHOT)
    page = tmp_path / "shots.html"
    page.write_text("mine")
    assert main(["replay", str(file)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert page.read_text() == "mine"
    assert main(["replay", str(file), "--overwrite"]) == 0
    assert "<canvas" in page.read_text()


def test_a_film_instead_of_a_page(tmp_path, capsys):
    file = write(tmp_path, SHOT)
    assert main(["replay", str(file), "--out", str(tmp_path / "a.gif"), "--fps", "5", "--width", "160"]) == 0
    assert (tmp_path / "a.gif").read_bytes()[:3] == b"GIF"
    assert main(["replay", str(file), "--out", str(tmp_path / "a.avi")]) == 2
    assert "one of .html, .gif, .mp4" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.gif", "shots.json"]


def test_a_missing_file(tmp_path, capsys):
    assert main(["replay", str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err
