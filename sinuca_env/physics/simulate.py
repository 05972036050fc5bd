"""One shot on one table, event by event: interim kernel until the joint-contact engine lands."""

import math
import numpy as np
from sinuca_env._jit import kernel
from sinuca_env.physics.collide_ball import resolve_pair
from sinuca_env.physics.collide_cushion import rebound
from sinuca_env.physics.strike import strike

# columns of a ball's row
X, Y, VX, VY, WX, WY, WZ, HX, HY, T0, TEND, PH = range(12)
REST, SLIDE, ROLL = 0, 1, 2
INF = math.inf
MIN_SEP = 1e-3


@kernel
def poly4(c4, c3, c2, c1, c0, t):
    return (((c4 * t + c3) * t + c2) * t + c1) * t + c0


@kernel
def poly3(c4, c3, c2, c1, t):
    return ((4 * c4 * t + 3 * c3) * t + 2 * c2) * t + c1


@kernel
def newton_f(c4, c3, c2, c1, c0, lo, hi):
    # f(lo) > 0 >= f(hi), monotone falling
    t = 0.5 * (lo + hi)
    flo = poly4(c4, c3, c2, c1, c0, lo)
    fhi = poly4(c4, c3, c2, c1, c0, hi)
    if flo - fhi > 0:
        t = lo + (hi - lo) * flo / (flo - fhi)
    for _ in range(100):
        f = poly4(c4, c3, c2, c1, c0, t)
        if f > 0:
            lo = t
        else:
            hi = t
        d = poly3(c4, c3, c2, c1, t)
        n = t - f / d if d != 0.0 else 0.5 * (lo + hi)
        if not (lo < n < hi):
            n = 0.5 * (lo + hi)
        if abs(n - t) <= 1e-16 * max(1.0, abs(t)) or n == t:
            return n
        t = n
    return t


@kernel
def newton_d(c4, c3, c2, c1, lo, hi):
    # root of f' with sign change in [lo, hi]
    dlo = poly3(c4, c3, c2, c1, lo)
    t = 0.5 * (lo + hi)
    for _ in range(60):
        d = poly3(c4, c3, c2, c1, t)
        if (d > 0) == (dlo > 0):
            lo = t
        else:
            hi = t
        e = (12 * c4 * t + 6 * c3) * t + 2 * c2
        n = t - d / e if e != 0.0 else 0.5 * (lo + hi)
        if not (lo < n < hi):
            n = 0.5 * (lo + hi)
        if abs(n - t) <= 1e-14 * max(1e-3, abs(t)):
            return n
        t = n
    return t


