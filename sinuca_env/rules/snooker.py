"""Articles 8 and 9: how much of a ball on the cue ball can reach on a straight path, and what is in the way."""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.rules.articles import article
from sinuca_env.rules.place_in_d import best_level_in_d
from sinuca_env.rules.sight import (
    TANGENT,
    are_edges_free,
    common_contact,
    contact_beyond,
    edge_contact,
    full_contact,
    is_in_the_way,
    is_path_free,
)
from sinuca_env.state.balls import ALL_COLOURS, ALL_REDS, N_SLOTS, has_ball
from sinuca_env.state.records import ON_COLOUR, ON_RED, Snooker

NONE = int(Snooker.NONE)
AGGRAVATED = int(Snooker.AGGRAVATED)
PARTIAL = int(Snooker.PARTIAL)
TOTAL = int(Snooker.TOTAL)
TOUCHING = 1e-5  # m: a ball on so near is touching, and a touching ball on is not snookered (22-II-a)


@article("8", "9")
def targets_of(on_table, target):
    """The balls on: reds, every colour, or one colour."""
    if target == ON_RED:
        return on_table & ALL_REDS
    if target == ON_COLOUR:
        return on_table & ALL_COLOURS
    return on_table & (1 << (target + 14))


@article("8", "9")
def obstacles_of(on_table, target):
    """The balls that can obstruct a ball on (that ball itself apart): the colours for a red, else all the others."""
    return on_table & (ALL_COLOURS if target == ON_RED else ALL_REDS | ALL_COLOURS)


@article("8-I-c")
def is_full_face_free(layout, obstacles, x, y, ball_x, ball_y, distance):
    """The ball can be hit centre to centre."""
    to_x, to_y = full_contact(x, y, ball_x, ball_y, distance)
    return is_path_free(layout, obstacles, x, y, to_x, to_y, distance)


@article("8-I-b")
def is_any_point_free(layout, obstacles, x, y, ball_x, ball_y, distance):
    """The ball can be hit at some point.

    The free directions are a closed set. Where it is not empty, an end of it is free: an edge of the ball, the tangent
    to an obstacle, or the direction in which ball and obstacle are met at once. These are tried.
    """
    for sign in (-1.0, 1.0):
        to_x, to_y = edge_contact(x, y, ball_x, ball_y, distance, sign)
        if is_path_free(layout, obstacles, x, y, to_x, to_y, distance):
            return True
        for slot in range(1, N_SLOTS):
            if not has_ball(obstacles, slot):
                continue
            ox = layout[slot, 0]
            oy = layout[slot, 1]
            via_x, via_y = past_edge(x, y, ox, oy, distance, sign)
            to_x, to_y = contact_beyond(x, y, via_x, via_y, ball_x, ball_y, distance)
            if math.isfinite(to_x) and is_path_free(layout, obstacles, x, y, to_x, to_y, distance):
                return True
            to_x, to_y = common_contact(ball_x, ball_y, ox, oy, distance, sign)
            # On the ball's far side it is met before: then this is no contact.
            if (to_x - x) * (to_x - ball_x) + (to_y - y) * (to_y - ball_y) <= 0.0:
                if is_path_free(layout, obstacles, x, y, to_x, to_y, distance):
                    return True
    return False


@kernel(internal=True)
def past_edge(x, y, ball_x, ball_y, distance, side):
    """A point ahead on the path tangent to a ball; past a touching ball it leads straight across."""
    via_x, via_y = edge_contact(x, y, ball_x, ball_y, distance, side)
    if abs(via_x - x) + abs(via_y - y) < TANGENT:
        return x - side * (ball_y - y), y + side * (ball_x - x)
    return via_x, via_y


@article("8-I", "22-II-a")
def is_open(layout, obstacles, x, y, ball_x, ball_y, distance):
    """Both edges of the ball can be touched first, or the cue ball touches it already."""
    dx = ball_x - x
    dy = ball_y - y
    if dx * dx + dy * dy <= (distance + TOUCHING) * (distance + TOUCHING):
        return True
    return are_edges_free(layout, obstacles, x, y, ball_x, ball_y, distance)


