"""Intervals against published values and direct simulation."""

import math

import numpy as np
import pytest

from sinuca_env.bench.stats import bootstrap_mean, bootstrap_ratio, exact, wilson


# Newcombe 1998 (Statistics in Medicine 17, table I), Wilson's score interval without continuity correction.
@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_matches_the_published_table(successes, trials, low, high):
    found = wilson(successes, trials)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    assert found.value == successes / trials


def test_wilson_is_symmetric_and_stays_inside():
    for k in range(11):
        a, b = wilson(k, 10), wilson(10 - k, 10)
        assert (a.low, a.high) == pytest.approx((1 - b.high, 1 - b.low))
        assert 0.0 <= a.low <= a.value <= a.high <= 1.0


def test_nothing_observed_is_null_in_json():
    assert wilson(0, 0).as_dict() == {"value": None, "low": None, "high": None}
    assert bootstrap_ratio(np.zeros(3), np.zeros(3)).as_dict()["value"] is None


def test_bootstrap_covers_the_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(60):
        found = bootstrap_mean(rng.exponential(2.0, 80))
        inside += found.low <= 2.0 <= found.high
    assert 0.8 <= inside / 60 <= 1.0


def test_bootstrap_width_is_the_normal_one_for_many_values():
    values = np.random.default_rng(1).normal(5.0, 1.0, 2000)
    found = bootstrap_mean(values)
    assert found.value == pytest.approx(values.mean())
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / math.sqrt(2000), rel=0.1)


def test_ratio_of_sums_and_exact():
    assert bootstrap_ratio(np.array([1.0, 3.0]), np.array([2.0, 2.0])).value == 1.0
    assert exact(7) == (7.0, 7.0, 7.0)
