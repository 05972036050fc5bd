"""The cue meets the cue ball: velocity and spin just after the hit.

Rigid cue of mass M along its axis, no energy lost at the tip (Leckie and Greenspan 2006, eq. 1; Alciatore TP A.30).
``side`` and ``top`` are offsets of the contact point from the ball's centre *across the cue's axis*, in radii, left and
up positive: a disc of ``tip_limit`` holds every stroke without a miscue, whatever the elevation. With an elevated cue,
``top = b cos(elevation) - c sin(elevation)`` for a contact point b radii above the centre on the table's vertical and
c = sqrt(1 - a^2 - b^2) behind it (:func:`tip_offsets`).

Squirt (TP A.31) turns the departure away from the tip's side; it leaves spin and speed alone. A tip beyond the limit
slips: the impulse then acts along the edge of the friction cone, without restitution (the tip does not spring back),
so a miscue gives less than half of the speed, less than the wanted spin and a departure away from the tip's side.
The vertical part of the impulse goes into the cloth (no flight).
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel

__all__ = ["MISCUE", "miscue_offset", "squirt_angle", "strike", "tip_offsets"]

MISCUE = 4  # ShotFlag.MISCUE


@kernel
def tip_offsets(a, b, elevation):
    """``(side, top)`` across the cue's axis of the contact point a left of and b above the centre (radii, radians)."""
    c = math.sqrt(max(0.0, 1.0 - a * a - b * b))
    return a, b * math.cos(elevation) - c * math.sin(elevation)


@kernel
def squirt_angle(side, end_mass):
    """Departure's turn to the right, in radians, of a tip ``side`` radii left of the centre (TP A.31).

    Args:
        side: tip offset in radii.
        end_mass: effective mass of the cue's end over the mass of the ball; 0 = no squirt.
    """
    if end_mass <= 0.0 or abs(side) >= 1.0:
        return 0.0
    rest = 2.5 * (1.0 - side * side)
    return math.atan2(2.5 * side * math.sqrt(1.0 - side * side), 1.0 + 1.0 / end_mass + rest)


@kernel
def strike(s, p):
    """State of the cue ball just after the stroke.

    Args:
        s: ``STRIKE`` record. With ``direct`` set, its ``v`` and ``w`` are returned (vz discarded).
        p: ``PHYSICS`` record.

    Returns:
        ``(vx, vy, wx, wy, wz, flags)`` in m/s and rad/s; flags 0 or MISCUE.
    """
    if s.direct != 0:
        return s.v[0], s.v[1], s.w[0], s.w[1], s.w[2], 0
    side, top = s.side, s.top
    lift, fall = math.cos(s.elevation), math.sin(s.elevation)
    offset = math.sqrt(side * side + top * top)
    miscue = offset > p.tip_limit
    mass = 1.0 + p.ball_mass / p.cue_mass
    if not miscue:
        # Impulse per ball mass along the cue; arm of the torque = the offset itself.
        impulse = 2.0 * s.speed / (mass + 2.5 * (side * side + top * top))
        forward, left = impulse * lift, 0.0
        turn = squirt_angle(side, p.squirt)
        forward, left = forward * math.cos(turn), -forward * math.sin(turn)
    else:
        if offset >= 1.0:
            return 0.0, 0.0, 0.0, 0.0, 0.0, MISCUE
        # The force leans away from the tip's side until its arm is the limit.
        ls, lt, arm = side / offset, top / offset, p.tip_limit
        lean = math.asin(offset) - math.asin(arm)
        impulse = s.speed * math.cos(lean) / (mass + 2.5 * arm * arm)
        along, across = impulse * math.cos(lean), -impulse * math.sin(lean)
        forward, left = along * lift + across * lt * fall, across * ls
        side, top = arm * ls, arm * lt
    # R w = 5/2 (contact x impulse): about the cue's own left axis and its own up axis (sin, 0, cos).
    k = 2.5 * impulse / p.ball_radius
    roll, yaw = k * top, -k * side
    wf, wl, wz = yaw * fall, roll, yaw * lift
    ca, sa = math.cos(s.angle), math.sin(s.angle)
    return forward * ca - left * sa, forward * sa + left * ca, wf * ca - wl * sa, wf * sa + wl * ca, wz, MISCUE * miscue


@kernel
def miscue_offset(mu_tip):
    """Largest tip offset (radii) that friction ``mu_tip`` of the tip holds: sin(atan mu); 0.5 for mu = 0.577."""
    return mu_tip / math.sqrt(1.0 + mu_tip * mu_tip)
