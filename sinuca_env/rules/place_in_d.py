"""Article 8 with the cue ball in hand: the best that any legal place in the D offers, exactly.

The set of answers is closed (tangent paths are free, places on the line of the D count), so if a level can be reached
at all it is reached where two constraints are tight at once, and those places and lines are finitely many:

* **both edges free** (two unknowns, x and y of the place): the constraints are the arc and the line of the D, the
  circles of places that touch a ball, and the straight lines on which the path to an edge of the ball on is tangent to
  an obstacle or ends where the cue ball touches both. Every crossing of two of these curves is tried.
* **full in the face** (one unknown, the direction from the ball on): lines from its centre tangent to a ball or to the
  arc, or through a crossing of the first three kinds of curve.
* **some point** (two unknowns, the line of the path): lines tangent to two of the discs, tangent to one through a
  crossing, through two crossings, tangent to the arc.

A region whose border holds no such crossing does not exist: the D has corners and the outer border of a region is
never one whole circle. Legal places keep the touching tolerance from every ball. A level found at some place is
proved by that place, so a few places are tried first and the full search runs only where none of them is open.
"""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.rules.sight import TANGENT, are_edges_free, common_contact
from sinuca_env.state.balls import ALL_COLOURS, ALL_REDS, N_SLOTS, has_ball
from sinuca_env.state.records import Snooker

NONE = int(Snooker.NONE)
AGGRAVATED = int(Snooker.AGGRAVATED)
PARTIAL = int(Snooker.PARTIAL)
TOTAL = int(Snooker.TOTAL)
TOUCHING = 1e-5  # m: gap up to which the cue ball touches a ball (22); it may not be placed so
OBJECT_BALLS = ALL_REDS | ALL_COLOURS
EMPTY, FIRST = np.int64(0), np.int64(1)  # row counts; a literal number would compile each ``add_*`` once more

FIRST_PLACES = np.array(
    [(0.0, 0.5), (0.0, -0.5), (0.0, 0.85), (0.0, -0.85), (-0.5, 0.0), (-0.95, 0.0), (-0.6, 0.6), (-0.6, -0.6),
     (0.0, 0.25), (0.0, -0.25), (0.0, 1.0), (0.0, -1.0)]
)  # fmt: skip
"""Places tried first, from the middle of the baulk line, in radii of the D."""


@kernel(internal=True)
def is_place(layout, balls, x, y, table):
    """The cue ball may be placed there: in the D or on its line, touching no ball (NaN is no place)."""
    dx = x - table.baulk_x
    reach = table.d_radius + TANGENT
    if not dx <= TANGENT or not dx * dx + y * y <= reach * reach:
        return False
    clear = 2.0 * table.ball_radius + TOUCHING - TANGENT
    for slot in range(1, N_SLOTS):
        if has_ball(balls, slot):
            ox = layout[slot, 0] - x
            oy = layout[slot, 1] - y
            if ox * ox + oy * oy < clear * clear:
                return False
    return True


# --- curves -------------------------------------------------------------------------------------------------------
# A line is a row (nx, ny, p): the points with nx x + ny y = p, |n| = 1. A disc is a row (x, y, radius); a point is a
# disc of radius 0. ``add_*`` functions append rows and return how many there are then; a full array takes no more.


@kernel(internal=True)
def add_row(rows, n, x, y, last):
    """Append a row."""
    if n < rows.shape[0]:
        rows[n, 0] = x
        rows[n, 1] = y
        rows[n, 2] = last
        n += 1
    return n


@kernel(internal=True)
def add_line(rows, n, nx, ny, p, table):
    """Append a line, if it crosses the D's circle."""
    if abs(nx * table.baulk_x - p) <= table.d_radius + TANGENT:
        return add_row(rows, n, nx, ny, p)
    return n


@kernel(internal=True)
def add_common_tangents(rows, n, ax, ay, a_radius, bx, by, b_radius, table):
    """Append the lines tangent to two discs (through two points, tangent through a point) that cross the D's circle."""
    dx = bx - ax
    dy = by - ay
    d = math.sqrt(dx * dx + dy * dy)
    if d < TANGENT:
        return n
    for inner in range(2 if a_radius > 0.0 and b_radius > 0.0 else 1):
        # With n . a = p - r_a, b lies on the same side of the line (outer: n . b = p - r_b) or on the other.
        q = (a_radius + b_radius if inner else a_radius - b_radius) / d
        if abs(q) <= 1.0 + TANGENT:
            w = math.sqrt(max(0.0, 1.0 - q * q))
            for side in (-1.0, 1.0):
                nx = (q * dx - side * w * dy) / d
                ny = (q * dy + side * w * dx) / d
                n = add_line(rows, n, nx, ny, nx * ax + ny * ay + a_radius, table)
    return n


