"""Times of contact: first roots of the equations of motion, in real arithmetic, safeguarded.

Two bodies meet when |d + v t + h t^2| = r (relative place, velocity, half acceleration). Its square is the quartic
f(t) = c4 t^4 + c3 t^3 + c2 t^2 + 2 c1 t + c0; the first time at which f falls through 0 is wanted. Where f is convex
on the whole window, Newton's method from the left can neither overshoot the root nor miss it. Otherwise the window is
split at the roots of f'' and f' into monotone pieces. Lower orders (equal accelerations, no acceleration) need no
case of their own: nothing is divided by a leading coefficient that may vanish against the others.

Contact at t = 0 is decided by the sign of the normal velocity: bodies at their contact distance or (by rounding)
nearer meet at once when they approach faster than ``APPROACH`` and otherwise can meet again only later.
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel

__all__ = ["APPROACH", "hit_time", "line_time"]

APPROACH = 1e-9  # m/s; bodies in contact that close more slowly (1 nm in 1 s) are taken to be at rest to each other

_INF = math.inf
_AT_FACE = 5e-6  # m


@kernel
def _falling_root(c4, c3, c2, c1, c0, lo, hi):
    """Root of f in [lo, hi], where f falls from >= 0 to <= 0: Newton, kept inside the bracket."""
    t = lo
    f = (((c4 * t + c3) * t + c2) * t + c1) * t + c0
    for _ in range(200):
        d = ((4.0 * c4 * t + 3.0 * c3) * t + 2.0 * c2) * t + c1
        new = t - f / d if d < 0.0 else lo
        if not lo < new < hi:
            new = 0.5 * (lo + hi)
            if not lo < new < hi:
                return lo
        f = (((c4 * new + c3) * new + c2) * new + c1) * new + c0
        if f > 0.0:
            lo = new
        else:
            hi = new
        if abs(new - t) <= 2e-16 * new or f == 0.0:
            return new
        t = new
    return lo


@kernel
def _slope_root(c4, c3, c2, c1, lo, hi, rising):
    """Root of f' in [lo, hi], where it changes sign once: upwards if ``rising``."""
    t = 0.5 * (lo + hi)
    for _ in range(200):
        d = ((4.0 * c4 * t + 3.0 * c3) * t + 2.0 * c2) * t + c1
        if (d < 0.0) == rising:
            lo = t
        else:
            hi = t
        e = (12.0 * c4 * t + 6.0 * c3) * t + 2.0 * c2
        new = t - d / e if e != 0.0 else lo
        if not lo < new < hi:
            new = 0.5 * (lo + hi)
        if abs(new - t) <= 1e-15 * hi:
            return new
        t = new
    return t


@kernel
def _split_root(c4, c3, c2, c1, c0, window):
    """First falling root of f in [0, window] from the monotone pieces between the roots of f'' and f'."""
    # Roots of f''/2 = 6 c4 t^2 + 3 c3 t + c2, the window's ends where there are none.
    first, second = window, window
    disc = 9.0 * c3 * c3 - 24.0 * c4 * c2
    if disc > 0.0:
        root = math.sqrt(disc)
        q = -0.5 * (3.0 * c3 + root) if c3 > 0.0 else -0.5 * (3.0 * c3 - root)
        # q = 0 needs c3 = 0 and disc = 0; a vanishing c4 sends one root out of the window.
        a, b = c2 / q, q / (6.0 * c4) if c4 > 1e-300 else _INF
        first, second = min(max(min(a, b), 0.0), window), min(max(max(a, b), 0.0), window)
    lo, f_lo = 0.0, c0
    for piece in range(3):
        hi = first if piece == 0 else (second if piece == 1 else window)
        if hi <= lo:
            continue
        d_lo = ((4.0 * c4 * lo + 3.0 * c3) * lo + 2.0 * c2) * lo + c1
        d_hi = ((4.0 * c4 * hi + 3.0 * c3) * hi + 2.0 * c2) * hi + c1
        f_hi = (((c4 * hi + c3) * hi + c2) * hi + c1) * hi + c0
        if d_lo < 0.0 and d_hi > 0.0:
            bottom = _slope_root(c4, c3, c2, c1, lo, hi, True)
            if (((c4 * bottom + c3) * bottom + c2) * bottom + c1) * bottom + c0 < 0.0:
                return _falling_root(c4, c3, c2, c1, c0, lo, bottom)
        elif d_lo >= 0.0 and d_hi < 0.0:
            if f_hi < 0.0:
                return _falling_root(c4, c3, c2, c1, c0, _slope_root(c4, c3, c2, c1, lo, hi, False), hi)
        elif d_lo < 0.0 and f_hi < 0.0 <= f_lo:
            return _falling_root(c4, c3, c2, c1, c0, lo, hi)
        lo, f_lo = hi, f_hi
    return _INF


