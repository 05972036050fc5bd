"""Motion of a ball on the cloth between events, in closed form.

A ball is a row of a float array (columns below) and a phase. Each ball keeps its own clock ``T0``: a row holds the
state at that time and the half accelerations until ``TEND``, and only the balls of an event are advanced, so what
happens to one ball never rounds another.

Sliding: the contact point's slip u = v + R w x (-z) shrinks at 7/2 mu g in a fixed direction, the velocity changes by
mu g against it, so the path is a parabola until u = 0. Rolling: the ball loses mu_roll g. The spin about the vertical
fades by itself at ``spin_decay``. See e.g. Alciatore, TP A.4, or Leckie and Greenspan (2006).
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel

__all__ = [
    "BX0", "BX1", "BY0", "BY1", "COLUMNS", "END_OF_TIME", "HX", "HY", "INF", "REST", "ROLL", "SLIDE", "T0", "TEND",
    "VX", "VY", "WX", "WY", "WZ", "X", "Y", "advance", "end_phase", "kinetic", "set_box", "set_phase",
]  # fmt: skip

X, Y, VX, VY, WX, WY, WZ, HX, HY, T0, TEND, BX0, BX1, BY0, BY1 = range(15)
COLUMNS = 16
"""Position (m), velocity (m/s), spin (rad/s), half acceleration (m/s^2), clock and end of the phase (s), and the box
that holds the path from the clock to the ball's next own event (m)."""

REST, SLIDE, ROLL = 0, 1, 2

INF = math.inf
END_OF_TIME = 600.0  # s; a shot still in motion then is cut off with a flag (no friction, or next to none)

_NO_SLIP = 1e-9  # m/s; slower slips and speeds are none: u = 0 exactly would leave no direction
_NO_SPEED = 1e-9


@kernel
def set_phase(balls, phase, i, now, p):
    """Derive the phase of ball ``i`` from its velocities, and its accelerations and the phase's end from the phase."""
    radius = p.ball_radius
    vx, vy = balls[i, VX], balls[i, VY]
    ux, uy = vx - radius * balls[i, WY], vy + radius * balls[i, WX]
    slip = math.sqrt(ux * ux + uy * uy)
    balls[i, T0] = now
    if slip > _NO_SLIP:
        rate = p.mu_slide * p.gravity
        h = -0.5 * rate / slip
        balls[i, HX] = h * ux
        balls[i, HY] = h * uy
        end = now + slip / (3.5 * rate) if rate > 0.0 else END_OF_TIME
        balls[i, TEND] = min(end, END_OF_TIME)
        phase[i] = SLIDE
        return
    speed = math.sqrt(vx * vx + vy * vy)
    if speed > _NO_SPEED:
        rate = p.mu_roll * p.gravity
        h = -0.5 * rate / speed
        balls[i, HX] = h * vx
        balls[i, HY] = h * vy
        end = now + speed / rate if rate > 0.0 else END_OF_TIME
        balls[i, TEND] = min(end, END_OF_TIME)
        balls[i, WX] = -vy / radius
        balls[i, WY] = vx / radius
        phase[i] = ROLL
        return
    balls[i, VX] = balls[i, VY] = balls[i, WX] = balls[i, WY] = balls[i, HX] = balls[i, HY] = 0.0
    balls[i, TEND] = INF
    phase[i] = REST


@kernel
def advance(balls, phase, i, now, p):
    """Bring ball ``i`` from its own clock to ``now``, within its phase."""
    dt = now - balls[i, T0]
    if dt == 0.0:
        return
    balls[i, T0] = now
    fade = p.spin_decay * dt
    wz = balls[i, WZ]
    balls[i, WZ] = wz - fade if wz > fade else (wz + fade if wz < -fade else 0.0)
    kind = phase[i]
    if kind == REST:
        return
    hx, hy = balls[i, HX], balls[i, HY]
    balls[i, X] += (balls[i, VX] + hx * dt) * dt
    balls[i, Y] += (balls[i, VY] + hy * dt) * dt
    balls[i, VX] += 2.0 * hx * dt
    balls[i, VY] += 2.0 * hy * dt
    if kind == SLIDE:
        turn = 5.0 / p.ball_radius * dt
        balls[i, WX] += turn * hy
        balls[i, WY] -= turn * hx
    else:
        balls[i, WX] = -balls[i, VY] / p.ball_radius
        balls[i, WY] = balls[i, VX] / p.ball_radius


@kernel
def end_phase(balls, phase, i, now, p):
    """The phase of an advanced ball ends at ``now``: sliding turns into rolling exactly, rolling into rest."""
    if phase[i] == SLIDE:
        balls[i, WX] = -balls[i, VY] / p.ball_radius
        balls[i, WY] = balls[i, VX] / p.ball_radius
    else:
        balls[i, VX] = balls[i, VY] = balls[i, WX] = balls[i, WY] = 0.0
    set_phase(balls, phase, i, now, p)


@kernel
def set_box(balls, i, span):
    """Store the box of the path of ball ``i`` over ``span`` seconds from its clock (an upper bound, exact to rounding).

    A parabola leaves its chord's box by at most |h| span^2 / 4 in each axis.
    """
    x, y, hx, hy = balls[i, X], balls[i, Y], balls[i, HX], balls[i, HY]
    sx, sy = (balls[i, VX] + hx * span) * span, (balls[i, VY] + hy * span) * span
    square = 0.25 * span * span
    ex, ey = abs(hx) * square, abs(hy) * square
    balls[i, BX0] = x + min(sx, 0.0) - ex
    balls[i, BX1] = x + max(sx, 0.0) + ex
    balls[i, BY0] = y + min(sy, 0.0) - ey
    balls[i, BY1] = y + max(sy, 0.0) + ey


@kernel
def kinetic(balls, i, radius):
    """Twice the kinetic energy per mass of ball ``i``, m^2/s^2."""
    vx, vy = balls[i, VX], balls[i, VY]
    wx, wy, wz = radius * balls[i, WX], radius * balls[i, WY], radius * balls[i, WZ]
    return vx * vx + vy * vy + 0.4 * (wx * wx + wy * wy + wz * wz)
