"""Straight paths of the cue ball's centre between balls: the geometry under articles 8 and 9.

All balls have one radius R, so a ball is met when the cue ball's centre reaches the circle of radius ``D = 2R`` around
its centre: the cue ball shrinks to a point, every other ball grows to a disc of radius D. A path is a segment from the
cue ball's centre to its centre at the contact. Cushions are no obstacles and are not looked at. Nothing is sampled and
no angle is computed: a tangent point needs one square root.
"""

from __future__ import annotations

import math

from sinuca_env._jit import kernel
from sinuca_env.state.balls import N_SLOTS, has_ball

TANGENT = 1e-9  # m: a path that enters an obstacle's disc by no more than this is tangent to it, so free


@kernel(internal=True)
def is_in_the_way(x, y, to_x, to_y, ball_x, ball_y, distance):
    """Whether a ball is met on the path from (x, y) before its end at (to_x, to_y).

    A ball that touches or (by rounded positions) overlaps the cue ball is met exactly by paths that lead towards it:
    its disc is taken as reaching just to the cue ball's centre. A ball without position (NaN) is in nobody's way.
    """
    path_x = to_x - x
    path_y = to_y - y
    away_x = ball_x - x
    away_y = ball_y - y
    along = away_x * path_x + away_y * path_y
    if not along > 0.0:
        return False
    far = math.sqrt(away_x * away_x + away_y * away_y)
    reach = min(distance, far) - TANGENT
    length2 = path_x * path_x + path_y * path_y
    if along >= length2:
        end_x = ball_x - to_x
        end_y = ball_y - to_y
        return end_x * end_x + end_y * end_y < reach * reach
    across = away_x * path_y - away_y * path_x
    return across * across < reach * reach * length2


@kernel(internal=True)
def is_path_free(layout, obstacles, x, y, to_x, to_y, distance):
    """No obstacle is met on the path."""
    for slot in range(1, N_SLOTS):
        if has_ball(obstacles, slot):
            if is_in_the_way(x, y, to_x, to_y, layout[slot, 0], layout[slot, 1], distance):
                return False
    return True


@kernel(internal=True)
def edge_contact(x, y, ball_x, ball_y, distance, side):
    """Where the cue ball just touches an edge of a ball: side +1 its left edge seen from (x, y), -1 its right.

    The tangent from the point to the disc has length ``s = sqrt(d^2 - D^2)`` and ends at ``(s t +- D t') s / d^2``
    with t the vector to the ball and t' its left normal. A touching ball's edges are where the cue ball is.
    """
    tx = ball_x - x
    ty = ball_y - y
    d2 = tx * tx + ty * ty
    s = math.sqrt(max(0.0, d2 - distance * distance))
    scale = s / d2
    return x + scale * (s * tx - side * distance * ty), y + scale * (s * ty + side * distance * tx)


@kernel(internal=True)
def full_contact(x, y, ball_x, ball_y, distance):
    """Where the cue ball meets a ball full in the face."""
    tx = ball_x - x
    ty = ball_y - y
    share = max(0.0, 1.0 - distance / math.sqrt(tx * tx + ty * ty))
    return x + share * tx, y + share * ty


@kernel(internal=True)
def contact_beyond(x, y, via_x, via_y, ball_x, ball_y, distance):
    """Where the path from (x, y) through a point meets a ball; NaN where it misses (tangent within 1e-9 m hits)."""
    ux = via_x - x
    uy = via_y - y
    length = math.sqrt(ux * ux + uy * uy)
    ux /= length
    uy /= length
    tx = ball_x - x
    ty = ball_y - y
    along = tx * ux + ty * uy
    across = tx * uy - ty * ux
    if along <= 0.0 or abs(across) > distance + TANGENT:
        return math.nan, math.nan
    s = along - math.sqrt(max(0.0, distance * distance - across * across))
    return x + s * ux, y + s * uy


@kernel(internal=True)
def common_contact(a_x, a_y, b_x, b_y, distance, side):
    """Where the cue ball touches two balls at once, on one side of the line from a to b; NaN if they are too far."""
    mx = 0.5 * (b_x - a_x)
    my = 0.5 * (b_y - a_y)
    half2 = mx * mx + my * my
    rest = distance * distance - half2
    if rest < 0.0 or half2 == 0.0:
        return math.nan, math.nan
    scale = side * math.sqrt(rest / half2)
    return a_x + mx - scale * my, a_y + my + scale * mx


@kernel(internal=True)
def are_edges_free(layout, obstacles, x, y, ball_x, ball_y, distance):
    """Whether both edges of a ball can be touched first.

    Most obstacles are far from every path to the ball and are passed over by three comparisons: paths stay within D of
    the line to the ball's centre, between the cue ball and that centre.
    """
    tx = ball_x - x
    ty = ball_y - y
    d2 = tx * tx + ty * ty
    d = math.sqrt(d2)
    aside = 2.0 * distance * d
    behind = -distance * d
    beyond = d2 + distance * d
    left_x, left_y = edge_contact(x, y, ball_x, ball_y, distance, 1.0)
    right_x, right_y = edge_contact(x, y, ball_x, ball_y, distance, -1.0)
    for slot in range(1, N_SLOTS):
        if not has_ball(obstacles, slot):
            continue
        ox = layout[slot, 0]
        oy = layout[slot, 1]
        along = (ox - x) * tx + (oy - y) * ty
        across = (ox - x) * ty - (oy - y) * tx
        if abs(across) < aside and behind < along < beyond:
            if is_in_the_way(x, y, left_x, left_y, ox, oy, distance):
                return False
            if is_in_the_way(x, y, right_x, right_y, ox, oy, distance):
                return False
    return True
