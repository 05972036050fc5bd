"""Faults reproduced in, or reported against, other billiards engines: one test for each kind, named after it."""

from __future__ import annotations

import math
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

from sinuca_env.physics import Trace, physics_params, simulate_batch, trace_shot
from sinuca_env.physics.roots import hit_time, line_time
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.records import SHOT, STRIKE, ShotFlag
from sinuca_env.table.layouts import rack_layout, random_layout
from sinuca_env.table.spec import table_spec

SPEC = table_spec("snooker_12ft")
R = SPEC.ball_radius
HALF = np.array([SPEC.length, SPEC.width]) / 2
BLACK = 21


def mask(layout: np.ndarray) -> int:
    return sum(1 << slot for slot in range(22) if np.isfinite(layout[slot]).all())


def moving(v: tuple[float, float], w: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> np.ndarray:
    strike = np.zeros(1, STRIKE)
    strike["direct"], strike["v"], strike["w"] = 1, (*v, 0.0), w
    return strike


def rolling(vx: float, vy: float, side: float = 0.0) -> np.ndarray:
    return moving((vx, vy), (-vy / R, vx / R, side))


def shot(balls: dict[int, tuple[float, float]], strike: np.ndarray, **physics: object) -> Trace:
    layout = np.full((22, 2), np.nan)
    for slot, place in balls.items():
        layout[slot] = place
    return trace_shot(layout, mask(layout), strike, SPEC, physics_params(**physics))


def gaps(trace: Trace, samples: int = 400) -> float:
    """Smallest gap of two balls, at samples and events."""
    at = [event.t for event in trace.events]
    places = trace.positions_at(np.concatenate([at, np.linspace(0, trace.duration, samples)]))
    d = np.hypot(*(places[:, :, None] - places[:, None]).transpose(3, 0, 1, 2))
    d[:, np.arange(22), np.arange(22)] = np.inf
    return float(np.nanmin(d)) - 2 * R


def assert_energy_falls(trace: Trace) -> None:
    at = np.unique([event.t for event in trace.events])
    energy = trace.energies_at(np.unique(np.concatenate([at, np.nextafter(at, 0)])))
    assert (np.diff(energy) <= 1e-12 * energy[0]).all()


def turned(x: float, y: float, degrees: float) -> tuple[float, float]:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return c * x - s * y, s * x + c * y


# --- equal accelerations ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("degrees", range(0, 360, 15))
def test_equal_accelerations_give_no_false_contact(degrees: int) -> None:
    """Two balls rolling the same way: the quartic's leading coefficients vanish, up to rounding in odd directions."""
    fast, slow = np.array(turned(0.05, 0.0, degrees)), np.array(turned(0.049, 0.0, degrees))
    place, slowing = np.array(turned(-0.0526, 0.0, degrees)), -0.5 * 0.01 * 9.81
    h1, h2 = slowing * fast / 0.05, slowing * slow / 0.049
    t = hit_time(*place, *(fast - slow), *(h1 - h2), 2 * R, 0.4)
    assert t == pytest.approx(0.1, abs=1e-9)
    assert hit_time(*place, *(slow - fast), *(h1 - h2), 2 * R, 0.4) == math.inf
    # Equal velocities too: never.
    assert hit_time(*place, 0.0, 0.0, *(h1 - h2), 2 * R, 0.4) == math.inf
    assert hit_time(*place, 0.0, 0.0, 0.0, 0.0, 2 * R, 0.4) == math.inf


def test_a_chase_in_one_direction_ends_in_one_contact() -> None:
    trace = shot({0: (-0.6, 0.3), BLACK: (-0.6 + 2 * R + 0.01, 0.3)}, rolling(0.4, 0.0))
    contacts = [event for event in trace.events if event.type == "ball_ball"]
    assert contacts[0].t == pytest.approx(0.01 / 0.4, rel=0.02)
    assert gaps(trace) >= -1e-9


# --- directions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 33, 123, 213, 303])
def test_a_follow_shot_is_the_same_in_every_direction(degrees: int) -> None:
    def played(angle: float) -> np.ndarray:
        v, w = turned(0.35, 0.0, angle), turned(0.0, 0.35 / R, angle)
        trace = shot({0: turned(-0.2, 0.0, angle), BLACK: (0.0, 0.0)}, moving(v, (*w, 0.0)))
        assert trace.shot["contacts"][0] == 1
        return trace.layout[[0, BLACK]]

    expected = np.array([turned(*place, degrees) for place in played(0)])
    np.testing.assert_allclose(played(degrees), expected, rtol=0, atol=1e-12)


# --- contact at t = 0 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gap", [0.0, -1e-9, 1e-9, 1e-6, -1e-6])
@pytest.mark.parametrize("angle", [90.0, 60.0, 5.0, 0.0, -30.0])
def test_a_ball_on_the_cushion_stays_on_the_table(gap: float, angle: float) -> None:
    v = (2.0 * math.cos(math.radians(angle)), 2.0 * math.sin(math.radians(angle)))
    trace = shot({0: (-1.0, HALF[1] - R - gap)}, rolling(*v))
    places = trace.positions_at(np.linspace(0, trace.duration, 500))[:, 0]
    in_mouth = np.hypot(*(places[:, None] - SPEC.record[0]["pockets"][:, :2]).transpose(2, 0, 1)).min(axis=1) < 0.2
    assert (in_mouth | (np.abs(places[:, 1]) <= HALF[1] - R + max(0.0, -gap) + 1e-9) | np.isnan(places[:, 1])).all()
    first = trace.events[1]
    assert (first.type == "cushion" and first.t < 1e-5) == (angle > 0.0)


def test_line_contact_is_decided_by_the_normal_velocity() -> None:
    for gap in (0.0, -1e-17, -1e-9):
        assert line_time(gap, -1.0, 0.3) == 0.0
        assert line_time(gap, 1.0, 0.3) == math.inf
        assert line_time(gap, 1.0, -0.5) == pytest.approx(2.0)


@pytest.mark.parametrize("overlap", [0.0, 1e-12, 1e-9, 1e-6, -1e-6])
@pytest.mark.parametrize("direction", [91.0, 120.0, 180.0, 250.0, 269.0])
def test_a_touching_ball_played_away_from_stays(overlap: float, direction: float) -> None:
    """The touching ball lies at +x; anything from 91 to 269 degrees is away from it."""
    v = turned(1.0, 0.0, direction)
    trace = shot({0: (-0.6, 0.1), BLACK: (-0.6 + 2 * R - overlap, 0.1)}, rolling(*v))
    assert trace.shot["touching_before"][0] == 1 << BLACK
    assert trace.shot["moved_touching"][0] == 0
    first = next(event for event in trace.events if event.type in ("cushion", "jaw", "ball_ball", "pocket", "stop"))
    assert first.type != "ball_ball"


def test_a_touching_ball_played_into_is_moved_by_the_stroke() -> None:
    for gap in (0.0, 1e-12, 1e-6, 8e-6):
        trace = shot({0: (-0.6, 0.1), BLACK: (-0.6 + 2 * R + gap, 0.1)}, rolling(1.0, 0.4))
        assert trace.shot["touching_before"][0] == trace.shot["moved_touching"][0] == 1 << BLACK
        assert trace.shot["first_contact"][0] == 1 << BLACK
    apart = shot({0: (-0.6, 0.1), BLACK: (-0.6 + 2 * R + 2e-5, 0.1)}, rolling(1.0, 0.4))
    assert apart.shot["touching_before"][0] == apart.shot["moved_touching"][0] == 0
    assert apart.shot["first_contact"][0] == 1 << BLACK


# --- endless events ---------------------------------------------------------------------------------------------------


def test_equal_velocities_and_separating_balls_cause_no_events() -> None:
    assert hit_time(2 * R, 0.0, 0.0, 0.0, 0.0, 0.0, 2 * R, 10.0) == math.inf
    assert hit_time(2 * R + 1e-7, 0.0, 0.3, 0.0, 0.0, 0.0, 2 * R, 10.0) == math.inf
    assert hit_time(2 * R - 1e-12, 0.0, 0.3, 0.0, 0.0, 0.0, 2 * R, 10.0) == math.inf


def test_a_ball_pressed_against_another_by_its_spin_comes_to_rest() -> None:
    """Straight into a frozen pair against the cushion, with heavy follow: hundreds of pushes, no endless loop."""
    x = HALF[0] - R
    trace = shot({0: (x - 4 * R, 0.2), 1: (x - 2 * R, 0.2), BLACK: (x, 0.2)}, moving((1.5, 0.0), (0.0, 150.0, 0.0)))
    assert trace.shot["flags"][0] == 0
    assert trace.shot["events"][0] < 2000
    assert_energy_falls(trace)
    assert gaps(trace) >= -1e-9


def test_a_shot_that_is_cut_off_says_so() -> None:
    """Without rolling resistance a ball never stops: the record says that time ran out, and where the ball was."""
    trace = shot({0: (-1.0, 0.1)}, rolling(0.5, 0.2), mu_roll=0.0)
    assert trace.shot["flags"][0] == ShotFlag.TIME_LIMIT
    assert trace.duration == pytest.approx(600.0)
    assert np.isfinite(trace.layout[0]).all()
    fast = shot({0: (-1.0, 0.1)}, rolling(18.0, 7.0), mu_roll=0.0, mu_slide=0.0, e_cushion=1.0, mu_cushion=0.0)
    assert fast.shot["flags"][0] in (0, ShotFlag.TIME_LIMIT, ShotFlag.EVENT_LIMIT)
    assert fast.shot["flags"][0] or fast.shot["potted"][0]


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3])
@pytest.mark.parametrize("speed", [0.5, 2.0, 8.0])
def test_breaks_of_all_gaps_are_bounded(gap: float, speed: float) -> None:
    layout = rack_layout(15, gap=gap)
    layout[0] = -1.2, 0.03
    trace = trace_shot(layout, mask(layout), rolling(speed, -0.01 * speed), SPEC, physics_params())
    assert trace.shot["flags"][0] == 0
    assert trace.shot["events"][0] < 3000
    assert_energy_falls(trace)


