"""A ball meets a cushion or a jaw: velocity and spin after the rebound.

Frame of the contact: n into the cushion, t = (-ny, nx) along it, z up; the nose touches the ball ``nose_height`` radii
above the cloth, in the direction (c, 0, s) from the centre with s = nose_height - 1, c = sqrt(1 - s^2). Spins inside
this file are R w, in m/s; impulses are per unit of mass.

Models (``PHYSICS.cushion``):

* ``mathavan2010``: the impulse equations of Mathavan, Jackson and Parkin (2010): friction at the nose and, since the
  nose presses the ball down, at the cloth; both change direction during the contact. Compression ends when the normal
  velocity is 0, restitution when it has returned e^2 of the work. Integrated to 1e-5 of the speed.
* ``calibrated`` (default): the same equations in seven implicit midpoint steps, straight-line arithmetic.
  ``benchmarks/agreement.py`` measures its errors against ``mathavan2010`` (docs/physics.md).
* ``han2005``: one impulse at the nose, ``Jn = (1 + e) vn c``, ``Jt = min(mu Jn, 2/7 slip)``; the vertical velocity is
  let go (Han 2005, with the slip limit of a sphere).

All maps are homogeneous: speeds and spins times lambda give the rebound times lambda. Energy never rises.
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel

__all__ = ["rebound"]

_TINY = 1e-8  # of the approach speed: slips below it stick
_COMPRESSION, _RESTITUTION = 3, 4  # steps of calibrated
_NOTHING = 1e-300
_PARTS = 8.0  # steps of mathavan2010 per phase where slips change smoothly


@kernel
def _energy(vn, vt, wn, wt, wz):
    """Kinetic energy per mass; spins are R w."""
    return 0.5 * (vn * vn + vt * vt) + 0.2 * (wn * wn + wt * wt + wz * wz)


@kernel
def _han2005(vn, vt, wn, wt, wz, p):
    """Rebound in the contact's frame."""
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
def _into_disc(x, y, radius):
    """The vector, shortened to the radius where it is longer."""
    size = math.sqrt(x * x + y * y)
    if size <= radius:
        return x, y
    return x * radius / size, y * radius / size


@kernel
def _frictions(it, iu, cn, ct, tiny, s, c, mu, cloth):
    """Friction per unit of nose impulse at the nose (t, u) and at the cloth (n, t), with u = (-s, 0, c).

    A contact that slips by more than ``tiny`` has the full friction against its slip; one that does not gets what
    keeps it so, within its cone. The nose presses the ball on the cloth with s - c fu.
    """
    slip_i, slip_c = math.sqrt(it * it + iu * iu), math.sqrt(cn * cn + ct * ct)
    ft, fu, gn, gt = 0.0, 0.0, 0.0, 0.0
    if slip_i > tiny:
        ft, fu = -mu * it / slip_i, -mu * iu / slip_i
    for _ in range(60):
        old_t, old_u = ft, fu
        if slip_i <= tiny:
            ft, fu = _into_disc(gt * (2.5 * s - 1.0) / 3.5, -(s * c + gn * (2.5 - s)) / (s * s + 2.5), mu)
        press = cloth * max(0.0, s - c * fu)
        if slip_c > tiny:
            gn, gt = -press * cn / slip_c, -press * ct / slip_c
        else:
            gn, gt = _into_disc((c - (2.5 - s) * fu) / 3.5, (2.5 * s - 1.0) * ft / 3.5, press)
        if abs(ft - old_t) + abs(fu - old_u) < 1e-13:
            break
    return ft, fu, gn, gt


