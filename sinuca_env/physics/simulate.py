"""One shot on one table, event by event.

The loop takes the earliest time at which something happens and handles *everything* of that instant: phases end, balls
fall, and all contacts are resolved jointly (:mod:`.clusters`). Only the balls concerned are advanced and get new
events. Ties are settled by geometry, never by ball numbers: a permutation of the balls gives bit-equal results, a mirrored
table the mirrored result.

Ball numbers inside the loop are dense, 0 the cue ball; ``slots`` has the slot of each.
"""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.physics.clusters import (
    MAX_CONTACTS,
    closing_speed,
    hit_jointly,
    hit_pair,
    hit_wall,
    least_separation,
)  # fmt: skip
from sinuca_env.physics.detect import EV_END, EV_LINE, EV_POCKET, own_event, pair_time, pocket_boxes
from sinuca_env.physics.motion import (
    BX0,
    BX1,
    BY0,
    BY1,
    COLUMNS,
    END_OF_TIME,
    HX,
    HY,
    INF,
    REST,
    SLIDE,
    T0,
    VX,
    VY,
    WX,
    WY,
    WZ,
    X,
    Y,
    advance,
    end_phase,
    set_phase,
)  # fmt: skip
from sinuca_env.physics.pockets import record_pot
from sinuca_env.physics.roots import APPROACH
from sinuca_env.physics.strike import strike

__all__ = [
    "LOG_BALL", "LOG_JAW", "LOG_LINE", "LOG_POCKET", "LOG_ROLL", "LOG_STOP", "LOG_STRIKE", "MAX_EVENTS", "TOUCHING",
    "new_scratch", "run", "simulate_one",
]  # fmt: skip

TOUCHING = 1e-5  # m, gap up to which the cue ball touches a ball, to the eye of a referee
MAX_EVENTS = 20000  # a shot that needs more is cut off with a flag; the most seen in 10^5 breaks is a tenth of it

_SAME_INSTANT = 1e-12  # s, between contacts of one instant
_SAME_PLACE = 1e-9  # m, gap beyond the contact distance of bodies in contact
_AT_ONCE = 1e-9  # s, within which balls are hit simultaneously (first contact)
_OFF_START = 2e-3  # m, of travel within which the stroke itself meets a touching ball
_TIE = 1.0 - 1e-9
_EVENT_LIMIT, _TIME_LIMIT, _NOT_FINITE = 1, 2, 8

LOG_STRIKE, LOG_BALL, LOG_LINE, LOG_JAW, LOG_POCKET, LOG_ROLL, LOG_STOP = range(7)
"""Event codes of the log."""


@kernel
def new_scratch():
    """Work space of :func:`simulate_one`, to be used again and again by one thread.

    Returns:
        A tuple: ball rows (22, 16), times (25, 22): pair times, own times, next times and where the shot started;
        integers (6, 22): phase, kind and place of the own event, next partner, hits, slots; contacts (3, 128) int64:
        balls and chosen ones; their normals (128, 2); numbers of the joint solve (4, 128) and sums (22, 5) int64;
        boxes of the pockets (6, 4).
    """
    return (
        np.zeros((22, COLUMNS)),
        np.zeros((25, 22)),
        np.zeros((6, 22), np.int64),
        np.zeros((3, MAX_CONTACTS), np.int64),
        np.zeros((MAX_CONTACTS, 2)),
        np.zeros((4, MAX_CONTACTS)),
        np.zeros((22, 5), np.int64),
        np.zeros((6, 4)),
    )


@kernel
def _clear(shot):
    shot.first_contact = 0
    shot.potted = 0
    shot.n_potted = 0
    for k in range(22):
        shot.pot_order[k] = -1
        shot.pot_pocket[k] = -1
    shot.off_table = 0
    shot.jumped = 0
    shot.touching_before = 0
    shot.touching_after = 0
    shot.moved_touching = 0
    shot.made = 1
    shot.cushions = 0
    shot.cushions_before_contact = 0
    shot.cushion_balls = 0
    shot.contacts = 0
    shot.events = 0
    shot.duration = 0.0
    shot.flags = 0


@kernel
def _touching(balls, slots, n, alive, radius):
    """Set of slots that touch the cue ball."""
    found = 0
    limit = 2.0 * radius + TOUCHING
    for j in range(1, n):
        if (alive >> j) & 1:
            dx, dy = balls[j, X] - balls[0, X], balls[j, Y] - balls[0, Y]
            if dx * dx + dy * dy <= limit * limit:
                found |= 1 << slots[j]
    return found


