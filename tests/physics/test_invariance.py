"""What must not change a shot: ball numbers, mirrors, half turns, batch size, lanes, threads, compilation."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from sinuca_env.physics import physics_params, simulate_batch
from sinuca_env.state.records import SHOT, STRIKE
from sinuca_env.table.layouts import rack_layout, random_layout
from sinuca_env.table.spec import table_spec

SPEC = table_spec("snooker_12ft")
COUNTS = ["contacts", "cushions", "cushions_before_contact", "events", "n_potted", "flags"]


def masks(layouts: np.ndarray) -> np.ndarray:
    return (np.isfinite(layouts[:, :, 0]).astype(np.int64) << np.arange(22)).sum(axis=1).astype(np.uint32)


def random_shots(n: int, seed: int, tables: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Layouts of 1 to 22 balls, a tenth of them racks, and cue balls in motion."""
    rng = np.random.default_rng(seed)
    kinds = []
    for k in range(tables):
        if k % 10 == 0:
            layout = rack_layout(15, gap=float(rng.choice([0.0, 1e-6, 1e-5, 1e-4])))
            layout[0] = -1.2, rng.uniform(-0.2, 0.2)
        else:
            reds = int(rng.integers(0, 16))
            colours = tuple(int(value) for value in range(2, 8) if rng.random() < 0.5)
            layout = random_layout(rng, reds, colours)
        kinds.append(layout)
    layouts = np.array([kinds[k % tables] for k in range(n)])
    strikes = np.zeros(n, STRIKE)
    strikes["direct"] = 1
    angle, speed = rng.uniform(0, 2 * np.pi, n), rng.uniform(0.3, 7.0, n)
    angle[::10] = rng.uniform(-0.1, 0.1, len(angle[::10]))
    strikes["v"][:, 0], strikes["v"][:, 1] = speed * np.cos(angle), speed * np.sin(angle)
    strikes["w"] = rng.uniform(-1.2, 1.2, (n, 3)) * (speed / SPEC.ball_radius)[:, None]
    return layouts, strikes


def play(layouts: np.ndarray, strikes: np.ndarray, **names: object) -> tuple[np.ndarray, np.ndarray]:
    final, shots = layouts.copy(), np.zeros(len(layouts), SHOT)
    simulate_batch(final, masks(layouts), strikes, shots, SPEC, physics_params(), **names)
    return final, shots


def same(a: np.ndarray, b: np.ndarray) -> None:
    for name in a.dtype.names or ():
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)
    if a.dtype.names is None:
        np.testing.assert_array_equal(a, b)


def test_ball_numbers() -> None:
    layouts, strikes = random_shots(400, 1)
    final, shots = play(layouts, strikes)
    assert shots["contacts"].max() > 20
    rng = np.random.default_rng(2)
    for _ in range(3):
        order = np.concatenate([[0], 1 + rng.permutation(21)])
        again, renamed = play(np.ascontiguousarray(layouts[:, order]), strikes)
        np.testing.assert_array_equal(again, final[:, order])
        for name in [*COUNTS, "duration", "pot_pocket"]:
            np.testing.assert_array_equal(renamed[name], shots[name], err_msg=name)
        for name in ("first_contact", "potted", "touching_after", "cushion_balls"):
            bits = shots[name][:, None] >> order & 1
            np.testing.assert_array_equal(renamed[name], (bits << np.arange(22)).sum(axis=1), err_msg=name)
        fell = np.where(renamed["pot_order"] >= 0, order[renamed["pot_order"]], -1)
        np.testing.assert_array_equal(fell, shots["pot_order"])