@kernel(internal=True)
def add_line_crossings(rows, n, lines, i, discs, n_discs):
    """Append the crossings of line ``i`` with the lines before it and with the circles."""
    nx = lines[i, 0]
    ny = lines[i, 1]
    p = lines[i, 2]
    for j in range(i):
        det = nx * lines[j, 1] - ny * lines[j, 0]
        if abs(det) > 1e-12:
            x = (p * lines[j, 1] - lines[j, 2] * ny) / det
            n = add_row(rows, n, x, (nx * lines[j, 2] - lines[j, 0] * p) / det, 0.0)
    for j in range(n_discs):
        away = p - nx * discs[j, 0] - ny * discs[j, 1]
        if abs(away) <= discs[j, 2] + TANGENT:
            half = math.sqrt(max(0.0, discs[j, 2] * discs[j, 2] - away * away))
            for side in (-1.0, 1.0):
                x = discs[j, 0] + away * nx - side * half * ny
                n = add_row(rows, n, x, discs[j, 1] + away * ny + side * half * nx, 0.0)
    return n


@kernel(internal=True)
def add_disc_crossings(rows, n, discs, i):
    """Append the crossings of circle ``i`` with the circles before it."""
    for j in range(i):
        dx = discs[j, 0] - discs[i, 0]
        dy = discs[j, 1] - discs[i, 1]
        d2 = dx * dx + dy * dy
        if d2 > 0.0:
            share = 0.5 * (1.0 + (discs[i, 2] * discs[i, 2] - discs[j, 2] * discs[j, 2]) / d2)
            rest = discs[i, 2] * discs[i, 2] - share * share * d2
            if rest >= 0.0:
                half = math.sqrt(rest / d2)
                for side in (-1.0, 1.0):
                    x = discs[i, 0] + share * dx - side * half * dy
                    n = add_row(rows, n, x, discs[i, 1] + share * dy + side * half * dx, 0.0)
    return n


@kernel(internal=True)
def add_discs_near_d(rows, n, layout, balls, table):
    """Append the D's disc, and the discs around the balls that take away places in it."""
    distance = 2.0 * table.ball_radius + TOUCHING
    n = add_row(rows, n, table.baulk_x, 0.0, table.d_radius)
    for slot in range(1, N_SLOTS):
        if has_ball(balls, slot):
            dx = layout[slot, 0] - table.baulk_x
            if dx * dx + layout[slot, 1] * layout[slot, 1] < (table.d_radius + distance) ** 2:
                n = add_row(rows, n, layout[slot, 0], layout[slot, 1], distance)
    return n


@kernel(internal=True)
def add_corners(rows, n, layout, balls, lines, discs, n_discs, table):
    """Append where two of the curves that bound the legal places cross: corners of the D, arc, line or ball with ball.

    ``lines[0]`` is the baulk line.
    """
    start = n
    n = add_line_crossings(rows, n, lines, EMPTY, discs, n_discs)
    for i in range(n_discs):
        n = add_disc_crossings(rows, n, discs, i)
    kept = start
    for i in range(start, n):
        if is_place(layout, balls, rows[i, 0], rows[i, 1], table):
            kept = add_row(rows, kept, rows[i, 0], rows[i, 1], 0.0)
    return kept


# --- both edges ---------------------------------------------------------------------------------------------------


@kernel(internal=True)
def add_shadow_lines(rows, n, layout, target, obstacles, table):
    """Append the lines of places whose path to an edge of the ball on grazes an obstacle or ends touching both."""
    distance = 2.0 * table.ball_radius
    tx = layout[target, 0]
    ty = layout[target, 1]
    for slot in range(1, N_SLOTS):
        if has_ball(obstacles, slot) and math.isfinite(layout[slot, 0]):
            ox = layout[slot, 0]
            oy = layout[slot, 1]
            n = add_common_tangents(rows, n, tx, ty, distance, ox, oy, distance, table)
            for side in (-1.0, 1.0):
                x, y = common_contact(tx, ty, ox, oy, distance, side)
                if math.isfinite(x):
                    nx = (x - tx) / distance
                    ny = (y - ty) / distance
                    n = add_line(rows, n, nx, ny, nx * x + ny * y, table)
    return n


