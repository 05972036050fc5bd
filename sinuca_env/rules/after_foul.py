"""Articles 10, 29 to 32: what the side that suffered a foul may do, and the snooker that is itself a foul."""

from __future__ import annotations

import numpy as np

from sinuca_env.rules.articles import F40_XIV, article, cite
from sinuca_env.rules.definitions import CUE_BIT, ball_of_value, free_ball_values_of
from sinuca_env.rules.facts import is_foul_stroke
from sinuca_env.state.balls import ALL_COLOURS, ALL_REDS, BLACK, PINK
from sinuca_env.state.records import NO_SIDE, ON_COLOUR, ON_RED, Snooker

NONE = int(Snooker.NONE)
PINK_AND_BLACK = 1 << PINK | 1 << BLACK


@article("8-III", "32", "40-XVI")
def is_snooker_behind_played_ball(frame, before, ruling):
    """A lawful stroke leaves the opponent snookered with the played ball as first obstacle.

    The played ball is the free ball, or the colour called after a red. No foul with only pink and black left (free
    ball), nor when the called colour is now the ball on itself (12-IV-b).

    Args:
        before: the balls on the table before the stroke.
    """
    if is_foul_stroke(ruling) or ruling.snooker_after == NONE or ruling.next_striker == ruling.striker:
        return False
    played = played_ball_of(frame, ruling)
    if played == 0 or np.int64(ruling.first_obstacle) & ball_of_value(played) == 0:
        return False
    if ruling.free_ball_played:
        return before & (ALL_REDS | ALL_COLOURS) != PINK_AND_BLACK
    return played != ruling.next_on


@article("8-III", "40-XVI")
def played_ball_of(frame, ruling):
    """Value of the free ball just played, or of the colour just called after a red; 0 for any other stroke."""
    if ruling.free_ball_played:
        return np.int64(ruling.free_ball_played)
    if frame.on == ON_COLOUR and ruling.target != ON_COLOUR:
        return np.int64(ruling.target)
    return 0


@article("29-II")
def next_striker_of(shot, ruling):
    """A foul or a stroke without points ends the visit. A foul of the side not at the table leaves it going on."""
    if shot.made == 0 and ruling.offender == NO_SIDE:
        return np.int64(ruling.striker)
    if ruling.offender != NO_SIDE:
        return 1 - np.int64(ruling.offender)
    return np.int64(ruling.striker) if ruling.points else 1 - np.int64(ruling.striker)


@article("29-III", "4")
def is_target_miss_worth_free_ball(frame, cfg, ruling):
    """The target was not hit first, and it was neither a red nor a free ball that stood for one."""
    return cfg.free_ball_after_missed_target != 0 and ruling.fouls >> F40_XIV & 1 != 0 and frame.on != ON_RED


@article("10", "30-I")
def is_snooker_worth_free_ball(ruling):
    """The foul leaves the incoming striker without a ball on that can be hit on both edges."""
    return ruling.snooker_after != NONE


@article("10", "29", "30")
def offer(frame, shot, cfg, ruling):
    """Offer the opponent of the offender what articles 29 and 30 give him: to decline, and perhaps a free ball.

    A striker who goes on after a report keeps the offer that he has.
    """
    if ruling.fouls:
        cite(ruling, 29)
    if ruling.frame_over == 0 and shot.made == 0 and ruling.offender != ruling.striker:
        return
    ruling.free_ball_offered = 0
    ruling.may_decline = 0
    if ruling.frame_over or ruling.offender != ruling.striker:
        return
    ruling.may_decline = 1
    if free_ball_values_of(np.int64(frame.on_table) & ~CUE_BIT, np.int64(ruling.next_on)) == 0:
        return
    if is_snooker_worth_free_ball(ruling):
        cite(ruling, 10)
        cite(ruling, 30)
        ruling.free_ball_offered = 1
    elif is_target_miss_worth_free_ball(frame, cfg, ruling):
        cite(ruling, 4)
        ruling.free_ball_offered = 1


@article("31-I", "31-II")
def note_free_ball_potted(ruling):
    """A potted free ball earned the value of the ball on (``points_of``) and the visit goes on."""
    if ruling.free_ball_played and np.int64(ruling.scored) & ball_of_value(np.int64(ruling.free_ball_played)):
        cite(ruling, 31)
