"""Reference cases: closed forms, published numbers and high-precision integrations, against the functions a shot uses.

``pytest tests/physics/test_reference_cases.py --cases FILE`` checks any file of the same format: a list (or an object
with ``cases``) of ``{id, group, model, inputs, expected, tol}``. A case whose group or model has no check fails.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sinuca_env._jit import records
from sinuca_env.physics import collide_ball, collide_cushion
from sinuca_env.physics import strike as cue
from sinuca_env.physics.params import physics_params
from sinuca_env.state.records import STRIKE

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