@pytest.mark.parametrize("gap", [0.0, 1e-7, 1e-5])
def test_a_line_of_five_balls(gap: float) -> None:
    balls = {0: (-0.9, 0.0)} | {k: (-0.3 + k * (2 * R + gap), 0.0) for k in range(1, 6)}
    trace = shot(balls, rolling(2.0, 0.0))
    assert trace.shot["events"][0] < 2000
    speeds = [np.hypot(*trace.states_at([trace.events[2].t + 2e-4])[0, k, 2:4]) for k in range(1, 6)]
    assert speeds[-1] > 5 * max(speeds[:-1])


@pytest.mark.parametrize("gap", [0.0, 1e-6, 1e-5, 1e-4])
def test_a_mirror_symmetric_break_stays_symmetric(gap: float) -> None:
    layout = rack_layout(15, gap=gap)
    layout[0], layout[16:18] = (-1.2, 0.0), np.nan
    trace = trace_shot(layout, mask(layout), rolling(6.0, 0.0), SPEC, physics_params())
    assert trace.shot["contacts"][0] > 20
    places = trace.layout[np.isfinite(trace.layout[:, 0])]
    mirrored = places * [1, -1]
    nearest = np.hypot(*(places[:, None] - mirrored[None]).transpose(2, 0, 1)).min(axis=1)
    assert nearest.max() <= 1e-6


