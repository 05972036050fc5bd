"""``sinuca demo --fast``: every stage runs and leaves what it promises."""

import json
import re

import pytest

pytest.importorskip("stable_baselines3")

from sinuca_env.bench.stats import wilson
from sinuca_env.cli import main
from sinuca_env.render.replay import load_replay


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    code = main(["demo", "--fast", "--episodes", "60", "--out", str(folder)])
    return code, folder, json.loads((folder / "demo.json").read_text())


def test_all_four_players_meet_the_same_layouts(demo):
    code, _folder, told = demo
    assert code == 0
    rows = told["results"]
    assert [row["name"] for row in rows] == ["random", "untrained network", "trained agent", "greedy"]
    assert {(row["episodes"], row["seed"]) for row in rows} == {(60, 0)}
    for row in rows:
        rate = row["metrics"]["pot_rate"]
        low, high = wilson(round(rate["value"] * 60), 60)[1:]
        assert (rate["low"], rate["high"]) == pytest.approx((low, high))
    by_name = {row["name"]: row["metrics"]["pot_rate"]["value"] for row in rows}
    assert by_name["greedy"] > 0.5 > by_name["random"]


def test_the_frame_is_played_to_its_end(demo):
    _code, folder, told = demo
    frame = told["frame"]
    assert frame["over"]
    assert frame["winner"] in (0, 1)
    replay = load_replay(folder / "frame.json")
    assert len(replay["shots"]) == frame["strokes"]
    assert replay["shots"][-1]["scores_after"] == frame["scores"]
    # Every foul has its code on the sheet.
    assert sum(len(shot["codes"]) for shot in replay["shots"]) == len(frame["fouls"])


def test_the_page_holds_everything(demo):
    _code, folder, told = demo
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 2 + 3  # bars, curve, shots
    assert not re.search(r"(src|href)=[\"']?(https?:|//)", page)
    for row in told["results"]:
        assert f"{100 * row['metrics']['pot_rate']['value']:.1f} %" in page
    assert (folder / "frame.html").exists()
    assert sum(told["seconds"].values()) > 0


def test_bad_arguments(capsys, tmp_path):
    assert main(["demo", "--episodes", "0", "--out", str(tmp_path / "x")]) == 2
    assert "--episodes" in capsys.readouterr().err
    assert main(["demo", "--minutes", "-1", "--out", str(tmp_path / "x")]) == 2
    assert not (tmp_path / "x").exists()
    other = tmp_path / "frame.yaml"
    other.write_text("env: {id: Sinuca-v0}")
    assert main(["demo", "--config", str(other), "--out", str(tmp_path / "x")]) == 2
    assert "the demo is about SinucaPot-v0" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
    file = tmp_path / "file"
    file.write_text("")
    assert main(["demo", "--fast", "--out", str(file)]) == 2
    assert "cannot be written" in capsys.readouterr().err