@kernel
def _change(vn, vt, wn, wt, wz, tiny, s, c, mu, cloth):
    """Derivative of the state by the nose impulse, and the longest step that follows the slips."""
    it, iu = vt + wz * c - wn * s, -vn * s - wt
    cn, ct = vn - wt, vt + wn
    ft, fu, gn, gt = _frictions(it, iu, cn, ct, tiny, s, c, mu, cloth)
    dvn, dvt = gn - c - s * fu, ft + gt
    dwn, dwt, dwz = 2.5 * (gt - s * ft), -2.5 * (fu + gn), 2.5 * c * ft
    longest = 1e300
    for contact in range(2):
        if contact == 0:
            x, y, dx, dy = it, iu, dvt + dwz * c - dwn * s, -dvn * s - dwt
        else:
            x, y, dx, dy = cn, ct, dvn - dwt, dvt + dwn
        square = x * x + y * y
        if square > tiny * tiny:
            shrink = max(0.0, -(x * dx + y * dy)) + abs(x * dy - y * dx)
            if 0.3 * square < longest * shrink:
                longest = 0.3 * square / shrink
    return dvn, dvt, dwn, dwt, dwz, longest


@kernel
def _mathavan2010(vn, vt, wn, wt, wz, p):
    """Rebound in the contact's frame: classical Runge-Kutta over the nose impulse, shorter steps where a slip dies."""
    s = p.nose_height - 1.0
    c = math.sqrt(1.0 - s * s)
    mu, cloth = p.mu_cushion, p.mu_slide
    size = vn
    tiny = _TINY * size
    longest = size / (c * _PARTS)
    work, target, compressing = 0.0, 0.0, True
    for _ in range(2000):
        a = _change(vn, vt, wn, wt, wz, tiny, s, c, mu, cloth)
        h = min(longest, a[5])
        if compressing:
            if a[0] < 0.0:
                h = min(h, -vn / a[0])
        elif a[0] < 0.0:
            # The work still to come, c (|vn| h + |vn'| h^2 / 2), cuts the last step.
            h = min(h, (math.sqrt(vn * vn - 2.0 * a[0] * max(0.0, work - target) / c) + vn) / -a[0])
        k = 0.5 * h
        b = _change(vn + k * a[0], vt + k * a[1], wn + k * a[2], wt + k * a[3], wz + k * a[4], tiny, s, c, mu, cloth)
        d = _change(vn + k * b[0], vt + k * b[1], wn + k * b[2], wt + k * b[3], wz + k * b[4], tiny, s, c, mu, cloth)
        f = _change(vn + h * d[0], vt + h * d[1], wn + h * d[2], wt + h * d[3], wz + h * d[4], tiny, s, c, mu, cloth)
        k = h / 6.0
        # The work integrates c vn with the same stages.
        work += c * h * (vn + h * (a[0] + b[0] + d[0]) / 6.0)
        vn += k * (a[0] + 2.0 * (b[0] + d[0]) + f[0])
        vt += k * (a[1] + 2.0 * (b[1] + d[1]) + f[1])
        wn += k * (a[2] + 2.0 * (b[2] + d[2]) + f[2])
        wt += k * (a[3] + 2.0 * (b[3] + d[3]) + f[3])
        wz += k * (a[4] + 2.0 * (b[4] + d[4]) + f[4])
        if compressing:
            if vn <= 1e-12 * size:
                compressing, target = False, (1.0 - p.e_cushion * p.e_cushion) * work
        if not compressing and work - target <= 1e-12 * size * size:
            break
    return vn, vt, wn, wt, wz


@kernel
def _midpoint(vn, vt, wn, wt, wz, h, s, c, mu, cloth, ft, fu, gn, gt):
    """Frictions at the nose (t, u) and the cloth (n, t) over a step ``h`` of nose impulse, from the last ones.

    Implicit midpoint, so that no friction reverses a slip: each goes against the slip half-way, with its full size or,
    if that is less, with what brings the slip to rest there (stiffness 7/2 of a sphere).
    """
    k, a, b = 0.5 * h, 1.0 - 2.5 * s, 2.5 - s
    x = vt + wz * c - wn * s + k * a * gt
    y = k * (s * c + gn * b + (s * s - 1.0) * fu) - vn * s - wt
    share = -mu / max(math.sqrt(x * x + y * y), 3.5 * k * mu, _NOTHING)
    ft, fu = share * x, share * y
    press = cloth * max(0.0, s - c * fu)
    x = vn - wt + k * (b * fu - c)
    y = vt + wn + k * a * ft
    share = -press / max(math.sqrt(x * x + y * y), 3.5 * k * press, _NOTHING)
    return ft, fu, share * x, share * y


