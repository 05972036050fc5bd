"""Twenty thousand random shots, and the ends of every shot looked at; a part of them watched all the way."""

from __future__ import annotations

import numpy as np
import pytest

from sinuca_env.physics import physics_params, simulate_batch, trace_shot
from sinuca_env.physics.shotfile import place_error
from sinuca_env.state.records import SHOT, STRIKE
from sinuca_env.table.layouts import rack_layout, random_layout
from sinuca_env.table.spec import TableSpec, table_spec

SHOTS = 10_000  # on each table


def masks(layouts: np.ndarray) -> np.ndarray:
    return (np.isfinite(layouts[:, :, 0]).astype(np.int64) << np.arange(22)).sum(axis=1).astype(np.uint32)


def random_shots(spec: TableSpec, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Layouts of 1..22 balls: anywhere, close together, racked; any strike that the faces allow, and harder ones."""
    rng = np.random.default_rng(seed)
    layouts = []
    for k in range(250):
        if k % 25 == 0:
            layout = rack_layout(int(rng.choice([6, 10, 15])), spec, float(rng.choice([0.0, 1e-6, 1e-5, 1e-4])))
            layout[0] = spec.baulk_x, rng.uniform(-0.8, 0.8) * spec.d_radius
            layout[16:19] = np.nan
        else:
            reds = int(rng.integers(0, 16)) if k % 3 else 0
            colours = tuple(int(value) for value in range(2, 8) if rng.random() < 0.5)
            layout = random_layout(rng, reds, colours, table=spec, clearance=1e-6 if k % 2 else 1e-3)
        layouts.append(layout)
    strikes = np.zeros(n, STRIKE)
    strikes["angle"] = rng.uniform(-np.pi, np.pi, n)
    strikes["speed"] = 8.4 * rng.random(n) ** 2
    tip, turn = 0.55 * np.sqrt(rng.random(n)), rng.uniform(0, 2 * np.pi, n)
    strikes["side"], strikes["top"] = tip * np.cos(turn), tip * np.sin(turn)
    strikes["elevation"] = rng.uniform(0, 1.0, n) * (rng.random(n) < 0.3)
    chosen = np.array(layouts)[np.arange(n) % len(layouts)]
    racks = np.arange(n) % 250 % 25 == 0
    strikes["angle"][racks] *= 0.05
    return chosen, strikes


def gaps(layouts: np.ndarray, radius: float) -> np.ndarray:
    """Smallest gap of two balls in each layout; inf for one ball."""
    d = layouts[:, :, None] - layouts[:, None]
    distance = np.hypot(d[..., 0], d[..., 1])
    distance[:, np.arange(22), np.arange(22)] = np.inf
    return np.nan_to_num(distance, nan=np.inf).min(axis=(1, 2)) - 2 * radius


@pytest.mark.parametrize("name", ["snooker_12ft", "sinuca_brasil"])
def test_shots_end_well(name: str) -> None:
    spec, params = table_spec(name), physics_params()
    before, strikes = random_shots(spec, SHOTS, 20)
    layouts, shots, balls = before.copy(), np.zeros(SHOTS, SHOT), masks(before)
    simulate_batch(layouts, balls, strikes, shots, spec, params)
    # Nothing was cut short; a tip beyond the limit is a miscue and nothing else is flagged.
    miscue = np.hypot(strikes["side"], strikes["top"]) > params["tip_limit"]
    np.testing.assert_array_equal(shots["flags"], 4 * miscue)
    # Balls are where they were, elsewhere, or potted.
    fell = shots["potted"][:, None] >> np.arange(22) & 1
    there = balls[:, None] >> np.arange(22) & 1
    np.testing.assert_array_equal(np.isfinite(layouts), np.repeat((there & ~fell)[..., None], 2, axis=2).astype(bool))
    np.testing.assert_array_equal(shots["n_potted"], fell.sum(axis=1))
    assert not (fell & ~there).any()
    start = np.minimum(gaps(before, spec.ball_radius), 0.0)
    assert (gaps(layouts, spec.ball_radius) >= start - 1e-9).all()
    # All inside: checked by the shot files' own geometry.
    table = spec.record[0]
    outside = np.abs(layouts) > np.array([spec.length, spec.width]) / 2 - spec.ball_radius
    for lane, slot in zip(*np.nonzero(outside.any(axis=2)), strict=True):
        assert place_error(*layouts[lane, slot], table, spec.ball_radius) is None, (lane, slot)
    # What was hit has moved, what has moved was hit, and the cue ball's first contact is one of them.
    assert ((shots["first_contact"] == 0) == (shots["contacts"] == 0)).all()
    assert (shots["first_contact"] & ~balls == 0).all()
    assert (shots["cushions_before_contact"] <= shots["cushions"]).all()
    assert shots["events"].max() < 5000
    assert (shots["duration"][strikes["speed"] > 0.1] > 0).all()
    assert shots["potted"].any()
    assert (shots["contacts"] > 10).any()


def test_shots_watched() -> None:
    """Energy never rises, balls never overlap and never leave, at any event nor between events."""
    spec, params = table_spec("snooker_12ft"), physics_params()
    layouts, strikes = random_shots(spec, 250, 21)
    half = np.array([spec.length, spec.width]) / 2 - spec.ball_radius
    for k in range(0, 250, 4):
        trace = trace_shot(layouts[k], int(masks(layouts[k : k + 1])[0]), strikes[k : k + 1], spec, params)
        at = np.unique([event.t for event in trace.events])
        # Every event, just after and just before it, and places between.
        times = np.unique(np.concatenate([at, np.nextafter(at, 0), np.linspace(0, trace.duration, 100)]))
        energy = trace.energies_at(times)
        assert (np.diff(energy) <= 1e-12 * energy[0]).all(), k
        places = trace.positions_at(times)
        allowed = min(0.0, float(gaps(layouts[k : k + 1], spec.ball_radius)[0])) - 1e-9
        assert gaps(places, spec.ball_radius).min() >= allowed, k
        inside = (np.abs(places) <= half).all(axis=2) | np.isnan(places[..., 0])
        near_pocket = np.hypot(*(places[:, :, None] - spec.record[0]["pockets"][:, :2]).transpose(3, 0, 1, 2)).min(
            axis=2
        )
        assert (inside | (near_pocket < 0.2)).all(), k
        assert np.array_equal(trace.positions_at([trace.duration])[0], trace.layout, equal_nan=True)


def test_a_watched_shot_is_the_batch_s_shot() -> None:
    spec, params = table_spec("snooker_12ft"), physics_params()
    layouts, strikes = random_shots(spec, 250, 22)
    final, shots = layouts.copy(), np.zeros(250, SHOT)
    simulate_batch(final, masks(layouts), strikes, shots, spec, params)
    for k in range(0, 250, 25):
        trace = trace_shot(layouts[k], int(masks(layouts[k : k + 1])[0]), strikes[k : k + 1], spec, params)
        np.testing.assert_array_equal(trace.layout, final[k])
        for name in SHOT.names or ():
            np.testing.assert_array_equal(trace.shot[name][0], shots[name][k], err_msg=name)
        kinds = [event.type for event in trace.events]
        assert kinds.count("ball_ball") == shots["contacts"][k]
        assert kinds.count("cushion") + kinds.count("jaw") == shots["cushions"][k]
        assert kinds.count("pocket") == shots["n_potted"][k]
        assert len(kinds) == shots["events"][k] + 1  # and the strike
