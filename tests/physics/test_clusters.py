"""Contacts of one instant: lines of balls, one ball onto two, packs; laws that any joint resolution has to keep."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sinuca_env.physics import Trace, physics_params, trace_shot
from sinuca_env.state.records import STRIKE
from sinuca_env.table.layouts import rack_layout
from sinuca_env.table.spec import table_spec

SPEC = table_spec("snooker_12ft")
R = SPEC.ball_radius


def play(places: list[tuple[float, float]], v: tuple[float, float], **physics: object) -> Trace:
    layout = np.full((22, 2), np.nan)
    layout[: len(places)] = places
    strike = np.zeros(1, STRIKE)
    strike["direct"], strike["v"] = 1, (*v, 0.0)
    return trace_shot(layout, (1 << len(places)) - 1, strike, SPEC, physics_params(**physics))


def just_after(trace: Trace, balls: int) -> np.ndarray:
    """Velocities just after the first instant of contact."""
    t = next(event.t for event in trace.events if event.type == "ball_ball")
    return trace.states_at([t])[0, :balls, 2:4]


def sequential(n: int, e: float) -> tuple[list[float], int]:
    """A frozen line of n balls hit at 1 m/s, impact by impact, the largest closing speed first."""
    v = [1.0] + [0.0] * (n - 1)
    impacts = 0
    while True:
        closing = [v[k] - v[k + 1] for k in range(n - 1)]
        k = int(np.argmax(closing))
        if closing[k] <= 1e-15:
            return v, impacts
        mean, half = (v[k] + v[k + 1]) / 2, e * closing[k] / 2
        v[k], v[k + 1] = mean - half, mean + half
        impacts += 1


@pytest.mark.parametrize(("n", "e"), [(2, 1.0), (3, 1.0), (5, 1.0), (2, 0.95), (3, 0.95), (4, 0.95), (5, 0.95)])
@pytest.mark.parametrize("degrees", [0, 90, 211])
def test_a_frozen_line_is_newton_s_cradle(n: int, e: float, degrees: int) -> None:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    trace = play([(2 * R * k * c, 2 * R * k * s) for k in range(n)], (c, s), ball_ball="elastic", e_ball=e)
    speeds = just_after(trace, n) @ [c, s]
    expected, impacts = sequential(n, e)
    np.testing.assert_allclose(speeds, expected, rtol=0, atol=1e-10)
    assert sum(event.t == 0.0 for event in trace.events if event.type == "ball_ball") == impacts
    assert speeds.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("e", [1.0, 0.95, 0.5])
@pytest.mark.parametrize("degrees", [0.0, 30.0, 90.0, 123.4, 180.0])
def test_one_ball_onto_two(e: float, degrees: float) -> None:
    """J (1 + 2 cos^2 30) = (1 + e) v cos 30 at each of the two contacts."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turn = np.array([[c, s], [-s, c]])
    targets = np.array([[math.sqrt(3) * R, R], [math.sqrt(3) * R, -R]])
    places = np.vstack([[-0.2, 0.0], targets]) @ turn
    v0 = np.array([1.0, 0.0]) @ turn
    trace = play(
        [tuple(place) for place in places], tuple(v0), ball_ball="elastic", e_ball=e, mu_slide=0.0, contact_gap=0.0
    )
    v = just_after(trace, 3) @ turn.T
    impulse = (1 + e) * math.sqrt(3) / 5
    np.testing.assert_allclose(v[0], [1 - math.sqrt(3) * impulse, 0.0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(v[1], impulse * np.array([math.sqrt(3) / 2, 0.5]), rtol=0, atol=1e-12)
    np.testing.assert_allclose(v[2], impulse * np.array([math.sqrt(3) / 2, -0.5]), rtol=0, atol=1e-12)
    assert trace.shot["first_contact"][0] == 0b110


def test_friction_at_two_contacts_keeps_the_mirror() -> None:
    targets = [(math.sqrt(3) * R, R), (math.sqrt(3) * R, -R)]
    trace = play([(-0.2, 0.0), *targets], (2.0, 0.0))
    v = just_after(trace, 3)
    np.testing.assert_array_equal(v[1], v[2] * [1, -1])
    assert v[0, 1] == 0.0
    assert v[0, 0] < 0.0


@pytest.mark.parametrize("rotation", [0.0, 17.0])
@pytest.mark.parametrize("reds", [6, 10, 15])
def test_a_frozen_pack_keeps_momentum_and_energy(reds: int, rotation: float) -> None:
    """Without friction the impacts of the instant keep the momentum, and lose energy but do not gain any.

    The least speed of separation takes its energy from the balls' common motion: 1e-8 of it.
    """
    c, s = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
    pack = (rack_layout(reds, gap=0.0)[1 : reds + 1] - [SPEC.length / 4, 0.0]) @ np.array([[c, s], [-s, c]])
    for off in (0.0, 0.3, -0.8):
        start = pack[0] + 2 * R * np.array([-math.cos(off), -math.sin(off)]) @ np.array([[c, s], [-s, c]])
        v0 = np.array([3.0, 0.4]) @ np.array([[c, s], [-s, c]])
        trace = play([tuple(start), *map(tuple, pack)], tuple(v0), ball_ball="elastic", e_ball=0.94)
        v = just_after(trace, reds + 1)
        assert len([event for event in trace.events if event.t == 0.0]) > 3
        np.testing.assert_allclose(v.sum(axis=0), v0, rtol=0, atol=1e-6)
        assert (v**2).sum() < (v0**2).sum()


def test_the_order_of_two_nearly_equal_contacts_does_not_matter_much() -> None:
    """Within the tolerance of a tie (1e-9 of the closing speed) both contacts are resolved together."""
    targets = [(math.sqrt(3) * R, R), (math.sqrt(3) * R, -R)]
    ends = [just_after(play([(-0.2, y), *targets], (1.0, 0.0)), 3) for y in (-1e-14, 0.0, 1e-14)]
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-9)
    np.testing.assert_allclose(ends[2], ends[1], rtol=0, atol=1e-9)
