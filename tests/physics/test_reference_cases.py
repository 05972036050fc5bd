"""Reference cases: closed forms, published numbers and high-precision integrations, against the functions a shot uses.

``pytest tests/physics/test_reference_cases.py --cases FILE`` checks any file of the same format: a list (or an object
with ``cases``) of ``{id, group, model, inputs, expected, tol}``. A case whose group or model has no check fails.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sinuca_env._jit import records
from sinuca_env.physics import collide_ball, collide_cushion, motion, roots, window
from sinuca_env.physics import strike as cue
from sinuca_env.physics.params import physics_params
from sinuca_env.physics.shotfile import simulate
from sinuca_env.state.records import STRIKE
from sinuca_env.table.spec import TABLES, TableSpec

DATA = Path(__file__).parent / "data" / "reference_cases.json"
R = 0.02625
# name, what the project gives, what the case expects, tolerance
Checked = tuple[str, Any, Any, float]
CHECKS: dict[tuple[str, str], Callable[[dict], Iterator[Checked]]] = {}


def checks(group: str, start: str) -> Callable:
    """Register the check of the cases of a group whose model starts with these words."""

    def register(function: Callable[[dict], Iterator[Checked]]) -> Callable[[dict], Iterator[Checked]]:
        CHECKS[group, start] = function
        return function

    return register


def find_check(case: dict) -> Callable[[dict], Iterator[Checked]]:
    found = [key for key in CHECKS if key[0] == case["group"] and case["model"].startswith(key[1])]
    if not found:
        pytest.fail(f"no check for a case of group {case['group']!r} with model {case['model']!r}")
    return CHECKS[max(found, key=lambda key: len(key[1]))]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        file = metafunc.config.getoption("--cases", default=None) or DATA
        content = json.loads(Path(file).read_text(encoding="utf-8"))
        cases = content["cases"] if isinstance(content, dict) else content
        metafunc.parametrize("case", cases, ids=[case["id"] for case in cases])


def test_case(case: dict) -> None:
    done = 0
    for name, got, expected, tol in find_check(case)(case):
        if expected is None:
            assert got is None, f"{name}: got {got}, expected none"
        else:
            got, expected = np.asarray(got, float), np.asarray(expected, float)
            assert got.shape == expected.shape, name
            # Absolute, and relative for numbers above 1 (an angle of 41 rad, a spin of 101 rad/s).
            error = np.max(np.abs(got - expected) / np.maximum(1.0, np.abs(expected)))
            assert error <= tol, f"{name}: got {got}, expected {expected}, off by {error:.3g} > {tol:g}"
        done += 1
    assert done, "nothing was checked"


def params(**names: Any) -> np.void:
    return records(physics_params(**names))[0]


def floats(*vectors: Any) -> list[float]:
    return [float(x) for vector in vectors for x in np.atleast_1d(vector)]


def unit(degrees: float) -> tuple[float, float]:
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def angle_between(a: Any, b: Any) -> float:
    return abs(math.degrees(math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])))


# --- cloth ------------------------------------------------------------------------------------------------------------


def cloth_params(x: dict) -> np.void:
    return params(
        gravity=x["g"],
        ball_radius=x["R"],
        ball_mass=x["m"],
        mu_slide=x["mu_s"],
        mu_roll=x["mu_r"],
        spin_decay=x["spin_decel"],
    )


class Ball:
    """One ball on an endless cloth, moved by the functions of a shot."""

    def __init__(self, v: Any, w: Any, p: np.void, r: Any = (0.0, 0.0)) -> None:
        self.p, self.t = p, 0.0
        self.row, self.phase = np.zeros((1, motion.COLUMNS)), np.zeros(1, np.int64)
        self.row[0, [motion.X, motion.Y]] = r
        self.row[0, [motion.VX, motion.VY]] = v
        self.row[0, [motion.WX, motion.WY, motion.WZ]] = w
        motion.set_phase(self.row, self.phase, 0, 0.0, p)

    r = property(lambda self: self.row[0, [motion.X, motion.Y]].copy())
    v = property(lambda self: self.row[0, [motion.VX, motion.VY]].copy())
    w = property(lambda self: self.row[0, [motion.WX, motion.WY, motion.WZ]].copy())
    h = property(lambda self: self.row[0, [motion.HX, motion.HY]].copy())
    end = property(lambda self: float(self.row[0, motion.TEND]))
    name = property(lambda self: {motion.REST: "rest", motion.SLIDE: "slide", motion.ROLL: "roll"}[int(self.phase[0])])

    def to(self, t: float) -> Ball:
        """Advance within the phase."""
        motion.advance(self.row, self.phase, 0, t, self.p)
        self.t = t
        return self

    def end_phase(self) -> Ball:
        """Advance to the end of the phase and past it."""
        self.to(self.end)
        motion.end_phase(self.row, self.phase, 0, self.t, self.p)
        return self

    def energy(self) -> float:
        return 0.5 * self.v @ self.v + 0.2 * R * R * self.w @ self.w


@checks("cloth", "slide")
@checks("cloth", "masse")
@checks("cloth", "energy of slide")
def check_slide(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    ball = Ball(x["v"], x["w"], cloth_params(x))
    assert ball.name == "slide"
    if "u0" in e:
        yield "u0", (x["v"][0] - R * x["w"][1], x["v"][1] + R * x["w"][0]), e["u0"], tol
    start, t_roll = ball.energy(), ball.end
    half = Ball(x["v"], x["w"], cloth_params(x)).to(t_roll / 2)
    ball.end_phase()
    assert ball.name == ("roll" if np.hypot(*ball.v) > 1e-9 else "rest")
    got = {
        "t_roll": t_roll, "r_half": half.r, "v_half": half.v, "w_half": half.w,
        "v_roll": ball.v, "w_roll": ball.w, "r_roll": ball.r, "displacement": ball.r, "distance": np.hypot(*ball.r),
        "final_direction_deg": math.degrees(math.atan2(ball.v[1], ball.v[0])),
        "E_ratio_at_roll": ball.energy() / start,
    }  # fmt: skip
    for name, expected in e.items():
        if name != "u0":
            yield name, got[name], expected, tol


@checks("cloth", "roll")
@checks("cloth", "slide then roll")
def check_to_rest(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    ball = Ball(x["v"], x["w"], cloth_params(x))
    while ball.name != "rest":
        ball.end_phase()
    for name in ("t_stop", "t_total"):
        if name in e:
            yield name, ball.t, e[name], tol
    yield "distance", np.hypot(*ball.r), e["distance"], tol
    yield "v, w at rest", (*ball.v, *ball.w), (0.0,) * 5, 0.0


@checks("cloth", "spin")
def check_spin(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]

    def spin(t: float) -> float:
        return float(Ball(x["v"], x["w"], cloth_params(x)).to(t).w[2])

    turning, stopped = 0.0, 100.0
    while stopped - turning > 1e-15 * stopped and turning < (middle := 0.5 * (turning + stopped)) < stopped:
        turning, stopped = (middle, stopped) if spin(middle) != 0.0 else (turning, middle)
    yield "t_stop", stopped, e["t_stop"], tol
    # The spin falls evenly, so the mean of its ends is exact.
    yield "angle", abs(spin(0.0) + spin(turning)) / 2 * stopped, e["angle"], tol
    yield "half-way", spin(stopped / 2), x["w"][2] / 2, 1e-12


@checks("cloth", "scaling")
def check_scaling(case: dict) -> Iterator[Checked]:
    x, tol = case["inputs"], case["tol"]
    lam, p = x["lam"], cloth_params(x)
    rng = np.random.default_rng(0)
    for i in range(20):
        v, w = rng.normal(size=2), rng.normal(size=3) / R
        a, b = Ball(v, w, p), Ball(lam * v, lam * w, p)
        while a.name != "rest":
            a.end_phase()
            b.end_phase()
            yield f"time {i}", b.t, lam * a.t, tol
            yield f"displacement {i}", b.r, lam**2 * a.r, tol
            yield f"velocity {i}", b.v, lam * a.v, tol


@checks("cloth", "slide: friction law invariants")
def check_invariant(case: dict) -> Iterator[Checked]:
    x, tol = case["inputs"], case["tol"]
    end = Ball(x["v"], x["w"], cloth_params(x)).end
    for share in (0.0, 0.2, 0.5, 0.9, 1.0):
        ball = Ball(x["v"], x["w"], cloth_params(x)).to(share * end)
        got = 5 / 7 * ball.v + 2 / 7 * R * np.array([ball.w[1], -ball.w[0]])
        yield f"at {share:.0%}", got, case["expected"]["value"], tol


# --- cue --------------------------------------------------------------------------------------------------------------


@checks("cue", "rigid cue strike")
def check_cue(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    # No squirt, and no miscue: the case's contact points at an elevation lie beyond the limit across the cue.
    p = params(ball_radius=x["R"], ball_mass=x["m"], cue_mass=x["cue_mass"], squirt=0.0, tip_limit=1.0)
    s = np.zeros(1, STRIKE)
    elevation = math.radians(x["elevation_deg"])
    s["side"], s["top"] = cue.tip_offsets(float(x["a_over_R"]), float(x["b_over_R"]), elevation)
    s["speed"], s["elevation"] = x["V"], elevation
    vx, vy, wx, wy, wz, flags = cue.strike(records(s)[0], p)
    yield "flags", flags, 0, 0
    yield "v", (vx, vy), e["v"], tol
    # The case leaves the sign of the side's spin open, and with an elevated cue that of its part along the path.
    yield "w", (abs(wx), wy, abs(wz)), (abs(e["w"][0]), e["w"][1], abs(e["w"][2])), tol
    yield "v_over_V", vx / x["V"], e["v_over_V"], tol
    if "roll_ratio" in e:
        yield "roll_ratio", x["R"] * wy / vx, e["roll_ratio"], tol
    # Left side turns the ball clockwise seen from above, and an elevated cue leans that axis back (masse).
    assert wz * x["a_over_R"] <= 0.0
    assert wx * x["a_over_R"] * elevation <= 0.0


@checks("cue", "squirt")
def check_squirt(case: dict) -> Iterator[Checked]:
    x, tol = case["inputs"], case["tol"]
    p = params(squirt=1.0 / x["ball_mass_over_end_mass"])
    s = np.zeros(1, STRIKE)
    s["side"], s["speed"] = x["a_over_R"], 1.0
    vx, vy, *_ = cue.strike(records(s)[0], p)
    yield (
        "squirt to the right of a tip on the left",
        -math.degrees(math.atan2(vy, vx)),
        case["expected"]["squirt_deg"],
        tol,
    )


@checks("cue", "miscue limit")
def check_miscue(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    yield "max_offset_over_R", cue.miscue_offset(x["mu_tip"]), e["max_offset_over_R"], tol
    yield "offset of mu_for_half_R", cue.miscue_offset(e["mu_for_half_R"]), 0.5, tol
    p = params(tip_limit=e["max_offset_over_R"])
    s = np.zeros(2, STRIKE)
    s["speed"] = 1.0
    s["side"] = e["max_offset_over_R"] * np.array([1 - 1e-9, 1 + 1e-9])
    yield "flags", [cue.strike(one, p)[5] for one in records(s)], [0, cue.MISCUE], 0


# --- ball-ball --------------------------------------------------------------------------------------------------------


def pair(p: np.void, v1: Any, w1: Any, v2: Any, w2: Any, line_deg: float) -> tuple[np.ndarray, ...]:
    """v1, w1, v2, w2 after the impact, by the function of a shot."""
    out = np.array(collide_ball.resolve_pair(*floats(v1, w1, v2, w2, unit(line_deg)), p))
    return out[0:2], out[2:5], out[5:7], out[7:10]


def roll_velocity(v: Any, w: Any) -> np.ndarray:
    """Of the ball once it rolls (the invariant of sliding)."""
    return np.array([(5 * v[0] + 2 * R * w[1]) / 7, (5 * v[1] - 2 * R * w[0]) / 7])


@checks("ball-ball", "frictionless")
def check_frictionless(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    p = params(ball_ball="elastic", e_ball=x["e"], ball_radius=x["R"])
    v1, _, v2, _ = pair(p, x["v1"], x["w1"], x["v2"], x["w2"], x["line_of_centres_deg"])
    yield "v1", v1, e["v1"], tol
    yield "v2", v2, e["v2"], tol
    yield "KE_ratio", (v1 @ v1 + v2 @ v2) / np.dot(x["v1"], x["v1"]), e["KE_ratio"], tol
    if e.get("separation_deg") is not None:
        yield "separation_deg", angle_between(v1, v2), e["separation_deg"], tol


def rolling_cut(v: float, cut_deg: float, e: float = 1.0) -> tuple[float, float, float]:
    """Deflection (deg) and final rolling speeds of a rolling cue ball and its object ball, without friction."""
    p = params(ball_ball="elastic", e_ball=e)
    v1, w1, v2, w2 = pair(p, (v, 0.0), (0.0, v / R, 0.0), (0.0, 0.0), (0.0, 0.0, 0.0), -cut_deg)
    first, second = roll_velocity(v1, w1), roll_velocity(v2, w2)
    return angle_between((1.0, 0.0), first), float(np.hypot(*first)), float(np.hypot(*second))


@checks("ball-ball", "30-degree rule")
def check_rolling_cut(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    deflection, first, second = rolling_cut(x["v"], x["cut_deg"], x.get("e", 1.0))
    for name, got in (("deflection_deg", deflection), ("cb_final_roll_speed", first), ("ob_final_roll_speed", second)):
        if name in e:
            yield name, got, e[name], tol


@checks("ball-ball", "30-degree rule maximum")
def check_largest_deflection(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    # A polynomial through 25 cuts around the coarse maximum, since a flat top hides its place from a plain search.
    coarse = max(np.arange(1.0, 89.0), key=lambda cut: rolling_cut(x["v"], cut)[0])
    near = np.polynomial.Chebyshev.interpolate(
        lambda cuts: np.array([rolling_cut(x["v"], cut)[0] for cut in cuts]), 24, [coarse - 6, coarse + 6]
    )
    roots = near.deriv().roots()
    top = min((z.real for z in roots if abs(z.imag) < 1e-6), key=lambda cut: abs(cut - coarse))
    yield "max_deflection_deg", rolling_cut(x["v"], top)[0], e["max_deflection_deg"], tol
    yield "at_cut_deg", top, e["at_cut_deg"], tol


@checks("ball-ball", "Coulomb impulse")
def check_coulomb(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    p = params(ball_radius=x["R"], ball_mass=x["m"], e_ball=x["e"], mu_ball_a=x["mu_b"], mu_ball_b=0.0)
    for name, got in zip(
        ("v1", "w1", "v2", "w2"),
        pair(p, x["v1"], x["w1"], x["v2"], x["w2"], x["line_of_centres_deg"]),
        strict=True,
    ):
        yield name, got, e[name], tol
    # What the impulses were, from the function that gives them.
    n = unit(x["line_of_centres_deg"])
    slip = collide_ball.pair_slip(*floats(x["v1"], x["w1"], x["v2"], x["w2"], n, x["R"]))
    jn = 0.5 * (1 + x["e"]) * float(np.dot(np.subtract(x["v1"], x["v2"]), n))
    jt = math.hypot(*collide_ball.friction_impulse(*slip, jn, p))
    yield "Jt_over_Jn", jt / jn, e["Jt_over_Jn"], tol
    yield "sticks", jt / jn < x["mu_b"] * (1 - 1e-9), e["sticks"], 0


@checks("ball-ball", "Mathavan 2014")
def check_mathavan_2014(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    p = params(
        ball_ball="mathavan2014", ball_radius=x["R"], ball_mass=x["m"],
        e_ball=x["e"], mu_ball_a=x["mu_b"], mu_ball_b=0.0, mu_slide=x["mu_s"],
    )  # fmt: skip
    v1, w1, v2, w2 = pair(p, (x["v"], 0.0), (0.0, x["w_top"], 0.0), (0.0, 0.0), (0.0, 0.0, 0.0), -x["cut_deg"])
    first, second = roll_velocity(v1, w1), roll_velocity(v2, w2)
    yield "cb_roll_speed", np.hypot(*first), e["cb_roll_speed"], tol
    yield "ob_roll_speed", np.hypot(*second), e["ob_roll_speed"], tol
    yield "cb_deflection_deg", angle_between((1.0, 0.0), first), e["cb_deflection_deg"], tol
    yield "ob_angle_deg", angle_between((1.0, 0.0), second), e["ob_angle_deg"], tol


# --- throw ------------------------------------------------------------------------------------------------------------


def throw_deg(x: dict, v: float, cut_deg: float, kx: float = 0.0, kz: float = 0.0) -> float:
    """Angle of the object ball from the line of centres, towards the cue ball's motion along the tangent."""
    names = {f"mu_ball_{name}": x[name] for name in "abc" if name in x}
    p = params(ball_ball="alciatore", e_ball=x.get("e", 1.0), **names)
    _, _, v2, _ = pair(p, (v, 0.0), (0.0, kx * v / R, kz * v / R), (0.0, 0.0), (0.0, 0.0, 0.0), cut_deg)
    nx, ny = unit(cut_deg)
    return math.degrees(math.atan2(v2[0] * ny - v2[1] * nx, v2[0] * nx + v2[1] * ny))


