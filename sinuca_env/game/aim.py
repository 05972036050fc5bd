"""The aim solver: the cue's direction that sends a ball along a line, with this speed, side, top and elevation.

Throw, squirt and swerve are compensated by the engine's own stroke and impact (no table, nothing fitted). A cue ball's
path on the cloth turns rigidly with the cue's direction, so the bearing at which it arrives at a given range is the
direction plus an offset that depends on the range alone; the object ball's departure differs from the line of centres
by a throw that varies slowly. The solver therefore iterates on the line of centres, whose correction converges in a
few steps, thin cuts included, and no contact has to be searched for.
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel
from sinuca_env.game.potting import aim_gain, pocket_window, wrap_angle
from sinuca_env.physics.collide_ball import resolve_pair
from sinuca_env.physics.strike import strike
from sinuca_env.state.balls import CUE, N_SLOTS
from sinuca_env.table.spec import N_POCKETS

__all__ = ["aim_at", "aim_target", "aim_targets_into", "solve_line", "state_at_range"]

_ITERATIONS = 20
_CONVERGED = 1e-9  # rad, of the object ball's direction: 1e-9 m after the longest run


@kernel
def _time_at_range(vx, vy, ax, ay, duration, distance):
    """Time at which ``v t + a t^2 / 2`` is ``distance`` from its start, or -1 when not within ``duration``."""
    speed = math.hypot(vx, vy)
    if speed <= 0.0:
        return -1.0
    t = distance / speed
    for _ in range(20):
        x, y = (vx + 0.5 * ax * t) * t, (vy + 0.5 * ay * t) * t
        away = math.hypot(x, y)
        rate = (x * (vx + ax * t) + y * (vy + ay * t)) / away if away > 0.0 else speed
        if rate <= 1e-9:
            return -1.0  # turned back before it got there
        step = (distance - away) / rate
        t = max(t + step, 0.0)
        if t > 2.0 * duration + distance / speed:
            return -1.0
        if abs(step) < 1e-13:
            break
    return t if t <= duration else -1.0


@kernel
def state_at_range(vx, vy, wx, wy, wz, distance, p):
    """Motion of a ball on the cloth when it is ``distance`` from where it started.

    Sliding with deceleration ``mu_slide g`` against the slip ``u = (vx - R wy, vy + R wx)`` for ``2 |u| / (7 mu g)``,
    then rolling straight with ``mu_roll g``; spin about the vertical decays on its own.

    Returns:
        ``(reached, bearing, vx, vy, wx, wy, wz)``: bearing of the place from the start (rad); with ``reached`` 0 (it
        stops or turns back first) the bearing is that of the final rolling direction and the rest is zero.
    """
    radius = p.ball_radius
    ux, uy = vx - radius * wy, vy + radius * wx
    slip = math.hypot(ux, uy)
    grip = p.mu_slide * p.gravity
    slide = 2.0 * slip / (7.0 * grip) if grip > 0.0 else (math.inf if slip > 0.0 else 0.0)
    ax, ay = (-grip * ux / slip, -grip * uy / slip) if slip > 1e-12 else (0.0, 0.0)
    t = _time_at_range(vx, vy, ax, ay, slide, distance) if slide > 0.0 else -1.0
    if t >= 0.0:
        x, y = (vx + 0.5 * ax * t) * t, (vy + 0.5 * ay * t) * t
        spin = max(abs(wz) - p.spin_decay * t, 0.0)
        k = 2.5 * t / radius
        return 1, math.atan2(y, x), vx + ax * t, vy + ay * t, wx + k * ay, wy - k * ax, math.copysign(spin, wz)
    # Where rolling begins, and on from there.
    if math.isinf(slide):
        return 0, math.atan2(vy, vx), 0.0, 0.0, 0.0, 0.0, 0.0
    sx, sy = (vx + 0.5 * ax * slide) * slide, (vy + 0.5 * ay * slide) * slide
    vx, vy = vx + ax * slide, vy + ay * slide
    speed = math.hypot(vx, vy)
    if speed <= 1e-9:
        return 0, math.atan2(sy, sx), 0.0, 0.0, 0.0, 0.0, 0.0
    dx, dy = vx / speed, vy / speed
    along = sx * dx + sy * dy
    inside = distance * distance - (sx * sx + sy * sy - along * along)
    run = math.sqrt(inside) - along if inside >= 0.0 else -1.0
    brake = p.mu_roll * p.gravity
    left = speed * speed - 2.0 * brake * run
    if run < 0.0 or left <= 0.0:
        return 0, math.atan2(vy, vx), 0.0, 0.0, 0.0, 0.0, 0.0
    now = math.sqrt(left)
    spin = max(abs(wz) - p.spin_decay * (slide + (2.0 * run / (speed + now))), 0.0)
    bearing = math.atan2(sy + run * dy, sx + run * dx)
    return 1, bearing, now * dx, now * dy, -now * dy / radius, now * dx / radius, math.copysign(spin, wz)


@kernel
def solve_line(cx, cy, bx, by, direction, run, s, p):
    """:func:`aim_at` with all that it finds out.

    Returns:
        ``(ok, angle, contact_speed, arrival_speed, normal, vx, vy, wx, wy, wz)``: also the direction of the line of
        centres at contact (rad) and the cue ball's motion just after it.
    """
    diameter = 2.0 * p.ball_radius
    v0x, v0y, w0x, w0y, w0z, _ = strike(s, p)
    normal, angle = direction, math.atan2(by - cy, bx - cx)
    arrived, contact_speed, arrival_speed = 0, 0.0, 0.0
    ex, ey, fx, fy, fz = 0.0, 0.0, 0.0, 0.0, 0.0
    for _ in range(_ITERATIONS):
        gx, gy = bx - diameter * math.cos(normal), by - diameter * math.sin(normal)
        reach = math.hypot(gx - cx, gy - cy)
        got, bearing, vx, vy, wx, wy, wz = state_at_range(v0x, v0y, w0x, w0y, w0z, reach, p)
        angle = math.atan2(gy - cy, gx - cx) - bearing + s.angle if reach >= 1e-9 else direction
        if got == 0:
            return 0, wrap_angle(angle), 0.0, 0.0, normal, 0.0, 0.0, 0.0, 0.0, 0.0
        # Turn the cue ball's state from the stroke's own direction to the one just found.
        c, d = math.cos(angle - s.angle), math.sin(angle - s.angle)
        vx, vy, wx, wy = c * vx - d * vy, d * vx + c * vy, c * wx - d * wy, d * wx + c * wy
        nx, ny = math.cos(normal), math.sin(normal)
        contact_speed = math.hypot(vx, vy)
        if vx * nx + vy * ny <= 1e-6:
            return 0, wrap_angle(angle), contact_speed, 0.0, normal, vx, vy, wx, wy, wz
        ex, ey, fx, fy, fz, ox, oy, rx, ry, rz = resolve_pair(vx, vy, wx, wy, wz, 0.0, 0.0, 0.0, 0.0, 0.0, nx, ny, p)
        arrived, heading, ox, oy, _, _, _ = state_at_range(ox, oy, rx, ry, rz, run, p)
        arrival_speed = math.hypot(ox, oy)
        miss = wrap_angle(direction - heading)
        normal += miss
        if abs(miss) < _CONVERGED:
            break
    return arrived, wrap_angle(angle), contact_speed, arrival_speed, normal, ex, ey, fx, fy, fz


@kernel
def aim_at(cx, cy, bx, by, direction, run, s, p):
    """The cue's direction for which the ball at (bx, by) passes through the point ``run`` away along ``direction``.

    Args:
        cx: the cue ball's place, m.
        cy: the same.
        bx: the object ball's place, m.
        by: the same.
        direction: of the wanted path, rad.
        run: m.
        s: ``STRIKE`` record: speed, side, top and elevation count, the angle does not.
        p: ``PHYSICS`` record.

    Returns:
        ``(ok, angle, contact_speed, arrival_speed)``. ``ok`` 0: the cue ball does not get there, or the object ball
        does not get that far, or the cut is over 90 degrees; the angle is then the best found.
    """
    found = solve_line(cx, cy, bx, by, direction, run, s, p)
    return found[0], found[1], found[2], found[3]


@kernel
def aim_target(layout, table, p, ball, pocket, s):
    """The aim that pots ``ball`` into ``pocket`` from where the cue ball lies, whatever stands in between.

    Returns:
        ``(ok, angle, half_window, aim_half)``: the cue's direction (rad), half of the pocket's window at the object
        ball and as the cue ball sees it (rad; never below 1e-6, so that a residual always moves the aim).
    """
    cx, cy, bx, by = layout[CUE, 0], layout[CUE, 1], layout[ball, 0], layout[ball, 1]
    direction, half, run = pocket_window(bx, by, table, pocket)
    ok, angle, _, _ = aim_at(cx, cy, bx, by, direction, run, s, p)
    diameter = 2.0 * table.ball_radius
    gx, gy = bx - diameter * math.cos(direction), by - diameter * math.sin(direction)
    reach = math.hypot(gx - cx, gy - cy)
    cut = abs(wrap_angle(direction - math.atan2(gy - cy, gx - cx)))
    half = max(half, 1e-3)  # a closed window (a jaw in the way) still gives residuals a scale
    return ok, angle, half, max(half / max(aim_gain(reach, cut, table.ball_radius), 0.1), 1e-6)


@kernel
def aim_targets_into(layout, balls, table, p, s, angles, aim_halves):
    """:func:`aim_target` for every ball of the set and every pocket; NaN elsewhere.

    Args:
        layout: (22, 2), the cue ball on the table.
        balls: set of object balls.
        table: ``TABLE`` record.
        p: ``PHYSICS`` record.
        s: ``STRIKE`` record (its angle does not count).
        angles: (22, 6) out, rad.
        aim_halves: (22, 6) out, rad.
    """
    for ball in range(N_SLOTS):
        for pocket in range(N_POCKETS):
            if ball != CUE and (balls >> ball) & 1:
                _, angle, _, half = aim_target(layout, table, p, ball, pocket, s)
                angles[ball, pocket], aim_halves[ball, pocket] = angle, half
            else:
                angles[ball, pocket], aim_halves[ball, pocket] = math.nan, math.nan