@kernel
def hit_time(dx, dy, vx, vy, hx, hy, rr, T):
    """First t in [0, T] with |d + v t + h t^2| = rr, approaching; INF if none."""
    c0 = dx * dx + dy * dy - rr * rr
    c1 = 2.0 * (dx * vx + dy * vy)
    if c0 <= 0.0:
        if c1 < 0.0:
            return 0.0
        c0 = 0.0
    vv = vx * vx + vy * vy
    hh = hx * hx + hy * hy
    # reach test
    reach = math.sqrt(vv) * T + math.sqrt(hh) * T * T
    if c0 > 0.0 and reach * reach + 2.0 * rr * reach < c0:
        return INF
    c2 = vv + 2.0 * (dx * hx + dy * hy)
    c3 = 2.0 * (vx * hx + vy * hy)
    c4 = hh
    if c1 >= 0.0 and c2 >= 0.0 and c3 >= 0.0:
        return INF
    # pieces of [0, T] between the roots of f''
    b0, b1, b2, b3 = 0.0, T, T, T
    A, B, C = 12.0 * c4, 6.0 * c3, 2.0 * c2
    if A > 0.0:
        disc = B * B - 4 * A * C
        if disc > 0.0:
            s = math.sqrt(disc)
            q = -0.5 * (B + s) if B > 0 else -0.5 * (B - s)
            r1 = q / A
            r2 = C / q if q != 0.0 else 0.0
            if r1 > r2:
                r1, r2 = r2, r1
            b1 = min(max(r1, 0.0), T)
            b2 = min(max(r2, 0.0), T)
    elif B != 0.0:
        b1 = min(max(-C / B, 0.0), T)
    left = 0.0
    fleft = c0
    for k in range(3):
        lo = b0 if k == 0 else (b1 if k == 1 else b2)
        hi = b1 if k == 0 else (b2 if k == 1 else b3)
        if hi <= lo:
            continue
        dlo = poly3(c4, c3, c2, c1, lo)
        dhi = poly3(c4, c3, c2, c1, hi)
        if dlo < 0.0 and dhi > 0.0:
            m = newton_d(c4, c3, c2, c1, lo, hi)
            if poly4(c4, c3, c2, c1, c0, m) < 0.0:
                if poly4(c4, c3, c2, c1, c0, lo) <= 0.0:
                    return lo
                return newton_f(c4, c3, c2, c1, c0, lo, m)
        elif dlo > 0.0 and dhi < 0.0:
            m = newton_d(c4, c3, c2, c1, lo, hi)
            if poly4(c4, c3, c2, c1, c0, hi) < 0.0:
                return newton_f(c4, c3, c2, c1, c0, m, hi)
        elif dlo <= 0.0 and dhi <= 0.0:
            if poly4(c4, c3, c2, c1, c0, hi) < 0.0:
                if poly4(c4, c3, c2, c1, c0, lo) <= 0.0:
                    return lo
                return newton_f(c4, c3, c2, c1, c0, lo, hi)
    return INF


@kernel
def set_phase(b, i, now, p):
    R = p.ball_radius
    vx, vy = b[i, VX], b[i, VY]
    ux, uy = vx - R * b[i, WY], vy + R * b[i, WX]
    u = math.sqrt(ux * ux + uy * uy)
    v = math.sqrt(vx * vx + vy * vy)
    b[i, T0] = now
    if u > 1e-10:
        a = 0.5 * p.mu_slide * p.gravity
        b[i, HX] = -a * ux / u
        b[i, HY] = -a * uy / u
        b[i, TEND] = now + 2.0 * u / (7.0 * p.mu_slide * p.gravity)
        b[i, PH] = SLIDE
    elif v > 1e-10:
        a = 0.5 * p.mu_roll * p.gravity
        b[i, HX] = -a * vx / v
        b[i, HY] = -a * vy / v
        b[i, TEND] = now + v / (p.mu_roll * p.gravity)
        b[i, PH] = ROLL
        b[i, WX], b[i, WY] = -vy / R, vx / R
    else:
        b[i, VX] = b[i, VY] = b[i, WX] = b[i, WY] = b[i, HX] = b[i, HY] = 0.0
        b[i, TEND] = INF
        b[i, PH] = REST


@kernel
def advance(b, i, now, p):
    dt = now - b[i, T0]
    if dt != 0.0:
        R = p.ball_radius
        hx, hy = b[i, HX], b[i, HY]
        b[i, X] += (b[i, VX] + hx * dt) * dt
        b[i, Y] += (b[i, VY] + hy * dt) * dt
        b[i, VX] += 2 * hx * dt
        b[i, VY] += 2 * hy * dt
        if b[i, PH] == SLIDE:
            k = 5.0 / R * dt
            b[i, WX] += k * hy
            b[i, WY] -= k * hx
        elif b[i, PH] == ROLL:
            b[i, WX], b[i, WY] = -b[i, VY] / R, b[i, VX] / R
        wz = b[i, WZ]
        dw = p.spin_decay * dt
        b[i, WZ] = wz - dw if wz > dw else (wz + dw if wz < -dw else 0.0)
        b[i, T0] = now


