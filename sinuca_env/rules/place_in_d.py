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
never one whole circle. Legal places keep clear of every ball; as a limit they may touch. A level found at some place is
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
OBJECT_BALLS = ALL_REDS | ALL_COLOURS

FIRST_PLACES = np.array(
    [(0.0, 0.5), (0.0, -0.5), (0.0, 0.85), (0.0, -0.85), (-0.5, 0.0), (-0.95, 0.0), (-0.6, 0.6), (-0.6, -0.6),
     (0.0, 0.25), (0.0, -0.25), (0.0, 1.0), (0.0, -1.0)]
)  # fmt: skip
"""Places tried first, from the middle of the baulk line, in radii of the D."""


@kernel
def is_in_d(x, y, table):
    """In the D or on its line."""
    dx = x - table.baulk_x
    reach = table.d_radius + TANGENT
    return dx <= TANGENT and dx * dx + y * y <= reach * reach


@kernel
def is_place_clear(layout, balls, x, y, distance):
    """The cue ball overlaps no ball there."""
    clear = distance - TANGENT
    for slot in range(1, N_SLOTS):
        if has_ball(balls, slot):
            dx = layout[slot, 0] - x
            dy = layout[slot, 1] - y
            if dx * dx + dy * dy < clear * clear:
                return False
    return True


@kernel
def is_open_from(layout, balls, target, obstacles, x, y, table):
    """The place is legal and both edges of the ball on are free from it."""
    distance = 2.0 * table.ball_radius
    if not is_in_d(x, y, table) or not is_place_clear(layout, balls, x, y, distance):
        return False
    return are_edges_free(layout, obstacles, x, y, layout[target, 0], layout[target, 1], distance)


# --- curves, crossings, common tangents ---------------------------------------------------------------------------
# A line is a row (nx, ny, p): the points with nx x + ny y = p, |n| = 1. A disc is a row (x, y, radius); a point is a
# disc of radius 0.


@kernel
def cross_lines(a, b):
    """The crossing of two lines; NaN for parallel ones."""
    det = a[0] * b[1] - a[1] * b[0]
    if abs(det) < 1e-12:
        return math.nan, math.nan
    return (a[2] * b[1] - b[2] * a[1]) / det, (a[0] * b[2] - b[0] * a[2]) / det


@kernel
def cross_line_disc(line, disc, side):
    """One of the two crossings of a line and a circle (tangent within 1e-9 m touches); NaN where they miss."""
    away = line[2] - line[0] * disc[0] - line[1] * disc[1]
    if abs(away) > disc[2] + TANGENT:
        return math.nan, math.nan
    half = side * math.sqrt(max(0.0, disc[2] * disc[2] - away * away))
    return disc[0] + away * line[0] - half * line[1], disc[1] + away * line[1] + half * line[0]


@kernel
def cross_discs(a, b, side):
    """One of the two crossings of two circles; NaN where they miss."""
    dx = b[0] - a[0]
    dy = b[1] - a[1]
    d2 = dx * dx + dy * dy
    if d2 == 0.0:
        return math.nan, math.nan
    share = 0.5 * (1.0 + (a[2] * a[2] - b[2] * b[2]) / d2)
    rest = a[2] * a[2] - share * share * d2
    if rest < -TANGENT * a[2]:
        return math.nan, math.nan
    half = side * math.sqrt(max(0.0, rest) / d2)
    return a[0] + share * dx - half * dy, a[1] + share * dy + half * dx


@kernel
def add_common_tangents(a, b, lines, n):
    """Append the lines tangent to both discs (through both points, tangent through a point); how many lines then."""
    dx = b[0] - a[0]
    dy = b[1] - a[1]
    d = math.hypot(dx, dy)
    if d < TANGENT:
        return n
    for inner in range(2 if a[2] > 0.0 and b[2] > 0.0 else 1):
        # With n . a = p - r_a, b lies on the same side of the line (outer: n . b = p - r_b) or on the other.
        q = (a[2] - b[2] if inner == 0 else a[2] + b[2]) / d
        if abs(q) > 1.0 + 1e-9:
            continue
        w = math.sqrt(max(0.0, 1.0 - q * q))
        for side in range(-1, 2, 2):
            if n == lines.shape[0]:
                return n
            nx = (q * dx - side * w * dy) / d
            ny = (q * dy + side * w * dx) / d
            lines[n, 0] = nx
            lines[n, 1] = ny
            lines[n, 2] = nx * a[0] + ny * a[1] + a[2]
            n += 1
    return n


