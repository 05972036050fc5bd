"""The step over many tables: who plays, what the referee is told, canonical reds, starts."""

import numpy as np
import pytest

from sinuca_env.game.reset import pot_task
from sinuca_env.game.tables import Tables
from sinuca_env.rules import rules_config
from sinuca_env.state import SinucaError
from sinuca_env.state.records import DECISION, Option


def random_decisions(rng, n):
    decisions = np.zeros(n, DECISION)
    decisions["option"] = rng.integers(0, 4, n)
    decisions["call"] = rng.integers(0, 8, n)
    decisions["placement"] = rng.uniform(-2, 2, (n, 2))
    decisions["strike"]["angle"] = rng.uniform(-np.pi, np.pi, n)
    decisions["strike"]["speed"] = rng.uniform(0.3, 6, n)
    decisions["strike"]["side"] = rng.uniform(-0.3, 0.3, n)
    return decisions


def fresh(n, seeds=None, **kwargs):
    game = Tables(n, **kwargs)
    game.seed(range(n) if seeds is None else seeds)
    game.reset()
    return game


def same(a, b):
    """Equal bytes of situation and verdicts."""
    return all(
        np.array_equal(getattr(a, name), getattr(b, name), equal_nan=name == "layouts")
        for name in ("frames", "layouts", "legals", "rulings")
    )


def test_the_batch_makes_no_difference():
    whole, alone = fresh(6), [fresh(1, seeds=[k]) for k in range(6)]
    rng = np.random.default_rng(3)
    for _ in range(60):
        decisions = random_decisions(rng, 6)
        lanes = np.flatnonzero(whole.frames["frame_over"] == 0)
        whole.step(decisions[lanes], lanes)
        for k in lanes:
            alone[k].step(decisions[k : k + 1])
            assert whole.frames[k].tobytes() == alone[k].frames[0].tobytes()
            assert whole.layouts[k].tobytes() == alone[k].layouts[0].tobytes()
            assert whole.rulings[k].tobytes() == alone[k].rulings[0].tobytes()


def test_threads_make_no_difference(monkeypatch):
    games = []
    for threads in ("1", "2"):
        monkeypatch.setenv("SINUCA_THREADS", threads)
        game = fresh(64)
        rng = np.random.default_rng(5)
        for _ in range(12):
            lanes = np.flatnonzero(game.frames["frame_over"] == 0)
            game.step(random_decisions(rng, 64)[lanes], lanes)
        games.append(game)
    assert same(*games)


def test_the_numbering_of_the_reds_makes_no_difference():
    game, other = fresh(4), fresh(4)
    rng = np.random.default_rng(8)
    for _ in range(25):
        lanes = np.flatnonzero(game.frames["frame_over"] == 0)
        for lane in lanes:
            lying = np.flatnonzero(np.isfinite(other.layouts[lane, 1:16, 0])) + 1
            other.layouts[lane, lying] = other.layouts[lane, rng.permutation(lying)]
        other.settle(lanes)
        assert np.array_equal(game.layouts, other.layouts, equal_nan=True)
        decisions = random_decisions(rng, 4)[lanes]
        game.step(decisions, lanes)
        other.step(decisions, lanes)
    assert np.array_equal(game.frames["scores"], other.frames["scores"])


def test_reds_in_play_stand_first_and_in_order():
    game = fresh(16)
    rng = np.random.default_rng(9)
    for _ in range(40):
        lanes = np.flatnonzero(game.frames["frame_over"] == 0)
        game.step(random_decisions(rng, 16)[lanes], lanes)
        for lane in range(16):
            reds = int(game.frames["on_table"][lane]) >> 1 & 0x7FFF
            n = bin(reds).count("1")
            assert reds == (1 << n) - 1
            places = game.layouts[lane, 1 : n + 1]
            assert np.isfinite(places).all()
            assert np.isnan(game.layouts[lane, n + 1 : 16]).all()
            assert [tuple(p) for p in places] == sorted(tuple(p) for p in places)


