"""What happens next: a ball's own events (phase end, cushion, jaw, pocket) and its meetings with other balls.

Own events come first; a ball's path is then known to hold until its own event, and meetings are looked for only up to
the earlier of two balls' own events. Boxes of the paths rule out most pairs, cushions and pockets before any equation
is solved.
"""

from __future__ import annotations

from sinuca_env._jit import kernel
from sinuca_env.physics.motion import (
    BX0,
    BX1,
    BY0,
    BY1,
    HX,
    HY,
    INF,
    REST,
    T0,
    TEND,
    VX,
    VY,
    X,
    Y,
    set_box,
)  # fmt: skip
from sinuca_env.physics.roots import hit_time, line_time

__all__ = ["EV_END", "EV_JAW", "EV_LINE", "EV_POCKET", "own_event", "pair_time", "pocket_boxes"]

EV_END, EV_LINE, EV_JAW, EV_POCKET = 1, 2, 3, 4
"""Kinds of a ball's own event."""


@kernel
def pocket_boxes(table, boxes):
    """Boxes (x0 x1 y0 y1) of a pocket's jaws and fall circle: no event of the pocket outside, for a ball's edge."""
    for k in range(6):
        x, y, r = table.pockets[k, 0], table.pockets[k, 1], table.pockets[k, 2]
        boxes[k, 0], boxes[k, 1], boxes[k, 2], boxes[k, 3] = x - r, x + r, y - r, y + r
        for a in range(2 * k, 2 * k + 2):
            x, y, r = table.arcs[a, 0], table.arcs[a, 1], table.arcs[a, 2]
            boxes[k, 0], boxes[k, 1] = min(boxes[k, 0], x - r), max(boxes[k, 1], x + r)
            boxes[k, 2], boxes[k, 3] = min(boxes[k, 2], y - r), max(boxes[k, 3], y + r)


@kernel
def _line_event(balls, i, span, table, reach):
    """The first cushion face that ball ``i`` meets within ``span``: ``(time from its clock, line)``."""
    x, y, vx, vy, hx, hy = balls[i, X], balls[i, Y], balls[i, VX], balls[i, VY], balls[i, HX], balls[i, HY]
    found = -1
    for k in range(6):
        nx, ny = table.lines[k, 4], table.lines[k, 5]
        gap = nx * (x - table.lines[k, 0]) + ny * (y - table.lines[k, 1]) - reach
        t = line_time(gap, nx * vx + ny * vy, nx * hx + ny * hy)
        if t < span:
            # Between the ends of the face?
            px, py = x + (vx + hx * t) * t, y + (vy + hy * t) * t
            x1, y1, x2, y2 = table.lines[k, 0], table.lines[k, 1], table.lines[k, 2], table.lines[k, 3]
            if (px - x1) * (px - x2) * ny * ny + (py - y1) * (py - y2) * nx * nx <= 0.0:
                span, found = t, k
    return span, found


@kernel
def own_event(balls, phase, i, table, boxes, p):
    """The next event of ball ``i`` by itself; stores the box of its path until then.

    Returns:
        ``(t, kind, where)``: when, what, and which line, arc or pocket. Infinite for a ball at rest.
    """
    if phase[i] == REST:
        x, y = balls[i, X], balls[i, Y]
        balls[i, BX0], balls[i, BX1], balls[i, BY0], balls[i, BY1] = x, x, y, y
        return INF, EV_END, 0
    now, end = balls[i, T0], balls[i, TEND]
    span = end - now
    kind, where = EV_END, 0
    set_box(balls, i, span)
    reach = p.ball_radius + p.contact_gap
    inner_x, inner_y = 0.5 * table.length - reach, 0.5 * table.width - reach
    if balls[i, BX0] > -inner_x and balls[i, BX1] < inner_x and balls[i, BY0] > -inner_y and balls[i, BY1] < inner_y:
        return end, kind, where
    t, k = _line_event(balls, i, span, table, reach)
    if k >= 0:
        span, kind, where = t, EV_LINE, k
        set_box(balls, i, span)
    window = span  # the same for all jaws and pockets: roots must not depend on their order
    for k in range(6):
        if (
            balls[i, BX0] > boxes[k, 1] + reach
            or balls[i, BX1] < boxes[k, 0] - reach
            or balls[i, BY0] > boxes[k, 3] + reach
            or balls[i, BY1] < boxes[k, 2] - reach
        ):
            continue
        x, y, vx, vy, hx, hy = balls[i, X], balls[i, Y], balls[i, VX], balls[i, VY], balls[i, HX], balls[i, HY]
        for a in range(3):
            if a < 2:
                cx, cy, r = table.arcs[2 * k + a, 0], table.arcs[2 * k + a, 1], table.arcs[2 * k + a, 2] + reach
            else:
                cx, cy, r = table.pockets[k, 0], table.pockets[k, 1], table.pockets[k, 2]
            if balls[i, BX0] > cx + r or balls[i, BX1] < cx - r or balls[i, BY0] > cy + r or balls[i, BY1] < cy - r:
                continue
            t = hit_time(x - cx, y - cy, vx, vy, hx, hy, r, window)
            if t < span or (a == 2 and t == span < INF):
                span = t
                if a < 2:
                    kind, where = EV_JAW, 2 * k + a
                else:
                    kind, where = EV_POCKET, k
    if kind == EV_END:
        return end, kind, where
    set_box(balls, i, span)
    return now + span, kind, where


@kernel
def pair_time(balls, i, j, now, until, reach):
    """When the balls meet, at the latest ``until``; ``i`` is at ``now``, ``j`` on its own clock."""
    dt = now - balls[j, T0]
    hx, hy = balls[j, HX], balls[j, HY]
    vx, vy = balls[j, VX], balls[j, VY]
    return now + hit_time(
        balls[i, X] - (balls[j, X] + (vx + hx * dt) * dt),
        balls[i, Y] - (balls[j, Y] + (vy + hy * dt) * dt),
        balls[i, VX] - (vx + 2.0 * hx * dt),
        balls[i, VY] - (vy + 2.0 * hy * dt),
        balls[i, HX] - hx,
        balls[i, HY] - hy,
        reach,
        until - now,
    )