@kernel
def set_row(rows, n, x, y, last):
    """Append a row if there is room; how many rows then."""
    if n < rows.shape[0]:
        rows[n, 0] = x
        rows[n, 1] = y
        rows[n, 2] = last
        n += 1
    return n


@kernel
def add_place(layout, balls, x, y, table, rows, n):
    """Append a point if the cue ball may be placed there."""
    if math.isfinite(x) and is_in_d(x, y, table):
        if is_place_clear(layout, balls, x, y, 2.0 * table.ball_radius):
            return set_row(rows, n, x, y, 0.0)
    return n


@kernel
def discs_near_d(layout, balls, table, rows):
    """The discs around balls that take away places in the D, after the disc of the D itself."""
    distance = 2.0 * table.ball_radius
    n = set_row(rows, 0, table.baulk_x, 0.0, table.d_radius)
    for slot in range(1, N_SLOTS):
        if has_ball(balls, slot):
            if math.hypot(layout[slot, 0] - table.baulk_x, layout[slot, 1]) < table.d_radius + distance:
                n = set_row(rows, n, layout[slot, 0], layout[slot, 1], distance)
    return n


@kernel
def baulk_line(table):
    """The straight line of the D as a row."""
    line = np.zeros(3)
    line[0] = 1.0
    line[2] = table.baulk_x
    return line


@kernel
def corners_of_places(layout, balls, table, discs, n_discs, rows):
    """Where two of the curves that bound the legal places cross: corners of the D, arc or line or ball with ball."""
    line = baulk_line(table)
    n = 0
    for i in range(n_discs):
        for side in range(-1, 2, 2):
            x, y = cross_line_disc(line, discs[i], side)
            n = add_place(layout, balls, x, y, table, rows, n)
            for j in range(i):
                x, y = cross_discs(discs[i], discs[j], side)
                n = add_place(layout, balls, x, y, table, rows, n)
    return n


# --- both edges ---------------------------------------------------------------------------------------------------


@kernel
def is_open_from_first_places(layout, balls, targets, obstacles, table):
    """Some ball on is open from one of the places tried first."""
    for i in range(FIRST_PLACES.shape[0]):
        x = table.baulk_x + table.d_radius * FIRST_PLACES[i, 0]
        y = table.d_radius * FIRST_PLACES[i, 1]
        for slot in range(1, N_SLOTS):
            if has_ball(targets, slot) and is_open_from(layout, balls, slot, obstacles & ~(1 << slot), x, y, table):
                return True
    return False


@kernel
def shadow_lines(layout, target, obstacles, table, lines):
    """The lines of places whose path to an edge of the ball on is tangent to an obstacle, or ends touching both.

    Only lines that cross the D are kept.
    """
    distance = 2.0 * table.ball_radius
    d_disc = np.array([table.baulk_x, 0.0, table.d_radius])
    ball = np.array([layout[target, 0], layout[target, 1], distance])
    other = np.array([0.0, 0.0, distance])
    found = np.empty((6, 3))
    n = 0
    for slot in range(1, N_SLOTS):
        if not has_ball(obstacles, slot) or not math.isfinite(layout[slot, 0]):
            continue
        other[0] = layout[slot, 0]
        other[1] = layout[slot, 1]
        m = add_common_tangents(ball, other, found, 0)
        for side in range(-1, 2, 2):
            x, y = common_contact(ball[0], ball[1], other[0], other[1], distance, side)
            if math.isfinite(x):
                nx = (x - ball[0]) / distance
                ny = (y - ball[1]) / distance
                m = set_row(found, m, nx, ny, nx * x + ny * y)
        for k in range(m):
            if abs(found[k, 0] * d_disc[0] + found[k, 1] * d_disc[1] - found[k, 2]) <= d_disc[2] + TANGENT:
                n = set_row(lines, n, found[k, 0], found[k, 1], found[k, 2])
    return n