@kernel
def _calibrated(vn, vt, wn, wt, wz, p):
    """Rebound in the contact's frame: a fixed number of midpoint steps for each of compression and restitution.

    With 3 and 4: 0.1 degree root mean square of the rebound's direction against ``mathavan2010``, 1.2 at worst (a nose
    slip that dies within a step), 0.17 % of the speed on average. 3 and 3 err half as much again.
    """
    s = p.nose_height - 1.0
    c = math.sqrt(1.0 - s * s)
    mu, cloth = p.mu_cushion, p.mu_slide
    ft, fu, gn, gt = 0.0, 0.0, 0.0, 0.0
    rate, work = c, 0.0
    share = vn / _COMPRESSION
    h = share / c
    for _ in range(_COMPRESSION):
        # Equal shares of the normal velocity; the frictions are taken for the length of the last step.
        ft, fu, gn, gt = _midpoint(vn, vt, wn, wt, wz, h, s, c, mu, cloth, ft, fu, gn, gt)
        rate = max(c + s * fu - gn, 0.1 * c)
        h = share / rate
        work += h * (vn - 0.5 * share)
        vn -= share
        vt += h * (ft + gt)
        wn += 2.5 * h * (gt - s * ft)
        wt -= 2.5 * h * (fu + gn)
        wz += 2.5 * h * c * ft
    # Shares of the work that give about equal shares of the final speed.
    part = p.e_cushion * p.e_cushion * work / (_RESTITUTION * _RESTITUTION)
    vn = 0.0
    if part <= 0.0:
        return vn, vt, wn, wt, wz
    h = math.sqrt(2.0 * part / rate)
    for i in range(_RESTITUTION):
        ft, fu, gn, gt = _midpoint(vn, vt, wn, wt, wz, h, s, c, mu, cloth, ft, fu, gn, gt)
        rate = max(c + s * fu - gn, 0.1 * c)
        after = -math.sqrt(vn * vn + 2.0 * rate * part * (2.0 * i + 1.0))
        h = (vn - after) / rate
        vn = after
        vt += h * (ft + gt)
        wn += 2.5 * h * (gt - s * ft)
        wt -= 2.5 * h * (fu + gn)
        wz += 2.5 * h * c * ft
    return vn, vt, wn, wt, wz


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
    if vn == 0.0:
        return vx, vy, wx, wy, wz
    radius = p.ball_radius
    vt = vy * nx - vx * ny
    wn, wt, wv = radius * (wx * nx + wy * ny), radius * (wy * nx - wx * ny), radius * wz
    if p.cushion == 1:
        vn, vt, wn, wt, wv = _han2005(vn, vt, wn, wt, wv, p)
    elif p.cushion == 2:
        vn, vt, wn, wt, wv = _mathavan2010(vn, vt, wn, wt, wv, p)
    else:
        before = _energy(vn, vt, wn, wt, wv)
        a = _calibrated(vn, vt, wn, wt, wv, p)
        if _energy(a[0], a[1], a[2], a[3], a[4]) > before:
            # Only with a cloth so rough that the ball jams under the nose: midpoint steps no longer hold.
            a = _han2005(vn, vt, wn, wt, wv, p)
        vn, vt, wn, wt, wv = a
    # A single impulse at a high nose can leave a ball going on into the cushion: it stops there instead.
    vn = min(vn, 0.0)
    wn, wt, wv = wn / radius, wt / radius, wv / radius
    return vn * nx - vt * ny, vt * nx + vn * ny, wn * nx - wt * ny, wt * nx + wn * ny, wv
