"""A person at the table: turns, choices, undo, save and load; the window driven by events without a screen."""

import json
import math
import os

import numpy as np
import pytest

from sinuca_env.bench.play.session import PERSON, Session
from sinuca_env.cli import main
from sinuca_env.render.replay import check_replay
from sinuca_env.state import SinucaError
from sinuca_env.state.records import Option


def state(session):
    return session.tables.frames.tobytes(), session.tables.layouts.tobytes(), session.tables.legals.tobytes()


def session_at_persons_turn(seed=0) -> Session:
    """The first frame from ``seed`` on that the person breaks off."""
    session = Session((PERSON, "greedy"), seed=seed)
    while session.frame["striker"] != 0:
        seed += 1
        session = Session((PERSON, "greedy"), seed=seed)
    assert session.is_persons_turn
    return session


def test_a_person_plays_and_takes_back():
    session = session_at_persons_turn()
    before, strokes = state(session), len(session.recorder.shots)
    session.play(0.05, 3.0, placement=(session.tables.spec.baulk_x - 0.1, 0.1))
    assert state(session) != before
    assert len(session.recorder.shots) == strokes + 1
    while not session.is_persons_turn and not session.is_over:
        session.let_policy_play()
    assert session.undo()
    assert state(session) == before
    assert len(session.recorder.shots) == len(session.recorder.rows) == len(session.recorder.sheet.lines) == strokes


def test_the_same_stroke_after_undo_ends_the_same():
    session = session_at_persons_turn()
    place = (session.tables.spec.baulk_x - 0.1, 0.1)
    session.play(0.03, 4.0, placement=place)
    after = state(session)
    session.undo()
    session.play(0.03, 4.0, placement=place)
    assert state(session) == after


def test_what_is_not_open_is_refused_and_changes_nothing():
    session = session_at_persons_turn()
    before = state(session)
    with pytest.raises(SinucaError, match="free ball: not open"):
        session.play(0.0, 1.0, option=Option.FREE_BALL)
    with pytest.raises(SinucaError, match="call: black may not be called: red"):
        session.play(0.0, 1.0, call=7)
    with pytest.raises(SinucaError, match="finite"):
        session.play(math.nan, 1.0)
    with pytest.raises(SinucaError, match="no policy"):
        session.let_policy_play()
    assert state(session) == before
    session.choose(Option.CONCEDE)
    assert session.is_over
    with pytest.raises(SinucaError, match="the frame is over"):
        session.play(0.0, 1.0)


def test_save_and_load_go_on_from_the_same_table(tmp_path):
    session = session_at_persons_turn()
    session.play(0.03, 4.0, placement=(session.tables.spec.baulk_x - 0.1, 0.1))
    file = tmp_path / "save.json"
    session.save(file)
    again = Session.load(file)
    assert np.array_equal(again.tables.layouts, session.tables.layouts, equal_nan=True)
    assert state(again) == state(session)
    for turn in (session, again):
        while not turn.is_persons_turn and not turn.is_over:
            turn.let_policy_play()
    assert state(again) == state(session)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format="x"), "not a saved frame"),
        (lambda d: d.pop("layout"), "'layout' is missing"),
        (lambda d: d.update(reds=7), "reds"),
        (lambda d: d.update(players=["person", "gredy"]), "did you mean 'greedy'"),
        (lambda d: d.update(frame="nonsense"), "frame"),
    ],
)
def test_broken_saves_are_one_line(tmp_path, capsys, change, message):
    file = tmp_path / "save.json"
    session_at_persons_turn().save(file)
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))
    assert main(["play", "--load", str(file)]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert str(file) in told
    assert told.count("\n") == 1


@pytest.fixture
def window(monkeypatch, tmp_path):
    pytest.importorskip("pygame")
    monkeypatch.setitem(os.environ, "SDL_VIDEODRIVER", "dummy")
    from sinuca_env.bench.play.window import Window

    made = Window(session_at_persons_turn(), width=480, save_to=tmp_path / "save.json")
    yield made
    made.pg.display.quit()


def test_the_mouse_aims_and_strikes(window):
    pg = window.pg
    target = np.array([1.0, 0.05])
    window.handle(pg.event.Event(pg.MOUSEBUTTONDOWN, button=3, pos=window.pixel_of((window.cue_place()[0], 0.1))))
    assert window.cue_place()[1] == pytest.approx(0.1, abs=0.02)
    window.handle(pg.event.Event(pg.MOUSEMOTION, pos=window.pixel_of(target), rel=(0, 0), buttons=(0, 0, 0)))
    there = target - window.cue_place()
    assert window.angle == pytest.approx(math.atan2(there[1], there[0]), abs=1e-9)
    power = window.speed
    window.handle(pg.event.Event(pg.MOUSEWHEEL, y=3, x=0))
    assert window.speed > power
    scene = window.scene()
    assert len(scene.ghosts) == 1  # the ghost ball touches the ball that is aimed at
    (_, x, y), slot = scene.ghosts[0], next(iter(scene.paths))
    assert math.hypot(x - scene.balls[slot][0], y - scene.balls[slot][1]) == pytest.approx(0.0525)
    strokes = len(window.session.recorder.shots)
    window.handle(pg.event.Event(pg.MOUSEBUTTONDOWN, button=1, pos=window.pixel_of(target)))
    assert len(window.session.recorder.shots) == strokes + 1
    assert window.shot is not None
    for _ in range(20):
        window.advance(1.0)
        window.draw()
    assert len(window.session.recorder.shots) > strokes + 1  # the policy has played, or the person goes on
    check_replay(window.session.recorder.replay())


def test_keys(window):
    pg = window.pg
    key = lambda k: window.handle(pg.event.Event(pg.KEYDOWN, key=k))  # noqa: E731
    key(pg.K_w)
    key(pg.K_a)
    assert (window.top, window.side) == (0.05, 0.05)
    key(pg.K_7)
    assert window.call == 7
    window.handle(pg.event.Event(pg.MOUSEBUTTONDOWN, button=1, pos=(200, 100)))
    assert "may not be called" in window.said[0]
    key(pg.K_k)
    assert window.save_to.exists()
    key(pg.K_u)
    assert window.said == ["nothing to take back"] or window.said == ["taken back"]
    assert key(pg.K_ESCAPE) is False


def test_no_display_is_one_line(monkeypatch, capsys):
    pytest.importorskip("pygame")
    monkeypatch.setitem(os.environ, "SDL_VIDEODRIVER", "none-such")
    assert main(["play"]) == 2
    assert "no window can be opened" in capsys.readouterr().err
