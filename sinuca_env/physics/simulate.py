"""One shot on one table, event by event.

The loop takes the earliest time at which something happens and handles *everything* of that instant: phases end, balls
fall, and all contacts are resolved jointly (:mod:`.clusters`). Only the balls concerned are advanced and get new
events. Ties are settled by geometry, never by ball numbers: a permutation of the balls gives bit-equal results, a
mirrored table the mirrored result.

Ball numbers inside the loop are dense, 0 the cue ball; ``slots`` has the slot of each.
"""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.physics.clusters import MAX_CONTACTS
from sinuca_env.physics.contacts import MAX_EVENTS, add_touching, add_wall, first_contact, resolve
from sinuca_env.physics.detect import EV_END, EV_POCKET, pocket_boxes
from sinuca_env.physics.follow_through import cue_reports
from sinuca_env.physics.log import LOG_POCKET, LOG_ROLL, LOG_STOP, LOG_STRIKE, log_ball, log_event
from sinuca_env.physics.motion import (
    BX0,
    BX1,
    BY0,
    BY1,
    COLUMNS,
    END_OF_TIME,
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
)
from sinuca_env.physics.pockets import record_pot
from sinuca_env.physics.schedule import (
    HITS,
    KIND,
    NEXT,
    OWN,
    PARTNER,
    PHASE,
    SLOT,
    START,
    WHERE,
    earliest,
    refresh,
    remove,
)
from sinuca_env.physics.strike import strike

__all__ = ["MAX_EVENTS", "TOUCHING", "new_scratch", "run", "simulate_one"]

TOUCHING = 1e-5  # m, gap up to which the cue ball touches a ball, to the eye of a referee

_SAME_INSTANT = 1e-12  # s, between contacts of one instant
_EVENT_LIMIT, _TIME_LIMIT, _NOT_FINITE = 1, 2, 8  # ShotFlag


