"""Double hit and push (articles 40-II, 40-III): does the cue meet the cue ball again, or stay on it?

Off by default (``double_hit``). A geometric criterion on the stroke's first moments, for the balls that lie close to
the cue ball on its way; the balls move as if the cue were not there.

The tip leaves the cue ball at speed v with the cue itself going on at ``V' = V - (m / M) v / cos(elevation)`` (momentum
along the cue, level part). With an object ball at the gap g ahead, met at the cut angle phi:

* **push**: the tip is still on the cue ball when that ball is met: ``g < v T / 2``, where T = 1 ms is the contact time
  of a leather tip and v T / 2 the way of a ball that is accelerated evenly over it;
* **double hit**: after the impact the cue ball goes on along the aim at ``u = v (1 - (1 + e) / 2 cos^2 phi)``; if
  ``u < V'`` the tip, ``g (1 - V' / v)`` behind, catches up, unless the cue has stopped before: it follows through
  ``FOLLOW`` = 30 mm.
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel

__all__ = ["CONTACT_TIME", "FOLLOW", "cue_reports"]

CONTACT_TIME = 1e-3  # s, of a leather tip on a ball (Alciatore's high-speed films: about a millisecond)
FOLLOW = 0.03  # m, of the cue after the hit; a player who sees a close ball ahead stops the cue as soon as that
DOUBLE_HIT, PUSH = 1, 2  # Report.DOUBLE_HIT, Report.PUSH


@kernel
def cue_reports(layout, on_table, stroke, speed, angle, p):
    """Set of ``Report``: DOUBLE_HIT, PUSH or none.

    Args:
        layout: (22, 2) m, before the stroke.
        on_table: set of balls.
        stroke: ``STRIKE`` record; a direct start has no cue.
        speed: of the cue ball just after the hit, m/s.
        angle: of its departure, rad.
        p: ``PHYSICS`` record.
    """
    if stroke.direct != 0 or speed <= 0.0:
        return 0
    reach = 2.0 * p.ball_radius
    cue_after = stroke.speed * math.cos(stroke.elevation) - p.ball_mass / p.cue_mass * speed
    dx, dy = math.cos(angle), math.sin(angle)
    reports = 0
    for slot in range(1, 22):
        if not (on_table >> slot) & 1:
            continue
        rx, ry = layout[slot, 0] - layout[0, 0], layout[slot, 1] - layout[0, 1]
        along, miss = rx * dx + ry * dy, rx * dy - ry * dx
        if along <= 0.0 or abs(miss) >= reach:
            continue
        cos2 = 1.0 - (miss / reach) ** 2
        gap = max(along - reach * math.sqrt(cos2), 0.0)
        if gap < 0.5 * speed * CONTACT_TIME:
            reports |= PUSH
            continue
        left = speed * (1.0 - 0.5 * (1.0 + p.e_ball) * cos2)
        if left < cue_after:
            behind = gap * (1.0 - cue_after / speed)
            if gap + left * behind / (cue_after - left) <= FOLLOW:
                reports |= DOUBLE_HIT
    return reports
