"""A ball meets a cushion or a jaw: velocity and spin after the rebound.

Frame of the contact: n into the cushion, t = (-ny, nx) along it, z up; the nose touches the ball ``nose_height`` radii
above the cloth, on the direction (c, 0, s) from the centre with s = nose_height - 1, c = sqrt(1 - s^2).

Models (``PHYSICS.cushion``):

* ``han2005``: one impulse at the nose, ``Jn = (1 + e) vn c``, ``Jt = min(mu Jn, 2/7 slip)``; the vertical velocity is
  let go (Han 2005, with the slip limit of a sphere).
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel

__all__ = ["rebound"]


@kernel
def _han2005(vn, vt, wn, wt, wz, p):
    """Rebound in the contact's frame; spins are R w (m/s)."""
    s = p.nose_height - 1.0
    c = math.sqrt(1.0 - s * s)
    jn = (1.0 + p.e_cushion) * vn * c
    # Slip of the contact point in the plane across (c, 0, s): along t and along (-s, 0, c).
    slip_t = vt + wz * c - wn * s
    slip_u = -vn * s - wt
    slip = math.sqrt(slip_t * slip_t + slip_u * slip_u)
    share = min(p.mu_cushion * jn / slip, 2.0 / 7.0) if slip > 0.0 else 0.0
    jt, ju = -share * slip_t, -share * slip_u
    # R dw = 5/2 (arm x impulse), arm (c, 0, s), impulse jt t + ju (-s, 0, c): (-s jt, -ju, c jt).
    return vn - jn * c - ju * s, vt + jt, wn - 2.5 * s * jt, wt - 2.5 * ju, wz + 2.5 * c * jt


@kernel
def rebound(vx, vy, wx, wy, wz, nx, ny, p):
    """Velocity (m/s) and spin (rad/s) after meeting a cushion.

    Args:
        vx, vy, wx, wy, wz: before.
        nx, ny: unit normal of the face at the contact. Either sign: the ball is taken to approach the cushion.
        p: ``PHYSICS`` record.

    Returns:
        ``(vx, vy, wx, wy, wz)``.
    """
    vn = vx * nx + vy * ny
    if vn < 0.0:
        nx, ny, vn = -nx, -ny, -vn
    radius = p.ball_radius
    vt = vy * nx - vx * ny
    wn, wt, wv = radius * (wx * nx + wy * ny), radius * (wy * nx - wx * ny), radius * wz
    vn, vt, wn, wt, wv = _han2005(vn, vt, wn, wt, wv, p)
    wn, wt, wv = wn / radius, wt / radius, wv / radius
    return vn * nx - vt * ny, vt * nx + vn * ny, wn * nx - wt * ny, wt * nx + wn * ny, wv