@kernel(internal=True)
def add_first_places(rows, n, table):
    """Append the places that are tried first."""
    for i in range(FIRST_PLACES.shape[0]):
        x = table.baulk_x + table.d_radius * FIRST_PLACES[i, 0]
        n = add_row(rows, n, x, table.d_radius * FIRST_PLACES[i, 1], 0.0)
    return n


@kernel(internal=True)
def is_open_from_d(layout, balls, target, obstacles, places, n, lines, discs, n_discs, table):
    """Both edges of the ball on are free from one of ``n`` places, or (given discs) from a crossing of two curves."""
    distance = 2.0 * table.ball_radius
    n_lines = add_shadow_lines(lines, FIRST, layout, target, obstacles, table) if n_discs else 0
    for i in range(-1, n_lines):
        if i >= 0:
            n = add_line_crossings(places, EMPTY, lines, i, discs, n_discs)
        for k in range(n):
            x = places[k, 0]
            y = places[k, 1]
            if is_place(layout, balls, x, y, table):
                if are_edges_free(layout, obstacles, x, y, layout[target, 0], layout[target, 1], distance):
                    return True
    return False


# --- one path -----------------------------------------------------------------------------------------------------


@kernel(internal=True)
def free_length(layout, obstacles, x, y, back_x, back_y, distance, last):
    """How far back from a contact at (x, y) the way is free, at most ``last``; -1 if an obstacle is met before it."""
    reach = distance - TANGENT
    for slot in range(1, N_SLOTS):
        if has_ball(obstacles, slot):
            dx = layout[slot, 0] - x
            dy = layout[slot, 1] - y
            if dx * dx + dy * dy < reach * reach:
                return -1.0
            along = dx * back_x + dy * back_y
            across = dx * back_y - dy * back_x
            if along > 0.0 and abs(across) < reach:
                last = min(last, along - math.sqrt(distance * distance - across * across))
    return last


@kernel(internal=True)
def is_way_back_playable(layout, balls, obstacles, x, y, back_x, back_y, table):
    """Some legal place in the D lies on the way back from a contact at (x, y), before the first obstacle.

    Tried are the first place of the way in the D and those where it leaves the disc of a ball that covers places.
    """
    distance = 2.0 * table.ball_radius
    middle = (table.baulk_x - x) * back_x - y * back_y
    off = (table.baulk_x - x) * back_y + y * back_x
    half = math.sqrt(max(0.0, table.d_radius * table.d_radius - off * off))
    first = max(0.0, middle - half)
    last = middle + half
    if back_x < 0.0:
        first = max(first, (table.baulk_x - x) / back_x)
    elif back_x > 0.0:
        last = min(last, (table.baulk_x - x) / back_x)
    last = free_length(layout, obstacles, x, y, back_x, back_y, distance, last) + TANGENT
    covered = distance + TOUCHING
    for slot in range(N_SLOTS):
        s = first
        if slot > 0:
            dx = layout[slot, 0] - x
            dy = layout[slot, 1] - y
            across = dx * back_y - dy * back_x
            if not has_ball(balls, slot) or not abs(across) < covered:
                continue
            s = dx * back_x + dy * back_y + math.sqrt(covered * covered - across * across)
        if first <= s <= last and is_place(layout, balls, x + s * back_x, y + s * back_y, table):
            return True
    return False


@kernel(internal=True)
def is_line_playable(layout, balls, target, obstacles, nx, ny, p, table):
    """Along the line, in either direction, some legal place in the D has a free path to the ball on."""
    distance = 2.0 * table.ball_radius
    away = p - nx * layout[target, 0] - ny * layout[target, 1]
    if abs(away) > distance + TANGENT:
        return False
    half = math.sqrt(max(0.0, distance * distance - away * away))
    for sign in (-1.0, 1.0):
        x = layout[target, 0] + away * nx - sign * half * ny
        y = layout[target, 1] + away * ny + sign * half * nx
        if is_way_back_playable(layout, balls, obstacles, x, y, -sign * ny, sign * nx, table):
            return True
    return False