@kernel
def hit_time(dx, dy, vx, vy, hx, hy, reach, window):
    """First t in [0, window] at which |d + v t + h t^2| falls to ``reach``; infinite if there is none.

    Symmetric to the last bit under exchanging the two bodies, mirroring and turning by 180 degrees.

    Args:
        dx, dy: m, from one body to the other.
        vx, vy: m/s, rate of change of d.
        hx, hy: m/s^2, half its acceleration.
        reach: m, centre distance at contact.
        window: s, > 0, finite.
    """
    c0 = dx * dx + dy * dy - reach * reach
    c1 = 2.0 * (dx * vx + dy * vy)
    if c0 <= 0.0:
        slack = 2.0 * reach * APPROACH
        if c1 < -slack:
            return 0.0
        # Measured against a body that recedes at APPROACH: met again when the closing speed has come to that.
        c0 = 0.0
        c1 += slack
    vv = vx * vx + vy * vy
    c2 = vv + 2.0 * (dx * hx + dy * hy)
    c3 = 2.0 * (vx * hx + vy * hy)
    if c1 >= 0.0 and c2 >= 0.0 and c3 >= 0.0:
        return _INF
    # Passing by: the path leaves its tangent by at most the cross component of h t^2.
    side = abs(dx * vy - dy * vx) - abs(hx * vy - hy * vx) * window * window
    if side > 0.0 and side * side > reach * reach * vv:
        return _INF
    c4 = hx * hx + hy * hy
    # Smallest f'' in the window, at t = -c3 / (4 c4), its vertex, or at an end.
    if -c3 >= 4.0 * c4 * window:
        low = (12.0 * c4 * window + 6.0 * c3) * window + 2.0 * c2
    elif c3 >= 0.0:
        low = 2.0 * c2
    else:
        low = 2.0 * c2 - 0.75 * c3 * c3 / c4
    if not low > 0.0:
        return _split_root(c4, c3, c2, c1, c0, window)
    if c1 >= 0.0:
        return _INF
    t = 0.0
    f, d = c0, c1
    for _ in range(100):
        step = -f / d
        new = t + step
        if new > window:
            return _INF
        f = (((c4 * new + c3) * new + c2) * new + c1) * new + c0
        d = ((4.0 * c4 * new + 3.0 * c3) * new + 2.0 * c2) * new + c1
        if step <= 2e-16 * new or f <= 0.0:
            return new
        if d >= 0.0:
            return _INF
        t = new
    return t


@kernel
def line_time(s, v, h):
    """First t >= 0 at which the gap s + v t + h t^2 to a line falls to 0; infinite if there is none.

    A gap that is 0, or negative by rounding or careless placing, counts as 0. A ball farther behind the line, in a
    pocket's mouth, has to come out before it can meet the face.
    """
    if -_AT_FACE < s <= 0.0:
        if v < -APPROACH:
            return 0.0
        # As in hit_time.
        v += APPROACH
        return -v / h if h < 0.0 else _INF
    if v >= 0.0 and h >= 0.0:
        return _INF
    disc = v * v - 4.0 * h * s
    if disc < 0.0 or (s < 0.0 and (v <= 0.0 or h >= 0.0)):
        return _INF
    root = math.sqrt(disc)
    # The smaller positive root, in the form without cancellation.
    return 2.0 * s / (root - v) if v < 0.0 else (-v - root) / (2.0 * h)