# --- energy, numbers --------------------------------------------------------------------------------------------------


def test_energy_never_rises() -> None:
    rng = np.random.default_rng(31)
    for _ in range(25):
        layout = random_layout(rng, 10, "234567", clearance=1e-7)
        angle, speed = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 6.0)
        w = tuple(rng.uniform(-1.25, 1.25, 3) * speed / R)
        strike = moving((speed * math.cos(angle), speed * math.sin(angle)), w)
        assert_energy_falls(trace_shot(layout, mask(layout), strike, SPEC, physics_params()))


def test_ball_numbers_do_not_matter() -> None:
    layout = rack_layout(15)
    layout[0] = -1.2, 0.011
    final = trace_shot(layout, mask(layout), rolling(5.0, 0.0), SPEC, physics_params()).layout
    order = np.concatenate([[0], 1 + np.random.default_rng(1).permutation(21)])
    again = trace_shot(layout[order], mask(layout[order]), rolling(5.0, 0.0), SPEC, physics_params()).layout
    np.testing.assert_array_equal(again, final[order])


# --- cushions, jaws, pockets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", range(6))
@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-6, 1e-3])
def test_a_ball_along_a_cushion(line: int, sign: int, gap: float) -> None:
    x1, y1, x2, y2, nx, ny = SPEC.record[0]["lines"][line]
    middle, along = np.array([x1 + x2, y1 + y2]) / 2, sign * np.array([-ny, nx])
    start = middle + (R + gap) * np.array([nx, ny])
    trace = shot({0: tuple(start)}, rolling(*(0.3 * along)))
    assert trace.shot["flags"][0] == 0
    assert trace.shot["cushions"][0] == 0
    np.testing.assert_allclose(trace.layout[0], start + along * 0.3**2 / (2 * 0.01 * 9.81), rtol=0, atol=1e-6)


