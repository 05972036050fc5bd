"""Articles 25 to 28: where a returning ball goes.

Its own spot; if that is occupied, the free spot of the highest value; if all are, the nearest place to its own spot on
the line through it along the table, towards the top cushion (or baulk, ``respot_towards``), else the other way.
"""

from __future__ import annotations

import math

import numpy as np

from sinuca_env.rules.articles import article
from sinuca_env.state.balls import ALL_COLOURS, FIRST_COLOUR, N_SLOTS, has_ball

TOUCHING = 1e-5  # m: a spot is occupied where the ball would come so near to another (articles 22, 25)
GAP = 2e-5  # m: left to the neighbour of a ball placed on the line; over the touching tolerance, below 0.1 mm
ROUNDING = 1e-12  # m, far below the gap: a place computed as just clear counts as clear
CUE_BIT = 1


@article("25")
def is_place_free(layout, obstacles, x, y, distance):
    """No ball's centre is nearer to the place than ``distance`` (a ball without position is nowhere)."""
    for slot in range(N_SLOTS):
        if has_ball(obstacles, slot):
            dx = layout[slot, 0] - x
            dy = layout[slot, 1] - y
            if dx * dx + dy * dy <= distance * distance:
                return False
    return True


@article("25")
def free_spot_of(layout, obstacles, value, table):
    """The value whose spot the ball takes: its own, else the highest free one, else 0."""
    distance = 2.0 * table.ball_radius + TOUCHING
    if is_place_free(layout, obstacles, table.spots[value, 0], table.spots[value, 1], distance):
        return value
    for other in range(7, 1, -1):
        if is_place_free(layout, obstacles, table.spots[other, 0], table.spots[other, 1], distance):
            return other
    return 0


@article("26-I", "26-II")
def nearest_on_line(layout, obstacles, x, y, direction, table):
    """The nearest free x from a spot along its line, in one direction (+1 towards the top); NaN if there is no room.

    Each ball near the line blocks an open interval of half length ``sqrt((2R + gap)^2 - dy^2)`` about its x; the
    nearest place is the spot itself or an end of an interval, so stepping out of every interval that holds the place
    ends at it exactly.
    """
    clear = 2.0 * table.ball_radius + GAP
    limit = 0.5 * table.length - table.ball_radius
    moved = True
    while moved:
        moved = False
        for slot in range(N_SLOTS):
            if not has_ball(obstacles, slot):
                continue
            dy = layout[slot, 1] - y
            if not abs(dy) < clear:
                continue
            half = math.sqrt(clear * clear - dy * dy)
            if abs(layout[slot, 0] - x) < half - ROUNDING:
                x = layout[slot, 0] + direction * half
                moved = True
    return x if x * direction <= limit else np.nan


@article("26", "27")
def place_on_line(layout, obstacles, slot, towards_top, table):
    """Put the ball on the line through its own spot: towards the named cushion (26), else the other way (27)."""
    x = table.spots[slot - 14, 0]
    y = table.spots[slot - 14, 1]
    direction = 1.0 if towards_top else -1.0
    place = nearest_on_line(layout, obstacles, x, y, direction, table)
    if math.isnan(place):
        place = nearest_on_line(layout, obstacles, x, y, -direction, table)
    layout[slot, 0] = place
    layout[slot, 1] = y


@article("28", "25", entry=True)
def respot(layout, on_table, returning, cue_in_hand, towards_top, table):
    """Put the returning colours back, highest value first; the new set of balls on the table.

    Args:
        layout: (22, 2), rows of the returning balls are written.
        on_table: set of balls in play; those of ``returning`` in it are not in the way before they are placed.
        returning: set of balls; reds never return (15) and are ignored.
        cue_in_hand: the cue ball's row then stands for nothing; else the cue ball occupies spots like any ball.
        towards_top: reading of article 26, ``RulesConfig.respot_towards``.
        table: TABLE record.

    A ball without position (NaN) is in nobody's way. One line takes all 22 balls on any real table: each blocks at
    most 105 mm of it.
    """
    colours = returning & ALL_COLOURS
    on_table = on_table & ~colours
    obstacles = on_table & ~CUE_BIT if cue_in_hand else on_table | CUE_BIT
    for slot in range(N_SLOTS - 1, FIRST_COLOUR - 1, -1):
        if not has_ball(colours, slot):
            continue
        spot = free_spot_of(layout, obstacles, slot - 14, table)
        if spot:
            layout[slot, 0] = table.spots[spot, 0]
            layout[slot, 1] = table.spots[spot, 1]
        else:
            place_on_line(layout, obstacles, slot, towards_top, table)
        obstacles |= 1 << slot
        on_table |= 1 << slot
    return on_table
