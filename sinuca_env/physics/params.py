"""Physics parameters: one record of numbers that every physics kernel takes by reference.

Sources: cloth, ball and cushion numbers of Mathavan, Jackson and Parkin (2010, 2014) for snooker; ball-ball friction
of Alciatore, TP A.14; vertical-axis spin decay from the 5-15 rad/s^2 quoted by Alciatore; tip friction 0.6 and cue
of 17-19 oz (0.48-0.54 kg). All SI; ``nose_height`` and ``tip_limit`` are in ball radii.
"""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from sinuca_env.state.errors import SinucaError, suggest

__all__ = [
    "BALL_BALL_MODELS", "CUSHION_MODELS", "MAX_BALL_SPEED", "MAX_CUE_SPEED", "PHYSICS", "PHYSICS_DEFAULTS",
    "physics_dict", "physics_params",
]  # fmt: skip

BALL_BALL_MODELS: tuple[str, ...] = ("elastic", "alciatore", "mathavan2014")
"""Name by code of ``PHYSICS.ball_ball``."""

CUSHION_MODELS: tuple[str, ...] = ("calibrated", "han2005", "mathavan2010")
"""Name by code of ``PHYSICS.cushion``."""

MAX_CUE_SPEED = 10.0  # m/s; a flat-out stroke gives the ball 13.4 m/s at most (Onoda 1989), 8.4 m/s of the cue
MAX_BALL_SPEED = 20.0  # m/s; extreme pool breaks reach 16

PHYSICS = np.dtype(
    [
        ("gravity", "f8"),  # m/s^2
        ("ball_radius", "f8"),  # m
        ("ball_mass", "f8"),  # kg
        ("mu_slide", "f8"),  # ball-cloth sliding friction
        ("mu_roll", "f8"),  # ball-cloth rolling resistance: deceleration / gravity
        ("spin_decay", "f8"),  # rad/s^2, of the spin about the vertical axis
        ("e_ball", "f8"),  # ball-ball restitution
        ("mu_ball_a", "f8"),  # ball-ball friction mu(v) = a + b exp(-c v); constant with b = 0
        ("mu_ball_b", "f8"),
        ("mu_ball_c", "f8"),  # s/m
        ("e_cushion", "f8"),  # restitution at the nose
        ("mu_cushion", "f8"),  # friction at the nose
        ("nose_height", "f8"),  # of the nose above the cloth, in ball radii
        ("cue_mass", "f8"),  # kg
        ("squirt", "f8"),  # effective end mass of the cue / mass of the ball; 0 = no squirt
        ("tip_limit", "f8"),  # largest tip offset without a miscue, in ball radii
        ("contact_gap", "f8"),  # m, gap of two balls, or a ball and a cushion, at which they meet
        ("rack_gap", "f8"),  # m, between the racked reds
        ("rack_jitter", "f8"),  # m, standard deviation of each red's place around its spot in the rack
        ("ball_ball", "i8"),  # index in BALL_BALL_MODELS
        ("cushion", "i8"),  # index in CUSHION_MODELS
        ("flight", "i8"),  # 1: balls may leave the cloth
        ("double_hit", "i8"),  # 1: a cue following through into a touching or close ball is reported
    ],
    align=True,
)

