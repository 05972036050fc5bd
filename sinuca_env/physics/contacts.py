"""The contacts of one instant: who touches whom, in which order they are resolved, what the shot record notes.

``con`` lists contacts: rows ball i, ball j (or a wall: -1 - line, -7 - arc), and the numbers of those being resolved;
``normal`` has their unit vectors from i to j. See :mod:`.clusters` for the law.
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel
from sinuca_env.physics.clusters import (
    MAX_CONTACTS,
    closing_speed,
    hit_jointly,
    hit_pair,
    hit_wall,
    least_separation,
)
from sinuca_env.physics.detect import EV_LINE
from sinuca_env.physics.log import LOG_BALL, LOG_JAW, LOG_LINE, log_event
from sinuca_env.physics.motion import BX0, BX1, BY0, BY1, HX, HY, T0, VX, VY, X, Y, advance
from sinuca_env.physics.roots import APPROACH
from sinuca_env.physics.schedule import HITS, SLOT, START

__all__ = ["MAX_EVENTS", "add_touching", "add_wall", "first_contact", "resolve"]

MAX_EVENTS = 20000  # a shot that needs more is cut off with a flag; the most seen in 12,000 frozen breaks is 1,071

_SAME_PLACE = 1e-9  # m, gap beyond the contact distance of bodies in contact
_AT_ONCE = 1e-9  # s, within which balls are hit simultaneously (first contact)
_OFF_START = 2e-3  # m, of travel within which the stroke itself meets a touching ball
_TIE = 1.0 - 1e-9
_SEQUENCE = 200  # rounds of one instant, three times what a frozen break needs


@kernel
def add_touching(balls, phase, i, n, alive, now, reach, con, normal, n_con, p):
    """Add the contacts of ball ``i`` (at ``now``) with all balls that it touches; returns the number of contacts.

    The touched balls are advanced to ``now``, which alone lets places be compared.
    """
    near = reach + _SAME_PLACE
    x, y = balls[i, X], balls[i, Y]
    for j in range(n):
        if (
            balls[j, BX0] > x + near
            or balls[j, BX1] < x - near
            or balls[j, BY0] > y + near
            or balls[j, BY1] < y - near
            or j == i
            or not (alive >> j) & 1
        ):
            continue
        dt = now - balls[j, T0]
        dx = balls[j, X] + (balls[j, VX] + balls[j, HX] * dt) * dt - x
        dy = balls[j, Y] + (balls[j, VY] + balls[j, HY] * dt) * dt - y
        if dx * dx + dy * dy > near * near or n_con >= MAX_CONTACTS:
            continue
        known = False
        for c in range(n_con):
            known = known or (con[0, c] == i and con[1, c] == j) or (con[0, c] == j and con[1, c] == i)
        if known:
            continue
        advance(balls, phase, j, now, p)
        dx, dy = balls[j, X] - x, balls[j, Y] - y
        d = math.sqrt(dx * dx + dy * dy)
        con[0, n_con], con[1, n_con] = i, j
        normal[n_con, 0], normal[n_con, 1] = dx / d, dy / d
        n_con += 1
    return n_con


@kernel
def add_wall(balls, i, kind, where, table, con, normal, n_con):
    """Add the contact of ball ``i`` with a line (ball -1 - line) or a jaw (ball -7 - arc)."""
    if kind == EV_LINE:
        nx, ny = -table.lines[where, 4], -table.lines[where, 5]
        code = -1 - where
    else:
        nx, ny = table.arcs[where, 0] - balls[i, X], table.arcs[where, 1] - balls[i, Y]
        d = math.sqrt(nx * nx + ny * ny)
        nx, ny = nx / d, ny / d
        code = -7 - where
    con[0, n_con], con[1, n_con] = i, code
    normal[n_con, 0], normal[n_con, 1] = nx, ny
    return n_con + 1


@kernel
def first_contact(shot, balls, slots, n, alive, now, reach):
    """Note all balls that the cue ball meets at this instant, before any impact."""
    found = 0
    for j in range(1, n):
        if (alive >> j) & 1:
            dt = now - balls[j, T0]
            dx = balls[j, X] + (balls[j, VX] + balls[j, HX] * dt) * dt - balls[0, X]
            dy = balls[j, Y] + (balls[j, VY] + balls[j, HY] * dt) * dt - balls[0, Y]
            d = math.sqrt(dx * dx + dy * dy)
            vx, vy = balls[j, VX] + 2.0 * balls[j, HX] * dt, balls[j, VY] + 2.0 * balls[j, HY] * dt
            closing = ((balls[0, VX] - vx) * dx + (balls[0, VY] - vy) * dy) / d
            if closing > APPROACH and d - reach <= _SAME_PLACE + closing * _AT_ONCE:
                found |= 1 << slots[j]
    shot.first_contact = found


@kernel
def _count_contact(shot, balls, slots, speed, i, j, normal, now, log, marks, p):
    """Note an impact in the shot record and the log."""
    shot.events += 1
    if j >= 0:
        shot.contacts += 1
        if i == 0 or j == 0:
            other = slots[i + j]
            if (int(shot.touching_before) >> other) & 1:
                if now * speed <= _OFF_START:
                    shot.moved_touching |= 1 << other
        if log.shape[0] > 0:
            r = p.ball_radius
            log_event(
                log, marks, now, LOG_BALL, slots[i], slots[j], balls[i, X] + r * normal[0], balls[i, Y] + r * normal[1]
            )
        return
    shot.cushions += 1
    shot.cushion_balls |= 1 << slots[i]
    if i == 0 and shot.first_contact == 0:
        shot.cushions_before_contact += 1
    if log.shape[0] > 0:
        code, where = (LOG_LINE, -1 - j) if j > -7 else (LOG_JAW, -7 - j)
        log_event(log, marks, now, code, slots[i], where, balls[i, X], balls[i, Y])


@kernel
def _choose(balls, con, normal, n_con, work):
    """The contacts to resolve next, written to con[2]: the fastest closing one and those that tie with it.

    Returns:
        ``(number, whether two of them share a ball)``; 0 when none approaches.
    """
    top, fastest = -1, APPROACH
    for c in range(n_con):
        work[c] = closing_speed(balls, con[0, c], con[1, c], normal[c, 0], normal[c, 1])
        if work[c] > fastest:
            fastest, top = work[c], c
    if top < 0:
        return 0, False
    seen, shared, n_top = 0, False, 0
    for c in range(n_con):
        if con[1, c] >= 0 and work[c] > APPROACH and work[c] >= fastest * _TIE:
            pair = (1 << con[0, c]) | (1 << con[1, c])
            shared = shared or (seen & pair) != 0
            seen |= pair
            con[2, n_top] = c
            n_top += 1
    if n_top == 0:
        con[2, 0], n_top = top, 1  # a wall; ties among walls concern different balls, one after the other is the same
    return n_top, shared


@kernel
def _choose_all(con, n_con):
    """All contacts between balls, written to con[2]; returns their number."""
    n_top = 0
    for c in range(n_con):
        if con[1, c] >= 0:
            con[2, n_top] = c
            n_top += 1
    return n_top


@kernel
def _grow(balls, phase, hits, n, alive, now, reach, con, normal, n_con, n_top, changed, p):
    """Balls hit for the first time in this instant bring in the contacts with all balls that they touch.

    Returns:
        ``(balls hit so far, number of contacts)``.
    """
    for q in range(n_top):
        for end in range(2):
            i = con[end, con[2, q]]
            if i >= 0 and not (changed >> i) & 1:
                hits[i] += 1
                changed |= 1 << i
                n_con = add_touching(balls, phase, i, n, alive, now, reach, con, normal, n_con, p)
    return changed, n_con


@kernel
def resolve(balls, phase, times, who, n, alive, now, shot, con, normal, n_con, work, sums, p, log, marks):
    """Resolve all contacts of one instant; returns the set of balls that were hit."""
    reach = 2.0 * p.ball_radius + p.contact_gap
    hits, slots = who[HITS], who[SLOT]
    changed, rounds = 0, 0
    while shot.events < MAX_EVENTS:
        n_top, shared = _choose(balls, con, normal, n_con, work[0])
        if n_top == 0:
            break
        rounds += 1
        plastic = rounds > _SEQUENCE and con[1, con[2, 0]] >= 0
        if plastic:
            n_top, shared = _choose_all(con, n_con), True
        most = 0
        for q in range(n_top):
            c = con[2, q]
            most = max(most, hits[con[0, c]], hits[con[1, c]] if con[1, c] >= 0 else 0)
        if shared:
            hit_jointly(balls, con, normal, n_top, least_separation(most), plastic, work, sums, p)
        known = n_con
        for q in range(n_top):
            c = con[2, q]
            i, j = con[0, c], con[1, c]
            if j < 0:
                hit_wall(balls, i, normal[c, 0], normal[c, 1], least_separation(hits[i]), p)
            elif not shared:
                hit_pair(balls, i, j, normal[c, 0], normal[c, 1], least_separation(max(hits[i], hits[j])), p)
            _count_contact(shot, balls, slots, times[START, 0], i, j, normal[c], now, log, marks, p)
        changed, n_con = _grow(balls, phase, hits, n, alive, now, reach, con, normal, n_con, n_top, changed, p)
        if n_con == known == 1:
            break  # a lone contact is done with: its bodies part
    return changed