@kernel
def is_open_from_d(layout, balls, target, obstacles, discs, n_discs, corners, n_corners, lines, table):
    """Both edges of the ball on are free from some place in the D: every crossing of two curves is tried."""
    for i in range(n_corners):
        if is_open_from(layout, balls, target, obstacles, corners[i, 0], corners[i, 1], table):
            return True
    n = shadow_lines(layout, target, obstacles, table, lines)
    n = set_row(lines, n, 1.0, 0.0, table.baulk_x)
    for i in range(n):
        for j in range(i):
            x, y = cross_lines(lines[i], lines[j])
            if is_open_from(layout, balls, target, obstacles, x, y, table):
                return True
        for j in range(n_discs):
            for side in range(-1, 2, 2):
                x, y = cross_line_disc(lines[i], discs[j], side)
                if is_open_from(layout, balls, target, obstacles, x, y, table):
                    return True
    return False


# --- one path -----------------------------------------------------------------------------------------------------


@kernel
def is_line_playable(layout, balls, target, obstacles, line, table):
    """Along the line, in either direction, some legal place in the D has a free path to the ball on."""
    distance = 2.0 * table.ball_radius
    away = line[2] - line[0] * layout[target, 0] - line[1] * layout[target, 1]
    off = line[2] - line[0] * table.baulk_x
    if not abs(away) <= distance + TANGENT or not abs(off) <= table.d_radius + TANGENT:
        return False
    half = math.sqrt(max(0.0, distance * distance - away * away))
    foot_x = layout[target, 0] + away * line[0]
    foot_y = layout[target, 1] + away * line[1]
    for sign in range(-1, 2, 2):
        back_x = -sign * line[1]
        back_y = sign * line[0]
        x = foot_x + half * back_x
        y = foot_y + half * back_y
        if is_way_back_playable(layout, balls, obstacles, x, y, back_x, back_y, off, table):
            return True
    return False


@kernel
def is_way_back_playable(layout, balls, obstacles, x, y, back_x, back_y, off, table):
    """Some legal place in the D lies on the way back from a contact at (x, y), before the first obstacle.

    Args:
        back_x, back_y: unit vector away from the ball on.
        off: distance of the way's line from the middle of the D's arc.
    """
    distance = 2.0 * table.ball_radius
    middle = (table.baulk_x - x) * back_x - y * back_y
    half = math.sqrt(max(0.0, table.d_radius * table.d_radius - off * off))
    first = max(0.0, middle - half)
    last = middle + half
    if back_x < 0.0:
        first = max(first, (table.baulk_x - x) / back_x)
    elif back_x > 0.0:
        last = min(last, (table.baulk_x - x) / back_x)
    last = free_length(layout, obstacles, x, y, back_x, back_y, distance, last)
    if not first <= last + TANGENT:
        return False
    if is_place(layout, balls, x + first * back_x, y + first * back_y, table):
        return True
    # The first place is covered by a ball: where the way leaves a ball's disc, places begin again.
    for slot in range(1, N_SLOTS):
        if has_ball(balls, slot):
            dx = layout[slot, 0] - x
            dy = layout[slot, 1] - y
            across = dx * back_y - dy * back_x
            if abs(across) < distance:
                leave = dx * back_x + dy * back_y + math.sqrt(distance * distance - across * across)
                if first <= leave <= last + TANGENT:
                    if is_place(layout, balls, x + leave * back_x, y + leave * back_y, table):
                        return True
    return False


@kernel
def is_place(layout, balls, x, y, table):
    """The cue ball may be placed there."""
    return is_in_d(x, y, table) and is_place_clear(layout, balls, x, y, 2.0 * table.ball_radius)


