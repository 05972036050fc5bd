"""Intervals: Wilson's for rates, the bootstrap for means and ratios. NumPy only."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

__all__ = ["Z95", "Estimate", "bootstrap_mean", "bootstrap_ratio", "exact", "wilson"]

Z95 = 1.959963984540054
"""Normal quantile of a two-sided 95 % interval."""

_RESAMPLES = 2000


class Estimate(NamedTuple):
    """A value with its 95 % interval; NaN all three when nothing was observed."""

    value: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float | None]:
        """For JSON, which has no NaN: null instead."""
        return {name: (None if math.isnan(v) else float(v)) for name, v in self._asdict().items()}


NOTHING = Estimate(math.nan, math.nan, math.nan)


def exact(value: float) -> Estimate:
    """A number without sampling error (a maximum, a count)."""
    return Estimate(float(value), float(value), float(value))


def wilson(successes: float, trials: float, z: float = Z95) -> Estimate:
    """Wilson's score interval of a rate (Wilson 1927): never outside [0, 1], sound at 0 and 1.

    Args:
        successes: 0 .. trials.
        trials: how many; 0 gives NaN.
        z: normal quantile.
    """
    if trials <= 0:
        return NOTHING
    p, z2n = successes / trials, z * z / trials
    centre = (p + 0.5 * z2n) / (1.0 + z2n)
    half = z * math.sqrt(p * (1.0 - p) / trials + 0.25 * z2n / trials) / (1.0 + z2n)
    # At 0 and 1 rounding would move the closed end by 1e-17.
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == trials else centre + half
    return Estimate(p, low, high)


def bootstrap_ratio(numerators: np.ndarray, denominators: np.ndarray, seed: int = 0) -> Estimate:
    """Ratio of sums over episodes with a percentile bootstrap over the episodes (2,000 resamples, seeded)."""
    top, bottom = np.asarray(numerators, float), np.asarray(denominators, float)
    if bottom.sum() <= 0.0:
        return NOTHING
    value = top.sum() / bottom.sum()
    rng, n = np.random.default_rng(seed), len(top)
    ratios = np.empty(_RESAMPLES)
    for k in range(_RESAMPLES):
        weights = np.bincount(rng.integers(0, n, n), minlength=n)
        below = weights @ bottom
        ratios[k] = weights @ top / below if below > 0.0 else value
    low, high = np.quantile(ratios, (0.025, 0.975))
    return Estimate(float(value), float(low), float(high))


def bootstrap_mean(values: np.ndarray, seed: int = 0) -> Estimate:
    """Mean over episodes with its percentile bootstrap interval."""
    return bootstrap_ratio(values, np.ones(len(values)), seed)