@checks("throw", "TP A.14")
@checks("throw", "spin-induced")
@checks("throw", "cut-induced")
def check_throw(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    kx, kz = float(x.get("kx", 0.0)), float(x.get("kz", 0.0))
    if "throw_deg_by_cut" in e:
        for cut, expected in e["throw_deg_by_cut"].items():
            yield f"cut {cut}", throw_deg(x, x["v"], float(cut), kx, kz), expected, tol
    if "throw_deg" in e:
        yield "throw_deg", throw_deg(x, x["v"], float(x["cut_deg"]), kx, kz), e["throw_deg"], tol


@checks("throw", "TP A.14 constants")
def check_throw_constants(case: dict) -> Iterator[Checked]:
    points = np.array(case["inputs"]["points"])
    got = [collide_ball.ball_friction(float(v) * math.sin(math.pi / 4), params()) for v in points[:, 0]]
    yield "mu_at_points", got, case["expected"]["mu_at_points"], case["tol"]
    yield "the table's mu", got, points[:, 1], case["tol"]


@checks("throw", "max ")
def check_largest_throw(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    kx = 1.0 if "roll" in case["model"] else float(x.get("kx", 0.0))
    cuts = np.arange(0.05, 89.0, 0.05)
    throws = [throw_deg(x, x["v"], cut, kx) for cut in cuts]
    yield "max_throw_deg", max(throws), e["max_throw_deg"], tol
    yield "at_cut_deg", cuts[int(np.argmax(throws))], e["at_cut_deg"], tol


@checks("throw", "frozen 2-ball combination")
def check_frozen_combination(case: dict) -> Iterator[Checked]:
    x = case["inputs"]
    got = throw_deg(x, x["v_first"], x["angle_between_push_and_line_deg"])
    yield "second_ball_throw_deg", got, case["expected"]["second_ball_throw_deg"], case["tol"]


# --- cushion ----------------------------------------------------------------------------------------------------------


@checks("cushion", "Han 2005")
@checks("cushion", "vertical-face")
def check_han(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    height = x.get("nose_height_over_R", 1.0)
    p = params(cushion="han2005", ball_radius=x["R"], e_cushion=x["e"], mu_cushion=x["mu"], nose_height=height)
    out = np.array(collide_cushion.rebound(*floats(x["v"], x["w"], x["cushion_normal"]), p))
    yield "v", out[:2], e["v"], tol
    yield "w", out[2:], e["w"], tol
    if "speed" in e:
        yield "speed", np.hypot(*out[:2]), e["speed"], tol
    if "rebound_angle_to_cushion_deg" in e:
        along = (-x["cushion_normal"][1], x["cushion_normal"][0])
        got = angle_between(np.abs([out[0], out[1]]), np.abs(along))
        yield "rebound_angle_to_cushion_deg", got, e["rebound_angle_to_cushion_deg"], tol


def mathavan(x: dict, scale: float = 1.0) -> np.ndarray:
    """Rebound from a cushion at +y of a ball at ``angle_to_cushion_deg`` with R w = kT v rolling and kS v side."""
    p = params(
        cushion="mathavan2010", ball_radius=x["R"], ball_mass=x["m"], nose_height=x["h_over_R"],
        e_cushion=x["e"], mu_cushion=x["mu_w"], mu_slide=x["mu_s"],
    )  # fmt: skip
    vx, vy = scale * x["V0"] * np.array(unit(x["angle_to_cushion_deg"]))
    w = np.array([-x["kT"] * vy, x["kT"] * vx, scale * x["kS"] * x["V0"]]) / x["R"]
    return np.array(collide_cushion.rebound(*floats(vx, vy, w, 0.0, 1.0), p))


@checks("cushion", "Mathavan 2010")
def check_mathavan_2010(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    out = mathavan(x)
    yield "v", out[:2], e["v"], tol
    yield "w", out[2:], e["w"], tol
    if "speed" in e:
        yield "speed", np.hypot(*out[:2]), e["speed"], tol
    if "rebound_angle_deg" in e:
        yield "rebound_angle_deg", math.degrees(math.atan2(-out[1], out[0])), e["rebound_angle_deg"], tol
    if "apparent_restitution" in e:
        yield "apparent_restitution", -out[1] / x["V0"], e["apparent_restitution"], tol


@checks("cushion", "Mathavan 2010 scaling")
def check_mathavan_2010_scaling(case: dict) -> Iterator[Checked]:
    x = {"R": R, "m": 0.1406, "h_over_R": 1.4, "e": 0.98, "mu_s": 0.212, "mu_w": 0.14, "V0": 1.0}
    for angle, top, side in ((20, 1, 0), (45, 1, 1), (70, -1, 0), (60, 0, -2)):
        x |= {"angle_to_cushion_deg": angle, "kT": top, "kS": side}
        for scale in (0.01, 0.3, 3.0, 10.0):
            yield f"{angle} {top} {side} x {scale}", mathavan(x, scale) / scale, mathavan(x), case["tol"]


# --- equipment --------------------------------------------------------------------------------------------------------


def from_corner(spec: TableSpec, place: Any) -> list[float]:
    """The case's frame: origin in the bottom left corner seen from above with baulk below, x across, y along."""
    return [spec.width / 2 - place[1], place[0] + spec.length / 2]


@checks("equipment", "")
def check_equipment(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    if "length" in x:
        spec = next(
            s for s in TABLES.values() if abs(s.length - x["length"]) < 1e-9 and abs(s.width - x["width"]) < 1e-9
        )
        record = spec.record[0]
        numbers = {
            "baulk_line": record["baulk_x"] + spec.length / 2,
            "D_radius": record["d_radius"],
            "black_from_top": spec.length / 2 - record["spots"][7][0],
            "pink_from_top": spec.length / 2 - record["spots"][6][0],
            "pocket_count": len(record["pockets"]),
        }
        for name, expected in e.items():
            if name in numbers:
                yield name, numbers[name], expected, tol
            elif name in spec.spots:
                yield name, from_corner(spec, spec.spots[name]), expected, tol
            else:
                pytest.fail(f"no number of the table is called {name!r}")
        return
    for key, (length, width) in x.items():
        spec = next(s for s in TABLES.values() if (s.length, s.width) == (length, width))
        yield f"{key}_xy", from_corner(spec, spec.spots["red"]), e[f"{key}_xy"], tol


# --- pockets ----------------------------------------------------------------------------------------------------------


def pot_distance(spec: TableSpec, distance: float, approach_deg: float, offset_deg: float) -> tuple[bool, bool]:
    """Whether a straight specular ball falls into the corner pocket, and whether without touching a jaw.

    It starts ``distance`` from the corner, ``approach_deg`` off the bisector, heading ``offset_deg`` off the corner.
    """
    # The case's corner (0, 0) with the field at x, y > 0 is the corner at (-x, -y) here, mirrored in the diagonal so
    # that the long way out of the corner lies along the table.
    at = math.radians(45.0 - approach_deg)
    heading = at + math.pi - math.radians(offset_deg)
    shot = {
        "balls": {"cue": [distance * math.cos(at) - spec.length / 2, distance * math.sin(at) - spec.width / 2]},
        "cue_ball": {"v": [math.cos(heading), math.sin(heading), 0.0]},
        "physics": {"cushion": "han2005", "e_cushion": 1.0, "mu_cushion": 0.0, "nose_height": 1.0,
                    "mu_slide": 0.0, "mu_roll": 0.0, "contact_gap": 0.0},
    }  # fmt: skip
    jaws = 0
    for event in simulate(shot | {"table": spec})["events"]:
        if event["type"] == "jaw":
            jaws += 1
        elif event["type"] == "pocket":
            return event["where"] == "baulk_right" and event["t"] < distance + 0.5, jaws == 0
        elif event["type"] == "cushion" or event["t"] > distance + 0.5:
            break
    return False, False


def edges(inside: Callable[[float], bool], near: float) -> tuple[float, float]:
    """The ends of the interval around ``near`` on which something holds, to 1e-7."""
    found = []
    for direction in (-1.0, 1.0):
        held, failed, step = near, None, 0.02
        while failed is None:
            if inside(held + direction * step):
                held, step = held + direction * step, min(step * 2, 0.3)
            else:
                failed = held + direction * step
        while abs(failed - held) > 1e-7:
            middle = 0.5 * (failed + held)
            held, failed = (middle, failed) if inside(middle) else (held, middle)
        found.append(held)
    return found[0], found[1]


@checks("pocket", "rounded-jaw corner")
def check_jaws(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    shape = x["geometry"]
    jaw = shape["jaw_arc_radius"]
    spec = dataclasses.replace(
        TABLES["snooker_12ft"],
        ball_radius=x["R"],
        corner_jaw_radius=jaw,
        corner_throat=math.sqrt(2) * (shape["cushion_start"] + jaw) - 2 * jaw,
        corner_fall_radius=shape["fall_radius"],
        corner_fall_offset=math.hypot(*shape["fall_circle_centre"]),
    )
    corner = np.array([-spec.length / 2, -spec.width / 2])
    yield "X0", spec.corner_start, e["X0"], 1e-9
    for arc, centre in zip(spec.record[0]["arcs"][:2], shape["jaw_arc_centres"], strict=True):
        yield "jaw arc centre", arc[:2] - corner, centre, 1e-9
    yield "fall circle", spec.record[0]["pockets"][0][:2] - corner, shape["fall_circle_centre"], 1e-9

    def falls(offset: float) -> tuple[bool, bool]:
        return pot_distance(spec, x["distance_from_corner"], x["approach_from_bisector_deg"], offset)

    near = float(np.mean(e["no_touch_window_deg"]))
    yield "no_touch_window_deg", edges(lambda offset: all(falls(offset)), near), e["no_touch_window_deg"], tol
    yield "specular_window_deg", edges(lambda offset: falls(offset)[0], near), e["specular_window_deg"], tol


@checks("pocket", "no-touch potting window")
def check_throat_window(case: dict) -> Iterator[Checked]:
    x = case["inputs"]
    got = math.degrees(window.throat_half_window(x["distance"], x["gap"], x["R"]))
    yield "half_window_deg", got, case["expected"]["half_window_deg"], case["tol"]


@checks("pocket", "TP 3.4")
def check_aim_margin(case: dict) -> Iterator[Checked]:
    x = case["inputs"]
    cut, allowed = math.radians(x["cut_deg"]), math.radians(x["allowable_ob_error_deg"])
    got = math.degrees(window.aim_margin(float(x["d_in"]), cut, allowed, float(x["R_in"])))
    yield "cb_margin_deg", got, case["expected"]["cb_margin_deg"], case["tol"]


# --- times of contact -------------------------------------------------------------------------------------------------


def toi_params(x: dict) -> np.void:
    return params(gravity=x["g"], mu_slide=x["mu_s"], mu_roll=x.get("mu_r", 0.01), ball_radius=x["R"])


@checks("toi", "ball-ball")
def check_ball_ball_time(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    p = toi_params(x)
    one, two = (Ball(b["v"], b["w"], p, b["r"]) for b in (x["ball1"], x["ball2"]))
    assert (one.name, two.name) == (x["ball1"]["mode"], x["ball2"]["mode"])
    until = min(one.end, two.end)
    yield "valid_until", until, e["valid_until"], tol
    d, v, h, reach = one.r - two.r, one.v - two.v, one.h - two.h, 2 * x["R"]
    coefficients = (h @ h, 2 * v @ h, v @ v + 2 * d @ h, 2 * d @ v, d @ d - reach**2)
    yield "coeffs_t4_to_t0", coefficients, e["coeffs_t4_to_t0"], tol
    t = roots.hit_time(*floats(d, v, h), reach, until)
    # Seen from the other ball it is the same instant, to the bit.
    assert t == roots.hit_time(*floats(-d, -v, -h), reach, until)
    yield "first_root", t if math.isfinite(t) else None, e["first_root"], tol


@checks("toi", "ball-line")
def check_line_time(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    ball = Ball(x["v"], x["w"], toi_params(x), x["r"])
    t = roots.line_time(x["line_x"] - x["R"] - float(ball.r[0]), -float(ball.v[0]), -float(ball.h[0]))
    yield "t", t, e["t"], tol


@checks("toi", "ball-arc")
@checks("toi", "ball-centre-in-pocket")
def check_circle_time(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    ball = Ball(x["v"], x["w"], toi_params(x), x["r"])
    centre = x["arc_centre"] if "arc_centre" in x else x["pocket_centre"]
    reach = x["arc_radius"] + x["R"] if "arc_radius" in x else x["pocket_radius"]
    # The case takes the slide to go on past its end.
    yield "t", roots.hit_time(*floats(ball.r - centre, ball.v, ball.h), reach, 2.0 * e["t"]), e["t"], tol


# --- several balls ----------------------------------------------------------------------------------------------------

FIELD = dataclasses.replace(TABLES["snooker_12ft"], length=1000.0, width=1000.0)
# Least speeds of separation (1e-4 m/s) are not in the cases: played ten times as fast, they weigh a tenth.
FAST = 10.0


def impact_velocities(places: list[list[float]], v: float, e: float) -> tuple[np.ndarray, int]:
    """Velocities just after the instant at which the first ball, with ``v`` along x, has met those that it touches.

    Read off where the balls come to rest, all starting without spin, on a table without a cushion in reach.
    """
    shot = {
        "table": FIELD,
        "balls": {"cue": places[0], "red": places[1:]},
        "cue_ball": {"v": [FAST * v, 0.0, 0.0]},
        "physics": {"ball_ball": "elastic", "e_ball": e, "mu_slide": 0.2, "mu_roll": 0.01},
    }
    result = simulate(shot)
    assert result["flags"] == []
    way = np.array([result["final"]["cue"], *result["final"]["red"]]) - places
    distance = np.hypot(*way.T)
    # A stunned ball slides to 5/7 of its speed over 12 v^2 / (49 mu g), then rolls to rest.
    speed = np.sqrt(distance / (12 / (49 * 0.2 * 9.81) + (25 / 49) / (2 * 0.01 * 9.81)))
    unit_way = way / np.where(distance > 0, distance, 1.0)[:, None]
    return unit_way * speed[:, None] / FAST, sum(event["type"] == "ball_ball" for event in result["events"])


@checks("multi", "frozen line")
def check_line(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    v, impacts = impact_velocities([[2 * R * i, 0.0] for i in range(x["n"])], x["v"][0], x["e"])
    # Of the two orders that the case gives for e < 1 the project takes the contact that closes fastest first.
    yield "v", v[:, 0], e.get("v_largest_closing_first", e["v"]), tol
    yield "across", v[:, 1], np.zeros(x["n"]), tol
    yield "momentum", v[:, 0].sum(), x["v"][0], tol
    yield "impacts", impacts, e.get("impacts_largest_closing_first", e["impacts"]), 0


@checks("multi", "1 ball onto 2 frozen")
@checks("multi", "same, Newton restitution")
def check_ball_on_two(case: dict) -> Iterator[Checked]:
    x, e, tol = case["inputs"], case["expected"], case["tol"]
    along = math.sqrt(3) * R
    v, _ = impact_velocities([[0.0, 0.0], [along, R], [along, -R]], x["v"], x["e"])
    yield "v_cue", v[0], (e["v_cue"], 0.0), tol
    yield "v_targets", np.hypot(*v[1:].T), (e["v_targets"],) * 2, tol
    directions = np.degrees(np.arctan2(v[1:, 1], v[1:, 0]))
    yield "target_dirs_deg", directions, e.get("target_dirs_deg", (30, -30)), max(tol, 1e-9)


@checks("multi", "naive sequential")
@checks("multi", "same, naive")
@checks("multi", "same, sequential")
def check_not_sequential(case: dict) -> Iterator[Checked]:
    """Negative control: two balls hit at once are not hit one after the other."""
    along = math.sqrt(3) * R
    v, _ = impact_velocities([[0.0, 0.0], [along, R], [along, -R]], 1.0, case["inputs"].get("e", 1.0))
    speeds = np.hypot(*v[1:].T)
    yield "difference of the targets", speeds[0] - speeds[1], 0.0, 1e-12


@checks("multi", "break of an exactly frozen pack")
def check_break(case: dict) -> Iterator[Checked]:
    spec = TABLES["snooker_12ft"]
    reds = [
        (spec.length / 4 + 2 * R + math.sqrt(3) * R * row, (2 * i - row) * R)
        for row in range(5)
        for i in range(row + 1)
    ]
    colours = {name: list(spec.spots[name]) for name in ("yellow", "green", "brown", "blue", "black")}
    for speed in (2.0, 5.0, 8.0):
        balls = {"cue": [-0.6, 0.0], "red": [list(red) for red in reds]} | colours
        del balls["brown"], balls["blue"]  # they stand in the way
        result = simulate({"balls": balls, "cue_ball": {"v": [speed, 0.0, 0.0]}})
        assert result["flags"] == []
        names = ["red", *(f"red#{i}" for i in range(2, 16))]
        mirror = dict(zip(names, [names[reds.index((x, -y))] for x, y in reds], strict=True))
        mirror |= {"yellow": "green", "green": "yellow"}
        potted = set(result["potted"])
        assert {mirror.get(name, name) for name in potted} == potted
        left = [name for name in names if name not in potted]
        final = dict(zip(left, result["final"]["red"], strict=True))
        final |= {name: place for name, place in result["final"].items() if name != "red"}
        for name, (x, y) in final.items():
            mx, my = final[mirror.get(name, name)]
            yield f"{name} at {speed} m/s", (x, y), (mx, -my), case["tol"]