@kernel
def free_length(layout, obstacles, x, y, back_x, back_y, distance, last):
    """How far back the way is free of obstacles, at most ``last``; -1 if an obstacle is met before the contact."""
    reach = distance - TANGENT
    for slot in range(1, N_SLOTS):
        if not has_ball(obstacles, slot):
            continue
        dx = layout[slot, 0] - x
        dy = layout[slot, 1] - y
        if dx * dx + dy * dy < reach * reach:
            return -1.0
        along = dx * back_x + dy * back_y
        across = dx * back_y - dy * back_x
        if along > 0.0 and abs(across) < reach:
            last = min(last, along - math.sqrt(distance * distance - across * across))
    return last


@kernel
def features_of(layout, balls, target, obstacles, corners, n_corners, table, rows):
    """Discs and points that a last free line is held by: the D's arc, balls on the way to the ball on, crossings.

    A ball is on the way if it is nearer than the D's radius and two ball diameters to the line from the D.
    """
    distance = 2.0 * table.ball_radius
    tx = layout[target, 0]
    ty = layout[target, 1]
    dx = tx - table.baulk_x
    n = set_row(rows, 0, table.baulk_x, 0.0, table.d_radius)
    for i in range(n_corners):
        n = set_row(rows, n, corners[i, 0], corners[i, 1], 0.0)
    for slot in range(1, N_SLOTS):
        if not has_ball(balls, slot) or not math.isfinite(layout[slot, 0]):
            continue
        ox = layout[slot, 0] - table.baulk_x
        oy = layout[slot, 1]
        share = min(1.0, max(0.0, (ox * dx + oy * ty) / max(TANGENT, dx * dx + ty * ty)))
        if math.hypot(ox - share * dx, oy - share * ty) > table.d_radius + 2.0 * distance:
            continue
        n = set_row(rows, n, layout[slot, 0], layout[slot, 1], distance)
        if has_ball(obstacles, slot):
            for side in range(-1, 2, 2):
                x, y = common_contact(tx, ty, layout[slot, 0], layout[slot, 1], distance, side)
                if math.isfinite(x):
                    n = set_row(rows, n, x, y, 0.0)
    return n


@kernel
def is_full_face_from_d(layout, balls, target, obstacles, features, n, table):
    """The ball on can be hit full in the face from some place in the D."""
    lines = np.empty((4, 3))
    centre = np.array([layout[target, 0], layout[target, 1], 0.0])
    for i in range(n):
        for k in range(add_common_tangents(centre, features[i], lines, 0)):
            if is_line_playable(layout, balls, target, obstacles, lines[k], table):
                return True
    return False


@kernel
def is_any_point_from_d(layout, balls, target, obstacles, features, n, table):
    """Some point of the ball on can be hit from some place in the D."""
    lines = np.empty((4, 3))
    for i in range(n):
        for j in range(i):
            for k in range(add_common_tangents(features[i], features[j], lines, 0)):
                if is_line_playable(layout, balls, target, obstacles, lines[k], table):
                    return True
    return False


@kernel
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
    known = 0
    for slot in range(1, N_SLOTS):
        if has_ball(targets, slot) and math.isfinite(layout[slot, 0]):
            known |= 1 << slot
    if known == 0 or is_open_from_first_places(layout, balls, known, obstacles, table):
        return NONE
    discs = np.empty((N_SLOTS, 3))
    corners = np.empty((64, 3))
    rows = np.empty((160, 3))
    n_discs = discs_near_d(layout, balls, table, discs)
    n_corners = corners_of_places(layout, balls, table, discs, n_discs, corners)
    level = TOTAL
    for slot in range(1, N_SLOTS):
        if not has_ball(known, slot):
            continue
        ahead = obstacles & ~(1 << slot)
        if is_open_from_d(layout, balls, slot, ahead, discs, n_discs, corners, n_corners, rows, table):
            return NONE
        n = features_of(layout, balls, slot, ahead, corners, n_corners, table, rows)
        if level > AGGRAVATED and is_full_face_from_d(layout, balls, slot, ahead, rows, n, table):
            level = AGGRAVATED
        if level > PARTIAL and is_any_point_from_d(layout, balls, slot, ahead, rows, n, table):
            level = PARTIAL
    return level
