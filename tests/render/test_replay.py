"""Replays: the format's checks, and the page played in a real browser where there is one."""

import copy
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

from sinuca_env.render.replay import FORMAT, check_replay, load_replay, replay_page, simplify
from sinuca_env.state import SinucaError

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def a_replay() -> dict:
    first = {
        "balls": [[0, -1.0, 0.1], [1, 0.5, 0.2], [21, 1.4, 0.0]],
        "tracks": [[0, [0.0, 1.0, 2.5], [-1.0, 0.0, 0.25], [0.1, 0.3, 0.3]], [1, [1.0, 2.0], [0.5, 1.83], [0.2, 0.93]]],
        "potted": [1],
        "duration": 2.5,
        "aim": 0.2,
        "striker": 0,
        "scores_before": [0, 0],
        "scores_after": [1, 0],
        "label": {"en": "red", "pt": "vermelha"},
        "codes": ["13"],
        "said": {"en": ["A red falls: 1 point </script>"], "pt": ["Vermelha encaçapada: 1 ponto"]},
        "events": [{"t": 1.0, "type": "ball_ball", "balls": ["cue", "red"], "where": ""}],
    }
    second = {
        "balls": [[0, 0.25, 0.3], [21, 1.4, 0.0]],
        "tracks": [[0, [0.0, 1.0], [0.25, 0.8], [0.3, 0.3]], [21, [0.5, 1.0], [1.4, 1.83], [0.0, 0.93]]],
        "potted": [21],
        "duration": 1.0,
        "after": [[0, 0.8, 0.3], [21, 1.4605, 0.0]],
        "striker": 0,
        "scores_before": [1, 0],
        "scores_after": [8, 0],
        "label": {"en": "black", "pt": "preta"},
    }
    return {
        "format": FORMAT,
        "title": "two <strokes>",
        "table": "snooker_12ft",
        "players": ["ann", "bob"],
        "shots": [first, second],
    }


def broken(change):
    replay = copy.deepcopy(a_replay())
    change(replay)
    return replay


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.update(format="x"), "not a replay"),
        (lambda r: r.update(table="snooker_12f"), "did you mean 'snooker_12ft'"),
        (lambda r: r.update(shots=[]), "shots: expected"),
        (lambda r: r["shots"][1].pop("tracks"), r"shots\[1\]: 'tracks' is missing"),
        (lambda r: r["shots"][0].update(duration="long"), r"shots\[0\].duration"),
        (lambda r: r["shots"][0]["balls"].append([22, 0, 0]), r"shots\[0\].balls"),
        (lambda r: r["shots"][0]["tracks"][0][1].pop(), "must be as many"),
        (lambda r: r["shots"][0]["tracks"][0].__setitem__(0, "cue"), "expected .slot"),
    ],
)
def test_a_broken_replay_is_refused_in_one_line(change, message):
    with pytest.raises(SinucaError, match=message) as caught:
        check_replay(broken(change))
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(SinucaError, match="cannot be read"):
        load_replay(tmp_path / "none.json")
    file = tmp_path / "a.json"
    file.write_text("{")
    with pytest.raises(SinucaError, match=r"a\.json: not JSON"):
        load_replay(file)
    file.write_text(json.dumps(a_replay()))
    assert load_replay(file)["shots"][1]["codes"] == []


def test_simplify_keeps_positions_at_all_times_within_the_tolerance():
    times = np.linspace(0, 3, 400)
    points = np.column_stack([2 * times - 0.3 * times**2, np.abs(np.sin(2 * times))])
    kept = simplify(times, points, 1e-3)
    assert kept[0] == 0
    assert kept[-1] == 399
    assert len(kept) < 150
    again = np.column_stack([np.interp(times, times[kept], points[kept, k]) for k in (0, 1)])
    assert np.linalg.norm(again - points, axis=1).max() <= 1e-3
    assert list(simplify(times[:2], points[:2])) == [0, 1]


def test_page_is_one_file():
    page = replay_page(a_replay())
    assert not re.search(r"(src|href)=|https?://|url\(", page)
    assert page.count("</script>") == 1
    assert "<title>two &lt;strokes&gt;</title>" in page


DRIVER = """
<script>
const problems = []; window.addEventListener("error", e => problems.push(e.message));
const key = k => document.dispatchEvent(new KeyboardEvent("keydown", {key: k, bubbles: true}));
const out = {problems, total: sinuca.total, starts: sinuca.starts};
sinuca.go(0); out.start = sinuca.state().drawn;
sinuca.go(sinuca.starts[1] - 0.01); out.end_first = sinuca.state().drawn; out.said = byId("said").textContent;
out.pixel = Array.from(ctx.getImageData(Math.round(X(0.25)), Math.round(Y(0.3)) + 3, 1, 1).data);
out.cloth = Array.from(ctx.getImageData(Math.round(X(0.25)), Math.round(Y(-0.3)), 1, 1).data);
out.board = byId("board").textContent;
key("End"); out.end = sinuca.state().drawn;
key("Home"); out.home = sinuca.state().time;
key("ArrowRight"); out.right = sinuca.state().stroke;
key("ArrowLeft"); out.left = sinuca.state().stroke;
key("l"); out.lang = document.documentElement.lang;
out.row = document.querySelector("#list tbody td:nth-child(2)").textContent;
key("p"); out.paths = sinuca.state().showPaths; key("+"); out.speed = sinuca.state().speed;
byId("seek").value = 500; byId("seek").dispatchEvent(new Event("input")); out.half = sinuca.state().time;
sinuca.go(0); key(" ");
// Pictures come when the machine has time for them.
const finish = () => {
  out.played = sinuca.state().time; key(" "); out.playing = sinuca.state().playing;
  const pre = document.createElement("pre");
  pre.id = "out"; pre.textContent = JSON.stringify(out); document.body.append(pre);
};
const wait = left => sinuca.state().time > 0.05 || left === 0 ? finish() : setTimeout(() => wait(left - 1), 50);
wait(400);
</script></body>"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_page_plays_in_a_browser(tmp_path):
    file = tmp_path / "replay.html"
    file.write_text(replay_page(a_replay()).replace("</body>", DRIVER), encoding="utf-8")
    run = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile",
         "--virtual-time-budget=25000", "--dump-dom", file.as_uri()],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    found = re.search(r'<pre id="out">(.*?)</pre>', run.stdout, re.S)
    assert found, run.stderr[-800:]
    out = json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    assert out["problems"] == []
    assert out["start"] == {"0": [-1.0, 0.1], "1": [0.5, 0.2], "21": [1.4, 0.0]}
    assert out["end_first"] == {"0": [0.25, 0.3], "21": [1.4, 0.0]}  # the red is gone
    assert out["end"] == {"0": [0.8, 0.3], "21": [1.4605, 0.0]}  # the black is back on its spot
    assert "</script>" in out["said"]
    assert out["board"] == "ann 1bob 0"
    assert min(out["pixel"][:3]) > 180  # the white ball really is drawn where the data says
    assert out["cloth"][1] > max(out["cloth"][0], out["cloth"][2])
    assert out["total"] == pytest.approx(2.5 + 1.0 + 2 * 1.5)
    assert (out["home"], out["right"], out["left"]) == (0, 1, 0)
    assert (out["lang"], out["row"]) == ("pt", "vermelha [13]")
    assert (out["paths"], out["speed"]) == (False, 2)
    assert out["half"] == pytest.approx(out["total"] / 2)
    assert out["played"] > 0.05
    assert out["playing"] is False