@pytest.mark.parametrize("speed", [0.2, 1.0, 4.0])
@pytest.mark.parametrize(("sx", "sy"), [(1, 1), (1, -1), (-1, 1), (-1, -1)])
def test_the_corner_at_45_degrees(sx: int, sy: int, speed: float) -> None:
    start = HALF * [sx, sy] - np.array([0.5 * sx, 0.5 * sy])
    trace = shot({0: tuple(start)}, rolling(sx * speed, sy * speed))
    assert trace.shot["potted"][0] == (1 if speed > 0.3 else 0)
    assert trace.shot["cushions"][0] == 0


def test_a_ball_in_the_jaws_and_on_the_lip() -> None:
    """A ball at rest between the jaws, on the edge of the fall: it lies there, and a touch pots it."""
    corner, middle = SPEC.record[0]["pockets"][3], SPEC.record[0]["pockets"][4]
    for (px, py, fall), inward in ((corner, np.array([-1.0, -1.0]) / math.sqrt(2)), (middle, np.array([0.0, -1.0]))):
        for gap in (1e-9, 1e-6, 0.004):
            lip = np.array([px, py]) + (fall + gap) * inward
            far = shot({0: (0.0, -0.3), BLACK: tuple(lip)}, rolling(-0.3, 0.0))
            np.testing.assert_array_equal(far.layout[BLACK], lip)
            start = lip + 0.4 * inward
            tapped = shot({0: tuple(start), BLACK: tuple(lip)}, rolling(*(-0.6 * inward)))
            assert tapped.shot["potted"][0] & 1 << BLACK
            assert tapped.shot["first_contact"][0] == 1 << BLACK
            # And out of the jaws again.
            out = shot({0: tuple(lip)}, rolling(*(0.5 * inward)))
            assert out.shot["potted"][0] == 0
            assert out.shot["cushions"][0] == 0


def test_a_ball_between_two_balls_and_a_cushion() -> None:
    y = HALF[1] - R
    balls = {0: (-0.5, y), 1: (-0.5 - 2 * R, y), BLACK: (-0.5 + 2 * R, y)}
    trace = shot(balls, rolling(0.3, 2.0))
    assert trace.shot["flags"][0] == 0
    assert gaps(trace) >= -1e-9
    assert_energy_falls(trace)


# --- phases, bad input ------------------------------------------------------------------------------------------------


def test_no_slip_is_rolling() -> None:
    """A ball with exactly no slip, or one of rounding only, rolls at once and stays finite."""
    for w in ((0.0, 0.5 / R, 0.0), (1e-14, 0.5 / R, 3.0), (0.0, float(np.nextafter(0.5 / R, 0)), 0.0)):
        trace = shot({0: (-1.0, 0.1)}, moving((0.5, 0.0), w))
        assert [event.type for event in trace.events] == ["strike", "stop"]
        assert trace.segments[0, 11] == 2
        np.testing.assert_allclose(trace.layout[0], (-1.0 + 0.5**2 / (2 * 0.01 * 9.81), 0.1), rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({BLACK: (-0.6, 0.1)}, "cue|black"),
        ({BLACK: (-0.6 + 2 * R - 1e-4, 0.1)}, "cue|black"),
        ({BLACK: (math.nan, 0.1)}, "black"),
        ({BLACK: (math.inf, 0.1)}, "black"),
        ({BLACK: (2.5, 0.1)}, "black"),
        ({BLACK: (HALF[0], 0.0)}, "black"),
        ({BLACK: tuple(HALF)}, "black"),
    ],
)
def test_bad_places_are_refused_before_anything_moves(change: dict, named: str) -> None:
    layouts = np.full((3, 22, 2), np.nan)
    layouts[:, 0], layouts[:, BLACK] = (-0.6, 0.1), (1.0, 0.0)
    for slot, place in change.items():
        layouts[1, slot] = place
    before, shots = layouts.copy(), np.zeros(3, SHOT)
    balls = np.full(3, 1 | 1 << BLACK, np.uint32)
    with pytest.raises(SinucaError, match=named) as error:
        simulate_batch(layouts, balls, np.repeat(rolling(1.0, 0.0), 3), shots, SPEC, physics_params())
    assert "lane 1" in str(error.value)
    assert "\n" not in str(error.value)
    np.testing.assert_array_equal(layouts, before)
    assert not shots["made"].any()


def test_no_cue_ball_and_wrong_shapes_are_refused() -> None:
    layouts = np.full((2, 22, 2), np.nan)
    layouts[:, BLACK] = 1.0, 0.0
    with pytest.raises(SinucaError, match="cue ball"):
        simulate_batch(
            layouts, np.full(2, 1 << BLACK, np.uint32), np.zeros(2, STRIKE), np.zeros(2, SHOT), SPEC, physics_params()
        )
    with pytest.raises(SinucaError, match="strikes"):
        simulate_batch(layouts, np.ones(2, np.uint32), np.zeros(1, STRIKE), np.zeros(2, SHOT), SPEC, physics_params())