# Default, lowest and highest accepted value.
_NUMBERS: dict[str, tuple[float, float, float]] = {
    "gravity": (9.81, 0.1, 100.0),
    "ball_radius": (0.02625, 0.005, 0.1),
    "ball_mass": (0.1406, 0.005, 5.0),
    "mu_slide": (0.21, 0.0, 2.0),
    "mu_roll": (0.010, 0.0, 0.5),
    "spin_decay": (10.9, 0.0, 1000.0),
    "e_ball": (0.94, 0.0, 1.0),
    "mu_ball_a": (0.009951, 0.0, 2.0),
    "mu_ball_b": (0.108, 0.0, 2.0),
    "mu_ball_c": (1.088, 0.0, 100.0),
    "e_cushion": (0.98, 0.0, 1.0),
    "mu_cushion": (0.14, 0.0, 2.0),
    "nose_height": (1.4, 1.0, 1.9),
    "cue_mass": (0.54, 0.01, 10.0),
    "squirt": (1.0 / 30.0, 0.0, 1.0),
    "tip_limit": (0.5, 0.0, 1.0),
    # One micrometre (a ball is round to 50) keeps balls from overlapping by rounding; other engines do the same.
    "contact_gap": (1e-6, 0.0, 1e-4),
    "rack_gap": (0.0, 0.0, 0.01),
    "rack_jitter": (0.0, 0.0, 0.001),
}
_CHOICES: dict[str, tuple[tuple[str, ...], str]] = {
    "ball_ball": (BALL_BALL_MODELS, "alciatore"),
    "cushion": (CUSHION_MODELS, "calibrated"),
}
_SWITCHES: dict[str, bool] = {"flight": False, "double_hit": False}
# Constants belong to their model: Han's closed form lets the vertical velocity go, so the nose constants of the impulse
# equations are not its own (0.85 and 0.2 are those it is used with in open engines); Mathavan 2014 measured 0.89 and a
# constant 0.05; a perfectly elastic impact is what "elastic" says.
_MODEL_NUMBERS: dict[str, dict[str, float]] = {
    "han2005": {"e_cushion": 0.85, "mu_cushion": 0.2},
    "mathavan2014": {"e_ball": 0.89, "mu_ball_a": 0.05, "mu_ball_b": 0.0},
    "elastic": {"e_ball": 1.0},
}

PHYSICS_DEFAULTS: dict[str, Any] = (
    {name: default for name, (default, _, _) in _NUMBERS.items()}
    | {name: default for name, (_, default) in _CHOICES.items()}
    | _SWITCHES
)
"""Value by name when nothing is given. Three models bring their own constants: ``han2005`` e_cushion 0.85 and
mu_cushion 0.2; ``mathavan2014`` e_ball 0.89 and a constant ball-ball friction of 0.05; ``elastic`` e_ball 1."""


def _number(name: str, value: object) -> float:
    _default, low, high = _NUMBERS[name]
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise SinucaError(f"physics.{name}: {value!r} is not a number; accepted: {low:g} to {high:g}")
    number = float(value)
    if not (math.isfinite(number) and low <= number <= high):
        raise SinucaError(f"physics.{name}: {number:g} is out of range; accepted: {low:g} to {high:g}")
    return number


def _choice(name: str, value: object) -> int:
    accepted = _CHOICES[name][0]
    if value not in accepted:
        raise SinucaError(
            f"physics.{name}: unknown model {value!r}{suggest(str(value), accepted)}; accepted: {', '.join(accepted)}"
        )
    return accepted.index(str(value))


def physics_params(**names: Any) -> np.ndarray:
    """The parameters as a one-element ``PHYSICS`` array (kernels take ``params[0]``).

    Args:
        **names: any of :data:`PHYSICS_DEFAULTS`; the rest keep their defaults.

    Raises:
        SinucaError: an unknown name (the nearest is suggested) or a value out of range (the range is told).
    """
    for name in names:
        if name not in PHYSICS_DEFAULTS:
            raise SinucaError(
                f"physics: unknown parameter '{name}'{suggest(name, PHYSICS_DEFAULTS)}; "
                f"accepted: {', '.join(PHYSICS_DEFAULTS)}"
            )
    values = dict(PHYSICS_DEFAULTS)
    for choice in _CHOICES:
        values |= _MODEL_NUMBERS.get(str(names.get(choice)), {})
    values |= names
    params = np.zeros(1, PHYSICS)
    for name in _NUMBERS:
        params[name] = _number(name, values[name])
    for name in _CHOICES:
        params[name] = _choice(name, values[name])
    for name in _SWITCHES:
        if not isinstance(values[name], (bool, np.bool_)):
            raise SinucaError(f"physics.{name}: {values[name]!r} is not a switch; accepted: true, false")
        if values[name] and name == "flight":
            raise SinucaError(f"physics.{name}: true is not supported by this version; accepted: false")
        params[name] = int(values[name])
    return params


def physics_dict(params: np.ndarray) -> dict[str, Any]:
    """The parameters by name, as :func:`physics_params` takes them (for provenance; JSON-able)."""
    row = params[0] if params.ndim else params
    values: dict[str, Any] = {name: float(row[name]) for name in _NUMBERS}
    values |= {name: accepted[int(row[name])] for name, (accepted, _) in _CHOICES.items()}
    return values | {name: bool(row[name]) for name in _SWITCHES}