@pytest.mark.parametrize(("sx", "sy"), [(1, -1), (-1, 1), (-1, -1)], ids=["mirror y", "mirror x", "half turn"])
def test_symmetries_of_the_table(sx: int, sy: int) -> None:
    layouts, strikes = random_shots(400, 3)
    final, shots = play(layouts, strikes)
    mirrored = strikes.copy()
    mirrored["v"] *= [sx, sy, 1]
    # Spin is an axial vector: a mirror changes the sign of the components in its plane.
    mirrored["w"] *= [sy, sx, sx * sy]
    again, other = play(layouts * [sx, sy], mirrored)
    np.testing.assert_array_equal(again, final * [sx, sy])
    for name in [*COUNTS, "duration", "first_contact", "potted"]:
        np.testing.assert_array_equal(other[name], shots[name], err_msg=name)


def test_lanes_chunks_and_threads() -> None:
    layouts, strikes = random_shots(300, 4)
    final, shots = play(layouts, strikes, threads=1)
    for threads in (2, 3):
        again, other = play(layouts, strikes, threads=threads)
        same(again, final)
        same(other, shots)
    lanes = np.random.default_rng(5).permutation(300)[:120]
    part, some = play(layouts, strikes, lanes=lanes, threads=2)
    same(part[lanes], final[lanes])
    same(some[lanes], shots[lanes])
    rest = np.setdiff1d(np.arange(300), lanes)
    same(part[rest], layouts[rest])
    same(some[rest], np.zeros(len(rest), SHOT))
    for k in (0, 17, 299):
        alone, shot = play(layouts[k : k + 1], strikes[k : k + 1])
        same(alone[0], final[k])
        same(shot, shots[k : k + 1])


def test_a_forked_child_has_its_own_threads() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    layouts, strikes = random_shots(128, 6)
    final, _ = play(layouts, strikes, threads=2)
    child = os.fork()
    if child == 0:
        try:
            again, _ = play(layouts, strikes, threads=2)
            os._exit(0 if np.array_equal(again, final, equal_nan=True) else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("degrees", [0.0, 37.0, 90.0, 135.0, 180.0, 270.0, 301.3])
def test_no_direction_is_special(degrees: float) -> None:
    """A follow shot and a cut away from the cushions, turned by any angle about the middle of the table."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turn = np.array([[c, s], [-s, c]])
    r = SPEC.ball_radius
    for offset in (0.0, 0.02, -0.04):
        layouts = np.full((2, 22, 2), np.nan)
        layouts[:, 0], layouts[:, 21] = (-0.3, 0.0), (0.0, offset)
        strikes = np.zeros(2, STRIKE)
        strikes["direct"], strikes["v"], strikes["w"] = 1, (0.35, 0.0, 0.0), (0.0, 0.35 / r, 5.0)
        layouts[1] = layouts[1] @ turn
        strikes["v"][1, :2], strikes["w"][1, :2] = strikes["v"][0, :2] @ turn, strikes["w"][0, :2] @ turn
        final, shots = play(layouts, strikes)
        assert (shots["contacts"] == 1).all()
        np.testing.assert_allclose(final[1], final[0] @ turn, rtol=0, atol=1e-12)


SCRIPT = """
import json, sys
import numpy as np
sys.path.insert(0, {here!r})
from test_invariance import play, random_shots
layouts, strikes = random_shots(400, 7)
pick = slice(0, 400, 23)
final, shots = play(layouts[pick], strikes[pick], threads=1)
print(json.dumps([np.nan_to_num(final, nan=99.0).tolist(), shots["events"].tolist(), shots["duration"].tolist()]))
"""


def test_without_compilation() -> None:
    """Plain Python gives the same shots (to 1e-12 where balls have met only a few others)."""
    code = SCRIPT.format(here=os.path.dirname(__file__))
    env = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    out = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    final, events, duration = json.loads(out.stdout)
    layouts, strikes = random_shots(400, 7)
    compiled, shots = play(layouts[::23], strikes[::23], threads=1)
    np.testing.assert_array_equal(shots["events"], events)
    few = shots["contacts"] <= 10
    assert few.sum() >= 10
    np.testing.assert_allclose(np.nan_to_num(compiled, nan=99.0)[few], np.array(final)[few], rtol=0, atol=1e-12)
    np.testing.assert_allclose(shots["duration"][few], np.array(duration)[few], rtol=0, atol=1e-11)
