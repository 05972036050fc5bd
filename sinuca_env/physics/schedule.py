"""The calendar: each moving ball's next event, kept up to date for the balls that changed.

``times`` (25, 22) has the pair times (rows of moving balls are valid), and in more rows each ball's own event and its
next of any kind; ``who`` (6, 22) has phase, kind and place of the own event, the partner of the next event, the
number of hits and the slot.
"""

from __future__ import annotations

from sinuca_env._jit import kernel
from sinuca_env.physics.detect import own_event, pair_time
from sinuca_env.physics.motion import BX0, BX1, BY0, BY1, INF, REST, T0

__all__ = ["HITS", "KIND", "NEXT", "OWN", "PARTNER", "PHASE", "SLOT", "START", "WHERE", "earliest", "refresh", "remove"]

OWN, NEXT, START = 22, 23, 24
PHASE, KIND, WHERE, PARTNER, HITS, SLOT = range(6)


@kernel
def _rescan(times, who, j, n):
    """The earliest of the stored events of ball ``j``."""
    soonest, partner = times[OWN, j], -1
    for k in range(n):
        if times[j, k] < soonest:
            soonest, partner = times[j, k], k
    times[NEXT, j], who[PARTNER, j] = soonest, partner


@kernel
def _meetings(balls, phase, times, who, i, n, alive, changed, reach):
    """New pair times of ball ``i``, which stands at its clock: balls of ``changed`` in turn."""
    now, own = balls[i, T0], times[OWN, i]
    moving = phase[i] != REST
    x0, x1, y0, y1 = balls[i, BX0] - reach, balls[i, BX1] + reach, balls[i, BY0] - reach, balls[i, BY1] + reach
    for j in range(n):
        if (changed >> j) & 1 and j <= i:
            continue
        t = INF
        other = phase[j] != REST
        if (
            (moving or other)
            and balls[j, BX0] <= x1
            and balls[j, BX1] >= x0
            and balls[j, BY0] <= y1
            and balls[j, BY1] >= y0
            and (alive >> j) & 1
        ):
            until = min(own, times[OWN, j])
            if until >= now:
                t = pair_time(balls, i, j, now, until, reach)
        times[i, j] = t
        if other:
            times[j, i] = t
            if not (changed >> j) & 1:
                if t < times[NEXT, j]:
                    times[NEXT, j], who[PARTNER, j] = t, i
                elif who[PARTNER, j] == i:
                    _rescan(times, who, j, n)


@kernel
def refresh(balls, phase, times, who, changed, n, alive, table, boxes, p):
    """New events of all balls in ``changed``, which stand at their clocks.

    Own events first, since they limit how far ahead meetings are looked for.
    """
    for i in range(n):
        if (changed >> i) & 1:
            times[OWN, i], who[KIND, i], who[WHERE, i] = own_event(balls, phase, i, table, boxes, p)
    reach = 2.0 * p.ball_radius + p.contact_gap
    for i in range(n):
        if (changed >> i) & 1:
            _meetings(balls, phase, times, who, i, n, alive, changed, reach)
    for i in range(n):
        if (changed >> i) & 1:
            if phase[i] != REST:
                _rescan(times, who, i, n)
            else:
                times[NEXT, i], who[PARTNER, i] = INF, -1


@kernel
def remove(balls, phase, times, who, i, n):
    """Ball ``i`` is gone: nobody meets it any more."""
    phase[i] = REST
    times[NEXT, i] = times[OWN, i] = INF
    for j in range(n):
        times[i, j] = INF
        times[j, i] = INF
        if who[PARTNER, j] == i and phase[j] != REST:
            _rescan(times, who, j, n)


@kernel
def earliest(phase, times, n):
    """When something happens next; infinite when all balls are at rest."""
    now = INF
    for i in range(n):
        if times[NEXT, i] < now:
            now = times[NEXT, i]
    return now
