"""Margins of error: the window of a pocket's throat, and what it leaves to the aim of the cue ball.

Plain geometry of straight lines and equal balls (Alciatore, TP 3.4); the window that the real jaws leave is found by
:func:`sinuca_env.game.potting.pocket_window`, which this one equals for jaws without depth.
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel

__all__ = ["aim_margin", "throat_half_window"]


@kernel
def throat_half_window(distance, gap, radius):
    """Half of the angle (rad) within which a ball passes untouched between two points ``gap`` apart, seen square on.

    Args:
        distance: m, from the ball to the middle of the gap.
        gap: m.
        radius: m, of the ball. A gap narrower than the ball gives a negative window.
    """
    return math.asin(min(max((0.5 * gap - radius) / distance, -1.0), 1.0))


@kernel
def aim_margin(distance, cut, tolerance, radius):
    """Error of the cue ball's direction (rad) that turns the object ball by ``tolerance`` (Alciatore, TP 3.4).

    The root of ``d sin(x) = 2R (sin(tolerance - cut + x) + sin(cut - x))`` by Newton's method.

    Args:
        distance: m, between the centres of the balls before the stroke.
        cut: rad.
        tolerance: rad, allowable error of the object ball's direction.
        radius: m.
    """
    two = 2.0 * radius
    x = two * math.cos(cut) * tolerance / distance
    for _ in range(30):
        f = distance * math.sin(x) - two * (math.sin(tolerance - cut + x) + math.sin(cut - x))
        slope = distance * math.cos(x) - two * (math.cos(tolerance - cut + x) - math.cos(cut - x))
        step = f / slope
        x -= step
        if abs(step) <= 1e-16 + 1e-15 * abs(x):
            break
    return x