@kernel(internal=True)
def add_features(rows, n, layout, balls, target, obstacles, table):
    """Append discs and points that a last free line is held by: the D's arc, balls on the way, contacts with two balls.

    A ball is on the way if it is nearer than the D's radius and two ball diameters to the line from the D.
    """
    distance = 2.0 * table.ball_radius
    tx = layout[target, 0]
    ty = layout[target, 1]
    dx = tx - table.baulk_x
    n = add_row(rows, n, table.baulk_x, 0.0, table.d_radius)
    for slot in range(1, N_SLOTS):
        if has_ball(balls, slot) and math.isfinite(layout[slot, 0]):
            ox = layout[slot, 0] - table.baulk_x
            oy = layout[slot, 1]
            share = min(1.0, max(0.0, (ox * dx + oy * ty) / max(TANGENT, dx * dx + ty * ty)))
            if math.sqrt((ox - share * dx) ** 2 + (oy - share * ty) ** 2) <= table.d_radius + 2.0 * distance:
                n = add_row(rows, n, layout[slot, 0], oy, distance)
                for side in (-1.0, 1.0):
                    x, y = common_contact(tx, ty, layout[slot, 0], oy, distance, side)
                    if math.isfinite(x) and has_ball(obstacles, slot):
                        n = add_row(rows, n, x, y, 0.0)
    return n


@kernel(internal=True)
def is_hit_from_d(layout, balls, target, obstacles, features, n, lines, full_face, table):
    """The ball on can be hit from some place in the D, full in the face or at any point.

    ``features[0]`` is the centre of the ball on: full in the face, only lines through it are tried.
    """
    for i in range(1, n):
        for j in range(1 if full_face else i):
            m = add_common_tangents(
                lines, FIRST, features[j, 0], features[j, 1], features[j, 2], features[i, 0], features[i, 1],
                features[i, 2], table,
            )  # fmt: skip
            for k in range(1, m):
                if is_line_playable(layout, balls, target, obstacles, lines[k, 0], lines[k, 1], lines[k, 2], table):
                    return True
    return False


@kernel(internal=True)
def best_level_in_d(layout, on_table, targets, obstacles, table):
    """The snooker with the cue ball in hand: that of the easiest ball on from the best legal place.

    Args:
        layout: (22, 2) positions, m; the cue ball's row is not read.
        on_table: set of balls in play: none of them may be overlapped.
        targets: balls on.
        obstacles: balls that obstruct (each ball on apart when it is looked at).
        table: TABLE record.
    """
    balls = on_table & OBJECT_BALLS
    work = np.empty((4, 192, 3))
    lines, discs, corners, places = work[0], work[1], work[2], work[3]
    add_row(lines, EMPTY, 1.0, 0.0, table.baulk_x)  # the baulk line
    level = NONE
    n_discs = EMPTY
    n_corners = FIRST  # row 0 is the centre of the ball looked at
    for search in range(2):
        # First the usual places for all balls on; only then, if none of these is open, every crossing.
        if search == 1:
            n_discs = add_discs_near_d(discs, EMPTY, layout, balls, table)
            n_corners = add_corners(corners, FIRST, layout, balls, lines, discs, n_discs, table)
        for slot in range(1, N_SLOTS):
            if has_ball(targets, slot) and math.isfinite(layout[slot, 0]):
                level = TOTAL
                n = add_first_places(places, EMPTY, table)
                for i in range(1, n_corners):
                    n = add_row(places, n, corners[i, 0], corners[i, 1], 0.0)
                if is_open_from_d(
                    layout, balls, slot, obstacles & ~(1 << slot), places, n, lines, discs, n_discs, table
                ):
                    return NONE
    if level == NONE:
        return NONE
    for slot in range(1, N_SLOTS):
        if has_ball(targets, slot) and math.isfinite(layout[slot, 0]):
            ahead = obstacles & ~(1 << slot)
            add_row(corners, EMPTY, layout[slot, 0], layout[slot, 1], 0.0)
            n = add_features(corners, n_corners, layout, balls, slot, ahead, table)
            for wanted in range(AGGRAVATED, level):
                if is_hit_from_d(layout, balls, slot, ahead, corners, n, lines, wanted == AGGRAVATED, table):
                    level = wanted
                    break
    return level
