"""Potting geometry: windows of the pockets, ghost balls, free lines, analytic chances.

Straight lines and equal balls only; what the cue must do to send a ball along such a line is :mod:`.aim`'s matter.

A ball centre that travels along a line touches a jaw when it comes within ``jaw radius + R`` of the jaw's centre
before it enters the fall circle. The directions that miss both jaws and meet the fall circle form the pocket's
*window* as seen from the ball: its middle is the line to aim along, half its width is the error that a pot forgives
without touching a jaw.
"""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.state.balls import CUE, N_SLOTS
from sinuca_env.table.spec import N_ARCS, N_POCKETS

__all__ = [
    "MAX_CUT", "OBJECT_CLEAR", "CUE_CLEAR", "POSSIBLE", "POT", "aim_gain", "in_field", "path_clear", "pocket_window",
    "pot_chance", "pot_into", "pots_into", "wrap_angle",
]  # fmt: skip

POT = np.dtype(
    [
        ("direction", "f8"),  # rad, the object ball's path: middle of the window
        ("half_window", "f8"),  # rad, of the object ball's direction; <= 0: not without touching a jaw
        ("run", "f8"),  # m, object ball to the fall circle
        ("ghost", "f8", (2,)),  # m, the cue ball's centre at contact
        ("angle", "f8"),  # rad, from the cue ball to the ghost ball
        ("reach", "f8"),  # m, cue ball to ghost ball
        ("cut", "f8"),  # rad, 0 = straight
        ("gain", "f8"),  # object ball's change of direction / cue ball's, absolute
        ("aim_half", "f8"),  # rad, half_window as the cue ball sees it: half_window / gain
        ("flags", "u1"),  # POSSIBLE | OBJECT_CLEAR | CUE_CLEAR
    ],
    align=True,
)
"""One way to pot: a ball, a pocket, a straight path each for cue ball and object ball."""

POSSIBLE, OBJECT_CLEAR, CUE_CLEAR = 1, 2, 4
MAX_CUT = math.radians(85.0)  # thinner contacts are possible but no aim is fine enough for them
_SLACK = 1e-7  # m, by which a corridor may be too narrow: rounding, and balls that touch by 1e-12


@kernel
def wrap_angle(angle):
    """The angle in (-pi, pi]."""
    return math.atan2(math.sin(angle), math.cos(angle))


@kernel
def _jaw_limit(x, y, ax, ay, reach, fx, fy, fr):
    """The point of a jaw, grown by a ball radius, that bounds the window on its side, as seen from (x, y).

    The tangent point; where that lies in the fall circle (the ball has dropped by then), the point where the grown
    jaw enters the fall circle.
    """
    dx, dy = ax - x, ay - y
    distance = math.hypot(dx, dy)
    to_tangent = math.sqrt(max(distance * distance - reach * reach, 0.0))
    # Of the two tangents the one on the pocket's side: the fall circle's centre lies on that side of the jaw's centre.
    side = 1.0 if dx * (fy - y) - dy * (fx - x) >= 0.0 else -1.0
    turn = side * math.asin(min(reach / max(distance, 1e-9), 1.0))
    heading = math.atan2(dy, dx) + turn
    tx, ty = x + to_tangent * math.cos(heading), y + to_tangent * math.sin(heading)
    if (tx - fx) ** 2 + (ty - fy) ** 2 >= fr * fr:
        return heading
    # Where the two circles meet, on the side of the field (the centre of the table is the origin).
    ex, ey = fx - ax, fy - ay
    d = math.hypot(ex, ey)
    along = (d * d + reach * reach - fr * fr) / (2.0 * d)
    across = math.sqrt(max(reach * reach - along * along, 0.0))
    qx, qy = ax + (along * ex - across * ey) / d, ay + (along * ey + across * ex) / d
    px, py = ax + (along * ex + across * ey) / d, ay + (along * ey - across * ex) / d
    if px * px + py * py < qx * qx + qy * qy:
        qx, qy = px, py
    return math.atan2(qy - y, qx - x)


@kernel
def pocket_window(x, y, table, pocket):
    """The window of a pocket as seen from a ball at (x, y).

    Returns:
        ``(direction, half_width, run)``: rad, rad, m. A half-width <= 0 means that no straight line falls untouched;
        the direction is then that of the best compromise.
    """
    reach = table.arcs[2 * pocket, 2] + table.ball_radius
    fx, fy, fr = table.pockets[pocket, 0], table.pockets[pocket, 1], table.pockets[pocket, 2]
    to_fall = math.hypot(fx - x, fy - y)
    forward = math.atan2(fy - y, fx - x)
    spread = math.asin(fr / to_fall) if to_fall > fr else 0.5 * math.pi
    low, high = -spread, spread
    for arc in range(2 * pocket, 2 * pocket + 2):
        ax, ay = table.arcs[arc, 0], table.arcs[arc, 1]
        limit = wrap_angle(_jaw_limit(x, y, ax, ay, reach, fx, fy, fr) - forward)
        if (fx - x) * (ay - y) - (fy - y) * (ax - x) >= 0.0:
            high = min(high, limit)
        else:
            low = max(low, limit)
    return wrap_angle(forward + 0.5 * (low + high)), 0.5 * (high - low), max(to_fall - fr, 0.0)


