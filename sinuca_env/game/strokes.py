"""Building strokes in closed form: how hard to play a pot, a contact of a given thickness, a kick off one cushion.

Straight lines are tested for balls in the way; what happens after a first rebound between balls is left to the engine.
``s`` is a ``STRIKE`` record that is filled (speed, tip, angle, elevation), ``p`` a ``PHYSICS``, ``table`` a ``TABLE``.
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel
from sinuca_env.game.aim import solve_line, state_at_range
from sinuca_env.game.placement import clear_elevation
from sinuca_env.game.potting import in_field, path_clear, wrap_angle
from sinuca_env.physics.collide_ball import resolve_pair
from sinuca_env.physics.collide_cushion import rebound
from sinuca_env.physics.strike import strike
from sinuca_env.state.balls import CUE
from sinuca_env.table.spec import N_POCKETS

__all__ = [
    "ARRIVAL", "clear_strike", "contact_stroke", "falls_in", "kick_stroke", "pot_stroke", "speed_step", "N_SPEEDS",
]  # fmt: skip

N_SPEEDS = 23
ARRIVAL = 0.45  # m/s at the fall circle: rolls on 1 m, a margin for noise of the speed
_IN_OFF_MARGIN = 0.008  # m, round the fall circle, for what straight lines leave out


@kernel
def speed_step(k):
    """Cue speeds to choose from: 0.5 to 6.5 m/s in steps of 12.4 %."""
    return 0.5 * 1.1236**k


@kernel
def clear_strike(s):
    """A centre stroke, not yet aimed."""
    s.angle, s.speed, s.side, s.top, s.elevation, s.direct = 0.0, 0.0, 0.0, 0.0, 0.0, 0
    for k in range(3):
        s.v[k] = 0.0
        s.w[k] = 0.0


@kernel
def _segment_falls(ax, ay, bx, by, table):
    """Whether a path from a to b, up to where it leaves the cushion rectangle, enters a fall circle."""
    dx, dy = bx - ax, by - ay
    cut = 1.0
    hx, hy = 0.5 * table.length, 0.5 * table.width
    if abs(bx) > hx and abs(dx) > 0.0:
        cut = min(cut, (math.copysign(hx, bx) - ax) / dx)
    if abs(by) > hy and abs(dy) > 0.0:
        cut = min(cut, (math.copysign(hy, by) - ay) / dy)
    dx, dy = dx * max(cut, 0.0), dy * max(cut, 0.0)
    length2 = dx * dx + dy * dy
    for pocket in range(N_POCKETS):
        px, py = table.pockets[pocket, 0] - ax, table.pockets[pocket, 1] - ay
        t = min(max((px * dx + py * dy) / length2, 0.0), 1.0) if length2 > 0.0 else 0.0
        if math.hypot(px - t * dx, py - t * dy) < table.pockets[pocket, 2] + _IN_OFF_MARGIN:
            return True
    return False


@kernel
def falls_in(x, y, vx, vy, wx, wy, table, p):
    """Whether a ball that moves like this runs straight into a pocket (before any cushion; other balls not seen)."""
    radius = p.ball_radius
    ux, uy = vx - radius * wy, vy + radius * wx
    slip, grip = math.hypot(ux, uy), p.mu_slide * p.gravity
    if slip > 1e-9 and grip > 0.0:
        slide = 2.0 * slip / (7.0 * grip)
        ax, ay = -grip * ux / slip, -grip * uy / slip
        mx, my = x + (vx + 0.5 * ax * slide) * slide, y + (vy + 0.5 * ay * slide) * slide
        vx, vy = vx + ax * slide, vy + ay * slide
        if _segment_falls(x, y, mx, my, table):
            return True
        x, y = mx, my
        if not in_field(x, y, table):
            return False
    speed = math.hypot(vx, vy)
    if speed < 1e-6:
        return False
    run = speed * speed / (2.0 * max(p.mu_roll * p.gravity, 1e-6))
    return _segment_falls(x, y, x + run * vx / speed, y + run * vy / speed, table)


@kernel
def pot_stroke(layout, on_table, table, p, ball, direction, run, top, side, harder, s):
    """The softest stroke that brings ``ball`` along ``direction`` into the pocket with ``ARRIVAL`` to spare.

    Args:
        layout: (22, 2), the cue ball placed.
        on_table: set of balls in play.
        table: record.
        p: record.
        ball: slot.
        direction: rad.
        run: m.
        top: tip offset, R.
        side: tip offset, R.
        harder: steps of speed above the softest.
        s: filled.

    Returns:
        ``(ok, in_off)``: whether there is one; whether the cue ball runs straight on into a pocket.
    """
    clear_strike(s)
    s.top, s.side = top, side
    cx, cy, bx, by = layout[CUE, 0], layout[CUE, 1], layout[ball, 0], layout[ball, 1]
    s.elevation = clear_elevation(layout, on_table, math.atan2(by - cy, bx - cx), top, p.nose_height, table)
    softest = -1
    for k in range(N_SPEEDS):
        if softest >= 0 and k < softest + harder:
            continue
        s.speed = speed_step(k)
        found = solve_line(cx, cy, bx, by, direction, run, s, p)
        if found[0] == 1 and found[3] >= ARRIVAL:
            if softest < 0:
                softest = k
                if harder > 0:
                    continue
            # The direction was only roughly known: what stands behind is looked at again.
            s.elevation = clear_elevation(layout, on_table, found[1], top, p.nose_height, table)
            found = solve_line(cx, cy, bx, by, direction, run, s, p)
            s.angle = found[1]
            gx, gy = bx - 2.0 * p.ball_radius * math.cos(found[4]), by - 2.0 * p.ball_radius * math.sin(found[4])
            return found[0] == 1, falls_in(gx, gy, found[5], found[6], found[7], found[8], table, p)
    return False, False


@kernel
def contact_stroke(layout, on_table, table, p, ball, thickness, speed, top, s):
    """A stroke at a ball with a given thickness, straight from where the cue ball lies.

    Args:
        layout: (22, 2), the cue ball placed.
        on_table: set of balls in play.
        table: record.
        p: record.
        ball: slot.
        thickness: the cue ball's centre would pass ``2 R thickness`` to the left of the ball's; 0 = full.
        speed: of the cue, m/s.
        top: tip offset, R.
        s: filled.

    Returns:
        ``(ok, in_off, speed at contact)``.
    """
    clear_strike(s)
    s.speed, s.top = speed, top
    diameter = 2.0 * p.ball_radius
    cx, cy = layout[CUE, 0], layout[CUE, 1]
    dx, dy = layout[ball, 0] - cx, layout[ball, 1] - cy
    distance = math.hypot(dx, dy)
    if distance < diameter * (1.0 + 1e-4):
        return False, False, 0.0  # touching: must be played away from
    turn = math.asin(min(max(diameter * thickness / distance, -1.0), 1.0))
    s.angle = wrap_angle(math.atan2(dy, dx) + turn)
    s.elevation = clear_elevation(layout, on_table, s.angle, top, p.nose_height, table)
    across = distance * math.sin(turn)
    reach = distance * math.cos(turn) - math.sqrt(max(diameter * diameter - across * across, 0.0))
    ux, uy = math.cos(s.angle), math.sin(s.angle)
    gx, gy = cx + reach * ux, cy + reach * uy
    others = on_table & ~((1 << CUE) | (1 << ball))
    if not path_clear(cx, cy, gx, gy, layout, others, p.ball_radius) or not in_field(gx, gy, table):
        return False, False, 0.0
    vx, vy, wx, wy, wz, _ = strike(s, p)
    got, _, vx, vy, wx, wy, wz = state_at_range(vx, vy, wx, wy, wz, reach, p)
    if got == 0:
        return False, False, 0.0
    nx, ny = (layout[ball, 0] - gx) / diameter, (layout[ball, 1] - gy) / diameter
    after = resolve_pair(vx, vy, wx, wy, wz, 0.0, 0.0, 0.0, 0.0, 0.0, nx, ny, p)
    in_off = falls_in(gx, gy, after[0], after[1], after[2], after[3], table, p)
    return True, in_off, math.hypot(vx, vy)


@kernel
def _kick_miss(cx, cy, bx, by, angle, line, table, p, v0, w0):
    """How far a stroke off one cushion passes to the left of a ball's centre; ``v0``, ``w0`` along the stroke.

    Returns:
        ``(ok, miss, hx, hy, speed)``: m; the cue ball's centre at the cushion; its speed at the ball.
    """
    ux, uy = math.cos(angle), math.sin(angle)
    nx, ny = table.lines[line, 4], table.lines[line, 5]
    gap = (cx - table.lines[line, 0]) * nx + (cy - table.lines[line, 1]) * ny - p.ball_radius
    closing = -(ux * nx + uy * ny)
    if closing < 0.02 or gap < 0.0:
        return 0, 0.0, cx, cy, 0.0
    leg = gap / closing
    got, _, v, _, _, w, _ = state_at_range(v0, 0.0, 0.0, w0, 0.0, leg, p)
    hx, hy = cx + leg * ux, cy + leg * uy
    if got == 0:
        return 0, 0.0, hx, hy, 0.0
    vx, vy, wx, wy, wz = rebound(v * ux, v * uy, -w * uy, w * ux, 0.0, nx, ny, p)
    leg2 = math.hypot(bx - hx, by - hy)
    got, bearing, vx, vy, _, _, _ = state_at_range(vx, vy, wx, wy, wz, leg2, p)
    off = wrap_angle(bearing - math.atan2(by - hy, bx - hx))
    # The bearing is a smooth function of the aim, its sine is not one-to-one.
    return got, off * leg2, hx, hy, math.hypot(vx, vy)


@kernel
def kick_stroke(layout, on_table, table, p, ball, line, thickness, speed, s):
    """A stroke that meets ``ball`` after one cushion: the mirror image first, then secant steps with the real rebound.

    Args:
        layout: (22, 2), the cue ball placed.
        on_table: set of balls in play.
        table: record.
        p: record.
        ball: slot.
        line: index of the cushion face.
        thickness: of the contact, as in :func:`contact_stroke`.
        speed: of the cue, m/s.
        s: filled.

    Returns:
        Whether there is one with free lines.
    """
    clear_strike(s)
    s.speed = speed
    cx, cy, bx, by = layout[CUE, 0], layout[CUE, 1], layout[ball, 0], layout[ball, 1]
    nx, ny = table.lines[line, 4], table.lines[line, 5]
    depth = (bx - table.lines[line, 0]) * nx + (by - table.lines[line, 1]) * ny - p.ball_radius
    angle = math.atan2(by - 2.0 * depth * ny - cy, bx - 2.0 * depth * nx - cx)
    s.elevation = clear_elevation(layout, on_table, angle, 0.0, p.nose_height, table)
    v0, _, _, w0, _, _ = strike(s, p)
    wanted = 2.0 * p.ball_radius * thickness
    last, last_miss = angle + 0.01, 0.0
    ok, last_miss, hx, hy, _ = _kick_miss(cx, cy, bx, by, last, line, table, p, v0, w0)
    if ok == 0:
        return False
    miss = 1.0
    for _ in range(12):
        ok, miss, hx, hy, _ = _kick_miss(cx, cy, bx, by, angle, line, table, p, v0, w0)
        if ok == 0 or abs(miss - wanted) < 1e-5 or miss == last_miss:
            break
        step = (wanted - miss) * (angle - last) / (miss - last_miss)
        last, last_miss = angle, miss
        angle += min(max(step, -0.1), 0.1)
    if ok == 0 or abs(miss - wanted) > 1e-3:
        return False
    s.angle = wrap_angle(angle)
    # On the straight face, with a ball radius to spare before the jaws.
    x1, y1, x2, y2 = table.lines[line, 0], table.lines[line, 1], table.lines[line, 2], table.lines[line, 3]
    along = ((hx - x1) * (x2 - x1) + (hy - y1) * (y2 - y1)) / math.hypot(x2 - x1, y2 - y1)
    if along < p.ball_radius or along > math.hypot(x2 - x1, y2 - y1) - p.ball_radius:
        return False
    others = on_table & ~((1 << CUE) | (1 << ball))
    target = on_table & (1 << ball)
    return path_clear(cx, cy, hx, hy, layout, others | target, p.ball_radius) and path_clear(
        hx, hy, bx, by, layout, others, p.ball_radius
    )