@article("8-I-a", "8-I-b", "8-I-c")
def level_of_hidden(layout, obstacles, x, y, ball_x, ball_y, distance):
    """The snooker on a ball that is not open."""
    if is_full_face_free(layout, obstacles, x, y, ball_x, ball_y, distance):
        return AGGRAVATED
    if is_any_point_free(layout, obstacles, x, y, ball_x, ball_y, distance):
        return PARTIAL
    return TOTAL


@article("8-IV")
def is_obstructing(x, y, ball_x, ball_y, ox, oy, distance):
    """Some straight path to the ball is obstructed by the obstacle.

    The obstructed directions are one interval; it reaches an edge of the ball, or else ends at a tangent of the
    obstacle beyond which the ball would have been met.
    """
    for sign in (-1.0, 1.0):
        to_x, to_y = edge_contact(x, y, ball_x, ball_y, distance, sign)
        if is_in_the_way(x, y, to_x, to_y, ox, oy, distance):
            return True
        graze_x, graze_y = edge_contact(x, y, ox, oy, distance, sign)
        via_x, via_y = past_edge(x, y, ox, oy, distance, sign)
        to_x, to_y = contact_beyond(x, y, via_x, via_y, ball_x, ball_y, distance - 2.0 * TANGENT)
        if math.hypot(to_x - x, to_y - y) > math.hypot(graze_x - x, graze_y - y) + TANGENT:
            return True
    return False


@article("8-IV")
def first_obstacles_of(layout, obstacles, x, y, ball_x, ball_y, distance):
    """The obstructing ball whose centre is nearest to the cue ball; more than one where they are equally near."""
    nearest = np.inf
    first = 0
    for slot in range(1, N_SLOTS):
        if not has_ball(obstacles, slot):
            continue
        ox = layout[slot, 0]
        oy = layout[slot, 1]
        far = math.hypot(ox - x, oy - y)
        if far > nearest + TANGENT or not is_obstructing(x, y, ball_x, ball_y, ox, oy, distance):
            continue
        if far < nearest - TANGENT:
            first = 0
        nearest = min(nearest, far)
        first |= 1 << slot
    return first


@article("8", "9")
def snooker_from_place(layout, on_table, target, table):
    """(level, first obstacles) with the cue ball where it lies."""
    x = layout[0, 0]
    y = layout[0, 1]
    targets = targets_of(on_table, target)
    obstacles = obstacles_of(on_table, target)
    distance = 2.0 * table.ball_radius
    known = 0
    for slot in range(1, N_SLOTS):
        if has_ball(targets, slot) and math.isfinite(layout[slot, 0]):
            known |= 1 << slot
            # All balls on are asked this first: most tables have an open one, and the rest costs ten times as much.
            if is_open(layout, obstacles & ~(1 << slot), x, y, layout[slot, 0], layout[slot, 1], distance):
                return NONE, 0
    if known == 0:
        return NONE, 0
    best = TOTAL
    first = obstacles
    for slot in range(1, N_SLOTS):
        if has_ball(known, slot):
            ahead = obstacles & ~(1 << slot)
            best = min(best, level_of_hidden(layout, ahead, x, y, layout[slot, 0], layout[slot, 1], distance))
            # A ball is the first obstacle only where it is so for every ball on.
            if first:
                first &= first_obstacles_of(layout, ahead, x, y, layout[slot, 0], layout[slot, 1], distance)
    return best, first


@article("8", "9", entry=True)
def snooker_state(layout, on_table, target, in_hand, table):
    """The snooker that the cue ball faces, and the first obstacles.

    Args:
        layout: (22, 2) positions, m; a ball without position (NaN) neither is a target nor obstructs.
        on_table: set of balls in play.
        target: ``ON_RED``, 2..7 or ``ON_COLOUR``: the balls on.
        in_hand: the cue ball may be placed in the D; its row is not read.
        table: TABLE record.

    Returns:
        ``Snooker`` level of the ball on that is easiest to reach (in hand: from the best legal place), and the set of
        balls that are the first obstacle to every ball on (8-IV; empty when not snookered, and in hand). Without a
        position of the cue ball, when not in hand, or of any ball on, there is no geometry: NONE and no obstacle.
    """
    if in_hand:
        targets = targets_of(on_table, target)
        obstacles = obstacles_of(on_table, target)
        return best_level_in_d(layout, on_table, targets, obstacles, table), 0
    if not math.isfinite(layout[0, 0]):
        return NONE, 0
    return snooker_from_place(layout, on_table, target, table)
