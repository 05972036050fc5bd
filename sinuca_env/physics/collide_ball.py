"""Two balls meet: velocities and spins after the impact.

``n`` is the unit vector from ball 1 to ball 2. All impulses are per unit of mass (equal balls). Vertical velocities
are discarded, vertical friction acts on the spins only: a two-dimensional table.

The arithmetic is symmetric to the last bit under swapping the balls (n changes sign), mirroring in x or y and turning
by 180 degrees, so that results do not depend on ball numbers.

Models (``PHYSICS.ball_ball``):

* ``elastic``: restitution ``e_ball``, no friction.
* ``alciatore``: Coulomb friction with mu(v) = a + b exp(-c v) of the slip speed v, limited by the impulse that stops
  the slip (Alciatore, TP A.14): ``Jn = (1 + e) vn / 2``, ``Jt = min(mu Jn, slip / 7)``.
* ``mathavan2014``: friction at the ball-ball contact and between balls and cloth during the impact, integrated over
  the normal impulse (Mathavan, Jackson, Parkin 2014, where mu is a constant).
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel

__all__ = ["ball_friction", "friction_impulse", "pair_slip", "resolve_pair"]

_STEPS = 400  # of normal impulse for each of compression and restitution in mathavan2014; error 1e-4 of the speed


@kernel
def ball_friction(slip, p):
    """Coefficient of ball-ball friction at a slip speed (m/s)."""
    return p.mu_ball_a + p.mu_ball_b * math.exp(-p.mu_ball_c * slip)


@kernel
def pair_slip(v1x, v1y, w1x, w1y, w1z, v2x, v2y, w2x, w2y, w2z, nx, ny, radius):
    """Tangential velocity of ball 1's contact point relative to ball 2's, m/s.

    Returns:
        ``(t, z)``: along the horizontal tangent (-ny, nx), and upwards.
    """
    dvx, dvy = v1x - v2x, v1y - v2y
    sx, sy, sz = w1x + w2x, w1y + w2y, w1z + w2z
    return (dvy * nx - dvx * ny) + radius * sz, radius * (sx * ny - sy * nx)


@kernel
def friction_impulse(slip_t, slip_z, jn, p):
    """Friction impulse on ball 1 for a normal impulse ``jn`` (m/s): Coulomb, at most what stops the slip.

    Returns:
        ``(jt, jz)``: along (-ny, nx) and upwards; ball 2 gets the opposite.
    """
    slip = math.sqrt(slip_t * slip_t + slip_z * slip_z)
    if slip == 0.0 or p.ball_ball == 0:
        return 0.0, 0.0
    share = min(ball_friction(slip, p) * jn / slip, 1.0 / 7.0)
    return -share * slip_t, -share * slip_z


@kernel
def _mathavan2014(vn, slip_t, slip_z, a1, b1, a2, b2, p):
    """Impulses of the impact with friction at all three contacts, stepped over the normal impulse.

    In the frame of the contact: n from ball 1 to ball 2, t = (-ny, nx), z up. ``a``, ``b`` are the slips of a ball on
    the cloth along n and t. The state steps linearly in each small impulse; a friction never reverses its slip.

    Args:
        vn: closing speed.
        slip_t, slip_z: of ball 1 relative to ball 2 at their contact.
        a1, b1, a2, b2: slips on the cloth.
        p: parameters.

    Returns:
        ``(jn, jt, jz, g1n, g1t, g2n, g2t)``: impulses on ball 1 from ball 2 (jn along -n), and from the cloth on each.
    """
    cloth, e2 = p.mu_slide, p.e_ball * p.e_ball
    jn, jt, jz, g1n, g1t, g2n, g2t = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    step = vn / (2.0 * _STEPS)
    work, target, compressing = 0.0, 0.0, True
    for _ in range(8 * _STEPS):
        slip = math.sqrt(slip_t * slip_t + slip_z * slip_z)
        share = min(ball_friction(slip, p) * step / slip, 1.0 / 7.0) if slip > 0.0 else 0.0
        ft, fz = -share * slip_t, -share * slip_z
        # The ball that friction pushes down is pressed on the cloth and slips there.
        s1, s2 = math.sqrt(a1 * a1 + b1 * b1), math.sqrt(a2 * a2 + b2 * b2)
        k1 = min(cloth * max(-fz, 0.0) / s1, 2.0 / 7.0) if s1 > 0.0 else 0.0
        k2 = min(cloth * max(fz, 0.0) / s2, 2.0 / 7.0) if s2 > 0.0 else 0.0
        c1n, c1t, c2n, c2t = -k1 * a1, -k1 * b1, -k2 * a2, -k2 * b2
        after = vn - 2.0 * step + (c1n - c2n)
        gained = 0.5 * (vn + after) * step
        part = 1.0
        if not compressing and work + gained < target:
            part = (work - target) / -gained  # the last step, cut where the work of restitution is done
        vn += part * (after - vn)
        work += part * gained
        # R dw = 5/2 (arm x impulse) with the arms n, -n and -z (cloth); the slips change by:
        slip_t += part * (7.0 * ft + (c1t - c2t))
        slip_z += part * (5.0 * fz + 2.5 * (c1n + c2n))
        a1 += part * (2.5 * fz + 3.5 * c1n - step)
        b1 += part * (ft + 3.5 * c1t)
        a2 += part * (2.5 * fz + 3.5 * c2n + step)
        b2 += part * (3.5 * c2t - ft)
        jn += part * step
        jt += part * ft
        jz += part * fz
        g1n += part * c1n
        g1t += part * c1t
        g2n += part * c2n
        g2t += part * c2t
        if compressing and vn <= 0.0:
            compressing, target = False, (1.0 - e2) * work
        elif part < 1.0 or (not compressing and work <= target):
            break
    return jn, jt, jz, g1n, g1t, g2n, g2t


@kernel
def resolve_pair(v1x, v1y, w1x, w1y, w1z, v2x, v2y, w2x, w2y, w2z, nx, ny, p):
    """Velocities (m/s) and spins (rad/s) of both balls after the impact; unchanged when they do not approach.

    Args:
        v1x, v1y, w1x, w1y, w1z: of ball 1.
        v2x, v2y, w2x, w2y, w2z: of ball 2.
        nx, ny: unit vector from ball 1 to ball 2.
        p: ``PHYSICS`` record.

    Returns:
        The ten numbers in the order of the arguments.
    """
    vn = (v1x - v2x) * nx + (v1y - v2y) * ny
    if vn <= 0.0:
        return v1x, v1y, w1x, w1y, w1z, v2x, v2y, w2x, w2y, w2z
    radius = p.ball_radius
    slip_t, slip_z = pair_slip(v1x, v1y, w1x, w1y, w1z, v2x, v2y, w2x, w2y, w2z, nx, ny, radius)
    g1n, g1t, g2n, g2t = 0.0, 0.0, 0.0, 0.0
    if p.ball_ball == 2:
        # Slips on the cloth along n and t of each ball: v + R w x (-z).
        ux, uy = v1x - radius * w1y, v1y + radius * w1x
        qx, qy = v2x - radius * w2y, v2y + radius * w2x
        a1, b1, a2, b2 = ux * nx + uy * ny, uy * nx - ux * ny, qx * nx + qy * ny, qy * nx - qx * ny
        jn, jt, jz, g1n, g1t, g2n, g2t = _mathavan2014(vn, slip_t, slip_z, a1, b1, a2, b2, p)
    else:
        jn = 0.5 * (1.0 + p.e_ball) * vn
        jt, jz = friction_impulse(slip_t, slip_z, jn, p)
    # Impulses in the table's axes; the cloth's on ball 1 and 2 apart.
    px, py = -jn * nx - jt * ny, jt * nx - jn * ny
    c1x, c1y = g1n * nx - g1t * ny, g1t * nx + g1n * ny
    c2x, c2y = g2n * nx - g2t * ny, g2t * nx + g2n * ny
    k = 2.5 / radius
    dwx, dwy, dwz = k * jz * ny, -k * jz * nx, k * jt
    return (
        v1x + px + c1x,
        v1y + py + c1y,
        w1x + dwx + k * c1y,
        w1y + dwy - k * c1x,
        w1z + dwz,
        v2x - px + c2x,
        v2y - py + c2y,
        w2x + dwx + k * c2y,
        w2y + dwy - k * c2x,
        w2z + dwz,
    )