@kernel
def _log_event(log, marks, now, code, i, j, x, y):
    """Append an event to the log if one is kept; ``marks`` counts even what does not fit."""
    if log.shape[0] > 0:
        k = marks[0]
        if k < log.shape[0]:
            log[k, 0], log[k, 1], log[k, 2], log[k, 3], log[k, 4], log[k, 5] = now, code, i, j, x, y
        marks[0] = k + 1


@kernel
def _log_ball(paths, marks, balls, phase, slot, i):
    """Append the new path of a ball to the log if one is kept."""
    if paths.shape[0] > 0:
        k = marks[1]
        if k < paths.shape[0]:
            paths[k, 0] = slot
            paths[k, 1] = balls[i, T0]
            for c in range(9):
                paths[k, 2 + c] = balls[i, c]
            paths[k, 11] = phase[i]
        marks[1] = k + 1


@kernel
def _add_touching(balls, phase, i, n, alive, now, reach, con, normal, n_con, p):
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
def _add_wall(balls, i, kind, where, table, con, normal, n_con):
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
def _first_contact(shot, balls, slots, n, alive, now, reach):
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
def _count_contact(shot, balls, slots, start, i, j, normal, now, log, marks, p):
    """Note an impact in the shot record and the log."""
    shot.events += 1
    if j >= 0:
        shot.contacts += 1
        if i == 0 or j == 0:
            other = slots[i + j]
            if (int(shot.touching_before) >> other) & 1:
                dx, dy = balls[0, X] - start[0], balls[0, Y] - start[1]
                if dx * dx + dy * dy <= _OFF_START * _OFF_START:
                    shot.moved_touching |= 1 << other
        if log.shape[0] > 0:
            r = p.ball_radius
            _log_event(
                log, marks, now, LOG_BALL, slots[i], slots[j], balls[i, X] + r * normal[0], balls[i, Y] + r * normal[1]
            )
        return
    shot.cushions += 1
    shot.cushion_balls |= 1 << slots[i]
    if i == 0 and shot.first_contact == 0:
        shot.cushions_before_contact += 1
    if log.shape[0] > 0:
        code, where = (LOG_LINE, -1 - j) if j > -7 else (LOG_JAW, -7 - j)
        _log_event(log, marks, now, code, slots[i], where, balls[i, X], balls[i, Y])


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
def _resolve(balls, phase, hits, slots, start, n, alive, now, shot, con, normal, n_con, work, sums, p, log, marks):
    """Resolve all contacts of one instant; returns the set of balls that were hit."""
    reach = 2.0 * p.ball_radius + p.contact_gap
    changed = 0
    while shot.events < MAX_EVENTS:
        n_top, shared = _choose(balls, con, normal, n_con, work[0])
        if n_top == 0:
            break
        most = 0
        for q in range(n_top):
            c = con[2, q]
            most = max(most, hits[con[0, c]], hits[con[1, c]] if con[1, c] >= 0 else 0)
        if shared:
            hit_jointly(balls, con, normal, n_top, least_separation(most), work, sums, p)
        known = n_con
        for q in range(n_top):
            c = con[2, q]
            i, j = con[0, c], con[1, c]
            if j < 0:
                hit_wall(balls, i, normal[c, 0], normal[c, 1], least_separation(hits[i]), p)
            elif not shared:
                hit_pair(balls, i, j, normal[c, 0], normal[c, 1], least_separation(max(hits[i], hits[j])), p)
            _count_contact(shot, balls, slots, start, i, j, normal[c], now, log, marks, p)
        for q in range(n_top):
            c = con[2, q]
            for end in range(2):
                i = con[end, c]
                if i >= 0:
                    hits[i] += 1
                    if not (changed >> i) & 1:
                        changed |= 1 << i
                        n_con = _add_touching(balls, phase, i, n, alive, now, reach, con, normal, n_con, p)
        if n_con == known == 1:
            break  # a lone contact is done with: its bodies part
    return changed


@kernel
def _refresh(balls, phase, times, who, i, n, alive, table, boxes, p):
    """New events of ball ``i``, which stands at its clock: its own, and its meetings with other balls."""
    now = balls[i, T0]
    own, kind, where = own_event(balls, phase, i, table, boxes, p)
    times[_OWN, i], who[_KIND, i], who[_WHERE, i] = own, kind, where
    moving = phase[i] != REST
    reach = 2.0 * p.ball_radius + p.contact_gap
    soonest, partner = own, -1
    x0, x1, y0, y1 = balls[i, BX0] - reach, balls[i, BX1] + reach, balls[i, BY0] - reach, balls[i, BY1] + reach
    for j in range(n):
        if j == i or not (alive >> j) & 1:
            times[i, j] = INF
            continue
        t = INF
        other = phase[j] != REST
        if (
            (moving or other)
            and balls[j, BX0] <= x1
            and balls[j, BX1] >= x0
            and balls[j, BY0] <= y1
            and balls[j, BY1] >= y0
        ):
            until = min(own, times[_OWN, j])
            if until >= now:
                t = pair_time(balls, i, j, now, until, reach)
                if t < soonest:
                    soonest, partner = t, j
        times[i, j] = t
        if other:
            times[j, i] = t
            if t < times[_NEXT, j]:
                times[_NEXT, j], who[_PARTNER, j] = t, i
            elif who[_PARTNER, j] == i:
                _rescan(times, who, j, n)
    times[_NEXT, i] = soonest if moving else INF
    who[_PARTNER, i] = partner


