"""Execution noise: from the stroke that was meant to the stroke that is played.

Noise changes the direction and the speed with which the cue ball departs. An error of the tip's place changes the spin
only: squirt and speed are those of the tip that was meant (otherwise squirt would turn 0.7 mm at the tip into 0.11
degrees of direction, more than a professional's whole error). A tip that errs beyond the miscue limit is a miscue.

Levels: a snooker player by the standard deviation of his direction, and the cue-parameter errors of the three
published computer-pool tournaments (Leckie and Greenspan 2006; Archibald et al. 2009; SJTU), for which squirt is off.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.game.rng import STREAM_NOISE, normal_pair
from sinuca_env.physics.strike import squirt_angle
from sinuca_env.state.errors import SinucaError, suggest

__all__ = ["NOISE", "NOISE_LEVELS", "noise_config", "noise_is_squirt_free", "noisy_strike"]

NOISE = np.dtype(
    [
        ("angle", "f8"),  # rad, standard deviation of the direction
        ("speed_share", "f8"),  # of the cue's speed, as a share of it
        ("speed", "f8"),  # m/s, of the cue's speed
        ("side", "f8"),  # R, of the tip's place
        ("top", "f8"),  # R
        ("elevation", "f8"),  # rad
    ],
    align=True,
)

_MM = 1.0 / 26.25  # one millimetre in ball radii
_DEG = math.pi / 180.0


def _player(direction_deg: float, speed_percent: float, tip_mm: float) -> dict[str, float]:
    tip = tip_mm * _MM
    return {"angle": direction_deg * _DEG, "speed_share": speed_percent / 100.0, "side": tip, "top": tip}


def _cue(side: float, top: float, elevation_deg: float, angle_deg: float, speed: float) -> dict[str, float]:
    return {"side": side, "top": top, "elevation": elevation_deg * _DEG, "angle": angle_deg * _DEG, "speed": speed}


_PUBLISHED = {
    "icga2005": _cue(0.8 * _MM, 0.8 * _MM, 0.03, 0.185, 0.085),
    "icga2006": _cue(0.5 * _MM, 0.5 * _MM, 0.1, 0.125, 0.075),
    "sjtu": _cue(0.003, 0.003, 0.1, 0.1, 0.1),
}
NOISE_LEVELS: dict[str, dict[str, float]] = {
    "none": {},
    "robot": _player(0.01, 1.0, 0.3),
    "pro": _player(0.02, 2.5, 0.7),
    "county": _player(0.04, 4.0, 1.2),
    "club": _player(0.09, 7.0, 2.0),
    "novice": _player(0.25, 12.0, 4.0),
    **_PUBLISHED,
}
"""Standard deviations by level, in the units of ``NOISE``."""


def noise_config(noise: str | Mapping[str, float] | None) -> np.ndarray:
    """The noise as a one-element ``NOISE`` array.

    Args:
        noise: a level of ``NOISE_LEVELS``, or standard deviations by field of ``NOISE`` (SI units, tip in R).

    Raises:
        SinucaError: unknown level or field, or a value that is not a number of at least 0.
    """
    record = np.zeros(1, NOISE)
    names = NOISE.names or ()
    if noise is None:
        return record
    if isinstance(noise, str):
        if noise not in NOISE_LEVELS:
            known = ", ".join(NOISE_LEVELS)
            raise SinucaError(f"noise: unknown level '{noise}'{suggest(noise, NOISE_LEVELS)}: one of {known}")
        noise = NOISE_LEVELS[noise]
    if not isinstance(noise, Mapping):
        raise SinucaError(f"noise: {noise!r}: a level ({', '.join(NOISE_LEVELS)}) or standard deviations by name")
    for name, value in noise.items():
        if name not in names:
            raise SinucaError(f"noise: unknown field '{name}'{suggest(str(name), names)}: one of {', '.join(names)}")
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0.0 <= float(value) < math.inf:
            raise SinucaError(f"noise.{name}: {value!r}: a standard deviation, 0 or more")
        record[name] = float(value)
    return record


def noise_is_squirt_free(noise: Any) -> bool:
    """Whether the level was published for a cue without squirt (the physics then plays without it)."""
    return isinstance(noise, str) and noise in _PUBLISHED


@kernel
def noisy_strike(strike, noise, frame, params):
    """Change ``strike`` in place by this step's errors (drawn from the frame's key and counter)."""
    key, counter = frame.rng_key, frame.rng_counter
    a, b = normal_pair(key, counter, STREAM_NOISE, 0)
    c, d = normal_pair(key, counter, STREAM_NOISE, 1)
    e, f = normal_pair(key, counter, STREAM_NOISE, 2)
    side, top = strike.side + noise.side * c, strike.top + noise.top * d
    mass = 1.0 + params.ball_mass / params.cue_mass
    meant = mass + 2.5 * (strike.side * strike.side + strike.top * strike.top)
    played = mass + 2.5 * (side * side + top * top)
    strike.angle += noise.angle * a + squirt_angle(side, params.squirt) - squirt_angle(strike.side, params.squirt)
    speed = strike.speed * (1.0 + noise.speed_share * b) + noise.speed * e
    strike.speed = max(speed * played / meant, 0.0)
    strike.side, strike.top = side, top
    strike.elevation = min(max(strike.elevation + noise.elevation * f, 0.0), 0.5 * math.pi - 0.01)
