"""Impacts and strokes as laws: symmetry to the bit, energy, momentum, continuity, ranges of the parameters."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sinuca_env._jit import records
from sinuca_env.physics import collide_ball, collide_cushion
from sinuca_env.physics import strike as cue
from sinuca_env.physics.params import (
    BALL_BALL_MODELS,
    CUSHION_MODELS,
    PHYSICS_DEFAULTS,
    physics_dict,
    physics_params,
)
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.records import STRIKE

R = 0.02625


def params(**names):
    return records(physics_params(**names))[0]


def random_pairs(n, seed):
    """Velocities, spins and a normal of two balls; spins from none to heavy, speeds from creeping to a break."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        size = rng.choice([1e-3, 0.1, 1.0, 5.0])
        v1, v2 = rng.normal(size=(2, 2)) * size
        w1, w2 = rng.normal(size=(2, 3)) * size / R * rng.choice([0.0, 0.5, 3.0], size=(2, 1))
        angle = rng.uniform(0, 2 * math.pi)
        yield v1, w1, v2, w2, math.cos(angle), math.sin(angle)


def energy(v, w):
    return 0.5 * np.dot(v, v) + 0.2 * R * R * np.dot(w, w)


def resolve(p, v1, w1, v2, w2, nx, ny):
    out = np.array(collide_ball.resolve_pair(*v1, *w1, *v2, *w2, nx, ny, p))
    return out[0:2], out[2:5], out[5:7], out[7:10]


# Reflections of the plane: (x, y) -> (sx x, sy y); spins are axial.
MIRRORS = ((1, -1), (-1, 1), (-1, -1))


@pytest.mark.parametrize("model", BALL_BALL_MODELS)
def test_swapping_the_balls_swaps_the_result_to_the_bit(model):
    p = params(ball_ball=model)
    for v1, w1, v2, w2, nx, ny in random_pairs(100, 1):
        a = resolve(p, v1, w1, v2, w2, nx, ny)
        b = resolve(p, v2, w2, v1, w1, -nx, -ny)
        for x, y in zip(a, (b[2], b[3], b[0], b[1]), strict=True):
            assert np.array_equal(x, y)


@pytest.mark.parametrize("model", BALL_BALL_MODELS)
@pytest.mark.parametrize(("sx", "sy"), MIRRORS)
def test_mirrored_impact_gives_the_mirrored_result_to_the_bit(model, sx, sy):
    p = params(ball_ball=model)
    mv, mw = np.array([sx, sy], float), np.array([sy, sx, sx * sy], float)
    for v1, w1, v2, w2, nx, ny in random_pairs(60, 2):
        a = resolve(p, v1, w1, v2, w2, nx, ny)
        b = resolve(p, v1 * mv, w1 * mw, v2 * mv, w2 * mw, nx * sx, ny * sy)
        for x, y, m in zip(a, b, (mv, mw, mv, mw), strict=True):
            assert np.array_equal(x, y * m)


@pytest.mark.parametrize("model", BALL_BALL_MODELS)
@pytest.mark.parametrize("e_ball", [0.0, 0.5, 0.94, 1.0])
def test_ball_ball_energy_never_rises_and_momentum_stays(model, e_ball):
    for mu in (0.0, 0.05, 0.5, 2.0):
        p = params(ball_ball=model, e_ball=e_ball, mu_ball_a=mu)
        for v1, w1, v2, w2, nx, ny in random_pairs(150 if model != "mathavan2014" else 40, 3):
            a = resolve(p, v1, w1, v2, w2, nx, ny)
            before, after = energy(v1, w1) + energy(v2, w2), energy(a[0], a[1]) + energy(a[2], a[3])
            assert after <= before * (1 + 1e-12)
            closing = np.dot(v1 - v2, (nx, ny))
            if closing > 0:
                assert np.dot(a[0] - a[2], (nx, ny)) <= 1e-9 * closing
            if model != "mathavan2014":  # there the cloth takes part
                assert np.allclose(a[0] + a[2], v1 + v2, atol=1e-12 * (1 + np.abs(v1).max()))
                # Friction turns both balls by the same amount.
                assert np.allclose(a[1] - w1, a[3] - w2, atol=1e-9)


def test_separating_balls_are_left_alone():
    p = params()
    for v1, w1, v2, w2, nx, ny in random_pairs(50, 4):
        if np.dot(v1 - v2, (nx, ny)) <= 0:
            a = resolve(p, v1, w1, v2, w2, nx, ny)
            for x, y in zip(a, (v1, w1, v2, w2), strict=True):
                assert np.array_equal(x, y)