@kernel
def _rescan(times, who, j, n):
    """The earliest of the stored events of ball ``j``."""
    soonest, partner = times[_OWN, j], -1
    for k in range(n):
        if times[j, k] < soonest:
            soonest, partner = times[j, k], k
    times[_NEXT, j], who[_PARTNER, j] = soonest, partner


@kernel
def _remove(balls, phase, times, who, i, n):
    """Ball ``i`` is gone: nobody meets it any more."""
    phase[i] = REST
    times[_NEXT, i] = times[_OWN, i] = INF
    for j in range(n):
        times[i, j] = INF
        times[j, i] = INF
        if who[_PARTNER, j] == i and phase[j] != REST:
            _rescan(times, who, j, n)


@kernel
def _place(layout, on_table, balls, phase, slots, times, who):
    """Write the balls of a layout into the rows; returns their number."""
    n = 0
    for slot in range(22):
        if (on_table >> slot) & 1:
            for k in range(COLUMNS):
                balls[n, k] = 0.0
            x, y = layout[slot, 0], layout[slot, 1]
            balls[n, X] = balls[n, BX0] = balls[n, BX1] = x
            balls[n, Y] = balls[n, BY0] = balls[n, BY1] = y
            phase[n] = REST
            slots[n] = slot
            who[_HITS, n] = 0
            who[_PARTNER, n] = -1
            times[_OWN, n] = times[_NEXT, n] = INF
            n += 1
    for i in range(n):
        for j in range(n):
            times[i, j] = INF
    return n


@kernel
def _own_events(balls, phase, times, who, n, alive, now, shot, table, con, normal, simultaneous, p, log, marks):
    """Phases that end at ``now`` and balls that fall; contacts with walls are only listed.

    Returns:
        ``(balls changed, balls still on the table, number of contacts, balls fallen at this instant)``.
    """
    changed, n_con = 0, 0
    slots = who[_SLOT]
    for i in range(n):
        if times[_OWN, i] != now:
            continue
        advance(balls, phase, i, now, p)
        kind = who[_KIND, i]
        if kind == EV_END:
            shot.events += 1
            if now < END_OF_TIME:
                was = phase[i]
                end_phase(balls, phase, i, now, p)
                code = LOG_ROLL if was == SLIDE and phase[i] != REST else LOG_STOP
                _log_event(log, marks, now, code, slots[i], -1, balls[i, X], balls[i, Y])
            else:
                shot.flags |= _TIME_LIMIT
            changed |= 1 << i
        elif kind == EV_POCKET:
            shot.events += 1
            alive &= ~(1 << i)
            record_pot(shot, slots[i], who[_WHERE, i], simultaneous)
            simultaneous += 1
            _log_event(log, marks, now, LOG_POCKET, slots[i], who[_WHERE, i], balls[i, X], balls[i, Y])
            _remove(balls, phase, times, who, i, n)
        else:
            n_con = _add_wall(balls, i, kind, who[_WHERE, i], table, con, normal, n_con)
    return changed, alive, n_con, simultaneous


@kernel
def _finish(layout, balls, phase, slots, n, alive, now, shot, p):
    """Write where the balls came to rest, and how long it took."""
    for i in range(n):
        slot = slots[i]
        if (alive >> i) & 1:
            x, y = balls[i, X], balls[i, Y]
            layout[slot, 0], layout[slot, 1] = x, y
            if not (abs(x) < 1e3 and abs(y) < 1e3):
                shot.flags |= _NOT_FINITE
            if p.spin_decay > 0.0 and balls[i, WZ] != 0.0:
                now = max(now, min(balls[i, T0] + abs(balls[i, WZ]) / p.spin_decay, END_OF_TIME))
        else:
            layout[slot, 0] = np.nan
            layout[slot, 1] = np.nan
    shot.duration = now
    if alive & 1:
        shot.touching_after = _touching(balls, slots, n, alive, p.ball_radius)


# Rows of ``times`` beyond the pair times, and of ``who``.
_OWN, _NEXT, _START = 22, 23, 24
_PHASE, _KIND, _WHERE, _PARTNER, _HITS, _SLOT = range(6)


