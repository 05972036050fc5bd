"""All contacts of one instant, resolved jointly.

Balls that touch (a frozen pack, a line of balls, a ball on two others) collide at one and the same instant. The rule:

1. Of all contacts that approach, the one that closes fastest is resolved first, by the two balls' own impact law; then
   the closing speeds are looked at again. So an impact runs through a line of balls as in Newton's cradle, impact by
   impact, whatever the restitution.
2. Contacts that close equally fast (to 1e-9) are resolved together. If they share balls, their normal impulses come
   from one linear system, Newton's restitution at each contact and no pull (J >= 0); frictions follow from them.
   So a symmetric position stays symmetric.

3. Should the impacts of one instant not come to an end (a ring of balls squeezed at next to no speed), all its contacts
   are resolved together without restitution.

Sums over a ball's contacts are made in integers (multiples of 2^-55 m/s), which add exactly in any order: neither ball
numbers nor a mirror changes a bit. With one restitution for all contacts the joint impulses cannot raise the energy,
E' - E = -(1 - e) J.vn / 2; should friction at several contacts at once do so, or the least speed of separation below,
the balls are slowed together to the energy they had.

After a hit, bodies part with at least ``_LEAST`` m/s, more for a ball that is hit very often: hits of a ball pressed
against another (or its cushion) by its spin do not come arbitrarily fast after one another.
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel
from sinuca_env.physics.collide_ball import friction_impulse, pair_slip, resolve_pair
from sinuca_env.physics.collide_cushion import rebound
from sinuca_env.physics.motion import VX, VY, WX, WY, WZ, kinetic

__all__ = ["MAX_CONTACTS", "closing_speed", "hit_jointly", "hit_pair", "hit_wall", "least_separation"]

MAX_CONTACTS = 128  # 22 balls have at most 57 contacts with each other

_LEAST = 1e-4  # m/s
_LEAST_CAP = 5e-3
_UNIT = 2.0**55  # per m/s
_ROUNDS = 400  # of the joint solve; it halves its error in each, or better
_OVER = 1.0 + 1e-14


@kernel
def least_separation(hits):
    """Least speed of separation (m/s) of a ball that has had ``hits`` hits: an ordinary shot never gets beyond 1e-3."""
    return min(_LEAST * (1.0 + hits * hits / 16.0), _LEAST_CAP)


@kernel
def closing_speed(balls, i, j, nx, ny):
    """How fast ball ``i`` closes on ball ``j``, or on a wall (j < 0) with the normal n from the ball to it."""
    if j < 0:
        return balls[i, VX] * nx + balls[i, VY] * ny
    return (balls[i, VX] - balls[j, VX]) * nx + (balls[i, VY] - balls[j, VY]) * ny


@kernel
def _slow(balls, i, factor):
    for k in range(VX, WZ + 1):
        balls[i, k] *= factor


@kernel
def hit_pair(balls, i, j, nx, ny, least, p):
    """Two balls meet; n is the unit vector from ``i`` to ``j``. They part with at least ``least`` m/s."""
    radius = p.ball_radius
    before = kinetic(balls, i, radius) + kinetic(balls, j, radius)
    r = resolve_pair(
        balls[i, VX], balls[i, VY], balls[i, WX], balls[i, WY], balls[i, WZ],
        balls[j, VX], balls[j, VY], balls[j, WX], balls[j, WY], balls[j, WZ], nx, ny, p,
    )  # fmt: skip
    balls[i, VX], balls[i, VY], balls[i, WX], balls[i, WY], balls[i, WZ] = r[0], r[1], r[2], r[3], r[4]
    balls[j, VX], balls[j, VY], balls[j, WX], balls[j, WY], balls[j, WZ] = r[5], r[6], r[7], r[8], r[9]
    missing = least + closing_speed(balls, i, j, nx, ny)
    if missing > 0.0:
        c = 0.5 * missing
        balls[i, VX] -= c * nx
        balls[i, VY] -= c * ny
        balls[j, VX] += c * nx
        balls[j, VY] += c * ny
        after = kinetic(balls, i, radius) + kinetic(balls, j, radius)
        if after > before:
            factor = math.sqrt(before / after)
            _slow(balls, i, factor)
            _slow(balls, j, factor)


@kernel
def hit_wall(balls, i, nx, ny, least, p):
    """A ball meets a cushion or jaw; n is the unit vector from the ball into it."""
    before = kinetic(balls, i, p.ball_radius)
    r = rebound(balls[i, VX], balls[i, VY], balls[i, WX], balls[i, WY], balls[i, WZ], -nx, -ny, p)
    balls[i, VX], balls[i, VY], balls[i, WX], balls[i, WY], balls[i, WZ] = r
    missing = least + closing_speed(balls, i, -1, nx, ny)
    if missing > 0.0:
        balls[i, VX] -= missing * nx
        balls[i, VY] -= missing * ny
        after = kinetic(balls, i, p.ball_radius)
        if after > before:
            _slow(balls, i, math.sqrt(before / after))


@kernel
def _normal_impulses(work, con, normal, n_chosen, sums):
    """Impulses J >= 0 with ``closing`` turned into ``-target`` at every chosen contact (or J = 0 and more).

    Projected Jacobi steps, damped: the coupling of two contacts of a ball is n.n' <= 1 against 2 on the diagonal; no
    eigenvalue of a packed lattice exceeds 6.
    """
    closing, target, impulse = work[1], work[2], work[3]
    for c in range(n_chosen):
        impulse[c] = 0.0
    for _ in range(_ROUNDS):
        for c in range(n_chosen):
            i, j = con[0, con[2, c]], con[1, con[2, c]]
            for k in range(2):
                sums[i, k] = 0
                sums[j, k] = 0
        for c in range(n_chosen):
            i, j = con[0, con[2, c]], con[1, con[2, c]]
            for k in range(2):
                part = int(impulse[c] * normal[con[2, c], k] * _UNIT)
                sums[i, k] -= part
                sums[j, k] += part
        change = 0.0
        for c in range(n_chosen):
            i, j = con[0, con[2, c]], con[1, con[2, c]]
            nx, ny = normal[con[2, c], 0], normal[con[2, c], 1]
            ax, ay = (sums[i, 0] - sums[j, 0]) / _UNIT, (sums[i, 1] - sums[j, 1]) / _UNIT
            new = max(0.0, impulse[c] + 0.3 * (closing[c] + (ax * nx + ay * ny) + target[c]))
            change = max(change, abs(new - impulse[c]))
            impulse[c] = new
        if change < 1e-16:
            break


@kernel
def hit_jointly(balls, con, normal, n_chosen, least, plastic, work, sums, p):
    """Resolve contacts between balls that close equally fast and share balls.

    Args:
        balls: state rows.
        con: all contacts of the instant, int64: rows of balls i and j, and a row with the numbers of the chosen ones.
        normal: unit vectors from i to j.
        n_chosen: how many are chosen.
        least: least speed of separation.
        plastic: without restitution.
        work: scratch, (4, contacts).
        sums: scratch, (balls, 5) int64.
        p: parameters.
    """
    radius = p.ball_radius
    k = 2.5 / radius
    closing, target, impulse = work[1], work[2], work[3]
    for c in range(n_chosen):
        i, j = con[0, con[2, c]], con[1, con[2, c]]
        closing[c] = closing_speed(balls, i, j, normal[con[2, c], 0], normal[con[2, c], 1])
        target[c] = least if plastic else max(p.e_ball * closing[c], least)
    _normal_impulses(work, con, normal, n_chosen, sums)
    members, before, after = 0, 0, 0
    for c in range(n_chosen):
        members |= (1 << con[0, con[2, c]]) | (1 << con[1, con[2, c]])
    for i in range(22):
        if (members >> i) & 1:
            before += int(kinetic(balls, i, radius) * _UNIT / 512.0)
            for m in range(5):
                sums[i, m] = 0
    for c in range(n_chosen):
        i, j = con[0, con[2, c]], con[1, con[2, c]]
        nx, ny, jn = normal[con[2, c], 0], normal[con[2, c], 1], impulse[c]
        slip_t, slip_z = pair_slip(
            balls[i, VX], balls[i, VY], balls[i, WX], balls[i, WY], balls[i, WZ],
            balls[j, VX], balls[j, VY], balls[j, WX], balls[j, WY], balls[j, WZ], nx, ny, radius,
        )  # fmt: skip
        jt, jz = friction_impulse(slip_t, slip_z, jn, p)
        px, py = int((-jn * nx - jt * ny) * _UNIT), int((jt * nx - jn * ny) * _UNIT)
        # Spins as R dw / 2.5, equal for both balls.
        qx, qy, qz = int(jz * ny * _UNIT), int(-jz * nx * _UNIT), int(jt * _UNIT)
        sums[i, 0] += px
        sums[i, 1] += py
        sums[j, 0] -= px
        sums[j, 1] -= py
        for m in range(2):
            ball = i if m == 0 else j
            sums[ball, 2] += qx
            sums[ball, 3] += qy
            sums[ball, 4] += qz
    for i in range(22):
        if (members >> i) & 1:
            for m in range(5):
                balls[i, VX + m] += sums[i, m] / _UNIT * (1.0 if m < 2 else k)
            after += int(kinetic(balls, i, radius) * _UNIT / 512.0)
    if after > before * _OVER:
        factor = math.sqrt(before / after)
        for i in range(22):
            if (members >> i) & 1:
                _slow(balls, i, factor)