# --- continuity -------------------------------------------------------------------------------------------------------


def test_results_are_continuous_across_aligned_shots() -> None:
    """Dead straight with draw, follow, stun, and a ten-thousandth of a degree either side."""
    for spin in (-1.2, -0.3, 0.0, 1.0):
        ends = []
        for degrees in (-1e-4, -1e-6, 0.0, 1e-6, 1e-4):
            v, w = turned(1.2, 0.0, degrees), turned(0.0, spin * 1.2 / R, degrees)
            trace = shot({0: (-0.8, 0.2), BLACK: (-0.3, 0.2)}, moving(v, (*w, 0.0)), e_ball=0.95)
            ends.append(trace.layout[[0, BLACK]])
        assert np.abs(ends[1] - ends[2]).max() < 2e-6
        assert np.abs(ends[3] - ends[2]).max() < 2e-6
        assert np.abs(ends[0] - ends[2]).max() < 2e-4
        assert np.abs(ends[4] - ends[2]).max() < 2e-4


# --- extremes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        {"mu_slide": 0.0},
        {"mu_roll": 0.0},
        {"spin_decay": 0.0},
        {"mu_slide": 0.0, "mu_roll": 0.0, "spin_decay": 0.0},
        {"e_ball": 0.0},
        {"e_ball": 1.0, "ball_ball": "elastic"},
        {"e_cushion": 0.0},
        {"mu_ball_a": 0.0, "mu_ball_b": 0.0},
        {"mu_slide": 2.0, "mu_roll": 0.5},
        {"gravity": 100.0},
        {"gravity": 0.1},
        {"cushion": "han2005"},
        {"ball_ball": "mathavan2014"},
        {"contact_gap": 0.0},
    ],
    ids=lambda names: "-".join(f"{key}={value}" for key, value in names.items()),
)
@pytest.mark.parametrize("others", [0, 1, 14])
def test_extreme_parameters_and_a_ball_alone(names: dict, others: int) -> None:
    layout = random_layout(7, others, "")
    strike = np.zeros(1, STRIKE)
    strike["angle"], strike["speed"], strike["side"], strike["top"] = 0.4, 2.0, 0.2, -0.1
    trace = trace_shot(layout, mask(layout), strike, SPEC, physics_params(**names))
    there = [slot for slot in range(22) if mask(layout) >> slot & 1 and not trace.shot["potted"][0] >> slot & 1]
    assert np.isfinite(trace.layout[there]).all()
    assert (np.abs(trace.layout[there]) < HALF + 0.1).all()
    frictionless = names.get("mu_roll") == 0.0 or names.get("mu_slide") == 0.0
    assert trace.shot["flags"][0] == 0 or frictionless
    assert_energy_falls(trace)


def test_a_stroke_without_speed_moves_nothing() -> None:
    trace = shot({0: (-0.6, 0.1), BLACK: (-0.6 + 2 * R, 0.1)}, moving((0.0, 0.0)))
    assert trace.duration == 0.0
    assert trace.shot["events"][0] == trace.shot["first_contact"][0] == 0


# --- memory, import ---------------------------------------------------------------------------------------------------


def test_memory_does_not_grow_with_shots() -> None:
    """4,096 tables add less than 300 MB, and playing them again adds nothing."""
    layout = random_layout(3, 15)
    layouts = np.repeat(layout[None], 4096, axis=0)
    strikes = np.zeros(4096, STRIKE)
    strikes["angle"], strikes["speed"] = np.linspace(0, 6.28, 4096), 2.0
    balls, shots, params = np.full(4096, mask(layout), np.uint32), np.zeros(4096, SHOT), physics_params()
    size = layouts.nbytes + strikes.nbytes + balls.nbytes + shots.nbytes
    assert size < 300e6
    simulate_batch(layouts.copy(), balls, strikes, shots, SPEC, params)
    tracemalloc.start()
    work = layouts.copy()
    simulate_batch(work, balls, strikes, shots, SPEC, params)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < layouts.nbytes + 5e6


def test_importing_needs_no_screen_and_nothing_from_home() -> None:
    code = (
        "import sys, sinuca_env, sinuca_env.physics\n"
        "bad = [m for m in sys.modules if m.split('.')[0] in ('pygame', 'matplotlib', 'torch', 'tkinter')]\n"
        "sys.exit(' '.join(bad) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], env={"HOME": "/nonexistent", "PATH": ""}, capture_output=True)
    assert done.returncode == 0, done.stderr