@kernel
def simulate_one(layout, on_table, strike_record, shot, table, p, scratch, log, paths, marks):
    """Play one stroke: balls at rest in, balls at rest out.

    Args:
        layout: (22, 2) places in m, changed in place; balls that fall become NaN.
        on_table: set of balls, the cue ball among them.
        strike_record: ``STRIKE``.
        shot: ``SHOT``, overwritten but for what the game and people add.
        table: ``TABLE``.
        p: ``PHYSICS``.
        scratch: from :func:`new_scratch`.
        log: (N, 6) events: time, code, slot, slot or place, x, y; N = 0 keeps none.
        paths: (M, 12) pieces of paths: slot, time, state, half accelerations, phase; M = 0 keeps none.
        marks: (2,) int64, set to how many of both there were.
    """
    balls, times, who, con, normal, work, sums, boxes = scratch
    phase, slots, hits, start = who[_PHASE], who[_SLOT], who[_HITS], times[_START]
    reach = 2.0 * p.ball_radius + p.contact_gap
    marks[0] = marks[1] = 0
    _clear(shot)
    n = _place(layout, on_table, balls, phase, slots, times, who)
    alive = (1 << n) - 1
    shot.touching_before = _touching(balls, slots, n, alive, p.ball_radius)
    start[0], start[1] = balls[0, X], balls[0, Y]
    vx, vy, wx, wy, wz, flags = strike(strike_record, p)
    shot.flags = flags
    balls[0, VX], balls[0, VY], balls[0, WX], balls[0, WY], balls[0, WZ] = vx, vy, wx, wy, wz
    now, changed, last_pot, fallen = 0.0, 1, -1.0, 0
    _log_event(log, marks, now, LOG_STRIKE, 0, -1, balls[0, X], balls[0, Y])
    set_phase(balls, phase, 0, now, p)
    while True:
        # New events of all balls that changed. Phases first: a pair needs both paths.
        for i in range(n):
            if (changed >> i) & 1:
                _log_ball(paths, marks, balls, phase, slots[i], i)
        for i in range(n):
            if (changed >> i) & 1:
                _refresh(balls, phase, times, who, i, n, alive, table, boxes, p)
        now = INF
        for i in range(n):
            if phase[i] != REST and times[_NEXT, i] < now:
                now = times[_NEXT, i]
        if now == INF:
            break
        if shot.events >= MAX_EVENTS:
            shot.flags |= _EVENT_LIMIT
            break
        if now != last_pot:
            fallen = 0
        changed, alive, n_con, fallen = _own_events(
            balls, phase, times, who, n, alive, now, shot, table, con, normal, fallen, p, log, marks
        )
        if fallen:
            last_pot = now
        if shot.flags & _TIME_LIMIT:
            break
        for i in range(n):
            if phase[i] != REST and times[_NEXT, i] <= now + _SAME_INSTANT:
                for j in range(n):
                    if times[i, j] <= now + _SAME_INSTANT:
                        advance(balls, phase, i, now, p)
                        n_con = _add_touching(balls, phase, i, n, alive, now, reach, con, normal, n_con, p)
                        break
        if n_con:
            if shot.first_contact == 0:
                for c in range(n_con):
                    if con[0, c] == 0 or con[1, c] == 0:
                        advance(balls, phase, 0, now, p)
                        _first_contact(shot, balls, slots, n, alive, now, reach)
                        break
            hit = _resolve(
                balls, phase, hits, slots, start, n, alive, now, shot, con, normal, n_con, work, sums, p, log, marks
            )
            for i in range(n):
                if (hit >> i) & 1:
                    set_phase(balls, phase, i, now, p)
            changed |= hit
            for c in range(n_con):
                # Contacts of this instant that do not approach after all are over too: their balls look ahead anew.
                changed |= 1 << con[0, c]
                if con[1, c] >= 0:
                    changed |= 1 << con[1, c]
    _finish(layout, balls, phase, slots, n, alive, now if now < INF else _last(balls, n), shot, p)


@kernel
def _last(balls, n):
    """The latest clock."""
    last = 0.0
    for i in range(n):
        last = max(last, balls[i, T0])
    return last


@kernel
def run(layouts, on_table, strikes, shots, tables, params, lanes):
    """Play one stroke on each of the given lanes (a chunk of a batch)."""
    scratch = new_scratch()
    log, paths, marks = np.zeros((0, 6)), np.zeros((0, 12)), np.zeros(2, np.int64)
    table, p = tables[0], params[0]
    pocket_boxes(table, scratch[7])
    for q in range(lanes.shape[0]):
        k = lanes[q]
        simulate_one(layouts[k], np.int64(on_table[k]), strikes[k], shots[k], table, p, scratch, log, paths, marks)
