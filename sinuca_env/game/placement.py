"""Where the cue ball may lie, and what the cue finds behind it: placement in the D, elevation, the ball aimed at.

``layout`` is (22, 2) m, ``on_table`` a set of balls, ``table`` a ``TABLE`` record; angles in rad.
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel
from sinuca_env.state.balls import CUE, FIRST_RED, N_SLOTS
from sinuca_env.state.records import NO_BALL

__all__ = ["CUE_LENGTH", "CUE_RADIUS", "MAX_ELEVATION", "aimed_ball", "clear_elevation", "is_free", "place_in_d"]

CLEARANCE = 2e-5  # m, gap to other balls of a placed cue ball: above the touching tolerance of 1e-5
CUE_RADIUS = 0.005  # m, of the cue's front part (a snooker tip is 9.5 mm wide)
CUE_LENGTH = 1.45  # m, usual length of a snooker cue
MAX_ELEVATION = math.radians(60.0)


@kernel
def is_free(x, y, layout, on_table, radius):
    """Whether a cue ball at (x, y) would touch no other ball."""
    reach = 2.0 * radius + CLEARANCE
    for slot in range(FIRST_RED, N_SLOTS):
        if (on_table >> slot) & 1:
            dx, dy = layout[slot, 0] - x, layout[slot, 1] - y
            if dx * dx + dy * dy < reach * reach:
                return False
    return True


@kernel(internal=True)
def _into_d(x, y, table):
    """The point of the D nearest to (x, y), its lines included (16-III); the middle of the D for NaN."""
    dx, dy = x - table.baulk_x, y
    if not (math.isfinite(dx) and math.isfinite(dy)):
        return table.baulk_x - 0.5 * table.d_radius, 0.0
    if dx > 0.0:
        return table.baulk_x, min(max(dy, -table.d_radius), table.d_radius)
    distance = math.hypot(dx, dy)
    if distance > table.d_radius:
        # A hair inside, so that rounding never puts it outside.
        scale = table.d_radius * (1.0 - 1e-12) / distance
        dx, dy = dx * scale, dy * scale
    return table.baulk_x + dx, dy


@kernel
def place_in_d(x, y, layout, on_table, table):
    """The legal place for the cue ball in hand: (x, y) moved into the D, then off other balls.

    If the place is taken, rings of growing radius round it (5 mm apart, 32 directions) are tried and the first free
    place in the D is the answer, so that it is never more than 5 mm farther than it has to be. With no free place in
    the whole D (it takes eight balls or more) the wanted place is returned.
    """
    px, py = _into_d(x, y, table)
    if is_free(px, py, layout, on_table, table.ball_radius):
        return px, py
    for ring in range(1, int(2.0 * table.d_radius / 0.005) + 1):
        for step in range(32):
            turn = step * math.pi / 16.0
            qx, qy = px + 0.005 * ring * math.cos(turn), py + 0.005 * ring * math.sin(turn)
            inside = qx <= table.baulk_x and math.hypot(qx - table.baulk_x, qy) <= table.d_radius
            if inside and is_free(qx, qy, layout, on_table, table.ball_radius):
                return qx, qy
    return px, py


@kernel
def aimed_ball(layout, on_table, angle, radius):
    """Slot of the ball that the cue ball meets first along the straight aim line, NO_BALL if none (19, evident)."""
    ux, uy = math.cos(angle), math.sin(angle)
    reach2 = 4.0 * radius * radius
    first, nearest = NO_BALL, 1e300
    for slot in range(FIRST_RED, N_SLOTS):
        if (on_table >> slot) & 1:
            dx, dy = layout[slot, 0] - layout[CUE, 0], layout[slot, 1] - layout[CUE, 1]
            along, across = dx * ux + dy * uy, dy * ux - dx * uy
            if along > 0.0 and across * across < reach2:
                distance = along - math.sqrt(reach2 - across * across)
                if distance < nearest:
                    first, nearest = slot, distance
    return first


@kernel(internal=True)
def _behind_cushion(x, y, ux, uy, table):
    """How far behind (x, y), against the direction (ux, uy), the rectangle of the cushion faces lies (m)."""
    distance = 1e300
    if abs(ux) > 1e-12:
        distance = min(distance, (0.5 * table.length + (x if ux > 0.0 else -x)) / abs(ux))
    if abs(uy) > 1e-12:
        distance = min(distance, (0.5 * table.width + (y if uy > 0.0 else -y)) / abs(uy))
    return distance


@kernel
def clear_elevation(layout, on_table, angle, top, nose_height, table):
    """The least elevation at which the cue clears the cushion and the balls behind the cue ball (rad).

    The cue is a straight rod of radius ``CUE_RADIUS`` and length ``CUE_LENGTH`` whose axis passes ``top`` radii above
    the cue ball's centre (measured across the axis). Pockets count as cushion. With distances measured across the
    axis at elevation e:

    * a ball whose centre lies s behind and l aside is cleared when ``top R + s sin e >= sqrt((R + r)^2 - l^2)``;
    * a nose h above the cue ball's centre and s behind when ``top R + s sin e - h cos e >= r``.

    Never more than ``MAX_ELEVATION``; what would demand more is played at that.

    Args:
        angle: direction of aim.
        top: tip offset in R.
        nose_height: of the cushion's nose above the cloth, in R.
    """
    radius = table.ball_radius
    ux, uy = math.cos(angle), math.sin(angle)
    x, y = layout[CUE, 0], layout[CUE, 1]
    lift = top * radius
    least = 0.0
    s = max(_behind_cushion(x, y, ux, uy, table), radius)
    if s < CUE_LENGTH:
        h = (nose_height - 1.0) * radius
        least = math.atan2(h, s) + math.asin(min(max((CUE_RADIUS - lift) / math.hypot(s, h), -1.0), 1.0))
    for slot in range(FIRST_RED, N_SLOTS):
        if (on_table >> slot) & 1:
            dx, dy = layout[slot, 0] - x, layout[slot, 1] - y
            behind, aside = -(dx * ux + dy * uy), dy * ux - dx * uy
            room = (radius + CUE_RADIUS) ** 2 - aside * aside
            if 0.0 < behind < CUE_LENGTH and room > 0.0:
                least = max(least, math.asin(min(max((math.sqrt(room) - lift) / behind, 0.0), 1.0)))
    return min(max(least, 0.0), MAX_ELEVATION)