def test_on_the_table_means_having_a_place():
    game = fresh(32)
    rng = np.random.default_rng(4)
    for _ in range(40):
        lanes = np.flatnonzero(game.frames["frame_over"] == 0)
        game.step(random_decisions(rng, 32)[lanes], lanes)
        bits = game.frames["on_table"][:, None] >> np.arange(22) & 1
        # Over frames aside, where the last ball may have stayed down without a next situation.
        assert np.array_equal(bits[:, 1:] == 1, np.isfinite(game.layouts[:, 1:, 0]))
        open_ = game.frames["frame_over"] == 0
        in_hand = game.frames["in_hand"] == 1
        assert np.array_equal(bits[open_, 0] == 0, in_hand[open_])


def test_declining_without_the_right_is_a_stroke():
    game = fresh(1, cfg=rules_config(reds=6))
    decision = np.zeros(1, DECISION)
    decision["strike"]["speed"] = 2.0
    game.step(decision)
    game.frames["after_foul"] = game.frames["free_ball"] = 0
    game.settle()
    decision["option"] = Option.DECLINE
    game.step(decision)
    assert game.shots["made"][0] == 1
    assert game.frames["strokes"][0] == 2


def test_transfer_of_the_break_off_is_no_stroke():
    game = fresh(1)
    breaker = int(game.frames["striker"][0])
    decision = np.zeros(1, DECISION)
    decision["option"] = Option.DECLINE
    game.step(decision)
    assert game.shots["made"][0] == 0
    assert game.frames["striker"][0] == 1 - breaker
    assert not game.legals["options"][0] >> Option.DECLINE & 1


def test_the_draw_gives_both_sides_the_break_off():
    game = fresh(400)
    assert 150 < game.frames["breaker"].sum() < 250


def test_pot_layouts_keep_their_limits():
    game = fresh(300, task=pot_task(("red", "black"), 0.3, 1.0, max_run=1.2, max_cut_deg=45))
    cue = game.layouts[:, 0]
    ball = np.where(np.isfinite(game.layouts[:, 1]), game.layouts[:, 1], game.layouts[:, 21])
    distance = np.hypot(*(ball - cue).T)
    assert (distance >= 0.3).all()
    assert (distance <= 1.0).all()
    assert np.isfinite(game.layouts[:, :, 0]).sum(axis=1).tolist() == [2] * 300
    assert 90 < np.isfinite(game.layouts[:, 21, 0]).sum() < 210
    half = np.array([game.spec.length, game.spec.width]) / 2 - game.spec.ball_radius
    assert (np.abs(np.concatenate([cue, ball])) < half).all()


def test_pot_layouts_cover_the_cloth_evenly():
    game = fresh(2000, task=pot_task())
    for slot in (0, 1):
        for axis, size in enumerate((game.spec.length, game.spec.width)):
            counts, _ = np.histogram(game.layouts[:, slot, axis] / size, bins=5, range=(-0.5, 0.5))
            # Expected 400 each, a little less at the ends where the ball's radius takes room.
            assert (counts > 300).all()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"balls": ("rde",)}, "red"),
        ({"balls": ()}, "at least one"),
        ({"max_distance": 0.0}, "max_distance"),
        ({"min_distance": 2.0, "max_distance": 1.0}, "max_distance"),
        ({"max_cut_deg": True}, "max_cut_deg"),
    ],
)
def test_bad_pot_limits_are_named(arguments, word):
    with pytest.raises(SinucaError, match=word):
        pot_task(**arguments)


def test_a_copied_state_goes_on_alike():
    game = fresh(3, noise=None)
    rng = np.random.default_rng(2)
    game.step(random_decisions(rng, 3))
    copies = {name: getattr(game, name).copy() for name in ("frames", "layouts", "legals")}
    decisions = random_decisions(rng, 3)
    game.step(decisions)
    other = fresh(3)
    for name, value in copies.items():
        getattr(other, name)[:] = value
    other.step(decisions)
    assert same(game, other)
