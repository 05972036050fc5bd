"""Articles 2, 5, 11 to 15: sequence, points, and which balls return."""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.rules.articles import article, cite
from sinuca_env.rules.definitions import CUE_BIT, ball_of_value, ball_on_of
from sinuca_env.rules.facts import balls_gone, balls_hit_first, balls_potted, is_foul_stroke
from sinuca_env.state.balls import ALL_COLOURS, ALL_REDS, count_balls
from sinuca_env.state.records import ON_COLOUR, ON_RED


@article("2", "13", "14", "31")
def points_of(ruling, potted):
    """Points of a lawful stroke.

    On red: one per red, and one for the free ball. Else the value of the target once, whether the ball on, the free
    ball or both fell.
    """
    scoring = potted & np.int64(ruling.may_fall)
    if ruling.target == ON_RED:
        return count_balls(scoring)
    return np.int64(ruling.target) if scoring else 0


@article("2", "13", "14")
def score(frame, shot, ruling):
    """Credit what a lawful stroke potted; a foul earns its maker nothing."""
    if is_foul_stroke(ruling):
        return
    potted = balls_potted(frame, shot)
    points = points_of(ruling, potted)
    if points == 0:
        return
    ruling.points = points
    ruling.scored = potted & np.int64(ruling.may_fall)
    cite(ruling, 2)
    cite(ruling, 11)
    if ruling.target == ON_RED or ruling.free_ball_played:
        cite(ruling, 14)
    if potted & ~balls_hit_first(frame, shot, ruling):
        cite(ruling, 13)


@article("5", "16-IV")
def note_safety(shot, ruling):
    """A stroke that pots nothing is lawful; neither a pot nor a cushion is asked for, at the break-off either."""
    if shot.made and ruling.points == 0 and not is_foul_stroke(ruling):
        cite(ruling, 5)


@article("12-I", "12-II", "12-III", "15")
def returning_of(frame, shot, ruling):
    """The colours that go back to the table.

    After a foul all that fell or left it. Else the colour played after a red (also the yellow after the last one) and
    the free ball; a ball on of the final sequence stays down. Reds never return.
    """
    gone_colours = balls_gone(frame, shot) & ALL_COLOURS
    if not is_foul_stroke(ruling) and frame.on != ON_COLOUR:
        free = np.int64(ruling.free_ball_played)
        return gone_colours & ball_of_value(free) if free else 0
    return gone_colours


@article("12", "15")
def remove_balls(frame, shot, ruling):
    """Take from the table what does not return, write what does; a cue ball gone is in hand."""
    gone = balls_gone(frame, shot)
    returning = returning_of(frame, shot, ruling)
    if shot.made:
        frame.in_hand = 1 if gone & CUE_BIT else 0
    on_table = (np.int64(frame.on_table) | CUE_BIT) & ~gone
    frame.on_table = on_table & ~CUE_BIT if frame.in_hand else on_table
    ruling.respotted = returning
    ruling.returned_from = gone & ~returning & ~CUE_BIT
    if returning:
        cite(ruling, 12)
    if returning and ruling.free_ball_played and not is_foul_stroke(ruling):
        cite(ruling, 15)
    if gone & ALL_REDS and is_foul_stroke(ruling):
        cite(ruling, 15)
    if not is_foul_stroke(ruling) and gone & ALL_COLOURS & ~returning:
        cite(ruling, 12)


@article("11-I", "11-II", "12-IV", "31")
def next_on_of(frame, shot, ruling):
    """What is on for the next stroke, with the balls that are on the table now (returned ones included).

    A red, or a free ball played as red, brings any colour. Everything else brings the ball on: a foul on the colour
    after the last red loses that colour, a missed one is gone as well. Without a stroke of his own or a foul of his
    own the striker is still on what he was.
    """
    if shot.made == 0 and ruling.offender != ruling.striker:
        return np.int64(frame.on)
    if ruling.points and ruling.target == ON_RED and frame.on == ON_RED:
        return ON_COLOUR
    return ball_on_of(np.int64(frame.on_table))


@kernel(internal=True)
def is_lowest_colour(on_table, balls):
    """No red is left and the set holds the lowest colour on the table."""
    on = ball_on_of(on_table)
    return on >= 2 and balls & ball_of_value(on) != 0