@kernel
def own_event(b, i, now, tab, p):
    """(time, kind, index): 1 phase end, 2 line, 3 arc, 4 pocket."""
    t, kind, idx = b[i, TEND], 1, 0
    T = t - now
    x, y, vx, vy, hx, hy = b[i, X], b[i, Y], b[i, VX], b[i, VY], b[i, HX], b[i, HY]
    R = p.ball_radius
    # box of the motion
    dx1, dy1 = vx * T + hx * T * T, vy * T + hy * T * T
    ex = abs(hx) * T * T * 0.25
    ey = abs(hy) * T * T * 0.25
    x0, x1 = min(x, x + dx1) - ex, max(x, x + dx1) + ex
    y0, y1 = min(y, y + dy1) - ey, max(y, y + dy1) + ey
    hl, hw = 0.5 * tab.length - R, 0.5 * tab.width - R
    if x0 > -hl and x1 < hl and y0 > -hw and y1 < hw:
        return t, kind, idx
    for k in range(6):
        nx, ny = tab.lines[k, 4], tab.lines[k, 5]
        s0 = nx * (x - tab.lines[k, 0]) + ny * (y - tab.lines[k, 1]) - R - p.contact_gap
        s1 = nx * vx + ny * vy
        s2 = nx * hx + ny * hy
        r = INF
        if s0 <= 0.0 and s0 > -R:
            if s1 < 0.0:
                r = 0.0
            elif s2 < 0.0 and s1 > 0.0:
                r = -s1 / s2
        elif s0 > 0.0:
            if s2 == 0.0:
                if s1 < 0.0:
                    r = -s0 / s1
            else:
                disc = s1 * s1 - 4.0 * s2 * s0
                if disc >= 0.0:
                    q = math.sqrt(disc)
                    if s1 < 0.0:
                        r = 2.0 * s0 / (-s1 + q)
                    elif s2 < 0.0:
                        r = (-s1 - q) / (2.0 * s2)
        if r < T and now + r < t:
            px, py = x + (vx + hx * r) * r, y + (vy + hy * r) * r
            if nx == 0.0:
                lo, hi = min(tab.lines[k, 0], tab.lines[k, 2]), max(tab.lines[k, 0], tab.lines[k, 2])
                ok = lo <= px <= hi
            else:
                lo, hi = min(tab.lines[k, 1], tab.lines[k, 3]), max(tab.lines[k, 1], tab.lines[k, 3])
                ok = lo <= py <= hi
            if ok:
                t, kind, idx = now + r, 2, k
                T = r
    for k in range(12):
        cx, cy, cr = tab.arcs[k, 0], tab.arcs[k, 1], tab.arcs[k, 2] + R + p.contact_gap
        if x0 > cx + cr or x1 < cx - cr or y0 > cy + cr or y1 < cy - cr:
            continue
        r = hit_time(x - cx, y - cy, vx, vy, hx, hy, cr, min(T, 1e6))
        if now + r < t:
            t, kind, idx = now + r, 3, k
            T = r
    for k in range(6):
        cx, cy, cr = tab.pockets[k, 0], tab.pockets[k, 1], tab.pockets[k, 2]
        if x0 > cx + cr or x1 < cx - cr or y0 > cy + cr or y1 < cy - cr:
            continue
        r = hit_time(x - cx, y - cy, vx, vy, hx, hy, cr, min(T, 1e6))
        if now + r <= t:
            t, kind, idx = now + r, 4, k
            T = r
    return t, kind, idx


@kernel
def pair_event(b, i, j, now, p):
    if b[i, PH] == REST and b[j, PH] == REST:
        return INF
    tend = min(b[i, TEND], b[j, TEND])
    T = tend - now
    di, dj = now - b[i, T0], now - b[j, T0]
    xi, yi = b[i, X] + (b[i, VX] + b[i, HX] * di) * di, b[i, Y] + (b[i, VY] + b[i, HY] * di) * di
    xj, yj = b[j, X] + (b[j, VX] + b[j, HX] * dj) * dj, b[j, Y] + (b[j, VY] + b[j, HY] * dj) * dj
    vix, viy = b[i, VX] + 2 * b[i, HX] * di, b[i, VY] + 2 * b[i, HY] * di
    vjx, vjy = b[j, VX] + 2 * b[j, HX] * dj, b[j, VY] + 2 * b[j, HY] * dj
    return now + hit_time(
        xi - xj, yi - yj, vix - vjx, viy - vjy, b[i, HX] - b[j, HX], b[i, HY] - b[j, HY], 2.0 * p.ball_radius + p.contact_gap, T
    )