def test_full_ball_hit_has_no_throw_and_nearly_full_has_nearly_none():
    p = params()
    for top in (-1.0, -1e-9, 0.0, 1e-9, 1.0):
        straight = resolve(p, (1.0, 0.0), (0.0, top / R, 0.0), (0.0, 0.0), (0.0, 0.0, 0.0), 1.0, 0.0)
        assert straight[2][1] == 0.0
        near = resolve(p, (1.0, 0.0), (0.0, top / R, 0.0), (0.0, 0.0), (0.0, 0.0, 0.0), math.cos(1e-9), math.sin(1e-9))
        assert np.allclose(np.concatenate(straight), np.concatenate(near), atol=1e-6)


def test_mathavan_2014_without_cloth_friction_is_coulomb_friction_stepped():
    # A stunned cue ball slips sideways only: with mu constant the impulse is mu Jn in both, exactly.
    for cut in (30.0, 50.0, 70.0):
        n = math.cos(math.radians(cut)), math.sin(math.radians(cut))
        results = []
        for model in ("alciatore", "mathavan2014"):
            p = params(ball_ball=model, e_ball=0.9, mu_ball_a=0.05, mu_ball_b=0.0)
            results.append(np.concatenate(resolve(p, (1.0, 0.0), (0, 0, 0), (0, 0), (0, 0, 0), *n)))
        assert np.allclose(*results, atol=4e-4)


# --- cushions ---------------------------------------------------------------------------------------------------------


def random_approaches(n, seed):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        size = rng.choice([1e-6, 0.05, 1.0, 6.0])
        v = rng.normal(size=2) * size
        v[0] = abs(v[0]) * rng.choice([1e-6, 1e-2, 1.0])
        yield v, rng.normal(size=3) * size / R * rng.choice([0.0, 0.5, 2.0])


@pytest.mark.parametrize("model", CUSHION_MODELS)
def test_cushion_is_symmetric_to_the_bit_and_leaves_the_face(model):
    p = params(cushion=model)
    for v, w in random_approaches(150, 5):
        a = np.array(collide_cushion.rebound(*v, *w, 1.0, 0.0, p))
        assert a[0] <= 0.0
        assert np.array_equal(a, collide_cushion.rebound(*v, *w, -1.0, 0.0, p))
        mirrored = collide_cushion.rebound(v[0], -v[1], -w[0], w[1], -w[2], 1.0, 0.0, p)
        assert np.array_equal(a, np.array(mirrored) * (1, -1, -1, 1, -1))
        turned = np.array(collide_cushion.rebound(-v[1], v[0], -w[1], w[0], w[2], 0.0, 1.0, p))
        assert np.array_equal(a, (turned[1], -turned[0], turned[3], -turned[2], turned[4]))


@pytest.mark.parametrize("model", CUSHION_MODELS)
def test_cushion_energy_never_rises_even_with_absurd_parameters(model):
    rng = np.random.default_rng(6)
    for _ in range(25):
        p = params(
            cushion=model,
            e_cushion=float(rng.choice([0.0, 0.5, 0.98, 1.0])),
            mu_cushion=float(rng.choice([0.0, 0.14, 0.5, 2.0])),
            mu_slide=float(rng.choice([0.0, 0.21, 1.0, 2.0])),
            nose_height=float(rng.choice([1.0, 1.28, 1.4, 1.9])),
        )
        for v, w in random_approaches(60, int(rng.integers(1 << 30))):
            a = np.array(collide_cushion.rebound(*v, *w, 1.0, 0.0, p))
            assert np.isfinite(a).all()
            assert energy(a[:2], a[2:]) <= energy(v, w) * (1 + 1e-12)


@pytest.mark.parametrize("model", CUSHION_MODELS)
def test_cushion_is_homogeneous_in_speed(model):
    p = params(cushion=model)
    for v, w in random_approaches(40, 7):
        a = np.array(collide_cushion.rebound(*v, *w, 1.0, 0.0, p))
        for scale in (0.25, 8.0):
            b = np.array(collide_cushion.rebound(*(scale * v), *(scale * w), 1.0, 0.0, p))
            assert np.allclose(b, scale * a, rtol=1e-9, atol=1e-12 * scale)


def test_calibrated_follows_the_impulse_equations():
    """Root mean square and worst of the direction, and of the speed, over everyday approaches (docs/physics.md)."""
    exact, closed = params(cushion="mathavan2010"), params(cushion="calibrated")
    rng = np.random.default_rng(8)
    angles, speeds = [], []
    for _ in range(1500):
        v = np.array([math.sin(a := math.radians(rng.uniform(5, 90))), math.cos(a)])
        roll, side = rng.uniform(-1.25, 1.25, 2)
        w = np.array([-roll * v[1], roll * v[0], side]) / R
        a = np.array(collide_cushion.rebound(*v, *w, 1.0, 0.0, exact))
        b = np.array(collide_cushion.rebound(*v, *w, 1.0, 0.0, closed))
        angles.append(math.degrees(math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])))
        speeds.append(math.hypot(*b[:2]) / math.hypot(*a[:2]) - 1)
    assert np.sqrt(np.mean(np.square(angles))) < 0.2
    assert np.max(np.abs(angles)) < 1.5
    assert np.max(np.abs(speeds)) < 0.03


