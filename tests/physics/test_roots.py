"""Times of contact against a companion-matrix solver and against the motion itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sinuca_env.physics.roots import hit_time, line_time

R = 0.02625


def motions(n: int, seed: int) -> np.ndarray:
    """Relative motions as they occur: (d, v, h) with sliding and rolling accelerations, none, and equal ones."""
    rng = np.random.default_rng(seed)
    d = rng.uniform(-1.0, 1.0, (n, 2)) * np.exp(rng.uniform(-4.0, 1.0, n))[:, None]
    too_near = np.hypot(*d.T) < 2 * R
    d[too_near] *= ((2 * R + 10.0 ** rng.uniform(-9, -1, n)) / np.hypot(*d.T))[too_near, None]
    speed, angle = np.exp(rng.uniform(-4.0, 2.0, n)), rng.uniform(0, 2 * np.pi, n)
    # Half of them aimed at the other body, from full to grazing.
    aim = np.arctan2(-d[:, 1], -d[:, 0])
    width = np.arcsin(np.minimum(2 * R / np.hypot(*d.T), 1.0))
    aimed = rng.random(n) < 0.5
    angle[aimed] = (aim + width * rng.uniform(-1.05, 1.05, n))[aimed]
    v = speed[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    h = np.zeros((n, 2))
    for _ in range(2):
        size = rng.choice([0.0, 0.049, 1.03], n)
        turn = rng.uniform(0, 2 * np.pi, n)
        h += size[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    rolling = rng.random(n) < 0.3
    h[rolling] = -0.049 * (v / speed[:, None])[rolling]
    return np.concatenate([d, v, h], axis=1)


def exact(d: np.ndarray, v: np.ndarray, h: np.ndarray, reach: float, window: float) -> tuple[float, float]:
    """First approaching root by the companion matrix, and how clear a case it is (smallest |f'| at real roots)."""
    quartic = np.array([h @ h, 2 * v @ h, v @ v + 2 * d @ h, 2 * d @ v, d @ d - reach**2])
    roots = np.roots(quartic)
    clear = np.inf
    best = np.inf
    slope = np.polyder(quartic)
    for root in roots:
        if abs(root.imag) > 1e-4 * max(1e-3, abs(root)):
            continue
        clear = min(clear, abs(np.polyval(slope, root.real)), abs(root.real), abs(root.real - window))
        if abs(root.imag) < 1e-9 and 0 < root.real <= window and np.polyval(slope, root.real) < 0:
            best = min(best, root.real)
    return best, clear


def test_against_the_companion_matrix() -> None:
    found = missed = 0
    for row in motions(6000, 41):
        d, v, h = row[:2], row[2:4], row[4:]
        window = 0.8
        t = hit_time(*row, 2 * R, window)
        expected, clear = exact(d, v, h, 2 * R, window)
        if clear > 1e-4:
            # A clear case: both must agree.
            if math.isinf(expected):
                assert math.isinf(t), row
                missed += 1
            else:
                assert t == pytest.approx(expected, rel=1e-7, abs=1e-9), row
                found += 1
    assert found > 1000
    assert missed > 1000


def test_contact_is_at_the_reach_and_approaching() -> None:
    """Whatever is found is a contact: the distance is right, it shrinks there, and it was larger all the way."""
    hits = 0
    for row in motions(3000, 42):
        d, v, h = row[:2], row[2:4], row[4:]
        t = hit_time(*row, 2 * R, 2.0)
        if math.isinf(t):
            # Nothing nearer than the reach anywhere.
            at = np.linspace(0, 2.0, 400)[:, None]
            assert np.hypot(*(d + v * at + h * at * at).T).min() >= 2 * R - 1e-9
            continue
        hits += 1
        place, velocity = d + v * t + h * t * t, v + 2 * h * t
        assert np.hypot(*place) == pytest.approx(2 * R, abs=1e-12)
        assert place @ velocity <= 1e-9
        before = np.linspace(0, t, 200)[:-1, None]
        assert np.hypot(*(d + v * before + h * before * before).T).min() >= 2 * R - 1e-12
    assert hits > 500


def test_the_last_bit_does_not_know_left_from_right() -> None:
    for row in motions(500, 43):
        t = hit_time(*row, 2 * R, 2.0)
        for sx, sy in ((1, -1), (-1, 1), (-1, -1)):
            assert hit_time(*(row * [sx, sy, sx, sy, sx, sy]), 2 * R, 2.0) == t


@pytest.mark.parametrize(
    ("s", "v", "h", "expected"),
    [
        (1.0, -2.0, 0.0, 0.5),
        (1.0, -2.0, 1.0, 1.0),
        (1.0, -1.9, 1.0, math.inf),
        (1.0, 0.0, -1.0, 1.0),
        (3.0, 2.0, -1.0, 3.0),
        (1.0, 1.0, 1.0, math.inf),
        (1.0, 0.0, 0.0, math.inf),
        (-1.0, 3.0, -2.0, 1.0),  # behind the face: out after half a second, back on it after one
        (-1.0, 1.0, -2.0, math.inf),
        (-1.0, -1.0, 1.0, math.inf),
        (-1.0, 1.0, 1.0, math.inf),
    ],
)
def test_lines(s: float, v: float, h: float, expected: float) -> None:
    assert line_time(s, v, h) == pytest.approx(expected, abs=1e-15)
