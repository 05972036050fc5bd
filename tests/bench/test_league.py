"""Ratings against odds that are known, and the noise report's analytic column against worked numbers."""

import math

import numpy as np
import pytest

from sinuca_env.bench.league import bradley_terry, league
from sinuca_env.bench.noise_report import SHOTS, analytic_chance, noise_report
from sinuca_env.state import SinucaError


def test_two_players_have_the_rating_of_their_odds():
    a, b = bradley_terry(np.array([[0, 3_000_000], [1_000_000, 0]]))
    assert a - b == pytest.approx(400 * math.log10(3), abs=1e-3)
    assert a + b == pytest.approx(0.0, abs=1e-6)


def test_ratings_of_a_consistent_table_are_recovered():
    truth = np.array([150.0, 20.0, -170.0])
    chance = 1 / (1 + 10 ** ((truth[None, :] - truth[:, None]) / 400))
    wins = 1e7 * chance
    np.fill_diagonal(wins, 0.0)
    assert bradley_terry(wins) == pytest.approx(truth, abs=1e-2)


def test_who_never_loses_keeps_a_finite_rating():
    assert np.isfinite(bradley_terry(np.array([[0, 20], [0, 0]]))).all()


def test_a_league_needs_two_different_players():
    for players in (["greedy"], ["greedy", "greedy"]):
        with pytest.raises(SinucaError, match="players"):
            league(players)


# Pure geometry by hand: sigma 0.02 degrees, 35 degrees of cut at 0.9 + 0.95 m: spread
# 0.000349 * 0.9 / (0.0525 cos 35) * 0.95 = 6.94 mm, 16.75 mm = 2.41 spreads; straight at 1.8 + 1.8 m: 21.5 mm, 0.778.
@pytest.mark.parametrize(("name", "chance"), [("medium cut 35", 0.984), ("long straight", 0.564)])
def test_analytic_chances(name, chance):
    shot = next(shot for shot in SHOTS if shot.name == name)
    assert analytic_chance(shot, math.radians(0.02)) == pytest.approx(chance, abs=2e-3)


def test_noise_report_orders_the_levels():
    rows = noise_report(["none", "pro", "novice"], episodes=200)
    medium = {row["level"]: row["engine"]["value"] for row in rows if row["shot"] == "medium cut 35"}
    assert medium["none"] == 1.0
    assert medium["none"] >= medium["pro"] > medium["novice"]
    assert all(row["analytic"] == 1.0 for row in rows if row["level"] == "none")