# --- cue --------------------------------------------------------------------------------------------------------------


def stroke(p, **names):
    s = np.zeros(1, STRIKE)
    s["speed"] = 1.0
    for name, value in names.items():
        s[name] = value
    out = cue.strike(records(s)[0], p)
    return np.array(out[:2]), np.array(out[2:5]), out[5]


def test_stroke_turns_with_its_angle():
    p = params()
    v, w, _ = stroke(p, side=0.3, top=-0.2, elevation=0.3)
    for angle in np.linspace(0.1, 6.2, 7):
        c, s = math.cos(angle), math.sin(angle)
        v2, w2, _ = stroke(p, side=0.3, top=-0.2, elevation=0.3, angle=angle)
        assert np.allclose(v2, (c * v[0] - s * v[1], s * v[0] + c * v[1]), atol=1e-12)
        assert np.allclose(w2, (c * w[0] - s * w[1], s * w[0] + c * w[1], w[2]), atol=1e-12)


def test_top_at_two_fifths_rolls_at_once():
    v, w, _ = stroke(params(), top=0.4)
    assert v[0] == pytest.approx(R * w[1], rel=1e-12)
    assert v[0] == pytest.approx(1.20455, rel=1e-5)


def test_squirt_is_off_at_zero_and_away_from_the_tip():
    assert stroke(params(squirt=0.0), side=0.4)[0][1] == 0.0
    left, right = stroke(params(), side=0.4)[0], stroke(params(), side=-0.4)[0]
    assert left[1] < 0.0 < right[1]
    assert left[1] == -right[1]
    # It takes nothing from the speed.
    assert math.hypot(*left) == pytest.approx(stroke(params(squirt=0.0), side=0.4)[0][0], rel=1e-12)


def test_miscue_beyond_half_a_radius():
    p = params()
    good, _, fine = stroke(p, side=0.3, top=0.39)
    bad, spin, flags = stroke(p, side=0.3, top=0.41)
    assert (fine, flags) == (0, cue.MISCUE)
    assert 0.0 < bad[0] < 0.6 * good[0]
    assert bad[1] < 0.0  # away from the tip's side
    assert (
        np.linalg.norm(spin) * R / np.linalg.norm(bad) <= 1.26
    )  # arm of 0.5 R; a part of the impulse goes into the cloth
    missed, _, flags = stroke(p, side=0.8, top=0.7)
    assert flags == cue.MISCUE
    assert not missed.any()


def test_stroke_energy_comes_from_the_cue():
    rng = np.random.default_rng(9)
    p = params()
    for _ in range(300):
        side, top = rng.uniform(-0.7, 0.7, 2)
        v, w, _ = stroke(p, side=side, top=top, elevation=rng.uniform(0, 1.2), speed=2.0)
        assert 0.1406 * energy(v, w) <= 0.5 * 0.54 * 2.0**2


def test_direct_state_is_taken_as_it_is():
    v, w, flags = stroke(params(), direct=1, v=[(1.0, 2.0, 3.0)], w=[(4.0, 5.0, 6.0)])
    assert v.tolist() == [1.0, 2.0]
    assert w.tolist() == [4.0, 5.0, 6.0]
    assert flags == 0


# --- parameters -------------------------------------------------------------------------------------------------------


def test_params_round_trip_and_defaults():
    assert physics_dict(physics_params()) == PHYSICS_DEFAULTS
    changed = PHYSICS_DEFAULTS | {"cushion": "han2005", "e_cushion": 0.8, "mu_slide": 0.3}
    assert physics_dict(physics_params(**changed)) == changed
    han = physics_dict(physics_params(cushion="han2005"))
    assert (han["e_cushion"], han["mu_cushion"]) == (0.85, 0.2)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"mu_slid": 0.2}, ("mu_slid", "did you mean 'mu_slide'")),
        ({"mu_slide": -0.1}, ("mu_slide", "0 to 2")),
        ({"e_ball": 1.01}, ("e_ball", "0 to 1")),
        ({"gravity": float("nan")}, ("gravity",)),
        ({"ball_radius": "big"}, ("ball_radius", "not a number")),
        ({"mu_roll": True}, ("mu_roll",)),
        ({"cushion": "han"}, ("cushion", "han2005")),
        ({"flight": 1}, ("flight", "true, false")),
    ],
)
def test_bad_parameters_are_one_clear_line(names, words):
    with pytest.raises(SinucaError) as caught:
        physics_params(**names)
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)