@kernel
def new_scratch():
    """Work space of :func:`simulate_one`, to be used again and again by one thread.

    Returns:
        A tuple: ball rows (22, 16), times (25, 22): pair times, own times, next times, the cue ball's first speed;
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
    shot.reported = 0
    shot.cushions = 0
    shot.cushions_before_contact = 0
    shot.cushion_balls = 0
    shot.contacts = 0
    shot.events = 0
    shot.duration = 0.0


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
            who[HITS, n] = 0
            who[PARTNER, n] = -1
            times[OWN, n] = times[NEXT, n] = INF
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
    slots = who[SLOT]
    for i in range(n):
        if times[OWN, i] != now:
            continue
        advance(balls, phase, i, now, p)
        kind = who[KIND, i]
        if kind == EV_END:
            shot.events += 1
            was = phase[i]
            end_phase(balls, phase, i, now, p)
            code = LOG_ROLL if was == SLIDE and phase[i] != REST else LOG_STOP
            log_event(log, marks, now, code, slots[i], -1, balls[i, X], balls[i, Y])
            changed |= 1 << i
        elif kind == EV_POCKET:
            shot.events += 1
            alive &= ~(1 << i)
            record_pot(shot, slots[i], who[WHERE, i], simultaneous)
            simultaneous += 1
            log_event(log, marks, now, LOG_POCKET, slots[i], who[WHERE, i], balls[i, X], balls[i, Y])
            remove(balls, phase, times, who, i, n)
        else:
            n_con = add_wall(balls, i, kind, who[WHERE, i], table, con, normal, n_con)
    return changed, alive, n_con, simultaneous


@kernel
def _finish(layout, balls, slots, n, alive, flags, shot, table, p):
    """Write where the balls came to rest, and how long it took."""
    now, reach = 0.0, 0.5 * table.length + 0.1  # no ball can lie farther out than a corner's mouth
    for i in range(n):
        slot = slots[i]
        now = max(now, balls[i, T0])
        if (alive >> i) & 1:
            x, y = balls[i, X], balls[i, Y]
            layout[slot, 0], layout[slot, 1] = x, y
            if not (abs(x) < reach and abs(y) < reach):
                flags |= _NOT_FINITE
            if p.spin_decay > 0.0 and balls[i, WZ] != 0.0:
                now = max(now, min(balls[i, T0] + abs(balls[i, WZ]) / p.spin_decay, END_OF_TIME))
        else:
            layout[slot, 0] = np.nan
            layout[slot, 1] = np.nan
    shot.duration = now
    # By name in brackets: ``shot.flags`` is NumPy's own attribute where kernels run as plain Python.
    shot["flags"] = flags
    if alive & 1:
        shot.touching_after = _touching(balls, slots, n, alive, p.ball_radius)


@kernel
def _gather(balls, phase, times, now, n, alive, reach, con, normal, n_con, p):
    """Contacts between balls at this instant, and who has one; all their balls are advanced to ``now``.

    Returns:
        ``(number of contacts, balls with an event now)``.
    """
    concerned = 0
    for i in range(n):
        if times[NEXT, i] > now + _SAME_INSTANT:
            continue
        for j in range(n):
            if times[i, j] <= now + _SAME_INSTANT:
                concerned |= (1 << i) | (1 << j)
                advance(balls, phase, i, now, p)
                advance(balls, phase, j, now, p)
                n_con = add_touching(balls, phase, i, n, alive, now, reach, con, normal, n_con, p)
                break
    return n_con, concerned


@kernel
def _instant(balls, phase, times, who, now, n, alive, fallen, shot, table, con, normal, work, sums, p, log, marks):
    """Everything that happens at ``now``; returns balls changed, balls on the table, balls fallen at this instant."""
    reach = 2.0 * p.ball_radius + p.contact_gap
    changed, alive, n_con, fallen = _own_events(
        balls, phase, times, who, n, alive, now, shot, table, con, normal, fallen, p, log, marks
    )
    n_con, concerned = _gather(balls, phase, times, now, n, alive, reach, con, normal, n_con, p)
    if n_con > 0:
        if shot.first_contact == 0:
            for c in range(n_con):
                if con[0, c] == 0 or con[1, c] == 0:
                    first_contact(shot, balls, who[SLOT], n, alive, now, reach)
                    break
        hit = resolve(balls, phase, times, who, n, alive, now, shot, con, normal, n_con, work, sums, p, log, marks)
        for i in range(n):
            if (hit >> i) & 1:
                set_phase(balls, phase, i, now, p)
        # Contacts that do not approach after all are over too: their balls look ahead anew.
        for c in range(n_con):
            concerned |= 1 << con[0, c]
            if con[1, c] >= 0:
                concerned |= 1 << con[1, c]
        changed |= hit
    return (changed | concerned) & alive, alive, fallen


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
        scratch: from :func:`new_scratch`, with the boxes of the table's pockets.
        log: (N, 6) events: time, code, slot, slot or place, x, y; N = 0 keeps none.
        paths: (M, 12) pieces of paths: slot, time, state, half accelerations, phase; M = 0 keeps none.
        marks: (2,) int64, set to how many of both there were.
    """
    balls, times, who, con, normal, work, sums, boxes = scratch
    phase, slots = who[PHASE], who[SLOT]
    marks[0] = marks[1] = 0
    _clear(shot)
    n = _place(layout, on_table, balls, phase, slots, times, who)
    alive = (1 << n) - 1
    shot.touching_before = _touching(balls, slots, n, alive, p.ball_radius)
    vx, vy, wx, wy, wz, flags = strike(strike_record, p)
    balls[0, VX], balls[0, VY], balls[0, WX], balls[0, WY], balls[0, WZ] = vx, vy, wx, wy, wz
    times[START, 0] = np.sqrt(vx * vx + vy * vy)
    if p.double_hit != 0:
        shot.reported = cue_reports(layout, on_table, strike_record, times[START, 0], np.arctan2(vy, vx), p)
    log_event(log, marks, 0.0, LOG_STRIKE, 0, -1, balls[0, X], balls[0, Y])
    set_phase(balls, phase, 0, 0.0, p)
    changed, last, fallen, instants = 1, -1.0, 0, 0
    while True:
        if paths.shape[0] > 0:
            for i in range(n):
                if (changed >> i) & 1:
                    log_ball(paths, marks, balls, phase, slots[i], i)
        refresh(balls, phase, times, who, changed, n, alive, table, boxes, p)
        now = earliest(phase, times, n)
        if now == INF:
            break
        instants += 1
        if shot.events >= MAX_EVENTS or instants >= MAX_EVENTS:
            flags |= _EVENT_LIMIT
            break
        if now >= END_OF_TIME:
            flags |= _TIME_LIMIT
            break
        if now != last:
            last, fallen = now, 0
        changed, alive, fallen = _instant(
            balls, phase, times, who, now, n, alive, fallen, shot, table, con, normal, work, sums, p, log, marks
        )
    if flags & (_EVENT_LIMIT | _TIME_LIMIT):
        for i in range(n):
            if (alive >> i) & 1:
                advance(balls, phase, i, now, p)
    _finish(layout, balls, slots, n, alive, flags, shot, table, p)


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