@kernel
def in_field(x, y, table):
    """Whether a ball centre lies where no cushion or jaw reaches it: the field less one radius all round."""
    margin = table.ball_radius - _SLACK
    return abs(x) <= 0.5 * table.length - margin and abs(y) <= 0.5 * table.width - margin


@kernel
def path_clear(ax, ay, bx, by, layout, balls, radius):
    """Whether a ball can roll straight from a to b without touching any ball of the set ``balls``."""
    dx, dy = bx - ax, by - ay
    length2 = dx * dx + dy * dy
    limit = (2.0 * radius - _SLACK) ** 2
    for slot in range(N_SLOTS):
        if (balls >> slot) & 1 == 0:
            continue
        px, py = layout[slot, 0] - ax, layout[slot, 1] - ay
        t = min(max((px * dx + py * dy) / length2, 0.0), 1.0) if length2 > 0.0 else 0.0
        ex, ey = px - t * dx, py - t * dy
        if ex * ex + ey * ey < limit:
            return False
    return True


@kernel
def _jaws_clear(ax, ay, bx, by, table):
    """The same for the jaws; a straight path inside the field needs no such test."""
    dx, dy = bx - ax, by - ay
    length2 = max(dx * dx + dy * dy, 1e-18)
    for arc in range(N_ARCS):
        px, py = table.arcs[arc, 0] - ax, table.arcs[arc, 1] - ay
        t = min(max((px * dx + py * dy) / length2, 0.0), 1.0)
        if math.hypot(px - t * dx, py - t * dy) < table.arcs[arc, 2] + table.ball_radius - _SLACK:
            return False
    return True


@kernel
def aim_gain(reach, cut, radius):
    """How much an error of the cue ball's direction grows in the object ball's: ``reach / (2 R cos cut)``.

    Derivative of ``sin(cut) = d sin(delta) / 2R`` (d: distance of the centres, delta: aim off the line of centres).
    """
    return reach / (2.0 * radius * max(math.cos(cut), 1e-3))


@kernel
def pot_chance(aim_half, sigma):
    """Chance of a normal error of the cue ball's direction (standard deviation ``sigma``, rad) inside the window."""
    if aim_half <= 0.0:
        return 0.0
    return math.erf(aim_half / (math.sqrt(2.0) * max(sigma, 1e-9)))


@kernel
def pot_into(layout, on_table, cx, cy, table, ball, pocket, pot):
    """Fill one ``POT`` row for the cue ball at (cx, cy): windows, angles, which lines are free.

    Args:
        layout: (22, 2) positions, m.
        on_table: set of balls in play; the cue ball's own bit and place are not looked at.
        cx: the cue ball's place, m.
        cy: the same.
        table: ``TABLE`` record.
        ball: slot of the object ball (must be in play).
        pocket: index of the pocket.
        pot: the row.
    """
    radius = table.ball_radius
    bx, by = layout[ball, 0], layout[ball, 1]
    direction, half, run = pocket_window(bx, by, table, pocket)
    ux, uy = math.cos(direction), math.sin(direction)
    gx, gy = bx - 2.0 * radius * ux, by - 2.0 * radius * uy
    angle = math.atan2(gy - cy, gx - cx)
    reach = math.hypot(gx - cx, gy - cy)
    cut = abs(wrap_angle(direction - angle))
    gain = aim_gain(reach, cut, radius)
    pot.direction, pot.half_window, pot.run = direction, half, run
    pot.ghost[0], pot.ghost[1] = gx, gy
    pot.angle, pot.reach, pot.cut, pot.gain = angle, reach, cut, gain
    pot.aim_half = half / max(gain, 1e-6)
    flags = 0
    if half > 0.0 and cut < MAX_CUT:
        flags |= POSSIBLE
        others = on_table & ~((1 << CUE) | (1 << ball))
        if path_clear(bx, by, bx + run * ux, by + run * uy, layout, others, radius):
            flags |= OBJECT_CLEAR
        free = in_field(gx, gy, table) and path_clear(cx, cy, gx, gy, layout, others, radius)
        if free and (in_field(cx, cy, table) or _jaws_clear(cx, cy, gx, gy, table)):
            flags |= CUE_CLEAR
    pot.flags = flags


@kernel
def pots_into(layout, on_table, balls, table, pots):
    """Fill the rows of ``pots`` (22, 6) for every ball of the set ``balls``; other rows get no flags."""
    for ball in range(N_SLOTS):
        for pocket in range(N_POCKETS):
            if ball != CUE and (balls >> ball) & 1:
                pot_into(layout, on_table, layout[CUE, 0], layout[CUE, 1], table, ball, pocket, pots[ball, pocket])
            else:
                pots[ball, pocket].flags = 0
