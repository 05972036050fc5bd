"""Articles 6, 7 and 47: the highest break that a frame's situation still holds.

    from the start with 6, 10, 15 reds     75, 107, 147
    ball on 6, 5, 4, 3, 2                  13, 18, 22, 25, 27
    one red                                35, each further red 8 more
    any colour after a red                 7 more than what the balls left bring
    with a free ball first                 8 more with red on, else the value of the ball on

``tests/rules/test_breaks.py`` proves the numbers by a search over the referee alone.
"""

from __future__ import annotations

from sinuca_env.rules.articles import article
from sinuca_env.rules.definitions import ball_on_of, free_ball_values_of, values_of
from sinuca_env.state.balls import ALL_REDS, count_balls
from sinuca_env.state.records import ON_COLOUR, ON_RED

__all__ = ["highest_colour_of", "points_remaining", "sum_of_colours"]


@article("6-II")
def sum_of_colours(on_table):
    """Points of the colours in ascending order, each once: 27 from the yellow."""
    values = values_of(on_table)
    total = 0
    for value in range(2, 8):
        if values >> value & 1:
            total += value
    return total


@article("6")
def highest_colour_of(on_table):
    """The value of the best colour to play after a red; 0 without colours."""
    values = values_of(on_table)
    for value in range(7, 1, -1):
        if values >> value & 1:
            return value
    return 0


@article("7")
def points_of_free_ball(on_table, on):
    """What a free ball potted first adds: the value of the ball on (it returns), and as a red the best colour too."""
    if free_ball_values_of(on_table, on) == 0:
        return 0
    return 1 + highest_colour_of(on_table) if on == ON_RED else on


@article("6-I", "6-II", "7", "47", entry=True)
def points_remaining(on_table, on, free_ball):
    """The highest break that the striker can still make.

    Args:
        on_table: set of balls in play (the cue ball does not matter).
        on: ``ON_RED``, 2..7 or ``ON_COLOUR``; 0 when no ball is left.
        free_ball: a free ball is offered to the striker.

    Each red brings its point and then the best colour, one red a stroke; the colours follow in order.
    """
    best = highest_colour_of(on_table)
    points = count_balls(on_table & ALL_REDS) * (1 + best) + sum_of_colours(on_table)
    if on == ON_COLOUR:
        return points + best
    if free_ball and on == ball_on_of(on_table):
        points += points_of_free_ball(on_table, on)
    return points