@kernel
def collide(b, i, j, p):
    dx, dy = b[j, X] - b[i, X], b[j, Y] - b[i, Y]
    d = math.sqrt(dx * dx + dy * dy)
    nx, ny = dx / d, dy / d
    r = resolve_pair(
        b[i, VX], b[i, VY], b[i, WX], b[i, WY], b[i, WZ], b[j, VX], b[j, VY], b[j, WX], b[j, WY], b[j, WZ], nx, ny, p
    )
    b[i, VX], b[i, VY], b[i, WX], b[i, WY], b[i, WZ] = r[0], r[1], r[2], r[3], r[4]
    b[j, VX], b[j, VY], b[j, WX], b[j, WY], b[j, WZ] = r[5], r[6], r[7], r[8], r[9]
    sep = (b[j, VX] - b[i, VX]) * nx + (b[j, VY] - b[i, VY]) * ny
    if sep < MIN_SEP:
        c = 0.5 * (MIN_SEP - sep)
        b[i, VX] -= c * nx
        b[i, VY] -= c * ny
        b[j, VX] += c * nx
        b[j, VY] += c * ny


@kernel
def simulate_one(layout, on_table, st, shot, tab, p, b, own_t, own_k, own_i, pt):
    n = 22

    shot.first_contact = 0
    shot.potted = 0
    shot.n_potted = 0
    for i in range(22):
        shot.pot_order[i] = -1
        shot.pot_pocket[i] = -1
    shot.off_table = 0
    shot.jumped = 0
    shot.moved_touching = 0
    shot.touching_before = 0
    shot.touching_after = 0
    shot.cushions = 0
    shot.cushions_before_contact = 0
    shot.cushion_balls = 0
    shot.contacts = 0
    shot.made = 1
    shot.flags = 0
    two = 2.0 * p.ball_radius
    for i in range(n):
        for k in range(12):
            b[i, k] = 0.0
        b[i, X], b[i, Y] = layout[i, 0], layout[i, 1]
        b[i, TEND] = INF
        own_t[i] = INF
        for j in range(n):
            pt[i, j] = INF
    touching = np.int64(0)
    for j in range(1, n):
        if (on_table >> j) & 1:
            if math.hypot(b[j, X] - b[0, X], b[j, Y] - b[0, Y]) <= two + 1e-5:
                touching |= 1 << j
    shot.touching_before = touching
    vx, vy, wx, wy, wz, fl = strike(st, p)
    shot.flags = fl
    b[0, VX], b[0, VY], b[0, WX], b[0, WY], b[0, WZ] = vx, vy, wx, wy, wz
    set_phase(b, 0, 0.0, p)
    alive = on_table
    now = 0.0
    first_t = -1.0
    # refresh ball 0
    own_t[0], own_k[0], own_i[0] = own_event(b, 0, 0.0, tab, p)
    for j in range(1, n):
        if (alive >> j) & 1:
            t = pair_event(b, 0, j, 0.0, p)
            pt[0, j] = t
            pt[j, 0] = t
    events = 0
    last = 0.0
    while events < 20000:
        best, bi, bj = INF, -1, -1
        for i in range(n):
            if not ((alive >> i) & 1) or b[i, PH] == REST:
                continue
            if own_t[i] < best:
                best, bi, bj = own_t[i], i, -1
            for j in range(n):
                if pt[i, j] < best:
                    best, bi, bj = pt[i, j], i, j
        if bi < 0:
            break
        events += 1
        now = best
        if now > 300.0:
            shot.flags |= 2
            break
        i = bi
        advance(b, i, now, p)
        if bj >= 0:
            j = bj
            advance(b, j, now, p)
            if i == 0 or j == 0:
                o = i + j
                if first_t < 0.0 or now <= first_t + 1e-9:
                    if first_t < 0.0:
                        first_t = now
                    shot.first_contact |= 1 << o
                if now == 0.0 and (touching >> o) & 1:
                    shot.moved_touching |= 1 << o
            shot.contacts += 1
            collide(b, i, j, p)
            set_phase(b, i, now, p)
            set_phase(b, j, now, p)
        else:
            j = -1
            k = own_k[i]
            if k == 1:
                if b[i, PH] == SLIDE:
                    b[i, WX], b[i, WY] = -b[i, VY] / p.ball_radius, b[i, VX] / p.ball_radius
                else:
                    b[i, VX] = b[i, VY] = b[i, WX] = b[i, WY] = 0.0
                set_phase(b, i, now, p)
                if b[i, PH] == SLIDE:
                    b[i, WX], b[i, WY] = -b[i, VY] / p.ball_radius, b[i, VX] / p.ball_radius
            elif k == 4:
                alive &= ~(1 << i)
                shot.potted |= 1 << i
                shot.pot_order[shot.n_potted] = i
                shot.pot_pocket[shot.n_potted] = own_i[i]
                shot.n_potted += 1
                layout[i, 0] = np.nan
                layout[i, 1] = np.nan
                b[i, PH] = REST
            else:
                if k == 2:
                    nx, ny = tab.lines[own_i[i], 4], tab.lines[own_i[i], 5]
                else:
                    nx, ny = b[i, X] - tab.arcs[own_i[i], 0], b[i, Y] - tab.arcs[own_i[i], 1]
                    d = math.sqrt(nx * nx + ny * ny)
                    nx /= d
                    ny /= d
                r = rebound(b[i, VX], b[i, VY], b[i, WX], b[i, WY], b[i, WZ], nx, ny, p)
                b[i, VX], b[i, VY], b[i, WX], b[i, WY], b[i, WZ] = r[0], r[1], r[2], r[3], r[4]
                s = b[i, VX] * nx + b[i, VY] * ny
                if s < MIN_SEP:
                    b[i, VX] += (MIN_SEP - s) * nx
                    b[i, VY] += (MIN_SEP - s) * ny
                shot.cushions += 1
                shot.cushion_balls |= 1 << i
                if i == 0 and first_t < 0.0:
                    shot.cushions_before_contact += 1
                set_phase(b, i, now, p)
        for q in range(2):
            m = i if q == 0 else j
            if m < 0:
                continue
            if (alive >> m) & 1 and b[m, PH] != REST:
                own_t[m], own_k[m], own_i[m] = own_event(b, m, now, tab, p)
            else:
                own_t[m] = INF
            for o in range(n):
                if o == m or not ((on_table >> o) & 1):
                    continue
                t = INF
                if (alive >> o) & 1 and (alive >> m) & 1:
                    t = pair_event(b, m, o, now, p)
                pt[m, o] = t
                pt[o, m] = t
    if events >= 20000:
        shot.flags |= 1
    for i in range(n):
        if (alive >> i) & 1:
            layout[i, 0] = b[i, X]
            layout[i, 1] = b[i, Y]
            if not (abs(b[i, X]) < 10.0 and abs(b[i, Y]) < 10.0):
                shot.flags |= 8
    if alive & 1:
        for j in range(1, n):
            if (alive >> j) & 1:
                if math.hypot(b[j, X] - b[0, X], b[j, Y] - b[0, Y]) <= two + 1e-5:
                    shot.touching_after |= 1 << j
    shot.duration = now
    shot.events = events


@kernel
def run(layouts, on_table, strikes, shots, tables, params, lanes):
    b = np.empty((22, 12))
    own_t = np.empty(22)
    own_k = np.empty(22, np.int64)
    own_i = np.empty(22, np.int64)
    pt = np.empty((22, 22))
    for q in range(lanes.shape[0]):
        l = lanes[q]
        simulate_one(
            layouts[l], np.int64(on_table[l]), strikes[l], shots[l], tables[0], params[0], b, own_t, own_k, own_i, pt
        )
